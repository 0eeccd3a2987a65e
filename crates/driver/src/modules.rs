//! Loads a program: the root file, the modules that it imports, those that they import, and what it needs of the library.
//!
//! *In:* the root file. *Out:* all modules as syntax trees, the root first, then the others in the order in which imports
//! name them: the root's, those of the first module, and so on; the library's prelude last. *Keeps:* each file is read
//! once. A module of the prelude is loaded only where a name of it occurs in what is loaded, so that it costs nothing
//! elsewhere. *Cost:* linear in the sources.

use crate::failure::Failure;
use crate::library::{self, LibraryModule};
use crate::pipeline;
use crate::session::{Session, is_standard_input};
use mini_base::ids::{Id, IdVec};
use mini_base::near;
use mini_base::source::{FileId, Span};
use mini_diag::codes_checker as codes;
use mini_diag::diagnostic::{Diagnostic, Stage};
use mini_sema::modules::{Module, ModuleId, Part};
use mini_syntax::ast::{Ident, Import, ItemKind};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Loads and parses all modules of a program whose root file is read already.
pub fn load(session: &mut Session, root: FileId) -> Result<IdVec<ModuleId, Module>, Failure> {
    let path = session.sources.file(root).path.clone();
    let folder = path.parent().filter(|_| !is_standard_input(&path)).unwrap_or(Path::new("")).to_path_buf();
    let real_root = if is_standard_input(&path) { None } else { std::fs::canonicalize(&path).ok() };
    let (modules, known) = (IdVec::new(), HashMap::new());
    let mut loader = Loader { session, root: path, real_root, folder, modules, known, next: 0, missing: 0 };
    loader.add(root, "main", Part::Root)?;
    loader.load_imports()?;
    loader.load_prelude()?;
    Ok(loader.modules)
}

/// After so many missing files, folders are no longer searched for what was meant.
const ENOUGH_SUGGESTIONS: usize = 50;

struct Loader<'s> {
    session: &'s mut Session,
    /// The root file.
    root: PathBuf,
    /// The same without links, where it is a file.
    real_root: Option<PathBuf>,
    /// Where imports are looked for.
    folder: PathBuf,
    modules: IdVec<ModuleId, Module>,
    /// What was loaded by the names of imports; `None` for a file that is no text.
    known: HashMap<String, Option<ModuleId>>,
    /// The first module whose imports are not loaded.
    next: usize,
    /// How many imports named a file that is missing.
    missing: usize,
}

/// Why an import loads nothing.
enum Refused {
    /// It is reported like this.
    Because(Box<Diagnostic>),
    /// The compilation ends.
    Failure(Failure),
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Refused {
        Refused::Failure(failure)
    }
}

impl Loader<'_> {
    fn add(&mut self, file: FileId, name: &str, part: Part) -> Result<ModuleId, Failure> {
        let tree = pipeline::parse(self.session, file)?;
        let start = self.session.sources.file(file).pos(0);
        Ok(self.modules.push(Module { tree, start, name: name.into(), part, imports: Vec::new() }))
    }

    /// Loads what the modules so far import, and what that imports, in the order of the text.
    fn load_imports(&mut self) -> Result<(), Failure> {
        while self.next < self.modules.len() {
            let id = ModuleId::new(self.next);
            self.next += 1;
            let items = &self.modules[id].tree.items;
            let imports: Vec<Import> = items.iter().filter_map(|item| import_of(&item.kind)).cloned().collect();
            for import in &imports {
                let loaded = match self.import(import) {
                    Ok(loaded) => loaded,
                    Err(Refused::Because(diagnostic)) => {
                        self.session.diagnostics.push(*diagnostic);
                        None
                    }
                    Err(Refused::Failure(failure)) => return Err(failure),
                };
                self.modules[id].imports.push(loaded);
            }
        }
        Ok(())
    }

    /// Loads the modules of the prelude whose names occur, until no more do.
    fn load_prelude(&mut self) -> Result<(), Failure> {
        let mut missing: Vec<&LibraryModule> =
            library::MODULES.iter().filter(|module| !module.prelude.is_empty()).collect();
        loop {
            let names = &self.session.names;
            let (wanted, rest): (Vec<_>, Vec<_>) =
                missing.into_iter().partition(|module| module.prelude.iter().any(|name| names.find(name).is_some()));
            if wanted.is_empty() {
                return Ok(());
            }
            for module in wanted {
                self.add_library(module, Part::Prelude)?;
            }
            self.load_imports()?;
            missing = rest;
        }
    }

    fn add_library(&mut self, module: &LibraryModule, part: Part) -> Result<ModuleId, Failure> {
        let file = self.session.add(Path::new(module.path), module.text.into())?;
        self.add(file, module.name, part)
    }

    /// The module that an import names, loaded if it is not yet. `None` if what is wrong with its file was reported.
    fn import(&mut self, import: &Import) -> Result<Option<ModuleId>, Refused> {
        let names: Vec<&str> = import.path.iter().map(|part| self.session.names.text(part.name)).collect();
        let dotted = names.join(".");
        if let Some(&loaded) = self.known.get(&dotted) {
            return Ok(loaded);
        }
        let loaded = match names.as_slice() {
            [] => return Ok(None), // the parser has reported it
            ["std", _, ..] => match importable().find(|module| module.name == dotted) {
                Some(module) => Some(self.add_library(module, Part::Library)?),
                None => return Err(self.unknown_in_library(import, &names)),
            },
            parts => {
                let path = self.folder.join(parts.iter().collect::<PathBuf>()).with_extension("mini");
                self.import_file(import, &dotted, &path)?
            }
        };
        self.known.insert(dotted, loaded);
        Ok(loaded)
    }

    fn import_file(&mut self, import: &Import, dotted: &str, path: &Path) -> Result<Option<ModuleId>, Refused> {
        if self.is_root(path) {
            let message = "the root file can't be imported: the program starts there";
            let d = error(codes::E0509_ROOT_IMPORTED, import, message.into());
            return Err(because(d.with_help("put what several modules need into a module of its own")));
        }
        if !self.session.knows(path) {
            match std::fs::metadata(path) {
                Ok(meta) if meta.is_dir() => {
                    return Err(unreadable(import, format!("can't read `{}`: it is a folder", path.display())));
                }
                Err(error) if is_missing(&error) => return Err(self.missing(import, dotted, path)),
                Ok(_) | Err(_) => {} // reading it tells what is wrong with it
            }
        }
        match self.session.load(path) {
            Ok(file) => Ok(Some(self.add(file, dotted, Part::Imported)?)),
            Err(Failure::Program) => Ok(None),
            Err(Failure::Io(message)) => Err(unreadable(import, message)),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Whether a path leads to the root file, maybe by another way.
    fn is_root(&self, path: &Path) -> bool {
        let real_root = || self.real_root.as_deref();
        path == self.root || std::fs::canonicalize(path).is_ok_and(|real| Some(&*real) == real_root())
    }

    /// There is no such file: what was probably meant.
    fn missing(&mut self, import: &Import, dotted: &str, path: &Path) -> Refused {
        self.missing += 1;
        let message = format!("there is no module `{dotted}`: the file `{}` does not exist", path.display());
        let d = error(codes::E0508_UNKNOWN_MODULE, import, message);
        let Some((last, before)) = import.path.split_last().filter(|_| self.missing <= ENOUGH_SUGGESTIONS) else {
            return because(d);
        };
        let text = self.session.names.text(last.name);
        if before.is_empty()
            && let Some(module) = importable().find(|module| module.name.strip_prefix("std.") == Some(text))
        {
            let help = format!("the library's module is `{}`", module.name);
            return because(d.with_help(help).with_fix(last.span, module.name));
        }
        let known = modules_in(path.parent());
        let outer = path.parent().map(|parent| parent.with_extension("mini")).filter(|_| !before.is_empty());
        if near::nearest(text, known.iter().map(String::as_str)).is_none()
            && outer.is_some_and(|outer| outer.is_file() && !self.is_root(&outer))
        {
            let outer = dotted.strip_suffix(text).unwrap_or(dotted);
            return because(d.with_help(format!("`import {outer}{{{text}}};` imports a name from a module")));
        }
        because(suggest(d, *last, text, &known))
    }

    /// There is no such module in the library.
    fn unknown_in_library(&self, import: &Import, names: &[&str]) -> Refused {
        let dotted = names.join(".");
        let d = error(codes::E0508_UNKNOWN_MODULE, import, format!("the library has no module `{dotted}`"));
        if let Some(module) = library::MODULES.iter().find(|module| module.name == dotted) {
            return because(d.with_help(format!("`{}` needs no import", module.prelude[0])));
        }
        let known: Vec<String> = importable().map(|module| module.name.replacen("std.", "", 1)).collect();
        if let [_, module, name] = *names
            && known.iter().any(|known| known == module)
        {
            return because(d.with_help(format!("`import std.{module}.{{{name}}};` imports a name from a module")));
        }
        let (last, text) = (import.path[import.path.len() - 1], names[names.len() - 1]);
        match near::nearest(text, known.iter().map(String::as_str)) {
            Some(_) => because(suggest(d, last, text, &known)),
            None => because(d.with_help(format!("the library's modules are `std.{}`", known.join("`, `std.")))),
        }
    }
}

/// The modules of the library that can be imported.
fn importable() -> impl Iterator<Item = &'static LibraryModule> {
    library::MODULES.iter().filter(|module| module.prelude.is_empty())
}

fn import_of(kind: &ItemKind) -> Option<&Import> {
    match kind {
        ItemKind::Import(import) => Some(import),
        ItemKind::Const(_)
        | ItemKind::Global(_)
        | ItemKind::Struct(_)
        | ItemKind::Enum(_)
        | ItemKind::Impl(_)
        | ItemKind::Function(_)
        | ItemKind::Extern(_)
        | ItemKind::Error => None,
    }
}

fn error(code: &'static str, import: &Import, message: String) -> Diagnostic {
    let span = import.path.iter().fold(Span::NONE, |span, part| span.to(part.span));
    Diagnostic::error(code, Stage::Checker, span, message)
}

fn because(diagnostic: Diagnostic) -> Refused {
    Refused::Because(Box::new(diagnostic))
}

fn unreadable(import: &Import, message: String) -> Refused {
    because(error(codes::E0510_UNREADABLE_MODULE, import, message))
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

/// The names of the modules in a folder, in order.
fn modules_in(folder: Option<&Path>) -> Vec<String> {
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let path = |entry: std::io::Result<std::fs::DirEntry>| entry.ok().map(|entry| entry.path());
    let mut names: Vec<String> = entries
        .filter_map(path)
        .filter(|path| path.extension().is_some_and(|extension| extension == "mini"))
        .filter_map(|path| path.file_stem()?.to_str().map(str::to_string))
        .collect();
    names.sort();
    names
}

fn suggest(d: Diagnostic, unknown: Ident, text: &str, known: &[String]) -> Diagnostic {
    match near::nearest(text, known.iter().map(String::as_str)) {
        Some(name) => d.with_help(format!("did you mean `{name}`?")).with_fix(unknown.span, name),
        None => d,
    }
}
