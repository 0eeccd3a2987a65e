//! Carries an allocation out: registers and slots into the operands, moves between the instructions, parallel copies in sequence.
//!
//! *In:* a function with virtual registers and an [`Allocation`] that the checker accepts. *Out:* the function without virtual
//! registers and without `parcopy`. *Keeps:* block ids, labels, layout order of the old blocks; critical edges that need moves get a new block
//! (see `resolve::place`). *Cost:* linear, apart from sorting within parallel moves.
//!
//! *Memory.* A spilled operand becomes a memory operand where the instruction's row allows it. If two operands of one instruction
//! are spilled and only one may be memory, the one that is only read goes through the scratch register of its class.
//! From memory to memory the way is by the general one, whatever the class. A cycle of moves is broken by the scratch register of its class, or by the vector one if
//! there is memory to be moved to memory at the same point.
//!
//! ```text
//! mov v1, v2       v1 in slot0, v2 in rax      mov [slot0], rax
//! add v1, v3       v3 in slot1                 mov r11, [slot1]; add [slot0], r11
//! mov v4, v5       both in rcx                 (nothing)
//! ```

use crate::allocation::{Allocation, Loc, Move, Side};
use crate::numbering::Numbering;
use crate::resolve::{Places, place};
use mini_base::sequentialize::{Step, sequentialize};
use mini_base::source::Pos;
use mini_x64::mir::{Base, MInst, Mem, Mir, Operand, Reg, Role};
use mini_x64::op::{Cond, MOp, Size};
use mini_x64::regs::{FLOAT_SCRATCH, RegClass, SCRATCH};

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Moves from a register to a slot.
    pub stores: usize,
    /// Moves from a slot to a register.
    pub loads: usize,
    /// Moves from register to register.
    pub moves: usize,
    /// Blocks made for critical edges.
    pub blocks: usize,
}

/// Rewrites the function by the allocation.
pub fn rewrite(mir: &mut Mir, numbering: &Numbering, allocation: &Allocation) -> Written {
    mir.slots = allocation.slots;
    let mut written = Written::default();
    let places = place(mir, numbering, allocation);
    written.blocks = places.blocks;
    let mut next_move = 0;
    for &block in &numbering.order {
        let old = std::mem::take(&mut mir.blocks[block].insts);
        let jump = (numbering.jumps[block] - numbering.first[block]) as usize;
        let mut out = Out { insts: Vec::with_capacity(old.len() + 4), written };
        for (i, inst) in old.into_iter().enumerate() {
            let index = numbering.first[block] + i as u32;
            if i == 0 {
                out.edge(mir, &places, allocation, places.at_start.get(&block), inst.pos);
            }
            out.point(mir, allocation, &mut next_move, index, Side::Before, inst.pos);
            if i == jump {
                out.edge(mir, &places, allocation, places.at_end.get(&block), inst.pos);
            }
            out.instruction(mir, inst, allocation.of_inst(index));
            out.point(mir, allocation, &mut next_move, index, Side::After, inst.pos);
        }
        written = out.written;
        mir.blocks[block].insts = out.insts;
    }
    for &(block, edge) in &places.in_block {
        let old = std::mem::take(&mut mir.blocks[block].insts);
        let mut out = Out { insts: Vec::new(), written };
        out.edge(mir, &places, allocation, Some(&edge), old[0].pos);
        out.insts.extend(old);
        written = out.written;
        mir.blocks[block].insts = out.insts;
    }
    mir.vregs = Default::default();
    written
}

/// The new instructions of a block.
struct Out {
    insts: Vec<MInst>,
    written: Written,
}

impl Out {
    /// The moves of a point between instructions; `next` runs along the list.
    fn point(&mut self, mir: &mut Mir, allocation: &Allocation, next: &mut usize, inst: u32, side: Side, pos: Pos) {
        let start = *next;
        while allocation.moves.get(*next).is_some_and(|(p, _)| p.inst == inst && p.side == side) {
            *next += 1;
        }
        let moves: Vec<Move> = allocation.moves[start..*next].iter().map(|&(_, m)| m).collect();
        self.moves(mir, &moves, pos);
    }

    /// The moves of an edge.
    fn edge(&mut self, mir: &mut Mir, places: &Places, allocation: &Allocation, edge: Option<&usize>, pos: Pos) {
        let Some(&edge) = edge else { return };
        let (start, end) = places.edges[edge];
        let moves: Vec<Move> = allocation.edges[start..end].iter().map(|&(_, _, m)| m).collect();
        self.moves(mir, &moves, pos);
    }

    /// Parallel moves of values.
    fn moves(&mut self, mir: &mut Mir, moves: &[Move], pos: Pos) {
        let moves: Vec<(Loc, Source)> = moves.iter().map(|m| (m.to, Source::Loc(m.from))).collect();
        self.parallel(mir, &moves, pos);
    }

    /// Parallel moves, both classes at once: a slot that a value of one class leaves may be where one of the other goes.
    fn parallel(&mut self, mir: &mut Mir, moves: &[(Loc, Source)], pos: Pos) {
        let mut copies: Vec<(Loc, Loc)> = Vec::new();
        let mut constants: Vec<(Loc, i64)> = Vec::new();
        for &(to, from) in moves {
            match from {
                Source::Loc(from) if from == to => {}
                Source::Loc(from) => copies.push((to, from)),
                Source::Imm(value) => constants.push((to, value)),
            }
        }
        // Slots that nobody reads are written first, while the values are in registers still: what is copied twice would be read
        // back from the slot otherwise.
        let mut read: Vec<Loc> = copies.iter().map(|&(_, from)| from).collect();
        read.sort_unstable();
        copies.retain(|&(to, from)| {
            let store = matches!(to, Loc::Slot(_)) && read.binary_search(&to).is_err();
            if store {
                self.one(mir, to, from, BY, pos);
            }
            !store
        });
        // A cycle needs a register of its own while moves from memory to memory need one too. Both registers take values of
        // both classes.
        let memory = copies.iter().any(|(to, _)| matches!(to, Loc::Slot(_)));
        let temp = |on_cycle: Loc| match on_cycle {
            Loc::Reg(reg) if !memory => scratch(reg.class()),
            Loc::Reg(_) | Loc::Slot(_) => scratch(RegClass::Vector),
        };
        for step in sequentialize(&copies, |on_cycle| Some(temp(on_cycle))) {
            match step {
                Step::Copy { dst, src } => self.one(mir, dst, src, BY, pos),
                Step::Exchange { .. } => unreachable!("there always is a temporary"),
            }
        }
        for (to, value) in constants {
            self.constant(mir, to, value, pos);
        }
    }

    /// A constant into a place.
    fn constant(&mut self, mir: &mut Mir, to: Loc, value: i64, pos: Pos) {
        let direct = match to {
            Loc::Reg(reg) => reg.class() == RegClass::General,
            Loc::Slot(_) => i32::try_from(value).is_ok(),
        };
        let target = if direct { to } else { scratch(RegClass::General) };
        self.push(mir, MOp::Mov, &[operand(target, Role::Def), Operand::Imm(value)], pos);
        if !direct {
            self.one(mir, to, target, target, pos);
        }
    }

    /// One move; `by` is free where it takes two.
    fn one(&mut self, mir: &mut Mir, to: Loc, from: Loc, by: Loc, pos: Pos) {
        let op = match (to, from) {
            (Loc::Slot(_), Loc::Slot(_)) => {
                self.one(mir, by, from, by, pos);
                self.one(mir, to, by, by, pos);
                return;
            }
            (Loc::Slot(_), Loc::Reg(reg)) => {
                self.written.stores += 1;
                move_op(reg.class(), reg.class())
            }
            (Loc::Reg(reg), Loc::Slot(_)) => {
                self.written.loads += 1;
                move_op(reg.class(), reg.class())
            }
            (Loc::Reg(to), Loc::Reg(from)) => {
                self.written.moves += 1;
                move_op(to.class(), from.class())
            }
        };
        self.push(mir, op, &[operand(to, Role::Def), operand(from, Role::Use)], pos);
    }

    fn push(&mut self, mir: &mut Mir, op: MOp, operands: &[Operand], pos: Pos) {
        let inst = mir.inst(op, Size::B8, Cond::Always, operands, pos);
        self.insts.push(inst);
    }

    /// An instruction of the function, its virtual registers replaced.
    fn instruction(&mut self, mir: &mut Mir, inst: MInst, locs: &[Loc]) {
        if inst.op == MOp::ParallelCopy {
            self.parallel_copy(mir, &inst, locs);
            return;
        }
        if !locs.is_empty() {
            self.operands(mir, &inst, locs);
        }
        if !is_no_op(mir, &inst) {
            self.insts.push(inst);
        }
    }

    /// Puts places into the operands of an instruction.
    fn operands(&mut self, mir: &mut Mir, inst: &MInst, locs: &[Loc]) {
        let mut locs = locs.iter().copied();
        let mut operands = mir.operands(inst).to_vec();
        let many = matches!(inst.op, MOp::TrapIf | MOp::Trap);
        let mut has_memory = operands.iter().any(|o| matches!(o, Operand::Mem(_)));
        // What is read only, and in memory: decided when the written operand, if it is in memory, has had its turn.
        let mut late: Vec<(usize, Loc)> = Vec::new();
        for (i, place) in operands.iter_mut().enumerate() {
            match place {
                Operand::Reg(Reg::V(_), role) => {
                    let loc = locs.next().expect("the allocation has a place for every mention");
                    match (loc, *role) {
                        (Loc::Reg(_), _) => *place = operand(loc, *role),
                        (Loc::Slot(_), Role::Use) => late.push((i, loc)),
                        (Loc::Slot(_), Role::Def | Role::Mod | Role::Early) => {
                            assert!(!has_memory, "the checker refuses two memory operands");
                            *place = operand(loc, *role);
                            has_memory = true;
                        }
                    }
                }
                Operand::Mem(mem) => {
                    let mut replace = |reg: &mut Reg| {
                        if let Reg::V(_) = reg {
                            let loc = locs.next().expect("the allocation has a place for every mention");
                            let Loc::Reg(preg) = loc else { unreachable!("the checker refuses an address in memory") };
                            *reg = Reg::P(preg);
                        }
                    };
                    if let Base::Reg(reg) = &mut mem.base {
                        replace(reg);
                    }
                    if let Some((reg, _)) = &mut mem.index {
                        replace(reg);
                    }
                }
                Operand::Reg(Reg::P(_), _) | Operand::Imm(_) | Operand::Block(_) | Operand::Target(_) => {}
            }
        }
        for (i, loc) in late {
            if many || !has_memory && inst.op.info().memory >> i & 1 != 0 {
                operands[i] = operand(loc, Role::Use);
                has_memory = true;
                continue;
            }
            let Operand::Reg(reg, _) = operands[i] else { unreachable!("it was a register") };
            let scratch = scratch(mir.class(reg));
            self.one(mir, scratch, loc, scratch, inst.pos);
            operands[i] = operand(scratch, Role::Use);
        }
        // A constant of more than 32 bits can't go to memory at once.
        if inst.op == MOp::Mov
            && let [Operand::Mem(_), Operand::Imm(value)] = operands[..]
            && i32::try_from(value).is_err()
        {
            let scratch = scratch(RegClass::General);
            self.constant(mir, scratch, value, inst.pos);
            operands[1] = operand(scratch, Role::Use);
        }
        mir.operands_mut(inst).copy_from_slice(&operands);
    }

    /// A parallel copy: destinations and sources by turns.
    fn parallel_copy(&mut self, mir: &mut Mir, inst: &MInst, locs: &[Loc]) {
        let mut locs = locs.iter().copied();
        let mut moves = Vec::new();
        for pair in mir.operands(inst).chunks(2) {
            let mut loc = |reg: Reg| match reg {
                Reg::V(_) => locs.next().expect("the allocation has a place for every mention"),
                Reg::P(preg) => Loc::Reg(preg),
            };
            let [Operand::Reg(to, _), from] = *pair else { unreachable!("a parallel copy has pairs") };
            let target = loc(to);
            let source = match from {
                Operand::Reg(reg, _) => Source::Loc(loc(reg)),
                Operand::Imm(value) => Source::Imm(value),
                Operand::Mem(_) | Operand::Block(_) | Operand::Target(_) => {
                    unreachable!("a parallel copy reads registers and constants")
                }
            };
            moves.push((target, source));
        }
        self.parallel(mir, &moves, inst.pos);
    }
}

/// What a parallel move reads.
#[derive(Clone, Copy)]
enum Source {
    Loc(Loc),
    Imm(i64),
}

/// By way of this register values get from memory to memory.
const BY: Loc = Loc::Reg(SCRATCH);

/// The register of a class that holds no value between instructions.
fn scratch(class: RegClass) -> Loc {
    match class {
        RegClass::General => Loc::Reg(SCRATCH),
        RegClass::Vector => Loc::Reg(FLOAT_SCRATCH),
    }
}

/// The instruction that moves between registers of these classes, or memory instead of one of them.
fn move_op(to: RegClass, from: RegClass) -> MOp {
    match (to, from) {
        (RegClass::General, RegClass::General) => MOp::Mov,
        (RegClass::Vector, RegClass::Vector) => MOp::Movsd,
        (RegClass::General, RegClass::Vector) | (RegClass::Vector, RegClass::General) => MOp::Movq,
    }
}

/// A place as an operand.
fn operand(loc: Loc, role: Role) -> Operand {
    match loc {
        Loc::Reg(reg) => Operand::Reg(Reg::P(reg), role),
        Loc::Slot(slot) => Operand::Mem(Mem { base: Base::Slot(slot), index: None, disp: 0 }),
    }
}

/// Whether an instruction moves a register to itself. A 32-bit move clears the upper half and stays.
fn is_no_op(mir: &Mir, inst: &MInst) -> bool {
    let moves = match inst.op {
        MOp::Mov => inst.size == Size::B8,
        MOp::Movsd => true,
        _ => false,
    };
    moves && matches!(mir.operands(inst), [Operand::Reg(Reg::P(to), _), Operand::Reg(Reg::P(from), _)] if to == from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mini_base::ids::Id;
    use mini_x64::mir::Slot;
    use mini_x64::mir_text::parse_mir;
    use mini_x64::regs::PReg;
    use std::collections::BTreeMap;

    /// Executes moves on places that hold their own names at first.
    fn execute(mir: &Mir, insts: &[MInst]) -> BTreeMap<Loc, Loc> {
        let mut state: BTreeMap<Loc, Loc> = BTreeMap::new();
        for inst in insts {
            assert!(matches!(inst.op, MOp::Mov | MOp::Movsd | MOp::Movq), "{:?}", inst.op);
            let place = |operand: Operand| match operand {
                Operand::Reg(Reg::P(reg), _) => Loc::Reg(reg),
                Operand::Mem(Mem { base: Base::Slot(slot), index: None, disp: 0 }) => Loc::Slot(slot),
                other => panic!("{other:?} is no place"),
            };
            let [to, from] = *mir.operands(inst) else { panic!("a move has two operands") };
            let (to, from) = (place(to), place(from));
            assert!(!matches!((to, from), (Loc::Slot(_), Loc::Slot(_))), "no move is from memory to memory");
            let value = state.get(&from).copied().unwrap_or(from);
            state.insert(to, value);
        }
        state
    }

    /// How many moves the copies take: one each, and one more for each cycle that nothing hangs off. What is copied to a slot that
    /// nobody reads hangs off nothing: reading it back would cost more than a move between registers.
    fn least(copies: &[(Loc, Loc)]) -> usize {
        let source: BTreeMap<Loc, Loc> = copies.iter().copied().filter(|(to, from)| to != from).collect();
        let is_read = |place: Loc| copies.iter().any(|&(to, from)| from == place && to != from);
        let mut cycles = 0;
        for &start in source.keys() {
            let mut cycle = vec![start];
            while let Some(&next) = source.get(&cycle[cycle.len() - 1])
                && next != start
                && cycle.len() <= source.len()
            {
                cycle.push(next);
            }
            let closes = source.get(&cycle[cycle.len() - 1]) == Some(&start) && cycle.iter().min() == Some(&start);
            let hangs = |(to, from): (&Loc, &Loc)| {
                cycle.contains(from) && !cycle.contains(to) && (matches!(to, Loc::Reg(_)) || is_read(*to))
            };
            cycles += usize::from(closes && !source.iter().any(hangs));
        }
        source.len() + cycles
    }

    fn check(mir: &mut Mir, copies: &[(Loc, Loc)]) {
        let mut out = Out { insts: Vec::new(), written: Written::default() };
        let moves: Vec<(Loc, Source)> = copies.iter().map(|&(to, from)| (to, Source::Loc(from))).collect();
        out.parallel(mir, &moves, Pos::NONE);
        let state = execute(mir, &out.insts);
        for &(to, from) in copies {
            assert_eq!(state.get(&to).copied().unwrap_or(to), from, "{copies:?}");
        }
        let changed = state.iter().filter(|(place, value)| place != value).map(|(&place, _)| place);
        let temporaries = [scratch(RegClass::General), scratch(RegClass::Vector)];
        for place in changed.filter(|place| !temporaries.contains(place)) {
            assert!(copies.iter().any(|&(to, _)| to == place), "{place:?} is lost in {copies:?}");
        }
        // From memory to memory it takes two instructions for one move, the first of them to the scratch register.
        let through = |inst: &&MInst| {
            let target = mir.operands(inst)[0];
            let from_memory = matches!(mir.operands(inst)[1], Operand::Mem(_));
            from_memory && target == operand(BY, Role::Def)
        };
        let moves = out.insts.len() - out.insts.iter().filter(through).count();
        assert_eq!(moves, least(copies), "{copies:?}");
    }

    /// All parallel copies between these places.
    fn check_all(places: &[Loc]) -> usize {
        let mut mir = parse_mir("mir \"f\" {\nb1:\n  ret\n}\n").expect("right");
        let fits = |to: Loc, from: Loc| match (to, from) {
            (Loc::Reg(to), Loc::Reg(from)) => to.class() == from.class(),
            _ => true, // a slot takes what comes
        };
        let sources: Vec<Vec<Option<Loc>>> = (places.iter())
            .map(|&to| {
                std::iter::once(None).chain(places.iter().copied().filter(|&from| fits(to, from)).map(Some)).collect()
            })
            .collect();
        let count = sources.iter().map(Vec::len).product();
        for mut code in 0..count {
            let mut copies = Vec::new();
            for (&to, sources) in places.iter().zip(&sources) {
                copies.extend(sources[code % sources.len()].map(|from| (to, from)));
                code /= sources.len();
            }
            check(&mut mir, &copies);
        }
        count
    }

    #[test]
    fn every_parallel_copy_of_five_registers_and_memory() {
        let general = [PReg::RAX, PReg::RCX, PReg::RDX, PReg::RSI, PReg::RDI].map(Loc::Reg);
        let vector = [0, 1].map(|n| Loc::Reg(PReg::xmm(n)));
        let slots = [0, 1, 2].map(|n| Loc::Slot(Slot::new(n)));
        let mut all = check_all(&general);
        all += check_all(&[&general[..], &slots[..1]].concat());
        all += check_all(&[&general[..3], &slots[..2]].concat());
        all += check_all(&[&general[..2], &slots[..]].concat());
        all += check_all(&[&general[..2], &vector[..], &slots[..2]].concat());
        assert!(all > 150_000, "{all}");
    }
}
