//! Struct values and arrays.
//!
//! *Keeps:* a struct value names every field once; the elements of an array agree on one type, where `T`, `T?` and `null`
//! meet in `T?`. *Cost:* linear.

use crate::body::BodyChecker;
use crate::calls::Fit;
use crate::conditions::Common;
use crate::generics::Instance;
use crate::infer::{Because, Expect};
use crate::items::{Item, Nominal};
use crate::path::Split;
use crate::typed::{ExprId, ExprKind};
use crate::types::{StructId, Ty, TyKind};
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast;

/// How deep a type may nest: as deep as one that is written.
pub(crate) const MAX_TYPE_DEPTH: u32 = 1_000;

impl BodyChecker<'_, '_> {
    /// `Name { field: e, other }`
    pub fn struct_value(
        &mut self,
        path: &ast::Path,
        fields: &[(ast::Ident, Option<ast::Expr>)],
        expect: Expect,
        span: Span,
    ) -> ExprId {
        let Some((id, known)) = self.struct_named(path) else {
            for (name, value) in fields {
                match value {
                    Some(value) => self.ignored(value),
                    None => self.ignored(&shorthand(*name)),
                }
            }
            return self.push_error(span);
        };
        let (instance, ty) = self.instantiate_nominal(Nominal::Struct(id), &known, span);
        let typed = self.field_values(id, path, fields, &instance);
        self.bind_expected(ty, expect);
        self.push(ExprKind::Struct(typed.into()), ty, span)
    }

    /// The values of a struct's fields; reports those that are missing, unknown or given twice.
    fn field_values(
        &mut self,
        id: StructId,
        path: &ast::Path,
        fields: &[(ast::Ident, Option<ast::Expr>)],
        instance: &Instance,
    ) -> Vec<(u32, ExprId)> {
        let count = self.cx.structs[id].fields.len();
        let mut waiting = Vec::new();
        let mut given: Vec<Option<Span>> = vec![None; count];
        let mut typed = Vec::with_capacity(count);
        let mut unknown = false;
        for (name, value) in fields {
            let short;
            let value = match value {
                Some(value) => value,
                None => {
                    short = shorthand(*name);
                    &short
                }
            };
            let Some(&index) = self.cx.structs[id].by_name.get(&name.name) else {
                unknown = true;
                self.report_unknown_field(id, *name);
                self.ignored(value);
                continue;
            };
            let field = self.cx.structs[id].fields[index as usize].name.span;
            let because = || Because::new(field, "the field is declared here");
            let field_ty = self.cx.field_type(id, index, &instance.args);
            let (value, fit) = self.argument(value, field_ty, because());
            if fit == Fit::Waits {
                waiting.push((typed.len(), field_ty, because()));
            }
            if let Some(first) = given[index as usize] {
                let text = self.cx.text(name.name);
                let d = self
                    .cx
                    .error(codes::E0214_FIELD_TWICE, name.span, format!("the field `{text}` is given twice"))
                    .with_secondary(first, "given first here");
                self.cx.report(d);
                continue;
            }
            given[index as usize] = Some(name.span);
            typed.push((index, value));
        }
        // A misspelled field is reported once, not as unknown and as missing.
        if !unknown && given.contains(&None) {
            let info = &self.cx.structs[id];
            let missing: Vec<String> = (info.fields.iter().zip(&given))
                .filter(|(_, given)| given.is_none())
                .map(|(field, _)| format!("`{}`", self.cx.text(field.name.name)))
                .collect();
            let plural = if missing.len() == 1 { "field" } else { "fields" };
            let struct_text = self.cx.text(info.name.name);
            let d = self
                .cx
                .error(
                    codes::E0213_MISSING_FIELD,
                    path.span,
                    format!("the {plural} {} of `{struct_text}` must be given too", missing.join(", ")),
                )
                .with_secondary(info.name.span, "declared here");
            self.cx.report(d);
        }
        for (position, ty, because) in waiting {
            if let Some((_, value)) = typed.get_mut(position) {
                *value = self.coerce(*value, ty, because);
            }
        }
        typed
    }

    /// The struct that a path names, with the type arguments that are written; `None` if it was reported.
    fn struct_named(&mut self, path: &ast::Path) -> Option<(StructId, Vec<Ty>)> {
        let (item, declared, segment) = match self.cx.split(path)? {
            Split::Item(item, declared, segment) => (item, declared, segment),
            Split::Member(of, owner, _) => {
                self.cx.refuse_member(of, owner.ident);
                return None;
            }
            Split::Unknown(segment) => {
                self.cx.unknown_type(segment.ident, "struct");
                return None;
            }
        };
        let name = segment.ident;
        let text = self.cx.text(name.name);
        match item {
            Item::Struct(id) if self.cx.hides_fields(id) => {
                let d = self
                    .cx
                    .error(
                        codes::E0217_PRIVATE,
                        path.span,
                        format!("the fields of `{text}` are private to the library"),
                    )
                    .with_help("the library has functions that make such values");
                self.cx.report(d);
                None
            }
            Item::Struct(id) => {
                let info = &self.cx.structs[id];
                let (generics, declared) = (info.generics.clone(), info.name.span);
                Some((id, self.written_args(segment.args.as_deref(), &generics, name, declared)))
            }
            Item::Error => None,
            Item::Const(_)
            | Item::Global(_)
            | Item::Function(_)
            | Item::Extern(_)
            | Item::Enum(_)
            | Item::Module(_) => {
                let d = self
                    .cx
                    .error(
                        codes::E0205_WRONG_KIND_OF_NAME,
                        name.span,
                        format!("`{text}` is {}, not a struct", item.noun()),
                    )
                    .with_secondary(declared, "declared here");
                self.cx.report(d);
                None
            }
        }
    }

    /// `[a, b, c]`
    pub fn array(&mut self, elements: &[ast::Expr], expect: Expect, span: Span) -> ExprId {
        let element = self.element_expectation(expect);
        if elements.is_empty() {
            let element = match element.ty() {
                Some(ty) => ty,
                None => self.fresh(span),
            };
            let ty = self.cx.types.array(element);
            return self.push(ExprKind::Array(Box::default()), ty, span);
        }
        let mut common = Common::new(element);
        let mut ids = Vec::with_capacity(elements.len());
        for expr in elements {
            let mut id = self.value(expr, common.expect());
            if let Expect::Type(ty) = element {
                id = self.coerce(id, ty, None);
            }
            self.join_branch(&mut common, id, "elements of this array");
            ids.push(id);
        }
        let mut ty = common.ty(self);
        if self.is_never(ty) {
            ty = self.cx.types.error; // only jumps inside: there is no array
        }
        for id in &mut ids {
            *id = self.coerce_branch(*id, ty);
        }
        let ty = self.array_of(ty, span);
        self.push(ExprKind::Array(ids.into()), ty, span)
    }

    /// `[T]`, unless it nests too deeply: then walks over the type would too.
    fn array_of(&mut self, element: Ty, span: Span) -> Ty {
        if self.is_error(element) {
            return element;
        }
        if self.cx.types.depth(element) >= MAX_TYPE_DEPTH {
            self.cx.fail(codes::E0321_TYPE_TOO_DEEP, span, "the type of this array is nested too deeply");
            return self.cx.types.error;
        }
        self.cx.types.array(element)
    }

    /// `[value; count]`
    pub fn repeat(&mut self, value: &ast::Expr, count: &ast::Expr, expect: Expect, span: Span) -> ExprId {
        let element = self.element_expectation(expect);
        let mut id = self.value(value, element);
        if let Expect::Type(ty) = element {
            id = self.coerce(id, ty, None);
        }
        let int = self.cx.types.int;
        let count = self.check(count, int, None);
        self.warn_shared_rows(id, count);
        let ty = self.ty(id);
        let ty = if self.is_never(ty) { self.cx.types.error } else { self.array_of(ty, span) };
        self.push(ExprKind::Repeat(id, count), ty, span)
    }

    /// What is expected of the elements where an array is expected.
    fn element_expectation(&self, expect: Expect) -> Expect {
        let Some(ty) = expect.ty() else {
            return Expect::Nothing;
        };
        let array = self.optional_inner(ty).unwrap_or(ty);
        match self.kind(array) {
            TyKind::Array(element) if !self.is_open(element) => match expect {
                Expect::Type(_) => Expect::Type(element),
                Expect::Hint(_) | Expect::Nothing => Expect::Hint(element),
            },
            _ => Expect::Nothing, // the mismatch is reported where the array is coerced
        }
    }

    /// The type of an element where `ty` is an array.
    pub fn element_type(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            TyKind::Array(element) => Some(element),
            _ => None, // no array
        }
    }
}

/// `other` in a struct value stands for `other: other`.
fn shorthand(name: ast::Ident) -> ast::Expr {
    let segment = ast::PathSegment { ident: name, args: None };
    let path = ast::Path { segments: vec![segment], span: name.span };
    ast::Expr { kind: ast::ExprKind::Path(path), span: name.span }
}
