//! Statics of a process with one thread.

use core::cell::UnsafeCell;

/// A static that may be changed. A compiled program has one thread, and no function of the library is entered while another
/// runs, except by the signal handler, which never returns to it.
#[repr(transparent)]
pub struct Global<T>(UnsafeCell<T>);

// SAFETY: there is one thread.
unsafe impl<T> Sync for Global<T> {}

impl<T> Global<T> {
    /// A static with this first value.
    pub const fn new(value: T) -> Global<T> {
        Global(UnsafeCell::new(value))
    }

    /// Where it is.
    pub const fn get(&self) -> *mut T {
        self.0.get()
    }
}

/// The stack pointer at the latest call from the program: there lies the return address into the program's code.
pub static LAST_SP: Global<usize> = Global::new(0);

/// What the environment and the kernel said at the start.
pub struct Process {
    /// The highest address of the program's stack; the collector scans up to it.
    pub stack_top: usize,
    /// The lowest address of the guard region below the stack.
    pub guard_start: usize,
    /// The byte behind the guard region.
    pub guard_end: usize,
    /// Number of command line words.
    pub argc: usize,
    /// The command line's words.
    pub argv: *const *const u8,
}

/// The process.
pub static PROCESS: Global<Process> =
    Global::new(Process { stack_top: 0, guard_start: 0, guard_end: 0, argc: 0, argv: core::ptr::null() });
