//! Pieces of live intervals, and where to cut.
//!
//! A piece is a register's interval between two positions. Ranges and uses stay where they are, a piece only knows which are its own; so a
//! cut costs a binary search. Pieces of one register that touch are connected by moves later (`resolve`).
//!
//! *Where.* Moves are made before instructions, so cuts are at even positions, with two exceptions: where an instruction sets the register (then no
//! move is needed); and where a register is lost to the instruction that still reads it: there the value is stored before the
//! instruction, and the piece behind the cut starts in memory. Never between the halves of a use that
//! reads and writes. A cut goes to the start of a loop rather than into it, if no use is passed on the way.
//!
//! *Source:* Wimmer, Mössenböck 2005, section 4 (optimal split positions).

use crate::fixed::Range;
use crate::intervals::{Effect, Intervals, Use, Want};
use crate::numbering::{Numbering, Position};
use mini_base::ids::{Id, IdVec};
use mini_x64::mir::{Mir, VReg};
use mini_x64::regs::PReg;
use std::fmt;

mini_base::define_id! {
    /// A piece of an interval.
    pub struct PieceId, "i";
}

/// Where a piece lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// Not decided.
    Open,
    /// A register.
    Reg(PReg),
    /// The slot of its virtual register.
    Memory,
}

/// Why a piece starts where it does, or why it is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is the start of the interval.
    Start,
    /// The register of the piece before is taken from here on.
    Taken(PReg),
    /// The register of the piece before was needed more for another register.
    Evicted(VReg),
    /// A use follows that wants a register.
    Reload,
    /// The interval has very many ranges.
    Long,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Start => f.write_str("start"),
            Why::Taken(reg) => write!(f, "{reg} taken"),
            Why::Evicted(vreg) => write!(f, "evicted for {vreg}"),
            Why::Reload => f.write_str("reload"),
            Why::Long => f.write_str("very long"),
        }
    }
}

/// A piece of an interval.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Of which register.
    pub vreg: VReg,
    /// The first position.
    pub from: Position,
    /// Behind the last position.
    pub to: Position,
    /// Where it lives.
    pub home: Home,
    /// Why it was cut off.
    pub why: Why,
    ranges: (u32, u32),
    uses: (u32, u32),
}

/// All pieces.
#[derive(Debug)]
pub struct Pieces<'a> {
    /// The pieces; those of one register in no particular order.
    pub all: IdVec<PieceId, Piece>,
    intervals: &'a Intervals,
    numbering: &'a Numbering,
}

impl<'a> Pieces<'a> {
    /// One piece for each interval that is not empty.
    pub fn new(mir: &Mir, numbering: &'a Numbering, intervals: &'a Intervals) -> Pieces<'a> {
        let mut all = IdVec::new();
        for vreg in mir.vregs.ids() {
            let ranges = intervals.ranges_of(vreg);
            if ranges.0 < ranges.1 {
                let from = intervals.ranges[ranges.0 as usize].from;
                let to = intervals.ranges[ranges.1 as usize - 1].to;
                all.push(Piece {
                    vreg,
                    from,
                    to,
                    home: Home::Open,
                    why: Why::Start,
                    ranges,
                    uses: intervals.uses_of(vreg),
                });
            }
        }
        Pieces { all, intervals, numbering }
    }

    /// The pieces of intervals that were cut before.
    pub fn again(all: IdVec<PieceId, Piece>, intervals: &'a Intervals, numbering: &'a Numbering) -> Pieces<'a> {
        Pieces { all, intervals, numbering }
    }

    /// The ranges of a piece, the first and the last cut to it.
    pub fn ranges(&self, piece: PieceId) -> impl Iterator<Item = Range> + use<'a> {
        let piece = self.all[piece];
        let all = &self.intervals.ranges[piece.ranges.0 as usize..piece.ranges.1 as usize];
        all.iter().map(move |range| Range { from: range.from.max(piece.from), to: range.to.min(piece.to) })
    }

    /// The uses of a piece.
    pub fn uses(&self, piece: PieceId) -> &'a [Use] {
        let (first, end) = self.all[piece].uses;
        &self.intervals.uses[first as usize..end as usize]
    }

    /// The uses of a piece at or behind a position.
    pub fn uses_from(&self, piece: PieceId, at: Position) -> &'a [Use] {
        let uses = self.uses(piece);
        &uses[uses.partition_point(|u| u.at < at)..]
    }

    /// The uses of a piece just at a position.
    pub fn uses_at(&self, piece: PieceId, at: Position) -> impl Iterator<Item = &'a Use> {
        self.uses_from(piece, at).iter().take_while(move |u| u.at == at)
    }

    /// The position behind the last use before `at`; behind the piece's start at least.
    fn behind_last_use(&self, piece: PieceId, at: Position) -> Position {
        let uses = self.uses(piece);
        let before = &uses[..uses.partition_point(|u| u.at < at)];
        let last = before.iter().rev().find(|u| u.want != Want::LoopEnd).map_or(0, |u| u.at);
        last.max(self.all[piece].from) + 1
    }

    /// Cuts a piece in two; the new piece is the one behind `at`.
    pub fn cut(&mut self, piece: PieceId, at: Position, why: Why) -> PieceId {
        let old = self.all[piece];
        assert!(old.from < at && at < old.to, "a cut is inside");
        let ranges = &self.intervals.ranges[old.ranges.0 as usize..old.ranges.1 as usize];
        let uses = self.uses(piece);
        let next = old.ranges.0 + ranges.partition_point(|range| range.to <= at) as u32;
        let next_use = old.uses.0 + uses.partition_point(|u| u.at < at) as u32;
        let range = self.intervals.ranges[next as usize];
        let inside = range.from < at;
        let new = Piece {
            from: range.from.max(at),
            home: Home::Open,
            why,
            ranges: (next, old.ranges.1),
            uses: (next_use, old.uses.1),
            ..old
        };
        let kept = &mut self.all[piece];
        kept.uses.1 = next_use;
        kept.ranges.1 = if inside { next + 1 } else { next };
        kept.to = if inside { at } else { self.intervals.ranges[next as usize - 1].to };
        self.all.push(new)
    }

    /// If a piece has more than `most` ranges, the start of the one behind.
    pub fn too_long(&self, piece: PieceId, most: u32) -> Option<Position> {
        let (first, end) = self.all[piece].ranges;
        (end - first > most).then(|| self.intervals.ranges[(first + most) as usize].from)
    }

    /// Where to cut a piece whose register is lost at `limit`; none if it can't have the register at all.
    pub fn before_limit(&self, piece: PieceId, limit: Position) -> Option<Position> {
        let latest = self.latest(piece, limit);
        let from = self.all[piece].from;
        if latest <= from {
            return None;
        }
        if latest % 2 == 1 {
            return Some(latest);
        }
        Some(self.numbering.outside_loops(self.behind_last_use(piece, latest), latest))
    }

    /// The latest position at which a piece can leave its register, if that is lost at `limit`.
    fn latest(&self, piece: PieceId, limit: Position) -> Position {
        if limit.is_multiple_of(2) {
            return limit;
        }
        // The instruction at `limit` takes the register with its write.
        if self.uses_at(piece, limit).any(|u| u.effect == Effect::Holds) {
            return limit - 1;
        }
        let set = self.uses_at(piece, limit).any(|u| u.effect == Effect::Sets);
        let read = self.uses_at(piece, limit - 1).any(|u| u.want == Want::Register);
        if set || read { limit } else { limit - 1 }
    }

    /// Where to cut a piece whose register is given away at `at`, where the piece has no use that wants a register.
    pub fn before_eviction(&self, piece: PieceId, at: Position) -> Position {
        let low = self.behind_last_use(piece, at);
        let even = at & !1;
        if low <= even { self.numbering.outside_loops(low, even) } else { at }
    }

    /// The first use behind `after` for which the value should be in a register.
    pub fn next_register_use(&self, piece: PieceId, after: Position) -> Option<&'a Use> {
        self.intervals.worthy(self.number_from(piece, after + 1), self.all[piece].uses.1)
    }

    /// The first use at or behind `at` that is more than a copy.
    pub fn next_wanting_use(&self, piece: PieceId, at: Position) -> Option<&'a Use> {
        self.intervals.wanting(self.number_from(piece, at), self.all[piece].uses.1)
    }

    /// The number of the first use at or behind a position.
    fn number_from(&self, piece: PieceId, at: Position) -> u32 {
        self.all[piece].uses.0 + self.uses(piece).partition_point(|u| u.at < at) as u32
    }

    /// Where to cut a piece in memory so that it is in a register for a use; behind `after`.
    pub fn before_use(&self, piece: PieceId, wanted: &Use, after: Position) -> Position {
        match wanted.effect {
            Effect::Sets => wanted.at,
            Effect::Reads | Effect::Holds => {
                let low = self.behind_last_use(piece, wanted.at).max(after + 1);
                self.numbering.outside_loops(low, wanted.at)
            }
        }
    }

    /// The pieces of each register, in ascending order.
    pub fn by_vreg(&self, vregs: usize) -> Vec<Vec<PieceId>> {
        let mut of = vec![Vec::new(); vregs];
        for piece in self.all.ids() {
            of[self.all[piece].vreg.index()].push(piece);
        }
        for pieces in &mut of {
            pieces.sort_unstable_by_key(|&piece| self.all[piece].from);
        }
        of
    }
}
