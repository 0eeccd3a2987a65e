//! Control flow: conditions as jumps, blocks, `if`, `match`, `while`, `for` over elements.

use crate::body::{BodyLowering, Val, Variable};
use crate::expr::payload;
use crate::matching::{Choice, Matched};
use crate::repr::Repr;
use mini_base::source::Pos;
use mini_ir::func::{Block, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_sema::typed::{Arm, Condition, EachKind, ExprId, ExprKind, FnRef, ForEach, LoopId, NullTest, Stmt, UnaryOp};
use mini_sema::types::Ty;

impl<'m, 'p> BodyLowering<'m, 'p> {
    /// Jumps to `then` or `otherwise` by a bool; `&&`, `||`, `!` and `true` become jumps.
    pub(crate) fn condition(&mut self, expr: ExprId, then: Block, otherwise: Block) {
        let body = self.body;
        match &body.exprs[expr].kind {
            ExprKind::Bool(value) => self.jump(if *value { then } else { otherwise }),
            ExprKind::Unary(UnaryOp::Not, operand) => self.condition(*operand, otherwise, then),
            ExprKind::And(operands) => {
                let (&last, before) = operands.split_last().expect("at least two operands");
                for &operand in before {
                    let next = self.new_block("and");
                    self.condition(operand, next, otherwise);
                    self.start(next);
                }
                self.condition(last, then, otherwise);
            }
            ExprKind::Or(operands) => {
                let (&last, before) = operands.split_last().expect("at least two operands");
                for &operand in before {
                    let next = self.new_block("or");
                    self.condition(operand, then, next);
                    self.start(next);
                }
                self.condition(last, then, otherwise);
            }
            _ => {
                let value = self.expr_one(expr);
                self.branch(value, then, otherwise);
            }
        }
    }

    /// Jumps by the condition of an `if` or `while`.
    fn head_condition(&mut self, condition: &'p Condition, then: Block, otherwise: Block) {
        match condition {
            Condition::Expr(expr) => self.condition(*expr, then, otherwise),
            Condition::Let(pattern, value) => {
                let ty = self.ty(*value);
                let val = self.expr(*value);
                if self.live {
                    let choice = Choice { pattern, guard: None };
                    self.choose(Matched { val, ty }, &[choice], otherwise, |lowering, _| lowering.jump(then));
                } else {
                    self.jump(then);
                }
            }
        }
    }

    /// Copies of the variables that a value consists of, so that later assignments don't reach it.
    pub(crate) fn snapshot(&mut self, val: Val) -> Val {
        let mut copy = |value| {
            if self.func.def(value) != mini_ir::func::Def::Variable {
                return value;
            }
            let ty = self.func.ty(value);
            self.op(Op::Copy, &[value], ty)
        };
        match val {
            Val::None => Val::None,
            Val::One(value) => Val::One(copy(value)),
            Val::Optional(payload, flag) => Val::Optional(copy(payload), copy(flag)),
        }
    }

    pub(crate) fn block_expr(&mut self, stmts: &'p [Stmt], value: Option<ExprId>) -> Val {
        for stmt in stmts {
            self.stmt(stmt);
        }
        value.map_or(Val::None, |value| self.expr(value))
    }

    pub(crate) fn if_expr(&mut self, arms: &'p [(Condition, ExprId)], otherwise: Option<ExprId>, ty: Ty) -> Val {
        let result = match self.module.repr(ty) {
            Repr::None => Variable::None,
            repr => self.new_variable("value", repr),
        };
        let done = self.new_block("endif");
        for (position, (condition, block)) in arms.iter().enumerate() {
            let then = self.new_block("then");
            let is_last = position + 1 == arms.len() && otherwise.is_none();
            let next = if is_last { done } else { self.new_block("else") };
            self.head_condition(condition, then, next);
            self.start(then);
            let val = self.expr(*block);
            self.assign(result, val);
            self.jump(done);
            if !is_last {
                self.start(next);
            }
        }
        if let Some(otherwise) = otherwise {
            let val = self.expr(otherwise);
            self.assign(result, val);
            self.jump(done);
        }
        self.start(done);
        self.read(result)
    }

    pub(crate) fn match_expr(&mut self, value: ExprId, arms: &'p [Arm], ty: Ty) -> Val {
        let result = match self.module.repr(ty) {
            Repr::None => Variable::None,
            repr => self.new_variable("value", repr),
        };
        let value_ty = self.ty(value);
        let val = self.expr(value);
        if !self.live {
            return Val::None;
        }
        let choices: Vec<Choice> = arms.iter().map(|arm| Choice { pattern: &arm.pattern, guard: arm.guard }).collect();
        // Without guards, no code of the program runs between the tests.
        let guarded = choices.iter().any(|choice| choice.guard.is_some());
        let val = if guarded { self.snapshot(val) } else { val };
        let [fail, done] = ["fail", "endmatch"].map(|label| self.new_block(label));
        self.choose(Matched { val, ty: value_ty }, &choices, fail, |lowering, index| {
            let val = lowering.expr(arms[index].body);
            lowering.assign(result, val);
            lowering.jump(done);
        });
        self.start(fail);
        self.terminate(Op::Unreachable, &[], &[], Pos::NONE); // the arms are exhaustive
        self.start(done);
        self.read(result)
    }

    pub(crate) fn while_loop(&mut self, id: LoopId, condition: &'p Condition, body: ExprId) -> Val {
        let [head, inside, exit] = ["head", "body", "exit"].map(|l| self.new_block(l));
        self.enter_loop(id, exit, head);
        self.fall_into(head);
        self.head_condition(condition, inside, exit);
        self.start(inside);
        self.expr(body);
        self.jump(head);
        self.start(exit);
        Val::None
    }

    pub(crate) fn for_each(&mut self, each: &'p ForEach) -> Val {
        match &each.kind {
            EachKind::Array | EachKind::String => self.for_elements(each),
            EachKind::Indexed { len, index } => self.for_indexed(each, len, index),
            EachKind::Iterator { next } => {
                let val = self.expr(each.over);
                if !self.live {
                    return Val::None;
                }
                let over = self.snapshot(val);
                let next = self.part.instance.refer(next);
                let element = self.module.result_of(&next);
                let pos = self.pos(each.over);
                self.for_next(each, |l| l.call_function(&next, &[over], element, pos));
            }
        }
        Val::None
    }

    /// The length never changes, so an index below it needs no check.
    fn for_elements(&mut self, each: &'p ForEach) {
        let over_ty = self.ty(each.over);
        let val = self.expr(each.over);
        if !self.live {
            return;
        }
        let over = self.snapshot(val);
        let over = self.one_or_dead(over, Repr::One(Type::Ref));
        let pos = self.pos(each.over);
        let length = self.op(Op::Length, &[over], Type::Int);
        self.count_up(
            Some(each.id),
            |_| length,
            |lowering, index| {
                if let Some(variable) = each.variable {
                    let element = lowering.load_element(over, index, over_ty, pos);
                    lowering.bind(variable, element);
                }
                lowering.expr(each.body);
            },
        );
    }

    /// The length is asked for before each round.
    fn for_indexed(&mut self, each: &'p ForEach, len: &FnRef, index: &FnRef) {
        let program = self.module.program;
        let pos = self.pos(each.over);
        let val = self.expr(each.over);
        if !self.live {
            return;
        }
        let over = self.snapshot(val);
        let (len, index) = (self.part.instance.refer(len), self.part.instance.refer(index));
        let element_ty = self.module.result_of(&index);
        self.count_up(
            Some(each.id),
            |lowering| lowering.call_function(&len, &[over], program.types.int, pos).one(),
            |lowering, at| {
                let element = lowering.call_function(&index, &[over, Val::One(at)], element_ty, pos);
                if let Some(variable) = each.variable {
                    lowering.bind(variable, element);
                }
                lowering.expr(each.body);
            },
        );
    }

    /// Runs `round` with an index from 0 on, as long as it is below the length, which is asked for before each round.
    pub(crate) fn count_up(
        &mut self,
        id: Option<LoopId>,
        length: impl FnOnce(&mut Self) -> Value,
        round: impl FnOnce(&mut Self, Value),
    ) {
        let Variable::One(index) = self.new_variable("index", Repr::One(Type::Int)) else {
            unreachable!("an int is one value")
        };
        let zero = self.int(0);
        self.assign_one(index, zero);
        let [head, inside, step, exit] = ["head", "body", "step", "exit"].map(|l| self.new_block(l));
        if let Some(id) = id {
            self.enter_loop(id, exit, step);
        }
        self.fall_into(head);
        let length = length(self);
        let more = self.op(Op::Lt, &[index, length], Type::Bool);
        self.branch(more, inside, exit);
        self.start(inside);
        round(self, index);
        self.fall_into(step);
        let one = self.int(1);
        let next = self.op(Op::Add, &[index, one], Type::Int);
        self.assign_one(index, next);
        self.jump(head);
        self.start(exit);
    }

    /// Runs while `next` gives something that is not null.
    fn for_next(&mut self, each: &'p ForEach, next: impl FnOnce(&mut Self) -> Val) {
        let [head, inside, exit] = ["head", "body", "exit"].map(|l| self.new_block(l));
        self.enter_loop(each.id, exit, head);
        self.fall_into(head);
        let element = next(self);
        let more = self.null_test(NullTest::IsNotNull, element);
        self.branch(more, inside, exit);
        self.start(inside);
        if let Some(variable) = each.variable {
            self.bind(variable, payload(element));
        }
        self.expr(each.body);
        self.jump(head);
        self.start(exit);
    }
}
