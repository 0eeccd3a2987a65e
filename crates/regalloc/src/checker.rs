//! The judge: whether an allocation keeps what the function means, on all paths.
//!
//! *In:* a function in MIR and an [`Allocation`]. *Out:* nothing, or the errors, each with block, instruction and operand. *Cost:* the instructions, plus
//! for each block the places that hold something live there, times the rounds of a data flow analysis (in practice few). *Source:* the idea of a symbolic checker
//! with sets of names per place is regalloc2's (Fallin 2021); written from the idea. *Leaves:* the sequencing of parallel moves, which
//! `rewrite` does and its tests execute; whether undefined values agree.
//!
//! *Values.* A value is named by the register of the original function that holds it: a virtual one `v`, or a physical one `p`, since the
//! original uses those too. A *fact* `(l, x)` says: place `l` (register or slot) holds what the original function has in `x` now.
//!
//! *Lattice.* The state before a point is a set of facts `S`; ⊤, the set of all facts, stands for "not reached yet"; the empty set
//! for "nothing known". Paths meet in the intersection. The analysis finds the greatest solution.
//!
//! *Transfer.* With `S − l` for the facts of other places than `l`, `S ∖ x` for those of other values than `x`:
//!
//! ```text
//! moves l₁ ← m₁, …, lₙ ← mₙ     S' = (S − l₁ − … − lₙ) ∪ { (lᵢ, x) | (mᵢ, x) ∈ S }
//! instruction i:
//!   use or mod of x at l         error unless (l, x) ∈ S
//!   changes register p aside     S' = S − p
//!   def or mod of x at l         S' = ((S − l) ∖ x) ∪ { (l, x) }; all definitions of i at once
//! entry                          S = { (p, p) | p a physical register } ∪ { (l, v) | the allocation puts the undefined v at l }
//! edge a → b                     the edge's moves, then facts about virtual registers live into b only
//! ```
//!
//! Dropping facts is always safe, so a mistake in liveness could only make the checker too strict. A value in place of `v` on entry is
//! right whatever it is, since nothing has set `v` yet.
//!
//! *Rules beside the facts.* A place is of the register's class, not reserved, and a slot only where the operand may be memory, one
//! written operand in memory at most. Two definitions of an instruction are in two places. An early definition shares no place with what the instruction reads.
//!
//! ```text
//! b1: 3: add v2, v1      v1 at rcx, but rcx holds nothing known: error
//! ```

use crate::allocation::{Access, Allocation, Loc, Side, for_each_access};
use crate::live::Live;
use crate::numbering::Numbering;
use mini_base::ids::{Id, IdVec};
use mini_x64::mir::{MBlock, MInst, Mir, Reg, Role, VReg};
use mini_x64::op::{MOp, RESERVED};
use mini_x64::regs::PReg;
use smallvec::SmallVec;
use std::fmt;

/// What is wrong with an allocation.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The block.
    pub block: String,
    /// The instruction's number in the block; none for the shape of the whole.
    pub inst: Option<u32>,
    /// The register mentioned, and where the allocation has it.
    pub operand: Option<(Reg, Loc)>,
    /// In words.
    pub what: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.block)?;
        if let Some(inst) = self.inst {
            write!(f, ": instruction {inst}")?;
        }
        match self.operand {
            Some((Reg::V(vreg), loc)) => write!(f, ": {vreg} at {loc}")?,
            Some((Reg::P(preg), _)) => write!(f, ": {preg}")?,
            None => {}
        }
        write!(f, ": {}", self.what)
    }
}

/// Judges an allocation. `mir` is the function before rewriting.
pub fn check(mir: &Mir, numbering: &Numbering, allocation: &Allocation) -> Result<(), Vec<Error>> {
    let errors = shape(mir, numbering, allocation);
    if !errors.is_empty() {
        return Err(errors);
    }
    let live = Live::new(mir, numbering);
    let mut checker = Checker {
        mir,
        numbering,
        allocation,
        live: &live,
        facts: Facts::new(allocation.slots as usize, mir.vregs.len()),
        entry: IdVec::filled(None, mir.blocks.len()),
        errors: Vec::new(),
        report: Report::No,
    };
    checker.run();
    if checker.errors.is_empty() { Ok(()) } else { Err(checker.errors) }
}

/// Whether indices and counts fit, so that the rest may rely on them.
fn shape(mir: &Mir, numbering: &Numbering, allocation: &Allocation) -> Vec<Error> {
    let mut errors = Vec::new();
    let mut wrong = |what: &str| {
        errors.push(Error { block: mir.name.to_string(), inst: None, operand: None, what: what.to_string() })
    };
    if allocation.first_operand.len() != numbering.len() + 1 {
        wrong("not as many operand lists as instructions");
        return errors;
    }
    let locs = allocation.operands.iter().copied();
    let moves = allocation.moves.iter().map(|(_, m)| m).chain(allocation.edges.iter().map(|(_, _, m)| m));
    let all = locs.chain(moves.flat_map(|m| [m.to, m.from])).chain(allocation.entry.iter().map(|&(_, loc)| loc));
    for loc in all {
        match loc {
            Loc::Slot(slot) if slot.index() < mir.slots as usize => wrong("a slot that the function has already"),
            Loc::Slot(slot) if slot.index() >= allocation.slots as usize => wrong("a slot beyond the count"),
            Loc::Reg(reg) if RESERVED.contains(reg) => wrong("a reserved register"),
            Loc::Slot(_) | Loc::Reg(_) => {}
        }
    }
    for pair in allocation.moves.windows(2) {
        if (pair[0].0, pair[0].1.to) >= (pair[1].0, pair[1].1.to) {
            wrong("moves out of order, or two to one place at a point");
        }
    }
    for pair in allocation.edges.windows(2) {
        if (pair[0].0, pair[0].1, pair[0].2.to) >= (pair[1].0, pair[1].1, pair[1].2.to) {
            wrong("edge moves out of order, or two to one place on an edge");
        }
    }
    for (point, m) in &allocation.moves {
        if point.inst as usize >= numbering.len() {
            wrong("a move behind the end");
        } else if point.side == Side::After && point.inst >= numbering.jumps[numbering.block_of[point.inst as usize]] {
            wrong("a move behind a jump");
        } else if point.inst > numbering.jumps[numbering.block_of[point.inst as usize]] {
            wrong("a move between jumps");
        }
        for loc in [m.to, m.from] {
            if matches!(loc, Loc::Reg(reg) if reg.class() != mir.vregs[m.vreg].class) {
                wrong("a move between classes");
            }
        }
    }
    for (i, (from, to, m)) in allocation.edges.iter().enumerate() {
        let new = i == 0 || (allocation.edges[i - 1].0, allocation.edges[i - 1].1) != (*from, *to);
        // Whichever list is shorter: a jump table is long on one side only.
        let (out, into) = (&mir.blocks[*from].successors, &numbering.predecessors[*to]);
        if new && !(if out.len() < into.len() { out.contains(to) } else { into.contains(from) }) {
            wrong("a move on an edge that is not there");
        }
        for loc in [m.to, m.from] {
            if matches!(loc, Loc::Reg(reg) if reg.class() != mir.vregs[m.vreg].class) {
                wrong("a move between classes");
            }
        }
    }
    errors
}

/// A place by number: registers, then slots.
type LocNumber = u32;
/// A value by number: physical registers, then virtual ones.
type Value = u32;

fn number(loc: Loc) -> LocNumber {
    match loc {
        Loc::Reg(reg) => u32::from(reg.0),
        Loc::Slot(slot) => 32 + slot.index() as u32,
    }
}

fn value(reg: Reg) -> Value {
    match reg {
        Reg::P(preg) => u32::from(preg.0),
        Reg::V(vreg) => 32 + vreg.index() as u32,
    }
}

/// The facts at a point, found by place and by value.
struct Facts {
    of_loc: Vec<SmallVec<[Value; 2]>>,
    of_value: Vec<SmallVec<[LocNumber; 2]>>,
    /// Places that may have facts.
    touched: Vec<LocNumber>,
}

impl Facts {
    fn new(slots: usize, vregs: usize) -> Facts {
        Facts {
            of_loc: vec![SmallVec::new(); 32 + slots],
            of_value: vec![SmallVec::new(); 32 + vregs],
            touched: Vec::new(),
        }
    }

    fn clear(&mut self) {
        while let Some(loc) = self.touched.pop() {
            self.forget_loc(loc);
        }
    }

    fn holds(&self, loc: LocNumber, value: Value) -> bool {
        self.of_loc[loc as usize].contains(&value)
    }

    fn add(&mut self, loc: LocNumber, value: Value) {
        if self.of_loc[loc as usize].is_empty() {
            self.touched.push(loc);
        }
        self.of_loc[loc as usize].push(value);
        self.of_value[value as usize].push(loc);
    }

    fn forget_loc(&mut self, loc: LocNumber) {
        for value in std::mem::take(&mut self.of_loc[loc as usize]) {
            self.of_value[value as usize].retain(|l| *l != loc);
        }
    }

    fn forget_value(&mut self, value: Value) {
        for loc in std::mem::take(&mut self.of_value[value as usize]) {
            self.of_loc[loc as usize].retain(|v| *v != value);
        }
    }

    /// Parallel moves.
    fn moves(&mut self, moves: &mut dyn Iterator<Item = (Loc, Loc)>) {
        let read: Vec<(LocNumber, SmallVec<[Value; 2]>)> =
            moves.map(|(to, from)| (number(to), self.of_loc[number(from) as usize].clone())).collect();
        for &(to, _) in &read {
            self.forget_loc(to);
        }
        for (to, values) in read {
            for value in values {
                self.add(to, value);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Report {
    No,
    Yes,
}

struct Checker<'a> {
    mir: &'a Mir,
    numbering: &'a Numbering,
    allocation: &'a Allocation,
    live: &'a Live,
    facts: Facts,
    /// The facts at each block's start, ascending; none is ⊤.
    entry: IdVec<MBlock, Option<Vec<(Value, LocNumber)>>>,
    errors: Vec<Error>,
    report: Report,
}

impl Checker<'_> {
    fn run(&mut self) {
        let Some(&entry) = self.numbering.order.first() else {
            return;
        };
        let mut start: Vec<(Value, LocNumber)> = (0..32).map(|reg| (reg, reg)).collect();
        start.extend(self.allocation.entry.iter().map(|&(vreg, loc)| (value(Reg::V(vreg)), number(loc))));
        start.sort_unstable();
        self.entry[entry] = Some(start);
        // Blocks whose start has changed, by place in the order; the sweep goes round until none is left.
        let blocks = self.numbering.order.len();
        let mut dirty = vec![false; blocks];
        dirty[0] = true;
        let mut again = Some(0);
        while let Some(first) = again.take() {
            for rank in first..blocks {
                if !std::mem::take(&mut dirty[rank]) {
                    continue;
                }
                let block = self.numbering.order[rank];
                self.block(block);
                for i in 0..self.mir.blocks[block].successors.len() {
                    let successor = self.mir.blocks[block].successors[i];
                    if self.edge(block, successor) {
                        let target = self.numbering.rank[successor] as usize;
                        dirty[target] = true;
                        if target <= rank {
                            again = Some(again.map_or(target, |a: usize| a.min(target)));
                        }
                    }
                }
            }
        }
        self.report = Report::Yes;
        for i in 0..blocks {
            let block = self.numbering.order[i];
            if self.entry[block].is_some() {
                self.block(block);
            }
        }
    }

    /// Meets what leaves `from` into the start of `to`; true if that changed it.
    fn edge(&mut self, from: MBlock, to: MBlock) -> bool {
        let moves = self.allocation.on_edge(from, to);
        let mut by_source: Vec<(LocNumber, LocNumber)> =
            moves.iter().map(|&(_, _, m)| (number(m.from), number(m.to))).collect();
        by_source.sort_unstable();
        let written = |loc: LocNumber| moves.binary_search_by_key(&loc, |&(_, _, m)| number(m.to)).is_ok();
        let mut leaves: Vec<(Value, LocNumber)> = Vec::new();
        for &vreg in self.live.live_in(to) {
            let value = value(Reg::V(vreg));
            let start = leaves.len();
            for &loc in &self.facts.of_value[value as usize] {
                if moves.is_empty() || !written(loc) {
                    leaves.push((value, loc));
                }
                let first = by_source.partition_point(|&(source, _)| source < loc);
                leaves.extend(
                    by_source[first..]
                        .iter()
                        .take_while(|&&(source, _)| source == loc)
                        .map(|&(_, target)| (value, target)),
                );
            }
            leaves[start..].sort_unstable();
        }
        match &mut self.entry[to] {
            None => {
                self.entry[to] = Some(leaves);
                true
            }
            Some(old) => {
                let before = old.len();
                old.retain(|fact| leaves.binary_search(fact).is_ok());
                old.len() != before
            }
        }
    }

    /// Runs through a block from its start facts.
    fn block(&mut self, block: MBlock) {
        self.facts.clear();
        for &(value, loc) in self.entry[block].as_ref().expect("blocks are entered when something reaches them") {
            self.facts.add(loc, value);
        }
        let mir = self.mir;
        for (i, inst) in mir.blocks[block].insts.iter().enumerate() {
            let index = self.numbering.first[block] + i as u32;
            self.point(index, Side::Before);
            self.instruction(block, index, inst);
            self.point(index, Side::After);
        }
    }

    fn point(&mut self, inst: u32, side: Side) {
        let moves = self.allocation.at(inst, side);
        if !moves.is_empty() {
            self.facts.moves(&mut moves.iter().map(|(_, m)| (m.to, m.from)));
        }
    }

    fn instruction(&mut self, block: MBlock, index: u32, inst: &MInst) {
        let (mir, locs) = (self.mir, self.allocation.of_inst(index));
        let mut next = 0;
        let mut mentions: SmallVec<[(Reg, Role, Loc); 8]> = SmallVec::new();
        mir.for_each_reg(inst, |reg, role| {
            let loc = match reg {
                Reg::P(preg) => Some(Loc::Reg(preg)),
                Reg::V(_) => {
                    next += 1;
                    locs.get(next - 1).copied()
                }
            };
            if let Some(loc) = loc {
                mentions.push((reg, role, loc));
            }
        });
        if self.report == Report::Yes {
            if next != locs.len() {
                self.error(block, index, None, "not as many places as operands");
                return;
            }
            self.rules(block, index, inst, locs, &mentions);
            for &(reg, role, loc) in &mentions {
                let reads = matches!(role, Role::Use | Role::Mod);
                if reads && !self.facts.holds(number(loc), value(reg)) {
                    let held = self.facts.of_loc[number(loc) as usize].iter().map(|&v| show(v)).collect::<Vec<_>>();
                    let held = if held.is_empty() { "nothing known".to_string() } else { held.join(", ") };
                    self.error(block, index, Some((reg, loc)), &format!("the place holds {held}"));
                }
            }
        }
        for preg in inst.op.clobbers().iter() {
            self.facts.forget_loc(u32::from(preg.0));
        }
        let sets = |role: Role| matches!(role, Role::Def | Role::Mod | Role::Early);
        for &(reg, role, loc) in &mentions {
            if sets(role) {
                self.facts.forget_value(value(reg));
                self.facts.forget_loc(number(loc));
            }
        }
        for &(reg, role, loc) in &mentions {
            if sets(role) && !self.facts.holds(number(loc), value(reg)) {
                self.facts.add(number(loc), value(reg));
            }
        }
    }

    /// The rules beside the facts.
    fn rules(&mut self, block: MBlock, index: u32, inst: &MInst, locs: &[Loc], mentions: &[(Reg, Role, Loc)]) {
        let mir = self.mir;
        let mut accesses: SmallVec<[(VReg, Role, Access, Loc); 8]> = SmallVec::new();
        let mut next = locs.iter();
        for_each_access(mir, inst, |vreg, role, access| {
            if let Some(&loc) = next.next() {
                accesses.push((vreg, role, access, loc));
            }
        });
        let mut written_memory = 0;
        for &(vreg, role, access, loc) in &accesses {
            let operand = Some((Reg::V(vreg), loc));
            match loc {
                Loc::Reg(reg) if reg.class() != mir.vregs[vreg].class => {
                    self.error(block, index, operand, "a register of the other class")
                }
                Loc::Slot(_) if access == Access::Register => {
                    self.error(block, index, operand, "the operand must be a register")
                }
                Loc::Slot(_) if access == Access::Memory && role != Role::Use => written_memory += 1,
                Loc::Reg(_) | Loc::Slot(_) => {}
            }
        }
        if written_memory > 1 {
            self.error(block, index, None, "two written operands in memory");
        }
        for (i, &(reg, role, loc)) in mentions.iter().enumerate() {
            for &(other, other_role, other_loc) in &mentions[i + 1..] {
                let clash = match (role, other_role) {
                    (Role::Use, Role::Use | Role::Mod | Role::Def) | (Role::Mod | Role::Def, Role::Use) => false,
                    (Role::Use, Role::Early) | (Role::Early, Role::Use) => inst.op != MOp::ParallelCopy,
                    (Role::Def | Role::Mod | Role::Early, Role::Def | Role::Mod | Role::Early) => true,
                };
                if clash && loc == other_loc {
                    self.error(
                        block,
                        index,
                        Some((other, other_loc)),
                        &format!("shares its place with {}", show(value(reg))),
                    );
                }
            }
        }
    }

    fn error(&mut self, block: MBlock, index: u32, operand: Option<(Reg, Loc)>, what: &str) {
        let inst = Some(index - self.numbering.first[block]);
        self.errors.push(Error { block: self.mir.blocks[block].label.clone(), inst, operand, what: what.to_string() });
    }
}

/// A value for people.
fn show(value: Value) -> String {
    match value {
        0..32 => PReg(value as u8).to_string(),
        _ => VReg::new(value as usize - 32).to_string(),
    }
}
