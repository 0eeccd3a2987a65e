//! The entry of the checker, and the tables of the program that all its parts share.
//!
//! *In:* the syntax trees of all modules. *Out:* the typed program, or diagnostics. *Stages:* collect the items, resolve
//! their written types, evaluate constants, check globals (those whose types are not written behind what they need), check
//! functions. *Keeps:* a wrong type becomes the error type, which fits everywhere in silence, so that one mistake is
//! reported once. *Cost:* n·log n.

use crate::builtins::{self, Builtin};
use crate::constants::{ConstId, ConstInfo};
use crate::externs::ExternInfo;
use crate::generics::{Obligation, ParamInfo, ParamScope};
use crate::globals::GlobalInfo;
use crate::items::{EnumInfo, FnInfo, Item, Nominal, StructInfo};
use crate::modules::{Imported, Module, ModuleId, Scope};
use crate::typed::{EnumDef, ExternId, FieldDef, FnDef, FnId, GlobalDef, GlobalId, Origin, Program, StructDef, Zero};
use crate::types::{EnumId, StructId, Ty, TypeParam, Types};
use mini_base::ids::IdVec;
use mini_base::names::{Name, Names};
use mini_base::near;
use mini_base::source::{Pos, Span};
use mini_diag::codes_checker as codes;
use mini_diag::diagnostic::{Diagnostic, Diagnostics, Severity, Stage};
use mini_syntax::ast;
use rustc_hash::{FxHashMap, FxHashSet};

/// After so many reports, suggestions are no longer searched for.
const ENOUGH_SUGGESTIONS: usize = 200;

/// What a program is to become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// An executable: it needs `main`.
    Executable,
    /// A part of a C program, which may have the `main`: then the part has functions for C.
    PartOfC,
}

/// Checks a program; the first module is the root. `None` if there are errors, the parser's included.
pub fn check(
    modules: &IdVec<ModuleId, Module>,
    names: &Names,
    purpose: Purpose,
    diags: &mut Diagnostics,
) -> Option<Program> {
    let mut cx = Checker::new(modules, names, diags);
    cx.syntax_errors = cx.diags.error_positions();
    cx.collect();
    cx.check_constants();
    cx.check_globals();
    cx.check_functions();
    let main = cx.find_main(purpose);
    cx.warn_unused_imports();
    cx.warn_unused_functions(main);
    if purpose == Purpose::PartOfC {
        cx.warn_not_for_c();
    }
    cx.into_program(main, purpose)
}

/// The program while it is checked.
pub(crate) struct Checker<'a> {
    /// The table of identifiers.
    pub names: &'a Names,
    /// Where diagnostics go.
    pub diags: &'a mut Diagnostics,
    /// The table of types.
    pub types: Types,
    /// All modules.
    pub modules: &'a IdVec<ModuleId, Module>,
    /// The module of the item that is being looked at.
    pub current: ModuleId,
    /// The modules' namespaces.
    pub scopes: IdVec<ModuleId, Scope>,
    /// What the library makes known in all modules.
    pub prelude: FxHashMap<Name, (Item, Span)>,
    /// The names that imports bring.
    pub imports: Vec<Imported>,
    /// The names that structs and enums of several modules have.
    pub ambiguous: FxHashSet<Name>,
    /// All structs.
    pub structs: IdVec<StructId, StructInfo<'a>>,
    /// All enums.
    pub enums: IdVec<EnumId, EnumInfo<'a>>,
    /// Methods and associated functions by their type and name.
    pub methods: FxHashMap<(Nominal, Name), FnId>,
    /// All type parameters.
    pub params: IdVec<TypeParam, ParamInfo>,
    /// The type parameters in scope.
    pub param_scope: ParamScope,
    /// Bounds to be checked, of type arguments that are written.
    pub obligations: Vec<Obligation>,
    /// All functions.
    pub functions: IdVec<FnId, FnInfo<'a>>,
    /// All C functions.
    pub externs: IdVec<ExternId, ExternInfo<'a>>,
    /// All globals in the order of initialisation.
    pub globals: IdVec<GlobalId, GlobalInfo<'a>>,
    /// All constants in textual order.
    pub constants: IdVec<ConstId, ConstInfo<'a>>,
    /// The names of all variants, which patterns may mean.
    pub variants: FxHashSet<Name>,
    /// The built-in functions by name.
    pub builtin_functions: FxHashMap<Name, &'static Builtin>,
    /// Type names that have been reported as unknown.
    pub unknown_types: FxHashSet<(ModuleId, Name)>,
    /// Where the lexer and the parser have reported errors, in order.
    syntax_errors: Vec<Pos>,
    /// How often a suggestion was searched for.
    suggestions: usize,
}

impl<'a> Checker<'a> {
    fn new(modules: &'a IdVec<ModuleId, Module>, names: &'a Names, diags: &'a mut Diagnostics) -> Self {
        Checker {
            names,
            diags,
            types: Types::new(),
            modules,
            current: ModuleId::root(),
            scopes: modules.ids().map(|_| Scope::default()).collect(),
            prelude: FxHashMap::default(),
            imports: Vec::new(),
            ambiguous: FxHashSet::default(),
            structs: IdVec::new(),
            enums: IdVec::new(),
            methods: FxHashMap::default(),
            params: IdVec::new(),
            param_scope: ParamScope::default(),
            obligations: Vec::new(),
            functions: IdVec::new(),
            externs: IdVec::new(),
            globals: IdVec::new(),
            constants: IdVec::new(),
            variants: FxHashSet::default(),
            builtin_functions: builtins::functions_by_name(names),
            unknown_types: FxHashSet::default(),
            syntax_errors: Vec::new(),
            suggestions: 0,
        }
    }

    /// Whether the lexer or the parser has reported an error in a stretch of the text.
    pub fn has_syntax_error(&self, span: Span) -> bool {
        let first = self.syntax_errors.partition_point(|&at| at < span.start);
        self.syntax_errors.get(first).is_some_and(|&at| at < span.end)
    }

    /// An error of the checker, still to be reported.
    pub fn error(&self, code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, Stage::Checker, span, message)
    }

    /// A warning of the checker, still to be reported.
    pub fn warning(&self, code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::warning(code, Stage::Checker, span, message)
    }

    /// Reports.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Warning && self.module().origin() == Origin::Library {
            return; // the user can't mend it
        }
        self.diags.push(diagnostic);
    }

    /// Reports an error without further ado.
    pub fn fail(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        let d = self.error(code, span, message);
        self.report(d);
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &'a str {
        self.names.text(name)
    }

    /// Whether it is still worth looking for near misses: so many reports are never shown.
    pub fn wants_suggestions(&self) -> bool {
        self.suggestions <= ENOUGH_SUGGESTIONS
    }

    /// The near miss of an unknown name, as advice and as a change to the source.
    pub fn suggest<'n>(
        &mut self,
        d: Diagnostic,
        unknown: ast::Ident,
        candidates: impl Iterator<Item = &'n str>,
    ) -> Diagnostic {
        self.suggestions += 1;
        if self.suggestions > ENOUGH_SUGGESTIONS {
            return d;
        }
        match near::nearest(self.text(unknown.name), candidates.filter(|&name| name != "_")) {
            Some(name) => d.with_help(format!("did you mean `{name}`?")).with_fix(unknown.span, name),
            None => d,
        }
    }

    /// A type as it is written.
    pub fn type_text(&self, ty: Ty) -> String {
        crate::print::type_text(&self.types, self, ty)
    }

    /// A function as call stacks show it.
    pub fn function_text(&self, id: FnId) -> String {
        let info = &self.functions[id];
        let name = self.text(info.name.name);
        match info.owner {
            None => name.into(),
            Some(Nominal::Struct(owner)) => format!("{}::{name}", self.text(self.structs[owner].name.name)),
            Some(Nominal::Enum(owner)) => format!("{}::{name}", self.text(self.enums[owner].name.name)),
        }
    }

    /// A type's name, with its module where that is another one and several have types of the name.
    fn qualified(&self, name: Name, module: ModuleId) -> std::sync::Arc<str> {
        if module == self.current || !self.ambiguous.contains(&name) {
            return self.names.shared(name);
        }
        format!("{}::{}", self.modules[module].short_name(), self.text(name)).into()
    }

    fn find_main(&mut self, purpose: Purpose) -> Option<FnId> {
        self.current = ModuleId::root();
        let Module { tree: root, start, .. } = self.module();
        let start = *start;
        let found = self.names.find("main").and_then(|name| self.declared_here(name));
        match found {
            Some((Item::Function(id), span)) => {
                self.functions[id].used = true;
                self.check_main_signature(id, span).then_some(id)
            }
            Some((Item::Error, _)) => None,
            Some((_, span)) => {
                self.fail(codes::E0502_MAIN_SIGNATURE, span, "`main` must be a function");
                None
            }
            // Something must be there for C.
            None if purpose == Purpose::PartOfC && !self.exports().is_empty() => None,
            None => {
                // An item that the parser could not make out may have been it.
                if !root.items.iter().any(|item| matches!(item.kind, ast::ItemKind::Error)) {
                    let d =
                        self.error(codes::E0501_NO_MAIN, Span::new(start, start), "the program has no `main` function");
                    let functions =
                        self.functions.iter().filter(|info| info.owner.is_none() && info.module == ModuleId::root());
                    let near = functions.map(|info| self.text(info.name.name));
                    let d = match near::nearest("main", near) {
                        Some(found) => {
                            let d =
                                d.with_help(format!("did you mean `main` by `{found}`? It is where a program starts"));
                            match self.names.find(found).and_then(|name| self.declared_here(name)) {
                                Some((_, span)) => d.with_secondary(span, "this one is not `main`"),
                                None => d,
                            }
                        }
                        None => d.with_help("add `fn main() { … }`, where the program starts"),
                    };
                    self.report(d);
                }
                None
            }
        }
    }

    fn check_main_signature(&mut self, id: FnId, span: Span) -> bool {
        let signature = &self.functions[id].syntax.signature;
        if let Some(generic) = signature.generics.first() {
            self.fail(codes::E0502_MAIN_SIGNATURE, generic.name.span, "`main` can't be generic");
            return false;
        }
        if let Some(param) = signature.params.first() {
            let d = self
                .error(codes::E0502_MAIN_SIGNATURE, param.span, "`main` takes no parameters")
                .with_help("the built-in `args()` gives the arguments of the program");
            self.report(d);
            return false;
        }
        let result = self.functions[id].result;
        if result != self.types.unit && result != self.types.int && result != self.types.error {
            let written = signature.result.as_ref().map_or(span, |r| r.span);
            let text = self.type_text(result);
            self.fail(
                codes::E0502_MAIN_SIGNATURE,
                written,
                format!("`main` must have the result `int` or none, not `{text}`"),
            );
            return false;
        }
        true
    }

    /// The typed program, if there are no errors. If there are, those of instances are looked for all the same.
    fn into_program(self, main: Option<FnId>, purpose: Purpose) -> Option<Program> {
        let (names, modules) = (self.names, self.modules);
        let externs = self.extern_defs();
        // C functions that Mini calls may call back.
        let with_c = purpose == Purpose::PartOfC || !externs.is_empty();
        let exports = (with_c && !self.diags.has_errors()).then(|| self.exports());
        if main.is_none() && purpose == Purpose::Executable && !self.diags.has_errors() {
            return None;
        }
        let shown = |owner| self.show_method(owner);
        let struct_shows: Vec<_> = self.structs.ids().map(|id| shown(Nominal::Struct(id))).collect();
        let enum_shows: Vec<_> = self.enums.ids().map(|id| shown(Nominal::Enum(id))).collect();
        let structs: IdVec<StructId, StructDef> = self
            .structs
            .into_iter()
            .zip(struct_shows)
            .map(|(info, show)| StructDef {
                show,
                origin: modules[info.module].origin(),
                name: names.shared(info.name.name),
                generics: info.generics,
                fields: info
                    .fields
                    .iter()
                    .map(|f| FieldDef { name: names.shared(f.name.name), ty: f.ty, span: f.name.span })
                    .collect(),
                span: info.name.span,
            })
            .collect();
        let enums: IdVec<EnumId, EnumDef> = (self.enums.into_iter())
            .zip(enum_shows)
            .map(|(info, show)| EnumDef {
                show,
                origin: modules[info.module].origin(),
                name: names.shared(info.name.name),
                generics: info.generics,
                variants: info.variants.into_iter().map(|v| (names.shared(v.name.name), v.payload)).collect(),
                span: info.name.span,
            })
            .collect();
        let functions: Option<IdVec<FnId, FnDef>> = self
            .functions
            .into_iter()
            .map(|info| {
                Some(FnDef {
                    name: match info.owner {
                        None => names.shared(info.name.name),
                        Some(owner) => {
                            let owner = match owner {
                                Nominal::Struct(id) => &structs[id].name,
                                Nominal::Enum(id) => &enums[id].name,
                            };
                            format!("{owner}::{}", names.text(info.name.name)).into()
                        }
                    },
                    generics: info.generics,
                    origin: modules[info.module].origin(),
                    params: info.locals,
                    result: info.result,
                    body: info.body?,
                    span: info.name.span,
                })
            })
            .collect();
        let globals: Option<IdVec<GlobalId, GlobalDef>> = self
            .globals
            .into_iter()
            .map(|info| {
                let ty = info.ty?;
                let zero = if info.has_zero { Zero::Exists } else { Zero::None };
                let (name, span) = (names.shared(info.syntax.name.name), info.syntax.name.span);
                Some(GlobalDef { name, ty, zero, init: info.body?, span })
            })
            .collect();
        let program = Program {
            types: self.types,
            params: self.params.into_iter().map(|info| names.shared(info.name.name)).collect(),
            structs,
            enums,
            functions: functions?,
            globals: globals?,
            externs,
            main,
            exports,
            instances: Vec::new(),
            reachable: 0,
            members: FxHashMap::default(),
        };
        crate::instances::find(program, self.diags)
    }
}

impl crate::print::TypeNames for Checker<'_> {
    fn struct_name(&self, id: StructId) -> std::sync::Arc<str> {
        self.qualified(self.structs[id].name.name, self.structs[id].module)
    }

    fn enum_name(&self, id: EnumId) -> std::sync::Arc<str> {
        self.qualified(self.enums[id].name.name, self.enums[id].module)
    }

    fn param_name(&self, id: TypeParam) -> std::sync::Arc<str> {
        self.names.shared(self.params[id].name.name)
    }
}
