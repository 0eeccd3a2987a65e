//! From the kernel to the program and back.
//!
//! The program runs on a stack of its own, 1 GiB whatever the limits of the process say (less only if the address space
//! is limited), with a guard region below. Pages of it exist once they are touched.

use crate::state::PROCESS;
use crate::{heap, program, signal, sys, trap};
use core::arch::naked_asm;

const STACK_BYTES: usize = 1 << 30;
const SMALLEST_STACK_BYTES: usize = 4 << 20;
/// What below a stack is not to be touched.
pub const GUARD_BYTES: usize = 1 << 20;
/// How near to its end a stack that is not ours counts as used up.
#[cfg(feature = "library")]
pub const STACK_END_BYTES: usize = 64 << 10;

/// Where the kernel starts the process.
///
/// # Safety
/// For the kernel only.
#[cfg(feature = "image")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "sysv64" fn _start() {
    naked_asm!("mov rdi, rsp", "xor ebp, ebp", "and rsp, -16", "call {begin}", begin = sym begin)
}

/// `words` is what the kernel leaves on the stack: the number of arguments, the arguments, null, the environment, null.
#[cfg(feature = "image")]
unsafe extern "sysv64" fn begin(words: *const usize) -> ! {
    // SAFETY: the kernel's layout; nothing else runs yet.
    let status = unsafe {
        let process = &mut *PROCESS.get();
        process.argc = *words;
        process.argv = words.add(1).cast();
        run(words.add(2 + process.argc).cast())
    };
    crate::io::flush();
    sys::exit((status & 255) as i32)
}

/// Runs the program on a stack of its own; its status.
///
/// # Safety
/// `environment` is the process's, and nothing of the program runs yet.
pub unsafe fn run(environment: *const *const core::ffi::c_char) -> i64 {
    // SAFETY: as the caller says; the linker's function takes nothing.
    unsafe {
        let process = &mut *PROCESS.get();
        heap::configure(environment);
        let Some((stack, bytes)) = map_stack() else { trap::internal(b"no memory for the stack") };
        sys::protect(stack, GUARD_BYTES);
        process.guard_start = stack;
        process.guard_end = stack + GUARD_BYTES;
        process.stack_top = stack + bytes;
        signal::install();
        on_stack(process.stack_top, program::info().start as usize)
    }
}

/// Calls a function that takes nothing, on another stack.
#[unsafe(naked)]
unsafe extern "sysv64" fn on_stack(top: usize, function: usize) -> i64 {
    naked_asm!("mov rax, rsp", "mov rsp, rdi", "push rax", "sub rsp, 8", "call rsi", "add rsp, 8", "pop rsp", "ret",)
}

/// The stack, guard region included.
fn map_stack() -> Option<(usize, usize)> {
    let mut bytes = STACK_BYTES + GUARD_BYTES;
    loop {
        if let Some(at) = sys::map(0, bytes) {
            // SAFETY: changes no contents. A huge page at the top would cost every program the time to clear it.
            unsafe { sys::advise(at, bytes, sys::Advice::SmallPages) };
            return Some((at, bytes));
        }
        bytes /= 2;
        bytes &= !0xfff;
        if bytes < SMALLEST_STACK_BYTES {
            return None;
        }
    }
}
