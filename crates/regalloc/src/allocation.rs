//! What register allocation decides, as data: a place for every virtual register that an instruction names, and the moves in between.
//!
//! An allocation says nothing of how it came about, and it leaves the function alone. So two allocators can be compared,
//! `checker` can judge one against the original function, and `rewrite` can carry it out.
//!
//! *Order.* Operands are listed as `Mir::for_each_reg` visits them, instructions in layout order. The moves of one point
//! (before or behind an instruction, or on an edge) are parallel: all are read before any is written. Behind instruction i
//! comes before i + 1.
//!
//! *Form.* As regalloc2's output (Fallin, "Cranelift, Part 4: a new register allocator", 2022, tells the idea).

use crate::numbering::Numbering;
use mini_x64::mir::{MBlock, MInst, Mir, Operand, Reg, Role, Slot, VReg};
use mini_x64::op::{MOp, Size};
use mini_x64::regs::PReg;
use std::fmt;

/// Where a value lives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loc {
    /// In a register.
    Reg(PReg),
    /// In a spill slot.
    Slot(Slot),
}

impl fmt::Debug for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loc::Reg(reg) => write!(f, "{reg}"),
            Loc::Slot(slot) => write!(f, "{slot}"),
        }
    }
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A move of a virtual register's value from place to place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// Written.
    pub to: Loc,
    /// Read.
    pub from: Loc,
    /// Whose value it is; gives the class.
    pub vreg: VReg,
}

/// Which side of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Side {
    /// Before it.
    Before,
    /// Behind it; never behind a jump.
    After,
}

/// A point between instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Point {
    /// Index of the instruction in layout order.
    pub inst: u32,
    /// Which side of it.
    pub side: Side,
}

/// The decisions for one function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Allocation {
    /// For each mention of a virtual register, its place.
    pub operands: Vec<Loc>,
    /// For each instruction, where its mentions start in `operands`; one more at the end.
    pub first_operand: Vec<u32>,
    /// Moves between instructions, ascending by point.
    pub moves: Vec<(Point, Move)>,
    /// Moves on edges, ascending by edge (block ids).
    pub edges: Vec<(MBlock, MBlock, Move)>,
    /// The places at the entry of registers that are read before anything sets them on some path; their value is arbitrary.
    pub entry: Vec<(VReg, Loc)>,
    /// How many slots the function has then.
    pub slots: u32,
}

impl Allocation {
    /// The places of instruction `inst`'s virtual registers.
    pub fn of_inst(&self, inst: u32) -> &[Loc] {
        let inst = inst as usize;
        &self.operands[self.first_operand[inst] as usize..self.first_operand[inst + 1] as usize]
    }

    /// The moves at a point.
    pub fn at(&self, inst: u32, side: Side) -> &[(Point, Move)] {
        let point = Point { inst, side };
        let start = self.moves.partition_point(|(p, _)| *p < point);
        let len = self.moves[start..].partition_point(|(p, _)| *p == point);
        &self.moves[start..start + len]
    }

    /// The moves on an edge.
    pub fn on_edge(&self, from: MBlock, to: MBlock) -> &[(MBlock, MBlock, Move)] {
        let start = self.edges.partition_point(|&(f, t, _)| (f, t) < (from, to));
        let len = self.edges[start..].partition_point(|&(f, t, _)| (f, t) == (from, to));
        &self.edges[start..start + len]
    }

    /// Brings moves into order; for producers. Moves to the place where the value is already are dropped.
    pub fn sort(&mut self) {
        self.moves.retain(|(_, m)| m.to != m.from);
        self.edges.retain(|(_, _, m)| m.to != m.from);
        self.moves.sort_by_key(|&(point, m)| (point, m.to));
        self.edges.sort_by_key(|&(from, to, m)| (from, to, m.to));
    }

    /// Fills `operands` from a function that tells the place of a mention.
    pub fn fill(&mut self, mir: &Mir, numbering: &Numbering, mut place: impl FnMut(u32, VReg, Role) -> Loc) {
        let mut index = 0;
        self.first_operand.push(0);
        for &block in &numbering.order {
            for inst in &mir.blocks[block].insts {
                mir.for_each_reg(inst, |reg, role| {
                    if let Reg::V(vreg) = reg {
                        self.operands.push(place(index, vreg, role));
                    }
                });
                self.first_operand.push(self.operands.len() as u32);
                index += 1;
            }
        }
    }
}

/// How an instruction can do with a virtual register in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It can't.
    Register,
    /// Its operand may be memory.
    Memory,
    /// It makes no difference, nearly: the instruction is or contains a move.
    Either,
}

/// Calls `visit` with the virtual registers of an instruction as `for_each_reg` does, and how each may be accessed.
pub fn for_each_access(mir: &Mir, inst: &MInst, mut visit: impl FnMut(VReg, Role, Access)) {
    let operands = mir.operands(inst);
    let has_memory = operands.iter().any(|operand| matches!(operand, Operand::Mem(_)));
    let mask = inst.op.info().memory;
    let moves = matches!(inst.op, MOp::ParallelCopy | MOp::TrapIf | MOp::Trap);
    for (number, operand) in operands.iter().enumerate() {
        match *operand {
            Operand::Reg(Reg::V(vreg), role) => {
                let foldable = !has_memory && number < 8 && mask >> number & 1 != 0;
                // A 32-bit write clears the upper half of a register, but not of a slot.
                let whole = match role {
                    Role::Use => true,
                    Role::Def | Role::Mod => inst.size == Size::B8 || inst.op == MOp::Movsd,
                    Role::Early => false,
                };
                let access = if moves {
                    Access::Either
                } else if foldable && whole {
                    Access::Memory
                } else {
                    Access::Register
                };
                visit(vreg, role, access);
            }
            Operand::Mem(mem) => {
                if let mini_x64::mir::Base::Reg(Reg::V(vreg)) = mem.base {
                    visit(vreg, Role::Use, Access::Register);
                }
                if let Some((Reg::V(vreg), _)) = mem.index {
                    visit(vreg, Role::Use, Access::Register);
                }
            }
            Operand::Reg(Reg::P(_), _) | Operand::Imm(_) | Operand::Block(_) | Operand::Target(_) => {}
        }
    }
}
