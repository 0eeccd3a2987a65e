//! A C program: what goes to stdout goes through its `stdout`, so that its own output and Mini's keep their order, and the
//! process ends by its `exit`.
//!
//! Where the stack overflowed in C code, which may have been in the middle of these very functions, only the kernel is used.

use crate::state::Global;
use crate::{io, sys};
use core::ffi::{c_char, c_int, c_void};

unsafe extern "C" {
    static stdout: *mut c_void;
    static environ: *const *const c_char;
    fn fwrite(from: *const u8, size: usize, count: usize, file: *mut c_void) -> usize;
    fn fflush(file: *mut c_void) -> c_int;
    #[link_name = "exit"]
    fn c_exit(status: c_int) -> !;
    fn __errno_location() -> *mut c_int;
    fn pthread_self() -> usize;
    fn pthread_getattr_np(thread: usize, attributes: *mut c_void) -> c_int;
    fn pthread_attr_getstack(attributes: *const c_void, at: *mut usize, bytes: *mut usize) -> c_int;
    fn pthread_attr_destroy(attributes: *mut c_void) -> c_int;
}

/// Whether C's functions may still be called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Whole,
    KernelOnly,
}

static TRUST: Global<Trust> = Global::new(Trust::Whole);

fn trust() -> Trust {
    // SAFETY: one thread.
    unsafe { *TRUST.get() }
}

/// From now on, C's functions are not called any more.
pub fn distrust_c() {
    // SAFETY: one thread.
    unsafe { *TRUST.get() = Trust::KernelOnly }
}

fn error_number() -> isize {
    // SAFETY: the C library's; it gives the address of this thread's number.
    -(unsafe { *__errno_location() } as isize)
}

/// Hands bytes over to C's `stdout`.
pub fn write_stdout(bytes: &[u8]) -> isize {
    if trust() == Trust::KernelOnly {
        return io::write_all(io::STDOUT, bytes);
    }
    // SAFETY: the slice is readable.
    let written = unsafe { fwrite(bytes.as_ptr(), 1, bytes.len(), stdout) };
    if written == bytes.len() { 0 } else { error_number() }
}

/// Lets C's `stdout` write out what it holds.
pub fn flush_stdout() -> isize {
    // SAFETY: C's own stream.
    if trust() == Trust::KernelOnly || unsafe { fflush(stdout) } == 0 { 0 } else { error_number() }
}

/// Ends the process the way a C program does.
pub fn exit(status: i32) -> ! {
    match trust() {
        // SAFETY: does not return.
        Trust::Whole => unsafe { c_exit(status) },
        Trust::KernelOnly => sys::exit(status),
    }
}

/// The environment.
pub fn environment() -> *const *const c_char {
    // SAFETY: the C library keeps it.
    unsafe { environ }
}

/// The lowest address of this thread's stack, and the byte behind the highest; `None` if C can't tell.
pub fn stack() -> Option<(usize, usize)> {
    // Larger than any C library's `pthread_attr_t`.
    let mut attributes = [0u64; 32];
    let (mut low, mut bytes) = (0, 0);
    let at = attributes.as_mut_ptr().cast::<c_void>();
    // SAFETY: the structure has room, and is given back.
    unsafe {
        if pthread_getattr_np(pthread_self(), at) != 0 {
            return None;
        }
        let known = pthread_attr_getstack(at, &raw mut low, &raw mut bytes);
        pthread_attr_destroy(at);
        if known != 0 { None } else { Some((low, low + bytes)) }
    }
}
