//! The syntax tree as text, for `minic emit ast`: one line a node, its place in front, children indented.
//!
//! ```text
//! 1:1     fn main
//! 1:11      block
//! 1:13        let x
//! 1:21          chain
//! 1:21            int 1
//! 1:23            +
//! 1:25            int 2
//! ```

use crate::ast::*;
use mini_base::names::Names;
use mini_base::names::quoted;
use mini_base::source::{SourceFile, Span};
use std::fmt::Write;

/// Prints a module's tree. Linear, but for the depth of indentation.
pub fn print_module(module: &Module, file: &SourceFile, names: &Names) -> String {
    let mut printer = Printer { out: String::new(), depth: 0, file, names };
    for item in &module.items {
        printer.item(item);
    }
    printer.out
}

struct Printer<'a> {
    out: String,
    depth: usize,
    file: &'a SourceFile,
    names: &'a Names,
}

impl Printer<'_> {
    fn line(&mut self, span: Span, text: impl AsRef<str>) {
        let at = self.file.line_column(self.file.offset(span.start));
        let place = format!("{}:{}", at.line, at.column);
        let indent = self.depth * 2;
        let _ = writeln!(self.out, "{place:<8}{:indent$}{}", "", text.as_ref());
    }

    /// A node and its children.
    fn node(&mut self, span: Span, text: impl AsRef<str>, children: impl FnOnce(&mut Self)) {
        self.line(span, text);
        self.depth += 1;
        children(self);
        self.depth -= 1;
    }

    fn name(&self, ident: Ident) -> &str {
        self.names.text(ident.name)
    }

    fn name_or_wildcard(&self, ident: Option<Ident>) -> &str {
        ident.map_or("_", |i| self.names.text(i.name))
    }

    fn item(&mut self, item: &Item) {
        if let Some(doc) = &item.doc {
            for line in doc.lines() {
                self.line(item.span, format!("/// {line}"));
            }
        }
        let public = if item.public.is_some() { "pub " } else { "" };
        match &item.kind {
            ItemKind::Import(import) => {
                let mut path: Vec<&str> = import.path.iter().map(|&i| self.name(i)).collect();
                let list = import
                    .names
                    .as_ref()
                    .map(|names| format!("{{{}}}", names.iter().map(|&i| self.name(i)).collect::<Vec<_>>().join(", ")));
                path.extend(list.as_deref());
                self.line(item.span, format!("{public}import {}", path.join(".")));
            }
            ItemKind::Const(binding) => self.binding(item.span, &format!("{public}const"), binding),
            ItemKind::Global(binding) => self.binding(item.span, &format!("{public}let"), binding),
            ItemKind::Struct(s) => {
                let text = format!("{public}struct {}{}", self.name(s.name), self.generics(&s.generics));
                self.node(item.span, text, |p| {
                    for (name, ty) in &s.fields {
                        p.line(name.span, format!("field {}: {}", p.name(*name), p.ty(ty)));
                    }
                });
            }
            ItemKind::Enum(e) => {
                let text = format!("{public}enum {}{}", self.name(e.name), self.generics(&e.generics));
                self.node(item.span, text, |p| {
                    for (name, payload) in &e.variants {
                        let payload =
                            if payload.is_empty() { String::new() } else { format!("({})", p.types(payload)) };
                        p.line(name.span, format!("variant {}{payload}", p.name(*name)));
                    }
                });
            }
            ItemKind::Impl(i) => {
                let args = if i.args.is_empty() { String::new() } else { format!("<{}>", self.types(&i.args)) };
                let text = format!("{public}impl{} {}{args}", self.generics(&i.generics), self.name(i.name));
                self.node(item.span, text, |p| i.items.iter().for_each(|item| p.item(item)));
            }
            ItemKind::Function(f) => {
                let text = format!("{public}fn {}", self.signature(&f.signature));
                self.node(item.span, text, |p| p.block(&f.body));
            }
            ItemKind::Extern(signature) => {
                self.line(item.span, format!("{public}extern fn {}", self.signature(signature)))
            }
            ItemKind::Error => self.line(item.span, "error"),
        }
    }

    fn binding(&mut self, span: Span, keyword: &str, binding: &Binding) {
        let ty = self.annotation(binding.ty.as_ref());
        let text = format!("{keyword} {}{ty}", self.name(binding.name));
        self.node(span, text, |p| p.expr(&binding.value));
    }

    fn generics(&self, generics: &[Generic]) -> String {
        if generics.is_empty() {
            return String::new();
        }
        let one = |g: &Generic| {
            let bounds: Vec<&str> = g.bounds.iter().map(|&b| self.name(b)).collect();
            let colon = if bounds.is_empty() { "" } else { ": " };
            format!("{}{colon}{}", self.name(g.name), bounds.join(" + "))
        };
        format!("<{}>", generics.iter().map(one).collect::<Vec<_>>().join(", "))
    }

    fn signature(&self, s: &Signature) -> String {
        let mut params: Vec<String> = s.receiver.iter().map(|_| "self".to_string()).collect();
        params.extend(s.params.iter().map(|p| self.param(p)));
        let result = s.result.as_ref().map_or(String::new(), |t| format!(" -> {}", self.ty(t)));
        format!("{}{}({}){result}", self.name(s.name), self.generics(&s.generics), params.join(", "))
    }

    fn param(&self, param: &Param) -> String {
        format!("{}: {}", self.name_or_wildcard(param.name), self.ty(&param.ty))
    }

    fn annotation(&self, ty: Option<&TypeExpr>) -> String {
        ty.map_or(String::new(), |t| format!(": {}", self.ty(t)))
    }

    fn types(&self, types: &[TypeExpr]) -> String {
        types.iter().map(|t| self.ty(t)).collect::<Vec<_>>().join(", ")
    }

    fn ty(&self, ty: &TypeExpr) -> String {
        match &ty.kind {
            TypeKind::Path(path) => self.path(path, ""),
            TypeKind::Array(element) => format!("[{}]", self.ty(element)),
            TypeKind::Optional(inner) => match inner.kind {
                TypeKind::Function { .. } => format!("({})?", self.ty(inner)),
                TypeKind::Path(_) | TypeKind::Array(_) | TypeKind::Optional(_) | TypeKind::Error => {
                    format!("{}?", self.ty(inner))
                }
            },
            TypeKind::Function { params, result } => {
                let result = result.as_ref().map_or(String::new(), |r| format!(" -> {}", self.ty(r)));
                format!("fn({}){result}", self.types(params))
            }
            TypeKind::Error => "error".into(),
        }
    }

    /// `turbofish` stands before type arguments.
    fn path(&self, path: &Path, turbofish: &str) -> String {
        let one = |s: &PathSegment| match &s.args {
            Some(args) => format!("{}{turbofish}<{}>", self.name(s.ident), self.types(args)),
            None => self.name(s.ident).to_string(),
        };
        path.segments.iter().map(one).collect::<Vec<_>>().join("::")
    }

    fn block(&mut self, block: &Block) {
        self.node(block.span, "block", |p| {
            for statement in &block.statements {
                p.statement(statement);
            }
            if let Some(value) = &block.value {
                p.node(value.span, "value", |p| p.expr(value));
            }
        });
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        let label = |p: &Self, label: &Option<Ident>| label.map_or(String::new(), |l| format!("{}: ", p.name(l)));
        match &statement.kind {
            StatementKind::Let { name, ty, value } => {
                let text = format!("let {}{}", self.name_or_wildcard(*name), self.annotation(ty.as_ref()));
                self.node(span, text, |p| value.iter().for_each(|v| p.expr(v)));
            }
            StatementKind::Assign { place, op, value } => {
                let text = format!("assign {}=", op.map_or("", |(op, _)| op.text()));
                self.node(span, text, |p| {
                    p.expr(place);
                    p.expr(value);
                });
            }
            StatementKind::Expr { expr, semicolon } => {
                let text = match semicolon {
                    Semicolon::Yes => "expression ;",
                    Semicolon::No => "expression",
                };
                self.node(span, text, |p| p.expr(expr));
            }
            StatementKind::While { label: l, condition, body } => {
                let text = format!("{}while", label(self, l));
                self.node(span, text, |p| {
                    p.condition(condition);
                    p.block(body);
                });
            }
            StatementKind::For { label: l, variable, head, body } => {
                let text = format!("{}for {}", label(self, l), self.name_or_wildcard(*variable));
                self.node(span, text, |p| {
                    match &**head {
                        ForHead::Each(value) => p.expr(value),
                        ForHead::Range { from, to, kind, by } => {
                            let text = match kind {
                                RangeKind::Exclusive => "range ..",
                                RangeKind::Inclusive => "range ..=",
                            };
                            p.node(from.span, text, |p| {
                                p.expr(from);
                                p.expr(to);
                                by.iter().for_each(|by| p.node(by.span, "by", |p| p.expr(by)));
                            });
                        }
                    }
                    p.block(body);
                });
            }
            StatementKind::Error => self.line(span, "error"),
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Expr(value) => self.expr(value),
            Condition::Let { pattern, value, span } => self.node(*span, "let", |p| {
                p.pattern(pattern);
                p.expr(value);
            }),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, expr: &Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => self.line(span, format!("int {value}")),
            ExprKind::Float(value) => self.line(span, format!("float {value:?}")),
            ExprKind::Byte(value) => self.line(span, format!("byte {value}")),
            ExprKind::String(bytes) => self.line(span, format!("string {}", quoted(bytes))),
            ExprKind::Bool(value) => self.line(span, format!("bool {value}")),
            ExprKind::Null => self.line(span, "null"),
            ExprKind::Path(path) => self.line(span, format!("path {}", self.path(path, "::"))),
            ExprKind::Struct { path, fields } => {
                let text = format!("struct {}", self.path(path, "::"));
                self.node(span, text, |p| {
                    for (name, value) in fields {
                        let text = format!("field {}", p.name(*name));
                        p.node(name.span, text, |p| value.iter().for_each(|v| p.expr(v)));
                    }
                });
            }
            ExprKind::Array(elements) => self.node(span, "array", |p| p.exprs(elements)),
            ExprKind::Repeat { value, count } => self.node(span, "repeat", |p| {
                p.expr(value);
                p.expr(count);
            }),
            ExprKind::Paren(inner) => self.node(span, "parentheses", |p| p.expr(inner)),
            ExprKind::Unary { op, operand } => self.node(span, format!("unary {}", op.text()), |p| p.expr(operand)),
            ExprKind::Chain { first, rest } => self.node(span, "chain", |p| {
                p.expr(first);
                for (op, span, operand) in rest {
                    p.line(*span, op.text());
                    p.expr(operand);
                }
            }),
            ExprKind::Compare { op, left, right, .. } => self.node(span, format!("compare {}", op.text()), |p| {
                p.expr(left);
                p.expr(right);
            }),
            ExprKind::Coalesce(operands) => self.node(span, "coalesce ??", |p| p.exprs(operands)),
            ExprKind::Postfix { base, operations } => self.node(span, "postfix", |p| {
                p.expr(base);
                operations.iter().for_each(|o| p.postfix(o));
            }),
            ExprKind::If { arms, otherwise } => self.node(span, "if", |p| {
                for (condition, block) in arms {
                    p.condition(condition);
                    p.block(block);
                }
                otherwise.iter().for_each(|block| p.node(block.span, "else", |p| p.block(block)));
            }),
            ExprKind::Match { value, arms } => self.node(span, "match", |p| {
                p.expr(value);
                for arm in arms {
                    p.node(arm.pattern.span, "arm", |p| {
                        p.pattern(&arm.pattern);
                        arm.guard.iter().for_each(|g| p.node(g.span, "guard", |p| p.expr(g)));
                        p.expr(&arm.body);
                    });
                }
            }),
            ExprKind::Block(block) => self.block(block),
            ExprKind::Closure { params, result, body } => {
                let params: Vec<String> = params.iter().map(|p| self.param(p)).collect();
                let result = result.as_ref().map_or(String::new(), |r| format!(" -> {}", self.ty(r)));
                self.node(span, format!("closure ({}){result}", params.join(", ")), |p| p.block(body));
            }
            ExprKind::Return(value) => self.node(span, "return", |p| value.iter().for_each(|v| p.expr(v))),
            ExprKind::Break(label) => {
                self.line(span, format!("break {}", label.map_or("", |l| self.name(l))).trim_end())
            }
            ExprKind::Continue(label) => {
                self.line(span, format!("continue {}", label.map_or("", |l| self.name(l))).trim_end())
            }
            ExprKind::Error => self.line(span, "error"),
        }
    }

    fn postfix(&mut self, operation: &Postfix) {
        let span = operation.span;
        match &operation.kind {
            PostfixKind::Call(args) => self.node(span, "call", |p| p.exprs(args)),
            PostfixKind::Method { name, generics, args } => {
                let generics = generics.as_ref().map_or(String::new(), |g| format!("::<{}>", self.types(g)));
                let text = format!("method {}{generics}", self.name(*name));
                self.node(span, text, |p| p.exprs(args));
            }
            PostfixKind::Index(index) => self.node(span, "index", |p| p.expr(index)),
            PostfixKind::Slice { from, to } => self.node(span, "slice", |p| {
                for (text, bound) in [("from", from), ("to", to)] {
                    bound.iter().for_each(|b| p.node(b.span, text, |p| p.expr(b)));
                }
            }),
            PostfixKind::Field(name) => self.line(span, format!("field {}", self.name(*name))),
            PostfixKind::Unwrap => self.line(span, "unwrap"),
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        let span = pattern.span;
        match &pattern.kind {
            PatternKind::Wildcard => self.line(span, "pattern _"),
            PatternKind::Null => self.line(span, "pattern null"),
            PatternKind::Int(value) => self.line(span, format!("pattern int {value}")),
            PatternKind::Byte(value) => self.line(span, format!("pattern byte {value}")),
            PatternKind::Bool(value) => self.line(span, format!("pattern bool {value}")),
            PatternKind::String(bytes) => self.line(span, format!("pattern string {}", quoted(bytes))),
            PatternKind::IntRange(low, high) => self.line(span, format!("pattern int {low}..={high}")),
            PatternKind::ByteRange(low, high) => self.line(span, format!("pattern byte {low}..={high}")),
            PatternKind::Name(name) => self.line(span, format!("pattern name {}", self.name(*name))),
            PatternKind::Variant { path, payload } => {
                let text = format!("pattern variant {}", self.path(path, "::"));
                self.node(span, text, |p| payload.iter().flatten().for_each(|inner| p.pattern(inner)));
            }
            PatternKind::Or(patterns) => {
                self.node(span, "pattern |", |p| patterns.iter().for_each(|inner| p.pattern(inner)))
            }
            PatternKind::Error => self.line(span, "pattern error"),
        }
    }
}
