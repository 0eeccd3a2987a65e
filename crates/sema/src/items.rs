//! Collects the items of a module into tables and resolves the types that are written in them.
//!
//! *In:* the syntax tree. *Out:* the namespace, structs with fields, functions with signatures, globals and constants still
//! unchecked. *Keeps:* order of declaration in all tables. *Cost:* linear.

use crate::check::Checker;
use crate::constants::{ConstId, ConstInfo};
use crate::globals::GlobalInfo;
use crate::path::Split;
use crate::typed::{Body, FnId, GlobalId, LocalId};
use crate::types::{EnumId, StructId, Ty, TyKind, TypeParam};

use mini_base::names::Name;
use mini_diag::codes_checker as codes;
use mini_syntax::ast::{self, ItemKind, TypeKind};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// What a name of the module means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    /// A constant.
    Const(ConstId),
    /// A global.
    Global(GlobalId),
    /// A struct.
    Struct(StructId),
    /// An enum.
    Enum(EnumId),
    /// A function.
    Function(FnId),
    /// Something that was reported.
    Error,
}

impl Item {
    /// What it is, with its article.
    pub fn noun(self) -> &'static str {
        match self {
            Item::Const(_) => "a constant",
            Item::Global(_) => "a global",
            Item::Struct(_) => "a struct",
            Item::Enum(_) => "an enum",
            Item::Function(_) => "a function",
            Item::Error => "something wrong",
        }
    }
}

/// A struct.
pub(crate) struct StructInfo<'a> {
    /// Its name.
    pub name: ast::Ident,
    /// Its type parameters.
    pub generics: Vec<TypeParam>,
    /// Its fields in order of declaration.
    pub fields: Vec<FieldInfo>,
    /// The fields' indices by name.
    pub by_name: FxHashMap<Name, u32>,
    syntax: &'a ast::Struct,
}

/// An enum.
pub(crate) struct EnumInfo<'a> {
    /// Its name.
    pub name: ast::Ident,
    /// Its type parameters.
    pub generics: Vec<TypeParam>,
    /// Its variants in order of declaration.
    pub variants: Vec<VariantInfo>,
    /// The variants' indices by name.
    pub by_name: FxHashMap<Name, u32>,
    /// Whether no variant has a payload.
    pub plain: bool,
    syntax: &'a ast::Enum,
}

impl<'a> EnumInfo<'a> {
    /// How it is written.
    pub fn syntax(&self) -> &'a ast::Enum {
        self.syntax
    }
}

/// A variant.
pub(crate) struct VariantInfo {
    /// Its name.
    pub name: ast::Ident,
    /// What it carries.
    pub payload: Vec<Ty>,
}

/// A type that can have an `impl`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Nominal {
    /// A struct.
    Struct(StructId),
    /// An enum.
    Enum(EnumId),
}

/// A field.
pub(crate) struct FieldInfo {
    /// Its name.
    pub name: ast::Ident,
    /// Its type.
    pub ty: Ty,
}

/// A function.
pub(crate) struct FnInfo<'a> {
    /// Its name.
    pub name: ast::Ident,
    /// Its type parameters: its type's, in the type's order, then its own.
    pub generics: Vec<TypeParam>,
    /// Its parameters' types.
    pub params: Vec<Ty>,
    /// Its result's type.
    pub result: Ty,
    /// The struct or enum in whose `impl` it is.
    pub owner: Option<Nominal>,
    /// The type of `self`, if it has it.
    pub receiver: Option<Ty>,
    /// How it is written.
    pub syntax: &'a ast::Function,
    /// Whether it can be named from outside.
    pub public: bool,
    /// Whether something but itself names it.
    pub used: bool,
    /// Its parameters in its body.
    pub locals: Vec<LocalId>,
    /// Its body, once that is checked.
    pub body: Option<Body>,
}

impl<'a> Checker<'a> {
    /// Fills the tables.
    pub fn collect(&mut self, root: &'a ast::Module) {
        for item in &root.items {
            if let ItemKind::Enum(declaration) = &item.kind {
                self.variants.extend(declaration.variants.iter().map(|(name, _)| name.name));
            }
        }
        for item in &root.items {
            self.collect_item(item);
        }
        for broken in &root.broken {
            self.scope.entry(broken.name).or_insert((Item::Error, broken.span));
        }
        for item in &root.items {
            if let ItemKind::Impl(block) = &item.kind {
                self.collect_impl(block);
            }
        }
        for id in self.structs.ids() {
            self.resolve_fields(id);
        }
        for id in self.enums.ids() {
            self.resolve_variants(id);
        }
        for id in self.functions.ids() {
            self.resolve_signature(id);
        }
        self.check_obligations();
    }

    fn collect_item(&mut self, item: &'a ast::Item) {
        match &item.kind {
            ItemKind::Import(import) => {
                self.unsupported(item.span, "imports");
                let last = import.path.last().into_iter().filter(|_| import.names.is_none());
                for &name in last.chain(import.names.iter().flatten()) {
                    self.scope.insert(name.name, (Item::Error, name.span));
                }
            }
            ItemKind::Const(binding) => {
                let id = self.constants.next_id();
                if self.add_name(binding.name, Item::Const(id)) {
                    self.constants.push(ConstInfo::new(binding));
                }
            }
            ItemKind::Global(binding) => {
                let id = self.globals.next_id();
                if self.add_name(binding.name, Item::Global(id)) {
                    self.globals.push(GlobalInfo::new(binding));
                }
            }
            ItemKind::Struct(declaration) => {
                let id = self.structs.next_id();
                if self.add_name(declaration.name, Item::Struct(id)) {
                    let generics = self.declare_generics(&declaration.generics, &[]);
                    self.structs.push(StructInfo {
                        name: declaration.name,
                        generics,
                        fields: Vec::new(),
                        by_name: FxHashMap::default(),
                        syntax: declaration,
                    });
                }
            }
            ItemKind::Enum(declaration) => {
                let id = self.enums.next_id();
                if self.add_name(declaration.name, Item::Enum(id)) {
                    let generics = self.declare_generics(&declaration.generics, &[]);
                    self.enums.push(EnumInfo {
                        name: declaration.name,
                        generics,
                        variants: Vec::new(),
                        by_name: FxHashMap::default(),
                        plain: declaration.variants.iter().all(|(_, payload)| payload.is_empty()),
                        syntax: declaration,
                    });
                }
            }
            ItemKind::Impl(_) => {} // behind all types, see `collect_impl`
            ItemKind::Function(function) => {
                let id = self.functions.next_id();
                if self.add_name(function.signature.name, Item::Function(id)) {
                    self.add_function(function, item.public.is_some(), None, &[]);
                }
            }
            ItemKind::Extern(signature) => {
                if self.add_name(signature.name, Item::Error) {
                    self.unsupported(signature.name.span, "`extern` functions");
                }
            }
            ItemKind::Error => {}
        }
    }

    /// Adds a function to the table; its signature is resolved later. `outer` are the type parameters of its `impl`.
    pub fn add_function(
        &mut self,
        syntax: &'a ast::Function,
        public: bool,
        owner: Option<Nominal>,
        outer: &[TypeParam],
    ) -> FnId {
        let own = self.declare_generics(&syntax.signature.generics, outer);
        self.functions.push(FnInfo {
            name: syntax.signature.name,
            generics: [outer, &own].concat(),
            params: Vec::new(),
            result: self.types.unit,
            owner,
            receiver: None,
            syntax,
            public,
            used: false,
            locals: Vec::new(),
            body: None,
        })
    }

    /// Adds a name to the module's namespace, unless it is there already.
    fn add_name(&mut self, name: ast::Ident, item: Item) -> bool {
        match self.scope.entry(name.name) {
            Entry::Vacant(entry) => {
                entry.insert((item, name.span));
                self.item_names.push(name.name);
                true
            }
            Entry::Occupied(entry) => {
                let (_, first) = *entry.get();
                let d = self
                    .error(
                        codes::E0203_DUPLICATE_ITEM,
                        name.span,
                        format!("`{}` is declared twice in this module", self.text(name.name)),
                    )
                    .with_secondary(first, "declared first here");
                self.report(d);
                false
            }
        }
    }

    fn resolve_fields(&mut self, id: StructId) {
        let syntax = self.structs[id].syntax;
        let generics = self.structs[id].generics.clone();
        let outside = self.enter_generics(&generics);
        for (name, ty) in &syntax.fields {
            let ty = self.resolve_type(ty);
            let info = &mut self.structs[id];
            match info.by_name.entry(name.name) {
                Entry::Vacant(entry) => {
                    entry.insert(info.fields.len() as u32);
                    info.fields.push(FieldInfo { name: *name, ty });
                }
                Entry::Occupied(entry) => {
                    let first = info.fields[*entry.get() as usize].name.span;
                    let message = format!("the field `{}` is declared twice", self.names.text(name.name));
                    let d = self
                        .error(codes::E0204_DUPLICATE_MEMBER, name.span, message)
                        .with_secondary(first, "declared first here");
                    self.report(d);
                }
            }
        }
        self.param_scope = outside;
    }

    fn resolve_signature(&mut self, id: FnId) {
        let signature = &self.functions[id].syntax.signature;
        let generics = self.functions[id].generics.clone();
        let outside = self.enter_generics(&generics);
        if let (Some(_), Some(owner)) = (signature.receiver, self.functions[id].owner) {
            let count = self.generics_of(owner).len();
            let args = generics[..count].iter().map(|&p| self.types.intern(TyKind::Param(p))).collect();
            self.functions[id].receiver = Some(self.nominal_type(owner, args));
        } else if let Some(span) = signature.receiver {
            self.fail(codes::E0206_SELF_OUTSIDE_METHOD, span, "`self` is a parameter of methods in an `impl` only");
        }
        let params = signature.params.iter().map(|p| self.resolve_type(&p.ty)).collect();
        let result = match &signature.result {
            Some(result) => self.resolve_type(result),
            None => self.types.unit,
        };
        self.param_scope = outside;
        let info = &mut self.functions[id];
        info.params = params;
        info.result = result;
    }

    /// The type that is written.
    pub fn resolve_type(&mut self, written: &ast::TypeExpr) -> Ty {
        match &written.kind {
            TypeKind::Path(path) => self.resolve_type_path(path),
            TypeKind::Array(element) => {
                let element = self.resolve_type(element);
                self.types.array(element)
            }
            TypeKind::Optional(inner) => {
                let inner = self.resolve_type(inner);
                if self.types.optional_inner(inner).is_some() {
                    let text = self.type_text(inner);
                    let d = self
                        .error(
                            codes::E0308_DOUBLE_OPTIONAL,
                            written.span,
                            format!("`{text}?` is no type: an optional can't hold an optional"),
                        )
                        .with_help("take off one `?`");
                    self.report(d);
                    return self.types.error;
                }
                if inner == self.types.error { inner } else { self.types.optional(inner) }
            }
            TypeKind::Function { params, result } => {
                let params = params.iter().map(|p| self.resolve_type(p)).collect();
                let result = match result {
                    Some(result) => self.resolve_type(result),
                    None => self.types.unit,
                };
                self.types.intern(TyKind::Function(params, result))
            }
            TypeKind::Error => self.types.error,
        }
    }

    /// Resolves type arguments for their own errors.
    fn resolve_args(&mut self, segment: &ast::PathSegment) {
        for arg in segment.args.iter().flatten() {
            self.resolve_type(arg);
        }
    }

    fn resolve_type_path(&mut self, path: &ast::Path) -> Ty {
        let error = self.types.error;
        if let [segment] = path.segments.as_slice()
            && let Some(&param) = self.param_scope.get(&segment.ident.name)
        {
            if segment.args.is_some() {
                self.resolve_args(segment);
                let text = self.text(segment.ident.name);
                self.fail(codes::E0309_TYPE_ARGUMENTS, path.span, format!("`{text}` has no type parameters"));
            }
            return self.types.intern(TyKind::Param(param));
        }
        let (item, segment) = match self.split(path) {
            Some(Split::Item(item, declared, segment)) => (Some((item, declared)), segment),
            Some(Split::Unknown(segment)) => (None, segment),
            Some(Split::Member(_, owner, _)) => {
                self.fail_module_path(owner.ident);
                return error;
            }
            None => return error,
        };
        let name = segment.ident;
        let text = self.text(name.name);
        let built_in = match text {
            "int" => Some(self.types.int),
            "float" => Some(self.types.float),
            "bool" => Some(self.types.bool),
            "byte" => Some(self.types.byte),
            "string" => Some(self.types.string),
            _ => None,
        };
        let ty = match (built_in, item) {
            (Some(ty), _) => ty,
            (None, Some((Item::Struct(id), _))) => {
                return self.written_nominal(Nominal::Struct(id), segment.args.as_deref(), path.span);
            }
            (None, Some((Item::Enum(id), _))) => {
                return self.written_nominal(Nominal::Enum(id), segment.args.as_deref(), path.span);
            }
            (None, Some((Item::Error, _))) => {
                self.resolve_args(segment);
                return error;
            }
            (None, Some((item @ (Item::Const(_) | Item::Global(_) | Item::Function(_)), declared))) => {
                let d = self
                    .error(
                        codes::E0205_WRONG_KIND_OF_NAME,
                        name.span,
                        format!("`{text}` is {}, not a type", item.noun()),
                    )
                    .with_secondary(declared, "declared here");
                self.report(d);
                return error;
            }
            (None, None) if matches!(text, "List" | "Map" | "Set" | "StringBuilder" | "StdinLines") => {
                self.unsupported(name.span, &format!("`{text}`"));
                return error;
            }
            (None, None) => {
                if !self.is_variant_as_type(name) {
                    self.unknown_type(name, "type");
                }
                return error;
            }
        };
        if segment.args.is_some() {
            self.resolve_args(segment);
            let text = self.type_text(ty);
            self.fail(codes::E0309_TYPE_ARGUMENTS, path.span, format!("`{text}` has no type parameters"));
        }
        ty
    }

    /// Reports a type name that nothing declares; each name once.
    pub fn unknown_type(&mut self, name: ast::Ident, what: &str) {
        if !self.unknown_types.insert(name.name) {
            return;
        }
        let text = self.text(name.name);
        let d = self.error(codes::E0202_UNKNOWN_TYPE, name.span, format!("there is no {what} named `{text}`"));
        if let Some((replacement, help)) = crate::advice::foreign_type(text) {
            let d = d.with_help(help);
            self.report(match replacement {
                Some(replacement) => d.with_fix(name.span, replacement),
                None => d,
            });
            return;
        }
        if !self.wants_suggestions() {
            self.report(d);
            return;
        }
        let mut candidates = self.known_names(|item| matches!(item, Item::Struct(_) | Item::Enum(_) | Item::Error));
        candidates.extend(["int", "float", "bool", "byte", "string"]);
        let d = self.suggest(d, name, candidates.into_iter());
        self.report(d);
    }

    /// Whether a global of this type shows a zero before its initialiser has run.
    pub fn has_zero(&self, ty: Ty) -> bool {
        match self.types.kind(ty) {
            TyKind::Struct(..) | TyKind::Enum(..) | TyKind::Function(..) => false,
            TyKind::Int
            | TyKind::Float
            | TyKind::Bool
            | TyKind::Byte
            | TyKind::String
            | TyKind::Array(_)
            | TyKind::Optional(_)
            | TyKind::Unit
            | TyKind::Never
            | TyKind::StdinLines
            | TyKind::Param(_)
            | TyKind::Infer(_)
            | TyKind::Error => true,
        }
    }

    /// Warns about functions that nothing names.
    pub fn warn_unused_functions(&mut self, main: Option<FnId>) {
        if self.diags.has_errors() {
            return; // the uses may be in what was not understood
        }
        for id in self.functions.ids() {
            let info = &self.functions[id];
            let text = self.names.text(info.name.name);
            if info.used || info.public || Some(id) == main || text.starts_with('_') || text == "main" {
                continue;
            }
            let span = info.name.span;
            let d = self
                .warning(codes::W0003_UNUSED_FUNCTION, span, format!("the function `{text}` is never used"))
                .with_help(format!("remove it, or call it `_{text}`"));
            self.report(d);
        }
    }
}
