//! Linear scan: intervals by start, each gets a register that is free, or takes one from an interval that needs it less.
//!
//! *In:* a function in MIR. *Out:* an [`Allocation`]. *Keeps:* the function. *Cost:* n log n in the pieces, for a fixed number of registers.
//! *Source:* Poletto, Sarkar 1999, "Linear Scan Register Allocation"; Wimmer, Mössenböck 2005, "Optimized Interval Splitting in a Linear Scan Register Allocator", for holes, splits and
//! fixed registers. *Leaves:* constants could be made again instead of being reloaded.
//!
//! *Sets.* The papers keep unhandled, active, inactive and handled intervals. Here *unhandled* is a heap by start. The others are one map per
//! physical register, from the starts of the ranges given away to their ends and owners: the owner at the current start is the
//! active one, those with ranges behind it only are inactive, the rest is handled. What intersects first is looked up by position, so that
//! many inactive intervals cost nothing. A piece has at most [`MOST_RANGES`] ranges, so that taking one back is cheap.
//!
//! *A step* takes the unhandled piece with the least start:
//!
//! 1. It starts in the middle of an instruction that does not set it: to memory (see `split`).
//! 2. *Free:* for each register, until where is it free? If for the whole piece: take it, one that saves a copy first. Registers that the callee must
//!    keep are taken for the first time only if the piece's uses outweigh saving them. Else take the one that is free longest, if a use lies
//!    before that; cut there, the rest is unhandled.
//! 3. *Blocked:* compare the next uses of all owners and of the piece itself: in fewer loops is better to be spilled, then the furthest. If it is the
//!    piece, it goes to memory up to its next use that wants a register. Else the owner is cut, its rest goes to memory in the
//!    same way, and the piece takes the register as long as no range of others meets it.
//!
//! What comes later wins nothing back: a range given away behind the current start limits the piece, as fixed ranges do. (Wimmer
//! and Mössenböck split inactive intervals here as well.)
//!
//! ```text
//! parcopy v1 <- rdi         v1: rdi up to the call, rbx would do; it is used once behind it, so: slot0
//! call f                    mov [slot0], rdi; call f
//! add rax, v1               add rax, [slot0]
//! ```

use crate::allocation::Allocation;
use crate::fixed::{Fixed, Range};
use crate::hints::Hints;
use crate::intervals::{Effect, Intervals, Want};
use crate::live::Live;
use crate::numbering::{Numbering, Position};
use crate::registers::Pool;
use crate::resolve;
use crate::split::{Home, Piece, PieceId, Pieces, Why};
use mini_base::ids::IdVec;
use mini_x64::mir::{Mir, Reg, Slot, VReg};
use mini_x64::regs::{CALLEE_SAVED, PReg, PRegSet};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A piece has no more ranges than this.
pub const MOST_RANGES: u32 = 64;
/// Saving and restoring a register costs as much as so many uses of a spilled one.
const SAVING: u64 = 2;

/// The result with its history.
#[derive(Debug)]
pub struct Outcome {
    /// The decisions.
    pub allocation: Allocation,
    /// The pieces of the intervals.
    pub pieces: IdVec<PieceId, Piece>,
    /// The intervals that they are pieces of.
    pub intervals: Intervals,
    /// The slots of spilled registers.
    pub slots: IdVec<VReg, Option<Slot>>,
    /// How many cuts were made.
    pub splits: usize,
    /// Pieces looked at plus ranges looked up.
    pub steps: usize,
}

/// Allocates.
pub fn run(mir: &Mir, numbering: &Numbering, pool: &Pool) -> Outcome {
    let live = Live::new(mir, numbering);
    let intervals = Intervals::new(mir, numbering, &live);
    let mut scan = Scan {
        mir,
        numbering,
        pool,
        fixed: Fixed::new(mir, numbering),
        hints: Hints::new(mir),
        pieces: Pieces::new(mir, numbering, &intervals),
        unhandled: BinaryHeap::new(),
        given: [const { BTreeMap::new() }; 32],
        last: IdVec::filled(None, mir.vregs.len()),
        saved: PRegSet::EMPTY,
        splits: 0,
        steps: 0,
    };
    for piece in scan.pieces.all.ids() {
        scan.unhandled.push(Reverse((scan.pieces.all[piece].from, piece)));
    }
    while let Some(Reverse((_, piece))) = scan.unhandled.pop() {
        scan.step(piece);
    }
    let (allocation, slots) = resolve::connect(mir, numbering, &live, &scan.pieces);
    let Scan { splits, steps, pieces: Pieces { all, .. }, .. } = scan;
    Outcome { allocation, slots, splits, steps: steps + live.steps, pieces: all, intervals }
}

struct Scan<'a> {
    mir: &'a Mir,
    numbering: &'a Numbering,
    pool: &'a Pool,
    fixed: Fixed,
    hints: Hints,
    pieces: Pieces<'a>,
    unhandled: BinaryHeap<Reverse<(Position, PieceId)>>,
    /// For each register the ranges given away: start to end and owner. Disjoint.
    given: [BTreeMap<Position, (Position, PieceId)>; 32],
    /// The register that each virtual one had last.
    last: IdVec<VReg, Option<PReg>>,
    /// Callee-saved registers in use.
    saved: PRegSet,
    splits: usize,
    steps: usize,
}

/// The better it is to spill something, the smaller: loops around the next use, then its distance.
type Need = (u32, Reverse<Position>);

impl Scan<'_> {
    fn step(&mut self, piece: PieceId) {
        self.steps += 1;
        if let Some(at) = self.pieces.too_long(piece, MOST_RANGES) {
            self.cut(piece, at, Why::Long);
        }
        let from = self.pieces.all[piece].from;
        let sets = self.pieces.uses_at(piece, from).any(|u| u.effect == Effect::Sets);
        if from % 2 == 1 && !sets {
            self.spill(piece, from);
            return;
        }
        if !self.take_free(piece) {
            self.take_blocked(piece);
        }
    }

    /// Rule 2: a register that is free for the piece, or at least for its first uses.
    fn take_free(&mut self, piece: PieceId) -> bool {
        let Piece { vreg, from, to, .. } = self.pieces.all[piece];
        let calls = self.first_clobbers(piece);
        let avoided = self.not_worth_saving(piece, &calls);
        let hint = self.hinted(vreg);
        let pool = self.pool;
        // The register that is free longest; among equals a hinted one, then the first in order.
        let mut best: Option<(Position, bool, PReg)> = None;
        for &reg in pool.order(self.mir.vregs[vreg].class) {
            if avoided.contains(reg) {
                continue;
            }
            let until = self.free_until(piece, reg, &calls, None).min(to);
            let key = (until, hint.contains(reg));
            if until > from && best.is_none_or(|(u, h, _)| key > (u, h)) {
                best = Some((until, key.1, reg));
            }
        }
        let Some((until, _, reg)) = best else {
            return false;
        };
        if until < to {
            let Some(at) = self.pieces.before_limit(piece, until) else {
                return false;
            };
            if !self.is_used_before(piece, at) {
                return false;
            }
            self.cut(piece, at, Why::Taken(reg));
        }
        self.give(piece, reg);
        true
    }

    /// Rule 3: the register whose owner needs it least, or none.
    fn take_blocked(&mut self, piece: PieceId) {
        let Piece { vreg, from, to, .. } = self.pieces.all[piece];
        let calls = self.first_clobbers(piece);
        let avoided = self.not_worth_saving(piece, &calls);
        let must = self.pieces.uses_at(piece, from).any(|u| u.want == Want::Register);
        let mut best: Option<(Option<Need>, Position, PReg, Option<PieceId>)> = None;
        let pool = self.pool;
        for &reg in pool.order(self.mir.vregs[vreg].class) {
            let owner = self.owner(reg, from);
            if !must && avoided.contains(reg) || owner.is_some_and(|owner| self.is_bound(owner, from)) {
                continue;
            }
            let until = self.free_until(piece, reg, &calls, owner).min(to);
            let end = if until < to { self.pieces.before_limit(piece, until) } else { Some(to) };
            let Some(end) = end else { continue };
            if !must && !self.is_used_before(piece, end) {
                continue;
            }
            let need = owner.map(|owner| self.need(owner, from));
            if best.is_none_or(|(n, e, _, _)| (need, Reverse(end)) < (n, Reverse(e))) {
                best = Some((need, end, reg, owner));
            }
        }
        if !must {
            let own = self.need(piece, from);
            if best.is_none_or(|(need, ..)| need.is_some_and(|need| own <= need)) {
                self.spill(piece, from);
                return;
            }
        }
        let (_, end, reg, owner) =
            best.expect("an instruction finds registers for its operands; selection asks for few at a time");
        if let Some(owner) = owner {
            self.evict(owner, reg, from, vreg);
        }
        if end < to {
            self.cut(piece, end, Why::Taken(reg));
        }
        self.give(piece, reg);
    }

    /// The callee-saved registers that are not in use yet, if a piece needs one across a call, but not badly.
    fn not_worth_saving(&self, piece: PieceId, calls: &[(PRegSet, Position)]) -> PRegSet {
        let crosses = calls.iter().any(|&(_, at)| at < self.pieces.all[piece].to);
        if crosses && self.weight(piece) <= SAVING { PRegSet(CALLEE_SAVED.0 & !self.saved.0) } else { PRegSet::EMPTY }
    }

    /// Whether a piece has a use that deserves a register before a position.
    fn is_used_before(&self, piece: PieceId, at: Position) -> bool {
        let mut from = self.pieces.all[piece].from;
        while let Some(next) = self.pieces.next_wanting_use(piece, from).filter(|u| u.at < at) {
            if next.want != Want::LoopEnd {
                return true;
            }
            from = next.at + 1;
        }
        false
    }

    /// Whether an owner can't give up its register at a position: it needs it just there.
    fn is_bound(&self, owner: PieceId, at: Position) -> bool {
        self.pieces.uses_at(owner, at).any(|u| u.want == Want::Register || u.effect == Effect::Holds)
    }

    /// How badly a piece needs a register from a position on.
    fn need(&self, piece: PieceId, at: Position) -> Need {
        match self.pieces.next_wanting_use(piece, at) {
            // Uses in deeper loops don't count more: the reload will stand before the loop.
            Some(next) => (next.depth.min(self.numbering.depth_at(at)), Reverse(next.at)),
            None => (0, Reverse(Position::MAX)),
        }
    }

    /// What it would cost to have the uses of a piece in memory.
    fn weight(&self, piece: PieceId) -> u64 {
        let mut weight = 0_u64;
        for u in self.pieces.uses(piece) {
            let counts = matches!(u.want, Want::Register | Want::Rather | Want::Either) && u.effect != Effect::Holds;
            weight += if counts { 8_u64.pow(u.depth.min(6)) } else { 0 };
            if weight > SAVING {
                break;
            }
        }
        weight
    }

    /// Registers that would save a copy.
    fn hinted(&self, vreg: VReg) -> PRegSet {
        let mut set = PRegSet::EMPTY;
        if let Some(reg) = self.last[vreg] {
            return set.with(reg);
        }
        for hint in self.hints.of(vreg) {
            match hint {
                Reg::P(reg) => set = set.with(reg),
                Reg::V(other) => match self.last[other] {
                    Some(reg) => set = set.with(reg),
                    // Where the other one will want to be.
                    None => {
                        for second in self.hints.of(other) {
                            if let Reg::P(reg) = second {
                                set = set.with(reg);
                            }
                        }
                    }
                },
            }
        }
        set
    }

    /// For each set of registers that instructions change on the side, where that first meets a piece.
    fn first_clobbers(&mut self, piece: PieceId) -> Vec<(PRegSet, Position)> {
        let mut result = Vec::new();
        for (set, positions) in &self.fixed.clobbers {
            let next = |at| {
                let next = positions.partition_point(|&p| p < at);
                positions.get(next).map(|&p| Range { from: p, to: p + 1 })
            };
            result.push((*set, first_meeting(self.pieces.ranges(piece), next, &mut self.steps)));
        }
        result
    }

    /// Until where a register is free for a piece, not counting what one owner has.
    fn free_until(
        &mut self,
        piece: PieceId,
        reg: PReg,
        calls: &[(PRegSet, Position)],
        except: Option<PieceId>,
    ) -> Position {
        let mut until = Position::MAX;
        for &(set, at) in calls {
            if set.contains(reg) {
                until = until.min(at);
            }
        }
        let fixed = &self.fixed.ranges[reg.0 as usize];
        let next = |at| fixed.get(fixed.partition_point(|range| range.to <= at)).copied();
        until = until.min(first_meeting(self.pieces.ranges(piece), next, &mut self.steps));
        let given = &self.given[reg.0 as usize];
        let next = |at| {
            let here = given.range(..=at).next_back().filter(|(_, (to, _))| *to > at);
            let mut all = here.into_iter().chain(given.range(at + 1..));
            all.find(|(_, (_, owner))| Some(*owner) != except).map(|(&from, &(to, _))| Range { from, to })
        };
        until.min(first_meeting(self.pieces.ranges(piece), next, &mut self.steps))
    }

    /// Who has a register at a position.
    fn owner(&self, reg: PReg, at: Position) -> Option<PieceId> {
        let (_, &(to, owner)) = self.given[reg.0 as usize].range(..=at).next_back()?;
        (to > at).then_some(owner)
    }

    fn give(&mut self, piece: PieceId, reg: PReg) {
        for range in self.pieces.ranges(piece) {
            self.given[reg.0 as usize].insert(range.from, (range.to, piece));
        }
        let data = &mut self.pieces.all[piece];
        data.home = Home::Reg(reg);
        self.last[data.vreg] = Some(reg);
        if CALLEE_SAVED.contains(reg) {
            self.saved = self.saved.with(reg);
        }
    }

    /// Takes the register from its owner, for another.
    fn evict(&mut self, owner: PieceId, reg: PReg, at: Position, other: VReg) {
        for range in self.pieces.ranges(owner) {
            self.given[reg.0 as usize].remove(&range.from);
        }
        if self.pieces.all[owner].from >= at {
            self.pieces.all[owner].home = Home::Open;
            self.pieces.all[owner].why = Why::Evicted(other);
            self.spill(owner, at);
            return;
        }
        let rest_from = self.pieces.before_eviction(owner, at);
        let rest = self.pieces.cut(owner, rest_from, Why::Evicted(other));
        self.splits += 1;
        for range in self.pieces.ranges(owner) {
            self.given[reg.0 as usize].insert(range.from, (range.to, owner));
        }
        self.spill(rest, at);
    }

    /// Puts a piece to memory, up to its next use behind `after` that should have a register.
    fn spill(&mut self, piece: PieceId, after: Position) {
        let after = after.max(self.pieces.all[piece].from);
        if let Some(next) = self.pieces.next_register_use(piece, after) {
            let at = self.pieces.before_use(piece, next, after);
            self.cut(piece, at, Why::Reload);
        }
        self.pieces.all[piece].home = Home::Memory;
    }

    /// Cuts a piece; the rest is unhandled.
    fn cut(&mut self, piece: PieceId, at: Position, why: Why) {
        self.splits += 1;
        let rest = self.pieces.cut(piece, at, why);
        self.unhandled.push(Reverse((self.pieces.all[rest].from, rest)));
    }
}

/// The first position in `ranges` that is in some obstacle, too. `next` finds the first obstacle that ends behind a position.
fn first_meeting(
    ranges: impl Iterator<Item = Range>,
    next: impl Fn(Position) -> Option<Range>,
    steps: &mut usize,
) -> Position {
    let mut obstacle: Option<Range> = None;
    for range in ranges {
        let found = match obstacle {
            Some(old) if old.to > range.from => old,
            Some(_) | None => {
                *steps += 1;
                match next(range.from) {
                    Some(found) => found,
                    None => return Position::MAX,
                }
            }
        };
        if found.from < range.to {
            return found.from.max(range.from);
        }
        obstacle = Some(found);
    }
    Position::MAX
}
