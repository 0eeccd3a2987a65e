//! (being written)
use crate::allocation::Allocation;
use crate::layout::Layout;
use crate::registers::Pool;
use mini_x64::mir::Mir;
/// Outcome.
pub struct Outcome {
    /// .
    pub allocation: Allocation,
    /// .
    pub pieces: Vec<u32>,
    /// .
    pub splits: usize,
    /// .
    pub steps: usize,
}
/// Run.
pub fn run(mir: &Mir, layout: &Layout, pool: &Pool) -> Outcome {
    Outcome {
        allocation: crate::spill_everything::plan(mir, layout, pool),
        pieces: Vec::new(),
        splits: 0,
        steps: 0,
    }
}
