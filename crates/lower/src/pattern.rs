//! One pattern, tested from left to right: what is left of a `match` whose decision tree would become too large.
//! Variables are set as soon as their part is there; nobody sees them before the whole pattern matches.

use crate::body::{BodyLowering, Val};
use crate::expr::payload;
use crate::repr::{Repr, is_plain};
use mini_base::source::Pos;
use mini_ir::builtin::Builtin;
use mini_ir::func::{Block, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_sema::typed::{NullTest, Pattern};
use mini_sema::types::{Ty, TyKind};

impl<'m, 'p> BodyLowering<'m, 'p> {
    /// Goes on if `val` matches, with the pattern's variables set, else jumps to `fail`.
    pub(crate) fn pattern(&mut self, pattern: &Pattern, val: Val, ty: Ty, fail: Block) {
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Bind(local) => {
                self.bind(*local, val);
            }
            Pattern::Null => {
                let test = self.null_test(NullTest::IsNull, val);
                self.go_on_if(test, fail);
            }
            Pattern::Some(inner) => {
                let test = self.null_test(NullTest::IsNotNull, val);
                self.go_on_if(test, fail);
                let inner_ty =
                    self.module.program.types.optional_inner(ty).expect("the checker typed this as an optional");
                self.pattern(inner, payload(val), inner_ty, fail);
            }
            Pattern::Int(value) => {
                let want = self.int(*value);
                self.go_on_if_equal(val, want, Type::Int, fail);
            }
            Pattern::Byte(value) => {
                let want = self.byte(*value);
                self.go_on_if_equal(val, want, Type::Byte, fail);
            }
            Pattern::Bool(value) => {
                let test = self.one_or_dead(val, Repr::One(Type::Bool));
                let test = if *value { test } else { self.op(Op::LogicalNot, &[test], Type::Bool) };
                self.go_on_if(test, fail);
            }
            Pattern::String(bytes) => {
                let want = self.string(bytes);
                let value = self.one_or_dead(val, Repr::One(Type::Ref));
                let test = self.builtin1(Builtin::string_eq, &[value, want], Pos::NONE);
                self.go_on_if(test, fail);
            }
            Pattern::IntRange(from, to) => {
                let (from, to) = (self.int(*from), self.int(*to));
                self.go_on_if_between(val, from, to, Type::Int, fail);
            }
            Pattern::ByteRange(from, to) => {
                let (from, to) = (self.byte(*from), self.byte(*to));
                self.go_on_if_between(val, from, to, Type::Byte, fail);
            }
            Pattern::Or(alternatives) => {
                let matched = self.new_block("matched");
                for (position, alternative) in alternatives.iter().enumerate() {
                    if position + 1 == alternatives.len() {
                        self.pattern(alternative, val, ty, fail);
                        self.jump(matched);
                    } else {
                        let next = self.new_block("or");
                        self.pattern(alternative, val, ty, next);
                        self.jump(matched);
                        self.start(next);
                    }
                }
                self.start(matched);
            }
            Pattern::Variant(variant, payload) => self.variant_pattern(*variant, payload, val, ty, fail),
        }
    }

    /// A plain enum is its variant's index; else the tag is compared, then the payload is matched.
    fn variant_pattern(&mut self, variant: u32, patterns: &[Pattern], val: Val, ty: Ty, fail: Block) {
        let program = self.module.program;
        let TyKind::Enum(id, _) = program.types.kind(ty) else { unreachable!("the checker typed this as an enum") };
        let want = self.int(i64::from(variant));
        let index = self.variant_index(val, ty);
        self.go_on_if_equal(Val::One(index), want, Type::Int, fail);
        if is_plain(program, *id) {
            return;
        }
        let object = self.one_or_dead(val, Repr::One(Type::Ref));
        let payload = program.member_types(ty, variant);
        let layout = self.module.layouts.of_variant(program, &mut self.module.info, ty, variant);
        for (field, (pattern, &ty)) in patterns.iter().zip(payload).enumerate() {
            if !matches!(pattern, Pattern::Wildcard) {
                let member = self.load_member(object, &layout, field as u32, ty, Pos::NONE);
                self.pattern(pattern, member, ty, fail);
            }
        }
    }

    /// The index of an enum value's variant.
    pub(crate) fn variant_index(&mut self, val: Val, ty: Ty) -> Value {
        match self.module.repr(ty) {
            Repr::One(Type::Int) => self.one_or_dead(val, Repr::One(Type::Int)),
            repr => {
                let object = self.one_or_dead(val, repr);
                self.op(Op::Tag, &[object], Type::Int)
            }
        }
    }

    /// A part of a variant's payload.
    pub(crate) fn load_payload(&mut self, object: Value, enum_ty: Ty, variant: u32, field: u32, ty: Ty) -> Val {
        let layout = self.module.layouts.of_variant(self.module.program, &mut self.module.info, enum_ty, variant);
        self.load_member(object, &layout, field, ty, Pos::NONE)
    }

    fn go_on_if(&mut self, test: Value, fail: Block) {
        let matched = self.new_block("matched");
        self.branch(test, matched, fail);
        self.start(matched);
    }

    fn go_on_if_equal(&mut self, val: Val, want: Value, ty: Type, fail: Block) {
        let value = self.one_or_dead(val, Repr::One(ty));
        let test = self.op(Op::Eq, &[value, want], Type::Bool);
        self.go_on_if(test, fail);
    }

    fn go_on_if_between(&mut self, val: Val, from: Value, to: Value, ty: Type, fail: Block) {
        let value = self.one_or_dead(val, Repr::One(ty));
        let above = self.op(Op::Ge, &[value, from], Type::Bool);
        self.go_on_if(above, fail);
        let below = self.op(Op::Le, &[value, to], Type::Bool);
        self.go_on_if(below, fail);
    }
}
