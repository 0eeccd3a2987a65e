//! System calls of x86-64 Linux, as thin as they can be: a negative result is minus the error number.

use core::arch::asm;

/// Interrupted by a signal.
pub const EINTR: isize = -4;
/// Would block.
pub const EAGAIN: isize = -11;
/// The reader of a pipe is gone.
pub const EPIPE: isize = -32;

/// A system call with up to six arguments.
///
/// # Safety
/// As the call's own rules say.
#[inline(always)]
pub unsafe fn call(number: usize, args: [usize; 6]) -> isize {
    let result: isize;
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") args[0], in("rsi") args[1], in("rdx") args[2],
            in("r10") args[3], in("r8") args[4], in("r9") args[5],
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// Writes some of the bytes; how many.
pub fn write(fd: i32, bytes: &[u8]) -> isize {
    // SAFETY: reads only from the slice.
    unsafe { call(1, [fd as usize, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0]) }
}

/// Reads up to `len` bytes; how many, 0 at the end.
///
/// # Safety
/// `to` has room for them.
pub unsafe fn read(fd: i32, to: *mut u8, len: usize) -> isize {
    unsafe { call(0, [fd as usize, to as usize, len, 0, 0, 0]) }
}

/// How [`open`] opens a file.
#[derive(Clone, Copy)]
pub enum Mode {
    /// For reading.
    Read,
    /// For writing, emptied or made new.
    Write,
}

/// Opens a file by its path, which ends in a NUL.
pub fn open(path: *const u8, mode: Mode) -> isize {
    const CLOSE_ON_EXEC: usize = 0o2000000;
    let flags = match mode {
        Mode::Read => CLOSE_ON_EXEC,
        Mode::Write => CLOSE_ON_EXEC | 0o1 | 0o100 | 0o1000,
    };
    // SAFETY: the path is NUL-terminated.
    unsafe { call(2, [path as usize, flags, 0o666, 0, 0, 0]) }
}

/// Closes a file.
pub fn close(fd: i32) -> isize {
    // SAFETY: touches no memory.
    unsafe { call(3, [fd as usize, 0, 0, 0, 0, 0]) }
}

/// New zeroed memory, at `hint` if that is free; `None` if there is none.
pub fn map(hint: usize, len: usize) -> Option<usize> {
    const PRIVATE_ANONYMOUS_NORESERVE: usize = 0x2 | 0x20 | 0x4000;
    const READ_WRITE: usize = 3;
    // SAFETY: without MAP_FIXED it replaces nothing.
    let at = unsafe { call(9, [hint, len, READ_WRITE, PRIVATE_ANONYMOUS_NORESERVE, usize::MAX, 0]) };
    if (-4095..0).contains(&at) { None } else { Some(at as usize) }
}

/// Gives memory back.
///
/// # Safety
/// Nothing uses it any more.
pub unsafe fn unmap(at: usize, len: usize) {
    unsafe { call(11, [at, len, 0, 0, 0, 0]) };
}

/// Makes a mapping larger, which may move it.
///
/// # Safety
/// `at` and `old` are a whole mapping, to which no pointers remain.
pub unsafe fn remap(at: usize, old: usize, new: usize) -> Option<usize> {
    let at = unsafe { call(25, [at, old, new, 1, 0, 0]) };
    if (-4095..0).contains(&at) { None } else { Some(at as usize) }
}

/// Takes all access to memory away.
///
/// # Safety
/// Nothing uses it.
pub unsafe fn protect(at: usize, len: usize) {
    unsafe { call(10, [at, len, 0, 0, 0, 0]) };
}

/// What [`advise`] says.
#[derive(Clone, Copy)]
pub enum Advice {
    /// The contents may go; the next access finds zeros.
    Drop = 4,
    /// Large pages are welcome.
    HugePages = 14,
    /// Large pages are not welcome.
    SmallPages = 15,
}

/// Says how memory will be used.
///
/// # Safety
/// With [`Advice::Drop`], nothing needs the contents.
pub unsafe fn advise(at: usize, len: usize, advice: Advice) {
    unsafe { call(28, [at, len, advice as usize, 0, 0, 0]) };
}

/// Monotonic nanoseconds.
pub fn clock_ns() -> i64 {
    let mut time = [0i64; 2];
    // SAFETY: writes a `timespec`, two words.
    unsafe { call(228, [1, (&raw mut time) as usize, 0, 0, 0, 0]) };
    time[0].wrapping_mul(1_000_000_000).wrapping_add(time[1])
}

/// Waits until a descriptor can be written.
pub fn wait_writable(fd: i32) {
    wait(fd, 4);
}

/// Waits until a descriptor can be read.
pub fn wait_readable(fd: i32) {
    wait(fd, 1);
}

fn wait(fd: i32, event: u64) {
    let mut poll = [u64::from(fd as u32) | (event << 32)];
    // SAFETY: reads and writes one `pollfd`, eight bytes.
    unsafe { call(7, [(&raw mut poll) as usize, 1, usize::MAX, 0, 0, 0]) };
}

/// Bytes of main memory, if the kernel tells.
pub fn memory_bytes() -> Option<usize> {
    let mut info = [0u64; 16];
    // SAFETY: writes a `sysinfo`, 112 bytes.
    let result = unsafe { call(99, [(&raw mut info) as usize, 0, 0, 0, 0, 0]) };
    let unit = info[13] as u32 as usize;
    if result == 0 { Some(info[4] as usize * unit.max(1)) } else { None }
}

/// Ends the process.
pub fn exit(status: i32) -> ! {
    loop {
        // SAFETY: does not return.
        unsafe { call(231, [status as usize, 0, 0, 0, 0, 0]) };
    }
}

/// What a signal does.
#[repr(C)]
pub struct Action {
    /// The handler's address; 0 for the default, 1 for nothing.
    pub handler: usize,
    /// `SA_…`.
    pub flags: usize,
    /// The code that a handler returns to.
    pub restorer: usize,
    /// Signals held back meanwhile.
    pub mask: u64,
}

/// The default action.
pub const NO_ACTION: Action = Action { handler: 0, flags: 0, restorer: 0, mask: 0 };
/// No action.
pub const IGNORE: usize = 1;
/// A memory access that is not allowed.
pub const SIGSEGV: usize = 11;
/// A memory access that the hardware or a mapped file refuses.
pub const SIGBUS: usize = 7;
/// A write to a pipe without reader.
pub const SIGPIPE: usize = 13;
/// A write beyond the file size limit.
pub const SIGXFSZ: usize = 25;

/// Sets what a signal does.
///
/// # Safety
/// The handler is a signal handler.
pub unsafe fn set_action(signal: usize, action: &Action) {
    unsafe { call(13, [signal, core::ptr::from_ref(action) as usize, 0, 8, 0, 0]) };
}

/// Sets what a signal does; what it did before.
///
/// # Safety
/// The handler is a signal handler.
pub unsafe fn replace_action(signal: usize, action: &Action) -> Action {
    let mut before = NO_ACTION;
    unsafe { call(13, [signal, core::ptr::from_ref(action) as usize, (&raw mut before) as usize, 8, 0, 0]) };
    before
}

/// Lets signals through that whoever started us may have blocked: bit n - 1 for signal n.
pub fn unblock(signals: u64) {
    // SAFETY: the set is read only; no code of ours relies on signals being blocked.
    unsafe { call(14, [1, core::ptr::from_ref(&signals) as usize, 0, 8, 0, 0]) };
}

/// Sets the stack on which handlers run, unless there is one.
///
/// # Safety
/// The memory stays for that.
pub unsafe fn set_signal_stack(at: usize, len: usize) {
    const DISABLED: usize = 2;
    let mut stack = [0usize; 3];
    unsafe { call(131, [0, stack.as_mut_ptr() as usize, 0, 0, 0, 0]) };
    if stack[1] & DISABLED != 0 {
        stack = [at, 0, len];
        unsafe { call(131, [stack.as_ptr() as usize, 0, 0, 0, 0, 0]) };
    }
}
