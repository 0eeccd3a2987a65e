//! Modules: what the checker gets of each, the names in it, what its imports bring, in which order modules come.
//!
//! *In:* all modules of the program with the modules that their imports load. *Out:* one namespace for each module.
//! *Keeps:* a module's namespace holds its items and what it imports; only its own `pub` items can be named from other
//! modules. The names of the library's prelude are known in all modules, behind their own. *Cost:* linear.

use crate::check::Checker;
use crate::items::Item;
use crate::order::dependency_order;
use crate::typed::Origin;
use mini_base::ids::{Id, IdVec};
use mini_base::names::Name;
use mini_base::source::{Pos, Span};
use mini_diag::codes_checker as codes;
use mini_diag::diagnostic::Diagnostic;
use mini_syntax::ast::{self, ItemKind};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::hash_map::Entry;
use std::sync::Arc;

mini_base::define_id! {
    /// A module; 0 is the root.
    pub struct ModuleId, "module";
}

impl ModuleId {
    /// The module in whose file the program starts.
    pub fn root() -> ModuleId {
        ModuleId::new(0)
    }
}

/// The names of the library that are known without an import; for advice, because the modules that hold them are loaded only
/// where a name of theirs occurs.
pub const PRELUDE: &[&str] = &["List", "Map", "Set", "StringBuilder", "StdinLines", "stdin_lines"];

/// The library's modules that can be imported, without `std.`; for advice.
pub const LIBRARY: &[&str] = &["math", "random", "text"];

/// A module as the checker gets it.
#[derive(Debug)]
pub struct Module {
    /// Its syntax tree.
    pub tree: ast::Module,
    /// Where its file begins.
    pub start: Pos,
    /// What an import calls it, `geometry.shapes`; the root's is `main`.
    pub name: Arc<str>,
    /// Its part in the program.
    pub part: Part,
    /// For each `import` item, in textual order, the module that it loads; `None` if that failed and was reported.
    pub imports: Vec<Option<ModuleId>>,
}

/// A module's part in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Where the program starts.
    Root,
    /// A module of the user.
    Imported,
    /// A module of the standard library that is imported.
    Library,
    /// A module of the standard library whose names are known everywhere.
    Prelude,
}

impl Module {
    /// A program of one module, whose file begins at `start`.
    pub fn root(tree: ast::Module, start: Pos) -> IdVec<ModuleId, Module> {
        let imports = tree.items.iter().filter(|item| matches!(item.kind, ItemKind::Import(_))).map(|_| None).collect();
        std::iter::once(Module { tree, start, name: "main".into(), part: Part::Root, imports }).collect()
    }

    /// The last part of its name, by which its items are named.
    pub fn short_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// Who wrote it.
    pub fn origin(&self) -> Origin {
        match self.part {
            Part::Root | Part::Imported => Origin::User,
            Part::Library | Part::Prelude => Origin::Library,
        }
    }
}

/// Whether a name can be used from other modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Visibility {
    /// `pub`
    Public,
    /// Without `pub`.
    Private,
}

impl Visibility {
    /// Of an item.
    pub fn of(item: &ast::Item) -> Visibility {
        if item.public.is_some() { Visibility::Public } else { Visibility::Private }
    }
}

/// A name in a module.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// What it means.
    pub item: Item,
    /// Where the item is declared, maybe in another module.
    pub declared: Span,
    /// Where it is brought into this module's namespace.
    pub here: Span,
    /// How it got there.
    pub by: By,
}

/// How a name got into a namespace.
#[derive(Clone, Copy)]
pub(crate) enum By {
    /// It is declared there.
    Declaration(Visibility),
    /// It is imported: an index into [`Checker::imports`].
    Import(usize),
}

/// A module's namespace.
#[derive(Default)]
pub(crate) struct Scope {
    /// What each name means.
    pub names: FxHashMap<Name, Known>,
    /// The names in textual order.
    pub order: Vec<Name>,
}

/// A name that an import brings.
pub(crate) struct Imported {
    /// The name.
    name: ast::Ident,
    /// Into which module.
    into: ModuleId,
    /// For a name in braces, the module that has it.
    from: Option<ModuleId>,
    /// Whether something names it.
    used: Cell<bool>,
}

/// Whether a name is brought by an import that loads nothing.
fn is_failed(imports: &[Imported], known: &Known) -> bool {
    match known.by {
        By::Import(index) => known.item == Item::Error && imports[index].from.is_none(),
        By::Declaration(_) => false,
    }
}

/// The order in which modules are initialised: each behind those that it imports, the library's prelude first.
pub(crate) fn initialisation_order(modules: &IdVec<ModuleId, Module>) -> Vec<ModuleId> {
    let is_prelude = |id: &ModuleId| modules[*id].part == Part::Prelude;
    let starts: Vec<ModuleId> =
        modules.ids().filter(is_prelude).chain(modules.ids().filter(|id| !is_prelude(id))).collect();
    let mut place: IdVec<ModuleId, usize> = modules.ids().map(|_| 0).collect();
    for (index, &id) in starts.iter().enumerate() {
        place[id] = index;
    }
    let needs = |index: usize| modules[starts[index]].imports.iter().flatten().map(|&id| place[id]).collect();
    let mut order = Vec::with_capacity(starts.len());
    dependency_order(starts.len(), needs, |index| order.push(starts[index]), |_| {}); // cycles are allowed
    order
}

impl<'a> Checker<'a> {
    /// The module that is being looked at.
    pub fn module(&self) -> &'a Module {
        &self.modules[self.current]
    }

    /// Adds a name to the current module's namespace, unless it is there already.
    pub fn add_name(&mut self, name: ast::Ident, item: Item, by: By) -> bool {
        let scope = &mut self.scopes[self.current];
        match scope.names.entry(name.name) {
            Entry::Vacant(entry) => {
                entry.insert(Known { item, declared: name.span, here: name.span, by });
                scope.order.push(name.name);
                true
            }
            Entry::Occupied(mut entry) if is_failed(&self.imports, entry.get()) => {
                entry.insert(Known { item, declared: name.span, here: name.span, by });
                true // that the import failed was said
            }
            Entry::Occupied(entry) => {
                let first = *entry.get();
                let text = self.names.text(name.name);
                let message = match (first.by, by) {
                    (By::Import(_), By::Import(_)) => format!("`{text}` is imported twice in this module"),
                    (By::Declaration(_), _) | (_, By::Declaration(_)) => {
                        format!("`{text}` is declared twice in this module")
                    }
                };
                let label = match first.by {
                    By::Declaration(_) => "declared first here",
                    By::Import(_) => "imported first here",
                };
                let d = self.error(codes::E0203_DUPLICATE_ITEM, name.span, message).with_secondary(first.here, label);
                self.report(d);
                false
            }
        }
    }

    /// Adds the names that an import brings; those in braces mean nothing before [`Checker::bring_imports`].
    pub fn collect_import(&mut self, import: &'a ast::Import, loads: Option<ModuleId>) {
        let into = self.current;
        let (names, from) = match &import.names {
            Some(names) => (names.as_slice(), loads),
            None => (&import.path[import.path.len().saturating_sub(1)..], None),
        };
        for &name in names {
            let item = match (loads, &import.names) {
                (Some(module), None) => Item::Module(module),
                (None, _) | (_, Some(_)) => Item::Error,
            };
            if loads.is_none() && self.scopes[into].names.contains_key(&name.name) {
                continue; // one report of an import is enough
            }
            if self.add_name(name, item, By::Import(self.imports.len())) {
                self.imports.push(Imported { name, into, from, used: Cell::new(false) });
            }
        }
    }

    /// Gives the names in the braces of imports their meanings.
    pub fn bring_imports(&mut self) {
        for index in 0..self.imports.len() {
            let Imported { name, into, from, .. } = self.imports[index];
            let Some(from) = from else { continue };
            self.current = into;
            let Some((item, declared)) = self.item_of(from, name) else {
                self.imports[index].used.set(true); // that it can't be used was said
                continue;
            };
            if let Some(known) = self.scopes[into].names.get_mut(&name.name) {
                (known.item, known.declared) = (item, declared);
            }
        }
    }

    /// Makes the `pub` items of the prelude known in all modules.
    pub fn bring_prelude(&mut self) {
        for (id, module) in self.modules.iter_enumerated().filter(|(_, module)| module.part == Part::Prelude) {
            debug_assert!(module.origin() == Origin::Library);
            for name in &self.scopes[id].order {
                let known = &self.scopes[id].names[name];
                if matches!(known.by, By::Declaration(Visibility::Public)) {
                    self.prelude.insert(*name, (known.item, known.declared));
                }
            }
        }
    }

    /// The item of that name which another module lets see; `None` if it was reported.
    pub fn item_of(&mut self, module: ModuleId, name: ast::Ident) -> Option<(Item, Span)> {
        let found = self.scopes[module].names.get(&name.name).copied();
        let (text, module_text) = (self.text(name.name), &self.modules[module].name);
        let d = match found {
            Some(Known { item, declared, by: By::Declaration(visibility), .. }) => {
                if visibility == Visibility::Public || module == self.current || item == Item::Error {
                    return Some((item, declared));
                }
                self.error(
                    codes::E0217_PRIVATE,
                    name.span,
                    format!("`{text}` is private to the module `{module_text}`"),
                )
                .with_secondary(declared, "declared here without `pub`")
                .with_help("`pub` in front of its declaration lets other modules use it")
            }
            Some(Known { item, here, by: By::Import(_), .. }) => {
                let d = self
                    .error(
                        codes::E0218_NOT_IN_MODULE,
                        name.span,
                        format!("the module `{module_text}` imports `{text}`, but does not declare it"),
                    )
                    .with_secondary(here, "imported here");
                match item {
                    Item::Error => return None,
                    Item::Module(_) => d.with_help("import that module here too"),
                    Item::Const(_)
                    | Item::Global(_)
                    | Item::Struct(_)
                    | Item::Enum(_)
                    | Item::Function(_)
                    | Item::Extern(_) => d.with_help("import it from the module that declares it"),
                }
            }
            None => {
                let d = self.error(
                    codes::E0218_NOT_IN_MODULE,
                    name.span,
                    format!("the module `{module_text}` has no item `{text}`"),
                );
                let scope = &self.scopes[module];
                let names = self.names;
                let public = |name: &&Name| matches!(scope.names[*name].by, By::Declaration(Visibility::Public));
                let known: Vec<&str> = scope.order.iter().filter(public).map(|&name| names.text(name)).collect();
                self.suggest(d, name, known.into_iter())
            }
        };
        self.report(d);
        None
    }

    /// Notes that an imported name is used.
    pub fn note_use(&self, known: &Known) {
        if let By::Import(index) = known.by {
            self.imports[index].used.set(true);
        }
    }

    /// Warns about imports that nothing names.
    pub fn warn_unused_imports(&mut self) {
        if self.diags.has_errors() {
            return; // the uses may be in what was not understood
        }
        for index in 0..self.imports.len() {
            let Imported { name, into, ref used, .. } = self.imports[index];
            let text = self.names.text(name.name);
            if used.get() || text.starts_with('_') {
                continue;
            }
            self.current = into;
            let d = self
                .warning(codes::W0004_UNUSED_IMPORT, name.span, format!("the import `{text}` is never used"))
                .with_help("remove it");
            self.report(d);
        }
    }

    /// Advice for a module that is not imported: the import that would make it known.
    pub fn import_advice(&self, name: Name) -> Option<String> {
        let text = self.text(name);
        if LIBRARY.contains(&text) {
            return Some(format!("`import std.{text};` makes the library's module known"));
        }
        let own = self.modules.iter().find(|m| m.part == Part::Imported && m.short_name() == text)?;
        Some(format!("`import {};` makes that module known here", own.name))
    }

    /// Advises to name an item of a module that is imported: `None` if none has one of that name.
    pub fn advise_other_module(&self, d: &Diagnostic, name: ast::Ident) -> Option<Diagnostic> {
        let is_public = |module: ModuleId| {
            let known = self.scopes[module].names.get(&name.name);
            known.is_some_and(|known| matches!(known.by, By::Declaration(Visibility::Public)))
        };
        let text = self.text(name.name);
        let scope = &self.scopes[self.current];
        for &prefix in &scope.order {
            if let Item::Module(module) = scope.names[&prefix].item
                && is_public(module)
            {
                let path = format!("{}::{text}", self.text(prefix));
                return Some(d.clone().with_help(format!("write `{path}`")).with_fix(name.span, path));
            }
        }
        let mut others = self.imports.iter().filter(|import| import.into == self.current).filter_map(|i| i.from);
        let module = &self.modules[others.find(|&module| is_public(module))?].name;
        Some(d.clone().with_help(format!("the module `{module}` has it: `import {module}.{{{text}}};`")))
    }

    /// What is declared in the current module, by its name: what another module declares is none of that.
    pub fn declared_here(&self, name: Name) -> Option<(Item, Span)> {
        let known = self.scopes[self.current].names.get(&name)?;
        matches!(known.by, By::Declaration(_)).then_some((known.item, known.declared))
    }
}
