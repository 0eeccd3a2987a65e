//! C functions: their declarations and calls; and which of the program's own functions C can call.
//!
//! *Keeps:* only types that C has cross the boundary, so that whatever an `extern fn` declares has a C prototype. *Cost:* linear.

use crate::body::BodyChecker;
use crate::c_words;
use crate::calls::Site;
use crate::check::Checker;
use crate::modules::ModuleId;
use crate::typed::{ExprId, ExprKind, ExternDef, ExternId, FnId};
use crate::types::{Ty, TyKind};
use mini_base::names::Name;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast;
use rustc_hash::FxHashMap;

/// A C function.
pub(crate) struct ExternInfo<'a> {
    /// Its module.
    pub module: ModuleId,
    /// How it is declared.
    pub syntax: &'a ast::Signature,
    /// Its parameters' types.
    pub params: Vec<Ty>,
    /// Its result's type.
    pub result: Ty,
    /// Whether something calls it.
    pub used: bool,
}

/// Which way a value goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// To a function.
    Parameter,
    /// From it.
    Result,
}

/// Why C can't call a function.
enum NotForC {
    /// Its name means something else in C.
    Name,
    /// What C lacks.
    Type(String),
}

impl<'a> Checker<'a> {
    /// Adds a C function to the table; its types are resolved later.
    pub fn add_extern(&mut self, syntax: &'a ast::Signature) -> ExternId {
        self.externs.push(ExternInfo {
            module: self.current,
            syntax,
            params: Vec::new(),
            result: self.types.unit,
            used: false,
        })
    }

    /// Resolves the types of a C function, and refuses those that C has not.
    pub fn resolve_extern(&mut self, id: ExternId) {
        self.current = self.externs[id].module;
        let syntax = self.externs[id].syntax;
        let mut seen: FxHashMap<Name, Span> = FxHashMap::default();
        let mut params = Vec::with_capacity(syntax.params.len());
        for param in &syntax.params {
            params.push(self.c_type(&param.ty, Direction::Parameter));
            let Some(name) = param.name else { continue };
            if let Some(first) = seen.insert(name.name, name.span) {
                let message = format!("the parameter `{}` is declared twice", self.text(name.name));
                let d = self.error(codes::E0204_DUPLICATE_MEMBER, name.span, message);
                self.report(d.with_secondary(first, "declared first here"));
            }
        }
        let result = match &syntax.result {
            Some(result) => self.c_type(result, Direction::Result),
            None => self.types.unit,
        };
        let info = &mut self.externs[id];
        info.params = params;
        info.result = result;
    }

    fn c_type(&mut self, written: &ast::TypeExpr, direction: Direction) -> Ty {
        let ty = self.resolve_type(written);
        if ty == self.types.error || self.is_c_type(ty, direction) {
            return ty;
        }
        let text = self.type_text(ty);
        let (what, help) = match direction {
            Direction::Parameter => (
                "can't be passed to a C function",
                "parameters are `int`, `float`, `bool`, `byte`, `string`, or arrays of `int`, `float`, `bool` or `byte`",
            ),
            Direction::Result if self.is_c_type(ty, Direction::Parameter) => (
                "can't be the result of a C function, for nobody would know how long what it points to lives",
                "results are `int`, `float`, `bool` or `byte`; let C fill a `[byte]` that is passed to it",
            ),
            Direction::Result => (
                "can't be the result of a C function",
                "results are `int`, `float`, `bool` or `byte`, or there is none",
            ),
        };
        let d = self.error(codes::E0511_C_TYPE, written.span, format!("the type `{text}` {what}")).with_help(help);
        self.report(d);
        self.types.error
    }

    fn is_c_type(&self, ty: Ty, direction: Direction) -> bool {
        match self.types.kind(ty) {
            TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Byte => true,
            TyKind::Unit => direction == Direction::Result,
            TyKind::String => direction == Direction::Parameter,
            TyKind::Array(element) => {
                direction == Direction::Parameter
                    && matches!(self.types.kind(*element), TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Byte)
            }
            TyKind::Never
            | TyKind::Struct(..)
            | TyKind::Enum(..)
            | TyKind::Function(..)
            | TyKind::Optional(_)
            | TyKind::Param(_)
            | TyKind::Infer(_)
            | TyKind::Error => false,
        }
    }

    /// The functions that C can call: those of the root module that are `pub` and have types that C has.
    pub fn exports(&self) -> Vec<FnId> {
        self.meant_for_c().filter(|&id| self.foreign_to_c(id).is_none()).collect()
    }

    /// The functions of the root module that are `pub`, but not `main`, which C has itself.
    fn meant_for_c(&self) -> impl Iterator<Item = FnId> {
        let main = self.names.find("main");
        self.functions.ids().filter(move |&id| {
            let info = &self.functions[id];
            info.module == ModuleId::root() && info.public && info.owner.is_none() && Some(info.name.name) != main
        })
    }

    /// Why C can't call a function.
    fn foreign_to_c(&self, id: FnId) -> Option<NotForC> {
        let info = &self.functions[id];
        if c_words::is_word_of_c(self.text(info.name.name)) {
            return Some(NotForC::Name);
        }
        if !info.generics.is_empty() {
            return Some(NotForC::Type("it is generic".into()));
        }
        let param = info.params.iter().find(|&&ty| !self.is_c_type(ty, Direction::Parameter));
        let result = Some(&info.result).filter(|&&ty| !self.is_c_type(ty, Direction::Result));
        match (param, result) {
            (Some(&ty), _) => Some(NotForC::Type(format!("a parameter has the type `{}`", self.type_text(ty)))),
            (None, Some(&ty)) => Some(NotForC::Type(format!("its result has the type `{}`", self.type_text(ty)))),
            (None, None) => None,
        }
    }

    /// Warns about `pub` functions that C does not get to see.
    pub fn warn_not_for_c(&mut self) {
        if self.diags.has_errors() {
            return;
        }
        self.current = ModuleId::root();
        for id in self.meant_for_c().collect::<Vec<_>>() {
            let (reason, help) = match self.foreign_to_c(id) {
                None => continue,
                Some(NotForC::Name) => ("its name is a word of C's".into(), "give it another name"),
                Some(NotForC::Type(reason)) => (
                    reason,
                    "parameters may be `int`, `float`, `bool`, `byte`, `string`, and arrays of the first four; results `int`, \
                     `float`, `bool`, `byte` or nothing",
                ),
            };
            let name = self.functions[id].name;
            let text = self.text(name.name);
            let d = self
                .warning(codes::W0011_NOT_FOR_C, name.span, format!("C can't call the function `{text}`: {reason}"))
                .with_help(help);
            self.report(d);
        }
    }

    /// Warns about C functions that nothing calls.
    pub fn warn_unused_externs(&mut self) {
        for id in self.externs.ids() {
            self.current = self.externs[id].module;
            let name = self.externs[id].syntax.name;
            let text = self.text(name.name);
            if !self.externs[id].used && !text.starts_with('_') {
                let d = self
                    .warning(
                        codes::W0003_UNUSED_FUNCTION,
                        name.span,
                        format!("the C function `{text}` is never called"),
                    )
                    .with_help("remove its declaration");
                self.report(d);
            }
        }
    }

    /// The table for the typed program.
    pub fn extern_defs(&self) -> mini_base::ids::IdVec<ExternId, ExternDef> {
        let def = |info: &ExternInfo<'_>| ExternDef {
            name: self.names.shared(info.syntax.name.name),
            params: info.params.clone(),
            result: info.result,
            span: info.syntax.name.span,
        };
        self.externs.iter().map(def).collect()
    }
}

impl BodyChecker<'_, '_> {
    /// A call of a C function.
    pub fn call_extern(&mut self, id: ExternId, site: Site<'_>) -> ExprId {
        let Site { args, args_span, span, .. } = site;
        let info = &mut self.cx.externs[id];
        info.used = true;
        let (syntax, params, result) = (info.syntax, info.params.clone(), info.result);
        if args.len() != params.len() {
            let text = self.cx.text(syntax.name.name);
            let written = |(param, &ty): (&ast::Param, &Ty)| {
                let name = param.name.map_or("_", |name| self.cx.text(name.name));
                format!("{name}: {}", self.cx.type_text(ty))
            };
            let named: Vec<String> = syntax.params.iter().zip(&params).map(written).collect();
            self.report_argument_count(text, &named, args.len(), Some(syntax.span), args_span);
        }
        let declared: Vec<Span> = syntax.params.iter().map(|p| p.span).collect();
        let typed = self.fitting_arguments(&params, &declared, args);
        self.push(ExprKind::CallExtern(id, typed.into()), result, span)
    }

    /// Reports a C function where a value is wanted.
    pub fn extern_as_value(&mut self, id: ExternId, span: Span) -> ExprId {
        let info = &mut self.cx.externs[id];
        info.used = true;
        let name = info.syntax.name;
        let text = self.cx.text(name.name);
        let d = self
            .cx
            .error(
                codes::E0210_BUILTIN_AS_VALUE,
                span,
                format!("the C function `{text}` can be called, but is not a value"),
            )
            .with_secondary(name.span, "declared here")
            .with_help("put the call into a function of your own");
        self.cx.report(d);
        self.push_error(span)
    }
}
