//! Writing results: output files that appear whole or not at all, and stdout.

use mini_driver::failure::Failure;
use mini_driver::session::reason;
use rustix::fs::{Mode, OFlags};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Whether an output file can be executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executable {
    /// Mode 0777 without the umask's bits.
    Yes,
    /// Mode 0666 without the umask's bits.
    No,
}

/// Refuses outputs that can't be meant: a directory, or the source file itself. Called before the work begins.
pub fn check_target(output: &Path, source: &Path) -> Result<(), Failure> {
    if fs::metadata(output).is_ok_and(|meta| meta.is_dir()) {
        return Err(Failure::Io(format!("can't write `{}`: it is a directory", output.display())));
    }
    refuse_input(output, source, "the source file")
}

/// Refuses an output that is one of the files the program is made of; `what` says which, for the message.
pub fn refuse_input(output: &Path, input: &Path, what: &str) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    let (Ok(there), Ok(input)) = (fs::metadata(output), fs::metadata(input)) else { return Ok(()) };
    match there.is_file() && (there.dev(), there.ino()) == (input.dev(), input.ino()) {
        true => Err(Failure::Usage(format!("the output `{}` is {what}; choose another with `-o`", output.display()))),
        false => Ok(()),
    }
}

/// Writes an output file: into a temporary file of the same folder, which then takes its name. Something that is no
/// regular file (a device, a pipe) is written directly. A symbolic link is kept, and what it names is replaced. A Mini source
/// file is never replaced.
pub fn write_file(path: &Path, bytes: &[u8], executable: Executable) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::Io(format!("can't write `{}`: {}", path.display(), reason(&error)));
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => {
            return Err(Failure::Io(format!("can't write `{}`: it is a directory", path.display())));
        }
        Ok(_) if path.extension().is_some_and(|extension| extension == "mini") => {
            return Err(Failure::Usage(format!(
                "the output `{}` would replace a Mini source file; choose another name",
                path.display()
            )));
        }
        Ok(meta) if !meta.is_file() => {
            return File::options().write(true).open(path).and_then(|mut file| file.write_all(bytes)).map_err(failed);
        }
        _ => {}
    }
    let target = resolve_links(path).map_err(failed)?;
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let (temporary, mut file) = create_temporary(folder, executable).map_err(failed)?;
    let written = file.write_all(bytes).and_then(|()| {
        drop(file);
        fs::rename(&temporary, &target)
    });
    written.map_err(|error| {
        // The message is about the write; a file that can't be removed either changes nothing about it.
        let _ = fs::remove_file(&temporary);
        failed(error)
    })
}

/// What a chain of symbolic links ends at, which need not exist.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    // As many as Linux follows.
    for _ in 0..40 {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::from_raw_os_error(rustix::io::Errno::LOOP.raw_os_error()))
}

/// A new file that nobody else has, with the final mode from the start: the system takes the umask's bits away.
fn create_temporary(folder: &Path, executable: Executable) -> io::Result<(PathBuf, File)> {
    let mode = match executable {
        Executable::Yes => Mode::from_raw_mode(0o777),
        Executable::No => Mode::from_raw_mode(0o666),
    };
    let process = std::process::id();
    for attempt in 0u32.. {
        let path = folder.join(format!(".minic-{process}-{attempt}.tmp"));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        match rustix::fs::open(&path, flags, mode) {
            Ok(fd) => return Ok((path, File::from(fd))),
            // A process with our number died here; its file stays, ours gets the next name.
            Err(rustix::io::Errno::EXIST) if attempt < 10_000 => {}
            Err(error) => return Err(error.into()),
        }
    }
    unreachable!("the loop ends by returning: the last attempt returns its error")
}

/// Writes text to stdout. A reader that has gone away ends the command quietly; a full disk is an error.
pub fn print(text: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|error| Failure::Io(format!("can't write to stdout: {}", reason(&error)))),
    }
}
