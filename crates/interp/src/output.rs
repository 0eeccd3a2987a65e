//! Buffered standard streams: stdout is flushed when the buffer is full, before stdin is read, and at the end.

use crate::host::{Host, WriteError};

const BUFFER_BYTES: usize = 1 << 16;

/// The program's streams.
pub(crate) struct Streams<'h> {
    pub host: &'h mut dyn Host,
    out: Vec<u8>,
    input: Vec<u8>,
    /// Where the unread part of `input` begins.
    input_at: usize,
    input_ended: bool,
}

impl<'h> Streams<'h> {
    pub fn new(host: &'h mut dyn Host) -> Streams<'h> {
        Streams { host, out: Vec::with_capacity(BUFFER_BYTES), input: Vec::new(), input_at: 0, input_ended: false }
    }

    #[inline]
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        if self.out.len() + bytes.len() > BUFFER_BYTES {
            self.flush()?;
            if bytes.len() > BUFFER_BYTES {
                return self.host.write_stdout(bytes);
            }
        }
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    pub fn flush(&mut self) -> Result<(), WriteError> {
        if self.out.is_empty() {
            return Ok(());
        }
        let result = self.host.write_stdout(&self.out);
        self.out.clear();
        result
    }

    /// Reads more input behind what is there; false at the end.
    fn fill(&mut self) -> Result<bool, WriteError> {
        if self.input_ended {
            return Ok(false);
        }
        self.flush()?;
        self.input.drain(..self.input_at);
        self.input_at = 0;
        let old = self.input.len();
        self.input.resize(old + BUFFER_BYTES, 0);
        let count = self.host.read_stdin(&mut self.input[old..]);
        self.input.truncate(old + count);
        self.input_ended = count == 0;
        Ok(count > 0)
    }

    /// The next line without its line break (LF or CR LF); `None` at the end.
    pub fn read_line(&mut self) -> Result<Option<Vec<u8>>, WriteError> {
        let mut searched = 0;
        loop {
            let rest = &self.input[self.input_at..];
            if let Some(found) = rest[searched..].iter().position(|&b| b == b'\n') {
                let line = &rest[..searched + found];
                let taken = line.len() + 1;
                let line = line.strip_suffix(b"\r").unwrap_or(line).to_vec();
                self.input_at += taken;
                return Ok(Some(line));
            }
            searched = rest.len();
            if !self.fill()? {
                // A CR before the end of input stays.
                let line = self.input.split_off(self.input_at);
                return Ok(if line.is_empty() { None } else { Some(line) });
            }
        }
    }

    /// The rest of stdin.
    pub fn read_all(&mut self) -> Result<Vec<u8>, WriteError> {
        while self.fill()? {}
        Ok(self.input.split_off(self.input_at))
    }
}
