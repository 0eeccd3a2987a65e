//! A case: a program with side files that say what it must do.
//!
//! `NAME.mini`, or a folder `NAME/` with `main.mini` and its modules. Beside it: `NAME.out` (stdout, exact), `NAME.in`
//! (stdin), `NAME.args` (one argument a line), `NAME.status` (exit status, 0 if absent), `NAME.err` (lines that stderr
//! must contain, in order), `NAME.errors` (compile errors are wanted: lines `LINE [TEXT]`). Without `.out` and `.errors`
//! the program must still be running after a while, with nothing printed.

use std::fs;
use std::path::{Path, PathBuf};

/// A program and what it must do.
#[derive(Clone, Debug)]
pub struct Case {
    /// For the list of tests: the path below the root of the project.
    pub name: String,
    /// The root file.
    pub source: PathBuf,
    /// What it must do.
    pub wanted: Wanted,
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
                cases.extend(read(&main, &path));
            } else {
                cases.extend(collect(&path));
            }
        } else if path.extension().is_some_and(|e| e == "mini") {
            cases.extend(read(&path, &path.with_extension("")));
        }
    }
    cases
}

/// The case of a source file whose side files are `base` with an extension.
pub fn read(source: &Path, base: &Path) -> Option<Case> {
    let side = |extension: &str| {
        let mut name = base.as_os_str().to_os_string();
        name.push(".");
        name.push(extension);
        fs::read(PathBuf::from(name)).ok()
    };
    let text = |extension: &str| side(extension).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let lines =
        |extension: &str| text(extension).map_or(Vec::new(), |t| t.lines().map(str::to_string).collect::<Vec<_>>());
    let wanted = if side("errors").is_some() {
        Wanted::Refused(lines("errors").iter().filter_map(|line| parse_error_line(line)).collect())
    } else {
        Wanted::Run(Run {
            stdin: side("in").unwrap_or_default(),
            args: lines("args"),
            stdout: side("out"),
            status: text("status").and_then(|t| t.trim().parse().ok()).unwrap_or(0),
            stderr: lines("err"),
        })
    };
    let name = source.strip_prefix(root()).unwrap_or(source).display().to_string();
    Some(Case { name, source: source.to_path_buf(), wanted })
}

fn parse_error_line(line: &str) -> Option<(u32, String)> {
    let (number, text) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    Some((number.parse().ok()?, text.to_string()))
}

/// What is in a folder, by name; nothing if there is no such folder.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// Files with an extension below a folder, by name.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found
}
