//! Into SSA and out of it. In: TAC becomes SSA. Out: SSA becomes conventional SSA, whose phi webs each fit in one place,
//! and the moves of its parallel copies are put in order by `mini_base::sequentialize`.

pub mod remove_unreachable; // removes blocks that control can't reach
pub mod cytron; // construction with dominators (Cytron et al.): what the next files share
pub mod minimal; // a phi wherever assignments meet
pub mod semi_pruned; // only for variables that live across a block boundary
pub mod pruned; // only where the variable is live
pub mod rename_block; // renaming one block: what the renamings have in common
pub mod rename_stacks; // renaming over the dominator tree
pub mod reaching_def; // pruned, with renaming by chains of reaching definitions
pub mod braun; // construction without dominators (Braun et al.): phis made when they are read
pub mod trivial_phis; // Braun's phis: one whose operands are one value is replaced by that value
pub mod redundant_phis; // sets of phis that only together can be replaced by one value
pub mod variables_to_slots; // construction in two steps, 1: every variable becomes a stack slot
pub mod mem2reg; // 2: slots whose address doesn't escape become values
pub mod new_entry; // an entry that no edge leads to
pub mod undefs; // ⊥, what was never assigned
pub mod split_critical_edges; // makes places for code on edges
pub mod cssa_copies; // destruction 1: SSA to conventional SSA by parallel copies
pub mod coalesce; // destruction 2: copies whose sides can share a place go (Boissinot et al.)
pub mod phi_webs; // destruction 3: the values that become one place
pub mod webs_to_variables; // destruction 4: those places as variables, parallel copies in sequence: TAC again
pub mod naive_copies; // destruction as one first thinks of it, wrong on purpose: the lost copy, the swap
pub mod variable_names; // names for what values become

#[cfg(any(test, feature = "testing"))]
pub mod chaitin; // coalescing by an interference graph (Chaitin et al.), to count against

#[cfg(test)]
mod test_bed; // a small machine and checks by definition
#[cfg(test)]
mod construction_tests; // the constructions held against each other and against the definitions
#[cfg(test)]
mod naive_tests; // the naive way out of SSA is wrong where the literature says so
#[cfg(test)]
mod coalesce_tests; // interference by definition; coalescing against a published one
#[cfg(test)]
mod tests; // construction and destruction together
#[cfg(test)]
mod placement_tests; // what is printed of the placement of phis is true
