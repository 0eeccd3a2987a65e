//! Analyses: what is true of a function. Each computes its result from scratch and changes nothing; a result is valid until
//! the function changes in what the analysis looked at (blocks and edges; for liveness also operands).

pub mod orders; // postorder, reverse postorder, reachability
pub mod dominator_tree; // the dominator tree and its questions
pub mod dominators_chk; // dominators by iteration (Cooper, Harvey, Kennedy)
pub mod dominators_semi_nca; // dominators by semidominators (the default)
pub mod frontier; // dominance frontiers (the runner's walk)
pub mod occurrences; // definitions and upward-exposed uses
pub mod live_blocks; // where one variable is live
pub mod liveness; // what is live at the borders of every block
pub mod iterated_frontier; // where one variable needs phis
pub mod loops; // natural loops and irreducible regions
pub mod print; // analyses as tables

#[cfg(any(test, feature = "testing"))]
pub mod sample_graphs; // functions with a given control flow, for tests

#[cfg(test)]
mod examples; // the examples of the head comments are true
