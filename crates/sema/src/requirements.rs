//! Which types satisfy `Show`, `Eq`, `Ord` and `Hash`.
//!
//! *Source:* the language reference, section 3. *Cost:* linear in the type. What was reported, and what is not known yet,
//! satisfies everything.

use crate::body::BodyChecker;
use crate::check::Checker;
use crate::generics::Bound;
use crate::items::Nominal;
use crate::typed::FnId;
use crate::types::{Ty, TyKind};
use rustc_hash::FxHashSet;

impl Checker<'_> {
    /// The method `show(self) -> string` of a type.
    pub fn show_method(&self, owner: Nominal) -> Option<FnId> {
        let &id = self.methods.get(&(owner, self.names.find("show")?))?;
        let info = &self.functions[id];
        let own = info.generics.len() - self.generics_of(owner).len();
        let fits = info.receiver.is_some() && info.params.is_empty() && own == 0 && info.result == self.types.string;
        fits.then_some(id)
    }

    /// Whether values of the type can be shown by `print` and `string`. Each type that this depends on is looked at once: a
    /// type's parts may share theirs.
    pub fn has_show(&self, ty: Ty) -> bool {
        let mut wanted = vec![ty];
        let mut seen = FxHashSet::default();
        while let Some(ty) = wanted.pop() {
            if !seen.insert(ty) || self.types.is_wrong(ty) {
                continue;
            }
            let shown = match self.types.kind(ty) {
                TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Byte | TyKind::String => true,
                TyKind::Array(inner) | TyKind::Optional(inner) => {
                    wanted.push(*inner);
                    true
                }
                TyKind::Struct(id, args) => self.shows_by_method(Nominal::Struct(*id), args, &mut wanted),
                TyKind::Enum(id, args) => {
                    self.enums[*id].plain || self.shows_by_method(Nominal::Enum(*id), args, &mut wanted)
                }
                TyKind::Function(..) | TyKind::Unit => false,
                TyKind::Param(param) => self.param_has(*param, Bound::Show),
                TyKind::Never | TyKind::Infer(_) | TyKind::Error => true,
            };
            if !shown {
                return false;
            }
        }
        true
    }

    /// Whether a type with these arguments has a method `show` whose bounds they have. Which of them must be shown for
    /// that is added to `wanted`.
    fn shows_by_method(&self, owner: Nominal, args: &[Ty], wanted: &mut Vec<Ty>) -> bool {
        let Some(show) = self.show_method(owner) else { return false };
        let params = self.functions[show].generics.iter().zip(args);
        let mut bounds = params.flat_map(|(&param, &ty)| self.params[param].bounds.iter().map(move |b| (ty, b.0)));
        bounds.all(|(ty, bound)| match bound {
            Bound::Show => {
                wanted.push(ty);
                true
            }
            Bound::Eq | Bound::Ord | Bound::Hash => self.has_bound(ty, bound),
        })
    }

    /// Whether values of the type can be compared with `==`.
    pub fn has_eq(&self, ty: Ty) -> bool {
        if self.types.is_wrong(ty) {
            return true;
        }
        match self.types.kind(ty) {
            TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Byte | TyKind::String => true,
            TyKind::Array(_) | TyKind::Struct(..) | TyKind::Function(..) => true,
            TyKind::Optional(inner) => self.has_eq(*inner),
            TyKind::Enum(id, _) => self.enums[*id].plain,
            TyKind::Unit => false,
            TyKind::Param(param) => self.param_has(*param, Bound::Eq),
            TyKind::Never | TyKind::Infer(_) | TyKind::Error => true,
        }
    }

    /// Whether values of the type can be compared with `<`.
    pub fn has_ord(&self, ty: Ty) -> bool {
        if self.types.is_wrong(ty) {
            return true;
        }
        match self.types.kind(ty) {
            TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Byte | TyKind::String => true,
            TyKind::Array(_) | TyKind::Struct(..) | TyKind::Function(..) | TyKind::Optional(_) => false,
            TyKind::Enum(id, _) => self.enums[*id].plain,
            TyKind::Unit => false,
            TyKind::Param(param) => self.param_has(*param, Bound::Ord),
            TyKind::Never | TyKind::Infer(_) | TyKind::Error => true,
        }
    }

    /// Whether values of the type can be hashed.
    pub fn has_hash(&self, ty: Ty) -> bool {
        if self.types.is_wrong(ty) {
            return true;
        }
        match self.types.kind(ty) {
            TyKind::Int | TyKind::Bool | TyKind::Byte | TyKind::String => true,
            TyKind::Float => false,
            TyKind::Array(_) | TyKind::Struct(..) | TyKind::Function(..) | TyKind::Optional(_) => false,
            TyKind::Enum(id, _) => self.enums[*id].plain,
            TyKind::Unit => false,
            TyKind::Param(param) => self.param_has(*param, Bound::Hash),
            TyKind::Never | TyKind::Infer(_) | TyKind::Error => true,
        }
    }
}

impl BodyChecker<'_, '_> {
    /// Notes that showing values of the type calls its method `show`, or its elements'.
    pub fn use_show(&mut self, ty: Ty) {
        let mut ty = ty;
        let owner = loop {
            match self.kind(ty) {
                TyKind::Array(inner) | TyKind::Optional(inner) => ty = inner,
                TyKind::Struct(id, _) => break Nominal::Struct(id),
                TyKind::Enum(id, _) => break Nominal::Enum(id),
                _ => return, // shown by the library
            }
        };
        if let Some(show) = self.cx.show_method(owner) {
            self.cx.functions[show].used = true;
        }
    }

    /// [`Checker::has_show`] with variables resolved.
    pub fn has_show(&mut self, ty: Ty) -> bool {
        let ty = self.resolve(ty);
        self.cx.has_show(ty)
    }

    /// [`Checker::has_eq`] with variables resolved.
    pub fn has_eq(&mut self, ty: Ty) -> bool {
        let ty = self.resolve(ty);
        self.cx.has_eq(ty)
    }

    /// [`Checker::has_ord`] with variables resolved.
    pub fn has_ord(&mut self, ty: Ty) -> bool {
        let ty = self.resolve(ty);
        self.cx.has_ord(ty)
    }

    /// [`Checker::has_hash`] with variables resolved.
    pub fn has_hash(&mut self, ty: Ty) -> bool {
        let ty = self.resolve(ty);
        self.cx.has_hash(ty)
    }
}
