//! MIR: x86-64 instructions over virtual registers.
//!
//! *Form.* Instructions are the machine's own, two-address where the machine's are (`add v3, v2` reads and writes `v3`),
//! plus a few pseudo-instructions (`parcopy`, `trapif`, `alloc`). Virtual registers may be assigned several times: block
//! parameters are gone, each web of a parameter and its arguments is one virtual register, set by `parcopy`.
//!
//! *Fixed registers.* Where the machine or the calling convention wants a register, selection writes that physical
//! register: `parcopy rdi <- v1, rsi <- v2`, `call f`, `parcopy v3 <- rax`. The live range of a physical register is short: it
//! never crosses a block boundary, except that the parameters' registers are live at the entry. The stack pointer and the
//! scratch registers never appear before allocation.
//!
//! *Positions.* Instruction *i* of the linear order (blocks in layout order) reads its uses at 2i and writes its
//! definitions at 2i + 1, so a definition may get the register of a use that ends there. `Role::Early` definitions
//! are taken at 2i already, and live to 2i + 1 at least.

use crate::code::Target;
use crate::op::{Cond, MOp, Size};
use crate::regs::{PReg, RegClass};
use mini_base::ids::IdVec;
use mini_base::source::Pos;
use std::sync::Arc;

mini_base::define_id! {
    /// A block of machine code.
    pub struct MBlock, "b";
    /// A virtual register.
    pub struct VReg, "v";
    /// A place in the frame: 8 bytes, for a stack slot of the IR or one spilled value.
    pub struct Slot, "slot";
}

/// A register, virtual or physical.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Reg {
    /// To be allocated.
    V(VReg),
    /// Fixed.
    P(PReg),
}

/// What an instruction does with a register operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Role {
    /// Reads it, at 2i.
    Use,
    /// Writes it, at 2i + 1.
    Def,
    /// Reads it at 2i and writes it at 2i + 1: one register for both.
    Mod,
    /// Writes it while uses are still read: shares no register with a use of the instruction.
    Early,
}

/// The base of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Base {
    /// None.
    None,
    /// A register (read).
    Reg(Reg),
    /// A slot; the frame layout makes it rsp-relative.
    Slot(Slot),
    /// The outgoing argument area: byte `disp` from the stack pointer.
    Outgoing,
    /// The incoming stack arguments: byte `disp` behind the return address.
    Incoming,
    /// Static data or code, rip-relative; no index.
    Target(Target),
}

/// A memory operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Mem {
    /// Base.
    pub base: Base,
    /// Index register (read) and scale 1, 2, 4 or 8.
    pub index: Option<(Reg, u8)>,
    /// Displacement.
    pub disp: i32,
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A register with what happens to it.
    Reg(Reg, Role),
    /// An immediate.
    Imm(i64),
    /// Memory; its registers are uses.
    Mem(Mem),
    /// A jump target.
    Block(MBlock),
    /// A symbol: callee, or address.
    Target(Target),
}

/// An instruction. Operands are in the function's pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MInst {
    /// What it is.
    pub op: MOp,
    /// Operand size, where the operation has several.
    pub size: Size,
    /// Condition, where it has one.
    pub cond: Cond,
    /// Source position.
    pub pos: Pos,
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// A block.
#[derive(Clone, Debug, Default)]
pub struct MBlockData {
    /// Its name in text, unique in the function.
    pub label: String,
    /// Its instructions; the last is a jump, a return or a trap, perhaps after a conditional jump.
    pub insts: Vec<MInst>,
    /// Where it may go; without repetitions.
    pub successors: Vec<MBlock>,
    /// How many loops hold it.
    pub loop_depth: u32,
}

/// A virtual register.
#[derive(Clone, Debug)]
pub struct VRegData {
    /// Its class.
    pub class: RegClass,
    /// The value that it holds, for people (`s.2`).
    pub name: Option<Arc<str>>,
}

/// A function in MIR, before or after register allocation (then without virtual registers).
#[derive(Clone, Debug)]
pub struct Mir {
    /// Its name.
    pub name: Arc<str>,
    /// Whether call stacks leave it out.
    pub hidden: bool,
    /// The blocks; ids in no particular order.
    pub blocks: IdVec<MBlock, MBlockData>,
    /// Layout order; the entry first. All blocks are reachable.
    pub order: Vec<MBlock>,
    /// The virtual registers.
    pub vregs: IdVec<VReg, VRegData>,
    /// How many slots there are: selection makes those of the IR, the allocator adds those of spilled values.
    pub slots: u32,
    /// Bytes of the outgoing argument area: the most that any call needs.
    pub outgoing: u32,
    /// Whether it calls anything (and so needs an aligned stack).
    pub calls: Calls,
    pub(crate) pool: Vec<Operand>,
}

/// Whether a function calls others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// It does not; traps don't count.
    None,
    /// It does.
    Some,
}

impl Mir {
    /// A function without blocks.
    pub fn new(name: Arc<str>) -> Mir {
        Mir {
            name,
            hidden: false,
            blocks: IdVec::new(),
            order: Vec::new(),
            vregs: IdVec::new(),
            slots: 0,
            outgoing: 0,
            calls: Calls::None,
            pool: Vec::new(),
        }
    }

    /// Makes an instruction; its operands go to the pool.
    pub fn inst(&mut self, op: MOp, size: Size, cond: Cond, operands: &[Operand], pos: Pos) -> MInst {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(operands);
        MInst { op, size, cond, pos, start, len: operands.len() as u32 }
    }

    /// The operands of an instruction of this function.
    pub fn operands(&self, inst: &MInst) -> &[Operand] {
        &self.pool[inst.start as usize..(inst.start + inst.len) as usize]
    }

    /// The operands, to be changed.
    pub fn operands_mut(&mut self, inst: &MInst) -> &mut [Operand] {
        &mut self.pool[inst.start as usize..(inst.start + inst.len) as usize]
    }

    /// Calls `visit` with every register of an instruction and its role; registers in addresses are uses.
    pub fn for_each_reg(&self, inst: &MInst, mut visit: impl FnMut(Reg, Role)) {
        for operand in self.operands(inst) {
            match *operand {
                Operand::Reg(reg, role) => visit(reg, role),
                Operand::Mem(mem) => {
                    if let Base::Reg(reg) = mem.base {
                        visit(reg, Role::Use);
                    }
                    if let Some((reg, _)) = mem.index {
                        visit(reg, Role::Use);
                    }
                }
                Operand::Imm(_) | Operand::Block(_) | Operand::Target(_) => {}
            }
        }
    }

    /// A new virtual register.
    pub fn new_vreg(&mut self, class: RegClass, name: Option<Arc<str>>) -> VReg {
        self.vregs.push(VRegData { class, name })
    }

    /// The class of a register.
    pub fn class(&self, reg: Reg) -> RegClass {
        match reg {
            Reg::V(v) => self.vregs[v].class,
            Reg::P(p) => p.class(),
        }
    }
}
