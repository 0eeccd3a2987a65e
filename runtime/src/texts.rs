//! Printing, and texts being built.
//!
//! `string(x)` and `print(x)` of arrays and the like are compiled to a sequence of `text_…` calls between `text_begin` and
//! `text_end`. A `show` method may run in between and build texts of its own, so they form a stack; all share one buffer.

use crate::buffer::Buffer;
use crate::object::{self, Sequence};
use crate::state::Global;
use crate::{heap, io};
use mini_prim::text::{self, NUMBER_BYTES};

struct Texts {
    bytes: Buffer<u8>,
    /// Where in `bytes` each text that is being built begins, outermost first.
    starts: Buffer<usize>,
}

static TEXTS: Global<Texts> = Global::new(Texts { bytes: Buffer::new(), starts: Buffer::new() });

fn texts() -> &'static mut Texts {
    // SAFETY: one thread, and no function here calls another while it uses the reference.
    unsafe { &mut *TEXTS.get() }
}

fn append(bytes: &[u8]) {
    if texts().bytes.extend(bytes).is_err() {
        heap::out_of_memory();
    }
}

pub(crate) extern "sysv64" fn out_int(value: i64) {
    io::out(text::write_int(value, &mut [0; NUMBER_BYTES]));
}

pub(crate) extern "sysv64" fn out_float(value: f64) {
    io::out(text::write_float(value, &mut [0; NUMBER_BYTES]));
}

pub(crate) extern "sysv64" fn out_bool(value: u64) {
    io::out(text::bool_text(value != 0));
}

pub(crate) extern "sysv64" fn out_byte(value: u64) {
    out_int(value as i64);
}

pub(crate) unsafe extern "sysv64" fn out_string(s: *const Sequence) {
    // SAFETY: a string; nothing is allocated.
    io::out(unsafe { object::bytes(s) });
}

pub(crate) extern "sysv64" fn out_char(value: u64) {
    io::out(&[value as u8]);
}

pub(crate) unsafe extern "sysv64" fn err_string(s: *const Sequence) {
    // SAFETY: a string; nothing is allocated.
    io::err(unsafe { object::bytes(s) });
}

pub(crate) extern "sysv64" fn text_begin() {
    let texts = texts();
    if texts.starts.push(texts.bytes.len()).is_err() {
        heap::out_of_memory();
    }
}

pub(crate) extern "sysv64" fn text_int(value: i64) {
    append(text::write_int(value, &mut [0; NUMBER_BYTES]));
}

pub(crate) extern "sysv64" fn text_float(value: f64) {
    append(text::write_float(value, &mut [0; NUMBER_BYTES]));
}

pub(crate) extern "sysv64" fn text_bool(value: u64) {
    append(text::bool_text(value != 0));
}

pub(crate) extern "sysv64" fn text_byte(value: u64) {
    text_int(value as i64);
}

pub(crate) unsafe extern "sysv64" fn text_string(s: *const Sequence) {
    // SAFETY: a string; nothing is allocated on the heap.
    append(unsafe { object::bytes(s) });
}

pub(crate) unsafe extern "sysv64" fn text_quoted(s: *const Sequence) {
    // SAFETY: as above.
    text::quote(unsafe { object::bytes(s) }, &mut append);
}

pub(crate) extern "sysv64" fn text_end() -> *mut Sequence {
    let texts = texts();
    let start = texts.starts.pop().unwrap_or(0);
    let string = heap::string(texts.bytes.as_slice().get(start..).unwrap_or(&[]));
    if start == 0 {
        texts.bytes.clear();
    } else {
        texts.bytes.truncate(start);
    }
    string
}

pub(crate) extern "sysv64" fn string_of_int(value: i64) -> *mut Sequence {
    heap::string(text::write_int(value, &mut [0; NUMBER_BYTES]))
}

pub(crate) extern "sysv64" fn string_of_float(value: f64) -> *mut Sequence {
    heap::string(text::write_float(value, &mut [0; NUMBER_BYTES]))
}

pub(crate) extern "sysv64" fn fixed(value: f64, digits: i64) -> *mut Sequence {
    heap::string(text::fixed(value, digits, &mut [0; text::FIXED_BYTES]))
}
