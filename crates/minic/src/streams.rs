//! The standard streams as the command found them.
//!
//! A program run by `minic run` must find a closed stream closed, since writing to it is an error that the language defines.
//! But a process without its standard streams is in danger: the next file that it opens takes their place, and a message
//! would go into an output file. So each closed one is replaced before anything else is opened: stdout by a device
//! that is always full, so that no output is taken for written, the others by the null device. Before a program
//! takes over, the replacements are marked to be closed again.

use rustix::fs::{Mode, OFlags};
use std::os::fd::{AsRawFd, IntoRawFd};
use std::sync::atomic::{AtomicBool, Ordering};

/// Which of stdin, stdout, stderr were closed.
static REPLACED: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];

/// Replaces closed streams. To be called before any file is opened.
pub fn replace_closed() {
    // The system gives the lowest number that is free, so what is opened while a stream is closed is that stream. The
    // device matters for stdout only, which is known when its turn has come.
    while let Some(number) = lowest_free() {
        let path = if number == 1 { "/dev/full" } else { "/dev/null" };
        let Ok(fd) = rustix::fs::open(path, OFlags::RDWR, Mode::empty()) else { return };
        REPLACED[number].store(true, Ordering::Relaxed);
        // It stays open to the end.
        let _ = fd.into_raw_fd();
    }
}

/// The number of the first standard stream that is closed.
fn lowest_free() -> Option<usize> {
    let probe = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()).ok()?;
    usize::try_from(probe.as_raw_fd()).ok().filter(|&number| number < REPLACED.len())
}

/// Lets a program that takes over the process find the streams as they were.
pub fn give_back() {
    let streams = [rustix::stdio::stdin(), rustix::stdio::stdout(), rustix::stdio::stderr()];
    for (stream, replaced) in streams.into_iter().zip(&REPLACED) {
        if replaced.load(Ordering::Relaxed) {
            // Failing leaves the replacement open: the program's output is lost, as it would be anyway.
            let _ = rustix::io::fcntl_setfd(stream, rustix::io::FdFlags::CLOEXEC);
        }
    }
}
