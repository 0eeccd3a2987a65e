//! From the syntax tree to the typed tree: names, types, inference, narrowing, definite assignment, all rules.

pub mod typed; // the typed tree, the result
pub mod types; // interned types
