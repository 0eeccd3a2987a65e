//! Instruction selection: conventional SSA to machine instructions over virtual registers.
//!
//! *In:* a `Func` in phase CSSA, or in TAC again, and the static data of its module. *Out:* a [`Mir`]. *Cost:* linear (a comparison looks at most
//! [`flags::FUSION_DISTANCE`] instructions ahead for the branch that it may be fused with).
//! *Source:* maximal munch, one IR instruction at a time (A. Appel, Modern Compiler Implementation, 1998, 9.1), with three
//! looks beyond: constants are selected at their uses, comparisons at the branch that they decide, addresses at the load.
//! *Leaves:* moves to the register allocator, which gives both sides one register where it can; no scheduling.
//!
//! Each phi web is one virtual register, and so is each variable of TAC (`--destruct naive`). Constants that are no block argument have none: each use takes them as an immediate,
//! as memory, or makes them anew, which keeps registers free.
//!
//! The processor is any x86-64 with SSE4.1 (level x86-64-v2), which `roundsd` needs.
//!
//! ```text
//! func max(a: int, b: int) -> int {          max
//! entry1:                                    entry1:
//!   %1 = gt a, b                               parcopy v0 <- rdi, v1 <- rsi
//!   br %1, yes2, no3                           cmp v0, v1
//! yes2:                                        jcc.g yes2
//!   ret a                                      jmp no3
//! no3:                                       yes2:
//!   ret b                                      parcopy rax <- v0
//! }                                            ret rax …
//! ```

mod arithmetic; // ints, bits, conversions
mod calls; // parameters, calls, returns
mod control; // branches, switches, traps
mod flags; // comparisons and the conditions that they leave
mod floats; // float arithmetic
mod memory; // objects, arrays, strings, globals
mod operands; // values as registers, immediates, memory
mod slots; // stack slots

use crate::data::StaticData;
use crate::mir::{MBlock, MBlockData, MInst, Mir, Operand, Reg, Role, Slot, VReg};
use crate::op::{Cond, MOp, Size};
use mini_analysis::dominators_semi_nca;
use mini_analysis::loops::LoopForest;
use mini_base::bitset::BitSet;
use mini_base::ids::{Id, IdVec};
use mini_base::source::Pos;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Def, Func, Imm, Inst, Phase, Value, ValueName};
use mini_ir::module::ModuleInfo;
use mini_ir::op::{Effects, Op};
use mini_ir::types::Type;
use mini_ssa::phi_webs::{PhiWebs, Web};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Selects instructions for a function.
pub fn select(func: &Func, info: &ModuleInfo, data: &StaticData) -> Mir {
    assert_ne!(func.phase, Phase::Ssa, "{}: values that meet in a phi need one place", func.name);
    let mut select = Select::new(func, info, data);
    select.blocks();
    select.finish()
}

/// Whether the block being selected still takes instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// It ended early, in a trap: the rest of the IR block can't be reached.
    Ended,
}

struct Select<'a> {
    func: &'a Func,
    info: &'a ModuleInfo,
    data: &'a StaticData,
    mir: Mir,
    webs: PhiWebs,
    vregs: IdVec<Web, Option<VReg>>,
    block_of: IdVec<Block, Option<MBlock>>,
    current: MBlock,
    state: State,
    pos: Pos,
    /// Comparisons that are selected at their only user.
    fused: BitSet<Inst>,
    /// The places of the IR's stack slots, by the instruction that makes each.
    slots: FxHashMap<Inst, Slot>,
    /// The function value at the entry, if the function wants it.
    env: Option<VReg>,
    /// Blocks made beyond those of the IR.
    extra_blocks: u32,
}

impl<'a> Select<'a> {
    fn new(func: &'a Func, info: &'a ModuleInfo, data: &'a StaticData) -> Self {
        let webs = PhiWebs::new(func);
        let mut mir = Mir::new(func.name.clone());
        mir.hidden = func.hidden;
        let cfg = Cfg::new(func);
        let loops = LoopForest::new(func, &cfg, &dominators_semi_nca::dominators(func, &cfg));
        let mut block_of = IdVec::filled(None, func.block_count());
        for block in func.blocks() {
            let loop_depth = loops.depth_of(block);
            block_of[block] =
                Some(mir.blocks.push(MBlockData { label: func.label(block), loop_depth, ..MBlockData::default() }));
        }
        Select {
            func,
            info,
            data,
            mir,
            vregs: IdVec::filled(None, webs.count()),
            webs,
            block_of,
            current: MBlock::new(0),
            state: State::Open,
            pos: Pos::NONE,
            fused: BitSet::new(func.inst_count()),
            slots: FxHashMap::default(),
            env: None,
            extra_blocks: 0,
        }
    }

    fn blocks(&mut self) {
        self.find_slots();
        for (index, block) in self.func.blocks().enumerate() {
            self.start(self.mblock(block));
            if index == 0 {
                self.entry();
            }
            self.block(block);
        }
    }

    fn block(&mut self, block: Block) {
        let func = self.func;
        self.find_fused(block);
        // Copies at the end keep the flags; a comparison goes before them, since they may overwrite what it reads.
        let copies = self.first_trailing_copy(block);
        let mut outcome = None;
        for inst in func.insts(block) {
            self.pos = func.inst_pos(inst);
            if Some(inst) == copies {
                let branch = func.terminator(block).expect("trailing copies stand before a branch");
                self.pos = func.inst_pos(branch);
                outcome = self.fused_outcome(func.arg(branch, 0));
                self.pos = func.inst_pos(inst);
            }
            match func.op(inst) {
                Op::Branch => self.branch(inst, outcome),
                _ => self.inst(inst),
            }
            if self.state == State::Ended {
                return;
            }
        }
        assert!(func.terminator(block).is_some(), "{}: {} has no terminator", func.name, func.label(block));
    }

    fn inst(&mut self, inst: Inst) {
        let func = self.func;
        let op = func.op(inst);
        if self.fused.contains(inst) {
            return;
        }
        if op.info().effects == Effects::Pure && !func.results(inst).iter().any(|&r| func.has_uses(r)) {
            return;
        }
        match op {
            Op::Const | Op::FuncRef | Op::Code | Op::Static | Op::Slot | Op::Undef => self.constant(inst),
            Op::Env => self.env_value(inst),
            Op::Copy => self.copy_value(func.result(inst), func.arg(inst, 0)),
            Op::ParallelCopy => self.parallel_copy(inst),
            Op::Add => self.add(inst),
            Op::Sub => self.sub(inst),
            Op::Mul => self.mul(inst),
            Op::Div | Op::Rem => self.divide(inst),
            Op::Neg => self.unary(inst, MOp::Neg),
            Op::Not => self.unary(inst, MOp::Not),
            Op::And => self.bitwise(inst, MOp::And),
            Op::Or => self.bitwise(inst, MOp::Or),
            Op::Xor => self.bitwise(inst, MOp::Xor),
            Op::Shl => self.shift(inst, MOp::Shl),
            Op::Shr => self.shift(inst, MOp::Sar),
            Op::Ushr => self.shift(inst, MOp::Shr),
            Op::Abs => self.abs(inst),
            Op::Min => self.min_max(inst, Cond::L),
            Op::Max => self.min_max(inst, Cond::G),
            Op::LogicalNot => self.logical_not(inst),
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => self.comparison_value(inst),
            Op::Feq | Op::Fne | Op::Flt | Op::Fle | Op::Fgt | Op::Fge => self.comparison_value(inst),
            Op::Fadd => self.float_binary(inst, MOp::Addsd),
            Op::Fsub => self.float_binary(inst, MOp::Subsd),
            Op::Fmul => self.float_binary(inst, MOp::Mulsd),
            Op::Fdiv => self.float_binary(inst, MOp::Divsd),
            Op::Fmin => self.float_binary(inst, MOp::Minsd),
            Op::Fmax => self.float_binary(inst, MOp::Maxsd),
            Op::Fneg => self.float_mask(inst, MOp::Xorpd, self.data.sign_mask()),
            Op::Fabs => self.float_mask(inst, MOp::Andpd, self.data.magnitude_mask()),
            Op::Fsqrt => self.square_root(inst),
            Op::Ffloor => self.round(inst, floats::DOWN),
            Op::Fceil => self.round(inst, floats::UP),
            Op::Ftrunc => self.round(inst, floats::TO_ZERO),
            Op::IntToFloat => self.int_to_float(inst),
            Op::FloatToInt => self.float_to_int(inst),
            Op::IntToByte => self.int_to_byte(inst),
            Op::ByteToInt | Op::BoolToInt => self.copy_value(func.result(inst), func.arg(inst, 0)),
            Op::FloatToBits => self.float_to_bits(inst),
            Op::BitsToFloat => self.bits_to_float(inst),
            Op::Select => self.select_value(inst),
            Op::New => self.new_object(inst),
            Op::NewArray => self.new_array(inst),
            Op::LoadField => self.load_field(inst),
            Op::StoreField => self.store_field(inst),
            Op::LoadElem => self.load_element(inst),
            Op::StoreElem => self.store_element(inst),
            Op::LoadByte => self.load_byte(inst),
            Op::Length => self.length(inst),
            Op::Tag => self.tag(inst),
            Op::Load => self.load_slot(inst),
            Op::Store => self.store_slot(inst),
            Op::LoadGlobal => self.load_global(inst),
            Op::StoreGlobal => self.store_global(inst),
            Op::CheckBounds => self.check_bounds(inst),
            Op::CheckSlice => self.check_slice(inst),
            Op::CheckSome => self.check_some(inst),
            Op::CheckLength => self.check_length(inst),
            Op::CheckStep => self.check_step(inst),
            Op::Call => self.call(inst),
            Op::CallRef => self.call_ref(inst),
            Op::Builtin => self.builtin(inst),
            Op::CallExtern => self.call_extern(inst),
            Op::Jump => self.jump(self.edge_target(inst, 0)),
            Op::Branch => self.branch(inst, None),
            Op::Switch => self.switch(inst),
            Op::Return => self.return_(inst),
            Op::Unreachable => self.trap_always(),
        }
    }

    /// Drops blocks that can't be reached, which blocks behind diverging calls may be.
    fn finish(mut self) -> Mir {
        let mut reached = BitSet::new(self.mir.blocks.len());
        let mut work = vec![self.mir.order[0]];
        reached.insert(self.mir.order[0]);
        while let Some(block) = work.pop() {
            for &next in &self.mir.blocks[block].successors {
                if reached.insert(next) {
                    work.push(next);
                }
            }
        }
        self.mir.order.retain(|&b| reached.contains(b));
        for block in self.mir.blocks.ids().filter(|&b| !reached.contains(b)).collect::<Vec<_>>() {
            let data = &mut self.mir.blocks[block];
            data.insts.clear();
            data.successors.clear();
        }
        self.mir
    }

    // ---- Blocks ----

    fn mblock(&self, block: Block) -> MBlock {
        self.block_of[block].expect("a block of the layout")
    }

    fn edge_target(&self, inst: Inst, n: usize) -> MBlock {
        let edge = self.func.edges(inst).nth(n).expect("the verifier counts edges");
        self.mblock(self.func.edge_target(edge))
    }

    /// A block in the middle of the IR block that is being selected.
    fn extra_block(&mut self) -> MBlock {
        self.extra_blocks += 1;
        let label = format!("x.{}", self.extra_blocks);
        let loop_depth = self.mir.blocks[self.current].loop_depth;
        self.mir.blocks.push(MBlockData { label, loop_depth, ..MBlockData::default() })
    }

    /// Goes on in a block.
    fn start(&mut self, block: MBlock) {
        self.mir.order.push(block);
        self.current = block;
        self.state = State::Open;
    }

    fn jump(&mut self, target: MBlock) {
        self.emit(MOp::Jmp, Size::B8, Cond::Always, &[Operand::Block(target)]);
        self.add_successor(target);
    }

    /// Ends the block: to `yes` if the condition holds, else to `no`.
    fn jump_if(&mut self, cond: Cond, yes: MBlock, no: MBlock) {
        if yes != no {
            self.leave_if(cond, yes);
        }
        self.jump(no);
    }

    /// A conditional jump before those that end the block.
    fn leave_if(&mut self, cond: Cond, target: MBlock) {
        self.emit(MOp::Jcc, Size::B8, cond, &[Operand::Block(target)]);
        self.add_successor(target);
    }

    fn add_successor(&mut self, target: MBlock) {
        let successors = &mut self.mir.blocks[self.current].successors;
        if !successors.contains(&target) {
            successors.push(target);
        }
    }

    // ---- Instructions ----

    fn emit(&mut self, op: MOp, size: Size, cond: Cond, operands: &[Operand]) {
        let inst: MInst = self.mir.inst(op, size, cond, operands, self.pos);
        self.mir.blocks[self.current].insts.push(inst);
    }

    fn emit8(&mut self, op: MOp, operands: &[Operand]) {
        self.emit(op, Size::B8, Cond::Always, operands);
    }
}

/// `use r`
fn used(reg: Reg) -> Operand {
    Operand::Reg(reg, Role::Use)
}

/// `def v`
fn defined(vreg: VReg) -> Operand {
    Operand::Reg(Reg::V(vreg), Role::Def)
}

/// `mod v`
fn modified(vreg: VReg) -> Operand {
    Operand::Reg(Reg::V(vreg), Role::Mod)
}

/// A value's name in text, for people.
fn name_of(func: &Func, value: Value) -> Option<Arc<str>> {
    match func.value_name(value) {
        ValueName::Temp(_) => None,
        ValueName::Var(var, 0) => Some(func.var_name(var).clone()),
        ValueName::Var(var, n) => Some(format!("{}.{n}", func.var_name(var)).into()),
    }
}

/// The instruction that makes a value, if it is a constant. The address of a slot is one, for an activation.
fn constant_def(func: &Func, value: Value) -> Option<(Op, Imm)> {
    let Def::Result(inst, _) = func.def(value) else {
        return None;
    };
    let op = func.op(inst);
    matches!(op, Op::Const | Op::FuncRef | Op::Code | Op::Static | Op::Slot).then(|| (op, func.imm(inst)))
}

/// Whether values of this type live in vector registers.
fn is_float(ty: Type) -> bool {
    match ty {
        Type::Float => true,
        Type::Int | Type::Bool | Type::Byte | Type::Ref | Type::Addr => false,
    }
}
