//! The state while a body (of a function, a global, a constant) is checked.
//!
//! *In:* the syntax of the body and the tables of the program. *Out:* [`Body`] of the typed tree, diagnostics.
//! *Keeps:* every expression has an id in the table; types in it may hold inference variables until [`BodyChecker::finish`].
//! *Cost:* linear, times log for the flow facts.

use crate::check::Checker;
use crate::flow::Flow;
use crate::generics::Obligation;
use crate::infer::VarInfo;
use crate::scan::Scan;
use crate::typed::{Body, Capture, Expr, ExprId, ExprKind, FnId, GlobalId, Local, LocalId, LoopId};
use crate::types::{InferVar, Ty};
use mini_base::ids::IdVec;
use mini_base::names::Name;
use mini_base::source::{Pos, Span};
use mini_diag::codes_checker as codes;
use mini_syntax::ast;
use rustc_hash::{FxHashMap, FxHashSet};

/// Whose body it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// A function's.
    Function(FnId),
    /// A global's initialiser.
    Global(GlobalId),
    /// A constant's expression.
    Const,
}

/// What a variable was declared as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// `let x = e`, and the variables of patterns.
    Variable,
    /// `let x: T;`, which must be assigned before it is read.
    Late,
    /// A parameter.
    Parameter,
    /// The variable of a `for`.
    Loop,
    /// `self`.
    Receiver,
}

/// What the checker knows about a variable besides the typed tree.
#[derive(Debug)]
pub(crate) struct LocalInfo {
    /// What it was declared as.
    pub role: Role,
    /// Whether it is read anywhere.
    pub read: bool,
    /// Whether a closure mentions it, which forbids narrowing.
    pub captured: bool,
    /// Whether a read before its assignment was reported.
    pub reported: bool,
    /// How many functions around it: 0 in the body itself, more inside closures.
    pub depth: usize,
}

/// A loop around the point being checked.
pub(crate) struct LoopState {
    /// Its id.
    pub id: LoopId,
    /// Its label.
    pub label: Option<Name>,
    /// What holds where a `break` leaves it, joined.
    pub exit: Option<Flow>,
}

/// A function around the point being checked: the body itself or a closure in it.
pub(crate) struct Frame {
    /// The result that `return` gives; `None` in an initialiser.
    pub result: Option<Ty>,
    /// Where the result's type stands.
    pub result_span: Span,
    /// How many loops were open where it begins: jumps can't leave it.
    pub loops: usize,
    /// For closures: the variables of enclosing functions that it mentions, in order of first mention.
    pub captures: Captures,
}

/// A set of variables that remembers the order in which they came.
#[derive(Default)]
pub(crate) struct Captures {
    order: Vec<LocalId>,
    seen: FxHashSet<LocalId>,
}

impl Captures {
    fn add(&mut self, local: LocalId) {
        if self.seen.insert(local) {
            self.order.push(local);
        }
    }
}

impl IntoIterator for Captures {
    type Item = LocalId;
    type IntoIter = std::vec::IntoIter<LocalId>;
    fn into_iter(self) -> Self::IntoIter {
        self.order.into_iter()
    }
}

/// The checker of one body.
pub(crate) struct BodyChecker<'c, 'a> {
    /// The program.
    pub cx: &'c mut Checker<'a>,
    /// The result.
    pub body: Body,
    /// Beside `body.locals`.
    pub infos: IdVec<LocalId, LocalInfo>,
    /// The variables in scope by name.
    pub visible: FxHashMap<Name, LocalId>,
    undo: Vec<(Name, Option<LocalId>)>,
    /// What holds at this point.
    pub flow: Flow,
    /// Loops around this point, innermost last.
    pub loops: Vec<LoopState>,
    /// Functions around this point, innermost last.
    pub frames: Vec<Frame>,
    /// What the body does to its variables, known beforehand.
    pub scan: Scan,
    /// Variables by where they are declared, as `scan` names them.
    pub declared: FxHashMap<Pos, LocalId>,
    /// Inference variables.
    pub vars: Vec<VarInfo>,
    /// Which variables were bound, in order.
    pub trail: Vec<InferVar>,
    /// Bounds of type parameters to be checked when the types that stand for them are known.
    pub obligations: Vec<Obligation>,
    /// Whose body it is.
    pub owner: Owner,
    /// The variable that the closure being checked is assigned to, which it may mention before it is assigned.
    pub being_assigned: Option<LocalId>,
    /// Unknown names that have been reported in this body.
    pub unknown: FxHashSet<Name>,
    /// How many errors had been reported before this body.
    errors_before: usize,
    /// A statement that drops the value which its block must have: that is reported, and not that it has no effect.
    pub drops_the_value: Option<Span>,
}

impl<'c, 'a> BodyChecker<'c, 'a> {
    /// A checker with an empty body.
    pub fn new(cx: &'c mut Checker<'a>, owner: Owner, scan: Scan) -> Self {
        BodyChecker {
            errors_before: cx.diags.error_count(),
            drops_the_value: None,
            cx,
            body: Body::default(),
            infos: IdVec::new(),
            visible: FxHashMap::default(),
            undo: Vec::new(),
            flow: Flow::start(),
            loops: Vec::new(),
            frames: Vec::new(),
            scan,
            declared: FxHashMap::default(),
            vars: Vec::new(),
            trail: Vec::new(),
            obligations: Vec::new(),
            owner,
            being_assigned: None,
            unknown: FxHashSet::default(),
        }
    }

    /// Adds an expression.
    pub fn push(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        self.body.exprs.push(Expr { kind, ty, span })
    }

    /// Stands for something that was reported.
    pub fn push_error(&mut self, span: Span) -> ExprId {
        let ty = self.cx.types.error;
        self.push(ExprKind::Int(0), ty, span)
    }

    /// Stands for a bool that was reported: nothing is known of its value.
    pub fn push_wrong_bool(&mut self, span: Span) -> ExprId {
        let ty = self.cx.types.bool;
        self.push(ExprKind::Int(0), ty, span)
    }

    /// Whether an expression stands for something that was reported.
    pub fn is_wrong(&self, id: ExprId) -> bool {
        let expr = &self.body.exprs[id];
        self.is_error(expr.ty) || (expr.ty == self.cx.types.bool && matches!(expr.kind, ExprKind::Int(_)))
    }

    /// The type of an expression, variables at its top replaced.
    pub fn ty(&self, id: ExprId) -> Ty {
        self.shallow(self.body.exprs[id].ty)
    }

    /// The place of an expression.
    pub fn span(&self, id: ExprId) -> Span {
        self.body.exprs[id].span
    }

    /// Opens a scope; give the result to [`BodyChecker::close_scope`].
    pub fn open_scope(&self) -> usize {
        self.undo.len()
    }

    /// Closes a scope: its names mean again what they meant before.
    pub fn close_scope(&mut self, mark: usize) {
        for (name, old) in self.undo.drain(mark..).rev() {
            match old {
                Some(local) => self.visible.insert(name, local),
                None => self.visible.remove(&name),
            };
        }
    }

    /// Declares a variable and brings it into scope.
    pub fn declare(&mut self, name: ast::Ident, ty: Ty, role: Role) -> LocalId {
        let local = self.declare_hidden(self.cx.names.shared(name.name), name.span, ty, role);
        self.show(name.name, local);
        local
    }

    /// Brings a variable into scope.
    pub fn show(&mut self, name: Name, local: LocalId) {
        let old = self.visible.insert(name, local);
        self.undo.push((name, old));
    }

    /// Declares a variable that no name reaches.
    pub fn declare_hidden(&mut self, name: std::sync::Arc<str>, span: Span, ty: Ty, role: Role) -> LocalId {
        let usage = self.scan.usage(span.start);
        let capture = match (usage.captured, usage.reassigned || role == Role::Late) {
            (false, _) => Capture::No,
            (true, false) => Capture::Copied,
            (true, true) => Capture::Shared,
        };
        let local = self.body.locals.push(Local { name, ty, span, capture });
        self.infos.push(LocalInfo {
            role,
            read: false,
            captured: usage.captured,
            reported: false,
            depth: self.frames.len(),
        });
        self.declared.insert(span.start, local);
        local
    }

    /// Notes that the code here mentions a variable, which closures around it then capture.
    pub fn mention(&mut self, local: LocalId) {
        let depth = self.infos[local].depth;
        for frame in &mut self.frames[depth..] {
            frame.captures.add(local);
        }
    }

    /// Reads a variable: checks that it is assigned, and gives its value at its declared type.
    pub fn read_declared(&mut self, local: LocalId, span: Span) -> ExprId {
        self.infos[local].read = true;
        self.mention(local);
        self.require_assigned(local, span);
        let ty = self.body.locals[local].ty;
        self.push(ExprKind::Local(local), ty, span)
    }

    /// Reads a variable at the type that is known here.
    pub fn read_local(&mut self, local: LocalId, span: Span) -> ExprId {
        let id = self.read_declared(local, span);
        match self.narrowed_type(local) {
            Some(inner) => self.push(ExprKind::Narrow(id), inner, span),
            None => id,
        }
    }

    /// `T`, if the variable is a `T?` that is known not to be null here.
    pub fn narrowed_type(&self, local: LocalId) -> Option<Ty> {
        if !self.flow.is_narrowed(local) {
            return None;
        }
        self.optional_inner(self.body.locals[local].ty)
    }

    /// Reports a variable that is read where some path has not assigned it; once for each variable.
    pub fn require_assigned(&mut self, local: LocalId, span: Span) {
        let info = &self.infos[local];
        if info.role != Role::Late || info.reported || !self.flow.reachable() || self.flow.is_assigned(local) {
            return;
        }
        if self.being_assigned == Some(local) && info.depth < self.frames.len() {
            return;
        }
        self.infos[local].reported = true;
        let name = self.body.locals[local].name.clone();
        let declared = self.body.locals[local].span;
        let d = self
            .cx
            .error(
                codes::E0401_READ_BEFORE_ASSIGNMENT,
                span,
                format!("`{name}` is read before it is assigned on every path"),
            )
            .with_secondary(declared, "declared here without a value")
            .with_help("assign it on every path that leads here, or give it a value where it is declared");
        self.cx.report(d);
    }

    /// Whether something was reported in this body, by the parser or by the checker.
    pub fn has_errors(&self) -> bool {
        let written = match self.owner {
            Owner::Function(id) => {
                let info = &self.cx.functions[id];
                let syntax = info.syntax;
                if info.params.iter().chain([&info.result]).any(|&ty| self.is_error(ty)) {
                    return true;
                }
                syntax.signature.span.to(syntax.body.span)
            }
            Owner::Global(id) => self.cx.globals[id].syntax.value.span,
            Owner::Const => Span::NONE,
        };
        self.cx.diags.error_count() > self.errors_before || self.cx.has_syntax_error(written)
    }

    /// The finished body: all types resolved.
    pub fn finish(mut self, root: ExprId) -> Body {
        self.settle(0);
        if !self.has_errors() {
            self.warn_unused_variables(); // with errors, the reads may be in what was not understood
        }
        if !self.vars.is_empty() {
            for index in self.body.exprs.ids() {
                let ty = self.body.exprs[index].ty;
                let resolved = self.resolve(ty);
                self.body.exprs[index].ty = resolved;
                let mut kind = std::mem::replace(&mut self.body.exprs[index].kind, ExprKind::Null);
                kind.each_function(|function| {
                    for arg in &mut function.type_args {
                        *arg = self.resolve(*arg);
                    }
                });
                self.body.exprs[index].kind = kind;
            }
            for index in self.body.locals.ids() {
                let ty = self.body.locals[index].ty;
                let resolved = self.resolve(ty);
                self.body.locals[index].ty = resolved;
            }
        }
        self.body.root = Some(root);
        self.body
    }
}
