//! A case: a program with side files that say what it must do.
//!
//! `NAME.mini`, or a folder `NAME/` with `main.mini` and its modules. Beside it: `NAME.out` (stdout, exact), `NAME.in`
//! (stdin), `NAME.args` (one argument a line), `NAME.status` (exit status, 0 if absent), `NAME.err` (lines that stderr
//! must contain, in order), `NAME.errors` (compile errors are wanted: lines `LINE [TEXT]`). Without `.out` and `.errors`
//! the program must still be running after a while, with nothing printed.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A program and what it must do.
#[derive(Clone, Debug)]
pub struct Case {
    /// For the list of tests: the path below the root of the project.
    pub name: String,
    /// The root file.
    pub source: PathBuf,
    /// What it must do; or what is wrong with its side files, which fails the test.
    pub wanted: Result<Wanted, String>,
}

/// What a case asks for.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// The program runs.
    Run(Run),
    /// The program is refused: the lines that carry errors, with a text that the message contains.
    Refused(Vec<(u32, String)>),
}

/// What goes into a run and what must come out.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Standard input.
    pub stdin: Vec<u8>,
    /// The arguments.
    pub args: Vec<String>,
    /// Standard output; `None` if the program must not end.
    pub stdout: Option<Vec<u8>>,
    /// Exit status.
    pub status: i32,
    /// Texts that stderr contains, in order.
    pub stderr: Vec<String>,
}

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

/// All cases below a folder, by name.
pub fn collect(folder: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            let main = path.join("main.mini");
            if main.is_file() {
                cases.push(read(&main, &path));
            } else {
                cases.extend(collect(&path));
            }
        } else if path.extension().is_some_and(|e| e == "mini") {
            cases.push(read(&path, &path.with_extension("")));
        }
    }
    cases
}

/// The case of a source file whose side files are `base` with an extension.
pub fn read(source: &Path, base: &Path) -> Case {
    let name = source.strip_prefix(root()).unwrap_or(source).display().to_string();
    Case { name, source: source.to_path_buf(), wanted: wanted(base) }
}

fn wanted(base: &Path) -> Result<Wanted, String> {
    if let Some(text) = side_text(base, "errors")? {
        let path = side_path(base, "errors");
        let lines: Vec<(u32, String)> = parse_lines(&path, &text, error_line)?;
        if lines.is_empty() {
            return Err(format!("{}: it names no line", path.display()));
        }
        return Ok(Wanted::Refused(lines));
    }
    let lines = |extension: &str| -> Result<Vec<String>, String> {
        Ok(side_text(base, extension)?.map_or(Vec::new(), |text| text.lines().map(str::to_string).collect()))
    };
    let status = match side_text(base, "status")? {
        None => 0,
        Some(text) => {
            let path = side_path(base, "status");
            let status = |line: &str| line.trim().parse::<u8>().map_err(|_| "expected an exit status, 0 to 255".into());
            match parse_lines(&path, &text, status)?[..] {
                [status] => status.into(),
                _ => return Err(format!("{}: expected one exit status", path.display())),
            }
        }
    };
    Ok(Wanted::Run(Run {
        stdin: side(base, "in")?.unwrap_or_default(),
        args: lines("args")?,
        stdout: side(base, "out")?,
        status,
        stderr: lines("err")?,
    }))
}

fn side_path(base: &Path, extension: &str) -> PathBuf {
    let mut name = base.as_os_str().to_os_string();
    name.push(".");
    name.push(extension);
    name.into()
}

/// A side file, if it is there. One that can't be read is not missing.
fn side(base: &Path, extension: &str) -> Result<Option<Vec<u8>>, String> {
    let path = side_path(base, extension);
    match fs::read(&path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

fn side_text(base: &Path, extension: &str) -> Result<Option<String>, String> {
    let utf8 = |bytes| {
        String::from_utf8(bytes).map_err(|_| format!("{}: it is not UTF-8", side_path(base, extension).display()))
    };
    side(base, extension)?.map(utf8).transpose()
}

/// Each line of a side file; what is wrong with one names file and line.
fn parse_lines<T>(path: &Path, text: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    let numbered = text.lines().enumerate();
    numbered.map(|(n, line)| parse(line).map_err(|what| format!("{}:{}: {what}", path.display(), n + 1))).collect()
}

/// `LINE [TEXT]`
fn error_line(line: &str) -> Result<(u32, String), String> {
    let (number, text) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    match number.parse() {
        Ok(number) if number > 0 => Ok((number, text.to_string())),
        _ => Err(format!("expected a line number and perhaps a text, found {line:?}")),
    }
}

/// What is in a folder, by name. A folder that is not there would silently mean no tests.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut found: Vec<PathBuf> = read.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    found.sort();
    found
}

/// Files with an extension below a folder, by name. Of a folder with a `main` file, that one alone: the others are its modules.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            let main = path.join("main").with_extension(extension);
            match main.is_file() {
                true => found.push(main),
                false => found.extend(files(&path, extension)),
            }
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted_of(files: &[(&str, &str)]) -> Result<Wanted, String> {
        let folder = tempfile::tempdir().expect("a folder for the test");
        for (extension, text) in files {
            fs::write(folder.path().join(format!("case.{extension}")), text).expect("the folder is ours");
        }
        wanted(&folder.path().join("case"))
    }

    #[test]
    fn side_files_are_read() {
        match wanted_of(&[("out", "x\n"), ("status", "101\n"), ("err", "a\nb\n")]) {
            Ok(Wanted::Run(run)) => assert_eq!((run.status, run.stderr.len(), run.stdin.len()), (101, 2, 0)),
            other => panic!("{other:?}"),
        }
        assert!(matches!(wanted_of(&[("errors", "3 type\n7\n")]), Ok(Wanted::Refused(lines)) if lines.len() == 2));
    }

    #[test]
    fn malformed_side_files_fail_with_file_and_line() {
        for (extension, text, place) in [
            ("errors", "3 type\nline 4\n", "case.errors:2: "),
            ("errors", "0\n", "case.errors:1: "),
            ("errors", "", "case.errors: it names no line"),
            ("status", "1O1\n", "case.status:1: "),
            ("status", "256\n", "case.status:1: "),
            ("status", "", "case.status: expected one"),
            ("status", "1\n2\n", "case.status: expected one"),
        ] {
            let trouble = wanted_of(&[(extension, text)]).expect_err(text);
            assert!(trouble.contains(place), "{text:?}: {trouble}");
        }
    }

    #[test]
    #[should_panic(expected = "no/such/folder")]
    fn a_folder_that_is_not_there_is_no_empty_one() {
        collect(Path::new("no/such/folder"));
    }
}
