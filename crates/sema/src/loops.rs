//! Loops and jumps.
//!
//! *Keeps:* at a loop's head nothing is known of a variable that is assigned anywhere in the loop; behind a loop holds what
//! holds where its condition fails and at every `break` to it. *Cost:* linear in the assignments of a loop, for each loop.

use crate::body::{BodyChecker, LoopState, Role};
use crate::flow::{Flow, Reach};
use crate::infer::{Because, Expect};
use crate::stmt::NO_RESULT;
use crate::typed::{Condition, EachKind, ExprId, ExprKind, ForEach, ForRange, LoopId, Stmt};
use crate::types::{Ty, TyKind};
use mini_base::ids::Id;
use mini_base::names::Name;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast;

impl BodyChecker<'_, '_> {
    fn enter_loop(&mut self, label: Option<ast::Ident>) -> LoopId {
        let id = LoopId::new(self.body.loops as usize);
        self.body.loops += 1;
        self.loops.push(LoopState { id, label: label.map(|l| l.name), exit: None });
        id
    }

    /// Forgets what an assignment anywhere in the loop may end.
    fn forget_assigned(&mut self, body: &ast::Block) {
        for declared in self.scan.assigned_in(body) {
            if let Some(&local) = self.declared.get(declared) {
                self.flow.widen(local);
            }
        }
    }

    /// A `while` loop.
    pub fn while_loop(
        &mut self,
        label: Option<ast::Ident>,
        condition: &ast::Condition,
        body: &ast::Block,
        span: Span,
    ) -> ExprId {
        let mark = self.vars.len();
        let entered = self.flow.reach;
        let id = self.enter_loop(label);
        self.forget_assigned(body);
        let scope = self.open_scope();
        let endless = matches!(condition, ast::Condition::Expr(expr) if is_literal_true(expr));
        let (condition, enter, mut leave) = self.condition(condition);
        self.settle(mark);
        if endless {
            leave.stop();
        } else {
            self.warn_constant_condition(&condition);
        }
        self.flow = enter;
        let unit = self.cx.types.unit;
        let body = self.block(body, Expect::Type(unit));
        self.close_scope(scope);
        let state = self.loops.pop().expect("the loop that was entered above");
        let never_ends = endless && state.exit.is_none();
        self.flow = match state.exit {
            Some(exit) => Flow::join(&leave, &exit),
            None => leave,
        };
        if !never_ends && entered == Reach::Yes {
            // Also a `break` that can't be reached makes the loop one that ends.
            self.flow.reach = Reach::Yes;
        }
        let ty = if never_ends { self.cx.types.never } else { unit };
        self.push(ExprKind::While(id, condition, body), ty, span)
    }

    /// A `for` loop.
    pub fn for_loop(
        &mut self,
        label: Option<ast::Ident>,
        variable: Option<ast::Ident>,
        head: &ast::ForHead,
        body: &ast::Block,
        span: Span,
    ) -> ExprId {
        enum Head {
            Range(ExprId, ExprId, ast::RangeKind, Option<ExprId>),
            Each(ExprId, EachKind),
            /// What it runs over never comes.
            Dead(ExprId),
            Wrong,
        }
        let mark = self.vars.len();
        let int = self.cx.types.int;
        let mut bound = Span::NONE;
        let (head, element) = match head {
            ast::ForHead::Range { from, to, kind, by } => {
                bound = from.span;
                let from = self.check(from, int, None);
                let to = self.check(to, int, None);
                let by = by.as_ref().map(|by| self.check(by, int, None));
                (Head::Range(from, to, *kind, by), int)
            }
            ast::ForHead::Each(over) => {
                let over = self.value(over, Expect::Nothing);
                self.settle(mark);
                match self.each_kind(over) {
                    Some((kind, element)) => (Head::Each(over, kind), element),
                    None if self.is_never(self.ty(over)) => (Head::Dead(over), self.cx.types.error),
                    None => (Head::Wrong, self.cx.types.error),
                }
            }
        };
        self.settle(mark);
        let id = self.enter_loop(label);
        self.forget_assigned(body);
        let leave = self.flow.clone();
        let scope = self.open_scope();
        let variable = variable.map(|name| self.declare(name, element, Role::Loop));
        let unit = self.cx.types.unit;
        let body = self.block(body, Expect::Type(unit));
        self.close_scope(scope);
        let state = self.loops.pop().expect("the loop that was entered above");
        self.flow = match state.exit {
            Some(exit) => Flow::join(&leave, &exit),
            None => leave,
        };
        let kind = match head {
            Head::Range(from, to, kind, by) => {
                ExprKind::ForRange(Box::new(ForRange { id, variable, from, to, kind, by, body, bound }))
            }
            Head::Each(over, kind) => ExprKind::ForEach(Box::new(ForEach { id, variable, over, kind, body })),
            Head::Dead(over) => {
                let never = self.cx.types.never;
                return self.push(ExprKind::Block(Box::new([Stmt::Expr(over)]), None), never, span);
            }
            Head::Wrong => return self.push_error(span),
        };
        self.push(kind, unit, span)
    }

    /// How a `for` runs over a value, and the type of its variable.
    fn each_kind(&mut self, over: ExprId) -> Option<(EachKind, Ty)> {
        let ty = self.ty(over);
        let byte = self.cx.types.byte;
        let kind = self.kind(ty);
        if let Some(found) = self.user_each(ty, self.span(over)) {
            return Some(found);
        }
        match kind {
            TyKind::Array(element) => Some((EachKind::Array, element)),
            TyKind::String => Some((EachKind::String, byte)),
            TyKind::Error | TyKind::Never => None,
            kind @ (TyKind::Int
            | TyKind::Float
            | TyKind::Bool
            | TyKind::Byte
            | TyKind::Unit
            | TyKind::Optional(_)
            | TyKind::Function(..)
            | TyKind::Struct(..)
            | TyKind::Enum(..)
            | TyKind::Param(_)
            | TyKind::Infer(_)) => {
                let text = self.describe(ty);
                let mut d =
                    self.cx.error(codes::E0306_NOT_ITERABLE, self.span(over), format!("`for` can't run over {text}"));
                d = match kind {
                    TyKind::Int => d.with_help("for the numbers below it, write `0..n`"),
                    TyKind::Optional(_) => d.with_help("the value may be null: test it first, or unwrap it with `!`"),
                    _ => match self.cx.elements_of(&kind) {
                        Some(help) => d.with_help(help),
                        None => {
                            d.with_help("it runs over ranges of ints, arrays, strings, lists, and structs with `next`")
                        }
                    },
                };
                self.cx.report(d);
                None
            }
        }
    }

    /// The loop that a jump names, as an index.
    fn find_loop(&mut self, label: Option<ast::Ident>, span: Span, word: &str) -> Option<usize> {
        let first = self.frames.last().map_or(0, |frame| frame.loops);
        let Some(label) = label else {
            if self.loops.len() > first {
                return Some(self.loops.len() - 1);
            }
            let mut d = self.cx.error(codes::E0208_JUMP_OUTSIDE_LOOP, span, format!("`{word}` outside of a loop"));
            if first > 0 {
                d = d.with_help("a closure can't jump out of itself");
            }
            self.cx.report(d);
            return None;
        };
        let found = (first..self.loops.len()).rev().find(|&i| self.loops[i].label == Some(label.name));
        if found.is_none() {
            let text = self.cx.text(label.name);
            let outside = self.loops[..first].iter().any(|l| l.label == Some(label.name));
            let mut d = self.cx.error(
                codes::E0207_UNKNOWN_LABEL,
                label.span,
                format!("no loop around this is labelled `{text}`"),
            );
            if outside {
                d = d.with_help("a closure can't jump out of itself");
            } else {
                let labels: Vec<Name> = self.loops[first..].iter().filter_map(|l| l.label).collect();
                let names = self.cx.names;
                d = self.cx.suggest(d, label, labels.iter().map(|&l| names.text(l)));
            }
            self.cx.report(d);
        }
        found
    }

    /// `break`
    pub fn break_jump(&mut self, label: Option<ast::Ident>, span: Span) -> ExprId {
        let found = self.find_loop(label, span, "break");
        let never = self.cx.types.never;
        let id = match found {
            Some(index) => {
                let state = &mut self.loops[index];
                let id = state.id;
                state.exit = Some(match &state.exit {
                    Some(exit) => Flow::join(exit, &self.flow),
                    None => self.flow.clone(),
                });
                self.push(ExprKind::Break(id), never, span)
            }
            None => self.push_error(span),
        };
        self.flow.stop();
        id
    }

    /// `continue`
    pub fn continue_jump(&mut self, label: Option<ast::Ident>, span: Span) -> ExprId {
        let found = self.find_loop(label, span, "continue");
        let never = self.cx.types.never;
        let id = match found {
            Some(index) => {
                let id = self.loops[index].id;
                self.push(ExprKind::Continue(id), never, span)
            }
            None => self.push_error(span),
        };
        self.flow.stop();
        id
    }

    /// `return`
    pub fn return_jump(&mut self, value: Option<&ast::Expr>, span: Span) -> ExprId {
        let frame = self.frames.last().map(|frame| (frame.result, frame.result_span));
        let never = self.cx.types.never;
        let unit = self.cx.types.unit;
        let id = match frame {
            Some((Some(result), result_span)) => {
                let because = match result == unit {
                    true => Because::new(result_span, NO_RESULT),
                    false => Because::new(result_span, "the result of the function is declared here"),
                };
                let value = match value {
                    Some(value) if result == unit => Some(self.returned_from_unit(value, because)),
                    Some(value) => Some(self.check(value, result, because)),
                    None => {
                        if result != unit {
                            self.mismatch(span, result, unit, because);
                        }
                        None
                    }
                };
                self.push(ExprKind::Return(value), never, span)
            }
            Some((None, _)) | None => {
                if let Some(value) = value {
                    let mark = self.vars.len();
                    self.infer(value, Expect::Nothing);
                    self.silence_since(mark);
                }
                self.cx.fail(codes::E0209_RETURN_OUTSIDE_FUNCTION, span, "`return` outside of a function");
                self.push_error(span)
            }
        };
        self.flow.stop();
        id
    }

    /// The value of a `return` in a function without result: only one that is no value fits.
    fn returned_from_unit(&mut self, value: &ast::Expr, because: Option<Because>) -> ExprId {
        let unit = self.cx.types.unit;
        let id = self.infer(value, Expect::Type(unit));
        if let Some(id) = self.try_coerce(id, unit) {
            return id;
        }
        let (span, found) = (self.span(id), self.ty(id));
        let text = self.describe_result(found);
        let help = format!("write the function's result type: `-> {text}`");
        self.report_mismatch(span, unit, found, because, Some(help));
        self.push_error(span)
    }

    /// Warns about a condition that is the same each time, as far as one sees at a glance.
    pub fn warn_constant_condition(&mut self, condition: &Condition) {
        let Condition::Expr(id) = condition else {
            return;
        };
        if let ExprKind::Bool(value) = self.body.exprs[*id].kind {
            let span = self.span(*id);
            let d = self.cx.warning(codes::W0007_CONSTANT_CONDITION, span, format!("this condition is always {value}"));
            self.cx.report(d);
        }
    }
}

/// Only the literal, also in parentheses, makes a loop endless.
fn is_literal_true(mut expr: &ast::Expr) -> bool {
    while let ast::ExprKind::Paren(inner) = &expr.kind {
        expr = inner;
    }
    matches!(expr.kind, ast::ExprKind::Bool(true))
}
