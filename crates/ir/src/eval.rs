//! What operations compute on constants: the one place that says so.
//!
//! *In:* an operation and the values of its operands. *Out:* the value of its result, or the trap it stops with.
//! *Cost:* O(1) an operation; run-time functions on text as `mini_prim` says.
//! *Leaves:* memory and calls, which are the interpreter's.
//!
//! There are two views of the same thing. Interpreters use *words*: 64 bits that hold an int, a float's bits, a bool (0 or
//! 1), a byte (0 to 255) or a reference; [`compute`] is made to be inlined with a known operation. Typed
//! [`Const`]s, made for folding, go through [`eval`], which packs and unpacks words.
//!
//! Example: `eval(Op::Add, &[Const::Int(2), Const::Int(3)], &info)` is `Ok(Some(Const::Int(5)))`;
//! `eval(Op::Div, &[Const::Int(2), Const::Int(0)], &info)` is `Err(Trap::DivisionByZero)`.

use crate::builtin::Builtin;
use crate::func::Imm;
use crate::module::{FuncId, ModuleInfo, StrId};
use crate::op::{Op, Signature};
use crate::types::Type;
use mini_prim::{hash, int, math, parse, strings};

/// A constant value. Floats are compared by their bits, so that equality is an equivalence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Const {
    /// An int.
    Int(i64),
    /// A float, its bits.
    Float(u64),
    /// A bool.
    Bool(bool),
    /// A byte.
    Byte(u8),
    /// The null reference.
    Null,
    /// A string constant of the module.
    Str(StrId),
    /// The static function value of a function.
    Func(FuncId),
}

impl Const {
    /// Its type.
    pub fn ty(self) -> Type {
        match self {
            Const::Int(_) => Type::Int,
            Const::Float(_) => Type::Float,
            Const::Bool(_) => Type::Bool,
            Const::Byte(_) => Type::Byte,
            Const::Null | Const::Str(_) | Const::Func(_) => Type::Ref,
        }
    }

    /// A float constant.
    pub fn float(value: f64) -> Const {
        Const::Float(value.to_bits())
    }

    /// The constant that `const` with this immediate makes.
    pub fn from_imm(imm: Imm) -> Option<Const> {
        match imm {
            Imm::Int(n) => Some(Const::Int(n)),
            Imm::Float(bits) => Some(Const::Float(bits)),
            Imm::Bool(b) => Some(Const::Bool(b)),
            Imm::Byte(b) => Some(Const::Byte(b)),
            Imm::Str(s) => Some(Const::Str(s)),
            Imm::Null => Some(Const::Null),
            Imm::None
            | Imm::Func(_)
            | Imm::Global(_)
            | Imm::Type(_)
            | Imm::Layout(_)
            | Imm::Part(..)
            | Imm::Builtin(_)
            | Imm::Extern(_)
            | Imm::Cases(_) => None,
        }
    }

    /// The constant that an operation without operands makes: `const` or `func_ref`.
    pub fn of(op: Op, imm: Imm) -> Option<Const> {
        match (op, imm) {
            (Op::Const, _) => Const::from_imm(imm),
            (Op::FuncRef, Imm::Func(f)) => Some(Const::Func(f)),
            _ => None,
        }
    }

    /// The instruction that makes it: its operation and immediate.
    pub fn instruction(self) -> (Op, Imm) {
        match self {
            Const::Int(n) => (Op::Const, Imm::Int(n)),
            Const::Float(bits) => (Op::Const, Imm::Float(bits)),
            Const::Bool(b) => (Op::Const, Imm::Bool(b)),
            Const::Byte(b) => (Op::Const, Imm::Byte(b)),
            Const::Null => (Op::Const, Imm::Null),
            Const::Str(s) => (Op::Const, Imm::Str(s)),
            Const::Func(f) => (Op::FuncRef, Imm::Func(f)),
        }
    }

    /// The word of a scalar; `None` for references, whose words only a run knows, but null's, which is 0.
    pub fn word(self) -> Option<u64> {
        match self {
            Const::Int(n) => Some(n as u64),
            Const::Float(bits) => Some(bits),
            Const::Bool(b) => Some(u64::from(b)),
            Const::Byte(b) => Some(u64::from(b)),
            Const::Null => Some(0),
            Const::Str(_) | Const::Func(_) => None,
        }
    }

    /// The scalar of this type in a word; for references only null, for addresses none.
    pub fn from_word(ty: Type, word: u64) -> Option<Const> {
        match ty {
            Type::Int => Some(Const::Int(word as i64)),
            Type::Float => Some(Const::Float(word)),
            Type::Bool => Some(Const::Bool(word != 0)),
            Type::Byte => Some(Const::Byte(word as u8)),
            Type::Ref => (word == 0).then_some(Const::Null),
            Type::Addr => None,
        }
    }
}

/// Why an operation stops the program. Displays as the text after `runtime error: `.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Trap {
    /// `/` or `%` by zero.
    DivisionByZero,
    /// `check_bounds`
    Index {
        /// The index.
        index: i64,
        /// The length.
        length: i64,
    },
    /// `check_slice`
    Slice {
        /// First.
        start: i64,
        /// One past the last.
        end: i64,
        /// The length.
        length: i64,
    },
    /// `check_some`
    NullUnwrapped,
    /// `check_length`
    NegativeLength(i64),
    /// `check_step`
    StepIsZero,
}

impl std::fmt::Display for Trap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trap::DivisionByZero => write!(f, "division by zero"),
            Trap::Index { index, length } => {
                write!(f, "index out of bounds: the index is {index} but the length is {length}")
            }
            Trap::Slice { start, end, length } => {
                write!(f, "slice out of bounds: {start}..{end} of length {length}")
            }
            Trap::NullUnwrapped => write!(f, "null unwrapped"),
            Trap::NegativeLength(n) => write!(f, "negative array length: {n}"),
            Trap::StepIsZero => write!(f, "step is zero"),
        }
    }
}

/// Whether [`compute`] knows the operation: one or two operands, one result, no memory.
pub fn computes(op: Op) -> bool {
    match op {
        Op::Copy
        | Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Div
        | Op::Rem
        | Op::Neg
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::Not
        | Op::Shl
        | Op::Shr
        | Op::Ushr
        | Op::Abs
        | Op::Min
        | Op::Max
        | Op::LogicalNot
        | Op::Eq
        | Op::Ne
        | Op::Lt
        | Op::Le
        | Op::Gt
        | Op::Ge
        | Op::Fadd
        | Op::Fsub
        | Op::Fmul
        | Op::Fdiv
        | Op::Fneg
        | Op::Fabs
        | Op::Fsqrt
        | Op::Ffloor
        | Op::Fceil
        | Op::Ftrunc
        | Op::Fmin
        | Op::Fmax
        | Op::Feq
        | Op::Fne
        | Op::Flt
        | Op::Fle
        | Op::Fgt
        | Op::Fge
        | Op::IntToFloat
        | Op::FloatToInt
        | Op::IntToByte
        | Op::ByteToInt
        | Op::BoolToInt
        | Op::FloatToBits
        | Op::BitsToFloat => true,
        Op::Const
        | Op::Undef
        | Op::FuncRef
        | Op::Code
        | Op::Static
        | Op::Env
        | Op::ParallelCopy
        | Op::Select
        | Op::New
        | Op::NewArray
        | Op::LoadField
        | Op::StoreField
        | Op::LoadElem
        | Op::StoreElem
        | Op::LoadByte
        | Op::Length
        | Op::Tag
        | Op::Slot
        | Op::Load
        | Op::Store
        | Op::LoadGlobal
        | Op::StoreGlobal
        | Op::CheckBounds
        | Op::CheckSlice
        | Op::CheckSome
        | Op::CheckLength
        | Op::CheckStep
        | Op::Call
        | Op::CallRef
        | Op::Builtin
        | Op::CallExtern
        | Op::Jump
        | Op::Branch
        | Op::Switch
        | Op::Return
        | Op::Unreachable => false,
    }
}

/// The result of an operation for which [`computes`] is true, on words; `b` is ignored by operations of one operand.
///
/// Comparisons need no types: bools and bytes are zero-extended, so that the signed order of words is theirs, and equal
/// references are equal words. Panics on other operations.
#[inline(always)]
pub fn compute(op: Op, a: u64, b: u64) -> Result<u64, Trap> {
    let (i, j) = (a as i64, b as i64);
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    Ok(match op {
        Op::Copy => a,
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Div | Op::Rem if b == 0 => return Err(Trap::DivisionByZero),
        Op::Div => int::div(i, j) as u64,
        Op::Rem => int::rem(i, j) as u64,
        Op::Neg => a.wrapping_neg(),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Not => !a,
        Op::Shl => int::shl(i, j) as u64,
        Op::Shr => int::shr(i, j) as u64,
        Op::Ushr => int::ushr(i, j) as u64,
        Op::Abs => i.wrapping_abs() as u64,
        Op::Min => i.min(j) as u64,
        Op::Max => i.max(j) as u64,
        Op::LogicalNot => u64::from(a == 0),
        Op::Eq => u64::from(a == b),
        Op::Ne => u64::from(a != b),
        Op::Lt => u64::from(i < j),
        Op::Le => u64::from(i <= j),
        Op::Gt => u64::from(i > j),
        Op::Ge => u64::from(i >= j),
        Op::Fadd => (x + y).to_bits(),
        Op::Fsub => (x - y).to_bits(),
        Op::Fmul => (x * y).to_bits(),
        Op::Fdiv => (x / y).to_bits(),
        Op::Fneg => a ^ (1 << 63),
        Op::Fabs => a & !(1 << 63),
        Op::Fsqrt => math::sqrt(x).to_bits(),
        Op::Ffloor => math::floor(x).to_bits(),
        Op::Fceil => math::ceil(x).to_bits(),
        Op::Ftrunc => math::trunc(x).to_bits(),
        Op::Fmin => {
            if x < y {
                a
            } else {
                b
            }
        }
        Op::Fmax => {
            if x > y {
                a
            } else {
                b
            }
        }
        Op::Feq => u64::from(x == y),
        Op::Fne => u64::from(x != y),
        Op::Flt => u64::from(x < y),
        Op::Fle => u64::from(x <= y),
        Op::Fgt => u64::from(x > y),
        Op::Fge => u64::from(x >= y),
        Op::IntToFloat => math::int_to_float(i).to_bits(),
        Op::FloatToInt => math::float_to_int(x) as u64,
        Op::IntToByte => a & 0xff,
        Op::ByteToInt | Op::BoolToInt => a,
        Op::FloatToBits => math::float_bits(x) as u64,
        Op::BitsToFloat => math::float_from_bits(i).to_bits(),
        Op::Const
        | Op::Undef
        | Op::FuncRef
        | Op::Code
        | Op::Static
        | Op::Env
        | Op::ParallelCopy
        | Op::Select
        | Op::New
        | Op::NewArray
        | Op::LoadField
        | Op::StoreField
        | Op::LoadElem
        | Op::StoreElem
        | Op::LoadByte
        | Op::Length
        | Op::Tag
        | Op::Slot
        | Op::Load
        | Op::Store
        | Op::LoadGlobal
        | Op::StoreGlobal
        | Op::CheckBounds
        | Op::CheckSlice
        | Op::CheckSome
        | Op::CheckLength
        | Op::CheckStep
        | Op::Call
        | Op::CallRef
        | Op::Builtin
        | Op::CallExtern
        | Op::Jump
        | Op::Branch
        | Op::Switch
        | Op::Return
        | Op::Unreachable => panic!("`{}` does not compute a value from values", op.name()),
    })
}

/// `check_bounds index, length`
#[inline(always)]
pub fn check_bounds(index: i64, length: i64) -> Result<(), Trap> {
    // As unsigned numbers, negative indices are too large; a negative length holds nothing.
    if (index as u64) < (length.max(0) as u64) { Ok(()) } else { Err(Trap::Index { index, length }) }
}

/// `check_slice start, end, length`
#[inline(always)]
pub fn check_slice(start: i64, end: i64, length: i64) -> Result<(), Trap> {
    if 0 <= start && start <= end && end <= length { Ok(()) } else { Err(Trap::Slice { start, end, length }) }
}

/// `check_some word`: a flag or a reference.
#[inline(always)]
pub fn check_some(word: u64) -> Result<(), Trap> {
    if word != 0 { Ok(()) } else { Err(Trap::NullUnwrapped) }
}

/// `check_length length`
#[inline(always)]
pub fn check_length(length: i64) -> Result<(), Trap> {
    if length >= 0 { Ok(()) } else { Err(Trap::NegativeLength(length)) }
}

/// `check_step step`
#[inline(always)]
pub fn check_step(step: i64) -> Result<(), Trap> {
    if step != 0 { Ok(()) } else { Err(Trap::StepIsZero) }
}

/// What an operation gives on constant operands: its result; `None` if it has none (a check that passes) or can't be
/// computed here (memory, calls, references that only a run knows, operands that don't fit); or the trap that it stops with.
pub fn eval(op: Op, args: &[Const], info: &ModuleInfo) -> Result<Option<Const>, Trap> {
    match (op, args) {
        (Op::Copy, &[a]) => return Ok(Some(a)),
        (Op::Select, &[Const::Bool(c), a, b]) => return Ok(Some(if c { a } else { b })),
        (Op::Eq | Op::Ne, &[a, b]) if a.ty() == Type::Ref && b.ty() == Type::Ref => {
            return Ok(same_object(a, b).map(|same| Const::Bool(same == (op == Op::Eq))));
        }
        (Op::Length, &[Const::Str(s)]) => return Ok(info.strings.get(s).map(|bytes| Const::Int(bytes.len() as i64))),
        (Op::LoadByte, &[Const::Str(s), Const::Int(i)]) => {
            let byte = info.strings.get(s).and_then(|bytes| bytes.get(usize::try_from(i).ok()?).copied());
            return Ok(byte.map(Const::Byte));
        }
        (Op::CheckBounds, &[Const::Int(i), Const::Int(n)]) => return check_bounds(i, n).map(|()| None),
        (Op::CheckSlice, &[Const::Int(i), Const::Int(j), Const::Int(n)]) => {
            return check_slice(i, j, n).map(|()| None);
        }
        (Op::CheckSome, &[a]) => return check_some(a.word().unwrap_or(1)).map(|()| None),
        (Op::CheckLength, &[Const::Int(n)]) => return check_length(n).map(|()| None),
        (Op::CheckStep, &[Const::Int(n)]) => return check_step(n).map(|()| None),
        _ => {}
    }
    if !computes(op) {
        return Ok(None);
    }
    let types: Vec<Type> = args.iter().map(|a| a.ty()).collect();
    let Some(result) = result_type(op, &types) else { return Ok(None) };
    let mut words = [0; 2];
    for (word, arg) in words.iter_mut().zip(args) {
        let Some(w) = arg.word() else { return Ok(None) };
        *word = w;
    }
    compute(op, words[0], words[1]).map(|w| Const::from_word(result, w))
}

/// Whether two constant references are the same object; equal string constants are one object within a run, but whether
/// different constants share one is nobody's business.
fn same_object(a: Const, b: Const) -> Option<bool> {
    match (a, b) {
        (Const::Func(a), Const::Func(b)) => Some(a == b),
        (Const::Null, Const::Null) => Some(true),
        (Const::Null, _) | (_, Const::Null) => Some(false),
        (Const::Str(a), Const::Str(b)) => (a == b).then_some(true),
        _ => Some(false),
    }
}

/// The type of the result of an operation on operands of these types, by its row; `None` if they don't fit, or if it has
/// no result or one that the row alone doesn't determine.
pub fn result_type(op: Op, args: &[Type]) -> Option<Type> {
    match (op.info().signature, args) {
        (Signature::Fixed(params, results), _) => (params == args).then(|| results.first().copied())?,
        (Signature::IntOrBool2, &[a, b]) => (a == b && matches!(a, Type::Int | Type::Bool)).then_some(a),
        (Signature::Comparable, &[a, b]) => (a == b && !matches!(a, Type::Float | Type::Addr)).then_some(Type::Bool),
        (Signature::Ordered, &[a, b]) => {
            (a == b && matches!(a, Type::Int | Type::Bool | Type::Byte)).then_some(Type::Bool)
        }
        (Signature::Same1, &[a]) => Some(a),
        (Signature::Select, &[Type::Bool, a, b]) => (a == b).then_some(a),
        _ => None,
    }
}

/// An argument of a run-time function that has no effect: a word, or what a string reference leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg<'a> {
    /// A scalar.
    Word(u64),
    /// A string's bytes.
    Bytes(&'a [u8]),
    /// The null reference.
    Null,
}

/// The words of the results of a pure run-time function (the second is 0 where there is one result); `None` if the
/// function is not pure or an argument doesn't fit (null where a string must be).
pub fn builtin_words(builtin: Builtin, args: &[Arg<'_>]) -> Option<(u64, u64)> {
    use Arg::{Bytes, Null, Word};
    let float = |x: f64| Some((x.to_bits(), 0));
    let int = |n: i64| Some((n as u64, 0));
    let flag = |b: bool| Some((u64::from(b), 0));
    let place = |p: Option<usize>| Some(p.map_or((0, 0), |p| (p as u64, 1)));
    let f = f64::from_bits;
    match (builtin, args) {
        (Builtin::string_eq, &[Bytes(a), Bytes(b)]) => flag(a == b),
        (Builtin::string_eq, &[Null, Null]) => flag(true),
        (Builtin::string_eq, &[Null, Bytes(_)] | &[Bytes(_), Null]) => flag(false),
        (Builtin::string_compare, &[Bytes(a), Bytes(b)]) => int(strings::compare(a, b)),
        (Builtin::find, &[Bytes(a), Bytes(b)]) => place(strings::find(a, b)),
        (Builtin::find_from, &[Bytes(a), Bytes(b), Word(i)]) => place(strings::find_from(a, b, i as i64)),
        (Builtin::starts_with, &[Bytes(a), Bytes(b)]) => flag(a.starts_with(b)),
        (Builtin::ends_with, &[Bytes(a), Bytes(b)]) => flag(a.ends_with(b)),
        (Builtin::contains, &[Bytes(a), Bytes(b)]) => flag(strings::contains(a, b)),
        (Builtin::parse_int, &[Bytes(a)]) => Some(parse::parse_int(a).map_or((0, 0), |n| (n as u64, 1))),
        (Builtin::parse_float, &[Bytes(a)]) => Some(parse::parse_float(a).map_or((0, 0), |x| (x.to_bits(), 1))),
        (Builtin::hash_int, &[Word(a)]) => int(hash::hash_int(a as i64)),
        (Builtin::hash_string, &[Bytes(a)]) => int(hash::hash_bytes(a)),
        (Builtin::fmod, &[Word(a), Word(b)]) => float(math::fmod(f(a), f(b))),
        (Builtin::round, &[Word(a)]) => float(math::round(f(a))),
        (Builtin::sin, &[Word(a)]) => float(math::sin(f(a))),
        (Builtin::cos, &[Word(a)]) => float(math::cos(f(a))),
        (Builtin::tan, &[Word(a)]) => float(math::tan(f(a))),
        (Builtin::atan, &[Word(a)]) => float(math::atan(f(a))),
        (Builtin::atan2, &[Word(a), Word(b)]) => float(math::atan2(f(a), f(b))),
        (Builtin::exp, &[Word(a)]) => float(math::exp(f(a))),
        (Builtin::log, &[Word(a)]) => float(math::log(f(a))),
        (Builtin::pow, &[Word(a), Word(b)]) => float(math::pow(f(a), f(b))),
        _ => None,
    }
}

/// The results of a pure run-time function on constants; `None` if they can't be known.
pub fn eval_builtin(builtin: Builtin, args: &[Const], info: &ModuleInfo) -> Option<Vec<Const>> {
    let row = builtin.info();
    if args.len() != row.params.len() || args.iter().zip(row.params).any(|(a, &p)| a.ty() != p) {
        return None;
    }
    let args: Option<Vec<Arg<'_>>> = args
        .iter()
        .map(|&arg| match arg {
            Const::Str(s) => info.strings.get(s).map(|bytes| Arg::Bytes(bytes)),
            Const::Null => Some(Arg::Null),
            other => other.word().map(Arg::Word),
        })
        .collect();
    let (first, second) = builtin_words(builtin, &args?)?;
    row.results.iter().zip([first, second]).map(|(&ty, word)| Const::from_word(ty, word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::Effect;
    use crate::op::Effects;
    use Const::{Bool, Byte, Int, Null};

    fn run(op: Op, args: &[Const]) -> Result<Option<Const>, Trap> {
        eval(op, args, &ModuleInfo::default())
    }

    #[test]
    fn ints_wrap_and_shift_modulo_64() {
        let cases = [
            (Op::Add, i64::MAX, 1, i64::MIN),
            (Op::Sub, i64::MIN, 1, i64::MAX),
            (Op::Mul, i64::MAX, 2, -2),
            (Op::Div, i64::MIN, -1, i64::MIN),
            (Op::Div, -7, 2, -3),
            (Op::Rem, -7, 2, -1),
            (Op::Rem, i64::MIN, -1, 0),
            (Op::And, 12, 10, 8),
            (Op::Or, 12, 10, 14),
            (Op::Xor, 12, 10, 6),
            (Op::Shl, 1, 65, 2),
            (Op::Shr, -8, 1, -4),
            (Op::Ushr, -1, 63, 1),
            (Op::Min, -1, 1, -1),
            (Op::Max, -1, 1, 1),
        ];
        for (op, a, b, want) in cases {
            assert_eq!(run(op, &[Int(a), Int(b)]), Ok(Some(Int(want))), "{}", op.name());
        }
        for (op, a, want) in [(Op::Neg, i64::MIN, i64::MIN), (Op::Abs, i64::MIN, i64::MIN), (Op::Not, 5, -6)] {
            assert_eq!(run(op, &[Int(a)]), Ok(Some(Int(want))), "{}", op.name());
        }
        assert_eq!(run(Op::Div, &[Int(1), Int(0)]), Err(Trap::DivisionByZero));
        assert_eq!(run(Op::Rem, &[Int(1), Int(0)]), Err(Trap::DivisionByZero));
    }

    #[test]
    fn bytes_and_bools_are_unsigned() {
        assert_eq!(run(Op::Lt, &[Byte(0x7f), Byte(0x80)]), Ok(Some(Bool(true))));
        assert_eq!(run(Op::Lt, &[Bool(false), Bool(true)]), Ok(Some(Bool(true))));
        assert_eq!(run(Op::Lt, &[Int(-1), Int(0)]), Ok(Some(Bool(true))));
        assert_eq!(run(Op::Xor, &[Bool(true), Bool(true)]), Ok(Some(Bool(false))));
        assert_eq!(run(Op::LogicalNot, &[Bool(true)]), Ok(Some(Bool(false))));
        assert_eq!(run(Op::IntToByte, &[Int(-1)]), Ok(Some(Byte(255))));
        assert_eq!(run(Op::ByteToInt, &[Byte(255)]), Ok(Some(Int(255))));
        assert_eq!(run(Op::BoolToInt, &[Bool(true)]), Ok(Some(Int(1))));
    }

    #[test]
    fn floats_are_ieee_and_unordered_with_nan() {
        let (nan, one, zero, minus) = (f64::NAN, 1.0, 0.0, -0.0f64);
        let two = |op, a, b| run(op, &[Const::float(a), Const::float(b)]);
        assert_eq!(two(Op::Fadd, 0.1, 0.2), Ok(Some(Const::float(0.30000000000000004))));
        assert_eq!(two(Op::Fdiv, one, minus), Ok(Some(Const::float(f64::NEG_INFINITY))));
        for (op, want) in
            [(Op::Feq, false), (Op::Fne, true), (Op::Flt, false), (Op::Fle, false), (Op::Fgt, false), (Op::Fge, false)]
        {
            assert_eq!(two(op, nan, one), Ok(Some(Bool(want))), "{}", op.name());
        }
        // The second operand wins where neither comparison holds.
        assert_eq!(two(Op::Fmin, zero, minus), Ok(Some(Const::float(minus))));
        assert_eq!(two(Op::Fmax, nan, one), Ok(Some(Const::float(one))));
        assert_eq!(run(Op::Fneg, &[Const::float(zero)]), Ok(Some(Const::float(minus))));
        assert_eq!(run(Op::Fabs, &[Const::float(minus)]), Ok(Some(Const::float(zero))));
        assert_eq!(run(Op::FloatToInt, &[Const::float(1e300)]), Ok(Some(Int(i64::MAX))));
        assert_eq!(run(Op::FloatToBits, &[Const::float(-nan)]), Ok(Some(Int(0x7ff8_0000_0000_0000))));
        assert_eq!(run(Op::IntToFloat, &[Int(9007199254740993)]), Ok(Some(Const::float(9007199254740992.0))));
    }

    #[test]
    fn operands_that_do_not_fit_give_nothing() {
        assert_eq!(run(Op::Add, &[Int(1), Bool(true)]), Ok(None));
        assert_eq!(run(Op::Eq, &[Const::float(1.0), Const::float(1.0)]), Ok(None));
        assert_eq!(run(Op::Add, &[Int(1)]), Ok(None));
        assert_eq!(run(Op::LogicalNot, &[Null]), Ok(None));
    }

    #[test]
    fn checks_pass_or_trap() {
        assert_eq!(run(Op::CheckBounds, &[Int(2), Int(3)]), Ok(None));
        let trap = run(Op::CheckBounds, &[Int(-1), Int(3)]).expect_err("out of bounds");
        assert_eq!(trap.to_string(), "index out of bounds: the index is -1 but the length is 3");
        assert!(check_bounds(0, -1).is_err());
        let trap = run(Op::CheckSlice, &[Int(2), Int(1), Int(3)]).expect_err("out of bounds");
        assert_eq!(trap.to_string(), "slice out of bounds: 2..1 of length 3");
        assert_eq!(run(Op::CheckSlice, &[Int(3), Int(3), Int(3)]), Ok(None));
        assert_eq!(run(Op::CheckSome, &[Null]), Err(Trap::NullUnwrapped));
        assert_eq!(run(Op::CheckSome, &[Bool(true)]), Ok(None));
        assert_eq!(run(Op::CheckLength, &[Int(-5)]), Err(Trap::NegativeLength(-5)));
        assert_eq!(run(Op::CheckStep, &[Int(0)]), Err(Trap::StepIsZero));
    }

    #[test]
    fn strings_are_known_by_their_table() {
        let mut info = ModuleInfo::default();
        let (abc, b) = (Const::Str(info.string(b"abc")), Const::Str(info.string(b"b")));
        assert_eq!(eval(Op::Length, &[abc], &info), Ok(Some(Int(3))));
        assert_eq!(eval(Op::LoadByte, &[abc, Int(1)], &info), Ok(Some(Byte(b'b'))));
        assert_eq!(eval(Op::LoadByte, &[abc, Int(3)], &info), Ok(None));
        assert_eq!(eval_builtin(Builtin::find, &[abc, b], &info), Some(vec![Int(1), Bool(true)]));
        assert_eq!(eval_builtin(Builtin::string_eq, &[abc, Null], &info), Some(vec![Bool(false)]));
        assert_eq!(eval_builtin(Builtin::hash_string, &[abc], &info), Some(vec![Int(3018304574923447344)]));
        assert_eq!(eval_builtin(Builtin::find, &[abc, Null], &info), None);
        assert_eq!(eval_builtin(Builtin::find, &[abc], &info), None);
        assert_eq!(eval(Op::Eq, &[abc, abc], &info), Ok(Some(Bool(true))));
        assert_eq!(eval(Op::Eq, &[abc, b], &info), Ok(None));
        assert_eq!(eval(Op::Ne, &[abc, Null], &info), Ok(Some(Bool(true))));
    }

    #[test]
    fn every_pure_function_on_values_is_known() {
        let mut info = ModuleInfo::default();
        let text = Const::Str(info.string(b"1"));
        for row in Builtin::all() {
            let args: Vec<Const> = row
                .params
                .iter()
                .map(|ty| match ty {
                    Type::Ref => text,
                    other => Const::from_word(*other, 1).expect("a scalar"),
                })
                .collect();
            assert_eq!(eval_builtin(row.builtin, &args, &info).is_some(), row.effect == Effect::Pure, "{}", row.name);
        }
    }

    #[test]
    fn every_pure_operation_with_fixed_types_is_known() {
        for row in Op::all() {
            let Signature::Fixed(params, _) = row.signature else { continue };
            let args: Option<Vec<Const>> = params.iter().map(|&ty| Const::from_word(ty, 1)).collect();
            let Some(args) = args.filter(|a| !a.is_empty() && row.effects == Effects::Pure) else { continue };
            assert!(matches!(run(row.op, &args), Ok(Some(_))), "{}", row.name);
        }
    }
}
