//! Inference inside one body: unification, the common type of branches, and the one implicit conversion `T` → `T?`.
//!
//! *In:* types that may hold inference variables (of `[]`, `null`, type parameters). *Out:* the same types with the variables bound.
//! *Keeps:* a variable lives no longer than its statement: what is still open at the end of the statement is reported there.
//! *Cost:* near linear; each step looks at two types once.

use crate::body::BodyChecker;
use crate::typed::{ExprId, ExprKind};
use crate::types::{InferVar, Ty, TyKind, TypeParam};
use mini_base::ids::Id;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
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
        if !self.cx.types.has_variables(ty) {
            return ty;
        }
        let ty = self.shallow(ty);
        match self.cx.types.kind(ty).clone() {
            TyKind::Array(element) => {
                let element = self.resolve(element);
                self.cx.types.array(element)
            }
            TyKind::Optional(inner) => {
                let inner = self.resolve(inner);
                if matches!(self.cx.types.kind(inner), TyKind::Error) { inner } else { self.cx.types.optional(inner) }
            }
            TyKind::Function(params, result) => {
                let params = params.iter().map(|&p| self.resolve(p)).collect();
                let result = self.resolve(result);
                self.cx.types.intern(TyKind::Function(params, result))
            }
            TyKind::Struct(id, args) => {
                let args = args.iter().map(|&a| self.resolve(a)).collect();
                self.cx.types.intern(TyKind::Struct(id, args))
            }
            TyKind::Enum(id, args) => {
                let args = args.iter().map(|&a| self.resolve(a)).collect();
                self.cx.types.intern(TyKind::Enum(id, args))
            }
            TyKind::Int
            | TyKind::Float
            | TyKind::Bool
            | TyKind::Byte
            | TyKind::String
            | TyKind::Unit
            | TyKind::Never
            | TyKind::Param(_)
            | TyKind::Infer(_)
            | TyKind::Error => ty,
        }
    }

    /// Whether the type still has unbound variables.
    pub fn is_open(&self, ty: Ty) -> bool {
        if !self.cx.types.has_variables(ty) {
            return false;
        }
        let kind = self.cx.types.kind(self.shallow(ty));
        matches!(kind, TyKind::Infer(_)) || kind.any_part(|part| self.is_open(part))
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
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b {
            return true;
        }
        if a == self.cx.types.error || b == self.cx.types.error {
            self.silence(a);
            self.silence(b); // what would have said what they are was reported
            return true;
        }
        match (self.cx.types.kind(a).clone(), self.cx.types.kind(b).clone()) {
            (TyKind::Infer(var), _) => self.bind(var, b),
            (_, TyKind::Infer(var)) => self.bind(var, a),
            (TyKind::Array(x), TyKind::Array(y)) | (TyKind::Optional(x), TyKind::Optional(y)) => self.unify(x, y),
            (TyKind::Function(xs, x), TyKind::Function(ys, y)) => {
                xs.len() == ys.len() && xs.iter().zip(&ys).all(|(&x, &y)| self.unify(x, y)) && self.unify(x, y)
            }
            (TyKind::Struct(x, xs), TyKind::Struct(y, ys)) => {
                x == y && xs.len() == ys.len() && xs.iter().zip(&ys).all(|(&x, &y)| self.unify(x, y))
            }
            (TyKind::Enum(x, xs), TyKind::Enum(y, ys)) => {
                x == y && xs.len() == ys.len() && xs.iter().zip(&ys).all(|(&x, &y)| self.unify(x, y))
            }
            _ => false, // two different constructors; equal ones without parts have equal ids
        }
    }

    fn bind(&mut self, var: InferVar, ty: Ty) -> bool {
        if self.mentions(ty, var) || ty == self.cx.types.unit || ty == self.cx.types.never {
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

    fn mentions(&self, ty: Ty, var: InferVar) -> bool {
        if !self.cx.types.has_variables(ty) {
            return false;
        }
        let kind = self.cx.types.kind(self.shallow(ty));
        *kind == TyKind::Infer(var) || kind.any_part(|part| self.mentions(part, var))
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
        if from == to || self.is_error(from) || self.is_error(to) || self.is_never(from) {
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
        if !self.cx.types.has_variables(ty) {
            return;
        }
        let error = self.cx.types.error;
        match self.cx.types.kind(self.shallow(ty)).clone() {
            TyKind::Infer(var) => self.vars[var.index()].bound = Some(error),
            TyKind::Array(inner) | TyKind::Optional(inner) => self.silence(inner),
            TyKind::Function(params, result) => {
                params.iter().for_each(|&p| self.silence(p));
                self.silence(result);
            }
            TyKind::Struct(_, args) | TyKind::Enum(_, args) => args.iter().for_each(|&a| self.silence(a)),
            TyKind::Int
            | TyKind::Float
            | TyKind::Bool
            | TyKind::Byte
            | TyKind::String
            | TyKind::Unit
            | TyKind::Never
            | TyKind::Param(_)
            | TyKind::Error => {}
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
                .with_help("write the type where the value is put, as in `let x: [int] = [];`"),
            Some((param, of)) => {
                let name = self.cx.params[param].name;
                let text = self.cx.text(name.name);
                self.cx
                    .error(
                        codes::E0307_TYPE_NEEDED,
                        origin,
                        format!("the type that stands for `{text}` of `{of}` is not known from the context"),
                    )
                    .with_secondary(name.span, "the type parameter is declared here")
                    .with_help(format!(
                        "write the type where the value is put, or the type argument: `{}`",
                        turbofish(&of)
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
