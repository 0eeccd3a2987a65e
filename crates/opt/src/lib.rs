//! Optimisation: passes from SSA to SSA, each in a file of its own. None relies on another having run; what each leaves
//! to others its head says. Unreachable blocks go first in all of them, so that dominance holds everywhere.

pub mod copy_propagation; // copies go, their uses use the source
pub mod rules; // the table of algebraic identities
pub mod simplify; // constants folded, the rules applied, branches on constants
pub mod value_numbering; // an expression that was computed before is not computed again
pub mod dead_code; // what nothing needed uses goes

#[cfg(test)]
mod test_bed; // running functions in the interpreter
#[cfg(test)]
mod tests; // the passes together, on random functions; the examples of the head comments
