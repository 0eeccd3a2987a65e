//! Parameters, calls, returns: the System V convention.
//!
//! Ints, bools, bytes and references go in rdi, rsi, rdx, rcx, r8, r9, floats in xmm0 to xmm7, what is left on the stack,
//! in order. Results come in rax and rdx, floats in xmm0 and xmm1. A function value that is called lies in r10.
//!
//! ```text
//! v3 = call f(v1, 5)        parcopy rdi <- v1, rsi <- 5
//!                           call f (rdi, rsi) -> (rax)
//!                           parcopy v3 <- rax
//! ```

use super::operands::{class_of, defined_fixed, used_fixed};
use super::{Select, State, defined, is_float, used};
use crate::code::Target;
use crate::data::{code_id, symbol_id};
use crate::mir::{Base, Calls, Mem, Operand, Reg, VReg};
use crate::op::{Cond, MOp, Size};
use crate::regs::{ENV, FLOAT_ARGS, INT_ARGS, PReg, RegClass};
use mini_ir::builtin::Effect;
use mini_ir::func::{Imm, Inst, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;
use smallvec::SmallVec;

type Operands = SmallVec<[Operand; 16]>;

/// Where an argument is passed.
#[derive(Clone, Copy)]
enum Place {
    Register(PReg),
    /// Byte offset in the area of stack arguments.
    Stack(i32),
}

/// Hands out the places of arguments in order.
#[derive(Default)]
struct Places {
    ints: usize,
    floats: u8,
    stack: i32,
}

impl Places {
    fn next(&mut self, ty: Type) -> Place {
        if is_float(ty) {
            if self.floats < FLOAT_ARGS {
                self.floats += 1;
                return Place::Register(PReg::xmm(self.floats - 1));
            }
        } else if let Some(&reg) = INT_ARGS.get(self.ints) {
            self.ints += 1;
            return Place::Register(reg);
        }
        self.stack += 8;
        Place::Stack(self.stack - 8)
    }
}

/// The registers of results, in order.
fn result_registers(types: impl Iterator<Item = Type>) -> SmallVec<[PReg; 2]> {
    let (mut ints, mut floats) = (0, 0);
    let next = |ty| {
        if is_float(ty) {
            floats += 1;
            return PReg::xmm(floats - 1);
        }
        ints += 1;
        *[PReg::RAX, PReg::RDX].get(ints - 1).expect("a function has at most two results")
    };
    types.map(next).collect()
}

impl Select<'_> {
    /// Takes the parameters from where the caller put them.
    pub(super) fn entry(&mut self) {
        let func = self.func;
        self.pos = func.pos;
        let mut places = Places::default();
        let mut copies = Operands::new();
        let mut loads: SmallVec<[(Value, i32); 4]> = SmallVec::new();
        for &param in &func.params {
            let place = places.next(func.ty(param));
            if !func.has_uses(param) {
                continue;
            }
            match place {
                Place::Register(reg) => copies.extend([defined(self.vreg(param)), used_fixed(reg)]),
                Place::Stack(offset) => loads.push((param, offset)),
            }
        }
        if func.blocks().flat_map(|b| func.insts(b)).any(|i| func.op(i) == Op::Env) {
            let env = self.temp(RegClass::General);
            self.env = Some(env);
            copies.extend([defined(env), used_fixed(ENV)]);
        }
        if !copies.is_empty() {
            self.emit8(MOp::ParallelCopy, &copies);
        }
        for (param, disp) in loads {
            let d = self.vreg(param);
            let op = if is_float(func.ty(param)) { MOp::Movsd } else { MOp::Mov };
            self.emit8(op, &[defined(d), Operand::Mem(Mem { base: Base::Incoming, index: None, disp })]);
        }
    }

    pub(super) fn env_value(&mut self, inst: Inst) {
        let env = self.env.expect("the entry takes it where it is wanted");
        let d = self.result(inst);
        self.move_reg(d, env);
    }

    pub(super) fn call(&mut self, inst: Inst) {
        let Imm::Func(callee) = self.func.imm(inst) else {
            unreachable!("`call` names a function; the verifier checks it")
        };
        let args: SmallVec<[Value; 8]> = self.func.args(inst).collect();
        self.emit_call(inst, Callee::Direct(Target::Function(code_id(callee))), &args);
    }

    pub(super) fn call_ref(&mut self, inst: Inst) {
        let args: SmallVec<[Value; 8]> = self.func.args(inst).collect();
        let (&callee, args) = args.split_first().expect("`call_ref` has the function value; the verifier checks it");
        self.emit_call(inst, Callee::Value(callee), args);
    }

    /// A call of the run-time library. One that does not return ends the block, as a trap.
    pub(super) fn builtin(&mut self, inst: Inst) {
        let Imm::Builtin(builtin) = self.func.imm(inst) else {
            unreachable!("`rt` names a built-in; the verifier checks it")
        };
        let info = builtin.info();
        let args: SmallVec<[Value; 8]> = self.func.args(inst).collect();
        let target = Target::Runtime(info.symbol);
        if info.effect == Effect::Diverges && !info.params.contains(&Type::Float) {
            let mut operands = Operands::from_elem(Operand::Target(target), 1);
            for arg in args {
                operands.push(self.reg_or_imm(arg));
            }
            self.emit8(MOp::Trap, &operands);
            self.state = State::Ended;
            return;
        }
        self.emit_call(inst, Callee::Direct(target), &args);
    }

    /// A call of a C function. Before it, `mini_to_c` hands what the program has written over to C; it also notes the stack
    /// pointer, which stays the same, so that call stacks find the way from C to here. C gets the address of the bytes or
    /// elements, so the object itself must be kept for the collector, which runs if C calls back.
    pub(super) fn call_extern(&mut self, inst: Inst) {
        let Imm::Extern(id) = self.func.imm(inst) else {
            unreachable!("`call_extern` names a C function; the verifier checks it")
        };
        self.emit8(MOp::Call, &[Operand::Target(Target::Runtime("mini_to_c"))]);
        let args: SmallVec<[Value; 8]> = self.func.args(inst).collect();
        self.emit_call(inst, Callee::C(Target::Symbol(symbol_id(id))), &args);
        if let &[result] = self.func.results(inst)
            && self.func.has_uses(result)
        {
            let d = self.vreg(result);
            match self.func.ty(result) {
                // C says nothing about the upper bits.
                Type::Byte => self.emit8(MOp::Movzx, &[defined(d), used(Reg::V(d))]),
                Type::Bool => {
                    self.emit8(MOp::Movzx, &[defined(d), used(Reg::V(d))]);
                    self.emit8(MOp::Test, &[used(Reg::V(d)), used(Reg::V(d))]);
                    self.emit(MOp::Set, Size::B8, Cond::Ne, &[defined(d)]);
                }
                Type::Int | Type::Float | Type::Ref | Type::Addr => {}
            }
        }
        for arg in args {
            if self.func.ty(arg) == Type::Ref && !self.is_made_at_uses(arg) {
                let object = self.vreg(arg);
                self.emit8(MOp::Keep, &[used(Reg::V(object))]);
            }
        }
    }

    /// What a call passes for a value: itself, but to C the address of a string's bytes or an array's elements.
    fn passed(&mut self, value: Value, callee: &Callee) -> Option<VReg> {
        if !matches!(callee, Callee::C(_)) || self.func.ty(value) != Type::Ref {
            return None;
        }
        let object = self.reg(value);
        let data = self.temp(RegClass::General);
        let mem = Mem { base: Base::Reg(object), index: None, disp: mini_prim::object::ELEMENTS_OFFSET as i32 };
        self.emit8(MOp::Lea, &[defined(data), Operand::Mem(mem)]);
        Some(data)
    }

    fn emit_call(&mut self, inst: Inst, callee: Callee, args: &[Value]) {
        let mut places = Places::default();
        let mut copies = Operands::new();
        let mut uses = Operands::new();
        let mut stack: SmallVec<[(i32, Value); 4]> = SmallVec::new();
        for &arg in args {
            match places.next(self.func.ty(arg)) {
                Place::Register(reg) => {
                    let source = match self.passed(arg, &callee) {
                        Some(data) => used(Reg::V(data)),
                        None => self.copy_source(arg),
                    };
                    copies.extend([defined_fixed(reg), source]);
                    uses.push(used_fixed(reg));
                }
                Place::Stack(offset) => stack.push((offset, arg)),
            }
        }
        let mut operands = Operands::new();
        let op = match callee {
            Callee::Direct(target) => {
                operands.push(Operand::Target(target));
                MOp::Call
            }
            Callee::C(target) => {
                // For functions with variable arguments: how many are in vector registers.
                copies.extend([defined_fixed(PReg::RAX), Operand::Imm(i64::from(places.floats))]);
                uses.push(used_fixed(PReg::RAX));
                operands.push(Operand::Target(target));
                MOp::Call
            }
            Callee::Value(value) => {
                let source = self.copy_source(value);
                copies.extend([defined_fixed(ENV), source]);
                let code =
                    Mem { base: Base::Reg(Reg::P(ENV)), index: None, disp: mini_prim::object::CODE_OFFSET as i32 };
                operands.push(Operand::Mem(code));
                MOp::CallReg
            }
        };
        for (disp, arg) in stack {
            let mem = Operand::Mem(Mem { base: Base::Outgoing, index: None, disp });
            let float = is_float(self.func.ty(arg));
            let source = match self.passed(arg, &callee) {
                Some(data) => used(Reg::V(data)),
                None if float => used(self.reg(arg)),
                None => self.reg_or_imm(arg),
            };
            self.emit8(if float { MOp::Movsd } else { MOp::Mov }, &[mem, source]);
        }
        if !copies.is_empty() {
            self.emit8(MOp::ParallelCopy, &copies);
        }
        let results: SmallVec<[Value; 2]> = self.func.results(inst).iter().copied().collect();
        let registers = result_registers(results.iter().map(|&r| self.func.ty(r)));
        operands.extend(uses);
        operands.extend(registers.iter().map(|&r| defined_fixed(r)));
        self.emit(op, Size::B8, Cond::Always, &operands);
        self.mir.calls = Calls::Some;
        self.mir.outgoing = self.mir.outgoing.max(places.stack as u32);
        let mut moves = Operands::new();
        for (&result, &reg) in results.iter().zip(&registers) {
            if self.func.has_uses(result) {
                moves.extend([defined(self.vreg(result)), used_fixed(reg)]);
            }
        }
        if !moves.is_empty() {
            self.emit8(MOp::ParallelCopy, &moves);
        }
    }

    pub(super) fn return_(&mut self, inst: Inst) {
        let values: SmallVec<[Value; 2]> = self.func.args(inst).collect();
        let registers = result_registers(values.iter().map(|&v| self.func.ty(v)));
        let mut copies = Operands::new();
        for (&value, &reg) in values.iter().zip(&registers) {
            let source = self.copy_source(value);
            copies.extend([defined_fixed(reg), source]);
        }
        if !copies.is_empty() {
            self.emit8(MOp::ParallelCopy, &copies);
        }
        let uses: SmallVec<[Operand; 2]> = registers.iter().map(|&r| used_fixed(r)).collect();
        self.emit8(MOp::Ret, &uses);
    }

    /// Copies within the IR; those of one web need none.
    pub(super) fn parallel_copy(&mut self, inst: Inst) {
        let results: SmallVec<[Value; 8]> = self.func.results(inst).iter().copied().collect();
        let args: SmallVec<[Value; 8]> = self.func.args(inst).collect();
        let mut copies = Operands::new();
        for (result, arg) in results.into_iter().zip(args) {
            if !self.func.has_uses(result) || self.same_web(result, arg) {
                continue;
            }
            let source = self.copy_source(arg);
            debug_assert_eq!(class_of(self.func.ty(result)), class_of(self.func.ty(arg)));
            copies.extend([defined(self.vreg(result)), source]);
        }
        if !copies.is_empty() {
            self.emit8(MOp::ParallelCopy, &copies);
        }
    }
}

enum Callee {
    Direct(Target),
    C(Target),
    Value(Value),
}
