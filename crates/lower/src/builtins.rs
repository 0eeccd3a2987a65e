//! Calls of built-in functions and methods: an operation each, or a call of the run-time library.

use crate::body::{BodyLowering, Val};
use mini_base::source::Pos;
use mini_ir::builtin::Builtin;
use mini_ir::func::{Imm, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_sema::typed::{BuiltinFn, Expr, ExprId};
use mini_sema::types::TyKind;

/// How a built-in function is done.
enum How {
    /// One operation with this result.
    Operation(Op, Type),
    /// One call of the run-time library, arguments as they are.
    Library(Builtin),
    /// Code of its own.
    Special,
}

fn how(function: BuiltinFn) -> How {
    use How::{Library, Operation, Special};
    match function {
        BuiltinFn::Sqrt => Operation(Op::Fsqrt, Type::Float),
        BuiltinFn::Floor => Operation(Op::Ffloor, Type::Float),
        BuiltinFn::Ceil => Operation(Op::Fceil, Type::Float),
        BuiltinFn::Trunc => Operation(Op::Ftrunc, Type::Float),
        BuiltinFn::AbsFloat => Operation(Op::Fabs, Type::Float),
        BuiltinFn::MinFloat => Operation(Op::Fmin, Type::Float),
        BuiltinFn::MaxFloat => Operation(Op::Fmax, Type::Float),
        BuiltinFn::FloatBits => Operation(Op::FloatToBits, Type::Int),
        BuiltinFn::FloatFromBits => Operation(Op::BitsToFloat, Type::Float),
        BuiltinFn::Abs => Operation(Op::Abs, Type::Int),
        BuiltinFn::Min => Operation(Op::Min, Type::Int),
        BuiltinFn::Max => Operation(Op::Max, Type::Int),
        BuiltinFn::Len => Operation(Op::Length, Type::Int),
        BuiltinFn::Round => Library(Builtin::round),
        BuiltinFn::Sin => Library(Builtin::sin),
        BuiltinFn::Cos => Library(Builtin::cos),
        BuiltinFn::Tan => Library(Builtin::tan),
        BuiltinFn::Atan => Library(Builtin::atan),
        BuiltinFn::Atan2 => Library(Builtin::atan2),
        BuiltinFn::Exp => Library(Builtin::exp),
        BuiltinFn::Log => Library(Builtin::log),
        BuiltinFn::Pow => Library(Builtin::pow),
        BuiltinFn::WriteByte => Library(Builtin::out_char),
        BuiltinFn::ReadLine => Library(Builtin::read_line),
        BuiltinFn::ReadAll => Library(Builtin::read_all),
        BuiltinFn::ReadFile => Library(Builtin::read_file),
        BuiltinFn::WriteFile => Library(Builtin::write_file),
        BuiltinFn::Args => Library(Builtin::args),
        BuiltinFn::ClockNs => Library(Builtin::clock_ns),
        BuiltinFn::Exit => Library(Builtin::exit),
        BuiltinFn::Panic => Library(Builtin::panic),
        BuiltinFn::ParseInt => Library(Builtin::parse_int),
        BuiltinFn::ParseFloat => Library(Builtin::parse_float),
        BuiltinFn::Fixed => Library(Builtin::fixed),
        BuiltinFn::ByteString => Library(Builtin::byte_string),
        BuiltinFn::ToBytes => Library(Builtin::to_bytes),
        BuiltinFn::StringFromBytes => Library(Builtin::string_from_bytes),
        BuiltinFn::Find => Library(Builtin::find),
        BuiltinFn::FindFrom => Library(Builtin::find_from),
        BuiltinFn::StartsWith => Library(Builtin::starts_with),
        BuiltinFn::EndsWith => Library(Builtin::ends_with),
        BuiltinFn::Contains => Library(Builtin::contains),
        BuiltinFn::Replace => Library(Builtin::replace),
        BuiltinFn::Trim => Library(Builtin::trim),
        BuiltinFn::Split => Library(Builtin::split),
        BuiltinFn::Print
        | BuiltinFn::Write
        | BuiltinFn::Eprint
        | BuiltinFn::Assert
        | BuiltinFn::Hash
        | BuiltinFn::CheckIndex
        | BuiltinFn::ZeroedLike
        | BuiltinFn::ClearElement => Special,
    }
}

impl<'m, 'p> BodyLowering<'m, 'p> {
    /// Calls a built-in function on evaluated arguments.
    pub(crate) fn builtin_call(&mut self, function: BuiltinFn, vals: &[Val], args: &[ExprId], expr: &Expr) -> Val {
        let pos = expr.span.start;
        let values: Vec<Value> = vals.iter().flat_map(|v| v.values()).collect();
        match how(function) {
            How::Operation(op, ty) => Val::One(self.op(op, &values, ty)),
            How::Library(builtin) => {
                let results = self.builtin(builtin, &values, pos);
                if builtin.info().effect == mini_ir::builtin::Effect::Diverges {
                    self.unreachable();
                }
                match results[..] {
                    [] => Val::None,
                    [value] => Val::One(value),
                    [payload, flag] => Val::Optional(payload, flag),
                    _ => unreachable!("built-in functions have at most two results"),
                }
            }
            How::Special => self.special(function, vals, args, &values, pos),
        }
    }

    fn special(&mut self, function: BuiltinFn, vals: &[Val], args: &[ExprId], values: &[Value], pos: Pos) -> Val {
        let typed: Vec<_> = vals.iter().copied().zip(args.iter().map(|&a| self.ty(a))).collect();
        match function {
            BuiltinFn::Print => {
                self.print_values(&typed, b" ", pos);
                self.write_chars(b"\n", pos);
                Val::None
            }
            BuiltinFn::Write => {
                self.print_values(&typed, b"", pos);
                Val::None
            }
            BuiltinFn::Eprint => {
                self.eprint_values(&typed, pos);
                Val::None
            }
            BuiltinFn::Assert => {
                let [holds, fails] = ["holds", "fails"].map(|l| self.new_block(l));
                self.branch(values[0], holds, fails);
                self.start(fails);
                match values.get(1) {
                    Some(&message) => self.builtin(Builtin::assert_failed_with, &[message], pos),
                    None => self.builtin(Builtin::assert_failed, &[], pos),
                };
                self.terminate(Op::Unreachable, &[], &[], Pos::NONE);
                self.start(holds);
                Val::None
            }
            BuiltinFn::Hash => {
                let value = match self.module.program.types.kind(typed[0].1) {
                    TyKind::String => {
                        return Val::One(self.builtin1(Builtin::hash_string, values, pos));
                    }
                    TyKind::Byte => self.op(Op::ByteToInt, values, Type::Int),
                    TyKind::Bool => self.op(Op::BoolToInt, values, Type::Int),
                    _ => values[0],
                };
                Val::One(self.builtin1(Builtin::hash_int, &[value], pos))
            }
            BuiltinFn::CheckIndex => {
                self.emit(Op::CheckBounds, Imm::None, values, &[], pos);
                Val::None
            }
            BuiltinFn::ZeroedLike => {
                self.emit(Op::CheckLength, Imm::None, &values[1..], &[], pos);
                let element_ty = self.element_type(typed[0].1);
                Val::One(self.new_array(element_ty, values[1], pos))
            }
            BuiltinFn::ClearElement => {
                self.check_bounds(values[0], values[1], pos);
                let element_ty = self.element_type(typed[0].1);
                let zero = self.zero_of(element_ty);
                self.store_element(values[0], values[1], element_ty, zero, pos);
                Val::None
            }
            _ => unreachable!("`how` has it"),
        }
    }
}
