//! Stack overflow, caught on the guard region below the stack.
//!
//! The handler runs on a stack of its own. It finds the call that did not fit any more, and reports as if that call had been
//! the trap: the position is the call's, the call stack begins with the function that made it. Where that call's return address
//! lies depends on where the fault was:
//!
//! * in the library: where the program's latest call left it;
//! * at a call instruction of the program: nowhere, the push of it faulted; the call is known by the faulting instruction;
//! * elsewhere in a function of the program: above the function's frame, as much of it as is set up. In the prologue (pushes,
//!   then a subtraction, perhaps with page probes) the instructions up to the fault say how much that is.

use crate::io::Message;
use crate::state::{Global, LAST_SP, PROCESS};
use crate::{program, sys, trap};

const SIGNAL_STACK_BYTES: usize = 64 << 10;
static SIGNAL_STACK: Global<[u64; SIGNAL_STACK_BYTES / 8]> = Global::new([0; SIGNAL_STACK_BYTES / 8]);

/// Sets the handlers of a process that is ours.
pub fn install() {
    let ignore = sys::Action { handler: sys::IGNORE, flags: 0, restorer: 0, mask: 0 };
    // SAFETY: no handlers.
    unsafe {
        sys::set_action(sys::SIGPIPE, &ignore);
        sys::set_action(sys::SIGXFSZ, &ignore);
    }
    install_in_c();
}

/// What memory faults did before, by signal: SIGSEGV, SIGBUS.
static BEFORE: Global<[sys::Action; 2]> = Global::new([sys::NO_ACTION; 2]);

/// Sets the handlers for memory faults; other signals are the C program's affair.
pub fn install_in_c() {
    const SIGINFO: usize = 4;
    const ON_STACK: usize = 0x0800_0000;
    const RESTORER: usize = 0x0400_0000;
    let fault = sys::Action {
        handler: on_fault as *const () as usize,
        flags: SIGINFO | ON_STACK | RESTORER,
        restorer: restore as *const () as usize,
        mask: 0,
    };
    // SAFETY: the handler is one; its stack is static.
    unsafe {
        sys::set_signal_stack(SIGNAL_STACK.get() as usize, SIGNAL_STACK_BYTES);
        *BEFORE.get() = [sys::SIGSEGV, sys::SIGBUS].map(|signal| sys::replace_action(signal, &fault));
    }
    sys::unblock(1 << (sys::SIGSEGV - 1) | 1 << (sys::SIGBUS - 1));
}

/// Returns from a handler.
#[unsafe(naked)]
extern "sysv64" fn restore() {
    core::arch::naked_asm!("mov eax, 15", "syscall")
}

/// Where `ucontext` has the general registers, and the two that matter among them.
const REGISTERS: usize = 40;
const RSP: usize = REGISTERS + 15 * 8;
const RIP: usize = REGISTERS + 16 * 8;
/// Where `siginfo` has the address of the fault.
const FAULT_ADDRESS: usize = 16;

unsafe extern "sysv64" fn on_fault(signal: usize, info: *const u8, context: *const u8) {
    // SAFETY: the kernel's structures.
    let (fault, rsp, rip) = unsafe {
        let word = |at: *const u8, offset| at.add(offset).cast::<usize>().read();
        (word(info, FAULT_ADDRESS), word(context, RSP), word(context, RIP))
    };
    // SAFETY: written once, at the start.
    let process = unsafe { &*PROCESS.get() };
    let in_guard = signal == sys::SIGSEGV && (process.guard_start..process.guard_end).contains(&fault);
    if in_guard && is_ours(rip) {
        overflow(rip, rsp);
    }
    // SAFETY: what the C program or the system wants; back at the faulting instruction, that happens.
    unsafe { give_back(signal) };
}

/// Whether Mini made the stack overflow. (C may have done it alone.)
fn is_ours(rip: usize) -> bool {
    #[cfg(feature = "library")]
    if program::function_at(rip).is_none() {
        if !crate::interface::is_in_mini() {
            return false;
        }
        if !is_library(rip) {
            crate::host::distrust_c();
        }
    }
    let _ = rip;
    true
}

#[cfg(feature = "library")]
unsafe extern "C" {
    // Made by the linker: build.rs puts the library's code into a section of this name.
    #[link_name = "__start_mini_text"]
    static TEXT_START: u8;
    #[link_name = "__stop_mini_text"]
    static TEXT_END: u8;
}

/// Whether an address is in this library's code.
#[cfg(feature = "library")]
fn is_library(address: usize) -> bool {
    (&raw const TEXT_START as usize..&raw const TEXT_END as usize).contains(&address)
}

/// Lets a fault do what it did before.
unsafe fn give_back(signal: usize) {
    if cfg!(not(feature = "library")) {
        let mut message = Message::new();
        message.add(b"internal error: the program was ended by a memory fault\n");
        message.send();
    }
    // SAFETY: as it was.
    unsafe {
        let [segv, bus] = &*BEFORE.get();
        sys::set_action(signal, if signal == sys::SIGSEGV { segv } else { bus });
    }
}

fn overflow(rip: usize, rsp: usize) -> ! {
    let mut message = trap::begin();
    message.add(b"stack overflow");
    let Some((function, code)) = program::function_at(rip) else {
        // SAFETY: the program called the library, which wrote it.
        trap::report(unsafe { *LAST_SP.get() }, &mut message)
    };
    if let Some(return_address) = pending_call(rip) {
        trap::report_from(trap::Frames::pending(return_address, rsp), &mut message)
    }
    let moved = moved_in_prologue(code, rip).unwrap_or_else(|| frame_so_far(rsp, function.frame_size()));
    trap::report(rsp + moved, &mut message)
}

/// The return address of the call instruction at `rip`, if there is one.
fn pending_call(rip: usize) -> Option<usize> {
    // SAFETY: the program's code.
    let byte =
        |offset: usize| if program::is_code(rip + offset) { unsafe { *((rip + offset) as *const u8) } } else { 0 };
    let prefix = usize::from(byte(0) & 0xf0 == 0x40);
    let is_call = byte(0) == 0xe8 || (byte(prefix) == 0xff && (byte(prefix + 1) >> 3) & 7 == 2);
    if !is_call {
        return None;
    }
    (2..=8).map(|length| rip + length).find(|&address| program::is_return_address(address))
}

/// How far the stack pointer is below the return address, if `rip` is in the prologue and its instructions are the usual ones.
fn moved_in_prologue(code: usize, rip: usize) -> Option<usize> {
    let (mut at, mut moved) = (code, 0usize);
    while at < rip {
        // SAFETY: the program's code, which goes on behind its functions' prologues.
        let bytes = unsafe { core::slice::from_raw_parts(at as *const u8, 8) };
        let (length, more) = match *bytes {
            [0x50..=0x57, ..] => (1, 8),
            [0x41, 0x50..=0x57, ..] => (2, 8),
            [0x48, 0x83, 0xec, n, ..] => (4, n as usize),
            [0x48, 0x81, 0xec, a, b, c, d, _] => (7, u32::from_le_bytes([a, b, c, d]) as usize),
            // Page probes: `or`/`test`/`mov` of a register or zero at [rsp], without and with operand size prefix.
            [0x48, 0x83, 0x0c, 0x24, _, ..] => (5, 0),
            [0x83, 0x0c, 0x24, _, ..] => (4, 0),
            [0x48, 0x85 | 0x89 | 0x8b, modrm, 0x24, ..] if modrm & 0xc7 == 0x04 => (4, 0),
            [0x85 | 0x89 | 0x8b | 0x84, modrm, 0x24, ..] if modrm & 0xc7 == 0x04 => (3, 0),
            _ => return None,
        };
        at += length;
        moved += more;
    }
    if at == rip { Some(moved) } else { None }
}

/// The same in the body of a function: its frame size; or, if the frame is not complete (in a probing loop), up to the first
/// return address above.
fn frame_so_far(rsp: usize, frame_size: usize) -> usize {
    // SAFETY: written once, at the start.
    let process = unsafe { &*PROCESS.get() };
    let is_return = |moved: usize| {
        let at = rsp + moved;
        // SAFETY: the word is on the stack.
        (process.guard_end..process.stack_top).contains(&at)
            && program::is_return_address(unsafe { *(at as *const usize) })
    };
    if is_return(frame_size) {
        return frame_size;
    }
    (0..frame_size).step_by(8).find(|&moved| is_return(moved)).unwrap_or(frame_size)
}
