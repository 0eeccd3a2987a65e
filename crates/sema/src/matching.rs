//! `match`.
//!
//! *Keeps:* arms are tried in order against the value that was evaluated at the start; an arm begins with what holds
//! behind the value and behind the failed guards before it. *Cost:* linear, and what `coverage.rs` costs.

use crate::body::BodyChecker;
use crate::conditions::Common;
use crate::coverage::{self, Row};
use crate::flow::Flow;
use crate::infer::Expect;
use crate::patterns::{Bound, Outermost};
use crate::typed::{Arm, ExprId, ExprKind, Pattern};
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast;

impl BodyChecker<'_, '_> {
    /// `match e { … }`
    pub fn match_expr(&mut self, value: &ast::Expr, arms: &[ast::Arm], expect: Expect, span: Span) -> ExprId {
        let mark = self.vars.len();
        let head = Span::new(span.start, value.span.end);
        let value = self.value(value, Expect::Nothing);
        self.settle(mark);
        let ty = self.body.exprs[value].ty;
        let ty = self.resolve(ty);
        let ty = if self.is_never(ty) { self.cx.types.error } else { ty };
        let mut common = Common::new(expect);
        let mut entry = self.flow.clone();
        let mut end: Option<Flow> = None;
        let mut typed: Vec<Arm> = Vec::with_capacity(arms.len());
        let mut null_is_covered = false;
        let mut wrong_patterns = self.is_error(ty);
        for arm in arms {
            let scope = self.open_scope();
            self.flow = entry.clone();
            let outermost = if null_is_covered { Outermost::Present } else { Outermost::Anything };
            let errors = self.cx.diags.error_count();
            let mut bound = Bound::new();
            let pattern = self.pattern(&arm.pattern, ty, outermost, &mut bound);
            wrong_patterns |= self.cx.diags.error_count() > errors;
            for (&name, &(local, _)) in &bound {
                self.show(name, local);
            }
            let guard = arm.guard.as_ref().map(|guard| {
                let mark = self.vars.len();
                let (id, yes, no) = self.test(guard);
                self.settle(mark);
                entry = Flow::join(&entry, &no);
                self.flow = yes;
                id
            });
            null_is_covered |= guard.is_none() && covers_null(&pattern);
            let body = match common.expect() {
                Expect::Type(ty) => self.check(&arm.body, ty, None),
                soft @ (Expect::Hint(_) | Expect::Nothing) => self.infer(&arm.body, soft),
            };
            self.close_scope(scope);
            self.join_branch(&mut common, body, "arms of this `match`");
            end = Some(match end {
                Some(before) => Flow::join(&before, &self.flow),
                None => self.flow.clone(),
            });
            typed.push(Arm { pattern, guard, body });
        }
        match end {
            Some(end) => self.flow = end,
            None => self.flow.stop(), // no arm: control never gets here
        }
        // Where the text was not understood, arms may be missing.
        if !wrong_patterns && !self.cx.has_syntax_error(span) {
            self.check_coverage(ty, arms, &typed, head);
        }
        let ty = common.ty(self);
        let ty = if !self.flow.reachable() { self.cx.types.never } else { ty };
        for arm in &mut typed {
            arm.body = self.coerce_branch(arm.body, ty);
        }
        self.push(ExprKind::Match(value, typed.into()), ty, span)
    }

    fn check_coverage(&mut self, ty: crate::types::Ty, arms: &[ast::Arm], typed: &[Arm], head: Span) {
        let rows: Vec<Row> =
            typed.iter().map(|arm| Row { pattern: &arm.pattern, guarded: arm.guard.is_some() }).collect();
        let coverage = coverage::cover(self.cx, ty, &rows);
        for (arm, reached) in arms.iter().zip(&coverage.reached) {
            // What was not understood may leave room for it.
            if !reached && !self.has_errors() {
                let d = self
                    .cx
                    .warning(codes::W0006_UNREACHABLE_ARM, arm.pattern.span, "this arm can't be reached")
                    .with_label("the arms before it match all of this");
                self.cx.report(d);
            }
        }
        if let Some(missing) = coverage.missing {
            let text = self.describe(ty);
            let d = self
                .cx
                .error(codes::E0320_NOT_EXHAUSTIVE, head, format!("this `match` on {text} does not cover `{missing}`"))
                .with_help("add an arm for it, or `_ => …` for all the rest");
            self.cx.report(d);
        }
    }
}

/// Whether a pattern matches null, among other things.
fn covers_null(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Null | Pattern::Wildcard | Pattern::Bind(_) => true,
        Pattern::Or(parts) => parts.iter().any(covers_null),
        Pattern::Some(_)
        | Pattern::Int(_)
        | Pattern::IntRange(..)
        | Pattern::Byte(_)
        | Pattern::ByteRange(..)
        | Pattern::Bool(_)
        | Pattern::String(_)
        | Pattern::Variant(..) => false,
    }
}
