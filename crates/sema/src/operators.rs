//! Operators: which types they take, and what they give.
//!
//! *Keeps:* the table of the language reference, section 5; no implicit conversions but `T` → `T?` where optionals are
//! compared. *Cost:* linear; chains are walked with loops.

use crate::advice::{IsComparison, Operand};
use crate::body::BodyChecker;
use crate::conditions::is_null;
use crate::generics::Bound;
use crate::infer::Expect;
use crate::typed::{BinaryOp, CompareOp, ExprId, ExprKind, NullTest, UnaryOp};
use crate::types::{Ty, TyKind};
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast;

/// Whether an operator of chains takes operands of a type.
fn takes(op: BinaryOp, kind: &TyKind) -> bool {
    match op {
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Sub => {
            matches!(kind, TyKind::Int | TyKind::Float)
        }
        BinaryOp::Add => matches!(kind, TyKind::Int | TyKind::Float | TyKind::String),
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr => matches!(kind, TyKind::Int),
        BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => {
            matches!(kind, TyKind::Int | TyKind::Bool)
        }
        BinaryOp::And | BinaryOp::Or => matches!(kind, TyKind::Bool),
    }
}

impl BodyChecker<'_, '_> {
    /// `- e` and `~ e`; `!` is a condition.
    pub fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, expect: Expect, span: Span) -> ExprId {
        if let (UnaryOp::Neg, ast::ExprKind::Int(v)) = (op, &operand.kind) {
            return self.push(ExprKind::Int(v.wrapping_neg()), self.cx.types.int, span);
        }
        let id = self.value(operand, expect.soften());
        let ty = self.ty(id);
        let fine = match (op, self.kind(ty)) {
            (_, TyKind::Error | TyKind::Never) => return id,
            (UnaryOp::Neg, TyKind::Int | TyKind::Float) | (UnaryOp::BitNot, TyKind::Int) => true,
            (UnaryOp::Not, TyKind::Bool) => true,
            (UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not, _) => false,
        };
        if !fine {
            let text = self.describe(ty);
            let mut d = self
                .cx
                .error(
                    codes::E0302_OPERATOR_TYPES,
                    span,
                    format!("the operator `{}` can't be applied to {text}", op.text()),
                )
                .with_label(format!("the operand is {text}"));
            if self.optional_inner(ty).is_some() {
                d = d.with_help(self.null_help(Some(id)));
            } else if self.kind(ty) == TyKind::Byte {
                d = d.with_help(format!("bytes have comparisons only: convert with `int({})`", self.written(id)));
            }
            self.cx.report(d);
            self.silence(ty);
            return self.push_error(span);
        }
        self.push(ExprKind::Unary(op, id), ty, span)
    }

    /// Operators of one level from left to right, `&&` and `||` excepted.
    pub fn chain(
        &mut self,
        first: &ast::Expr,
        rest: &[(BinaryOp, Span, ast::Expr)],
        expect: Expect,
        span: Span,
    ) -> ExprId {
        let first = self.value(first, expect.soften());
        let mut ty = self.ty(first);
        let mut operands = Vec::with_capacity(rest.len());
        let mut left = Operand { ty, span: self.span(first), id: Some(first) };
        for (op, op_span, operand) in rest {
            let hint = if self.is_never(ty) { Expect::Nothing } else { Expect::Hint(ty) };
            let right = self.value(operand, hint);
            ty = self.operate(*op, *op_span, left, right);
            left = Operand { ty, span: left.span.to(self.span(right)), id: None };
            operands.push((*op, right));
        }
        if self.is_error(ty) {
            return self.push_error(span);
        }
        self.push(ExprKind::Chain(first, operands.into()), ty, span)
    }

    /// The type of `left op right`; reports what does not fit.
    pub fn operate(&mut self, op: BinaryOp, op_span: Span, left: Operand, right: ExprId) -> Ty {
        let error = self.cx.types.error;
        let right = Operand { ty: self.ty(right), span: self.span(right), id: Some(right) };
        let left = Operand { ty: self.shallow(left.ty), ..left };
        if self.is_error(left.ty) {
            return error;
        }
        // What never gives a value fits everything.
        let ty = if self.is_never(left.ty) { right.ty } else { left.ty };
        if self.is_error(ty) || self.is_never(ty) {
            return ty;
        }
        let fits = takes(op, &self.kind(ty));
        if fits && (self.is_never(right.ty) || self.is_error(right.ty) || self.unify(ty, right.ty)) {
            return ty;
        }
        // An operand that the operator takes tells what the result was meant to be; text is what most is added to.
        let text = op == BinaryOp::Add && self.kind(right.ty) == TyKind::String && !self.is_never(left.ty);
        self.report_operands(op.text(), op_span, left, right, IsComparison::No);
        match () {
            () if text => self.cx.types.string,
            () if fits => ty,
            () => error,
        }
    }

    /// The same where the result is stored to where the left operand came from: after a report nothing is known of it.
    pub fn operate_in_place(&mut self, op: BinaryOp, op_span: Span, left: Operand, right: ExprId) -> Ty {
        let errors = self.cx.diags.error_count();
        let result = self.operate(op, op_span, left, right);
        if self.cx.diags.error_count() > errors { self.cx.types.error } else { result }
    }

    /// Reports an operator whose operands don't fit it or each other.
    fn report_operands(&mut self, op: &str, op_span: Span, left: Operand, right: Operand, comparison: IsComparison) {
        let (l, r) = (self.describe(left.ty), self.describe(right.ty));
        let both = if l == r { l.clone() } else { format!("{l} and {r}") };
        let mut d = self
            .cx
            .error(codes::E0302_OPERATOR_TYPES, op_span, format!("the operator `{op}` can't be applied to {both}"))
            .with_secondary(left.span, format!("this is {l}"))
            .with_secondary(right.span, format!("this is {r}"));
        let ty = self.resolve(left.ty);
        if let Some(help) = self.operand_help(left, right, comparison) {
            d = d.with_help(help);
        } else if l == r && comparison == IsComparison::Yes {
            let bound = if matches!(op, "==" | "!=") { Bound::Eq } else { Bound::Ord };
            d = self.cx.bound_advice(d, ty, bound);
        } else if matches!(self.cx.types.kind(ty), TyKind::Param(_)) {
            d = d.with_help(
                "no bound gives a type parameter this operator: take a function as a parameter that does it",
            );
        }
        self.cx.report(d);
        self.silence(left.ty);
        self.silence(right.ty);
    }

    /// The six comparisons, tests for null among them.
    pub fn comparison(
        &mut self,
        op: CompareOp,
        op_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> ExprId {
        let bool = self.cx.types.bool;
        let equality = match op {
            CompareOp::Eq => Some(NullTest::IsNull),
            CompareOp::Ne => Some(NullTest::IsNotNull),
            CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => None,
        };
        if let Some(test) = equality
            && is_null(left) != is_null(right)
        {
            let tested = if is_null(left) { right } else { left };
            return self.null_test(test, tested, span);
        }
        let left = self.value(left, Expect::Nothing);
        let hint = self.ty(left);
        let right = self.value(right, Expect::Hint(hint));
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        if self.is_error(left_ty) || self.is_error(right_ty) {
            self.silence(left_ty);
            self.silence(right_ty);
            return self.push_wrong_bool(span);
        }
        let common = match equality {
            Some(_) => self.join(left_ty, right_ty),
            None if self.is_never(left_ty) => Some(right_ty),
            None if self.is_never(right_ty) => Some(left_ty),
            None => self.unify(left_ty, right_ty).then_some(left_ty),
        };
        let fits = common.is_some_and(|common| {
            self.is_never(common) || if equality.is_some() { self.has_eq(common) } else { self.has_ord(common) }
        });
        let (Some(common), true) = (common, fits) else {
            let left = Operand { ty: left_ty, span: self.span(left), id: Some(left) };
            let right = Operand { ty: right_ty, span: self.span(right), id: Some(right) };
            self.report_operands(op.text(), op_span, left, right, IsComparison::Yes);
            return self.push_wrong_bool(span);
        };
        let (left, right) = (self.coerce(left, common, None), self.coerce(right, common, None));
        self.push(ExprKind::Compare(op, left, right), bool, span)
    }

    fn null_test(&mut self, test: NullTest, tested: &ast::Expr, span: Span) -> ExprId {
        let bool = self.cx.types.bool;
        if let Some(id) = self.narrowed_operand(tested) {
            let result = test == NullTest::IsNotNull;
            self.warn_known(span, format!("this test is always {result}: the variable can't be null here"));
            return self.push(ExprKind::NullTest(test, id), bool, span);
        }
        let id = self.value(tested, Expect::Nothing);
        if !self.require_optional(id, "tested for null") {
            return self.push_wrong_bool(span);
        }
        self.push(ExprKind::NullTest(test, id), bool, span)
    }

    /// Warns about a test of what is known.
    pub fn warn_known(&mut self, span: Span, message: String) {
        let d = self.cx.warning(codes::W0008_NEVER_NULL, span, message);
        self.cx.report(d);
    }

    /// Whether a value is optional; reports if not. What is wrong or never is fine.
    pub fn require_optional(&mut self, id: ExprId, what: &str) -> bool {
        let ty = self.ty(id);
        if self.optional_inner(ty).is_some() || self.is_never(ty) {
            return true;
        }
        if !self.is_error(ty) {
            let text = self.describe(ty);
            let d = self
                .cx
                .error(
                    codes::E0310_NOT_OPTIONAL,
                    self.span(id),
                    format!("a value of type {text} can't be {what}: it is never null"),
                )
                .with_label(format!("this is {text}"));
            self.cx.report(d);
        }
        false
    }

    /// `a ?? b ?? c`, which associates to the right.
    pub fn coalesce(&mut self, parts: &[ast::Expr], expect: Expect, span: Span) -> ExprId {
        let (last, before) = parts.split_last().expect("the parser gives at least two operands");
        let hint = match expect.ty() {
            Some(ty) if !self.is_error(ty) => Expect::Hint(self.make_optional(ty)),
            _ => Expect::Nothing,
        };
        let mut ids = Vec::with_capacity(parts.len());
        let mut inner: Option<Ty> = None;
        let mut wrong = false;
        // What is evaluated only if the first operand is null: what holds behind it also holds without it.
        let mut flow_ends: Option<crate::flow::Flow> = None;
        for part in before {
            let id = match self.narrowed_operand(part) {
                Some(id) => {
                    self.warn_known(part.span, "the variable can't be null here, so `??` has no effect".into());
                    id
                }
                None => self.value(part, inner.map_or(hint, Expect::Hint)),
            };
            let fine = self.require_optional(id, "used on the left of `??`");
            wrong |= !fine;
            if fine {
                let ty = self.ty(id);
                match inner {
                    None if !self.is_never(ty) => inner = Some(ty),
                    None => {}
                    Some(so_far) if self.join(so_far, ty).is_none() => {
                        self.mismatch(self.span(id), so_far, ty, None);
                        wrong = true;
                    }
                    Some(_) => {}
                }
            }
            ids.push(id);
            flow_ends = Some(match flow_ends {
                Some(end) => crate::flow::Flow::join(&end, &self.flow),
                None => self.flow.clone(),
            });
        }
        let inner_ty = inner.and_then(|ty| self.optional_inner(ty));
        let last_id = self.value(last, inner_ty.map_or(expect.soften(), Expect::Hint));
        if let Some(end) = flow_ends {
            self.flow = crate::flow::Flow::join(&end, &self.flow);
        }
        let last_ty = self.ty(last_id);
        let ty = match (inner, inner_ty) {
            _ if wrong || self.is_error(last_ty) => {
                inner.into_iter().for_each(|ty| self.silence(ty));
                return self.push_error(span);
            }
            (Some(optional), Some(inner)) => {
                if self.is_never(last_ty) {
                    inner
                } else if self.optional_inner(last_ty).is_some() {
                    if !self.unify(optional, last_ty) {
                        self.mismatch(self.span(last_id), optional, last_ty, None);
                        return self.push_error(span);
                    }
                    optional
                } else {
                    if !self.unify(inner, last_ty) {
                        self.mismatch(self.span(last_id), inner, last_ty, None);
                        return self.push_error(span);
                    }
                    inner
                }
            }
            (Some(_) | None, _) => last_ty,
        };
        ids.push(last_id);
        self.push(ExprKind::Coalesce(ids.into()), ty, span)
    }
}
