//! Buffered stdout and stdin, stderr, whole files.
//!
//! Keeps: partial writes are continued, interrupted calls repeated. The first failing write to stdout ends the process: a
//! closed pipe quietly with status 141, anything else with one message and status 101. Stdin's buffer is filled only after stdout
//! was flushed; a stdin that can't be read is at its end.

use crate::buffer::Buffer;
use crate::object::{self, Sequence};
use crate::state::Global;
use crate::{heap, host, sys};

const STDIN: i32 = 0;
/// Where the program's output goes.
pub const STDOUT: i32 = 1;
const STDERR: i32 = 2;
const OUT_BYTES: usize = 64 << 10;
const IN_BYTES: usize = 64 << 10;

struct Out {
    bytes: [u8; OUT_BYTES],
    len: usize,
}

struct In {
    bytes: [u8; IN_BYTES],
    at: usize,
    end: usize,
    ended: bool,
}

static OUT: Global<Out> = Global::new(Out { bytes: [0; OUT_BYTES], len: 0 });
static IN: Global<In> = Global::new(In { bytes: [0; IN_BYTES], at: 0, end: 0, ended: false });
static SCRATCH: Global<Buffer<u8>> = Global::new(Buffer::new());

/// Writes to stdout, through the buffer.
#[inline]
pub fn out(bytes: &[u8]) {
    // SAFETY: one thread; nothing called here comes back to this function.
    let out = unsafe { &mut *OUT.get() };
    if bytes.len() > OUT_BYTES - out.len {
        return out_long(bytes);
    }
    // SAFETY: there is room.
    unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), out.bytes.as_mut_ptr().add(out.len), bytes.len()) };
    out.len += bytes.len();
}

#[cold]
fn out_long(bytes: &[u8]) {
    hand_over();
    if bytes.len() >= OUT_BYTES {
        write_stdout(bytes);
    } else {
        out(bytes);
    }
}

/// Writes what is buffered, so that it is where the program's output goes.
pub fn flush() {
    hand_over();
    stdout_result(host::flush_stdout());
}

/// Writes what is buffered, so that what C writes next comes behind it.
pub fn hand_over() {
    // SAFETY: one thread. The length is cleared first: a failing write must not come back here with the same bytes.
    let out = unsafe { &mut *OUT.get() };
    let len = core::mem::replace(&mut out.len, 0);
    if let Some(bytes) = out.bytes.get(..len).filter(|b| !b.is_empty()) {
        write_stdout(bytes);
    }
}

fn write_stdout(bytes: &[u8]) {
    stdout_result(host::write_stdout(bytes));
}

/// What writing to stdout gave: 0, or an error, which ends the process.
fn stdout_result(result: isize) {
    match result {
        0 => {}
        sys::EPIPE => host::exit(141),
        error => {
            let mut message = Message::new();
            message.add(b"error: cannot write to stdout: ");
            match error {
                -28 => message.add(b"no space left on device"),
                -9 => message.add(b"it is closed"),
                -27 => message.add(b"file too large"),
                -5 => message.add(b"input/output error"),
                _ => {
                    message.add(b"error number ");
                    message.add_int(-error as i64);
                }
            }
            message.add(b"\n");
            message.send();
            host::exit(101)
        }
    }
}

/// Writes everything; 0, or the error.
pub fn write_all(fd: i32, mut bytes: &[u8]) -> isize {
    while !bytes.is_empty() {
        match sys::write(fd, bytes) {
            sys::EINTR => {}
            sys::EAGAIN => sys::wait_writable(fd),
            n if n < 0 => return n,
            n => bytes = bytes.get(n as usize..).unwrap_or(&[]),
        }
    }
    0
}

/// Writes to stderr at once; failures are ignored, for there is nobody to tell.
pub fn err(bytes: &[u8]) {
    write_all(STDERR, bytes);
}

/// A message for stderr, gathered so that it is usually written in one piece.
pub struct Message {
    bytes: [u8; 1024],
    len: usize,
}

impl Message {
    /// An empty one.
    pub fn new() -> Message {
        Message { bytes: [0; 1024], len: 0 }
    }

    /// Appends bytes.
    #[inline(never)]
    pub fn add(&mut self, text: &[u8]) {
        for &byte in text {
            if self.len == self.bytes.len() {
                self.send();
            }
            if let Some(to) = self.bytes.get_mut(self.len) {
                *to = byte;
            }
            self.len += 1;
        }
    }

    /// Appends an int.
    #[inline(never)]
    pub fn add_int(&mut self, value: i64) {
        self.add(mini_prim::text::write_int(value, &mut [0; mini_prim::text::NUMBER_BYTES]));
    }

    /// Writes it out.
    pub fn send(&mut self) {
        err(self.bytes.get(..self.len).unwrap_or(&[]));
        self.len = 0;
    }
}

impl Default for Message {
    fn default() -> Self {
        Message::new()
    }
}

/// Reads more into stdin's empty buffer; whether there was more.
fn fill(input: &mut In) -> bool {
    if input.ended {
        return false;
    }
    flush();
    loop {
        // SAFETY: the buffer has that room.
        match unsafe { sys::read(STDIN, input.bytes.as_mut_ptr(), IN_BYTES) } {
            sys::EINTR => {}
            sys::EAGAIN => sys::wait_readable(STDIN),
            n if n > 0 => {
                (input.at, input.end) = (0, n as usize);
                return true;
            }
            _ => {
                input.ended = true;
                return false;
            }
        }
    }
}

/// The next line of stdin without its line break; null at the end.
pub fn read_line() -> *mut Sequence {
    // SAFETY: one thread; nothing called here comes back to this module's input.
    let (input, line) = unsafe { (&mut *IN.get(), &mut *SCRATCH.get()) };
    line.clear();
    loop {
        let rest = input.bytes.get(input.at..input.end).unwrap_or(&[]);
        if let Some(length) = find_line_feed(rest) {
            let piece = rest.get(..length).unwrap_or(&[]);
            input.at += length + 1;
            if line.is_empty() {
                return heap::string(piece.strip_suffix(b"\r").unwrap_or(piece));
            }
            grow(line, piece);
            let whole = line.as_slice();
            return heap::string(whole.strip_suffix(b"\r").unwrap_or(whole));
        }
        grow(line, rest);
        input.at = input.end;
        if !fill(input) {
            let whole = line.as_slice();
            return if whole.is_empty() { core::ptr::null_mut() } else { heap::string(whole) };
        }
    }
}

/// The index of the first line feed; eight bytes at a time.
fn find_line_feed(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (words, _) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        // A byte is zero exactly where this sets its top bit, up to the first such byte.
        let x = u64::from_le_bytes(*word) ^ (ONES * u64::from(b'\n'));
        let zero = x.wrapping_sub(ONES) & !x & (ONES << 7);
        if zero != 0 {
            return Some(i * 8 + zero.trailing_zeros() as usize / 8);
        }
    }
    let done = words.len() * 8;
    bytes.iter().skip(done).position(|&b| b == b'\n').map(|i| done + i)
}

fn grow(buffer: &mut Buffer<u8>, bytes: &[u8]) {
    if buffer.extend(bytes).is_err() {
        heap::out_of_memory();
    }
}

/// The rest of stdin.
pub fn read_all() -> *mut Sequence {
    // SAFETY: as in `read_line`.
    let (input, all) = unsafe { (&mut *IN.get(), &mut *SCRATCH.get()) };
    all.clear();
    loop {
        grow(all, input.bytes.get(input.at..input.end).unwrap_or(&[]));
        input.at = input.end;
        if !fill(input) {
            let string = heap::string(all.as_slice());
            all.clear();
            return string;
        }
    }
}

/// Opens the file at a string's path; a NUL in it names no file.
fn open(path: *const Sequence, mode: sys::Mode) -> Option<i32> {
    // SAFETY: nothing is allocated meanwhile.
    if unsafe { object::bytes(path) }.contains(&0) {
        return None;
    }
    loop {
        match sys::open(object::data(path), mode) {
            sys::EINTR => {}
            fd if fd < 0 => return None,
            fd => return Some(fd as i32),
        }
    }
}

/// A whole file, or null.
pub fn read_file(path: *const Sequence) -> *mut Sequence {
    let Some(fd) = open(path, sys::Mode::Read) else { return core::ptr::null_mut() };
    // SAFETY: as in `read_line`.
    let all = unsafe { &mut *SCRATCH.get() };
    all.clear();
    let result = loop {
        if all.room() < 4096 && all.reserve(64 << 10).is_err() {
            heap::out_of_memory();
        }
        // SAFETY: that room is there.
        match unsafe { sys::read(fd, all.end(), all.room()) } {
            sys::EINTR => {}
            sys::EAGAIN => sys::wait_readable(fd),
            n if n < 0 => break core::ptr::null_mut(),
            0 => break heap::string(all.as_slice()),
            // SAFETY: the kernel wrote that many.
            n => unsafe { all.set_len(all.len() + n as usize) },
        }
    };
    all.clear();
    sys::close(fd);
    result
}

/// Writes a whole file; whether that went well.
pub fn write_file(path: *const Sequence, data: *const Sequence) -> bool {
    let Some(fd) = open(path, sys::Mode::Write) else { return false };
    // SAFETY: nothing is allocated meanwhile.
    let written = write_all(fd, unsafe { object::bytes(data) });
    let closed = sys::close(fd);
    written == 0 && (closed == 0 || closed == sys::EINTR)
}
