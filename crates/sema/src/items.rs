//! Collects the items of a module into tables and resolves the types that are written in them.
//!
//! *In:* the syntax tree. *Out:* the namespace, structs with fields, functions with signatures, globals and constants still
//! unchecked. *Keeps:* order of declaration in all tables. *Cost:* linear.

use crate::check::Checker;
use crate::constants::{ConstId, ConstInfo};
use crate::globals::GlobalInfo;
use crate::modules::{By, Known, Module, ModuleId, PRELUDE, Visibility, initialisation_order};
use crate::path::Split;
use crate::typed::{Body, ExternId, FnId, GlobalId, LocalId};
use crate::types::{EnumId, StructId, Ty, TyKind, TypeParam};

use mini_base::names::Name;
use mini_diag::codes_checker as codes;
use mini_syntax::ast::{self, ItemKind, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// A module.
    Module(ModuleId),
    /// A C function.
    Extern(ExternId),
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
            Item::Module(_) => "a module",
            Item::Extern(_) => "a C function",
            Item::Error => "something wrong",
        }
    }
}

/// A struct.
pub(crate) struct StructInfo<'a> {
    /// Its module.
    pub module: ModuleId,
    /// Whether it, and with it its fields, can be named from other modules.
    pub visibility: Visibility,
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
    /// Its module.
    pub module: ModuleId,
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
    /// Its module.
    pub module: ModuleId,
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
    pub fn collect(&mut self) {
        let order = initialisation_order(self.modules);
        for &module in &order {
            self.collect_module(module);
        }
        self.bring_imports();
        self.bring_prelude();
        self.find_ambiguous_types();
        for &module in &order {
            self.current = module;
            for item in &self.modules[module].tree.items {
                if let ItemKind::Impl(block) = &item.kind {
                    self.collect_impl(block);
                }
            }
        }
        for id in self.structs.ids() {
            self.current = self.structs[id].module;
            self.resolve_fields(id);
        }
        for id in self.enums.ids() {
            self.current = self.enums[id].module;
            self.resolve_variants(id);
        }
        for id in self.functions.ids() {
            self.current = self.functions[id].module;
            self.resolve_signature(id);
        }
        for id in self.externs.ids() {
            self.resolve_extern(id);
        }
        self.check_obligations();
    }

    fn collect_module(&mut self, module: ModuleId) {
        self.current = module;
        let Module { tree, imports, .. } = self.module();
        let mut imports = imports.iter().copied();
        for item in &tree.items {
            match &item.kind {
                ItemKind::Enum(declaration) => {
                    self.variants.extend(declaration.variants.iter().map(|(name, _)| name.name));
                }
                ItemKind::Import(import) => self.collect_import(import, imports.next().flatten()),
                ItemKind::Const(_)
                | ItemKind::Global(_)
                | ItemKind::Struct(_)
                | ItemKind::Impl(_)
                | ItemKind::Function(_)
                | ItemKind::Extern(_)
                | ItemKind::Error => {}
            }
            self.collect_item(item);
        }
        for broken in &tree.broken {
            let by = By::Declaration(Visibility::Public);
            let known = Known { item: Item::Error, declared: broken.span, here: broken.span, by };
            self.scopes[module].names.entry(broken.name).or_insert(known);
        }
    }

    fn find_ambiguous_types(&mut self) {
        let mut seen = FxHashSet::default();
        for name in self.structs.iter().map(|info| info.name).chain(self.enums.iter().map(|info| info.name)) {
            if !seen.insert(name.name) {
                self.ambiguous.insert(name.name);
            }
        }
    }

    fn collect_item(&mut self, item: &'a ast::Item) {
        let module = self.current;
        let visibility = Visibility::of(item);
        let by = By::Declaration(visibility);
        match &item.kind {
            ItemKind::Import(_) => {} // see `collect_import`
            ItemKind::Const(binding) => {
                let id = self.constants.next_id();
                if self.add_name(binding.name, Item::Const(id), by) {
                    self.constants.push(ConstInfo::new(binding, module));
                }
            }
            ItemKind::Global(binding) => {
                let id = self.globals.next_id();
                if self.add_name(binding.name, Item::Global(id), by) {
                    self.globals.push(GlobalInfo::new(binding, module));
                }
            }
            ItemKind::Struct(declaration) => {
                let id = self.structs.next_id();
                if self.add_name(declaration.name, Item::Struct(id), by) {
                    let generics = self.declare_generics(&declaration.generics, &[]);
                    self.structs.push(StructInfo {
                        module,
                        visibility,
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
                if self.add_name(declaration.name, Item::Enum(id), by) {
                    let generics = self.declare_generics(&declaration.generics, &[]);
                    self.enums.push(EnumInfo {
                        module,
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
                if self.add_name(function.signature.name, Item::Function(id), by) {
                    self.add_function(function, item.public.is_some(), None, &[]);
                }
            }
            ItemKind::Extern(signature) => {
                let id = self.externs.next_id();
                if self.add_name(signature.name, Item::Extern(id), by) {
                    self.add_extern(signature);
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
            module: self.current,
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
            Some(Split::Member(of, owner, _)) => {
                self.refuse_member(of, owner.ident);
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
            (
                None,
                Some((
                    item @ (Item::Const(_) | Item::Global(_) | Item::Function(_) | Item::Extern(_) | Item::Module(_)),
                    declared,
                )),
            ) => {
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
        if !self.unknown_types.insert((self.current, name.name)) {
            return;
        }
        let text = self.text(name.name);
        let d = self.error(codes::E0202_UNKNOWN_TYPE, name.span, format!("there is no {what} named `{text}`"));
        let wants_module = what.contains("module");
        if let Some(help) = self.import_advice(name.name).filter(|_| wants_module) {
            self.report(d.with_help(help));
            return;
        }
        if let Some(d) = self.advise_other_module(&d, name) {
            self.report(d);
            return;
        }
        if let Some((replacement, help)) = crate::advice::foreign_type(text) {
            let d = d.with_help(help);
            self.report(match replacement {
                Some(replacement) => d.with_fix(name.span, replacement),
                None => d,
            });
            return;
        }
        if let [b'A'..=b'Z'] = text.as_bytes() {
            let help = format!("a type parameter is declared behind the name of the item: `<{text}>`");
            self.report(d.with_help(help));
            return;
        }
        if !self.wants_suggestions() {
            self.report(d);
            return;
        }
        let mut candidates = self.known_names(|item| {
            matches!(item, Item::Struct(_) | Item::Enum(_) | Item::Error)
                || (wants_module && matches!(item, Item::Module(_)))
        });
        let mut params: Vec<_> = self.param_scope.values().copied().collect();
        params.sort();
        candidates.extend(params.iter().map(|&param| self.text(self.params[param].name.name)));
        candidates.extend(["int", "float", "bool", "byte", "string"]);
        candidates.extend(PRELUDE.iter().filter(|name| name.starts_with(char::is_uppercase)));
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
        self.warn_unused_externs();
        for id in self.functions.ids() {
            let info = &self.functions[id];
            let text = self.names.text(info.name.name);
            self.current = info.module;
            if info.used || info.public || Some(id) == main || text.starts_with('_') {
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
