//! `for` over ints.
//!
//! The bounds are evaluated once. The variable itself counts if the body never assigns it, else a hidden counter does and
//! the variable is set afresh in each round. No bound may be overstepped by overflow: with a step of 1 the last bound is
//! compared before the addition where it is included; with other steps the distance to the bound decides, which fits 64 bits
//! unsigned. Unsigned comparisons are signed ones of operands with the top bit flipped.

use crate::body::{BodyLowering, Val, Variable};
use crate::repr::Repr;
use mini_ir::func::{Imm, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_sema::typed::{ExprKind, ForRange, RangeKind};

/// Which way a loop counts.
#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
    /// The bool that is true for up.
    Dynamic(Value),
}

impl<'m, 'p> BodyLowering<'m, 'p> {
    pub(crate) fn for_range(&mut self, range: &'p ForRange) -> Val {
        let bounds = self.operands(&[range.from, range.to].into_iter().chain(range.by).collect::<Vec<_>>());
        let one = |lowering: &mut Self, val| {
            let val = lowering.snapshot(val);
            lowering.one_or_dead(val, Repr::One(Type::Int))
        };
        let from = self.one_or_dead(bounds[0], Repr::One(Type::Int));
        let to = one(self, bounds[1]);
        let step = bounds.get(2).map(|&val| one(self, val));

        let unassigned = range.variable.filter(|&local| !self.reassigned.contains(local));
        let counter = match unassigned {
            Some(local) => self.variable(local),
            None => self.new_variable("counter", Repr::One(Type::Int)),
        };
        let Variable::One(counter_value) = counter else { unreachable!("an int is one value") };

        match (range.by, step) {
            (Some(by), Some(step)) => {
                let constant = match self.body.exprs[by].kind {
                    ExprKind::Int(value) => Some(value),
                    _ => None,
                };
                self.for_steps(range, counter_value, from, to, step, constant);
            }
            _ => self.for_ones(range, counter_value, from, to),
        }
        Val::None
    }

    /// The loop with a step of 1.
    fn for_ones(&mut self, range: &'p ForRange, counter: Value, from: Value, to: Value) {
        self.assign_one(counter, from);
        let [head, inside, step, exit] = ["head", "body", "step", "exit"].map(|l| self.new_block(l));
        self.enter_loop(range.id, exit, step);
        self.fall_into(head);
        let compare = if range.kind == RangeKind::Exclusive { Op::Lt } else { Op::Le };
        let more = self.op(compare, &[counter, to], Type::Bool);
        self.branch(more, inside, exit);
        self.start(inside);
        self.round(range, counter);
        self.fall_into(step);
        let next = match range.kind {
            RangeKind::Exclusive => head,
            RangeKind::Inclusive => {
                // The counter may be the largest int: leave before adding.
                let more = self.op(Op::Lt, &[counter, to], Type::Bool);
                let add = self.new_block("next");
                self.branch(more, add, exit);
                self.start(add);
                inside
            }
        };
        let one = self.int(1);
        let sum = self.op(Op::Add, &[counter, one], Type::Int);
        self.assign_one(counter, sum);
        self.jump(next);
        self.start(exit);
    }

    /// The loop with a step.
    fn for_steps(
        &mut self,
        range: &'p ForRange,
        counter: Value,
        from: Value,
        to: Value,
        step: Value,
        constant: Option<i64>,
    ) {
        let pos = range.bound.start;
        if constant.is_none_or(|k| k == 0) {
            self.emit(Op::CheckStep, Imm::None, &[step], &[], pos);
        }
        let direction = match constant {
            Some(k) if k > 0 => Direction::Up,
            Some(_) => Direction::Down,
            None => {
                let zero = self.int(0);
                Direction::Dynamic(self.op(Op::Gt, &[step, zero], Type::Bool))
            }
        };
        let magnitude = self.by_direction(direction, |_| step, |l| l.op(Op::Neg, &[step], Type::Int));
        let magnitude = self.flipped(magnitude);
        self.assign_one(counter, from);
        let [inside, next, add, exit] = ["body", "step", "next", "exit"].map(|l| self.new_block(l));
        self.enter_loop(range.id, exit, next);

        let (up, down) = match range.kind {
            RangeKind::Exclusive => (Op::Lt, Op::Gt),
            RangeKind::Inclusive => (Op::Le, Op::Ge),
        };
        let enter = self.by_direction(
            direction,
            |l| l.op(up, &[counter, to], Type::Bool),
            |l| l.op(down, &[counter, to], Type::Bool),
        );
        self.branch(enter, inside, exit);
        self.start(inside);
        self.round(range, counter);
        self.fall_into(next);
        let distance = self.by_direction(
            direction,
            |l| l.op(Op::Sub, &[to, counter], Type::Int),
            |l| l.op(Op::Sub, &[counter, to], Type::Int),
        );
        let distance = self.flipped(distance);
        let compare = if range.kind == RangeKind::Exclusive { Op::Gt } else { Op::Ge };
        let more = self.op(compare, &[distance, magnitude], Type::Bool);
        self.branch(more, add, exit);
        self.start(add);
        let sum = self.op(Op::Add, &[counter, step], Type::Int);
        self.assign_one(counter, sum);
        self.jump(inside);
        self.start(exit);
    }

    /// One value counting up, another counting down; both are computed where the direction is not known.
    fn by_direction(
        &mut self,
        direction: Direction,
        up: impl FnOnce(&mut Self) -> Value,
        down: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        match direction {
            Direction::Up => up(self),
            Direction::Down => down(self),
            Direction::Dynamic(is_up) => {
                let (up, down) = (up(self), down(self));
                let ty = self.func.ty(up);
                self.op(Op::Select, &[is_up, up, down], ty)
            }
        }
    }

    /// With the top bit flipped: signed order becomes unsigned order.
    fn flipped(&mut self, value: Value) -> Value {
        let top = self.int(i64::MIN);
        self.op(Op::Xor, &[value, top], Type::Int)
    }

    /// Sets the variable where it is not the counter itself, and runs the body.
    fn round(&mut self, range: &'p ForRange, counter: Value) {
        if let Some(local) = range.variable
            && !matches!(self.variable(local), Variable::One(value) if value == counter)
        {
            self.bind(local, Val::One(counter));
        }
        self.expr(range.body);
    }
}
