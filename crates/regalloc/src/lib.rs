//! Register allocation: virtual registers become physical registers and spill slots. An allocator leaves an [`allocation::Allocation`];
//! the checker judges it against the function; rewriting carries it out.

pub mod allocate; // the entry: `allocate`, options, figures
pub mod allocation; // the result as data
pub mod layout; // positions, predecessors
pub mod registers; // the registers to be had
pub mod fixed; // where physical registers are taken
pub mod live; // which virtual registers are live where
pub mod spill_everything; // the simple allocator: everything in memory
pub mod intervals; // live intervals with holes, uses
pub mod split; // pieces of intervals, and where to cut
pub mod hints; // registers that would save copies
pub mod linear_scan; // the good allocator
pub mod spill_slots; // slots shared by what is never alive together
pub mod resolve; // from pieces to an allocation; moves on edges
pub mod rewrite; // carries an allocation out
pub mod checker; // judges an allocation
pub mod print; // intervals as a table

#[cfg(test)]
mod execute; // runs MIR
#[cfg(test)]
mod growth; // large functions
#[cfg(test)]
mod sample; // random functions
#[cfg(test)]
mod tests; // random functions through both allocators
