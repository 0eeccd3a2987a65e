//! The library in a C program: what C calls, what compiled code calls on the way between Mini and C.
//!
//! *Into Mini.* Each function that C may call is behind one that the compiler made, which calls `mini_c_enter` first and
//! `mini_c_leave` last, and turns strings and arrays into Mini's by `mini_c_string` and `mini_c_array`. *Out of Mini.* Before each
//! call of a C function the compiler puts one of `mini_to_c`. All run on C's stack (or on the large one of [`mini_main`], if Mini
//! has the `main`), which the collector scans up to its end: C's frames are between Mini's, and what C's variables hold
//! is found like what Mini's hold.
//!
//! *Call stacks.* `LAST_SP` is where the latest call out of Mini left its return address. When C calls Mini again, the old
//! value goes onto a stack of crossings, from which [`outer`] finds the way on when a walk gets to C's frames.

use crate::buffer::Buffer;
use crate::host;
use crate::io::{self, Message};
use crate::object::{self, ARRAY, BYTES_DESC, Sequence, TypeDesc};
use crate::state::{Global, LAST_SP, PROCESS};
use crate::{entry, heap, program, signal, sys, trap};
use core::arch::naked_asm;
use core::ffi::{CStr, c_char, c_int};

/// A call from C into Mini that has not returned.
#[derive(Clone, Copy)]
struct Crossing {
    /// Where the call of `mini_c_enter` left its return address.
    sp: usize,
    /// `LAST_SP` before: where the call into C left its return address; 0 if C was not called by Mini.
    last: usize,
}

static CROSSINGS: Global<Buffer<Crossing>> = Global::new(Buffer::new());

fn crossings() -> &'static mut Buffer<Crossing> {
    // SAFETY: one thread; no reference is held across a call that uses it.
    unsafe { &mut *CROSSINGS.get() }
}

/// Where the call stack goes on behind C's frames, which begin at `sp`: the place of the next return address into Mini.
pub fn outer(sp: usize) -> Option<usize> {
    let all = crossings().as_slice();
    // Outer crossings lie higher, and come first.
    let crossing = all.get(all.partition_point(|c| c.sp >= sp))?;
    (crossing.last > sp).then_some(crossing.last)
}

/// Whether Mini is somewhere on the call stack.
pub fn is_in_mini() -> bool {
    // SAFETY: one thread.
    !crossings().is_empty() || unsafe { *LAST_SP.get() } != 0
}

/// A mistake of the C side: says so, and ends the process.
fn misuse(text: &[u8]) -> ! {
    io::flush();
    let mut message = Message::new();
    message.add(b"error: ");
    message.add(text);
    message.add(b"\n");
    message.send();
    host::exit(101)
}

/// Checks that the library was started, and on this stack.
fn check_stack(sp: usize) {
    // SAFETY: written once, at the start.
    let process = unsafe { &*PROCESS.get() };
    if !(process.guard_end..process.stack_top).contains(&sp) {
        if process.stack_top == 0 {
            misuse(b"C called Mini before it called mini_start()");
        }
        misuse(b"C called Mini on another stack or thread than the one on which it called mini_start()");
    }
}

// ---- For C programs ----

/// Initialises the library and the program's globals. Once is enough; more calls do nothing.
#[unsafe(no_mangle)]
pub extern "C" fn mini_start() {
    // SAFETY: one thread.
    let process = unsafe { &mut *PROCESS.get() };
    if process.stack_top != 0 {
        return;
    }
    let Some((low, top)) = host::stack() else { misuse(b"C can't tell where the stack is") };
    process.guard_start = low.saturating_sub(entry::GUARD_BYTES);
    // The kernel lets the stack grow by whole pages, and not quite to its end.
    process.guard_end = low + entry::STACK_END_BYTES;
    process.stack_top = top;
    // SAFETY: C's own environment; the linker's function.
    unsafe {
        heap::configure(host::environment());
        signal::install_in_c();
        read_arguments();
        // Textual IR has no globals with first values.
        if program::info().init != 0 {
            call_init();
        }
    }
}

#[unsafe(naked)]
unsafe extern "C" fn call_init() {
    naked_asm!(
        "push rbx",
        "call {enter}",
        "call {init}",
        "call rax",
        "call {leave}",
        "pop rbx",
        "ret",
        enter = sym mini_c_enter,
        init = sym init,
        leave = sym mini_c_leave,
    )
}

extern "C" fn init() -> usize {
    program::info().init as usize
}

/// What `main` is if Mini has it: like the start of an executable without C, on a stack of its own.
///
/// # Safety
/// For the start-up code of C programs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mini_main(argc: c_int, argv: *const *const u8) -> c_int {
    // SAFETY: C's own arguments and environment.
    let status = unsafe {
        let process = &mut *PROCESS.get();
        process.argc = argc as usize;
        process.argv = argv;
        entry::run(host::environment())
    };
    io::flush();
    (status & 255) as c_int
}

/// The arguments of the process, which only `main` is given: from the system.
fn read_arguments() {
    static WORDS: Global<Buffer<u8>> = Global::new(Buffer::new());
    static STARTS: Global<Buffer<*const u8>> = Global::new(Buffer::new());
    // SAFETY: one thread; called once.
    let (words, starts, process) = unsafe { (&mut *WORDS.get(), &mut *STARTS.get(), &mut *PROCESS.get()) };
    let fd = sys::open(c"/proc/self/cmdline".as_ptr().cast(), sys::Mode::Read);
    if fd < 0 {
        return;
    }
    loop {
        if words.room() < 4096 && words.reserve(4096).is_err() {
            break;
        }
        // SAFETY: that room is there, and the kernel writes as much as it says.
        match unsafe { sys::read(fd as i32, words.end(), words.room()) } {
            sys::EINTR => {}
            n if n > 0 => unsafe { words.set_len(words.len() + n as usize) },
            _ => break,
        }
    }
    sys::close(fd as i32);
    let mut at = 0;
    while let Some(rest) = words.as_slice().get(at..).filter(|rest| !rest.is_empty()) {
        let Some(length) = rest.iter().position(|&b| b == 0) else { break };
        if starts.push(rest.as_ptr()).is_err() {
            break;
        }
        at += length + 1;
    }
    process.argc = starts.len();
    process.argv = starts.as_slice().as_ptr();
}

static INTS_DESC: TypeDesc = TypeDesc::new(ARRAY, 8, 0);

/// A new array with `count` elements of `size` bytes from C: the address of its first element.
unsafe fn array(desc: &'static TypeDesc, from: *const u8, count: i64, size: usize) -> *mut u8 {
    check_stack((&raw const desc) as usize);
    if count < 0 {
        misuse(b"C asked for an array with a negative number of elements");
    }
    // An address of an element must lie in the object, even if there is none.
    let array = heap::new_array(desc, count.max(1));
    // SAFETY: it has that room; without a source it is zero.
    unsafe {
        (*array).len = count;
        let bytes = count as usize * size;
        match from.is_null() {
            true => object::data(array).write_bytes(0, bytes),
            false => core::ptr::copy_nonoverlapping(from, object::data(array), bytes),
        }
    }
    object::data(array)
}

/// A Mini `[int]` with the `count` ints at `from`, or zeros if that is NULL.
///
/// # Safety
/// They are readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mini_ints(from: *const i64, count: i64) -> *mut i64 {
    // SAFETY: as the caller says.
    unsafe { array(&INTS_DESC, from.cast(), count, 8).cast() }
}

/// A Mini `[float]`, likewise.
///
/// # Safety
/// They are readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mini_floats(from: *const f64, count: i64) -> *mut f64 {
    // SAFETY: as the caller says.
    unsafe { array(&INTS_DESC, from.cast(), count, 8).cast() }
}

/// A Mini `[byte]`, likewise.
///
/// # Safety
/// They are readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mini_bytes(from: *const u8, count: i64) -> *mut u8 {
    // SAFETY: as the caller says.
    unsafe { array(&BYTES_DESC, from, count, 1) }
}

/// A Mini `[bool]`, likewise; what is not 0 is true.
///
/// # Safety
/// They are readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mini_bools(from: *const u8, count: i64) -> *mut u8 {
    // SAFETY: as the caller says; the array has that many elements.
    unsafe {
        let to = array(&BYTES_DESC, from, count, 1);
        for i in 0..count as usize {
            *to.add(i) = u8::from(*to.add(i) != 0);
        }
        to
    }
}

/// The length of a Mini array or string, by the address that C has.
///
/// # Safety
/// It is one that Mini gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mini_length(data: *const u8) -> i64 {
    // SAFETY: as the caller says.
    unsafe { (*data.wrapping_sub(object::DATA).cast::<Sequence>()).len }
}

// ---- For compiled code ----

/// C calls Mini.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "sysv64" fn mini_c_enter() {
    naked_asm!("mov rdi, rsp", "jmp {enter}", enter = sym enter)
}

extern "sysv64" fn enter(sp: usize) {
    check_stack(sp);
    // One that lies exactly here can't have returned either: its place is taken.
    forget_below(sp + 1);
    // SAFETY: one thread.
    let last = unsafe { core::mem::replace(&mut *LAST_SP.get(), sp) };
    if crossings().push(Crossing { sp, last }).is_err() {
        heap::out_of_memory();
    }
}

/// Mini returns to C.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "sysv64" fn mini_c_leave() {
    naked_asm!("mov rdi, rsp", "jmp {leave}", leave = sym leave)
}

extern "sysv64" fn leave(sp: usize) {
    forget_below(sp);
    io::hand_over();
    if let Some(crossing) = crossings().pop() {
        // SAFETY: one thread.
        unsafe { *LAST_SP.get() = crossing.last };
    }
}

/// Forgets the crossings that C has jumped out of.
fn forget_below(sp: usize) {
    while let Some(crossing) = crossings().as_slice().last().filter(|crossing| crossing.sp < sp) {
        // SAFETY: one thread.
        unsafe { *LAST_SP.get() = crossing.last };
        crossings().pop();
    }
}

/// Mini calls C.
pub(crate) extern "sysv64" fn to_c() {
    io::hand_over();
}

/// A copy of a string from C. `what` is the parameter, for the message if it is NULL.
pub(crate) unsafe extern "sysv64" fn c_string(text: *const c_char, what: *const Sequence) -> *mut Sequence {
    if text.is_null() {
        refuse(b"C passed NULL for the string ", what);
    }
    // SAFETY: C passes strings that end in NUL.
    heap::string(unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// The array whose first element C points to; its elements have `size` bytes. `what` is the parameter, for the message if there is
/// none.
pub(crate) unsafe extern "sysv64" fn c_array(data: usize, size: i64, what: *const Sequence) -> *const Sequence {
    let array = data.wrapping_sub(object::DATA);
    if data <= object::DATA || !heap::is_array(array, size as u32) {
        refuse(b"C passed something else than a Mini array for ", what);
    }
    array as *const Sequence
}

fn refuse(text: &[u8], what: *const Sequence) -> ! {
    let mut message = trap::begin();
    message.add(text);
    // SAFETY: a string literal of the program.
    message.add(unsafe { object::bytes(what) });
    // SAFETY: the program called the library, which wrote it.
    trap::report(unsafe { *LAST_SP.get() }, &mut message)
}
