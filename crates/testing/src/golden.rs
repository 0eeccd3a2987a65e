//! Expected text in files. `BLESS=1` writes what was got, for a person to look at with `git diff`.

use crate::judge::first_difference;
use std::fs;
use std::path::Path;

/// Compares with the text of a file, or rewrites it.
pub fn check(path: &Path, got: &str) -> Result<(), String> {
    if std::env::var_os("BLESS").is_some_and(|v| v == "1") {
        return fs::write(path, got).map_err(|error| format!("{}: {error}", path.display()));
    }
    match fs::read_to_string(path) {
        Ok(wanted) if wanted == got => Ok(()),
        Ok(wanted) => {
            let difference = first_difference(wanted.as_bytes(), got.as_bytes());
            Err(format!("{}: {difference} (BLESS=1 rewrites it)", path.display()))
        }
        Err(error) => Err(format!("{}: {error} (BLESS=1 writes it)", path.display())),
    }
}
