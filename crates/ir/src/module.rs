//! A module: the functions of a program and the tables that they share.

use crate::func::Func;
use crate::types::{Layout, LayoutId, Type};
use mini_base::ids::IdVec;
use rustc_hash::FxHashMap;
use std::sync::Arc;

mini_base::define_id! {
    /// A function of the module.
    pub struct FuncId, "f";
    /// A global variable. A scalar optional takes two (`g` and `g?`).
    pub struct GlobalId, "g";
    /// A string constant.
    pub struct StrId, "str";
    /// A C function.
    pub struct ExternId, "c";
}

/// The head of a function: what its callers need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Its name; unique in the module.
    pub name: Arc<str>,
    /// Types of the parameters.
    pub params: Vec<Type>,
    /// Types of the results, at most two.
    pub results: Vec<Type>,
}

/// A global variable; zero at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Its name; unique in the module.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
}

/// What all functions of a module share. Passes read it while they change a function.
#[derive(Clone, Debug, Default)]
pub struct ModuleInfo {
    /// The heads of the functions.
    pub signatures: IdVec<FuncId, Signature>,
    /// The layouts; equal layouts are one (use [`ModuleInfo::layout`]).
    pub layouts: IdVec<LayoutId, Layout>,
    /// The globals.
    pub globals: IdVec<GlobalId, Global>,
    /// The C functions that may be called; their names are symbols. At most one result, which is no reference.
    pub externs: IdVec<ExternId, Signature>,
    /// The string constants; equal strings are one (use [`ModuleInfo::string`]).
    pub strings: IdVec<StrId, Arc<[u8]>>,
    layout_ids: FxHashMap<Layout, LayoutId>,
    string_ids: FxHashMap<Arc<[u8]>, StrId>,
}

impl ModuleInfo {
    /// The id of a layout, made if it is new.
    pub fn layout(&mut self, layout: Layout) -> LayoutId {
        if let Some(&id) = self.layout_ids.get(&layout) {
            return id;
        }
        let id = self.layouts.push(layout.clone());
        self.layout_ids.insert(layout, id);
        id
    }

    /// The id of a string constant, made if it is new.
    pub fn string(&mut self, bytes: &[u8]) -> StrId {
        if let Some(&id) = self.string_ids.get(bytes) {
            return id;
        }
        let shared: Arc<[u8]> = bytes.into();
        let id = self.strings.push(shared.clone());
        self.string_ids.insert(shared, id);
        id
    }
}

/// A whole program, or a file of textual IR.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// What the functions share.
    pub info: ModuleInfo,
    /// The functions, by the ids of their signatures.
    pub funcs: IdVec<FuncId, Func>,
    /// The function that runs the program: initialises the globals, calls `main`, returns the exit status as int. In
    /// textual IR: the function `main`.
    pub start: Option<FuncId>,
    /// What an object file offers to C. Not part of the text.
    pub library: Option<Library>,
}

/// The functions of a module that C may call.
#[derive(Clone, Debug)]
pub struct Library {
    /// Initialises the globals.
    pub init: FuncId,
    /// The functions.
    pub exports: Vec<Export>,
}

/// A function that C may call.
#[derive(Clone, Debug)]
pub struct Export {
    /// Its symbol.
    pub symbol: Arc<str>,
    /// Its declaration in C, without the semicolon.
    pub prototype: String,
    /// What C calls: its parameters are as C passes them, ints of which a type's width counts, and floats.
    pub func: FuncId,
}

impl Module {
    /// Adds a function whose signature is taken from it.
    pub fn add(&mut self, func: Func) -> FuncId {
        let signature = func.signature();
        self.info.signatures.push(signature);
        self.funcs.push(func)
    }

    /// The function of that name. O(functions).
    pub fn find(&self, name: &str) -> Option<FuncId> {
        self.info.signatures.iter_enumerated().find(|(_, s)| &*s.name == name).map(|(id, _)| id)
    }
}
