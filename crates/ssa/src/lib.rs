//! Into SSA and out of it. In: TAC becomes SSA. Out: SSA becomes conventional SSA, whose phi webs each fit in one place,
//! and the moves of its parallel copies are put in order by `mini_base::sequentialize`.

pub mod remove_unreachable; // removes blocks that control can't reach
pub mod cytron; // construction with dominators (Cytron et al.): what the next files share
pub mod minimal; // a phi wherever assignments meet
pub mod semi_pruned; // only for variables that live across a block boundary
pub mod pruned; // only where the variable is live
pub mod rename_stacks; // renaming over the dominator tree
pub mod reaching_def; // pruned, with renaming by chains of reaching definitions
pub mod braun; // construction without dominators (Braun et al.): phis made when they are read
pub mod trivial_phis; // its phis, and which of them one value can replace
pub mod redundant_phis; // and which only together
pub mod variables_to_slots; // construction in two steps: every variable into a stack slot,
pub mod mem2reg; // and those slots whose address doesn't escape into values
pub mod new_entry; // an entry that no edge leads to
pub mod undefs; // ⊥, what was never assigned
pub mod split_critical_edges; // makes places for code on edges
pub mod cssa_copies; // destruction 1: SSA to conventional SSA by parallel copies
pub mod phi_webs; // destruction 2: the values that become one place
pub mod webs_to_variables; // destruction 3: those places as variables, parallel copies in sequence: TAC again

#[cfg(test)]
mod test_bed; // a small machine and checks by definition
#[cfg(test)]
mod construction_tests; // the constructions held against each other and against the definitions
#[cfg(test)]
mod tests; // construction and destruction together
