//! Warnings about bodies: unused variables, statements without effect, rows that are one array.
//!
//! *Keeps:* names that begin with `_` are never unused. *Cost:* linear.

use crate::body::{BodyChecker, Role};
use crate::typed::{ExprId, ExprKind};
use crate::types::TyKind;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast;

impl BodyChecker<'_, '_> {
    /// Warns about variables and parameters that are never read.
    pub fn warn_unused_variables(&mut self) {
        for local in self.infos.ids() {
            let info = &self.infos[local];
            let name = self.body.locals[local].name.clone();
            if info.read || name.starts_with('_') {
                continue;
            }
            let (code, what) = match info.role {
                Role::Parameter => (codes::W0002_UNUSED_PARAMETER, "parameter"),
                Role::Variable | Role::Late | Role::Loop => (codes::W0001_UNUSED_VARIABLE, "variable"),
                Role::Receiver => continue,
            };
            let span = self.body.locals[local].span;
            let d = self.cx.warning(code, span, format!("the {what} `{name}` is never read"));
            let ty = self.body.locals[local].ty;
            let matched = self.kind(self.optional_inner(ty).unwrap_or(ty));
            let d = match matched {
                TyKind::Enum(id, _) if name.starts_with(char::is_uppercase) => {
                    let owner = self.cx.text(self.cx.enums[id].name.name);
                    d.with_help(format!("the enum `{owner}` has no variant `{name}`, so the name stands for any value"))
                }
                _ => d.with_help(format!("if that is meant, call it `_{name}`")), // an ordinary name
            };
            self.cx.report(d);
        }
    }

    /// Warns about a statement whose expression only computes a value.
    pub fn warn_pure_statement(&mut self, expr: &ast::Expr) {
        if !is_pure(expr) {
            return;
        }
        let d = self
            .cx
            .warning(codes::W0010_UNUSED_RESULT, expr.span, "the value of this expression is not used")
            .with_label("this has no effect");
        self.cx.report(if is_decrement(expr) { d.with_help("there is no `--`: write `x -= 1`") } else { d });
    }

    /// Warns about `[[v; n]; m]`: all rows are one array.
    pub fn warn_shared_rows(&mut self, value: ExprId, count: ExprId) {
        let fresh = match &self.body.exprs[value].kind {
            ExprKind::Repeat(..) => true,
            ExprKind::Array(elements) => !elements.is_empty(),
            _ => false, // an array that has a name may well be meant to be shared
        };
        let few = matches!(self.body.exprs[count].kind, ExprKind::Int(n) if n < 2);
        if !fresh || few || self.element_type(self.body.exprs[value].ty).is_none() {
            return;
        }
        let span: Span = self.span(value);
        let d = self
            .cx
            .warning(codes::W0009_SHARED_ROWS, span, "all elements are this one array: changing one row changes all")
            .with_help("make the rows in a loop: `for i in 0..m { a[i] = [v; n]; }`");
        self.cx.report(d);
    }
}

/// `--x`, which negates twice.
fn is_decrement(expr: &ast::Expr) -> bool {
    let ast::ExprKind::Unary { op: ast::UnaryOp::Neg, operand } = &expr.kind else { return false };
    matches!(&operand.kind, ast::ExprKind::Unary { op: ast::UnaryOp::Neg, .. })
}

/// Whether evaluating the expression only gives a value: nothing is written, called, checked or jumped to.
fn is_pure(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ast::ExprKind::Int(_)
        | ast::ExprKind::Float(_)
        | ast::ExprKind::Byte(_)
        | ast::ExprKind::String(_)
        | ast::ExprKind::Bool(_)
        | ast::ExprKind::Null
        | ast::ExprKind::Path(_)
        | ast::ExprKind::Closure { .. } => true,
        ast::ExprKind::Struct { path: _, fields } => fields.iter().all(|(_, value)| value.as_ref().is_none_or(is_pure)),
        ast::ExprKind::Array(parts) | ast::ExprKind::Coalesce(parts) => parts.iter().all(is_pure),
        ast::ExprKind::Repeat { value, count } => is_pure(value) && is_pure(count),
        ast::ExprKind::Paren(inner) => is_pure(inner),
        ast::ExprKind::Unary { op: _, operand } => is_pure(operand),
        // Division counts too: a check for zero is hardly why it was written.
        ast::ExprKind::Chain { first, rest } => is_pure(first) && rest.iter().all(|(_, _, operand)| is_pure(operand)),
        ast::ExprKind::Compare { op: _, op_span: _, left, right } => is_pure(left) && is_pure(right),
        ast::ExprKind::Postfix { .. }
        | ast::ExprKind::If { .. }
        | ast::ExprKind::Match { .. }
        | ast::ExprKind::Block(_)
        | ast::ExprKind::Return(_)
        | ast::ExprKind::Break(_)
        | ast::ExprKind::Continue(_)
        | ast::ExprKind::Error => false,
    }
}
