//! Runs modules of any phase, as the language reference says.
//!
//! `machine::run` is the entry. A module is first decoded into one flat array of instructions over numbered slots; a
//! loop over that array keeps its frames and its objects on the heap, so that recursion in the program is no recursion here.

pub mod host; // what a run needs from outside: streams, files, arguments, the clock
pub mod outcome; // how a run ended, and what it counted
pub mod machine; // `run`: options, the loop over instructions, frames
mod code; // decoded instructions
mod decode; // functions to decoded instructions
mod cells; // stack slots and their addresses
mod heap; // objects and their collection
mod builtins; // the functions of the run-time library
mod output; // buffered standard streams
