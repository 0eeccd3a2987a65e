//! Into SSA and out of it. In: TAC becomes SSA. Out: SSA becomes conventional SSA, whose phi webs each fit in one place,
//! and the moves of its parallel copies are put in order by `mini_base::sequentialize`.

pub mod remove_unreachable; // removes blocks that control can't reach
pub mod cytron; // construction: iterated dominance frontiers and renaming (Cytron et al.), pruned
pub mod split_critical_edges; // makes places for code on edges
pub mod cssa_copies; // destruction 1: SSA to conventional SSA by parallel copies
pub mod phi_webs; // destruction 2: the values that become one place

#[cfg(test)]
mod test_bed; // a small machine and checks by definition
#[cfg(test)]
mod tests; // construction and destruction together
