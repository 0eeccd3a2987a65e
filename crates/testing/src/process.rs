//! Running a process with limits of time and memory.

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How a run ended, and what it wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// With an exit status.
    Status(i32),
    /// By a signal.
    Signal(i32),
    /// It had to be stopped.
    #[default]
    TimedOut,
}

/// Runs a command to its end, or for as long as `limit` allows. The processor time is limited too, so that a process
/// that gets loose does not run for ever.
pub fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> io::Result<Outcome> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn(command)?;
    let seconds = limit.as_secs() + 2;
    if let Some(pid) = Pid::from_raw(child.id() as i32) {
        // It may have ended already: then there is nothing to limit.
        let _ = prlimit(Some(pid), Resource::Cpu, Rlimit { current: Some(seconds), maximum: Some(seconds) });
    }
    let mut input = child.stdin.take().expect("piped");
    let mut output = child.stdout.take().expect("piped");
    let mut errors = child.stderr.take().expect("piped");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A program need not read its input.
            let _ = input.write_all(stdin);
        });
        let stdout = scope.spawn(move || read_all(&mut output));
        let stderr = scope.spawn(move || read_all(&mut errors));
        let end = wait(&mut child, limit)?;
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<u8>>| thread.join().expect("reading does not panic");
        Ok(Outcome { end, stdout: join(stdout), stderr: join(stderr) })
    })
}

/// Starts a process. A file that was written just now can be "busy": another thread has forked while it was open for
/// writing, and its child has not come to `exec` yet. That passes.
fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut attempts = 0;
    loop {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && attempts < 100 => {
                attempts += 1;
                std::thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
}

fn read_all(from: &mut impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A program that prints for ever is cut off; it fails the comparison anyway.
    let _ = from.take(64 << 20).read_to_end(&mut bytes);
    bytes
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<End> {
    use std::os::unix::process::ExitStatusExt;
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().map_or_else(|| End::Signal(status.signal().unwrap_or(0)), End::Status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(End::TimedOut);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_output_and_time_are_seen() {
        let mut shell = Command::new("/bin/sh");
        let ended =
            run(shell.args(["-c", "cat; echo no >&2; exit 7"]), b"hi\n", Duration::from_secs(10)).expect("runs");
        assert_eq!(ended, Outcome { end: End::Status(7), stdout: b"hi\n".into(), stderr: b"no\n".into() });
        let mut shell = Command::new("/bin/sh");
        let stopped = run(shell.args(["-c", "exec sleep 30"]), b"", Duration::from_millis(50)).expect("runs");
        assert_eq!(stopped.end, End::TimedOut);
    }
}
