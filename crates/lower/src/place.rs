//! Statements: `let`, assignments, expression statements.

use crate::body::{BodyLowering, Val};
use crate::repr::Repr;
use mini_ir::types::Type;
use mini_sema::typed::{BinaryOp, Capture, ExprId, Place, PlaceKind, Stmt};

impl<'m, 'p> BodyLowering<'m, 'p> {
    pub(crate) fn stmt(&mut self, stmt: &'p Stmt) {
        if !self.live {
            return;
        }
        match stmt {
            // A cell must be there before the first assignment, which may be inside a branch.
            Stmt::Let(local, None) => {
                if self.body.locals[*local].capture == Capture::Shared {
                    self.bind(*local, Val::None);
                }
            }
            Stmt::Let(local, Some(value)) => {
                let val = self.expr(*value);
                self.bind(*local, val);
            }
            Stmt::Expr(expr) => {
                self.expr(*expr);
            }
            Stmt::Assign(place, value) => self.store(place, *value),
            Stmt::Update(place, op, value, _) => self.update(place, *op, *value),
        }
    }

    /// `place = value`: the place's parts, the value, the check, the store.
    fn store(&mut self, place: &Place, value: ExprId) {
        let pos = place.span.start;
        match place.kind {
            PlaceKind::Local(local) => {
                let val = self.expr(value);
                let variable = self.variable(local);
                self.assign(variable, val);
            }
            PlaceKind::Global(global) => {
                let val = self.expr(value);
                self.store_global(global, val, pos);
            }
            PlaceKind::Index(base, index) => {
                let vals = self.operands(&[base, index, value]);
                if !self.live {
                    return;
                }
                let base = self.one_or_dead(vals[0], Repr::One(Type::Ref));
                let index = self.one_or_dead(vals[1], Repr::One(Type::Int));
                self.check_bounds(base, index, pos);
                self.store_element(base, index, self.part.instance.ty(place.ty), vals[2], pos);
            }
            PlaceKind::Field(base, field) => {
                let struct_ty = self.ty(base);
                let vals = self.operands(&[base, value]);
                if !self.live {
                    return;
                }
                let object = self.one_or_dead(vals[0], Repr::One(Type::Ref));
                self.store_field(object, struct_ty, field, vals[1], pos);
            }
        }
    }

    /// `place op= value`: the place's parts once, check and load, the value, the operation, the store.
    fn update(&mut self, place: &Place, op: BinaryOp, value: ExprId) {
        let pos = place.span.start;
        let repr = self.module.repr(self.part.instance.ty(place.ty));
        match place.kind {
            PlaceKind::Local(local) => {
                let variable = self.variable(local);
                let old = self.read(variable);
                let old = self.mark(old);
                let new = self.updated(old, op, value, repr, pos);
                self.assign(variable, new);
            }
            PlaceKind::Global(global) => {
                let (first, _) = self.module.global_ids(global);
                let Some(id) = first else { return };
                let ty = self.module.info.globals[id].ty;
                let old = self.emit1(mini_ir::op::Op::LoadGlobal, mini_ir::func::Imm::Global(id), &[], ty, pos);
                let old = self.mark(Val::One(old));
                let new = self.updated(old, op, value, repr, pos);
                self.store_global(global, new, pos);
            }
            PlaceKind::Index(base, index) => {
                let base_ty = self.ty(base);
                let vals = self.operands(&[base, index]);
                if !self.live {
                    return;
                }
                // The right side may assign the variables that these are.
                let base = self.mark(vals[0]);
                let index = self.mark(vals[1]);
                let base_value = self.one_or_dead(vals[0], Repr::One(Type::Ref));
                let index_value = self.one_or_dead(vals[1], Repr::One(Type::Int));
                self.check_bounds(base_value, index_value, pos);
                let old = self.load_element(base_value, index_value, base_ty, pos);
                let old = self.mark(old);
                let new = self.updated(old, op, value, repr, pos);
                let (base, index) = (self.settle(base), self.settle(index));
                let base = self.one_or_dead(base, Repr::One(Type::Ref));
                let index = self.one_or_dead(index, Repr::One(Type::Int));
                self.store_element(base, index, self.part.instance.ty(place.ty), new, pos);
            }
            PlaceKind::Field(base, field) => {
                let struct_ty = self.ty(base);
                let val = self.expr(base);
                if !self.live {
                    return;
                }
                let object = self.mark(val);
                let object_value = self.one_or_dead(val, Repr::One(Type::Ref));
                let old = self.load_field(object_value, struct_ty, field, self.part.instance.ty(place.ty), pos);
                let old = self.mark(old);
                let new = self.updated(old, op, value, repr, pos);
                let object = self.settle(object);
                let object = self.one_or_dead(object, Repr::One(Type::Ref));
                self.store_field(object, struct_ty, field, new, pos);
            }
        }
    }

    fn updated(
        &mut self,
        old: crate::body::Operand,
        op: BinaryOp,
        value: ExprId,
        repr: Repr,
        pos: mini_base::source::Pos,
    ) -> Val {
        let right = self.expr(value);
        let left = self.settle(old);
        let (left, right) = (self.one_or_dead(left, repr), self.one_or_dead(right, repr));
        Val::One(self.binary(op, left, right, repr, pos))
    }
}
