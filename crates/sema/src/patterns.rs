//! Patterns of `if let`, `while let` and `match`.
//!
//! *In:* the syntax of a pattern and the type of the value. *Out:* a typed pattern in which the step into an optional is
//! explicit. *Keeps:* alternatives bind the same names at the same types, to one variable. *Cost:* linear.

use crate::body::{BodyChecker, Role};
use crate::items::{Item, Nominal};
use crate::path::Split;
use crate::typed::{LocalId, Pattern};
use crate::types::{EnumId, Ty, TyKind};
use mini_base::names::Name;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast::{self, PatternKind};
use std::collections::BTreeMap;

/// What an outermost name or `_` means on an optional.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outermost {
    /// The value that is not null, as in `if let`.
    Present,
    /// Anything.
    Anything,
}

/// The names that a pattern has bound so far.
pub(crate) type Bound = BTreeMap<Name, (LocalId, Span)>;

impl BodyChecker<'_, '_> {
    /// The pattern of `if let` or `while let`; its names come into scope.
    pub fn let_pattern(&mut self, pattern: &ast::Pattern, ty: Ty) -> Pattern {
        let mut bound = Bound::new();
        let typed = self.pattern(pattern, ty, Outermost::Present, &mut bound);
        for (&name, &(local, _)) in &bound {
            self.show(name, local);
        }
        typed
    }

    /// A pattern against a type. Its names are put into `bound`, not yet into scope.
    pub fn pattern(&mut self, pattern: &ast::Pattern, ty: Ty, outermost: Outermost, bound: &mut Bound) -> Pattern {
        let inner = self.optional_inner(ty);
        match &pattern.kind {
            PatternKind::Wildcard => match (inner, outermost) {
                (Some(_), Outermost::Present) => Pattern::Some(Box::new(Pattern::Wildcard)),
                (None, _) | (_, Outermost::Anything) => Pattern::Wildcard,
            },
            PatternKind::Name(name) if self.variant_of(inner.unwrap_or(ty), name.name).is_some() => {
                self.variant_pattern(*name, ty, None, pattern.span, bound)
            }
            PatternKind::Name(name) => match (inner, outermost) {
                (Some(inner), Outermost::Present) => Pattern::Some(Box::new(self.bind_name(*name, inner, bound))),
                (None, _) | (_, Outermost::Anything) => self.bind_name(*name, ty, bound),
            },
            PatternKind::Null => {
                if inner.is_none() {
                    self.pattern_mismatch(pattern.span, ty, "`null`");
                }
                Pattern::Null
            }
            PatternKind::Int(v) => self.literal(pattern.span, ty, self.cx.types.int, Pattern::Int(*v)),
            PatternKind::Byte(v) => self.literal(pattern.span, ty, self.cx.types.byte, Pattern::Byte(*v)),
            PatternKind::Bool(v) => self.literal(pattern.span, ty, self.cx.types.bool, Pattern::Bool(*v)),
            PatternKind::String(v) => self.literal(pattern.span, ty, self.cx.types.string, Pattern::String(v.clone())),
            PatternKind::IntRange(from, to) => {
                self.refuse_empty_range(pattern.span, from > to);
                self.literal(pattern.span, ty, self.cx.types.int, Pattern::IntRange(*from, *to))
            }
            PatternKind::ByteRange(from, to) => {
                self.refuse_empty_range(pattern.span, from > to);
                self.literal(pattern.span, ty, self.cx.types.byte, Pattern::ByteRange(*from, *to))
            }
            PatternKind::Or(parts) => self.alternatives(parts, ty, outermost, bound),
            PatternKind::Variant { path, payload } => {
                if !self.enum_prefix_fits(path, ty) {
                    let error = self.cx.types.error;
                    for part in payload.iter().flatten() {
                        self.pattern(part, error, Outermost::Anything, bound);
                    }
                    return Pattern::Wildcard;
                }
                let name = path.segments.last().unwrap_or(&path.segments[0]).ident;
                self.variant_pattern(name, ty, payload.as_deref(), pattern.span, bound)
            }
            PatternKind::Error => Pattern::Wildcard,
        }
    }

    /// The variant of an enum type, by name.
    fn variant_of(&self, ty: Ty, name: Name) -> Option<(EnumId, u32)> {
        let TyKind::Enum(id, _) = self.kind(ty) else { return None };
        Some((id, *self.cx.enums[id].by_name.get(&name)?))
    }

    /// Whether what stands before the last `::` names the enum that is matched; reports if not.
    fn enum_prefix_fits(&mut self, path: &ast::Path, ty: Ty) -> bool {
        if path.segments.len() == 1 {
            return true; // a variant by its name alone
        }
        let matched = self.optional_inner(ty).unwrap_or(ty);
        match self.cx.split(path) {
            Some(Split::Member(Nominal::Enum(id), prefix, _)) => {
                if matches!(self.kind(matched), TyKind::Enum(other, _) if other == id) || self.is_error(matched) {
                    return true;
                }
                let text = format!("`{}`", self.cx.text(prefix.ident.name));
                self.pattern_mismatch(path.span, ty, &text);
                false
            }
            Some(Split::Member(owner @ Nominal::Struct(_), prefix, _)) => {
                self.cx.refuse_member(owner, prefix.ident);
                false
            }
            Some(Split::Item(item, declared, name)) => {
                self.not_a_variant(item, declared, name.ident);
                false
            }
            Some(Split::Unknown(_)) | None => false, // reported; a single name was dealt with above
        }
    }

    /// Reports `m::name` in a pattern, where `name` is an item and no variant.
    fn not_a_variant(&mut self, item: Item, declared: Span, name: ast::Ident) {
        if item == Item::Error {
            return;
        }
        let text = self.cx.text(name.name);
        let message = format!("`{text}` is {}, not a variant", item.noun());
        let d = self
            .cx
            .error(codes::E0205_WRONG_KIND_OF_NAME, name.span, message)
            .with_secondary(declared, "declared here")
            .with_help("a path in a pattern ends in `Enum::Variant`; constants can be compared with in a guard");
        self.cx.report(d);
    }

    /// `Variant(p, q)`
    fn variant_pattern(
        &mut self,
        name: ast::Ident,
        ty: Ty,
        payload: Option<&[ast::Pattern]>,
        span: Span,
        bound: &mut Bound,
    ) -> Pattern {
        let inner = self.optional_inner(ty);
        let Some((id, index)) = self.variant_of(inner.unwrap_or(ty), name.name) else {
            self.report_no_variant(name, inner.unwrap_or(ty));
            let error = self.cx.types.error;
            for part in payload.into_iter().flatten() {
                self.pattern(part, error, Outermost::Anything, bound);
            }
            return Pattern::Wildcard;
        };
        let variant = &self.cx.enums[id].variants[index as usize];
        let declared = variant.name.span;
        let args = self.type_args(inner.unwrap_or(ty));
        let types = self.cx.payload_types(id, index, &args);
        let parts = payload.unwrap_or(&[]);
        if parts.len() != types.len() || payload.is_some_and(<[ast::Pattern]>::is_empty) {
            let text = self.cx.text(name.name);
            let message = match (types.len(), payload) {
                (0, _) => format!("the variant `{text}` carries no values"),
                (count, None) => format!("the variant `{text}` carries values: {count} in parentheses are needed"),
                (count, Some(parts)) => {
                    format!("the variant `{text}` carries {count}, but the pattern has {}", parts.len())
                }
            };
            let d = self.cx.error(codes::E0303_ARGUMENT_COUNT, span, message).with_secondary(declared, "declared here");
            self.cx.report(d);
        }
        let error = self.cx.types.error;
        let mut typed = Vec::with_capacity(types.len());
        for (i, part) in parts.iter().enumerate() {
            typed.push(self.pattern(part, types.get(i).copied().unwrap_or(error), Outermost::Anything, bound));
        }
        let pattern = Pattern::Variant(index, typed);
        if inner.is_some() { Pattern::Some(Box::new(pattern)) } else { pattern }
    }

    fn report_no_variant(&mut self, name: ast::Ident, ty: Ty) {
        if self.is_error(ty) {
            return;
        }
        let text = self.cx.text(name.name);
        let type_text = self.describe(ty);
        let mut d =
            self.cx.error(codes::E0317_PATTERN_TYPE, name.span, format!("`{text}` is no variant of {type_text}"));
        if let TyKind::Enum(id, _) = self.kind(ty) {
            let known: Vec<&str> = self.cx.enums[id].variants.iter().map(|v| self.cx.text(v.name.name)).collect();
            d = self.cx.suggest(d, name, known.into_iter());
        } else if matches!(text, "Some" | "None" | "Ok") {
            d = d.with_help("on an optional, `null` matches null, and in an arm behind it a name or a pattern of the value matches the rest");
        }
        self.cx.report(d);
    }

    fn bind_name(&mut self, name: ast::Ident, ty: Ty, bound: &mut Bound) -> Pattern {
        if let Some(&(local, first)) = bound.get(&name.name) {
            let text = self.cx.text(name.name);
            let d = self
                .cx
                .error(codes::E0204_DUPLICATE_MEMBER, name.span, format!("the pattern binds `{text}` twice"))
                .with_secondary(first, "bound first here");
            self.cx.report(d);
            return Pattern::Bind(local);
        }
        let local = self.declare_hidden(self.cx.names.shared(name.name), name.span, ty, Role::Variable);
        bound.insert(name.name, (local, name.span));
        Pattern::Bind(local)
    }

    /// `p | q`: each binds the same names.
    fn alternatives(&mut self, parts: &[ast::Pattern], ty: Ty, outermost: Outermost, bound: &mut Bound) -> Pattern {
        let mut first: Option<Bound> = None;
        let mut only_later = Bound::new();
        let mut typed = Vec::with_capacity(parts.len());
        for part in parts {
            // Names of the surrounding pattern stay bound, so that binding them again is noticed.
            let before: Vec<Name> = bound.keys().copied().collect();
            let mut here = bound.clone();
            let mut part_typed = self.pattern(part, ty, outermost, &mut here);
            here.retain(|name, _| !before.contains(name));
            match &first {
                None => first = Some(here),
                Some(first) => {
                    self.unite(first, &here, part.span, &mut part_typed);
                    only_later.extend(here.into_iter().filter(|(name, _)| !first.contains_key(name)));
                }
            }
            typed.push(part_typed);
        }
        bound.extend(first.into_iter().flatten());
        bound.extend(only_later); // reported; known all the same to what follows
        Pattern::Or(typed)
    }

    /// Makes an alternative bind the variables of the first one.
    fn unite(&mut self, first: &Bound, here: &Bound, span: Span, typed: &mut Pattern) {
        let mut renamed = Vec::new();
        for (name, &(local, declared)) in here {
            self.infos[local].read = true; // it stands for the first one
            let text = self.cx.text(*name);
            let Some(&(original, original_span)) = first.get(name) else {
                let d = self.cx.error(
                    codes::E0319_ALTERNATIVES_DISAGREE,
                    declared,
                    format!("`{text}` is bound in this alternative only"),
                );
                self.cx.report(d);
                continue;
            };
            let (wanted, found) = (self.body.locals[original].ty, self.body.locals[local].ty);
            if !self.unify(wanted, found) {
                let (wanted, found) = (self.describe(wanted), self.describe(found));
                let d = self
                    .cx
                    .error(
                        codes::E0319_ALTERNATIVES_DISAGREE,
                        declared,
                        format!("`{text}` is {found} here, but {wanted} in the first alternative"),
                    )
                    .with_secondary(original_span, "bound first here");
                self.cx.report(d);
            }
            renamed.push((local, original));
        }
        for (name, &(_, declared)) in first {
            if !here.contains_key(name) {
                let text = self.cx.text(*name);
                let d = self
                    .cx
                    .error(
                        codes::E0319_ALTERNATIVES_DISAGREE,
                        span,
                        format!("`{text}` is not bound in this alternative"),
                    )
                    .with_secondary(declared, "bound here");
                self.cx.report(d);
            }
        }
        rename(typed, &renamed);
    }

    fn literal(&mut self, span: Span, ty: Ty, literal: Ty, pattern: Pattern) -> Pattern {
        let inner = self.optional_inner(ty);
        if !self.unify(inner.unwrap_or(ty), literal) {
            let text = self.describe(literal);
            self.pattern_mismatch(span, ty, &text);
        }
        if inner.is_some() { Pattern::Some(Box::new(pattern)) } else { pattern }
    }

    fn pattern_mismatch(&mut self, span: Span, ty: Ty, found: &str) {
        if self.is_error(ty) {
            return;
        }
        let wanted = self.describe(ty);
        let d = self.cx.error(
            codes::E0317_PATTERN_TYPE,
            span,
            format!("a pattern for {found} can't match a value of type {wanted}"),
        );
        self.cx.report(d);
    }

    fn refuse_empty_range(&mut self, span: Span, empty: bool) {
        if empty {
            self.cx.fail(codes::E0318_EMPTY_RANGE, span, "this range is empty: its first bound is above its last");
        }
    }
}

/// Replaces variables in a pattern.
fn rename(pattern: &mut Pattern, renamed: &[(LocalId, LocalId)]) {
    match pattern {
        Pattern::Bind(local) => {
            if let Some(&(_, to)) = renamed.iter().find(|(from, _)| from == local) {
                *local = to;
            }
        }
        Pattern::Some(inner) => rename(inner, renamed),
        Pattern::Variant(_, parts) | Pattern::Or(parts) => parts.iter_mut().for_each(|part| rename(part, renamed)),
        Pattern::Wildcard
        | Pattern::Null
        | Pattern::Int(_)
        | Pattern::IntRange(..)
        | Pattern::Byte(_)
        | Pattern::ByteRange(..)
        | Pattern::Bool(_)
        | Pattern::String(_) => {}
    }
}
