//! Rules 5 to 9, 11 to 15, 17 and 18: what one instruction must be like.

use super::{Rule, Stage, Verifier};
use crate::code::Target;
use crate::forms::{Rest, allows, form, forms};
use crate::mir::{Base, Calls, MBlock, MInst, Mem, Operand, Reg, Role};
use crate::op::{Cond, Flags, MOp, RESERVED, Size};
use crate::regs::{ENV, FLOAT_ARGS, INT_ARGS, PReg, PRegSet, RegClass};
use mini_base::ids::Id;
use mini_prim::classes::CLASS_SIZES;
use rustc_hash::FxHashSet;

/// There never are as many bytes of arguments on the stack; what is added to them stays in range.
const MAX_INCOMING: i32 = 1 << 24;

impl Verifier<'_> {
    pub(super) fn insts(&mut self, block: MBlock) {
        let mir = self.mir;
        let mut flags = false;
        for (n, inst) in mir.blocks[block].insts.iter().enumerate() {
            self.place = format!("{}[{n}] {}", mir.blocks[block].label, inst.op.info().name);
            self.operands(inst);
            self.immediates(inst);
            self.modifiers(inst);
            self.fixed_registers(inst);
            self.convention(inst);
            self.targets(inst);
            self.writes(inst);
            match inst.op.info().flags {
                Flags::Keeps => {}
                Flags::Sets => flags = true,
                Flags::Clobbers => flags = false,
                Flags::Reads => self.require(flags, Rule::Flags, || "nothing has set the flags".into()),
            }
            if inst.op == MOp::ParallelCopy {
                self.parallel_copy(inst);
            }
        }
    }

    /// Who changes the operands of an instruction changes no other.
    pub(super) fn own_operands(&mut self) {
        let mir = self.mir;
        let mut owned = vec![false; mir.pool.len()];
        for &block in &mir.order {
            for (n, inst) in mir.blocks[block].insts.iter().enumerate() {
                let operands = &mut owned[inst.start as usize..(inst.start + inst.len) as usize];
                self.place = format!("{}[{n}] {}", mir.blocks[block].label, inst.op.info().name);
                self.require(!operands.contains(&true), Rule::Operands, || "its operands are another's, too".into());
                operands.fill(true);
            }
        }
    }

    fn operands(&mut self, inst: &MInst) {
        let operands = self.mir.operands(inst);
        let (fixed, rest) = forms(inst.op);
        let without_target = inst.op == MOp::Trap && operands.is_empty();
        let enough = operands.len() >= fixed.len() || without_target;
        let few = rest != Rest::Nothing || operands.len() <= fixed.len();
        let pairs = rest != Rest::Pairs || operands.len().is_multiple_of(2);
        let traps = rest != Rest::TrapArgs || operands.len() <= fixed.len() + INT_ARGS.len();
        let enough = enough && (rest != Rest::Blocks || operands.len() > fixed.len());
        self.require(enough && few && pairs && traps, Rule::Operands, || format!("{} operands", operands.len()));
        let mut defs = false;
        let mut memory = 0;
        for (n, operand) in operands.iter().enumerate() {
            let form = form(inst.op, n);
            let fits = match *operand {
                Operand::Reg(reg, role) => {
                    defs |= n >= fixed.len() && role == Role::Def;
                    let ordered = rest != Rest::UsesThenDefs || n < fixed.len() || role == Role::Def || !defs;
                    self.in_range(reg) && allows(form, self.mir.class(reg), role) && ordered
                }
                Operand::Mem(_) => form.contains('*'),
                Operand::Imm(_) => form.contains(['i', 'I']),
                Operand::Block(_) => form.contains('b'),
                Operand::Target(_) => form.contains('t'),
            };
            self.require(fits, Rule::Operands, || format!("operand {n} can't be {operand:?}"));
            match operand {
                Operand::Mem(mem) => {
                    memory += 1;
                    self.memory(mem);
                }
                Operand::Reg(reg, _) => self.register(*reg),
                Operand::Imm(_) | Operand::Block(_) | Operand::Target(_) => {}
            }
        }
        if inst.op == MOp::Movq {
            let classes: Vec<RegClass> = self.named_registers(inst).iter().map(|&r| self.mir.class(r)).collect();
            self.require(classes.len() == 2 && classes[0] != classes[1], Rule::Operands, || {
                "`movq` is between the classes".into()
            });
        }
        self.require(memory <= 1 || rest == Rest::TrapArgs, Rule::Memory, || format!("{memory} operands are memory"));
        for operand in operands {
            let Operand::Mem(mem) = operand else { continue };
            let fits = match inst.op {
                MOp::Andpd | MOp::Xorpd => matches!(mem.base, Base::Target(_)),
                _ if rest == Rest::TrapArgs => {
                    matches!(mem.base, Base::Slot(_) | Base::Outgoing | Base::Incoming) && mem.index.is_none()
                }
                _ => true,
            };
            self.require(fits, Rule::Memory, || format!("{} can't read {mem:?}", inst.op.info().name));
        }
    }

    fn named_registers(&self, inst: &MInst) -> Vec<Reg> {
        let in_range = |o: &Operand| match *o {
            Operand::Reg(reg, _) if self.in_range(reg) => Some(reg),
            _ => None,
        };
        self.mir.operands(inst).iter().filter_map(in_range).collect()
    }

    fn in_range(&self, reg: Reg) -> bool {
        match reg {
            Reg::V(vreg) => vreg.index() < self.mir.vregs.len(),
            Reg::P(preg) => preg.0 < 32,
        }
    }

    fn register(&mut self, reg: Reg) {
        let in_range = self.in_range(reg);
        let stage = self.stage;
        match reg {
            Reg::V(_) => {
                self.require(stage == Stage::Virtual, Rule::Leftovers, || "a virtual register is left".into());
                self.require(in_range || stage == Stage::Allocated, Rule::Bounds, || format!("{reg:?} does not exist"));
            }
            Reg::P(preg) => {
                let reserved = if stage == Stage::Virtual { RESERVED } else { PRegSet::of(&[PReg::RSP]) };
                self.require(!reserved.contains(preg), Rule::Reserved, || format!("{preg} is named"));
            }
        }
    }

    fn memory(&mut self, mem: &Mem) {
        match mem.base {
            Base::Reg(reg) => {
                self.register(reg);
                self.general(reg);
            }
            Base::Slot(slot) => {
                let slots = self.mir.slots as usize;
                self.require(slot.index() < slots, Rule::Bounds, || format!("{slot} of {slots}"));
                let inside = mem.index.is_none() && mem.disp == 0;
                self.require(inside, Rule::Bounds, || format!("a place that is not all of {slot}"));
            }
            Base::Outgoing => {
                let outgoing = self.mir.outgoing as i32;
                let inside = mem.index.is_none() && 0 <= mem.disp && mem.disp <= outgoing - 8;
                self.require(inside, Rule::Bounds, || format!("byte {} of {outgoing}", mem.disp));
            }
            Base::Incoming => {
                let inside = mem.index.is_none() && (0..MAX_INCOMING).contains(&mem.disp);
                self.require(inside, Rule::Bounds, || "a place that is no argument".into());
            }
            Base::Target(_) => self.require(mem.index.is_none(), Rule::Bounds, || "a target takes no index".into()),
            Base::None => {}
        }
        if let Some((reg, scale)) = mem.index {
            self.register(reg);
            self.general(reg);
            self.require(matches!(scale, 1 | 2 | 4 | 8), Rule::Bounds, || format!("the scale {scale}"));
        }
    }

    fn general(&mut self, reg: Reg) {
        let general = self.in_range(reg) && self.mir.class(reg) == RegClass::General;
        self.require(general, Rule::Operands, || "an address has general registers".into());
    }

    fn immediates(&mut self, inst: &MInst) {
        let operands = self.mir.operands(inst);
        for (n, operand) in operands.iter().enumerate() {
            let Operand::Imm(value) = *operand else { continue };
            let wide = match inst.op {
                MOp::Mov => matches!(operands[0], Operand::Reg(..)),
                MOp::ParallelCopy | MOp::TrapIf | MOp::Trap => true,
                _ => false,
            };
            self.require(wide || i32::try_from(value).is_ok(), Rule::Immediates, || format!("{value} does not fit"));
            let bound = match inst.op {
                MOp::Shl | MOp::Sar | MOp::Shr if n == 1 => 64,
                MOp::Roundsd => 16,
                MOp::Alloc => CLASS_SIZES.len() as i64,
                _ => continue,
            };
            self.require((0..bound).contains(&value), Rule::Immediates, || format!("{value} of {bound}"));
        }
    }

    fn modifiers(&mut self, inst: &MInst) {
        let reads = inst.op.info().flags == Flags::Reads;
        self.require(reads == (inst.cond != Cond::Always), Rule::Modifiers, || {
            format!("the condition {:?}", inst.cond)
        });
        let stores = inst.op == MOp::Mov && matches!(self.mir.operands(inst).first(), Some(Operand::Mem(_)));
        let has = match inst.size {
            Size::B8 => true,
            Size::B4 => {
                matches!(inst.op, MOp::Mov | MOp::Add | MOp::Sub | MOp::And | MOp::Or | MOp::Xor | MOp::Cmp | MOp::Test)
            }
            Size::B1 => stores,
        };
        self.require(has, Rule::Modifiers, || format!("the size {:?}", inst.size));
        // The upper half of the slot would stay, where a register's is cleared.
        let writes = form(inst.op, 0).contains(['d', 'D', 'm', 'M']);
        let to_slot =
            matches!(self.mir.operands(inst).first(), Some(Operand::Mem(mem)) if matches!(mem.base, Base::Slot(_)));
        self.require(!(writes && to_slot && inst.size == Size::B4), Rule::Modifiers, || "half a slot".into());
    }

    fn fixed_registers(&mut self, inst: &MInst) {
        let wanted: &[(usize, PReg)] = match inst.op {
            MOp::Cqo => &[(0, PReg::RDX), (1, PReg::RAX)],
            MOp::Idiv => &[(0, PReg::RAX), (1, PReg::RDX)],
            MOp::Shl | MOp::Sar | MOp::Shr => &[(1, PReg::RCX)],
            MOp::Alloc => &[(0, PReg::RAX), (1, PReg::RCX)],
            _ => &[],
        };
        for &(n, wanted) in wanted {
            if let Some(&Operand::Reg(reg, _)) = self.mir.operands(inst).get(n) {
                self.require(reg == Reg::P(wanted), Rule::FixedRegisters, || {
                    format!("operand {n} is {reg:?} instead of {wanted}")
                });
            }
        }
    }

    fn parallel_copy(&mut self, inst: &MInst) {
        self.require(self.stage == Stage::Virtual, Rule::Leftovers, || "a parallel copy is left".into());
        let mut seen: FxHashSet<Reg> = FxHashSet::default();
        for pair in self.mir.operands(inst).chunks(2) {
            let Some(&Operand::Reg(to, _)) = pair.first() else { continue };
            self.require(seen.insert(to), Rule::ParallelCopies, || format!("{to:?} is written twice"));
            if !self.in_range(to) {
                continue;
            }
            let class = match pair.get(1) {
                Some(&Operand::Reg(from, _)) if self.in_range(from) => self.mir.class(from),
                _ => RegClass::General,
            };
            self.require(class == self.mir.class(to), Rule::ParallelCopies, || {
                format!("{to:?} gets a value of the other class")
            });
        }
    }

    /// The rest of rule 12: calls and returns; and of rule 14: a function knows that it calls.
    fn convention(&mut self, inst: &MInst) {
        let calls = match inst.op {
            MOp::Call | MOp::CallReg => true,
            MOp::Ret => false,
            _ => return,
        };
        let arguments =
            INT_ARGS.iter().copied().chain((0..FLOAT_ARGS).map(PReg::xmm)).fold(PRegSet::EMPTY, PRegSet::with);
        // rax: how many vector registers hold arguments, for C.
        let arguments = arguments.with(ENV).with(PReg::RAX);
        let results = PRegSet::of(&[PReg::RAX, PReg::RDX, PReg::xmm(0), PReg::xmm(1)]);
        let fixed = forms(inst.op).0.len();
        for operand in self.mir.operands(inst).iter().skip(fixed) {
            let &Operand::Reg(reg, role) = operand else { continue };
            let allowed = if calls && role == Role::Use { arguments } else { results };
            let fits = matches!(reg, Reg::P(preg) if allowed.contains(preg));
            self.require(fits, Rule::FixedRegisters, || format!("the convention does not pass anything in {reg:?}"));
        }
        self.require(!calls || self.mir.calls == Calls::Some, Rule::Bounds, || {
            "the function does not know that it calls".into()
        });
    }

    // ---- Rules 17 and 18 ----

    fn targets(&mut self, inst: &MInst) {
        for operand in self.mir.operands(inst) {
            let &Operand::Target(target) = operand else { continue };
            let fits = match inst.op {
                MOp::Call => matches!(target, Target::Function(_) | Target::Runtime(_) | Target::Symbol(_)),
                MOp::TrapIf | MOp::Trap => matches!(target, Target::Runtime(_)),
                MOp::Alloc => matches!(target, Target::Data(_)),
                _ => true,
            };
            self.require(fits, Rule::Targets, || format!("it can't have {target:?}"));
        }
    }

    fn writes(&mut self, inst: &MInst) {
        let (mut read, mut written, mut early) = (Vec::new(), Vec::new(), Vec::new());
        self.mir.for_each_reg(inst, |reg, role| match role {
            Role::Use => read.push(reg),
            Role::Def => written.push(reg),
            Role::Mod => {
                read.push(reg);
                written.push(reg);
            }
            Role::Early => early.push(reg),
        });
        if let Some(reg) = early.iter().find(|reg| read.contains(reg)) {
            self.require(false, Rule::Writes, || format!("{reg:?} is written while it is read"));
        }
        written.extend(early);
        written.sort_unstable();
        // What parallel copies write, rule 13 says.
        if let Some(pair) = written.windows(2).find(|pair| pair[0] == pair[1])
            && inst.op != MOp::ParallelCopy
        {
            self.require(false, Rule::Writes, || format!("{:?} is written twice", pair[0]));
        }
    }
}
