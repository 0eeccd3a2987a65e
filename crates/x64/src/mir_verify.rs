//! The rules of MIR, numbered. Each has a test that breaks it.
//!
//! *In:* a function, and whether registers have been allocated. *Out:* the breaches. *Cost:* linear, and for each
//! virtual register the blocks that it is live into.
//!
//!  1. There is a block; no block is laid out twice, and none laid out is empty. Labels are unique.
//!  2. A block ends in `jmp`, `jmp_table`, `ret` or `trap`, of which there is no other; `jcc`s stand right before the `jmp`.
//!  3. The successors of a block are the blocks that its jumps name, each once, and are laid out.
//!  4. Every block laid out can be reached.
//!  5. Operands are as many and of the kinds, roles and classes that the operation takes.
//!  6. At most one operand is memory, but in traps.
//!  7. Immediates fit: 32 bits signed, but in a `mov` to a register and in parallel copies; shift counts are 0 to 63.
//!  8. A condition is there if and only if the operation reads the flags; sizes are ones that the operation has.
//!  9. What reads the flags stands behind what sets them, in the same block, with nothing between that spoils them.
//! 10. A physical register that is read was set before in the block and not changed since; at the entry, the parameters' are set.
//!     (Before allocation.)
//! 11. The stack pointer is never named, the scratch registers not before allocation.
//! 12. Fixed registers are where they must be: rdx and rax for `cqo`, rax and rdx for `idiv`, rcx for counts, rax and rcx for `alloc`.
//! 13. A parallel copy has pairs of one class, and no destination twice.
//! 14. Virtual registers, slots and the outgoing area are within the function's counts; scales are 1, 2, 4 or 8; no index is rsp.
//! 15. After allocation there are no virtual registers and no parallel copies.
//! 16. A virtual register is set on every way to where it is read.

use crate::forms::{Rest, allows, form, forms};
use crate::mir::{Base, MBlock, MInst, Mem, Mir, Operand, Reg, Role, VReg};
use crate::op::{Cond, Flags, MOp, RESERVED, Size};
use crate::regs::{ENV, FLOAT_ARGS, INT_ARGS, PReg, PRegSet, RegClass};
use mini_base::bitset::BitSet;
use mini_base::ids::{Id, IdVec};
use mini_base::lists::Lists;
use rustc_hash::FxHashSet;

/// Before or after register allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// With virtual registers.
    Virtual,
    /// Without.
    Allocated,
}

/// A breach of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MirError {
    /// The rule's number.
    pub rule: u32,
    /// Where: the block's label, and the instruction's index.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for MirError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rule {}: {}: {}", self.rule, self.place, self.message)
    }
}

/// Checks a function.
pub fn verify(mir: &Mir, stage: Stage) -> Result<(), Vec<MirError>> {
    let mut verifier = Verifier { mir, stage, errors: Vec::new(), place: String::new() };
    verifier.blocks();
    if verifier.errors.is_empty() {
        // The rest may rely on the shape of the blocks.
        for (rank, &block) in mir.order.iter().enumerate() {
            verifier.insts(block);
            if stage == Stage::Virtual {
                verifier.fixed_ranges(block, rank);
            }
        }
    }
    if verifier.errors.is_empty() {
        verifier.definitions();
    }
    if verifier.errors.is_empty() { Ok(()) } else { Err(verifier.errors) }
}

struct Verifier<'m> {
    mir: &'m Mir,
    stage: Stage,
    errors: Vec<MirError>,
    place: String,
}

impl Verifier<'_> {
    fn require(&mut self, holds: bool, rule: u32, message: impl FnOnce() -> String) {
        if !holds {
            self.errors.push(MirError { rule, place: self.place.clone(), message: message() });
        }
    }

    // ---- Rules 1 to 4 ----

    fn blocks(&mut self) {
        let mir = self.mir;
        self.require(!mir.order.is_empty(), 1, || "there is no block".into());
        let mut laid_out = BitSet::new(mir.blocks.len());
        let mut labels: FxHashSet<&str> = FxHashSet::default();
        for &block in &mir.order {
            self.place = mir.blocks[block].label.clone();
            self.require(laid_out.insert(block), 1, || "it is laid out twice".into());
            self.require(labels.insert(&mir.blocks[block].label), 1, || "another block has this label".into());
            self.require(!mir.blocks[block].insts.is_empty(), 1, || "it is empty".into());
        }
        for &block in &mir.order {
            self.place = mir.blocks[block].label.clone();
            self.ending(block);
            let successors = &mir.blocks[block].successors;
            let mut named = mir.targets(block);
            let mut listed = successors.clone();
            named.sort_unstable();
            listed.sort_unstable();
            self.require(named == listed, 3, || format!("it lists {listed:?} and names {named:?}"));
            self.require(successors.iter().all(|&s| laid_out.contains(s)), 3, || "a successor is not laid out".into());
        }
        self.reachable();
    }

    fn ending(&mut self, block: MBlock) {
        let insts = &self.mir.blocks[block].insts;
        let Some((last, before)) = insts.split_last() else { return };
        self.require(last.op.is_terminator(), 2, || format!("it ends in `{}`", last.op.info().name));
        self.require(!before.iter().any(|i| i.op.is_terminator()), 2, || "it ends early".into());
        let conditional = before.iter().rev().take_while(|i| i.op == MOp::Jcc).count();
        let all = before.iter().filter(|i| i.op == MOp::Jcc).count();
        self.require(all == conditional && (all == 0 || last.op == MOp::Jmp), 2, || {
            "a `jcc` is not before the `jmp`".into()
        });
    }

    fn reachable(&mut self) {
        let mir = self.mir;
        let Some(&entry) = mir.order.first() else { return };
        let mut reached = BitSet::new(mir.blocks.len());
        let mut work = vec![entry];
        reached.insert(entry);
        while let Some(block) = work.pop() {
            work.extend(mir.blocks[block].successors.iter().copied().filter(|&next| reached.insert(next)));
        }
        for &block in &mir.order {
            self.place = mir.blocks[block].label.clone();
            self.require(reached.contains(block), 4, || "nothing leads there".into());
        }
    }

    // ---- Rules 5 to 9 and 11 to 15: one instruction each ----

    fn insts(&mut self, block: MBlock) {
        let mir = self.mir;
        let mut flags = false;
        for (n, inst) in mir.blocks[block].insts.iter().enumerate() {
            self.place = format!("{}[{n}] {}", mir.blocks[block].label, inst.op.info().name);
            self.operands(inst);
            self.immediates(inst);
            self.modifiers(inst);
            self.fixed_registers(inst);
            match inst.op.info().flags {
                Flags::Keeps => {}
                Flags::Sets => flags = true,
                Flags::Clobbers => flags = false,
                Flags::Reads => self.require(flags, 9, || "nothing has set the flags".into()),
            }
            if inst.op == MOp::ParallelCopy {
                self.parallel_copy(inst);
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
        self.require(enough && few && pairs && traps, 5, || format!("{} operands", operands.len()));
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
            self.require(fits, 5, || format!("operand {n} can't be {operand:?}"));
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
            let classes: Vec<RegClass> = self.registers(inst).iter().map(|&r| self.mir.class(r)).collect();
            self.require(classes.len() == 2 && classes[0] != classes[1], 5, || "`movq` is between the classes".into());
        }
        self.require(memory <= 1 || rest == Rest::TrapArgs, 6, || format!("{memory} operands are memory"));
    }

    fn registers(&self, inst: &MInst) -> Vec<Reg> {
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
                self.require(stage == Stage::Virtual, 15, || "a virtual register is left".into());
                self.require(in_range || stage == Stage::Allocated, 14, || format!("{reg:?} does not exist"));
            }
            Reg::P(preg) => {
                let reserved = if stage == Stage::Virtual { RESERVED } else { PRegSet::of(&[PReg::RSP]) };
                self.require(!reserved.contains(preg), 11, || format!("{preg} is named"));
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
                self.require(slot.index() < slots, 14, || format!("{slot} of {slots}"));
            }
            Base::Outgoing => {
                let outgoing = self.mir.outgoing as i32;
                self.require((0..outgoing).contains(&mem.disp), 14, || format!("byte {} of {outgoing}", mem.disp));
            }
            Base::Target(_) => self.require(mem.index.is_none(), 14, || "a target takes no index".into()),
            Base::Incoming | Base::None => {}
        }
        if let Some((reg, scale)) = mem.index {
            self.register(reg);
            self.general(reg);
            self.require(matches!(scale, 1 | 2 | 4 | 8), 14, || format!("the scale {scale}"));
        }
    }

    fn general(&mut self, reg: Reg) {
        let general = self.in_range(reg) && self.mir.class(reg) == RegClass::General;
        self.require(general, 5, || "an address has general registers".into());
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
            self.require(wide || i32::try_from(value).is_ok(), 7, || format!("{value} does not fit"));
            if n == 1 && matches!(inst.op, MOp::Shl | MOp::Sar | MOp::Shr) {
                self.require((0..64).contains(&value), 7, || format!("a shift by {value}"));
            }
        }
    }

    fn modifiers(&mut self, inst: &MInst) {
        let reads = inst.op.info().flags == Flags::Reads;
        self.require(reads == (inst.cond != Cond::Always), 8, || format!("the condition {:?}", inst.cond));
        let stores = inst.op == MOp::Mov && matches!(self.mir.operands(inst).first(), Some(Operand::Mem(_)));
        let has = match inst.size {
            Size::B8 => true,
            Size::B4 => {
                matches!(inst.op, MOp::Mov | MOp::Add | MOp::Sub | MOp::And | MOp::Or | MOp::Xor | MOp::Cmp | MOp::Test)
            }
            Size::B1 => stores,
        };
        self.require(has, 8, || format!("the size {:?}", inst.size));
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
                self.require(reg == Reg::P(wanted), 12, || format!("operand {n} is {reg:?} instead of {wanted}"));
            }
        }
    }

    fn parallel_copy(&mut self, inst: &MInst) {
        self.require(self.stage == Stage::Virtual, 15, || "a parallel copy is left".into());
        let mut seen: FxHashSet<Reg> = FxHashSet::default();
        for pair in self.mir.operands(inst).chunks(2) {
            let Some(&Operand::Reg(to, _)) = pair.first() else { continue };
            self.require(seen.insert(to), 13, || format!("{to:?} is written twice"));
            if !self.in_range(to) {
                continue;
            }
            let class = match pair.get(1) {
                Some(&Operand::Reg(from, _)) if self.in_range(from) => self.mir.class(from),
                _ => RegClass::General,
            };
            self.require(class == self.mir.class(to), 13, || format!("{to:?} gets a value of the other class"));
        }
    }

    // ---- Rule 10 ----

    fn fixed_ranges(&mut self, block: MBlock, rank: usize) {
        let mir = self.mir;
        let mut set = PRegSet::EMPTY;
        if rank == 0 {
            set = INT_ARGS.iter().copied().chain((0..FLOAT_ARGS).map(PReg::xmm)).chain([ENV]).fold(set, PRegSet::with);
        }
        for (n, inst) in mir.blocks[block].insts.iter().enumerate() {
            self.place = format!("{}[{n}] {}", mir.blocks[block].label, inst.op.info().name);
            let mut read = PRegSet::EMPTY;
            let mut written = PRegSet::EMPTY;
            mir.for_each_reg(inst, |reg, role| {
                let Reg::P(reg) = reg else { return };
                match role {
                    Role::Use => read = read.with(reg),
                    Role::Def | Role::Early => written = written.with(reg),
                    Role::Mod => (read, written) = (read.with(reg), written.with(reg)),
                }
            });
            for reg in read.iter() {
                self.require(set.contains(reg), 10, || format!("{reg} has no value"));
            }
            set = PRegSet(set.0 & !inst.op.clobbers().0).union(written);
            if inst.op == MOp::Alloc {
                set = set.without(PReg::RCX); // its temporary
            }
        }
    }

    // ---- Rule 16 ----

    /// No register is live at the entry: a walk over predecessors from the blocks that read it before they set it, stopped
    /// by blocks that set it, does not come there.
    fn definitions(&mut self) {
        let mir = self.mir;
        let (mut exposed, mut sets) = (Vec::new(), Vec::new());
        // The block that set the register last, in the order of the layout.
        let mut newest: IdVec<VReg, Option<MBlock>> = IdVec::filled(None, mir.vregs.len());
        for &block in &mir.order {
            for inst in &mir.blocks[block].insts {
                mir.for_each_reg(inst, |reg, role| {
                    if let (Reg::V(v), Role::Use | Role::Mod) = (reg, role)
                        && newest[v] != Some(block)
                    {
                        exposed.push((v, block));
                    }
                });
                mir.for_each_reg(inst, |reg, role| {
                    if let (Reg::V(v), Role::Def | Role::Early | Role::Mod) = (reg, role)
                        && newest[v].replace(block) != Some(block)
                    {
                        sets.push((v, block));
                    }
                });
            }
        }
        let exposed: Lists<VReg, MBlock> = Lists::new(mir.vregs.len(), exposed.into_iter());
        let sets: Lists<VReg, MBlock> = Lists::new(mir.vregs.len(), sets.into_iter());
        let ways =
            mir.order.iter().flat_map(|&block| mir.blocks[block].successors.iter().map(move |&next| (next, block)));
        let predecessors: Lists<MBlock, MBlock> = Lists::new(mir.blocks.len(), ways);
        // Marked with the register whose walk came by, or is to stop there.
        let mut live: IdVec<MBlock, Option<VReg>> = IdVec::filled(None, mir.blocks.len());
        let mut stops = live.clone();
        let mut work = Vec::new();
        for vreg in mir.vregs.ids() {
            for &block in sets.of(vreg) {
                stops[block] = Some(vreg);
            }
            work.extend(exposed.of(vreg));
            while let Some(block) = work.pop() {
                if live[block].replace(vreg) != Some(vreg) {
                    work.extend(predecessors.of(block).iter().filter(|&&p| stops[p] != Some(vreg)));
                }
            }
            self.place = mir.blocks[mir.order[0]].label.clone();
            self.require(live[mir.order[0]] != Some(vreg), 16, || {
                format!(
                    "on a way from here, {vreg} is read (in {}) before it is set",
                    mir.blocks[exposed.of(vreg)[0]].label
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir_text::parse_mir;

    /// A function with this body behind declarations; `v0`, `v1` general, `v2` vector.
    fn parsed(body: &str) -> Mir {
        let head = "mir \"f\" {\n  slots 1\n  outgoing 8\n  v0: general\n  v1: general\n  v2: vector\n";
        parse_mir(&format!("{head}{body}}}\n")).unwrap_or_else(|e| panic!("{e}: {body}"))
    }

    fn broken(mir: &Mir, stage: Stage) -> Vec<u32> {
        let mut rules: Vec<u32> = verify(mir, stage).err().unwrap_or_default().iter().map(|e| e.rule).collect();
        rules.dedup();
        rules
    }

    /// The rules that instructions in the entry block break, between two moves and a return.
    fn rules(insts: &str) -> Vec<u32> {
        let insts: String = insts.split("; ").map(|i| format!("  {i}\n")).collect();
        broken(&parsed(&format!("entry:\n  mov v0, 1\n  mov v1, 2\n  fzero v2\n{insts}  ret\n")), Stage::Virtual)
    }

    #[test]
    fn right_code_passes() {
        let body = "entry:\n  parcopy v0 <- rdi, v1 <- 5, v2 <- xmm0\n  cmp v0, v1\n  mov v1, 7\n  jcc.l loop\n  jcc.p loop\n  jmp end\nloop:\n  add v0, [v1 + v0*8 + 16]\n  mov.8 [slot0], 300\n  parcopy rax <- v0\n  cqo rdx, rax\n  idiv rax, rdx, v1\n  parcopy v0 <- rdx\n  cmp v0, 5\n  trapif.e mini_trap_null\n  jmp end\nend:\n  parcopy rdi <- v0\n  call fn0 (rdi) -> (rax)\n  ret rax\n";
        assert_eq!(verify(&parsed(body), Stage::Virtual), Ok(()));
        assert_eq!(broken(&parsed("entry:\n  mov r11, [slot0]\n  ret\n"), Stage::Allocated), []);
    }

    #[test]
    fn rule_1_blocks() {
        assert_eq!(broken(&parsed(""), Stage::Virtual), [1]);
        let mut mir = parsed("entry:\n  ret\n");
        mir.order.push(mir.order[0]);
        assert_eq!(broken(&mir, Stage::Virtual), [1]);
        let mut mir = parsed("entry:\n  jmp b\nb:\n  ret\n");
        mir.blocks[MBlock::new(1)].label = "entry".into();
        assert_eq!(broken(&mir, Stage::Virtual), [1]);
    }

    #[test]
    fn rule_2_endings() {
        assert_eq!(broken(&parsed("entry:\n  mov v0, 1\n"), Stage::Virtual), [2]);
        assert_eq!(rules("ret"), [2]);
        assert_eq!(
            broken(&parsed("entry:\n  cmp rdi, 0\n  jcc.e a\n  mov v0, 1\n  jmp a\na:\n  ret\n"), Stage::Virtual),
            [2]
        );
        assert_eq!(broken(&parsed("entry:\n  cmp rdi, 0\n  jcc.e a\n  ret\na:\n  ret\n"), Stage::Virtual), [2]);
    }

    #[test]
    fn rule_3_successors() {
        let mut mir = parsed("entry:\n  jmp b\nb:\n  ret\n");
        mir.blocks[MBlock::new(1)].successors.push(MBlock::new(0));
        assert_eq!(broken(&mir, Stage::Virtual), [3]);
    }

    #[test]
    fn rule_4_reachability() {
        assert_eq!(broken(&parsed("entry:\n  ret\nb:\n  ret\n"), Stage::Virtual), [4]);
    }

    #[test]
    fn rule_5_operands() {
        for insts in [
            "mov v0",
            "mov v0, 1, 2",
            "add v0, use v2",
            "mov use v0, 1",
            "imul3 v0, v1, use v1",
            "lea v0, [v2]",
            "movq v0, use v1",
        ] {
            assert_eq!(rules(insts), [5], "{insts}");
        }
    }

    #[test]
    fn rule_6_memory() {
        assert_eq!(rules("mov [v0], [v1]"), [6]);
    }

    #[test]
    fn rule_7_immediates() {
        assert_eq!(rules("mov v0, 4294967296"), []);
        for insts in ["mov [v0], 4294967296", "add v0, 2147483648", "shl v0, 64"] {
            assert_eq!(rules(insts), [7], "{insts}");
        }
    }

    #[test]
    fn rule_8_modifiers() {
        for insts in ["mov.l v0, 1", "imul.32 v0, v1", "mov.8 v0, 1", "cmp v0, 1; set v1"] {
            assert_eq!(rules(insts), [8], "{insts}");
        }
    }

    #[test]
    fn rule_9_flags() {
        for insts in
            ["set.l v0", "cmp v0, v1; imul v0, v1; set.e v1", "cmp v0, v1; call mini_text_begin; cmov.l v0, v1"]
        {
            assert_eq!(rules(insts), [9], "{insts}");
        }
        assert_eq!(rules("cmp v0, v1; mov v0, 5; set.e v1"), []);
    }

    #[test]
    fn rule_10_fixed_ranges() {
        for insts in ["mov v0, rax", "mov rax, 1; call mini_text_begin; mov v0, rax"] {
            assert_eq!(rules(insts), [10], "{insts}");
        }
        let body = "entry:\n  mov rbx, 1\n  jmp b\nb:\n  mov v0, rbx\n  ret\n";
        assert_eq!(broken(&parsed(body), Stage::Virtual), [10]);
    }

    #[test]
    fn rule_11_reserved_registers() {
        for insts in ["mov v0, rsp", "mov r11, 1", "fzero xmm15"] {
            assert!(rules(insts).contains(&11), "{insts}");
        }
        assert_eq!(broken(&parsed("entry:\n  mov rsp, 1\n  ret\n"), Stage::Allocated), [11]);
    }

    #[test]
    fn rule_12_fixed_registers() {
        for insts in ["shl v0, v1", "cqo v0, v1", "idiv v0, v1, v0", "alloc v0, v1, data0, 1"] {
            assert_eq!(rules(insts), [12], "{insts}");
        }
    }

    #[test]
    fn rule_13_parallel_copies() {
        for insts in ["parcopy v0 <- v1, v0 <- 3", "parcopy v0 <- use v2", "parcopy v2 <- 5"] {
            assert_eq!(rules(insts), [13], "{insts}");
        }
    }

    #[test]
    fn rule_14_counts() {
        for insts in ["mov v0, [slot1]", "mov [out + 8], v0", "mov v0, [v0 + v1*3]", "mov v0, [data0 + v1*8]"] {
            assert_eq!(rules(insts), [14], "{insts}");
        }
    }

    #[test]
    fn rule_15_nothing_virtual_is_left() {
        assert_eq!(broken(&parsed("entry:\n  mov v0, 1\n  ret\n"), Stage::Allocated), [15]);
        assert_eq!(broken(&parsed("entry:\n  parcopy rax <- 1\n  ret\n"), Stage::Allocated), [15]);
    }

    #[test]
    fn rule_16_definitions() {
        let body = "entry:\n  cmp rdi, 0\n  jcc.e a\n  jmp b\na:\n  mov v0, 1\n  jmp b\nb:\n  mov v1, v0\n  ret\n";
        assert_eq!(broken(&parsed(body), Stage::Virtual), [16]);
        assert_eq!(broken(&parsed(&body.replace("  cmp", "  mov v0, 2\n  cmp")), Stage::Virtual), []);
    }
}
