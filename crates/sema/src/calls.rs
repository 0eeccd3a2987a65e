//! Calls, methods, indexing, slices, fields and `!`: the postfix operations.
//!
//! *Keeps:* a chain of postfix operations is walked with a loop, so its length costs no stack. *Cost:* linear.

use crate::body::BodyChecker;
use crate::builtins::{self, Builtin};
use crate::infer::{Because, Expect};
use crate::items::{Item, Nominal};
use crate::modules::Visibility;
use crate::path::{Named, Split};
use crate::typed::{ExprId, ExprKind, FnId, FnRef};
use crate::types::{Ty, TyKind};
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast::{self, Postfix, PostfixKind};

/// What stands in parentheses, and around the call.
#[derive(Clone, Copy)]
pub(crate) struct Site<'e> {
    /// The arguments.
    pub args: &'e [ast::Expr],
    /// The parentheses.
    pub args_span: Span,
    /// The whole call.
    pub span: Span,
    /// What is expected of its value.
    pub expect: Expect,
}

/// Whether a value has the type that it must have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It has.
    Coerced,
    /// Its type needs the context: it is to be coerced when the other values have said what they can.
    Waits,
}

/// A function that is called.
pub(crate) struct Callee {
    /// Which.
    pub id: FnId,
    /// The value before the `.`, if it is a method.
    pub receiver: Option<ExprId>,
    /// What stands for its first type parameters; the others are inferred.
    pub known: Vec<Ty>,
}

impl BodyChecker<'_, '_> {
    /// A base with some of its postfix operations; `expect` is about the value of the last one.
    pub fn postfix(&mut self, base: &ast::Expr, operations: &[Postfix], expect: Expect) -> ExprId {
        let expect_at = |done: usize| if done == operations.len() { expect } else { Expect::Nothing };
        let (mut id, rest) = match (&base.kind, operations.first()) {
            (ast::ExprKind::Path(path), Some(Postfix { kind: PostfixKind::Call(args), span })) => {
                let site = Site { args, args_span: *span, span: base.span.to(*span), expect: expect_at(1) };
                (self.call_path(path, site), &operations[1..])
            }
            (_, Some(Postfix { kind: PostfixKind::Unwrap, span })) => match self.narrowed_operand(base) {
                Some(id) => {
                    self.warn_known(
                        base.span.to(*span),
                        "the variable can't be null here, so `!` has no effect".into(),
                    );
                    (self.unwrap(id, base.span.to(*span)), &operations[1..])
                }
                None => (self.value(base, Expect::Nothing), operations),
            },
            _ if operations.is_empty() => return self.infer(base, Expect::Nothing),
            _ => (self.value(base, Expect::Nothing), operations),
        };
        let first = operations.len() - rest.len();
        for (index, operation) in rest.iter().enumerate() {
            // What has no value has no operations either.
            if self.ty(id) == self.cx.types.unit {
                let span = self.span(id);
                self.cx.fail(codes::E0314_NO_VALUE, span, "a value is needed here, but this expression has none");
                id = self.push_error(span);
            }
            if self.is_never(self.ty(id)) {
                self.dead_operation(operation);
                continue; // all that happens is that the operand is evaluated
            }
            let expect = expect_at(first + index + 1);
            id = self.operation(id, operation, base.span.to(operation.span), expect);
        }
        id
    }

    /// Checks the operands of an operation that control does not get to.
    fn dead_operation(&mut self, operation: &Postfix) {
        match &operation.kind {
            PostfixKind::Call(args) | PostfixKind::Method { args, .. } => args.iter().for_each(|arg| self.ignored(arg)),
            PostfixKind::Index(index) => self.ignored(index),
            PostfixKind::Slice { from, to } => from.iter().chain(to).for_each(|bound| self.ignored(bound)),
            PostfixKind::Field(_) | PostfixKind::Unwrap => {}
        }
    }

    /// One operation; `span` is from the first token of the whole operand, parentheses included, on.
    fn operation(&mut self, id: ExprId, operation: &Postfix, span: Span, expect: Expect) -> ExprId {
        match &operation.kind {
            PostfixKind::Call(args) => self.call_value(id, args, operation.span, span),
            PostfixKind::Method { name, generics, args } => {
                let site = Site { args, args_span: operation.span, span, expect };
                self.method(id, *name, generics.as_deref(), site)
            }
            PostfixKind::Index(index) => self.index(id, index, span),
            PostfixKind::Slice { from, to } => self.slice(id, from.as_deref(), to.as_deref(), span),
            PostfixKind::Field(name) => match self.field(id, *name) {
                Some((index, ty, _)) => self.push(ExprKind::Field(id, index), ty, span),
                None => self.push_error(span),
            },
            PostfixKind::Unwrap => self.unwrap(id, span),
        }
    }

    /// `f(x)` where `f` is a name.
    fn call_path(&mut self, path: &ast::Path, site: Site<'_>) -> ExprId {
        let Site { args, args_span, span, .. } = site;
        match self.split(path) {
            Some(Named::Local(local, segment)) => {
                self.refuse_type_args(segment);
                let callee = self.read_local(local, path.span);
                self.call_value(callee, args, args_span, span)
            }
            Some(Named::Other(Split::Member(owner, first, second))) => {
                let member = self.member(owner, first, second);
                self.call_member(member, site)
            }
            Some(Named::Other(Split::Item(Item::Function(id), _, segment))) => {
                let known = self.function_args(id, segment);
                self.call_function(Callee { id, receiver: None, known }, site)
            }
            Some(Named::Other(Split::Item(Item::Extern(id), _, segment))) => {
                self.refuse_type_args(segment);
                self.call_extern(id, site)
            }
            Some(Named::Other(Split::Item(Item::Const(_) | Item::Global(_) | Item::Error, ..))) => {
                let path = ast::Expr { kind: ast::ExprKind::Path(path.clone()), span: path.span };
                let callee = self.value(&path, Expect::Nothing);
                self.call_value(callee, args, args_span, span)
            }
            Some(Named::Other(Split::Item(
                item @ (Item::Struct(_) | Item::Enum(_) | Item::Module(_)),
                declared,
                segment,
            ))) => {
                let text = self.cx.text(segment.ident.name);
                let d = self
                    .cx
                    .error(
                        codes::E0304_NOT_CALLABLE,
                        path.span,
                        format!("`{text}` is {} and can't be called", item.noun()),
                    )
                    .with_secondary(declared, "declared here")
                    .with_help(match item {
                        Item::Enum(_) => format!("a value of it is written `{text}::Variant`"),
                        Item::Module(_) => format!("a function in it is called as `{text}::name(…)`"),
                        Item::Struct(id) if self.cx.is_library(id) => format!("a new one is made by `{text}::new(…)`"),
                        _ => format!("a value of it is written `{text} {{ … }}`"), // only structs are left
                    });
                self.cx.report(d);
                args.iter().for_each(|arg| self.ignored(arg));
                self.push_error(span)
            }
            Some(Named::Other(Split::Unknown(segment))) => {
                let name = segment.ident;
                if let Some(to) = self.cx.conversion_target(name.name) {
                    return self.conversion(to, args, args_span, span);
                }
                if let Some(row) = self.cx.builtin_function(name.name) {
                    self.refuse_type_args(segment);
                    return self.call_builtin(row, None, args, args_span, span);
                }
                if self.cx.text(name.name) == "self" {
                    self.report_self(path.span);
                    args.iter().for_each(|arg| self.ignored(arg));
                } else {
                    let typed: Vec<ExprId> = args.iter().map(|arg| self.ignored_value(arg)).collect();
                    self.report_unknown_function(name, typed.first().copied());
                }
                self.push_error(span)
            }
            None => {
                args.iter().for_each(|arg| self.ignored(arg));
                self.push_error(span)
            }
        }
    }

    /// A call of a function by name, or of a method on `receiver`.
    pub fn call_function(&mut self, callee: Callee, site: Site<'_>) -> ExprId {
        let Callee { id, receiver, known } = callee;
        let Site { args, args_span, span, expect } = site;
        self.use_function(id);
        let syntax = self.cx.functions[id].syntax;
        let (instance, params, result) = self.instantiate_function(id, &known, span);
        if args.len() != params.len() {
            let params = &self.cx.functions[id].params;
            let text = self.cx.text(syntax.signature.name.name);
            let names = self.cx.names;
            let written = |(param, &ty): (&ast::Param, &Ty)| {
                let name = param.name.map_or("_", |name| names.text(name.name));
                format!("{name}: {}", self.cx.type_text(ty))
            };
            let named: Vec<String> = syntax.signature.params.iter().zip(params).map(written).collect();
            self.report_argument_count(text, &named, args.len(), Some(syntax.signature.span), args_span);
        }
        let declared: Vec<Span> = syntax.signature.params.iter().map(|p| p.span).collect();
        let mut typed: Vec<ExprId> = receiver.into_iter().collect();
        typed.extend(self.fitting_arguments(&params, &declared, args));
        self.bind_expected(result, expect);
        let function = FnRef { function: id, type_args: instance.args };
        self.push(ExprKind::Call(function, typed.into()), result, span)
    }

    /// Arguments as far as there are parameters; the number was looked at. Where a parameter's type is still open, an argument
    /// whose own type is known says what it is; arguments that need a type from context wait for the others.
    pub fn fitting_arguments(&mut self, params: &[Ty], declared: &[Span], args: &[ast::Expr]) -> Vec<ExprId> {
        let (fitting, more) = args.split_at(args.len().min(params.len()));
        let because = |i: usize| {
            let span = declared.get(i).copied();
            span.and_then(|span| Because::new(span, "the parameter is declared here"))
        };
        let mut typed = Vec::with_capacity(fitting.len());
        let mut waiting = Vec::new();
        for (i, (arg, &param)) in fitting.iter().zip(params).enumerate() {
            let (id, fit) = self.argument(arg, param, because(i));
            typed.push(id);
            if fit == Fit::Waits {
                waiting.push(i);
            }
        }
        for i in waiting {
            typed[i] = self.coerce(typed[i], params[i], because(i));
        }
        more.iter().for_each(|arg| self.ignored(arg));
        typed
    }

    /// An argument, or another value for a parameter or field of this type, which may be open.
    pub fn argument(&mut self, arg: &ast::Expr, ty: Ty, because: Option<Because>) -> (ExprId, Fit) {
        if !self.is_open(ty) {
            let ty = self.resolve(ty);
            return (self.check(arg, ty, because), Fit::Coerced);
        }
        let id = self.value(arg, Expect::Nothing);
        if self.is_open(self.ty(id)) {
            return (id, Fit::Waits);
        }
        (self.coerce(id, ty, because), Fit::Coerced)
    }

    /// The type arguments that are written behind a function's name.
    pub fn function_args(&mut self, id: FnId, segment: &ast::PathSegment) -> Vec<Ty> {
        let info = &self.cx.functions[id];
        let (generics, declared) = (info.generics.clone(), info.name.span);
        self.written_args(segment.args.as_deref(), &generics, segment.ident, declared)
    }

    /// The receiver's type arguments, and those that are written behind a method's name.
    fn method_args(&mut self, id: FnId, receiver: Ty, name: ast::Ident, written: Option<&[ast::TypeExpr]>) -> Vec<Ty> {
        let mut known = self.type_args(receiver).into_vec();
        let info = &self.cx.functions[id];
        let (own, declared) = (info.generics[known.len()..].to_vec(), info.name.span);
        known.extend(self.written_args(written, &own, name, declared));
        known
    }

    /// Refuses written type arguments of what is no method with type parameters.
    fn refuse_written_args(&mut self, name: ast::Ident, written: Option<&[ast::TypeExpr]>) {
        if let Some(written) = written {
            self.refuse_type_args(&ast::PathSegment { ident: name, args: Some(written.to_vec()) });
        }
    }

    /// A call of a function value.
    fn call_value(&mut self, callee: ExprId, args: &[ast::Expr], args_span: Span, span: Span) -> ExprId {
        let ty = self.ty(callee);
        let TyKind::Function(params, result) = self.kind(ty) else {
            if !self.is_error(ty) {
                let text = self.describe(ty);
                let mut d = self.cx.error(
                    codes::E0304_NOT_CALLABLE,
                    self.span(callee),
                    format!("a value of type {text} can't be called"),
                );
                if self.optional_inner(ty).is_some_and(|inner| matches!(self.kind(inner), TyKind::Function(..))) {
                    d = d.with_help("the value may be null: test it first, or unwrap it with `!`");
                }
                self.cx.report(d);
                self.silence(ty);
            }
            args.iter().for_each(|arg| self.ignored(arg));
            return self.push_error(span);
        };
        if args.len() != params.len() {
            let types: Vec<String> = params.iter().map(|&ty| self.cx.type_text(ty)).collect();
            self.report_argument_count("this function", &types, args.len(), None, args_span);
        }
        let typed = self.fitting_arguments(&params, &[], args);
        self.push(ExprKind::CallValue(callee, typed.into()), result, span)
    }

    /// `x.name(args)`
    fn method(
        &mut self,
        receiver: ExprId,
        name: ast::Ident,
        written: Option<&[ast::TypeExpr]>,
        site: Site<'_>,
    ) -> ExprId {
        let Site { args, args_span, span, .. } = site;
        let ty = self.ty(receiver);
        let kind = self.kind(ty);
        let text = self.cx.text(name.name);
        let rows = builtins::methods_of(&kind);
        if let Some(row) = rows.iter().find(|row| row.name == text) {
            self.refuse_written_args(name, written);
            return self.call_builtin(row, Some(receiver), args, args_span, span);
        }
        if let Some(id) = self.cx.method_named(&kind, text) {
            self.cx.require_visible(id, name.span);
            let known = self.method_args(id, ty, name, written);
            return self.call_function(Callee { id, receiver: Some(receiver), known }, site);
        }
        self.refuse_written_args(name, written);
        if let TyKind::Struct(id, _) = kind
            && self.cx.field_named(id, name.name).is_some()
        {
            // A field of function type; methods would win.
            let Some((index, field_ty, _)) = self.field(receiver, name) else {
                args.iter().for_each(|arg| self.ignored(arg));
                return self.push_error(span);
            };
            let callee_span = self.span(receiver).to(name.span);
            let callee = self.push(ExprKind::Field(receiver, index), field_ty, callee_span);
            return self.call_value(callee, args, args_span, span);
        }
        if !self.is_error(ty) && !self.is_never(ty) {
            self.report_no_method(receiver, name, rows);
        }
        args.iter().for_each(|arg| self.ignored(arg));
        self.push_error(span)
    }

    fn report_no_method(&mut self, receiver: ExprId, name: ast::Ident, rows: &'static [Builtin]) {
        let ty = self.ty(receiver);
        let text = self.cx.text(name.name);
        let type_text = self.describe(ty);
        let mut d = self.cx.error(
            codes::E0212_UNKNOWN_METHOD,
            name.span,
            format!("a value of type {type_text} has no method `{text}`"),
        );
        if let Some(inner) = self.optional_inner(ty) {
            let inner = self.kind(inner);
            let known = builtins::methods_of(&inner).iter().any(|row| row.name == text);
            if known || self.cx.method_named(&inner, text).is_some() {
                d = d.with_help(self.null_help(Some(receiver)));
            } else if let Some(help) = self.foreign_method(receiver, text) {
                d = d.with_help(help);
            }
        } else if let Some(help) = self.foreign_method(receiver, text) {
            d = d.with_help(help);
        } else {
            let kind = self.kind(ty);
            if self.is_associated(&kind, name.name) {
                d = d.with_help(format!("`{text}` has no `self`: call it as `{}::{text}(…)`", self.cx.type_text(ty)));
            } else {
                let mut known: Vec<&str> = rows.iter().map(|row| row.name).collect();
                known.extend(self.cx.nominal_of(&kind).map(|owner| self.cx.method_names(owner)).into_iter().flatten());
                d = self.cx.suggest(d, name, known.into_iter());
            }
        }
        self.cx.report(d);
        self.silence(ty);
    }

    /// `x[i]`
    fn index(&mut self, base: ExprId, index: &ast::Expr, span: Span) -> ExprId {
        let int = self.cx.types.int;
        let ty = match self.kind(self.body.exprs[base].ty) {
            TyKind::Array(element) => element,
            TyKind::String => self.cx.types.byte,
            _ => {
                if let Some(id) = self.user_index(base, index, span) {
                    return id;
                }
                self.ignored(index);
                self.report_not_indexable(base, "indexed");
                return self.push_error(span);
            }
        };
        let index = self.check(index, int, None);
        self.push(ExprKind::Index(base, index), ty, span)
    }

    /// Reports a value that has no elements.
    pub fn report_not_indexable(&mut self, base: ExprId, what: &str) {
        let ty = self.ty(base);
        if self.is_error(ty) || self.is_never(ty) {
            return;
        }
        let text = self.describe(ty);
        let mut d = self.cx.error(
            codes::E0305_NOT_INDEXABLE,
            self.span(base),
            format!("a value of type {text} can't be {what}"),
        );
        if self.optional_inner(ty).is_some() {
            d = d.with_help(self.null_help(Some(base)));
        } else if let Some(help) = self.library_index(base) {
            d = d.with_help(help);
        }
        self.cx.report(d);
        self.silence(ty);
    }

    /// `x[i..j]`
    fn slice(&mut self, base: ExprId, from: Option<&ast::Expr>, to: Option<&ast::Expr>, span: Span) -> ExprId {
        let int = self.cx.types.int;
        let ty = self.ty(base);
        let fine = matches!(self.kind(ty), TyKind::Array(_) | TyKind::String);
        if !fine {
            self.report_not_indexable(base, "sliced");
        }
        let from = from.map(|from| self.check(from, int, None));
        let to = to.map(|to| self.check(to, int, None));
        if !fine {
            return self.push_error(span);
        }
        self.push(ExprKind::Slice(base, from, to), ty, span)
    }

    /// A field of a struct: its index, type and declaration; `None` if it was reported.
    pub fn field(&mut self, base: ExprId, name: ast::Ident) -> Option<(u32, Ty, Span)> {
        let ty = self.ty(base);
        let text = self.cx.text(name.name);
        if self.is_error(ty) || self.is_never(ty) {
            return None;
        }
        let TyKind::Struct(id, args) = self.kind(ty) else {
            let type_text = self.describe(ty);
            let mut d = self.cx.error(
                codes::E0211_UNKNOWN_FIELD,
                name.span,
                format!("a value of type {type_text} has no field `{text}`"),
            );
            if let Some(inner) = self.optional_inner(ty)
                && matches!(self.kind(inner), TyKind::Struct(..))
            {
                d = d.with_help(self.null_help(Some(base)));
            } else if builtins::methods_of(&self.kind(ty)).iter().any(|row| row.name == text) {
                let help = format!("`{text}` is a method: call it as `.{text}(…)`").replace("len(…)", "len()");
                d = d.with_help(help);
            } else if let Some(help) = self.foreign_method(base, text) {
                d = d.with_help(help);
            }
            self.cx.report(d);
            self.silence(ty);
            return None;
        };
        let info = &self.cx.structs[id];
        if info.visibility == Visibility::Private && info.module != self.cx.current {
            let (struct_text, module) = (self.cx.text(info.name.name), &self.cx.modules[info.module].name);
            let message =
                format!("`{text}` is a field of the struct `{struct_text}`, which is private to the module `{module}`");
            let d = self
                .cx
                .error(codes::E0217_PRIVATE, name.span, message)
                .with_secondary(info.name.span, "declared here without `pub`");
            self.cx.report(d);
            return None;
        }
        if let Some(index) = self.cx.field_named(id, name.name) {
            let declared = info.fields[index as usize].name.span;
            return Some((index, self.cx.field_type(id, index, &args), declared));
        }
        self.report_unknown_field(id, name);
        None
    }

    /// Reports a field that a struct does not have.
    pub fn report_unknown_field(&mut self, id: crate::types::StructId, name: ast::Ident) {
        let info = &self.cx.structs[id];
        let (text, struct_text) = (self.cx.text(name.name), self.cx.text(info.name.name));
        let names = self.cx.names;
        let visible = info.fields.iter().filter(|_| !self.cx.hides_fields(id));
        let known: Vec<&str> = visible.map(|f| names.text(f.name.name)).collect();
        let d = self
            .cx
            .error(codes::E0211_UNKNOWN_FIELD, name.span, format!("the struct `{struct_text}` has no field `{text}`"))
            .with_secondary(info.name.span, "declared here");
        let d = match self.cx.methods.get(&(Nominal::Struct(id), name.name)) {
            Some(&method) if self.cx.functions[method].receiver.is_some() => {
                let arguments = if self.cx.functions[method].params.is_empty() { "" } else { "…" };
                d.with_help(format!("`{text}` is a method: call it as `.{text}({arguments})`"))
            }
            Some(_) | None => self.cx.suggest(d, name, known.into_iter()),
        };
        self.cx.report(d);
    }

    /// `x!`
    fn unwrap(&mut self, id: ExprId, span: Span) -> ExprId {
        if !self.require_optional(id, "unwrapped with `!`") {
            return self.push_error(span);
        }
        let ty = self.ty(id);
        match self.optional_inner(ty) {
            Some(inner) => self.push(ExprKind::Unwrap(id), inner, span),
            None => id, // never
        }
    }
}
