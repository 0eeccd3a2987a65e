//! From source text to the syntax tree.

pub mod ast; // the syntax tree
