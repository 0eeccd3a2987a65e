//! What a run needs from outside.

/// Why a write failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteError {
    /// The reader is gone (a closed pipe).
    Closed,
    /// Anything else, such as a full disk.
    Other,
}

/// The world around a program. Implementations write at once; buffering is the interpreter's.
pub trait Host {
    /// Writes all bytes to stdout.
    fn write_stdout(&mut self, bytes: &[u8]) -> Result<(), WriteError>;
    /// Writes all bytes to stderr; failures are ignored.
    fn write_stderr(&mut self, bytes: &[u8]);
    /// Reads up to the buffer's length from stdin; 0 at the end. Failures count as the end.
    fn read_stdin(&mut self, buffer: &mut [u8]) -> usize;
    /// A whole file; `None` on failure.
    fn read_file(&mut self, path: &[u8]) -> Option<Vec<u8>>;
    /// Writes a whole file; false on failure.
    fn write_file(&mut self, path: &[u8], data: &[u8]) -> bool;
    /// The program's arguments, without its name.
    fn args(&mut self) -> Vec<Vec<u8>>;
    /// Monotonic nanoseconds.
    fn clock_ns(&mut self) -> i64;
}

/// A world in memory, for tests.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryHost {
    /// What is left to read.
    pub stdin: Vec<u8>,
    /// What was written.
    pub stdout: Vec<u8>,
    /// What was written.
    pub stderr: Vec<u8>,
    /// Paths and contents.
    pub files: std::collections::BTreeMap<Vec<u8>, Vec<u8>>,
    /// The arguments.
    pub args: Vec<Vec<u8>>,
    /// What the clock shows next; each look moves it on by one.
    pub clock: i64,
    /// How many bytes stdout takes before its reader is gone.
    pub stdout_limit: Option<usize>,
}

impl Host for MemoryHost {
    fn write_stdout(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        if self.stdout_limit.is_some_and(|limit| self.stdout.len() + bytes.len() > limit) {
            return Err(WriteError::Closed);
        }
        self.stdout.extend_from_slice(bytes);
        Ok(())
    }

    fn write_stderr(&mut self, bytes: &[u8]) {
        self.stderr.extend_from_slice(bytes);
    }

    fn read_stdin(&mut self, buffer: &mut [u8]) -> usize {
        let count = buffer.len().min(self.stdin.len());
        buffer[..count].copy_from_slice(&self.stdin[..count]);
        self.stdin.drain(..count);
        count
    }

    fn read_file(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        self.files.get(path).cloned()
    }

    fn write_file(&mut self, path: &[u8], data: &[u8]) -> bool {
        self.files.insert(path.to_vec(), data.to_vec());
        true
    }

    fn args(&mut self) -> Vec<Vec<u8>> {
        self.args.clone()
    }

    fn clock_ns(&mut self) -> i64 {
        self.clock += 1;
        self.clock - 1
    }
}
