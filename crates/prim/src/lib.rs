//! What the language computes on numbers and text, as pure functions over caller-owned buffers and byte slices.
//!
//! The constant folder, the interpreter and the run-time library all call these functions, so that they cannot
//! disagree about a digit or a rounding. `no_std`, no allocation, no `unsafe`. The rules are docs/language.md, sections
//! 5 and 6. Read `text` and `parse` first; they are each other's inverse.

#![no_std]

#[cfg(test)]
extern crate std;

pub mod classes; // the size classes of the heap, shared by the collector and the inline allocation path
pub mod hash; // the built-in `hash`
pub mod int; // division and shifts
pub mod math; // floats: libm's functions, rounding, conversion, bit patterns
pub mod object; // the layout of heap objects, shared by compiler and run-time library
pub mod parse; // text to int and float
pub mod strings; // searching, trimming, splitting
pub mod tables; // what the run-time library reads of a program: functions, call sites, files
pub mod text; // int and float to text, quoting
