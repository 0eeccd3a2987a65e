//! Conditions and `if`: what a test shows about variables on either side.
//!
//! *Out:* the typed condition and what holds where it is true and where it is false. *Keeps:* the rules of the language
//! reference, section 5, narrowing: `x != null`, `x == null`, `!`, `&&`, `||`, parentheses; any other condition shows nothing.
//! *Cost:* linear in the condition; chains of `&&`, `||` and `else if` are walked with loops.

use crate::body::BodyChecker;
use crate::flow::Flow;
use crate::infer::{Because, Expect};
use crate::typed::{CompareOp, Condition, ExprId, ExprKind, Pattern, UnaryOp};
use mini_base::source::{Pos, Span};
use mini_diag::codes_checker as codes;
use mini_syntax::ast::{self, BinaryOp};

impl BodyChecker<'_, '_> {
    /// A condition, with what holds where it is true and where it is false. The variables of a pattern stay in scope
    /// until the caller closes it.
    pub fn condition(&mut self, condition: &ast::Condition) -> (Condition, Flow, Flow) {
        match condition {
            ast::Condition::Expr(expr) => {
                let (id, yes, no) = self.test(expr);
                (Condition::Expr(id), yes, no)
            }
            ast::Condition::Let { pattern: written, value, span: _ } => {
                let mark = self.vars.len();
                let value = self.value(value, Expect::Nothing);
                self.settle(mark);
                let ty = self.ty(value);
                let pattern = self.let_pattern(written, ty);
                if matches!(pattern, Pattern::Bind(_)) && !self.is_error(ty) && !self.is_never(ty) {
                    let message = "this pattern always matches: the value is never null";
                    let d = self.cx.warning(codes::W0007_CONSTANT_CONDITION, written.span, message);
                    self.cx.report(d);
                }
                (Condition::Let(pattern, value), self.flow.clone(), self.flow.clone())
            }
        }
    }

    /// A bool, with what holds where it is true and where it is false.
    pub fn test(&mut self, expr: &ast::Expr) -> (ExprId, Flow, Flow) {
        let bool = self.cx.types.bool;
        match &expr.kind {
            ast::ExprKind::Paren(inner) => self.test(inner),
            ast::ExprKind::Unary { op: UnaryOp::Not, operand } => {
                let (id, yes, no) = self.test(operand);
                (self.push(ExprKind::Unary(UnaryOp::Not, id), bool, expr.span), no, yes)
            }
            ast::ExprKind::Chain { first, rest } if rest[0].0 == BinaryOp::And => {
                let (parts, went_on, stopped) = self.tests(first, rest, |yes, no| (yes, no));
                (self.push(ExprKind::And(parts), bool, expr.span), went_on, stopped)
            }
            ast::ExprKind::Chain { first, rest } if rest[0].0 == BinaryOp::Or => {
                let (parts, went_on, stopped) = self.tests(first, rest, |yes, no| (no, yes));
                (self.push(ExprKind::Or(parts), bool, expr.span), stopped, went_on)
            }
            ast::ExprKind::Compare { op: op @ (CompareOp::Eq | CompareOp::Ne), op_span, left, right }
                if is_null(left) != is_null(right) =>
            {
                let id = self.comparison(*op, *op_span, left, right, expr.span);
                let tested = self.local_named(if is_null(left) { right } else { left });
                let (mut yes, mut no) = (self.flow.clone(), self.flow.clone());
                if let Some(local) = tested
                    && self.optional_inner(self.body.locals[local].ty).is_some()
                    && !self.infos[local].captured
                {
                    if *op == CompareOp::Ne { yes.narrow(local) } else { no.narrow(local) }
                }
                (id, yes, no)
            }
            _ => {
                // No other condition shows anything.
                let id = self.check(expr, bool, None);
                (id, self.flow.clone(), self.flow.clone())
            }
        }
    }

    /// The operands of `&&` or `||`: each is evaluated where the one before let it. Gives what holds where all let the
    /// evaluation go on, and where one stopped it.
    fn tests(
        &mut self,
        first: &ast::Expr,
        rest: &[(BinaryOp, Span, ast::Expr)],
        order: impl Fn(Flow, Flow) -> (Flow, Flow),
    ) -> (Box<[ExprId]>, Flow, Flow) {
        let mut parts = Vec::with_capacity(rest.len() + 1);
        let mut stopped: Option<Flow> = None;
        for operand in std::iter::once(first).chain(rest.iter().map(|(_, _, operand)| operand)) {
            let (id, yes, no) = self.test(operand);
            let (go_on, stop) = order(yes, no);
            parts.push(id);
            stopped = Some(match stopped {
                Some(before) => Flow::join(&before, &stop),
                None => stop,
            });
            self.flow = go_on;
        }
        let stopped = stopped.expect("a chain has operands");
        (parts.into(), self.flow.clone(), stopped)
    }

    /// The local variable that an expression names, if it is nothing but that name.
    pub fn local_named(&self, mut expr: &ast::Expr) -> Option<crate::typed::LocalId> {
        while let ast::ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        match &expr.kind {
            ast::ExprKind::Path(path) => match path.segments.as_slice() {
                [segment] => self.visible.get(&segment.ident.name).copied(),
                _ => None,
            },
            _ => None, // anything else is no name
        }
    }

    /// `if` with all its `else if`s.
    pub fn if_expr(
        &mut self,
        arms: &[(ast::Condition, ast::Block)],
        otherwise: Option<&ast::Block>,
        expect: Expect,
        span: Span,
    ) -> ExprId {
        let unit = self.cx.types.unit;
        // Without `else` a branch has no value; one that has is part of the one error about the `else`.
        let needs_else = otherwise.is_none()
            && expect != Expect::Type(unit)
            && arms.iter().any(|(_, block)| self.block_yields(block));
        let branch_expect = match otherwise {
            Some(_) => expect,
            None if needs_else => Expect::Nothing,
            None => Expect::Type(unit),
        };
        let keyword = Span::new(span.start, Pos(span.start.0 + 2));
        let mut typed = Vec::with_capacity(arms.len());
        let mut end: Option<Flow> = None;
        let join = |end: &mut Option<Flow>, here: &Flow| {
            *end = Some(match end.take() {
                Some(before) => Flow::join(&before, here),
                None => here.clone(),
            });
        };
        let mut common = Common::new(branch_expect);
        for (condition, block) in arms {
            let scope = self.open_scope();
            let mark = self.vars.len();
            let (condition, yes, no) = self.condition(condition);
            self.settle(mark);
            self.warn_constant_condition(&condition);
            self.flow = yes;
            let because = match otherwise {
                Some(_) => None,
                None => Because::new(keyword, "without an `else`, this `if` has no value"),
            };
            let id = self.block_because(block, common.expect(), because);
            self.close_scope(scope);
            self.join_branch(&mut common, id, "branches of this `if`");
            join(&mut end, &self.flow);
            self.flow = no;
            typed.push((condition, id));
        }
        let last = otherwise.map(|block| {
            let id = self.block(block, common.expect());
            self.join_branch(&mut common, id, "branches of this `if`");
            id
        });
        join(&mut end, &self.flow);
        self.flow = end.expect("an if has a branch");
        let ty = common.ty(self);
        let ty = if !self.flow.reachable() { self.cx.types.never } else { ty };
        for (_, id) in &mut typed {
            *id = self.coerce_branch(*id, ty);
        }
        let last = last.map(|id| self.coerce_branch(id, ty));
        if needs_else {
            let d = self
                .cx
                .error(codes::E0314_NO_VALUE, span, "this `if` needs an `else`")
                .with_label("it has no value where the condition is false")
                .with_help("add an `else` with the other value, or end the branch with `;` if it should have none");
            self.cx.report(d);
            self.silence(ty);
            return self.push_error(span);
        }
        if otherwise.is_none()
            && let Expect::Type(wanted) = expect
            && wanted != unit
            && !self.is_error(wanted)
        {
            let text = self.describe(wanted);
            let d = self
                .cx
                .error(
                    codes::E0301_TYPE_MISMATCH,
                    span,
                    format!("expected {text}, but an `if` without `else` has no value"),
                )
                .with_help("add an `else` with the other value");
            self.cx.report(d);
            return self.push_error(span);
        }
        self.push(ExprKind::If(typed.into(), last), ty, span)
    }

    /// Adds a branch to the common type; reports one that does not agree.
    pub fn join_branch(&mut self, common: &mut Common, id: ExprId, what: &str) {
        if common.given {
            return; // the branch was coerced on its own
        }
        let ty = self.ty(id);
        if self.is_never(ty) || self.is_error(ty) {
            common.wrong |= self.is_error(ty);
            return;
        }
        let Some((so_far, first)) = common.so_far else {
            common.so_far = Some((ty, id));
            return;
        };
        match self.join(so_far, ty) {
            Some(joined) => common.so_far = Some((joined, first)),
            None => {
                common.wrong = true;
                let (wanted, found) = (self.describe(so_far), self.describe(ty));
                let (here, there) = (self.value_span(id), self.value_span(first));
                let d = self
                    .cx
                    .error(
                        codes::E0315_BRANCHES_DISAGREE,
                        here,
                        format!("the {what} have different types: {wanted} and {found}"),
                    )
                    .with_label(format!("this is {found}"))
                    .with_secondary(there, format!("this is {wanted}"));
                self.cx.report(d);
                self.silence(ty);
                self.silence(so_far);
            }
        }
    }

    /// The value of a block, to point at.
    fn value_span(&self, mut id: ExprId) -> Span {
        while let ExprKind::Block(_, Some(value)) = &self.body.exprs[id].kind {
            id = *value;
        }
        self.span(id)
    }

    /// Makes a branch fit the common type, which it is known to do.
    pub fn coerce_branch(&mut self, id: ExprId, ty: crate::types::Ty) -> ExprId {
        if self.is_never(ty) {
            return id;
        }
        self.try_coerce(id, ty).unwrap_or(id)
    }
}

/// The common type of branches while they are looked at.
pub(crate) struct Common {
    expect: Expect,
    /// The type was given from outside.
    pub given: bool,
    /// The common type of the branches so far, and the first of them.
    pub so_far: Option<(crate::types::Ty, ExprId)>,
    /// Whether a branch was reported.
    pub wrong: bool,
}

impl Common {
    /// No branches yet.
    pub fn new(expect: Expect) -> Common {
        Common { expect, given: matches!(expect, Expect::Type(_)), so_far: None, wrong: false }
    }

    /// What to expect of the next branch.
    pub fn expect(&self) -> Expect {
        match (self.given, self.so_far) {
            (true, _) | (false, None) => self.expect,
            (false, Some((ty, _))) => Expect::Hint(ty),
        }
    }

    /// The type of the whole.
    pub fn ty(&self, checker: &mut BodyChecker<'_, '_>) -> crate::types::Ty {
        if let (true, Some((ty, _))) = (self.wrong, self.so_far) {
            checker.silence(ty); // what it needed was perhaps in the branch that was reported
        }
        match (self.expect, self.so_far) {
            (Expect::Type(ty), _) => ty,
            (Expect::Nothing | Expect::Hint(_), _) if self.wrong => checker.cx.types.error,
            (Expect::Nothing | Expect::Hint(_), Some((ty, _))) => ty,
            (Expect::Nothing | Expect::Hint(_), None) => checker.cx.types.never,
        }
    }
}

/// Whether the expression is the literal `null`, also in parentheses.
pub(crate) fn is_null(mut expr: &ast::Expr) -> bool {
    while let ast::ExprKind::Paren(inner) = &expr.kind {
        expr = inner;
    }
    matches!(expr.kind, ast::ExprKind::Null)
}
