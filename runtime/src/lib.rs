//! The run-time library of compiled Mini programs: start-up, memory, text, input and output, run-time errors.
//!
//! No standard library and no C library: the kernel is called directly (x86-64 Linux). What can be computed purely is in
//! `mini-prim`; here is what touches the process. One thread; all state is in statics. Programs call the functions listed in
//! `exports`; read that first, then `entry` for how a process begins.
//!
//! It is built twice: as the image that executables carry (feature `image`), and as an object file to be linked into C
//! programs (feature `library`), where the C library does what `host` says.

#![no_std]
#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]
// Without the image or the library there is nothing to use the rest.
#![cfg_attr(not(any(feature = "image", feature = "library")), allow(dead_code))]

pub mod exports; // the functions that programs call, by symbol
mod object; // layout of heap objects and type descriptors
mod state; // statics of a process with one thread

pub mod entry; // from the kernel, or C's start-up code, to the program: stack, signals, arguments
mod host; // what surrounds the program: the kernel alone, or the C library
#[cfg(feature = "library")]
mod interface; // calls between Mini and C
mod program; // what the linker says about the program
mod signal; // stack overflow, caught on the guard region
pub mod trap; // run-time errors: message, position, call stack

mod heap; // the garbage collector

mod io; // buffered stdout and stdin, files
mod strings; // the functions on strings and arrays
mod texts; // texts being built; printing

mod buffer; // growable memory beside the heap
#[cfg(feature = "library")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    trap::internal(b"the run-time library panicked")
}

#[cfg(feature = "image")]
pub mod memory; // memcpy and its kin
mod sys; // system calls
