//! The compiler as a library: sessions, the pipeline, its printers. Start with `pipeline.rs`.

pub mod pipeline; // READ FIRST: the whole compiler on one screen
pub mod session; // one compilation: options, files, names, diagnostics
mod modules; // loading a program's modules
pub mod library; // the standard library's sources
pub mod options; // what can be chosen
pub mod analyses; // the analyses that `emit` prints
pub mod emit; // every stage as text
pub mod header; // what C programs include
pub mod interpret; // running by interpreters
pub mod checks; // between the steps: verification, --print-after
pub mod passes; // running passes: the pipeline's, and lists of them
mod textual; // reading textual IR, with diagnostics
mod start; // what executables of textual IR start with
mod parallel; // all functions of a module, by several threads
mod times; // a step's work: guarded and timed
pub mod failure; // how a compilation can end without its result
pub mod bug; // the compiler's own faults, caught and told
pub mod stack; // a large stack for the compiler
