//! `minic run FILE ARGS…`: compiles to memory and becomes the program.

use super::Shown;
use clap::ArgMatches;
use mini_driver::failure::Failure;
use mini_driver::options::Output;
use mini_driver::pipeline;
use mini_driver::session::reason;
use rustix::fs::{MemfdFlags, Mode, OFlags};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles, then replaces this process by the program. Only failures return.
pub fn run(arguments: &ArgMatches) -> Result<u8, Failure> {
    let mut program = arguments.get_many::<OsString>("program").expect("clap requires it");
    let source = PathBuf::from(program.next().expect("clap requires the file"));
    let rest: Vec<&OsString> = program.collect();
    let (image, _) = super::with_session("run", arguments, &source, Shown::Errors, |session| {
        pipeline::build(session, &source, Output::Executable)
    })?;
    let name = source.file_stem().unwrap_or(OsStr::new("program"));
    let in_memory = execute_from_memory(&image, name, &rest);
    // Some kernels and containers refuse memory files, or `/proc`; a file that is gone once opened does the same.
    let from_file = execute_from_file(&image, name, &rest);
    Err(Failure::Io(format!("can't run `{}`: {} ({})", source.display(), reason(&from_file), reason(&in_memory))))
}

fn execute_from_memory(image: &[u8], name: &OsStr, arguments: &[&OsString]) -> io::Error {
    let attempt = || -> io::Result<io::Error> {
        let fd = rustix::fs::memfd_create("mini-program", MemfdFlags::CLOEXEC)?;
        let mut file = File::from(fd);
        file.write_all(image)?;
        Ok(become_program(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd())), name, arguments))
    };
    attempt().unwrap_or_else(|error| error)
}

/// The file lives in the folder for temporary files. It is opened for reading and removed before it is executed, so
/// that nothing stays behind; where `/proc` is missing too, it is executed by its path and does stay.
fn execute_from_file(image: &[u8], name: &OsStr, arguments: &[&OsString]) -> io::Error {
    let attempt = || -> io::Result<io::Error> {
        let folder = tempfile::Builder::new().prefix("minic-run-").tempdir()?;
        let path = folder.path().join("program");
        let fd = rustix::fs::open(
            &path,
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC,
            Mode::from_raw_mode(0o700),
        )?;
        let mut file = File::from(fd);
        file.write_all(image)?;
        drop(file);
        let readable = File::open(&path)?;
        let removed = become_program_unlinked(&readable, folder, name, arguments);
        Ok(removed)
    };
    attempt().unwrap_or_else(|error| error)
}

fn become_program_unlinked(file: &File, folder: tempfile::TempDir, name: &OsStr, arguments: &[&OsString]) -> io::Error {
    let direct = Path::new("/proc/self/fd").is_dir();
    if direct {
        drop(folder);
        become_program(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd())), name, arguments)
    } else {
        let error = become_program(&folder.path().join("program"), name, arguments);
        drop(folder);
        error
    }
}

/// Replaces the process; returns only the reason why it could not.
fn become_program(path: &Path, name: &OsStr, arguments: &[&OsString]) -> io::Error {
    crate::streams::give_back();
    Command::new(path).arg0(name).args(arguments).exec()
}
