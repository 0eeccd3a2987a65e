//! What every other crate stands on: dense typed ids, bit sets, interned names, spans and source files.

pub mod bitset; // sets of dense ids
pub mod ids; // `define_id!`, `IdVec`
pub mod listed; // `listed_enum!`: enums that list their variants
pub mod lists; // many lists in one array
pub mod names; // interned identifiers
pub mod near; // near matches of names
pub mod sequentialize; // parallel copies as sequences of moves
pub mod source; // source files, spans, lines and columns
pub mod union_find; // disjoint sets

#[cfg(any(test, feature = "testing"))]
pub mod testing; // random numbers for tests
