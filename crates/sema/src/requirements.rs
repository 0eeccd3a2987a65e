//! Which types satisfy `Show`, `Eq`, `Ord` and `Hash`.
//!
//! *Source:* the language reference, section 3. *Cost:* linear in the type. What was reported, and what is not known yet,
//! satisfies everything.

use crate::body::BodyChecker;
use crate::check::Checker;
use crate::types::{Ty, TyKind};

impl Checker<'_> {
    /// Whether values of the type can be shown by `print` and `string`.
    pub fn has_show(&self, ty: Ty) -> bool {
        match self.types.kind(ty) {
            TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Byte | TyKind::String => true,
            TyKind::Array(inner) | TyKind::Optional(inner) => self.has_show(*inner),
            TyKind::Struct(..) | TyKind::Enum(..) => false,
            TyKind::Function(..) | TyKind::Unit | TyKind::StdinLines | TyKind::Param(_) => false,
            TyKind::Never | TyKind::Infer(_) | TyKind::Error => true,
        }
    }

    /// Whether values of the type can be compared with `==`.
    pub fn has_eq(&self, ty: Ty) -> bool {
        match self.types.kind(ty) {
            TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Byte | TyKind::String => true,
            TyKind::Array(_) | TyKind::Struct(..) | TyKind::Function(..) => true,
            TyKind::Optional(inner) => self.has_eq(*inner),
            TyKind::Enum(..) => false,
            TyKind::Unit | TyKind::StdinLines | TyKind::Param(_) => false,
            TyKind::Never | TyKind::Infer(_) | TyKind::Error => true,
        }
    }

    /// Whether values of the type can be compared with `<`.
    pub fn has_ord(&self, ty: Ty) -> bool {
        match self.types.kind(ty) {
            TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Byte | TyKind::String => true,
            TyKind::Array(_) | TyKind::Struct(..) | TyKind::Function(..) | TyKind::Optional(_) => false,
            TyKind::Enum(..) => false,
            TyKind::Unit | TyKind::StdinLines | TyKind::Param(_) => false,
            TyKind::Never | TyKind::Infer(_) | TyKind::Error => true,
        }
    }

    /// Whether values of the type can be hashed.
    pub fn has_hash(&self, ty: Ty) -> bool {
        match self.types.kind(ty) {
            TyKind::Int | TyKind::Bool | TyKind::Byte | TyKind::String => true,
            TyKind::Float => false,
            TyKind::Array(_) | TyKind::Struct(..) | TyKind::Function(..) | TyKind::Optional(_) => false,
            TyKind::Enum(..) => false,
            TyKind::Unit | TyKind::StdinLines | TyKind::Param(_) => false,
            TyKind::Never | TyKind::Infer(_) | TyKind::Error => true,
        }
    }
}

impl BodyChecker<'_, '_> {
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
