//! The file-test runner: one test a file, kinds by folder (see CONTRIBUTING.md), `BLESS=1` rewrites expected text.
//!
//! `tests/files.rs` makes the list of tests; the rest is here.

pub mod case; // a program with its side files
pub mod process; // running a process with limits
pub mod judge; // comparing what a run gave with what the side files want
pub mod program; // whole programs, in every mode
pub mod refused; // programs that must be rejected
pub mod golden; // expected text, BLESS=1
pub mod stages; // printed stages
pub mod annotations; // analyses: what label lines say of their blocks
pub mod textual; // textual IR: round trips
pub mod pass_test; // passes on textual IR
pub mod well_formed; // what a function must be like, by definition
pub mod mutants; // random changes of functions: noticed, or harmless
