//! The run-time library of compiled Mini programs: start-up, memory, text, input and output, run-time errors.
//!
//! No standard library and no C library: the kernel is called directly (x86-64 Linux). What can be computed purely is in
//! `mini-prim`; here is what touches the process. One thread; all state is in statics. Programs call the functions listed in
//! `exports`; read that first, then `entry` for how a process begins.

#![no_std]
#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

pub mod exports; // the functions that programs call, by symbol
pub mod object; // layout of heap objects and type descriptors
pub mod state; // statics of a process with one thread

#[cfg(feature = "image")]
pub mod entry; // from the kernel to the program: stack, signals, arguments
pub mod program; // what the linker says about the program
pub mod signal; // stack overflow, caught on the guard region
pub mod trap; // run-time errors: message, position, call stack

pub mod heap; // the garbage collector

pub mod io; // buffered stdout and stdin, files
pub mod strings; // the functions on strings and arrays
pub mod texts; // texts being built; printing

pub mod buffer; // growable memory beside the heap
#[cfg(feature = "image")]
pub mod memory; // memcpy and its kin
pub mod sys; // system calls
