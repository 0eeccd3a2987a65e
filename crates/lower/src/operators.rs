//! Operators: unary, chains, short-circuit, comparisons.

use crate::body::{BodyLowering, Val};
use crate::repr::Repr;
use mini_base::source::Pos;
use mini_ir::builtin::Builtin;
use mini_ir::func::{Imm, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_sema::typed::{BinaryOp, CompareOp, Expr, ExprId, UnaryOp};
use mini_sema::types::{Ty, TyKind};

/// `&&` or `||`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Short {
    And,
    Or,
}

impl<'m, 'p> BodyLowering<'m, 'p> {
    pub(crate) fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Val {
        let ty = self.module.repr(self.ty(operand));
        let value = self.expr_one(operand);
        Val::One(match (op, ty) {
            (UnaryOp::Neg, Repr::One(Type::Float)) => self.op(Op::Fneg, &[value], Type::Float),
            (UnaryOp::Neg, _) => self.op(Op::Neg, &[value], Type::Int),
            (UnaryOp::Not, _) => self.op(Op::LogicalNot, &[value], Type::Bool),
            (UnaryOp::BitNot, _) => self.op(Op::Not, &[value], Type::Int),
        })
    }

    pub(crate) fn chain(&mut self, first: ExprId, rest: &[(BinaryOp, ExprId)], ty: Ty, pos: Pos) -> Val {
        let repr = self.module.repr(ty);
        let mut left = self.operand(first);
        for &(op, right) in rest {
            let right = self.operand(right);
            if !self.live {
                return Val::None;
            }
            let (l, r) = (self.settle(left), self.settle(right));
            let (l, r) = (self.one_or_dead(l, repr), self.one_or_dead(r, repr));
            let result = self.binary(op, l, r, repr, pos);
            left = self.mark(Val::One(result));
        }
        self.settle(left)
    }

    /// One arithmetic or bitwise operation; `+` on references concatenates strings.
    pub(crate) fn binary(&mut self, op: BinaryOp, left: Value, right: Value, repr: Repr, pos: Pos) -> Value {
        let args = [left, right];
        match repr {
            Repr::One(Type::Float) => {
                let op = match op {
                    BinaryOp::Add => Op::Fadd,
                    BinaryOp::Sub => Op::Fsub,
                    BinaryOp::Mul => Op::Fmul,
                    BinaryOp::Div => Op::Fdiv,
                    BinaryOp::Rem => return self.builtin1(Builtin::fmod, &args, pos),
                    _ => unreachable!("the checker admits no bitwise operators on floats"),
                };
                self.op(op, &args, Type::Float)
            }
            Repr::One(Type::Ref) => self.builtin1(Builtin::concat, &args, pos),
            Repr::One(ty) => {
                let op = match op {
                    BinaryOp::Add => Op::Add,
                    BinaryOp::Sub => Op::Sub,
                    BinaryOp::Mul => Op::Mul,
                    BinaryOp::Div => Op::Div,
                    BinaryOp::Rem => Op::Rem,
                    BinaryOp::Shl => Op::Shl,
                    BinaryOp::Shr => Op::Shr,
                    BinaryOp::Ushr => Op::Ushr,
                    BinaryOp::BitAnd => Op::And,
                    BinaryOp::BitOr => Op::Or,
                    BinaryOp::BitXor => Op::Xor,
                    BinaryOp::And | BinaryOp::Or => {
                        unreachable!("short-circuit operators have nodes of their own")
                    }
                };
                self.emit1(op, Imm::None, &args, ty, pos)
            }
            Repr::None | Repr::Optional(_) => {
                unreachable!("the checker admits no operators on these")
            }
        }
    }

    /// `&&`, `||` as a value.
    pub(crate) fn and_or(&mut self, operands: &[ExprId], expr: &Expr, short: Short) -> Val {
        let result = self.new_variable("test", self.module.repr(self.ty_of(expr)));
        let [short_cut, done] = ["short", "done"].map(|l| self.new_block(l));
        let (&last, before) = operands.split_last().expect("at least two operands");
        for &operand in before {
            let next = self.new_block(if short == Short::And { "and" } else { "or" });
            match short {
                Short::And => self.condition(operand, next, short_cut),
                Short::Or => self.condition(operand, short_cut, next),
            }
            self.start(next);
        }
        let val = self.expr(last);
        self.assign(result, val);
        self.jump(done);
        self.start(short_cut);
        let value = self.bool(short == Short::Or);
        self.assign(result, Val::One(value));
        self.fall_into(done);
        self.read(result)
    }

    pub(crate) fn compare(&mut self, op: CompareOp, left: ExprId, right: ExprId) -> Val {
        let ty = match self.module.program.types.kind(self.ty(left)) {
            TyKind::Never => self.ty(right),
            _ => self.ty(left),
        };
        let vals = self.operands(&[left, right]);
        if !self.live {
            return Val::None;
        }
        Val::One(self.compare_values(op, vals[0], vals[1], ty))
    }

    /// Compares two values of one type.
    pub(crate) fn compare_values(&mut self, op: CompareOp, left: Val, right: Val, ty: Ty) -> Value {
        if let (Val::Optional(l, l_flag), Val::Optional(r, r_flag)) = (left, right) {
            // Equal if both are null, or neither is and the payloads are equal.
            let Repr::Optional(payload) = self.module.repr(ty) else {
                unreachable!("two values make a scalar optional")
            };
            let equal = if payload == Type::Float { Op::Feq } else { Op::Eq };
            let payloads = self.op(equal, &[l, r], Type::Bool);
            let flags = self.op(Op::Eq, &[l_flag, r_flag], Type::Bool);
            let null = self.op(Op::LogicalNot, &[l_flag], Type::Bool);
            let either = self.op(Op::Or, &[payloads, null], Type::Bool);
            let same = self.op(Op::And, &[flags, either], Type::Bool);
            return if op == CompareOp::Ne { self.op(Op::LogicalNot, &[same], Type::Bool) } else { same };
        }
        let repr = self.module.repr(ty);
        let args = [self.one_or_dead(left, repr), self.one_or_dead(right, repr)];
        let types = &self.module.program.types;
        let bare = types.optional_inner(ty).unwrap_or(ty);
        match types.kind(bare) {
            TyKind::Float => {
                let op = match op {
                    CompareOp::Eq => Op::Feq,
                    CompareOp::Ne => Op::Fne,
                    CompareOp::Lt => Op::Flt,
                    CompareOp::Le => Op::Fle,
                    CompareOp::Gt => Op::Fgt,
                    CompareOp::Ge => Op::Fge,
                };
                self.op(op, &args, Type::Bool)
            }
            TyKind::String => match op {
                CompareOp::Eq => self.builtin1(Builtin::string_eq, &args, Pos::NONE),
                CompareOp::Ne => {
                    let equal = self.builtin1(Builtin::string_eq, &args, Pos::NONE);
                    self.op(Op::LogicalNot, &[equal], Type::Bool)
                }
                CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => {
                    let order = self.builtin1(Builtin::string_compare, &args, Pos::NONE);
                    let zero = self.int(0);
                    self.op(int_compare(op), &[order, zero], Type::Bool)
                }
            },
            _ => self.op(int_compare(op), &args, Type::Bool),
        }
    }
}

/// The comparison of ints, bytes, bools, and for (un)equality references.
pub(crate) fn int_compare(op: CompareOp) -> Op {
    match op {
        CompareOp::Eq => Op::Eq,
        CompareOp::Ne => Op::Ne,
        CompareOp::Lt => Op::Lt,
        CompareOp::Le => Op::Le,
        CompareOp::Gt => Op::Gt,
        CompareOp::Ge => Op::Ge,
    }
}
