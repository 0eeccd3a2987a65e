//! Members of types: variants, methods, associated functions.
//!
//! *In:* the `enum`s and `impl`s of the module. *Out:* the variants of each enum; the functions of each type by name.
//! *Keeps:* a type has one member of a name, in all its `impl`s together. *Cost:* linear.

use crate::body::BodyChecker;
use crate::calls::{Callee, Site};
use crate::check::Checker;
use crate::infer::Expect;
use crate::items::{Item, Nominal, VariantInfo};
use crate::typed::{ExprId, ExprKind, FnId, FnRef};
use crate::types::{EnumId, Ty, TyKind, TypeParam};
use mini_base::names::Name;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast::{self, ItemKind};
use std::collections::hash_map::Entry;

/// What `Name::member` names.
pub(crate) enum Member {
    /// A variant of an enum, with the written type arguments.
    Variant(EnumId, u32, Vec<Ty>),
    /// A function of a type, with the written type arguments of the type and its own.
    Function(FnId, Vec<Ty>),
}

impl<'a> Checker<'a> {
    /// Adds the functions of an `impl`.
    pub fn collect_impl(&mut self, block: &'a ast::Impl) {
        let Some(owner) = self.impl_owner(block) else { return };
        let declared = self.declare_generics(&block.generics, &[]);
        let Some(generics) = self.impl_generics(block, owner, &declared) else { return };
        for item in &block.items {
            let ItemKind::Function(function) = &item.kind else { continue };
            let name = function.signature.name;
            let id = self.functions.next_id();
            match self.methods.entry((owner, name.name)) {
                Entry::Vacant(entry) => {
                    entry.insert(id);
                    self.add_function(function, item.public.is_some(), Some(owner), &generics);
                }
                Entry::Occupied(entry) => {
                    let first = self.functions[*entry.get()].name.span;
                    let text = self.text(name.name);
                    let d = self
                        .error(
                            codes::E0204_DUPLICATE_MEMBER,
                            name.span,
                            format!("the function `{text}` is declared twice for this type"),
                        )
                        .with_secondary(first, "declared first here");
                    self.report(d);
                }
            }
        }
    }

    /// The parameters of an `impl` in the order in which its type has them; `None` if they were reported.
    fn impl_generics(&mut self, block: &ast::Impl, owner: Nominal, declared: &[TypeParam]) -> Option<Vec<TypeParam>> {
        let generics = self.generics_of(owner).to_vec();
        let name = self.nominal_name(owner);
        let text = self.text(name.name);
        if block.args.len() != generics.len() {
            let names: Vec<&str> = generics.iter().map(|&p| self.text(self.params[p].name.name)).collect();
            let d = self
                .error(
                    codes::E0309_TYPE_ARGUMENTS,
                    block.name.span,
                    match generics.len() {
                        0 => format!("`{text}` has no type parameters"),
                        1 => format!("the `impl` of `{text}` must name its type parameter"),
                        count => format!("the `impl` of `{text}` must name its {count} type parameters"),
                    },
                )
                .with_secondary(name.span, "declared here")
                .with_help(match names.as_slice() {
                    [] => format!("write `impl {text} {{ … }}`"),
                    names => format!("write `impl<{0}> {text}<{0}> {{ … }}`", names.join(", ")),
                });
            self.report(d);
            return None;
        }
        let mut found: Vec<TypeParam> = Vec::with_capacity(generics.len());
        for arg in &block.args {
            let named = match &arg.kind {
                ast::TypeKind::Path(path) => match path.segments.as_slice() {
                    [segment] if segment.args.is_none() => Some(segment.ident.name),
                    _ => None,
                },
                ast::TypeKind::Error => return None,
                ast::TypeKind::Array(_) | ast::TypeKind::Optional(_) | ast::TypeKind::Function { .. } => None,
            };
            let param = declared.iter().copied().find(|&p| Some(self.params[p].name.name) == named);
            match param.filter(|p| !found.contains(p)) {
                Some(param) => found.push(param),
                None => {
                    let d = self
                        .error(
                            codes::E0309_TYPE_ARGUMENTS,
                            arg.span,
                            "an `impl` is for all types that stand for a parameter: the arguments are its own type parameters, each once",
                        )
                        .with_help(format!("write `impl<T> {text}<T>`"));
                    self.report(d);
                    return None;
                }
            }
        }
        if let Some(&unused) = declared.iter().find(|p| !found.contains(p)) {
            let param = self.params[unused].name;
            let param_text = self.text(param.name);
            self.fail(
                codes::E0309_TYPE_ARGUMENTS,
                param.span,
                format!("the type parameter `{param_text}` is not among the arguments of `{text}`"),
            );
            return None;
        }
        let args: Box<[Ty]> = found.iter().map(|&p| self.types.intern(TyKind::Param(p))).collect();
        self.owe(&generics, &args, block.name.span, self.names.shared(name.name));
        Some(found)
    }

    fn impl_owner(&mut self, block: &ast::Impl) -> Option<Nominal> {
        let text = self.text(block.name.name);
        let found = self.lookup(block.name.name);
        if let Some((Item::Struct(_) | Item::Enum(_), declared)) = found
            && self.declared_here(block.name.name).is_none()
        {
            // Its functions are known all the same: their uses are no mistakes of their own.
            let d = self
                .error(
                    codes::E0219_IMPL_ELSEWHERE,
                    block.name.span,
                    format!("`{text}` is declared in another module: an `impl` stands in the module of its type"),
                )
                .with_secondary(declared, "declared here")
                .with_help("a function that takes the value as a parameter can stand anywhere");
            self.report(d);
        }
        match found {
            Some((Item::Struct(id), _)) => Some(Nominal::Struct(id)),
            Some((Item::Enum(id), _)) => Some(Nominal::Enum(id)),
            Some((Item::Error, _)) => None,
            Some((
                item @ (Item::Const(_) | Item::Global(_) | Item::Function(_) | Item::Extern(_) | Item::Module(_)),
                declared,
            )) => {
                let d = self
                    .error(
                        codes::E0205_WRONG_KIND_OF_NAME,
                        block.name.span,
                        format!("`{text}` is {}: only structs and enums have `impl`s", item.noun()),
                    )
                    .with_secondary(declared, "declared here");
                self.report(d);
                None
            }
            None if self.conversion_target(block.name.name).is_some() => {
                self.fail(
                    codes::E0205_WRONG_KIND_OF_NAME,
                    block.name.span,
                    format!("`{text}` is a built-in type: only the module's own structs and enums have `impl`s"),
                );
                None
            }
            None => {
                self.unknown_type(block.name, "struct or enum");
                None
            }
        }
    }

    /// Resolves the payloads of an enum's variants.
    pub fn resolve_variants(&mut self, id: EnumId) {
        let syntax = self.enums[id].syntax();
        let generics = self.enums[id].generics.clone();
        let outside = self.enter_generics(&generics);
        for (name, payload) in &syntax.variants {
            let payload = payload.iter().map(|ty| self.resolve_type(ty)).collect();
            let info = &mut self.enums[id];
            match info.by_name.entry(name.name) {
                Entry::Vacant(entry) => {
                    entry.insert(info.variants.len() as u32);
                    info.variants.push(VariantInfo { name: *name, payload });
                }
                Entry::Occupied(entry) => {
                    let first = info.variants[*entry.get() as usize].name.span;
                    let message = format!("the variant `{}` is declared twice", self.names.text(name.name));
                    let d = self
                        .error(codes::E0204_DUPLICATE_MEMBER, name.span, message)
                        .with_secondary(first, "declared first here");
                    self.report(d);
                }
            }
        }
        self.param_scope = outside;
    }

    /// Reports a variant that stands where a type is wanted; false if the name is no variant.
    pub fn is_variant_as_type(&mut self, name: ast::Ident) -> bool {
        if !self.variants.contains(&name.name) {
            return false;
        }
        let text = self.text(name.name);
        let found = self.enums.iter().find(|info| info.by_name.contains_key(&name.name));
        let mut d =
            self.error(codes::E0205_WRONG_KIND_OF_NAME, name.span, format!("`{text}` is a variant, not a type"));
        if let Some(info) = found {
            let owner = self.text(info.name.name);
            d = d.with_secondary(info.name.span, "of this enum").with_help(format!("the type is `{owner}`"));
        }
        self.report(d);
        true
    }

    /// `Enum::Variant` for a name that is a variant of an enum of the module.
    pub fn as_variant(&self, name: Name) -> Option<String> {
        if !self.variants.contains(&name) {
            return None;
        }
        let owner = self.enums.iter().find(|info| info.module == self.current && info.by_name.contains_key(&name))?;
        Some(format!("{}::{}", self.text(owner.name.name), self.text(name)))
    }

    /// The struct or enum of a type.
    pub fn nominal_of(&self, kind: &TyKind) -> Option<Nominal> {
        match kind {
            TyKind::Struct(id, _) => Some(Nominal::Struct(*id)),
            TyKind::Enum(id, _) => Some(Nominal::Enum(*id)),
            _ => None, // all others have built-in methods only
        }
    }

    /// The method of a type, if it has one of that name with `self`.
    pub fn method_named(&self, kind: &TyKind, name: &str) -> Option<FnId> {
        let owner = self.nominal_of(kind)?;
        let &id = self.methods.get(&(owner, self.names.find(name)?))?;
        self.functions[id].receiver.is_some().then_some(id)
    }

    /// The names of the functions of a type, for suggestions, in order of declaration.
    pub fn method_names(&self, owner: Nominal) -> Vec<&'a str> {
        (self.functions.iter()).filter(|info| info.owner == Some(owner)).map(|info| self.text(info.name.name)).collect()
    }
}

impl BodyChecker<'_, '_> {
    /// What `Name::member` names; `None` if it was reported.
    pub fn member(&mut self, owner: Nominal, first: &ast::PathSegment, second: &ast::PathSegment) -> Option<Member> {
        let name = second.ident;
        let generics = self.cx.generics_of(owner).to_vec();
        let declared = self.cx.nominal_name(owner).span;
        let mut known = self.written_args(first.args.as_deref(), &generics, first.ident, declared);
        if let Nominal::Enum(id) = owner
            && let Some(&index) = self.cx.enums[id].by_name.get(&name.name)
        {
            self.refuse_type_args(second);
            return Some(Member::Variant(id, index, known));
        }
        if let Some(&id) = self.cx.methods.get(&(owner, name.name)) {
            if self.cx.functions[id].receiver.is_none() {
                self.cx.require_visible(id, name.span);
                let info = &self.cx.functions[id];
                let (own, declared) = (info.generics[generics.len()..].to_vec(), info.name.span);
                let own = self.written_args(second.args.as_deref(), &own, name, declared);
                if !own.is_empty() && known.is_empty() {
                    let of: std::sync::Arc<str> = self.cx.function_text(id).into();
                    known = generics.iter().map(|&param| self.fresh_for(name.span, param, of.clone())).collect();
                }
                known.extend(own);
                return Some(Member::Function(id, known));
            }
            let text = self.cx.text(name.name);
            let d = self
                .cx
                .error(codes::E0215_METHOD_BY_PATH, name.span, format!("`{text}` is a method"))
                .with_secondary(self.cx.functions[id].name.span, "declared here")
                .with_help(format!("call it on a value: `x.{text}(…)`"));
            self.cx.report(d);
            return None;
        }
        let (noun, owner_name, declared, mut known) = match owner {
            Nominal::Struct(id) => ("struct", self.cx.structs[id].name, self.cx.structs[id].name.span, Vec::new()),
            Nominal::Enum(id) => {
                let info = &self.cx.enums[id];
                let variants = info.variants.iter().map(|v| self.cx.text(v.name.name)).collect();
                ("enum", info.name, info.name.span, variants)
            }
        };
        known.extend(self.cx.method_names(owner));
        let (text, owner_text) = (self.cx.text(name.name), self.cx.text(owner_name.name));
        let what = if noun == "enum" { "variant or associated function" } else { "associated function" };
        let d = self
            .cx
            .error(codes::E0216_UNKNOWN_MEMBER, name.span, format!("the {noun} `{owner_text}` has no {what} `{text}`"))
            .with_secondary(declared, "declared here");
        let d = self.cx.suggest(d, name, known.into_iter());
        self.cx.report(d);
        None
    }

    /// `Name::member` as a value.
    pub fn member_value(&mut self, member: Option<Member>, expect: Expect, span: Span) -> ExprId {
        match member {
            Some(Member::Variant(id, index, known)) => {
                let payload = &self.cx.enums[id].variants[index as usize].payload;
                if !payload.is_empty() {
                    self.report_variant_without_payload(id, index, span);
                }
                let ty = self.instantiate_nominal(Nominal::Enum(id), &known, span).1;
                self.bind_expected(ty, expect);
                self.push(ExprKind::Variant(index, Box::default()), ty, span)
            }
            Some(Member::Function(id, known)) => self.function_value(id, &known, expect, span),
            None => self.push_error(span),
        }
    }

    /// A function as a value.
    pub fn function_value(&mut self, id: FnId, known: &[Ty], expect: Expect, span: Span) -> ExprId {
        self.use_function(id);
        let (instance, params, result) = self.instantiate_function(id, known, span);
        let ty = self.cx.types.intern(TyKind::Function(params.into(), result));
        self.bind_expected(ty, expect);
        self.push(ExprKind::Function(FnRef { function: id, type_args: instance.args }), ty, span)
    }

    fn report_variant_without_payload(&mut self, id: EnumId, index: u32, span: Span) {
        let variant = &self.cx.enums[id].variants[index as usize];
        let (text, declared) = (self.cx.text(variant.name.name), variant.name.span);
        let d = self
            .cx
            .error(codes::E0303_ARGUMENT_COUNT, span, format!("the variant `{text}` needs its values"))
            .with_secondary(declared, "declared here");
        self.cx.report(d);
    }

    /// `Name::member(args)`
    pub fn call_member(&mut self, member: Option<Member>, site: Site<'_>) -> ExprId {
        let Site { args, args_span, span, expect } = site;
        match member {
            Some(Member::Variant(id, index, known)) => {
                let (instance, ty) = self.instantiate_nominal(Nominal::Enum(id), &known, span);
                let variant = &self.cx.enums[id].variants[index as usize];
                let (name, payload) = (variant.name, variant.payload.clone());
                if args.len() != payload.len() {
                    let text = self.cx.text(name.name);
                    let types: Vec<String> = payload.iter().map(|&ty| self.cx.type_text(ty)).collect();
                    self.report_argument_count(text, &types, args.len(), Some(name.span), args_span);
                }
                let payload = self.cx.types.substitute_all(&payload, &instance.substitution);
                let typed = self.fitting_arguments(&payload, &[], args);
                self.bind_expected(ty, expect);
                self.push(ExprKind::Variant(index, typed.into()), ty, span)
            }
            Some(Member::Function(id, known)) => self.call_function(Callee { id, receiver: None, known }, site),
            None => {
                args.iter().for_each(|arg| self.ignored(arg));
                self.push_error(span)
            }
        }
    }

    /// `x[i]` on a struct with `index`; `None` if it has no such method.
    pub fn user_index(&mut self, base: ExprId, index: &ast::Expr, span: Span) -> Option<ExprId> {
        let ty = self.ty(base);
        let id = self.index_method(ty, "index", 1)?;
        self.cx.require_visible(id, span);
        let known = self.type_args(ty).into_vec();
        let args = std::slice::from_ref(index);
        let site = Site { args, args_span: span, span, expect: Expect::Nothing };
        Some(self.call_function(Callee { id, receiver: Some(base), known }, site))
    }

    /// Whether a type has a function of that name without `self`.
    pub fn is_associated(&self, kind: &TyKind, name: Name) -> bool {
        self.cx
            .nominal_of(kind)
            .and_then(|owner| self.cx.methods.get(&(owner, name)))
            .is_some_and(|&id| self.cx.functions[id].receiver.is_none())
    }
}
