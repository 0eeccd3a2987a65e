//! The entry: plans an allocation, has it judged, carries it out.

use crate::allocation::{Allocation, Loc};
use crate::checker;
use crate::numbering::Numbering;
use crate::registers::{Pool, Supply};
use crate::rewrite::rewrite;
use crate::{linear_scan, spill_everything};
use mini_x64::mir::Mir;

/// Which allocator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Allocator {
    /// `linear_scan`
    #[default]
    LinearScan,
    /// `spill_everything`
    SpillEverything,
}

/// Whether the checker judges the allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verify {
    /// It does.
    Yes,
    /// It doesn't.
    No,
}

/// How to allocate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Which allocator.
    pub allocator: Allocator,
    /// Whether to check; by default in debug builds.
    pub verify: Verify,
    /// How many registers there are.
    pub supply: Supply,
}

impl Default for Options {
    fn default() -> Options {
        let verify = if cfg!(debug_assertions) { Verify::Yes } else { Verify::No };
        Options { allocator: Allocator::default(), verify, supply: Supply::default() }
    }
}

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Pieces of intervals that an allocator decided about.
    pub intervals: usize,
    /// How often an interval was split.
    pub splits: usize,
    /// Stores to slots that were inserted.
    pub spills: usize,
    /// Loads from slots that were inserted.
    pub reloads: usize,
    /// Moves between registers that were inserted, parallel copies included.
    pub moves: usize,
    /// Slots of the function.
    pub slots: usize,
    /// Operands that became memory operands or parts of copies from and to memory.
    pub in_memory: usize,
    /// Blocks made for critical edges.
    pub blocks: usize,
    /// Steps that the allocator took, for tests of growth.
    pub steps: usize,
}

/// Replaces all virtual registers by physical ones and slots.
///
/// Panics if the checker finds fault: that is a bug of the allocator.
pub fn allocate(mir: &mut Mir, options: Options) -> Stats {
    let numbering = Numbering::new(mir);
    let pool = Pool::new(options.supply);
    let mut stats = Stats::default();
    let allocation = match options.allocator {
        Allocator::LinearScan => {
            let outcome = linear_scan::run(mir, &numbering, &pool);
            stats.intervals = outcome.pieces.len();
            stats.splits = outcome.splits;
            stats.steps = outcome.steps;
            outcome.allocation
        }
        Allocator::SpillEverything => {
            stats.intervals = mir.vregs.len();
            spill_everything::plan(mir, &numbering, &pool)
        }
    };
    if options.verify == Verify::Yes {
        judge(mir, &numbering, &allocation);
    }
    stats.in_memory = allocation.operands.iter().filter(|loc| matches!(loc, Loc::Slot(_))).count();
    stats.slots = (allocation.slots - mir.slots) as usize;
    let written = rewrite(mir, &numbering, &allocation);
    stats.spills = written.stores;
    stats.reloads = written.loads;
    stats.moves = written.moves;
    stats.blocks = written.blocks;
    stats
}

/// The decisions only; the function stays as it is.
pub fn plan(mir: &Mir, options: Options) -> Allocation {
    let numbering = Numbering::new(mir);
    let pool = Pool::new(options.supply);
    match options.allocator {
        Allocator::LinearScan => linear_scan::run(mir, &numbering, &pool).allocation,
        Allocator::SpillEverything => spill_everything::plan(mir, &numbering, &pool),
    }
}

fn judge(mir: &Mir, numbering: &Numbering, allocation: &Allocation) {
    if let Err(errors) = checker::check(mir, numbering, allocation) {
        let first: Vec<String> = errors.iter().take(5).map(ToString::to_string).collect();
        panic!("register allocation of `{}`: {} errors\n{}", mir.name, errors.len(), first.join("\n"));
    }
}
