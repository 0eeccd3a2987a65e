//! From the typed tree to three-address code: evaluation order made explicit, implicit checks written out, loops and
//! conditions turned into blocks and jumps.
//!
//! A Mini value becomes one IR value; an optional of a scalar becomes two, its payload and a flag; unit becomes none.

mod c_interface; // calls of C functions, and what C calls
pub mod program; // START HERE: the module: functions, globals, closures, start
mod repr; // how types are represented, layouts
mod body; // the state while one body is lowered: current block, variables, marks
mod expr; // expressions, conversions
mod operators; // chains, short-circuit, comparisons
mod control; // conditions, blocks, if, match, while, for
mod range; // for over ints
mod place; // statements: let, assignments
mod decision; // which tests tell the arms of a match apart: decision trees
mod matching; // patterns as decision trees, and these as blocks
mod switch; // jumps by numbers, intervals and strings
mod pattern; // one pattern, tested from left to right
mod builtins; // calls of built-in functions
mod text; // print and string(x)
