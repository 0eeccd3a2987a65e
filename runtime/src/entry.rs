//! From the kernel to the program and back.
//!
//! The program runs on a stack of its own, 1 GiB whatever the limits of the process say (less only if the address space
//! is limited), with a guard region below. Pages of it exist once they are touched.

use crate::state::PROCESS;
use crate::{heap, io, program, signal, sys, trap};
use core::arch::{asm, naked_asm};

const STACK_BYTES: usize = 1 << 30;
const SMALLEST_STACK_BYTES: usize = 4 << 20;
const GUARD_BYTES: usize = 1 << 20;

/// Where the kernel starts the process.
///
/// # Safety
/// For the kernel only.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "sysv64" fn _start() {
    naked_asm!("mov rdi, rsp", "xor ebp, ebp", "and rsp, -16", "call {begin}", begin = sym begin)
}

/// `words` is what the kernel leaves on the stack: the number of arguments, the arguments, null, the environment, null.
unsafe extern "sysv64" fn begin(words: *const usize) -> ! {
    // SAFETY: the kernel's layout; nothing else runs yet.
    unsafe {
        let process = &mut *PROCESS.get();
        process.argc = *words;
        process.argv = words.add(1).cast();
        heap::configure(words.add(2 + process.argc).cast());
        let Some((stack, bytes)) = map_stack() else { trap::internal(b"no memory for the stack") };
        sys::protect(stack, GUARD_BYTES);
        process.guard_start = stack;
        process.guard_end = stack + GUARD_BYTES;
        process.stack_top = stack + bytes;
        signal::install();
        asm!(
            "mov rsp, {top}",
            "call {start}",
            "mov rdi, rax",
            "call {finish}",
            top = in(reg) process.stack_top,
            start = in(reg) program::info().start,
            finish = sym finish,
            options(noreturn),
        )
    }
}

/// What comes after the program.
extern "sysv64" fn finish(status: i64) -> ! {
    io::flush();
    sys::exit((status & 255) as i32)
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
