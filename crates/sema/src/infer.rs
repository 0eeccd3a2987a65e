//! Inference inside one body: unification, the common type of branches, and the one implicit conversion `T` → `T?`.
//!
//! *In:* types that may hold inference variables (of `[]`, `null`, type parameters). *Out:* the same types with the variables bound.
//! *Keeps:* a variable lives no longer than its statement: what is still open at the end of the statement is reported there.
//! *Cost:* near linear; each step looks at two types once, and at parts that they have in common once.
//! *Source:* Robinson 1965, section 5; the older of two variables stands for both, as in union-find (Tarjan 1975).

use crate::body::BodyChecker;
use crate::typed::{ExprId, ExprKind};
use crate::types::{InferVar, Ty, TyKind, TypeParam};
use mini_base::ids::Id;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What the surroundings say about the type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expect {
    /// Nothing.
    Nothing,
    /// Probably this; guides `[]` and `null`, binds nobody.
    Hint(Ty),
    /// The value is going to be coerced to this.
    Type(Ty),
}

impl Expect {
    /// The type, whichever way it is meant.
    pub fn ty(self) -> Option<Ty> {
        match self {
            Expect::Nothing => None,
            Expect::Hint(ty) | Expect::Type(ty) => Some(ty),
        }
    }

    /// The same type, binding nobody.
    pub fn soften(self) -> Expect {
        self.ty().map_or(Expect::Nothing, Expect::Hint)
    }
}

/// An inference variable.
pub(crate) struct VarInfo {
    /// What it stands for, once that is known.
    pub bound: Option<Ty>,
    /// The value that it was made for.
    origin: Span,
    /// The type parameter that it was made for, and whose that is.
    param: Option<(TypeParam, Arc<str>)>,
}

/// Why a type is expected, for a secondary span.
#[derive(Clone, Debug)]
pub(crate) struct Because {
    /// Where the reason stands.
    pub span: Span,
    /// What it says.
    pub text: String,
}

impl Because {
    /// A reason.
    pub fn new(span: Span, text: impl Into<String>) -> Option<Because> {
        Some(Because { span, text: text.into() })
    }
}

impl BodyChecker<'_, '_> {
    /// A new inference variable, for the value at `origin`.
    pub fn fresh(&mut self, origin: Span) -> Ty {
        self.fresh_var(VarInfo { bound: None, origin, param: None })
    }

    /// A new inference variable for a type parameter of the item `of`, which is used at `origin`.
    pub fn fresh_for(&mut self, origin: Span, param: TypeParam, of: Arc<str>) -> Ty {
        self.fresh_var(VarInfo { bound: None, origin, param: Some((param, of)) })
    }

    fn fresh_var(&mut self, info: VarInfo) -> Ty {
        let var = InferVar::new(self.vars.len());
        self.vars.push(info);
        self.cx.types.intern(TyKind::Infer(var))
    }

    /// The type with variables at its top replaced by what they are bound to.
    pub fn shallow(&self, mut ty: Ty) -> Ty {
        while let TyKind::Infer(var) = *self.cx.types.kind(ty) {
            match self.vars[var.index()].bound {
                Some(bound) => ty = bound,
                None => break,
            }
        }
        ty
    }

    /// The type with all bound variables replaced.
    pub fn resolve(&mut self, ty: Ty) -> Ty {
        self.resolve_with(ty, &mut FxHashMap::default())
    }

    fn resolve_with(&mut self, ty: Ty, done: &mut FxHashMap<Ty, Ty>) -> Ty {
        if !self.cx.types.has_variables(ty) {
            return ty;
        }
        let ty = self.shallow(ty);
        if let Some(&resolved) = done.get(&ty) {
            return resolved;
        }
        let kind = match self.cx.types.kind(ty).clone() {
            TyKind::Array(element) => TyKind::Array(self.resolve_with(element, done)),
            TyKind::Optional(inner) => {
                let inner = self.resolve_with(inner, done);
                if inner == self.cx.types.error {
                    return inner;
                }
                TyKind::Optional(inner)
            }
            TyKind::Function(params, result) => {
                let params = params.iter().map(|&p| self.resolve_with(p, done)).collect();
                TyKind::Function(params, self.resolve_with(result, done))
            }
            TyKind::Struct(id, args) => TyKind::Struct(id, args.iter().map(|&a| self.resolve_with(a, done)).collect()),
            TyKind::Enum(id, args) => TyKind::Enum(id, args.iter().map(|&a| self.resolve_with(a, done)).collect()),
            TyKind::Int
            | TyKind::Float
            | TyKind::Bool
            | TyKind::Byte
            | TyKind::String
            | TyKind::Unit
            | TyKind::Never
            | TyKind::Param(_)
            | TyKind::Infer(_)
            | TyKind::Error => return ty,
        };
        let resolved = self.cx.types.intern(kind);
        done.insert(ty, resolved);
        resolved
    }

    /// The unbound variables in a type, each once, as long as `visit` wants more of them. A type has parts in common, so
    /// each is looked at once.
    fn any_unbound(&self, ty: Ty, mut visit: impl FnMut(InferVar) -> bool) -> bool {
        if !self.cx.types.has_variables(ty) {
            return false;
        }
        let mut seen = FxHashSet::default();
        let mut waiting = vec![ty];
        while let Some(ty) = waiting.pop() {
            let ty = self.shallow(ty);
            if !self.cx.types.has_variables(ty) || !seen.insert(ty) {
                continue;
            }
            match self.cx.types.kind(ty) {
                TyKind::Infer(var) if visit(*var) => return true,
                kind => {
                    kind.any_part(|part| {
                        waiting.push(part);
                        false // all parts are wanted
                    });
                }
            }
        }
        false
    }

    /// Whether the type still has unbound variables.
    pub fn is_open(&self, ty: Ty) -> bool {
        self.any_unbound(ty, |_| true)
    }

    /// What a type is, variables at its top replaced.
    pub fn kind(&self, ty: Ty) -> TyKind {
        self.cx.types.kind(self.shallow(ty)).clone()
    }

    /// Whether the type was reported as wrong.
    pub fn is_error(&self, ty: Ty) -> bool {
        self.shallow(ty) == self.cx.types.error
    }

    /// Whether the type is never.
    pub fn is_never(&self, ty: Ty) -> bool {
        self.shallow(ty) == self.cx.types.never
    }

    /// The `T` of `T?`.
    pub fn optional_inner(&self, ty: Ty) -> Option<Ty> {
        self.cx.types.optional_inner(self.shallow(ty))
    }

    /// `T?` of a `T` that may be optional or wrong itself.
    pub fn make_optional(&mut self, ty: Ty) -> Ty {
        if self.optional_inner(ty).is_some() || self.is_error(ty) { ty } else { self.cx.types.optional(ty) }
    }

    /// Makes two types equal by binding variables; whether that is possible.
    pub fn unify(&mut self, a: Ty, b: Ty) -> bool {
        self.unify_with(a, b, &mut FxHashSet::default())
    }

    /// `seen` has the pairs that are equal if everything else is.
    fn unify_with(&mut self, a: Ty, b: Ty, seen: &mut FxHashSet<(Ty, Ty)>) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b {
            return true;
        }
        if a == self.cx.types.error || b == self.cx.types.error {
            self.silence(a);
            self.silence(b); // what would have said what they are was reported
            return true;
        }
        let (x, y) = (self.cx.types.kind(a).clone(), self.cx.types.kind(b).clone());
        match (&x, &y) {
            // The newer one is bound, so that many which are made equal to one are one step away from it.
            (TyKind::Infer(older), TyKind::Infer(newer)) if older < newer => return self.bind(*newer, a),
            (TyKind::Infer(var), _) => return self.bind(*var, b),
            (_, TyKind::Infer(var)) => return self.bind(*var, a),
            _ => {} // two types whose parts are to be compared
        }
        if !seen.insert((a, b)) {
            return true;
        }
        let mut all = |this: &mut Self, xs: &[Ty], ys: &[Ty]| {
            xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| this.unify_with(x, y, seen))
        };
        match (x, y) {
            (TyKind::Array(x), TyKind::Array(y)) | (TyKind::Optional(x), TyKind::Optional(y)) => all(self, &[x], &[y]),
            (TyKind::Function(xs, x), TyKind::Function(ys, y)) => all(self, &xs, &ys) && all(self, &[x], &[y]),
            (TyKind::Struct(x, xs), TyKind::Struct(y, ys)) => x == y && all(self, &xs, &ys),
            (TyKind::Enum(x, xs), TyKind::Enum(y, ys)) => x == y && all(self, &xs, &ys),
            _ => false, // two different constructors; equal ones without parts have equal ids
        }
    }

    fn bind(&mut self, var: InferVar, ty: Ty) -> bool {
        if self.any_unbound(ty, |part| part == var) || ty == self.cx.types.unit || ty == self.cx.types.never {
            return false;
        }
        self.vars[var.index()].bound = Some(ty);
        self.trail.push(var);
        true
    }

    /// Makes two types equal if that is possible, else changes nothing.
    pub fn unify_or_leave(&mut self, a: Ty, b: Ty) {
        let mark = self.trail.len();
        if !self.unify(a, b) {
            for var in self.trail.drain(mark..) {
                self.vars[var.index()].bound = None;
            }
        }
    }

    /// The common type of two branches or elements, where `T`, `T?` and `null` meet in `T?`.
    pub fn join(&mut self, a: Ty, b: Ty) -> Option<Ty> {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b || self.is_never(b) || self.is_error(a) {
            return Some(a);
        }
        if self.is_never(a) || self.is_error(b) {
            return Some(b);
        }
        match (self.optional_inner(a), self.optional_inner(b)) {
            (Some(x), None) if b != self.cx.types.unit => self.unify(x, b).then_some(a),
            (None, Some(y)) if a != self.cx.types.unit => self.unify(a, y).then_some(b),
            _ => self.unify(a, b).then_some(a),
        }
    }

    /// Makes the value fit the type, if it does: itself, or wrapped to an optional.
    pub fn try_coerce(&mut self, id: ExprId, to: Ty) -> Option<ExprId> {
        let from = self.shallow(self.body.exprs[id].ty);
        let to = self.shallow(to);
        if from == to || self.is_error(to) || self.is_never(from) {
            return Some(id);
        }
        if self.is_error(from) {
            self.silence(to); // what it would have said about open types is not missed
            return Some(id);
        }
        if let (Some(inner), None) = (self.optional_inner(to), self.optional_inner(from)) {
            if from == self.cx.types.unit || !self.unify(inner, from) {
                return None;
            }
            let span = self.body.exprs[id].span;
            return Some(self.push(ExprKind::Some(id), to, span));
        }
        self.unify(from, to).then_some(id)
    }

    /// Makes the value fit the type or reports that it doesn't.
    pub fn coerce(&mut self, id: ExprId, to: Ty, because: Option<Because>) -> ExprId {
        match self.try_coerce(id, to) {
            Some(id) => id,
            None => {
                let blamed = self.blame(id);
                let span = self.body.exprs[blamed].span;
                let found = self.body.exprs[id].ty;
                let help = self.mismatch_help(to, found, Some(blamed));
                self.report_mismatch(span, to, found, because, help);
                self.push_error(span)
            }
        }
    }

    /// The part of an expression that is to blame for its type: the last value of blocks.
    pub fn blame(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Block(_, Some(value)) = &self.body.exprs[id].kind {
            id = *value;
        }
        id
    }

    /// Reports that one type stands where another is wanted.
    pub fn mismatch(&mut self, span: Span, wanted: Ty, found: Ty, because: Option<Because>) {
        let help = self.mismatch_help(wanted, found, None);
        self.report_mismatch(span, wanted, found, because, help);
    }

    /// The same, with advice.
    pub fn report_mismatch(
        &mut self,
        span: Span,
        wanted: Ty,
        found: Ty,
        because: Option<Because>,
        help: Option<String>,
    ) {
        let (wanted, found) = (self.resolve(wanted), self.resolve(found));
        let (wanted_text, found_text) = (self.describe(wanted), self.describe(found));
        let mut d = self
            .cx
            .error(codes::E0301_TYPE_MISMATCH, span, format!("expected {wanted_text}, found {found_text}"))
            .with_label(format!("this is {found_text}"));
        if let Some(because) = because {
            d = d.with_secondary(because.span, because.text);
        }
        if let Some(help) = help {
            d = d.with_help(help);
        }
        self.cx.report(d);
        self.silence(found);
        self.silence(wanted);
    }

    /// A type in a message: in backquotes, or in words where it has no name.
    pub fn describe(&mut self, ty: Ty) -> String {
        let ty = self.resolve(ty);
        let types = &self.cx.types;
        match types.kind(ty) {
            TyKind::Unit => "no value".into(),
            TyKind::Optional(inner) if matches!(types.kind(*inner), TyKind::Infer(_)) => "`null`".into(),
            _ => format!("`{}`", self.cx.type_text(ty)),
        }
    }

    /// Binds the variables of a type that takes part in a reported error, so that they are not reported again.
    pub fn silence(&mut self, ty: Ty) {
        let mut open = Vec::new();
        self.any_unbound(ty, |var| {
            open.push(var);
            false // all are wanted
        });
        for var in open {
            self.vars[var.index()].bound = Some(self.cx.types.error);
        }
    }

    /// Binds all variables made since `mark` that are still open, silently: something around them was reported.
    pub fn silence_since(&mut self, mark: usize) {
        let error = self.cx.types.error;
        for var in &mut self.vars[mark..] {
            var.bound.get_or_insert(error);
        }
    }

    /// Ends the life of the variables made since `mark`: reports the open ones, once a place, and checks bounds.
    pub fn settle(&mut self, mark: usize) {
        let mut reported = None;
        for var in mark..self.vars.len() {
            let info = &self.vars[var];
            let (origin, param) = (info.origin, info.param.clone());
            if let Some(bound) = info.bound {
                if param.is_some() {
                    let known = self.resolve(bound);
                    self.vars[var].bound = Some(self.limit_depth(known, origin));
                }
                continue;
            }
            self.vars[var].bound = Some(self.cx.types.error);
            if reported.replace(origin) != Some(origin) {
                self.report_unknown_type_of(origin, param);
            }
        }
        self.check_obligations();
    }

    fn report_unknown_type_of(&mut self, origin: Span, param: Option<(TypeParam, Arc<str>)>) {
        let d = match param {
            None => self
                .cx
                .error(codes::E0307_TYPE_NEEDED, origin, "the type of this value is not known from its context")
                .with_help(
                    "write the type where the value is put, as in `let x: [int] = [];` or `let x: int? = null;`",
                ),
            Some((param, of)) => {
                let name = self.cx.params[param].name;
                let text = self.cx.text(name.name);
                let member = of.rsplit("::").next().unwrap_or(&of);
                let method = (self.cx.functions.iter())
                    .filter(|f| f.receiver.is_some() && f.generics.contains(&param))
                    .find(|f| self.cx.text(f.name.name) == member)
                    .map(|f| format!("x.{}::<…>(…)", self.cx.text(f.name.name)));
                let written = method.unwrap_or_else(|| turbofish(&of));
                self.cx
                    .error(
                        codes::E0307_TYPE_NEEDED,
                        origin,
                        format!("the type that stands for `{text}` of `{of}` is not known from the context"),
                    )
                    .with_secondary(name.span, "the type parameter is declared here")
                    .with_help(format!(
                        "later statements don't tell it: write the type where the value is put, as in `let x: … = …`, or the type argument: `{}`",
                        written
                    ))
            }
        };
        self.cx.report(d);
    }
}

/// How a type argument is written behind the name of an item, for advice.
fn turbofish(of: &str) -> String {
    match of.split_once("::") {
        Some((owner, member)) => format!("{owner}::<…>::{member}"),
        None => format!("{of}::<…>"),
    }
}
