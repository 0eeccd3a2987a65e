//! The functions on strings and arrays that programs call.
//!
//! A slice of a heap object's bytes keeps the object alive only while a pointer into it is in use; where something is
//! allocated before the last use of the object, `keep` behind that use makes sure.

use crate::heap;
use crate::object::{self, BYTES_DESC, STRINGS_DESC, Sequence, data, keep};
use crate::state::PROCESS;
use mini_prim::{hash, parse, strings};

type Ref = *const Sequence;

/// An `int?`.
#[repr(C)]
pub struct MaybeInt {
    value: i64,
    present: u64,
}

/// A `float?`.
#[repr(C)]
pub struct MaybeFloat {
    value: f64,
    present: u64,
}

fn maybe_int(value: Option<i64>) -> MaybeInt {
    MaybeInt { value: value.unwrap_or(0), present: u64::from(value.is_some()) }
}

fn bytes<'a>(s: Ref) -> &'a [u8] {
    // SAFETY: programs pass strings; see the head of this file for how long they live.
    unsafe { object::bytes(s) }
}

pub(crate) extern "sysv64" fn concat(a: Ref, b: Ref) -> *mut Sequence {
    let (x, y) = (bytes(a), bytes(b));
    let s = heap::new_string(x.len() + y.len());
    // SAFETY: the new string has that room and is not one of the old ones.
    unsafe {
        core::ptr::copy_nonoverlapping(x.as_ptr(), data(s), x.len());
        core::ptr::copy_nonoverlapping(y.as_ptr(), data(s).add(x.len()), y.len());
    }
    keep(a);
    keep(b);
    s
}

pub(crate) extern "sysv64" fn string_eq(a: Ref, b: Ref) -> u64 {
    if a == b {
        return 1;
    }
    if a.is_null() || b.is_null() {
        return 0;
    }
    u64::from(bytes(a) == bytes(b))
}

pub(crate) extern "sysv64" fn string_compare(a: Ref, b: Ref) -> i64 {
    strings::compare(bytes(a), bytes(b))
}

pub(crate) extern "sysv64" fn substring(s: Ref, i: i64, j: i64) -> *mut Sequence {
    let part = bytes(s).get(i as usize..j as usize).unwrap_or(&[]);
    let new = heap::string(part);
    keep(s);
    new
}

pub(crate) extern "sysv64" fn byte_string(b: u64) -> *mut Sequence {
    heap::string(&[b as u8])
}

pub(crate) extern "sysv64" fn to_bytes(s: Ref) -> *mut Sequence {
    let from = bytes(s);
    let array = heap::new_array(&BYTES_DESC, from.len() as i64);
    // SAFETY: the new array has that room.
    unsafe { core::ptr::copy_nonoverlapping(from.as_ptr(), data(array), from.len()) };
    keep(s);
    array
}

pub(crate) extern "sysv64" fn string_from_bytes(array: Ref) -> *mut Sequence {
    let s = heap::string(bytes(array));
    keep(array);
    s
}

fn found(at: Option<usize>) -> MaybeInt {
    maybe_int(at.map(|i| i as i64))
}

pub(crate) extern "sysv64" fn find(s: Ref, t: Ref) -> MaybeInt {
    found(strings::find(bytes(s), bytes(t)))
}

pub(crate) extern "sysv64" fn find_from(s: Ref, t: Ref, from: i64) -> MaybeInt {
    found(strings::find_from(bytes(s), bytes(t), from))
}

pub(crate) extern "sysv64" fn starts_with(s: Ref, t: Ref) -> u64 {
    u64::from(bytes(s).starts_with(bytes(t)))
}

pub(crate) extern "sysv64" fn ends_with(s: Ref, t: Ref) -> u64 {
    u64::from(bytes(s).ends_with(bytes(t)))
}

pub(crate) extern "sysv64" fn contains(s: Ref, t: Ref) -> u64 {
    u64::from(strings::contains(bytes(s), bytes(t)))
}

pub(crate) extern "sysv64" fn replace(s: Ref, t: Ref, u: Ref) -> *mut Sequence {
    let (text, pattern, with) = (bytes(s), bytes(t), bytes(u));
    let mut len = 0usize;
    strings::replace(text, pattern, with, &mut |piece| len = len.saturating_add(piece.len()));
    let new = heap::new_string(len);
    let mut to = data(new);
    // SAFETY: the pieces have the length that was counted.
    strings::replace(text, pattern, with, &mut |piece| unsafe {
        core::ptr::copy_nonoverlapping(piece.as_ptr(), to, piece.len());
        to = to.add(piece.len());
    });
    keep(s);
    keep(t);
    keep(u);
    new
}

pub(crate) extern "sysv64" fn trim(s: Ref) -> *mut Sequence {
    let new = heap::string(strings::trim(bytes(s)));
    keep(s);
    new
}

/// Stores a reference in an array of them.
fn store(array: *mut Sequence, index: usize, value: *mut Sequence) {
    // SAFETY: the caller made the array with more than `index` elements.
    unsafe { data(array).cast::<*mut Sequence>().add(index).write(value) };
}

pub(crate) extern "sysv64" fn split(s: Ref, separator: Ref) -> *mut Sequence {
    let count = strings::split(bytes(s), bytes(separator)).count();
    let array = heap::new_array(&STRINGS_DESC, count as i64);
    for (i, piece) in strings::split(bytes(s), bytes(separator)).enumerate() {
        store(array, i, heap::string(piece));
    }
    keep(s);
    keep(separator);
    keep(array);
    array
}

pub(crate) extern "sysv64" fn args() -> *mut Sequence {
    // SAFETY: written once, at the start.
    let process = unsafe { &*PROCESS.get() };
    let count = process.argc.saturating_sub(1);
    let array = heap::new_array(&STRINGS_DESC, count as i64);
    for i in 0..count {
        // SAFETY: the kernel gives `argc` words, each ending in a NUL.
        let word = unsafe { core::ffi::CStr::from_ptr((*process.argv.add(i + 1)).cast()) };
        store(array, i, heap::string(word.to_bytes()));
    }
    keep(array);
    array
}

pub(crate) extern "sysv64" fn array_slice(array: Ref, i: i64, j: i64) -> *mut Sequence {
    // SAFETY: an array of the program, bounds checked by it.
    unsafe {
        let desc = (*array).desc;
        let stride = (*desc).size as usize;
        let new = heap::new_array(desc, j - i);
        core::ptr::copy_nonoverlapping(data(array).add(i as usize * stride), data(new), (j - i) as usize * stride);
        keep(array);
        new
    }
}

pub(crate) extern "sysv64" fn parse_int(s: Ref) -> MaybeInt {
    maybe_int(parse::parse_int(bytes(s)))
}

pub(crate) extern "sysv64" fn parse_float(s: Ref) -> MaybeFloat {
    let value = parse::parse_float(bytes(s));
    MaybeFloat { value: value.unwrap_or(0.0), present: u64::from(value.is_some()) }
}

pub(crate) extern "sysv64" fn hash_string(s: Ref) -> i64 {
    hash::hash_bytes(bytes(s))
}
