//! Run-time errors: the message, the position, the call stack, status 101.
//!
//! The call stack is walked with the linker's tables: a return address names the function, the function's frame size says where the
//! next return address is. A loop, whatever the depth. The position is that of the innermost call in a function
//! that call stacks show; only if there is none, that of the innermost call that has one.

use crate::host;
use crate::io::{self, Message};
use crate::object::{self, Sequence};
use crate::program;
use crate::state::LAST_SP;
use mini_prim::tables::FunctionEntry;

/// Lines of the call stack that are written.
const MAX_LINES: usize = 32;

/// The frames of the call stack, innermost first: the function and the return address in it.
#[derive(Clone)]
pub struct Frames {
    /// Where the next return address lies.
    sp: usize,
    /// The next return address if it lies nowhere.
    pending: Option<usize>,
    last: Option<(&'static FunctionEntry, usize)>,
}

impl Frames {
    /// From the call that left its return address at `sp`.
    pub fn at(sp: usize) -> Frames {
        Frames { sp, pending: None, last: None }
    }

    /// From a call that could not push its return address, in a function whose stack pointer is `sp`.
    pub fn pending(return_address: usize, sp: usize) -> Frames {
        Frames { sp: sp - 8, pending: Some(return_address), last: None }
    }
}

impl Iterator for Frames {
    type Item = (&'static FunctionEntry, usize);

    fn next(&mut self) -> Option<Self::Item> {
        if self.sp == 0 {
            return None; // C called the library, and no Mini is on the stack
        }
        // SAFETY: `sp` is where a call from the program put its return address, or one frame above such a place.
        let mut return_address = self.pending.take().unwrap_or_else(|| unsafe { *(self.sp as *const usize) });
        // The call may be the last instruction of its function: look the byte before the return address up. Recursion
        // repeats return addresses, so the last answer is worth keeping.
        let function = match self.last {
            Some((function, address)) if address == return_address => function,
            _ => match program::function_at(return_address.wrapping_sub(1)) {
                Some((function, _)) => function,
                None => {
                    self.sp = beyond(self.sp)?;
                    // SAFETY: there a call from the program put its return address.
                    return_address = unsafe { *(self.sp as *const usize) };
                    program::function_at(return_address.wrapping_sub(1))?.0
                }
            },
        };
        self.last = Some((function, return_address));
        self.sp += 8 + function.frame_size();
        Some((function, return_address))
    }
}

/// Where the call stack goes on behind frames that are not the program's.
#[cfg(feature = "library")]
fn beyond(sp: usize) -> Option<usize> {
    crate::interface::outer(sp)
}

/// There is nothing around the program.
#[cfg(not(feature = "library"))]
fn beyond(_: usize) -> Option<usize> {
    None
}

/// Reports an error whose innermost call left its return address at `sp`, and ends the process.
pub fn report(sp: usize, message: &mut Message) -> ! {
    report_from(Frames::at(sp), message)
}

/// Reports an error with this call stack, and ends the process.
pub fn report_from(stack: Frames, message: &mut Message) -> ! {
    message.add(b"\n");
    let frames = || stack.clone();
    let shown = || frames().filter(|(function, _)| !function.is_hidden());
    let place = shown()
        .take(MAX_LINES)
        .find_map(|(_, address)| program::place_of(address))
        .or_else(|| frames().take(MAX_LINES).find_map(|(_, address)| program::place_of(address)));
    if let Some(place) = place {
        message.add(b"  --> ");
        message.add(program::file(place.file));
        message.add(b":");
        message.add_int(i64::from(place.line));
        message.add(b":");
        message.add_int(i64::from(place.column));
        message.add(b"\n");
    }
    let mut count = 0;
    for (function, _) in shown() {
        count += 1;
        if count <= MAX_LINES {
            message.add(b"  in ");
            message.add(program::text(function.name));
            message.add(b"\n");
        }
    }
    if count > MAX_LINES {
        message.add(b"  \xe2\x80\xa6 "); // an ellipsis
        message.add_int((count - MAX_LINES) as i64);
        message.add(b" more\n");
    }
    message.send();
    host::exit(101)
}

/// Flushes stdout and begins the message.
pub fn begin() -> Message {
    io::flush();
    let mut message = Message::new();
    message.add(b"runtime error: ");
    message
}

/// Reports an error in a function that the program called.
fn trap(build: impl FnOnce(&mut Message)) -> ! {
    let mut message = begin();
    build(&mut message);
    // SAFETY: every function that programs call begins by writing it.
    report(unsafe { *LAST_SP.get() }, &mut message)
}

/// Something that can't be: a mistake in the compiler or in this library.
pub fn internal(what: &[u8]) -> ! {
    io::flush();
    let mut message = Message::new();
    message.add(b"internal error: ");
    message.add(what);
    message.add(b"\n");
    message.send();
    host::exit(134)
}

pub(crate) extern "sysv64" fn trap_bounds(index: i64, len: i64) -> ! {
    trap(|m| {
        m.add(b"index out of bounds: the index is ");
        m.add_int(index);
        m.add(b" but the length is ");
        m.add_int(len);
    })
}

pub(crate) extern "sysv64" fn trap_slice(i: i64, j: i64, len: i64) -> ! {
    trap(|m| {
        m.add(b"slice out of bounds: ");
        m.add_int(i);
        m.add(b"..");
        m.add_int(j);
        m.add(b" of length ");
        m.add_int(len);
    })
}

pub(crate) extern "sysv64" fn trap_null() -> ! {
    trap(|m| m.add(b"null unwrapped"))
}

pub(crate) extern "sysv64" fn trap_division() -> ! {
    trap(|m| m.add(b"division by zero"))
}

pub(crate) extern "sysv64" fn trap_length(len: i64) -> ! {
    trap(|m| {
        m.add(b"negative array length: ");
        m.add_int(len);
    })
}

pub(crate) extern "sysv64" fn trap_step() -> ! {
    trap(|m| m.add(b"step is zero"))
}

/// The heap is exhausted.
#[cold]
#[inline(never)]
pub fn out_of_memory() -> ! {
    trap(|m| m.add(b"out of memory"))
}

/// A fixed text, then the bytes of a string.
unsafe fn with_text(what: &[u8], text: *const Sequence) -> ! {
    trap(|m| {
        m.add(what);
        // SAFETY: a string; nothing is allocated.
        m.add(unsafe { object::bytes(text) });
    })
}

pub(crate) unsafe extern "sysv64" fn panic(text: *const Sequence) -> ! {
    // SAFETY: a string.
    unsafe { with_text(b"panic: ", text) }
}

pub(crate) extern "sysv64" fn assert_failed() -> ! {
    trap(|m| m.add(b"assertion failed"))
}

pub(crate) unsafe extern "sysv64" fn assert_failed_with(text: *const Sequence) -> ! {
    // SAFETY: a string.
    unsafe { with_text(b"assertion failed: ", text) }
}

pub(crate) unsafe extern "sysv64" fn global_too_early(name: *const Sequence) -> ! {
    // SAFETY: a string.
    unsafe { with_text(b"global read before initialisation: ", name) }
}

pub(crate) extern "sysv64" fn exit(code: i64) -> ! {
    io::flush();
    host::exit((code & 255) as i32)
}
