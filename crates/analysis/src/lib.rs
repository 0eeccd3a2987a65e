//! Analyses: what is true of a function. Each computes its result from scratch and changes nothing; a result is valid until
//! the function changes in what the analysis looked at (blocks and edges; for liveness also operands).

pub mod orders; // postorder, reverse postorder, reachability
pub mod dominator_tree; // the dominator tree and its questions
pub mod tree_walk; // entering and leaving its blocks, one after the other
pub mod dominators_iterative; // dominators as sets, by iteration
pub mod dominators_chk; // dominators by iteration on the tree (Cooper, Harvey, Kennedy)
pub mod link_eval; // the forest that finds semidominators
pub mod dominators_lengauer_tarjan; // dominators by semidominators and buckets
pub mod dominators_semi_nca; // dominators by semidominators and common ancestors (the default)
pub mod postdominators; // dominators of the reversed graph
pub mod frontier; // dominance frontiers (the runner's walk)
pub mod frontier_dj; // dominance frontiers by the DJ graph
pub mod occurrences; // definitions and upward-exposed uses
pub mod live_blocks; // where one variable is live
pub mod liveness; // what is live at the borders of every block
pub mod liveness_iterative; // the same as sets, by iteration
pub mod interference; // which SSA values are live at one place, by dominance and liveness
pub mod iterated_frontier; // where one variable needs phis
pub mod iterated_frontier_worklist; // the same by a worklist over stored frontiers
pub mod placement; // where all variables need phis
pub mod loops; // natural loops and irreducible regions
pub mod print; // analyses as tables

#[cfg(any(test, feature = "testing"))]
pub mod sample_graphs; // functions with a given control flow, for tests

#[cfg(test)]
mod agreement; // all algorithms against each other and the definitions
#[cfg(test)]
mod examples; // the examples of the head comments are true
