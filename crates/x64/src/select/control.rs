//! Branches, switches, checks and traps.

use super::flags::Outcome;
use super::{Select, State, defined, used};
use crate::code::Target;
use crate::mir::{Base, MBlock, Mem, Operand, Reg, Role};
use crate::op::{Cond, MOp, Size};
use crate::regs::RegClass;
use mini_ir::func::{Imm, Inst, Value};
use rustc_hash::FxHashSet;

/// Switches of up to this many cases are chains of comparisons; larger ones are halved first.
const CHAIN: usize = 4;
/// From this many cases on, tables pay.
const TABLE_CASES: usize = 8;
/// Entries of a table for each case, at most.
const TABLE_SPARSITY: usize = 4;

impl Select<'_> {
    /// `outcome` is there when the comparison was emitted before, in front of copies.
    pub(super) fn branch(&mut self, inst: Inst, outcome: Option<Outcome>) {
        let (yes, no) = (self.edge_target(inst, 0), self.edge_target(inst, 1));
        let value = self.func.arg(inst, 0);
        if let Some(constant) = self.int_constant(value) {
            return self.jump(if constant != 0 { yes } else { no });
        }
        let outcome = match outcome {
            Some(outcome) => outcome,
            None => self.outcome(value),
        };
        if yes == no {
            return self.jump(no);
        }
        let cond = match outcome {
            Outcome::One(cond) => cond,
            Outcome::Both(first, second) => {
                self.leave_if(first.inverse(), no);
                second
            }
            Outcome::Either(first, second) => {
                self.leave_if(first, yes);
                second
            }
        };
        self.jump_if(cond, yes, no);
    }

    /// A jump table if the cases lie close together; else binary search down to short chains.
    pub(super) fn switch(&mut self, inst: Inst) {
        let Imm::Cases(list) = self.func.imm(inst) else { unreachable!("`switch` has cases; the verifier checks it") };
        let targets: Vec<MBlock> = self.func.edges(inst).map(|edge| self.mblock(self.func.edge_target(edge))).collect();
        let (&default, targets) = targets.split_last().expect("`switch` has a default");
        let mut cases: Vec<(i64, MBlock)> =
            self.func.cases(list).iter().copied().zip(targets.iter().copied()).collect();
        cases.sort_by_key(|c| c.0); // stable: of equal cases, the first wins
        cases.dedup_by_key(|c| c.0);
        let value = self.reg(self.func.arg(inst, 0));
        if let Some(span) = dense_span(&cases) {
            return self.jump_table(value, &cases, span, default);
        }
        // Ranges still to be told apart, each with the block that does it.
        let mut work = vec![(None, 0..cases.len())];
        while let Some((block, range)) = work.pop() {
            if let Some(block) = block {
                self.start(block);
            }
            let here = &cases[range.clone()];
            if here.len() <= CHAIN {
                self.chain(value, here, default);
                continue;
            }
            let middle = range.start + here.len() / 2;
            let (low, high) = (self.extra_block(), self.extra_block());
            self.compare_case(value, cases[middle].0);
            self.jump_if(Cond::L, low, high);
            work.push((Some(high), middle..range.end));
            work.push((Some(low), range.start..middle));
        }
    }

    /// `cases` are ascending, `span` is the last less the first. What is outside goes to `default`, by one unsigned comparison.
    fn jump_table(&mut self, value: Reg, cases: &[(i64, MBlock)], span: i64, default: MBlock) {
        let least = cases[0].0;
        let index = self.temp(RegClass::General);
        let low = Mem { base: Base::Reg(value), index: None, disp: (-least) as i32 };
        self.emit8(MOp::Lea, &[defined(index), Operand::Mem(low)]);
        self.compare_with(Reg::V(index), span);
        let table = self.extra_block();
        self.jump_if(Cond::A, default, table);
        self.start(table);
        let temp = self.temp(RegClass::General);
        let mut operands = vec![used(Reg::V(index)), Operand::Reg(Reg::V(temp), Role::Early)];
        let mut next = cases.iter().peekable();
        let mut seen: FxHashSet<MBlock> = FxHashSet::default();
        for n in 0..=span {
            let target = next.next_if(|c| c.0 == least + n).map_or(default, |c| c.1);
            operands.push(Operand::Block(target));
            if seen.insert(target) {
                self.mir.blocks[table].successors.push(target);
            }
        }
        self.emit8(MOp::JumpTable, &operands);
    }

    fn chain(&mut self, value: Reg, cases: &[(i64, MBlock)], default: MBlock) {
        for (index, &(case, target)) in cases.iter().enumerate() {
            self.compare_case(value, case);
            if index + 1 == cases.len() {
                return self.jump_if(Cond::E, target, default);
            }
            let next = self.extra_block();
            self.jump_if(Cond::E, target, next);
            self.start(next);
        }
        self.jump(default);
    }

    fn compare_case(&mut self, value: Reg, case: i64) {
        if i32::try_from(case).is_ok() {
            return self.compare_with(value, case);
        }
        let temp = self.temp(RegClass::General);
        self.load_int(temp, case);
        self.emit8(MOp::Cmp, &[used(value), used(Reg::V(temp))]);
    }

    // ---- Checks ----

    fn trap_if(&mut self, cond: Cond, function: &'static str, args: &[Operand]) {
        let mut operands: smallvec::SmallVec<[Operand; 4]> =
            smallvec::smallvec![Operand::Target(Target::Runtime(function))];
        operands.extend_from_slice(args);
        self.emit(MOp::TrapIf, Size::B8, cond, &operands);
    }

    /// Unsigned, negative indices are too large.
    pub(super) fn check_bounds(&mut self, inst: Inst) {
        let (index, length) = (self.func.arg(inst, 0), self.func.arg(inst, 1));
        self.check_unsigned(index, length, Cond::Ae, "mini_trap_bounds", &[index, length]);
    }

    /// `i > j` or `j > n`, unsigned; `n` is not negative.
    pub(super) fn check_slice(&mut self, inst: Inst) {
        let args: [Value; 3] = [0, 1, 2].map(|n| self.func.arg(inst, n));
        self.check_unsigned(args[1], args[2], Cond::A, "mini_trap_slice", &args);
        self.check_unsigned(args[0], args[1], Cond::A, "mini_trap_slice", &args);
    }

    fn check_unsigned(&mut self, a: Value, b: Value, cond: Cond, function: &'static str, args: &[Value]) {
        let args: smallvec::SmallVec<[Operand; 4]> = args.iter().map(|&arg| self.reg_or_imm(arg)).collect();
        let cond = self.compare_ints(a, b, cond);
        self.trap_if(cond, function, &args);
    }

    pub(super) fn check_some(&mut self, inst: Inst) {
        let value = self.func.arg(inst, 0);
        if let mini_ir::types::Type::Bool = self.func.ty(value) {
            let cond = self.condition(value);
            return self.trap_if(cond.inverse(), "mini_trap_null", &[]);
        }
        let reg = self.reg(value);
        self.trap_if_zero(reg, "mini_trap_null");
    }

    pub(super) fn check_length(&mut self, inst: Inst) {
        let length = self.reg(self.func.arg(inst, 0));
        self.emit8(MOp::Test, &[used(length), used(length)]);
        self.trap_if(Cond::S, "mini_trap_length", &[used(length)]);
    }

    pub(super) fn check_step(&mut self, inst: Inst) {
        let step = self.reg(self.func.arg(inst, 0));
        self.trap_if_zero(step, "mini_trap_step");
    }

    /// Control can't get here.
    pub(super) fn trap_always(&mut self) {
        self.emit8(MOp::Trap, &[]);
        self.state = State::Ended;
    }
}

/// The last case less the first, if a jump table is good for these (ascending) cases.
fn dense_span(cases: &[(i64, MBlock)]) -> Option<i64> {
    let (&(first, _), &(last, _)) = (cases.first()?, cases.last()?);
    let span = last.checked_sub(first)?;
    let dense = usize::try_from(span).is_ok_and(|s| s < TABLE_SPARSITY.saturating_mul(cases.len()));
    let fits = first.checked_neg().is_some_and(|n| i32::try_from(n).is_ok());
    (cases.len() >= TABLE_CASES && dense && fits).then_some(span)
}
