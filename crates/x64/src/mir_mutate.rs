//! Random single changes of machine code, for tests of the verifier and of what runs behind it.
//!
//! *In:* a function before or after register allocation. *Out:* the function with one change, of a [`Kind`] that the caller chooses.
//! Successors follow where jumps are changed, so that the change is one for what reads them; [`Kind::Successors`] lets them
//! be wrong.

use crate::code::{CodeId, DataId, Target};
use crate::mir::{Base, Calls, MBlock, MInst, Mir, Operand, Reg, Role, Slot, VReg};
use crate::op::{Cond, MOp, Size};
use crate::regs::{PReg, RegClass};
use mini_base::ids::Id;
use mini_base::testing::Random;

mini_base::listed_enum! {
    /// What is changed.
    pub enum Kind {
        /// A register becomes another one of its class.
        Register,
        /// A register becomes any other.
        RegisterOfAnyClass,
        /// A register is read instead of written, or the like.
        Role,
        /// Two operands change places.
        SwapOperands,
        /// An operand is missing.
        DropOperand,
        /// An operand is there twice.
        RepeatOperand,
        /// An operand becomes an immediate, memory, a block or a symbol.
        Operand,
        /// An instruction becomes another operation.
        Operation,
        /// An instruction gets another size.
        Size,
        /// An instruction gets another condition.
        Condition,
        /// An immediate changes.
        Immediate,
        /// An address changes.
        Address,
        /// A jump leads elsewhere.
        Jump,
        /// A symbol changes.
        Target,
        /// An instruction is removed.
        DropInst,
        /// An instruction is there twice.
        RepeatInst,
        /// An instruction goes to another place.
        MoveInst,
        /// The list of successors of a block changes.
        Successors,
        /// Two blocks change places in the layout.
        SwapBlocks,
        /// A block is missing in the layout.
        DropBlock,
        /// A virtual register gets the other class.
        Class,
        /// The number of slots or the size of an area changes.
        Counts,
    }
}

/// Makes a change of a kind; false if there was nothing to change.
pub fn mutate(mir: &mut Mir, kind: Kind, random: &mut Random) -> bool {
    Mutator { mir, random }.apply(kind).is_some()
}

/// A place of an instruction.
type At = (MBlock, usize);

struct Mutator<'a> {
    mir: &'a mut Mir,
    random: &'a mut Random,
}

impl Mutator<'_> {
    fn apply(&mut self, kind: Kind) -> Option<()> {
        match kind {
            Kind::Register => self.register(|mutator, old| mutator.any_register(Some(mutator.mir.class(old))))?,
            Kind::RegisterOfAnyClass => self.register(|mutator, _| mutator.any_register(None))?,
            Kind::Role => {
                let (at, n) = self.operand_where(|o| matches!(o, Operand::Reg(..)))?;
                let role = self.pick(&[Role::Use, Role::Def, Role::Mod, Role::Early])?;
                let Operand::Reg(reg, old) = self.operands(at)[n] else { return None };
                self.set_operand(at, n, Operand::Reg(reg, role));
                return (role != old).then_some(());
            }
            Kind::SwapOperands => {
                let at = self.inst_where(|mir, inst| mir.operands(inst).len() > 1)?;
                let mut operands = self.operands(at);
                let a = self.random.below(operands.len());
                let b = (a + 1 + self.random.below(operands.len() - 1)) % operands.len();
                operands.swap(a, b);
                self.set_operands(at, &operands);
                return (operands[a] != operands[b]).then_some(());
            }
            Kind::DropOperand => {
                let (at, n) = self.operand_where(|_| true)?;
                let mut operands = self.operands(at);
                operands.remove(n);
                self.set_operands(at, &operands);
            }
            Kind::RepeatOperand => {
                let (at, n) = self.operand_where(|_| true)?;
                let mut operands = self.operands(at);
                operands.push(operands[n]);
                self.set_operands(at, &operands);
            }
            Kind::Operand => {
                let (at, n) = self.operand_where(|_| true)?;
                let block = Operand::Block(self.any_block());
                let others = [Operand::Imm(5), block, Operand::Target(Target::Function(CodeId::new(0)))];
                let new = self.pick(&others)?;
                let old = std::mem::replace(&mut self.operands(at)[n], new);
                self.set_operand(at, n, new);
                return (old != new).then_some(());
            }
            Kind::Operation => {
                let at = self.inst_where(|_, _| true)?;
                let ops: Vec<MOp> = MOp::all().map(|row| row.op).collect();
                let op = self.pick(&ops)?;
                return (std::mem::replace(&mut self.inst(at).op, op) != op).then_some(());
            }
            Kind::Size => {
                let at = self.inst_where(|_, _| true)?;
                let size = self.pick(&[Size::B1, Size::B4, Size::B8])?;
                return (std::mem::replace(&mut self.inst(at).size, size) != size).then_some(());
            }
            Kind::Condition => {
                let at = self.inst_where(|_, inst| inst.cond != Cond::Always)?;
                let cond = self.pick(&Cond::ALL)?;
                return (std::mem::replace(&mut self.inst(at).cond, cond) != cond).then_some(());
            }
            Kind::Immediate => {
                let (at, n) = self.operand_where(|o| matches!(o, Operand::Imm(_)))?;
                let Operand::Imm(old) = self.operands(at)[n] else { return None };
                let new = self.pick(&[old.wrapping_add(1), -1, 1 << 40, i64::MIN, 64, 0])?;
                self.set_operand(at, n, Operand::Imm(new));
                return (old != new).then_some(());
            }
            Kind::Address => self.address()?,
            Kind::Jump => {
                let (at, n) = self.operand_where(|o| matches!(o, Operand::Block(_)))?;
                let block = self.any_block();
                self.set_operand(at, n, Operand::Block(block));
            }
            Kind::Target => {
                let (at, n) = self.operand_where(|o| matches!(o, Operand::Target(_)))?;
                let others =
                    [Target::Function(CodeId::new(0)), Target::Data(DataId::new(0)), Target::Runtime("mini_trap_null")];
                let new = self.pick(&others)?;
                self.set_operand(at, n, Operand::Target(new));
            }
            Kind::DropInst => {
                let (block, n) = self.inst_where(|_, _| true)?;
                self.mir.blocks[block].insts.remove(n);
                self.follow();
            }
            Kind::RepeatInst | Kind::MoveInst => {
                let (block, n) = self.inst_where(|_, _| true)?;
                let inst = match kind {
                    Kind::MoveInst => self.mir.blocks[block].insts.remove(n),
                    // Seldom with the operands of the other.
                    _ if self.random.once_in(5) => self.mir.blocks[block].insts[n],
                    _ => {
                        let MInst { op, size, cond, pos, .. } = self.mir.blocks[block].insts[n];
                        let operands = self.operands((block, n));
                        self.mir.inst(op, size, cond, &operands, pos)
                    }
                };
                let (to, place) = self.inst_where(|_, _| true)?;
                self.mir.blocks[to].insts.insert(place, inst);
                self.follow();
            }
            Kind::Successors => {
                let block = self.any_block();
                let other = self.any_block();
                let successors = &mut self.mir.blocks[block].successors;
                match self.random.below(2) {
                    0 => successors.push(other),
                    _ => drop(successors.pop()?),
                }
            }
            Kind::SwapBlocks => {
                let count = self.mir.order.len();
                let (a, b) = (self.random.below(count), self.random.below(count));
                self.mir.order.swap(a, b);
                return (a != b).then_some(());
            }
            Kind::DropBlock => {
                let n = self.random.below(self.mir.order.len());
                self.mir.order.remove(n);
            }
            Kind::Class => {
                let vregs: Vec<VReg> = self.mir.vregs.ids().collect();
                let vreg = self.pick(&vregs)?;
                let class = &mut self.mir.vregs[vreg].class;
                *class = match class {
                    RegClass::General => RegClass::Vector,
                    RegClass::Vector => RegClass::General,
                };
            }
            Kind::Counts => match self.random.below(3) {
                0 => self.mir.slots = self.mir.slots.checked_sub(1)?,
                1 => self.mir.outgoing = self.mir.outgoing.checked_sub(8)?,
                _ => return (std::mem::replace(&mut self.mir.calls, Calls::None) == Calls::Some).then_some(()),
            },
        }
        Some(())
    }

    // ---- Choices ----

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.random.below(from.len())])
    }

    fn any_block(&mut self) -> MBlock {
        self.mir.order[self.random.below(self.mir.order.len())]
    }

    fn inst_where(&mut self, fits: impl Fn(&Mir, &MInst) -> bool) -> Option<At> {
        let mir = &*self.mir;
        let all = mir.order.iter().flat_map(|&b| mir.blocks[b].insts.iter().enumerate().map(move |(n, i)| (b, n, i)));
        let found: Vec<At> = all.filter(|(_, _, inst)| fits(mir, inst)).map(|(b, n, _)| (b, n)).collect();
        self.pick(&found)
    }

    fn operand_where(&mut self, fits: impl Fn(&Operand) -> bool) -> Option<(At, usize)> {
        let at = self.inst_where(|mir, inst| mir.operands(inst).iter().any(&fits))?;
        let operands = self.operands(at);
        let places: Vec<usize> = (0..operands.len()).filter(|&n| fits(&operands[n])).collect();
        Some((at, self.pick(&places)?))
    }

    /// A register, most often of the kind that the function has.
    fn any_register(&mut self, class: Option<RegClass>) -> Option<Reg> {
        let fixed = (0..32).map(|n| Reg::P(PReg(n)));
        let all: Vec<Reg> = self.mir.vregs.ids().map(Reg::V).chain(fixed).collect();
        let virtual_only = !self.mir.vregs.is_empty() && !self.random.once_in(5);
        let fits =
            |&reg: &Reg| class.is_none_or(|c| c == self.mir.class(reg)) && (!virtual_only || matches!(reg, Reg::V(_)));
        let all: Vec<Reg> = all.into_iter().filter(fits).collect();
        self.pick(&all)
    }

    // ---- Changes ----

    fn inst(&mut self, (block, n): At) -> &mut MInst {
        &mut self.mir.blocks[block].insts[n]
    }

    fn operands(&self, (block, n): At) -> Vec<Operand> {
        self.mir.operands(&self.mir.blocks[block].insts[n]).to_vec()
    }

    fn set_operand(&mut self, at: At, n: usize, operand: Operand) {
        let mut operands = self.operands(at);
        operands[n] = operand;
        self.set_operands(at, &operands);
    }

    /// Gives an instruction operands of its own.
    fn set_operands(&mut self, at: At, operands: &[Operand]) {
        let MInst { op, size, cond, pos, .. } = *self.inst(at);
        let new = self.mir.inst(op, size, cond, operands, pos);
        *self.inst(at) = new;
        self.follow();
    }

    /// Successors are what jumps name.
    fn follow(&mut self) {
        for block in self.mir.order.clone() {
            self.mir.blocks[block].successors = self.mir.targets(block);
        }
    }

    fn register(&mut self, choose: impl Fn(&mut Self, Reg) -> Option<Reg>) -> Option<()> {
        let has_register = |o: &Operand| match o {
            Operand::Reg(..) => true,
            Operand::Mem(mem) => matches!(mem.base, Base::Reg(_)) || mem.index.is_some(),
            Operand::Imm(_) | Operand::Block(_) | Operand::Target(_) => false,
        };
        let (at, n) = self.operand_where(has_register)?;
        let mut operand = self.operands(at)[n];
        let place = match &mut operand {
            Operand::Reg(reg, _) => reg,
            Operand::Mem(mem) => match (&mut mem.base, &mut mem.index) {
                (Base::Reg(base), Some((index, _))) => {
                    if self.random.once_in(2) {
                        base
                    } else {
                        index
                    }
                }
                (Base::Reg(reg), None) | (_, Some((reg, _))) => reg,
                _ => return None,
            },
            Operand::Imm(_) | Operand::Block(_) | Operand::Target(_) => return None,
        };
        let new = choose(self, *place)?;
        let old = std::mem::replace(place, new);
        self.set_operand(at, n, operand);
        (old != new).then_some(())
    }

    fn address(&mut self) -> Option<()> {
        let (at, n) = self.operand_where(|o| matches!(o, Operand::Mem(_)))?;
        let Operand::Mem(old) = self.operands(at)[n] else { return None };
        let mut mem = old;
        match self.random.below(4) {
            0 => mem.disp = self.pick(&[mem.disp.wrapping_add(8), -8, i32::MAX])?,
            1 => mem.index = Some((self.any_register(None)?, self.pick(&[1, 2, 3, 8])?)),
            2 => {
                let slot = Base::Slot(Slot::new(self.random.below(self.mir.slots as usize + 1)));
                mem.base = self.pick(&[slot, Base::Outgoing, Base::Incoming, Base::None])?;
            }
            _ => mem.base = Base::Reg(self.any_register(None)?),
        }
        self.set_operand(at, n, Operand::Mem(mem));
        (old != mem).then_some(())
    }
}
