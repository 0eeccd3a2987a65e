//! What a function refers to: other functions, types, and values whose text is wanted.
//!
//! *In:* a checked function or initialiser. *Out:* each function with its type arguments as often as it is named, each type
//! once, in the order signature, variables, expressions. Closures are parts of the body. Code that control does not get to
//! counts. *Cost:* linear.

use crate::typed::{
    Body, BuiltinFn, Conversion, EachKind, ExprKind, FnDef, FnRef, GlobalDef, LocalId, PlaceKind, Stmt,
};
use crate::types::{Ty, Types};
use mini_base::source::Span;
use rustc_hash::FxHashSet;

/// What a body refers to; types may have the function's parameters.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// Its types, each once.
    pub types: Vec<TypeUse>,
    /// Functions.
    pub functions: Vec<(FnRef, Span)>,
    /// Types of values whose text is wanted: their `show` is called.
    pub shown: Vec<(Ty, Span)>,
}

/// A type that is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypeUse {
    /// Which.
    pub ty: Ty,
    /// As what.
    pub role: Role,
    /// Where.
    pub span: Span,
}

/// What has a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A parameter of the function, or a variable.
    Local(LocalId),
    /// The function's result.
    Result,
    /// A global.
    Global,
    /// An expression or place.
    Value,
}

/// What a function refers to.
pub(crate) fn of_function(types: &Types, function: &FnDef) -> Uses {
    let mut collector = Collector::new(types);
    for &param in &function.params {
        let local = &function.body.locals[param];
        collector.ty(local.ty, Role::Local(param), local.span);
    }
    collector.ty(function.result, Role::Result, function.span);
    collector.body(&function.body);
    collector.uses
}

/// What the initialiser of a global refers to.
pub(crate) fn of_global(types: &Types, global: &GlobalDef) -> Uses {
    let mut collector = Collector::new(types);
    collector.ty(global.ty, Role::Global, global.span);
    collector.body(&global.init);
    collector.uses
}

struct Collector<'a> {
    types: &'a Types,
    seen: FxHashSet<Ty>,
    uses: Uses,
}

impl<'a> Collector<'a> {
    fn new(types: &'a Types) -> Self {
        Collector { types, seen: FxHashSet::default(), uses: Uses::default() }
    }

    /// Types without parts have nothing to look at.
    fn ty(&mut self, ty: Ty, role: Role, span: Span) {
        let may_matter = self.types.depth(ty) > 1 || self.types.has_params(ty) || self.types.is_nominal(ty);
        if may_matter && self.seen.insert(ty) {
            self.uses.types.push(TypeUse { ty, role, span });
        }
    }

    fn function(&mut self, function: &FnRef, span: Span) {
        for &ty in &function.type_args {
            self.ty(ty, Role::Value, span); // an argument need not occur in any value's type
        }
        self.uses.functions.push((function.clone(), span));
    }

    fn body(&mut self, body: &Body) {
        for (id, local) in body.locals.iter_enumerated() {
            self.ty(local.ty, Role::Local(id), local.span);
        }
        for expr in &body.exprs {
            self.ty(expr.ty, Role::Value, expr.span);
            self.expr(body, &expr.kind, expr.span);
        }
    }

    fn expr(&mut self, body: &Body, kind: &ExprKind, span: Span) {
        match kind {
            ExprKind::Call(function, _) | ExprKind::Function(function) => self.function(function, span),
            ExprKind::ForEach(each) => {
                let span = body.exprs[each.over].span;
                match &each.kind {
                    EachKind::Indexed { len, index } => {
                        self.function(len, span);
                        self.function(index, span);
                    }
                    EachKind::Iterator { next } => self.function(next, span),
                    EachKind::Array | EachKind::String => {}
                }
            }
            ExprKind::Builtin(BuiltinFn::Print | BuiltinFn::Write | BuiltinFn::Eprint, args) => {
                self.uses.shown.extend(args.iter().map(|&arg| (body.exprs[arg].ty, body.exprs[arg].span)));
            }
            ExprKind::Convert(Conversion::ToString, value) => {
                self.uses.shown.push((body.exprs[*value].ty, body.exprs[*value].span));
            }
            ExprKind::Block(statements, _) => statements.iter().for_each(|statement| self.statement(statement)),
            ExprKind::Closure(closure) => self.ty(closure.result, Role::Value, span),
            _ => {} // names no function and has no type but its own
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        let (Stmt::Assign(place, _) | Stmt::Update(place, ..)) = statement else { return };
        match place.kind {
            PlaceKind::Index(..) | PlaceKind::Field(..) => self.ty(place.ty, Role::Value, place.span),
            PlaceKind::Local(_) | PlaceKind::Global(_) => {} // declared elsewhere
        }
    }
}
