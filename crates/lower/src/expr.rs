//! Expressions.
//!
//! Chains of postfix operations are as long as the source; their spine is walked with a loop, everything else recurses over
//! the nesting, which the parser bounds.

use crate::body::{BodyLowering, Operand, Val};
use crate::program::EarlyReads;
use crate::repr::{Repr, StructLayout};
use mini_base::source::Pos;
use mini_ir::builtin::Builtin;
use mini_ir::func::{Imm, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_sema::typed::{self, Closure, Conversion, Expr, ExprId, ExprKind, FnRef, GlobalId, NullTest, Zero};
use mini_sema::types::{Ty, TyKind};

impl<'m, 'p> BodyLowering<'m, 'p> {
    pub(crate) fn ty(&self, expr: ExprId) -> Ty {
        self.part.instance.ty(self.body.exprs[expr].ty)
    }

    /// The type of an expression of this body.
    pub(crate) fn ty_of(&self, expr: &Expr) -> Ty {
        self.part.instance.ty(expr.ty)
    }

    pub(crate) fn pos(&self, expr: ExprId) -> Pos {
        self.body.exprs[expr].span.start
    }

    /// Evaluates an expression; instructions go to the end of the current block.
    pub(crate) fn expr(&mut self, id: ExprId) -> Val {
        if !self.live {
            return Val::None;
        }
        let body = self.body;
        let mut spine = Vec::new();
        let mut base = id;
        while let Some(first) = first_operand(&body.exprs[base].kind) {
            spine.push(base);
            base = first;
        }
        let mut val = self.base(&body.exprs[base]);
        for &id in spine.iter().rev() {
            if !self.live {
                return Val::None;
            }
            let first = self.mark(val);
            val = self.apply(&body.exprs[id], first);
        }
        if self.live { val } else { Val::None }
    }

    /// The value of an expression with one IR value.
    pub(crate) fn expr_one(&mut self, id: ExprId) -> Value {
        let val = self.expr(id);
        self.one_or_dead(val, self.module.repr(self.ty(id)))
    }

    /// The value, or some value where control does not get (an operand of type never).
    pub(crate) fn one_or_dead(&mut self, val: Val, repr: Repr) -> Value {
        match (val, repr) {
            (Val::One(value), _) => value,
            (_, Repr::One(ty)) => self.zero(ty),
            (_, Repr::None | Repr::Optional(_)) => self.int(0),
        }
    }

    /// A constant expression's value, if it is one that needs no code but `const`.
    pub(crate) fn constant(&mut self, expr: &Expr) -> Option<Val> {
        Some(match &expr.kind {
            ExprKind::Int(value) => Val::One(self.int(*value)),
            ExprKind::Float(value) => {
                Val::One(self.emit1(Op::Const, Imm::Float(value.to_bits()), &[], Type::Float, Pos::NONE))
            }
            ExprKind::Bool(value) => Val::One(self.bool(*value)),
            ExprKind::Byte(value) => Val::One(self.byte(*value)),
            ExprKind::String(bytes) => Val::One(self.string(bytes)),
            ExprKind::Null => self.zero_of(self.ty_of(expr)),
            _ => return None,
        })
    }

    /// The zero of a type: `null` of an optional one.
    pub(crate) fn zero_of(&mut self, ty: Ty) -> Val {
        match self.module.repr(ty) {
            Repr::Optional(payload) => {
                let payload = self.zero(payload);
                Val::Optional(payload, self.bool(false))
            }
            Repr::One(ty) => Val::One(self.zero(ty)),
            Repr::None => Val::None,
        }
    }

    /// An expression without a first operand in its spine.
    fn base(&mut self, expr: &'p Expr) -> Val {
        if let Some(constant) = self.constant(expr) {
            return constant;
        }
        let pos = expr.span.start;
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Byte(_)
            | ExprKind::String(_)
            | ExprKind::Null => {
                unreachable!("constants were done above")
            }
            ExprKind::Local(local) => {
                let variable = self.variable(*local);
                self.read(variable)
            }
            ExprKind::Global(global) => self.global(*global, pos),
            ExprKind::Function(function) => {
                let id = self.module.function_id(&self.part.instance.refer(function));
                Val::One(self.emit1(Op::FuncRef, Imm::Func(id), &[], Type::Ref, pos))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, *operand),
            ExprKind::Chain(first, rest) => self.chain(*first, rest, self.ty_of(expr), pos),
            ExprKind::And(operands) => self.and_or(operands, expr, crate::operators::Short::And),
            ExprKind::Or(operands) => self.and_or(operands, expr, crate::operators::Short::Or),
            ExprKind::Compare(op, left, right) => self.compare(*op, *left, *right),
            ExprKind::NullTest(test, operand) => {
                let val = self.expr(*operand);
                Val::One(self.null_test(*test, val))
            }
            ExprKind::Coalesce(operands) => self.coalesce(operands, self.ty_of(expr)),
            ExprKind::Call(function, args) => self.call(function, args, expr),
            ExprKind::CallExtern(function, args) => self.extern_without_operands(*function, args, expr),
            ExprKind::Builtin(function, args) => {
                debug_assert!(args.is_empty(), "with arguments, the first is in the spine");
                self.builtin_call(*function, &[], args, expr)
            }
            ExprKind::Array(elements) => self.array(elements, expr),
            ExprKind::Repeat(value, count) => self.repeat(*value, *count, expr),
            ExprKind::Struct(fields) => self.struct_value(fields, expr),
            ExprKind::If(arms, otherwise) => self.if_expr(arms, *otherwise, self.ty_of(expr)),
            ExprKind::Match(value, arms) => self.match_expr(*value, arms, self.ty_of(expr)),
            ExprKind::Block(stmts, value) => self.block_expr(stmts, *value),
            ExprKind::While(id, condition, body) => self.while_loop(*id, condition, *body),
            ExprKind::ForRange(range) => self.for_range(range),
            ExprKind::ForEach(each) => self.for_each(each),
            ExprKind::Return(value) => {
                let val = value.map_or(Val::None, |v| self.expr(v));
                self.return_value(val, pos);
                self.dead_end();
                Val::None
            }
            ExprKind::Break(id) => {
                let target = self.loop_targets(*id).on_break;
                self.jump(target);
                self.dead_end();
                Val::None
            }
            ExprKind::Continue(id) => {
                let target = self.loop_targets(*id).on_continue;
                self.jump(target);
                self.dead_end();
                Val::None
            }
            ExprKind::Variant(variant, payload) => self.variant_value(*variant, payload, expr),
            ExprKind::Closure(closure) => self.closure(closure, pos),
            ExprKind::Some(_)
            | ExprKind::Narrow(_)
            | ExprKind::Unwrap(_)
            | ExprKind::CallValue(..)
            | ExprKind::Index(..)
            | ExprKind::Slice(..)
            | ExprKind::Field(..)
            | ExprKind::Convert(..) => unreachable!("has a first operand, so it is in the spine"),
        }
    }

    /// An operation whose first operand was evaluated.
    fn apply(&mut self, expr: &'p Expr, first: Operand) -> Val {
        let pos = expr.span.start;
        match &expr.kind {
            ExprKind::Some(operand) => {
                let val = self.settle(first);
                self.some(val, self.ty(*operand))
            }
            ExprKind::Narrow(_) => {
                let val = self.settle(first);
                payload(val)
            }
            ExprKind::Unwrap(_) => {
                let val = self.settle(first);
                match val {
                    Val::None => Val::None,
                    Val::One(value) | Val::Optional(_, value) => {
                        self.emit(Op::CheckSome, Imm::None, &[value], &[], pos);
                        payload(val)
                    }
                }
            }
            ExprKind::CallValue(_, args) => {
                let vals = self.operands_behind(first, args);
                if !self.live {
                    return Val::None;
                }
                let args: Vec<Value> = vals.into_iter().flat_map(Val::values).collect();
                let results: Vec<Type> = self.module.repr(self.ty_of(expr)).types().collect();
                let results = self.emit(Op::CallRef, Imm::None, &args, &results, pos);
                self.after_call(&results, self.ty_of(expr))
            }
            ExprKind::Call(function, args) => {
                let vals = self.operands_behind(first, &args[1..]);
                if !self.live {
                    return Val::None;
                }
                self.call_with(function, &vals, expr)
            }
            ExprKind::CallExtern(function, args) => {
                let vals = self.operands_behind(first, &args[1..]);
                if !self.live {
                    return Val::None;
                }
                self.call_extern(*function, &vals, expr)
            }
            ExprKind::Builtin(function, args) => {
                let vals = self.operands_behind(first, &args[1..]);
                if !self.live {
                    return Val::None;
                }
                self.builtin_call(*function, &vals, args, expr)
            }
            ExprKind::Index(base, index) => {
                let base_ty = self.ty(*base);
                let vals = self.operands_behind(first, &[*index]);
                if !self.live {
                    return Val::None;
                }
                let base = self.one_or_dead(vals[0], Repr::One(Type::Ref));
                let index = self.one_or_dead(vals[1], Repr::One(Type::Int));
                self.check_bounds(base, index, pos);
                self.load_element(base, index, base_ty, pos)
            }
            ExprKind::Slice(base, from, to) => {
                let base_ty = self.ty(*base);
                let bounds: Vec<ExprId> = from.iter().chain(to).copied().collect();
                let vals = self.operands_behind(first, &bounds);
                if !self.live {
                    return Val::None;
                }
                let base = self.one_or_dead(vals[0], Repr::One(Type::Ref));
                let mut bounds = vals[1..].iter().copied();
                let from = match from {
                    Some(_) => bounds.next().map(|v| self.one_or_dead(v, Repr::One(Type::Int))),
                    None => None,
                };
                let to = bounds.next().map(|v| self.one_or_dead(v, Repr::One(Type::Int)));
                let from = match from {
                    Some(from) => from,
                    None => self.int(0),
                };
                let length = self.op(Op::Length, &[base], Type::Int);
                let to = to.unwrap_or(length);
                self.emit(Op::CheckSlice, Imm::None, &[from, to, length], &[], pos);
                let function = match self.module.program.types.kind(base_ty) {
                    TyKind::String => Builtin::substring,
                    _ => Builtin::array_slice,
                };
                Val::One(self.builtin1(function, &[base, from, to], pos))
            }
            ExprKind::Field(base, field) => {
                let base_ty = self.ty(*base);
                let val = self.settle(first);
                let object = self.one_or_dead(val, Repr::One(Type::Ref));
                self.load_field(object, base_ty, *field, self.ty_of(expr), pos)
            }
            ExprKind::Convert(conversion, operand) => {
                let from = self.ty(*operand);
                let val = self.settle(first);
                self.convert(*conversion, val, from, pos)
            }
            _ => unreachable!("not a spine operation"),
        }
    }

    /// `T` becomes `T?`.
    pub(crate) fn some(&mut self, val: Val, from: Ty) -> Val {
        match (val, self.module.repr(from)) {
            (Val::One(value), Repr::One(Type::Ref)) => Val::One(value),
            (Val::One(value), _) => Val::Optional(value, self.bool(true)),
            (val, _) => val,
        }
    }

    /// Whether an optional is (not) null.
    pub(crate) fn null_test(&mut self, test: NullTest, val: Val) -> Value {
        match (val, test) {
            (Val::Optional(_, flag), NullTest::IsNotNull) => flag,
            (Val::Optional(_, flag), NullTest::IsNull) => self.op(Op::LogicalNot, &[flag], Type::Bool),
            (Val::One(value), test) => {
                let null = self.null();
                let op = if test == NullTest::IsNull { Op::Eq } else { Op::Ne };
                self.op(op, &[value, null], Type::Bool)
            }
            (Val::None, _) => self.bool(false),
        }
    }

    fn global(&mut self, global: GlobalId, pos: Pos) -> Val {
        let program = self.module.program;
        let definition = &program.globals[global];
        let (first, second) = self.module.global_ids(global);
        let mut load = |id: Option<mini_ir::module::GlobalId>| {
            id.map(|id| {
                let ty = self.module.info.globals[id].ty;
                self.emit1(Op::LoadGlobal, Imm::Global(id), &[], ty, pos)
            })
        };
        let val = match (load(first), load(second)) {
            (Some(payload), Some(flag)) => Val::Optional(payload, flag),
            (Some(value), None) => Val::One(value),
            (None, _) => Val::None,
        };
        if definition.zero == Zero::None && self.module.early_reads == EarlyReads::Possible {
            let ready = self.null_test(NullTest::IsNotNull, val);
            let (go_on, early) = (self.new_block("ready"), self.new_block("early"));
            self.branch(ready, go_on, early);
            self.start(early);
            let name = self.string(definition.name.as_bytes());
            self.builtin(Builtin::global_too_early, &[name], pos);
            self.terminate(Op::Unreachable, &[], &[], Pos::NONE);
            self.start(go_on);
        }
        val
    }

    fn call(&mut self, function: &FnRef, args: &[ExprId], expr: &Expr) -> Val {
        debug_assert!(args.is_empty(), "with arguments, the first is in the spine");
        self.call_with(function, &[], expr)
    }

    fn call_with(&mut self, function: &FnRef, args: &[Val], expr: &Expr) -> Val {
        let function = self.part.instance.refer(function);
        self.call_function(&function, args, self.ty_of(expr), expr.span.start)
    }

    /// Calls an instance on evaluated arguments; `ty` is its result's type.
    pub(crate) fn call_function(&mut self, function: &FnRef, args: &[Val], ty: Ty, pos: Pos) -> Val {
        let id = self.module.function_id(function);
        let args: Vec<Value> = args.iter().flat_map(|v| v.values()).collect();
        if args.len() != self.module.info.signatures[id].params.len() {
            return Val::None; // an argument of type never: this is dead
        }
        let results: Vec<Type> = self.module.repr(ty).types().collect();
        let results = self.emit(Op::Call, Imm::Func(id), &args, &results, pos);
        self.after_call(&results, ty)
    }

    fn after_call(&mut self, results: &[Value], ty: Ty) -> Val {
        if *self.module.program.types.kind(ty) == TyKind::Never {
            self.unreachable();
        }
        match *results {
            [] => Val::None,
            [value] => Val::One(value),
            [payload, flag] => Val::Optional(payload, flag),
            _ => unreachable!("a Mini value has at most two IR values"),
        }
    }

    /// Traps unless `index` is inside.
    pub(crate) fn check_bounds(&mut self, base: Value, index: Value, pos: Pos) {
        let length = self.op(Op::Length, &[base], Type::Int);
        self.emit(Op::CheckBounds, Imm::None, &[index, length], &[], pos);
    }

    /// Loads an array's element or a string's byte.
    pub(crate) fn load_element(&mut self, base: Value, index: Value, base_ty: Ty, pos: Pos) -> Val {
        if *self.module.program.types.kind(base_ty) == TyKind::String {
            return Val::One(self.emit1(Op::LoadByte, Imm::None, &[base, index], Type::Byte, pos));
        }
        let element = self.module.repr(self.element_type(base_ty));
        let layout = crate::repr::array_layout(&mut self.module.info, element);
        let mut load = |part, ty| self.emit1(Op::LoadElem, Imm::Part(layout, part), &[base, index], ty, pos);
        match element {
            Repr::None => Val::None,
            Repr::One(ty) => Val::One(load(0, ty)),
            Repr::Optional(ty) => Val::Optional(load(0, ty), load(1, Type::Bool)),
        }
    }

    /// Stores to an array's element.
    pub(crate) fn store_element(&mut self, base: Value, index: Value, element_ty: Ty, val: Val, pos: Pos) {
        let element = self.module.repr(element_ty);
        let layout = crate::repr::array_layout(&mut self.module.info, element);
        for (part, value) in val.values().enumerate() {
            self.emit(Op::StoreElem, Imm::Part(layout, part as u32), &[base, index, value], &[], pos);
        }
    }

    /// Loads a struct's field.
    pub(crate) fn load_field(&mut self, object: Value, struct_ty: Ty, field: u32, ty: Ty, pos: Pos) -> Val {
        let layout = self.module.layouts.of_struct(self.module.program, &mut self.module.info, struct_ty);
        self.load_member(object, &layout, field, ty, pos)
    }

    /// Loads a member of a struct or variant.
    pub(crate) fn load_member(&mut self, object: Value, layout: &StructLayout, member: u32, ty: Ty, pos: Pos) -> Val {
        let part = layout.first_part[member as usize];
        let repr = self.module.repr(ty);
        let mut load = |part, ty| self.emit1(Op::LoadField, Imm::Part(layout.layout, part), &[object], ty, pos);
        match repr {
            Repr::None => Val::None,
            Repr::One(ty) => Val::One(load(part, ty)),
            Repr::Optional(ty) => Val::Optional(load(part, ty), load(part + 1, Type::Bool)),
        }
    }

    /// Stores to a struct's field.
    pub(crate) fn store_field(&mut self, object: Value, struct_ty: Ty, field: u32, val: Val, pos: Pos) {
        let layout = self.module.layouts.of_struct(self.module.program, &mut self.module.info, struct_ty);
        self.store_member(object, &layout, field, val, pos);
    }

    fn store_member(&mut self, object: Value, layout: &StructLayout, member: u32, val: Val, pos: Pos) {
        let first = layout.first_part[member as usize];
        for (part, value) in val.values().enumerate() {
            self.emit(Op::StoreField, Imm::Part(layout.layout, first + part as u32), &[object, value], &[], pos);
        }
    }

    /// `[a, b]`: the array is made first and filled as the elements are evaluated, so that they need not all live at once; no
    /// element can see it.
    fn array(&mut self, elements: &[ExprId], expr: &Expr) -> Val {
        let TyKind::Array(element_ty) = *self.module.program.types.kind(self.ty_of(expr)) else {
            // The first element is never, so there is no array.
            elements.iter().for_each(|&element| {
                self.expr(element);
            });
            return Val::None;
        };
        let length = self.int(elements.len() as i64);
        let array = self.new_array(element_ty, length, expr.span.start);
        for (index, &element) in elements.iter().enumerate() {
            let val = self.expr(element);
            let index = self.int(index as i64);
            self.store_element(array, index, element_ty, val, expr.span.start);
        }
        Val::One(array)
    }

    /// `[v; n]`
    fn repeat(&mut self, value: ExprId, count: ExprId, expr: &'p Expr) -> Val {
        let pos = expr.span.start;
        let vals = self.operands(&[value, count]);
        if !self.live {
            return Val::None;
        }
        let element_ty = self.element_type(self.ty_of(expr));
        let count = self.one_or_dead(vals[1], Repr::One(Type::Int));
        self.emit(Op::CheckLength, Imm::None, &[count], &[], pos);
        let array = self.new_array(element_ty, count, pos);
        if is_zero(&self.body.exprs[value].kind) {
            return Val::One(array); // new arrays are zero
        }
        self.count_up(
            None,
            |_| count,
            |lowering, index| lowering.store_element(array, index, element_ty, vals[0], pos),
        );
        Val::One(array)
    }

    /// `S { f: e }`
    fn struct_value(&mut self, fields: &[(u32, ExprId)], expr: &Expr) -> Val {
        let values: Vec<ExprId> = fields.iter().map(|f| f.1).collect();
        let vals = self.operands(&values);
        let ty = self.ty_of(expr);
        let layout = self.module.layouts.of_struct(self.module.program, &mut self.module.info, ty);
        let object = self.emit1(Op::New, Imm::Layout(layout.layout), &[], Type::Ref, expr.span.start);
        for (&(field, _), val) in fields.iter().zip(vals) {
            self.store_member(object, &layout, field, val, expr.span.start);
        }
        Val::One(object)
    }

    /// `E::V(e)`: the index in a plain enum; else an object, or the only object of a variant without payload.
    fn variant_value(&mut self, variant: u32, payload: &[ExprId], expr: &Expr) -> Val {
        let program = self.module.program;
        let ty = self.ty_of(expr);
        if self.module.repr(ty) == Repr::One(Type::Int) {
            return Val::One(self.int(i64::from(variant)));
        }
        let vals = self.operands(payload);
        let layout = self.module.layouts.of_variant(program, &mut self.module.info, ty, variant);
        let (op, pos) = (if payload.is_empty() { Op::Static } else { Op::New }, expr.span.start);
        let object = self.emit1(op, Imm::Layout(layout.layout), &[], Type::Ref, pos);
        for (member, val) in vals.into_iter().enumerate() {
            self.store_member(object, &layout, member as u32, val, pos);
        }
        Val::One(object)
    }

    /// A function value with what it captures: an object that begins with the code.
    fn closure(&mut self, closure: &'p Closure, pos: Pos) -> Val {
        let (function, layout) = self.module.closure(self.part, closure, self.reassigned.clone());
        let object = self.emit1(Op::New, Imm::Layout(layout), &[], Type::Ref, pos);
        let code = self.emit1(Op::Code, Imm::Func(function), &[], Type::Int, pos);
        self.emit(Op::StoreField, Imm::Part(layout, 0), &[object, code], &[], pos);
        let mut part = 0;
        for &local in &closure.captures {
            for value in self.captured(local).values() {
                part += 1;
                self.emit(Op::StoreField, Imm::Part(layout, part), &[object, value], &[], pos);
            }
        }
        Val::One(object)
    }

    fn coalesce(&mut self, operands: &[ExprId], ty: Ty) -> Val {
        let repr = self.module.repr(ty);
        let result = self.new_variable("value", repr);
        let done = self.new_block("done");
        let (&last, optional) = operands.split_last().expect("at least two operands");
        for &operand in optional {
            let operand_ty = self.ty(operand);
            let val = self.expr(operand);
            let present = self.null_test(NullTest::IsNotNull, val);
            let [some, none] = ["some", "none"].map(|l| self.new_block(l));
            self.branch(present, some, none);
            self.start(some);
            let val = match (val, self.module.repr(operand_ty), repr) {
                (Val::Optional(payload, _), Repr::Optional(_), Repr::One(_)) => Val::One(payload),
                (val, _, _) => val,
            };
            self.assign(result, val);
            self.jump(done);
            self.start(none);
        }
        let val = self.expr(last);
        self.assign(result, val);
        self.fall_into(done);
        self.read(result)
    }

    pub(crate) fn convert(&mut self, conversion: Conversion, val: Val, from: Ty, pos: Pos) -> Val {
        let (op, ty) = match conversion {
            Conversion::FloatToInt => (Op::FloatToInt, Type::Int),
            Conversion::ByteToInt => (Op::ByteToInt, Type::Int),
            Conversion::BoolToInt => (Op::BoolToInt, Type::Int),
            Conversion::IntToFloat => (Op::IntToFloat, Type::Float),
            Conversion::IntToByte => (Op::IntToByte, Type::Byte),
            Conversion::EnumToInt => return val,
            Conversion::ToString => return self.text_of(val, from, pos),
        };
        match val {
            Val::One(value) => Val::One(self.op(op, &[value], ty)),
            val => val,
        }
    }
}

/// The operand by which a spine goes on, evaluated before everything else of the expression.
fn first_operand(kind: &ExprKind) -> Option<ExprId> {
    match kind {
        ExprKind::Some(first)
        | ExprKind::Narrow(first)
        | ExprKind::Unwrap(first)
        | ExprKind::CallValue(first, _)
        | ExprKind::Index(first, _)
        | ExprKind::Slice(first, ..)
        | ExprKind::Field(first, _)
        | ExprKind::Convert(_, first) => Some(*first),
        ExprKind::Call(_, args) | ExprKind::CallExtern(_, args) | ExprKind::Builtin(_, args) => args.first().copied(),
        _ => None,
    }
}

/// An optional's payload, where it is known to be there.
pub(crate) fn payload(val: Val) -> Val {
    match val {
        Val::Optional(payload, _) => Val::One(payload),
        val => val,
    }
}

/// Whether an expression is a constant whose bits are all zero.
fn is_zero(kind: &typed::ExprKind) -> bool {
    match kind {
        ExprKind::Int(value) => *value == 0,
        ExprKind::Float(value) => value.to_bits() == 0,
        ExprKind::Bool(value) => !value,
        ExprKind::Byte(value) => *value == 0,
        ExprKind::Null => true,
        _ => false,
    }
}
