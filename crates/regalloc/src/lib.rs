//! Register allocation: virtual registers become physical registers and spill slots. An allocator leaves an `allocation::Allocation`;
//! the checker judges it against the function; rewriting carries it out.

pub mod allocate; // the entry: `allocate`, options, figures
mod allocation; // the result as data
mod numbering; // positions, predecessors
pub mod registers; // the registers to be had
mod fixed; // where physical registers are taken
mod live; // which virtual registers are live where
mod spill_everything; // the simple allocator: everything in memory
mod intervals; // live intervals with holes, uses
mod split; // pieces of intervals, and where to cut
mod hints; // registers that would save copies
mod linear_scan; // the good allocator
mod spill_slots; // slots shared by what is never alive together
mod resolve; // from pieces to an allocation; moves on edges
mod rewrite; // carries an allocation out
mod checker; // judges an allocation
pub mod print; // intervals as a table

#[cfg(test)]
mod execute; // runs MIR
#[cfg(test)]
mod growth; // large functions
#[cfg(test)]
mod sample; // random functions
#[cfg(test)]
mod tests; // random functions through both allocators
#[cfg(test)]
mod mutants; // random changes: noticed by the verifier, or harmless to what follows
