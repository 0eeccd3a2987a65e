//! What every other crate stands on: dense typed ids, bit sets, interned names, spans and source files.

pub mod bitset; // sets of dense ids
pub mod ids; // `define_id!`, `IdVec`
pub mod names; // interned identifiers
pub mod near; // near matches of names
pub mod source; // source files, spans, lines and columns
