//! From the typed tree to three-address code: evaluation order made explicit, implicit checks written out, loops and
//! conditions turned into blocks and jumps.
//!
//! A Mini value becomes one IR value; an optional of a scalar becomes two, its payload and a flag; unit becomes none.

mod body; // the state while one body is lowered: current block, variables, marks
mod builtins; // calls of built-in functions
mod control; // conditions, blocks, if, match, while, for
mod expr; // expressions
mod operators; // chains, comparisons, conversions
mod pattern; // patterns
mod place; // let, assignments
pub mod program; // START HERE: the module: functions, globals, start
mod range; // for over ints
mod repr; // how types are represented, layouts
mod text; // print and string(x)
