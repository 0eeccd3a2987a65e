//! The command from outside: what it says, what it writes, how it ends.

mod c_interface; // programs that are part Mini, part C
mod diagnostics; // places and forms of diagnostics
mod executables; // what executables do that no interpreter can show
mod limits; // inputs of absurd shape
mod modules; // programs of several files
mod outputs; // output files
mod running; // exit statuses, arguments, streams
mod surroundings; // limits and settings of the system around it
mod usage; // the command line itself

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A folder of its own for a test, with helpers.
struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    fn new() -> Folder {
        Folder { folder: tempfile::tempdir().expect("a folder for the test") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("the folder is ours");
        path
    }

    /// Names of the files, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("the folder is ours");
        let mut names: Vec<String> = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// `minic` with this folder as its current one.
    fn minic<I: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = I>) -> Result {
        let mut command = minic();
        command.current_dir(self.folder.path()).args(args);
        finish(command, b"")
    }

    /// Builds a program and returns the executable's path.
    fn build(&self, name: &str, text: &str) -> PathBuf {
        let source = self.file(&format!("{name}.mini"), text);
        let output = self.path(name);
        let built = self.minic([Path::new("build"), &source, Path::new("-o"), &output]);
        assert_eq!(built.status, Some(0), "{name}: {}", built.stderr);
        output
    }
}

/// How a command ended.
#[derive(Debug)]
struct Result {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

fn minic() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_minic"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs to the end, but not for ever.
fn finish(command: Command, stdin: &[u8]) -> Result {
    let mut command = assert_cmd::Command::from_std(command);
    let assert = command.timeout(Duration::from_secs(120)).write_stdin(stdin).assert();
    let Output { status, stdout, stderr } = assert.get_output();
    Result {
        status: status.code(),
        stdout: String::from_utf8_lossy(stdout).into_owned(),
        stderr: String::from_utf8_lossy(stderr).into_owned(),
    }
}

/// `sh -c SCRIPT minic ARGS…`: for redirections, umasks and limits. `"$0" "$@"` is the command.
fn shell<I: AsRef<OsStr>>(folder: &Folder, script: &str, args: impl IntoIterator<Item = I>) -> Result {
    shell_of(Path::new(env!("CARGO_BIN_EXE_minic")), folder, script, args)
}

fn shell_of<I: AsRef<OsStr>>(
    program: &Path,
    folder: &Folder,
    script: &str,
    args: impl IntoIterator<Item = I>,
) -> Result {
    let mut command = Command::new("/bin/sh");
    command.current_dir(folder.folder.path()).arg("-c").arg(script).arg(program).args(args).stdin(Stdio::null());
    finish(command, b"")
}

const HELLO: &str = "fn main() { print(\"hello\"); }\n";
