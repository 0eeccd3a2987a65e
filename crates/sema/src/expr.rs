//! Expressions: literals, names, and the way to the other forms.
//!
//! *In:* the syntax of an expression and what its surroundings expect. *Out:* a typed expression; its type may differ from
//! what was expected, then the caller coerces or reports. *Cost:* linear; recursion follows the nesting of the source.

use crate::body::{BodyChecker, Owner, Role};
use crate::infer::{Because, Expect};
use crate::items::Item;
use crate::modules::PRELUDE;
use crate::path::{Named, Split};
use crate::typed::{ExprId, ExprKind, GlobalId, LocalId, UnaryOp};
use crate::types::{Ty, TyKind};
use mini_base::names::Names;
use mini_base::near;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_diag::diagnostic::Diagnostic;
use mini_syntax::ast::{self, BinaryOp};

impl BodyChecker<'_, '_> {
    /// An expression that must fit a type.
    pub fn check(&mut self, expr: &ast::Expr, ty: Ty, because: Option<Because>) -> ExprId {
        let mark = self.vars.len();
        let id = self.infer(expr, Expect::Type(ty));
        if self.is_error(ty) {
            self.silence_since(mark); // the type that would tell theirs was reported
        }
        self.coerce(id, ty, because)
    }

    /// An expression that must have a value.
    pub fn value(&mut self, expr: &ast::Expr, expect: Expect) -> ExprId {
        let id = self.infer(expr, expect);
        if self.ty(id) != self.cx.types.unit {
            return id;
        }
        let d = self
            .cx
            .error(codes::E0314_NO_VALUE, expr.span, "a value is needed here, but this expression has none")
            .with_label("this has no value");
        self.cx.report(d);
        self.push_error(expr.span)
    }

    /// An expression inside something that was reported: its own errors count, its open types don't.
    pub fn ignored(&mut self, expr: &ast::Expr) {
        self.ignored_value(expr);
    }

    /// The same, for reports that speak of the expression.
    pub fn ignored_value(&mut self, expr: &ast::Expr) -> ExprId {
        let mark = self.vars.len();
        let id = self.infer(expr, Expect::Nothing);
        self.silence_since(mark);
        id
    }

    /// An expression of any type.
    pub fn infer(&mut self, expr: &ast::Expr, expect: Expect) -> ExprId {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Int(v) => self.push(ExprKind::Int(*v), self.cx.types.int, span),
            ast::ExprKind::Float(v) => self.push(ExprKind::Float(*v), self.cx.types.float, span),
            ast::ExprKind::Byte(v) => self.push(ExprKind::Byte(*v), self.cx.types.byte, span),
            ast::ExprKind::String(v) => self.push(ExprKind::String(v.clone()), self.cx.types.string, span),
            ast::ExprKind::Bool(v) => self.push(ExprKind::Bool(*v), self.cx.types.bool, span),
            ast::ExprKind::Null => self.null(expect, span),
            ast::ExprKind::Path(path) => self.path(path, expect, span),
            ast::ExprKind::Struct { path, fields } => self.struct_value(path, fields, expect, span),
            ast::ExprKind::Array(elements) => self.array(elements, expect, span),
            ast::ExprKind::Repeat { value, count } => self.repeat(value, count, expect, span),
            ast::ExprKind::Paren(inner) => self.infer(inner, expect),
            ast::ExprKind::Unary { op: UnaryOp::Not, .. } => self.bool_value(expr),
            ast::ExprKind::Unary { op, operand } => self.unary(*op, operand, expect, span),
            ast::ExprKind::Chain { first, rest } => match rest[0].0 {
                BinaryOp::And | BinaryOp::Or => self.bool_value(expr),
                _ => self.chain(first, rest, expect, span),
            },
            ast::ExprKind::Compare { op, op_span, left, right } => self.comparison(*op, *op_span, left, right, span),
            ast::ExprKind::Coalesce(parts) => self.coalesce(parts, expect, span),
            ast::ExprKind::Postfix { base, operations } => self.postfix(base, operations, expect),
            ast::ExprKind::If { arms, otherwise } => self.if_expr(arms, otherwise.as_ref(), expect, span),
            ast::ExprKind::Match { value, arms } => self.match_expr(value, arms, expect, span),
            ast::ExprKind::Block(block) => self.block(block, expect),
            ast::ExprKind::Closure { params, result, body } => self.closure(params, result.as_deref(), body, span),
            ast::ExprKind::Return(value) => self.return_jump(value.as_deref(), span),
            ast::ExprKind::Break(label) => self.break_jump(*label, span),
            ast::ExprKind::Continue(label) => self.continue_jump(*label, span),
            ast::ExprKind::Error => self.push_error(span),
        }
    }

    /// A condition used as a value: afterwards holds what both outcomes show.
    fn bool_value(&mut self, expr: &ast::Expr) -> ExprId {
        let (id, yes, no) = self.test(expr);
        self.flow = crate::flow::Flow::join(&yes, &no);
        id
    }

    fn null(&mut self, expect: Expect, span: Span) -> ExprId {
        let known = expect.ty().filter(|&ty| !self.is_open(ty) && self.optional_inner(ty).is_some());
        let ty = match known {
            Some(ty) => ty,
            None => {
                let inner = self.fresh(span);
                self.cx.types.optional(inner)
            }
        };
        self.push(ExprKind::Null, ty, span)
    }

    /// A name as a value.
    fn path(&mut self, path: &ast::Path, expect: Expect, span: Span) -> ExprId {
        let (item, declared, segment) = match self.split(path) {
            Some(Named::Local(local, segment)) => {
                self.refuse_type_args(segment);
                return self.read_local(local, span);
            }
            Some(Named::Other(Split::Member(owner, first, second))) => {
                let member = self.member(owner, first, second);
                return self.member_value(member, expect, span);
            }
            Some(Named::Other(Split::Item(item, declared, segment))) => (item, declared, segment),
            Some(Named::Other(Split::Unknown(segment))) => {
                self.report_no_value(segment.ident, span);
                return self.push_error(span);
            }
            None => return self.push_error(span),
        };
        let name = segment.ident;
        match item {
            Item::Const(id) => {
                self.refuse_type_args(segment);
                self.constant(id, span)
            }
            Item::Global(id) => {
                self.refuse_type_args(segment);
                self.global(id, span)
            }
            Item::Function(id) => {
                let known = self.function_args(id, segment);
                self.function_value(id, &known, expect, span)
            }
            Item::Extern(id) => self.extern_as_value(id, span),
            Item::Error => self.push_error(span),
            Item::Module(_) => {
                let text = self.cx.text(name.name);
                let d = self
                    .cx
                    .error(codes::E0205_WRONG_KIND_OF_NAME, span, format!("`{text}` is a module, not a value"))
                    .with_secondary(declared, "imported here")
                    .with_help(format!("what is in it is written `{text}::name`"));
                self.cx.report(d);
                self.push_error(span)
            }
            Item::Enum(_) => {
                let text = self.cx.text(name.name);
                let d = self
                    .cx
                    .error(codes::E0205_WRONG_KIND_OF_NAME, span, format!("`{text}` is an enum, not a value"))
                    .with_secondary(declared, "declared here")
                    .with_help(format!("a value of it is written `{text}::Variant`"));
                self.cx.report(d);
                self.push_error(span)
            }
            Item::Struct(_) => {
                let text = self.cx.text(name.name);
                let d = self
                    .cx
                    .error(codes::E0205_WRONG_KIND_OF_NAME, span, format!("`{text}` is a struct, not a value"))
                    .with_secondary(declared, "declared here")
                    .with_help(format!("a value of it is written `{text} {{ … }}`"));
                self.cx.report(d);
                self.push_error(span)
            }
        }
    }

    /// Refuses written type arguments where nothing takes them.
    pub fn refuse_type_args(&mut self, segment: &ast::PathSegment) {
        if let Some(args) = &segment.args {
            for arg in args {
                self.cx.resolve_type(arg);
            }
            let text = self.cx.text(segment.ident.name);
            self.cx.fail(codes::E0309_TYPE_ARGUMENTS, segment.ident.span, format!("`{text}` has no type parameters"));
        }
    }

    /// Notes that something but itself names a function.
    pub fn use_function(&mut self, id: crate::typed::FnId) {
        if self.owner != Owner::Function(id) {
            self.cx.functions[id].used = true;
        }
    }

    fn global(&mut self, id: GlobalId, span: Span) -> ExprId {
        if self.frames.len() <= 1 && self.cx.is_early_read(self.owner, id) {
            self.report_early(id, span);
            return self.push_error(span);
        }
        let ty = self.cx.globals[id].ty.unwrap_or(self.cx.types.error);
        self.push(ExprKind::Global(id), ty, span)
    }

    /// Reports a global without a zero that is named before its initialiser has run.
    pub fn report_early(&mut self, id: GlobalId, span: Span) {
        let syntax = self.cx.globals[id].syntax;
        let text = self.cx.text(syntax.name.name);
        let ty = self.cx.globals[id].ty.unwrap_or(self.cx.types.error);
        let ty = self.describe(ty);
        let d = self
            .cx
            .error(
                codes::E0507_GLOBAL_READ_EARLY,
                span,
                format!("the global `{text}` is used before its initialiser has run"),
            )
            .with_secondary(syntax.name.span, format!("{ty} has no value to show before then"))
            .with_help(match self.cx.globals[id].module == self.cx.current {
                true => "declare it above this initialiser",
                false => {
                    "its module is initialised later, since it imports this one: move what both need into a third module"
                }
            });
        self.cx.report(d);
    }

    /// Reports a name that can't be a value: a built-in one, `self`, or an unknown one.
    fn report_no_value(&mut self, name: ast::Ident, span: Span) {
        let text = self.cx.text(name.name);
        if text == "self" {
            self.report_self(span);
        } else if self.cx.conversion_target(name.name).is_some() {
            let d = self
                .cx
                .error(codes::E0205_WRONG_KIND_OF_NAME, span, format!("`{text}` is a type, not a value"))
                .with_help(format!("a conversion is written `{text}(x)`"));
            self.cx.report(d);
        } else if self.cx.builtin_function(name.name).is_some() {
            let d = self
                .cx
                .error(
                    codes::E0210_BUILTIN_AS_VALUE,
                    span,
                    format!("the built-in function `{text}` can be called, but is not a value"),
                )
                .with_help("put it into a function of your own");
            self.cx.report(d);
        } else {
            self.report_unknown(name, "variable");
        }
    }

    /// Reports `self` where there is none.
    pub fn report_self(&mut self, span: Span) {
        self.cx.fail(
            codes::E0206_SELF_OUTSIDE_METHOD,
            span,
            "there is no `self` here: the function does not have it as its first parameter",
        );
    }

    /// Reports a name that nothing declares; once in each body.
    pub fn report_unknown(&mut self, name: ast::Ident, what: &str) {
        if !self.unknown.insert(name.name) {
            return;
        }
        let text = self.cx.text(name.name);
        let d = self.cx.error(codes::E0201_UNKNOWN_NAME, name.span, format!("there is no {what} named `{text}`"));
        if let Some(d) = self.cx.advise_other_module(&d, name) {
            self.cx.report(d);
            return;
        }
        if let Some(variant) = self.cx.as_variant(name.name) {
            self.cx.report(
                d.with_help(format!("a variant is named with its enum: `{variant}`")).with_fix(name.span, variant),
            );
            return;
        }
        if let Some(here) = crate::advice::foreign_value(text) {
            self.cx.report(d.with_help(format!("write `{here}`")).with_fix(name.span, here));
            return;
        }
        if !self.cx.wants_suggestions() {
            self.cx.report(d);
            return;
        }
        let d = self.suggest_value(d, name);
        self.cx.report(d);
    }

    /// Reports a function that nothing declares; `first` is what it was called with.
    pub fn report_unknown_function(&mut self, name: ast::Ident, first: Option<ExprId>) {
        if !self.unknown.insert(name.name) {
            return;
        }
        let text = self.cx.text(name.name);
        let d = self.cx.error(codes::E0201_UNKNOWN_NAME, name.span, format!("there is no function named `{text}`"));
        if let Some(d) = self.cx.advise_other_module(&d, name) {
            self.cx.report(d);
            return;
        }
        if let Some(variant) = self.cx.as_variant(name.name) {
            self.cx.report(
                d.with_help(format!("a variant is named with its enum: `{variant}`")).with_fix(name.span, variant),
            );
            return;
        }
        let d = match self.foreign_function(text, first) {
            Some((Some(replacement), help)) => d.with_help(help).with_fix(name.span, replacement),
            Some((None, help)) => d.with_help(help),
            None if !self.cx.wants_suggestions() => d,
            None => self.suggest_function(d, name),
        };
        self.cx.report(d);
    }

    /// Suggests a function of the program or a built-in one; else anything that has a value.
    fn suggest_function(&mut self, d: Diagnostic, name: ast::Ident) -> Diagnostic {
        let names: &Names = self.cx.names;
        let functions = self.cx.known_names(|item| matches!(item, Item::Function(_) | Item::Extern(_)));
        let callable = |local: LocalId| matches!(self.kind(self.body.locals[local].ty), TyKind::Function(..));
        let locals = self.visible.iter().filter(|&(_, &local)| callable(local)).map(|(&n, _)| names.text(n));
        let conversions = ["int", "float", "byte", "string"];
        let mut same: Vec<&str> = functions.into_iter().chain(locals).collect();
        same.extend(conversions);
        same.extend(built_in_names());
        match near::nearest(self.cx.text(name.name), same.iter().copied()) {
            Some(_) => self.cx.suggest(d, name, same.into_iter()),
            None => self.suggest_value(d, name),
        }
    }

    /// Suggests a variable, constant or global; else anything that is known.
    fn suggest_value(&mut self, d: Diagnostic, name: ast::Ident) -> Diagnostic {
        let names: &Names = self.cx.names;
        let locals = || self.visible.keys().map(|&n| names.text(n));
        let values = self.cx.known_names(|item| matches!(item, Item::Const(_) | Item::Global(_)));
        let same: Vec<&str> = locals().chain(values).collect();
        if near::nearest(self.cx.text(name.name), same.iter().copied()).is_some() {
            return self.cx.suggest(d, name, same.into_iter());
        }
        let mut all: Vec<&str> = locals().collect();
        all.extend(self.cx.known_names(|_| true));
        all.extend(PRELUDE);
        all.extend(built_in_names());
        self.cx.suggest(d, name, all.into_iter())
    }

    /// Whether the expression is nothing but the name of a variable that is narrowed here: for tests of what is known.
    pub fn narrowed_operand(&mut self, expr: &ast::Expr) -> Option<ExprId> {
        let local = self.local_named(expr)?;
        self.narrowed_type(local)?;
        debug_assert!(self.infos[local].role != Role::Receiver, "`self` is never optional");
        Some(self.read_declared(local, expr.span))
    }
}

/// The names of the built-in functions, for a list with others.
fn built_in_names() -> Vec<&'static str> {
    crate::builtins::function_names().collect()
}
