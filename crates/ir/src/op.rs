//! The operations: one row each with mnemonic, types, effect, class.
//!
//! Everything that needs to know a fact about an operation reads it here; what an operation computes is in `eval.rs`.

use crate::class::Class;
use crate::types::Type;

/// What an operation may do besides computing its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Effects {
    /// Nothing: equal operands give equal results, it can be moved, merged and dropped.
    Pure,
    /// Stops the program on some operands, otherwise nothing. May not be dropped unless it provably does not stop.
    Trap,
    /// Reads memory; needs operands that earlier checks made valid, so it stays behind them.
    Load,
    /// Writes memory.
    Store,
    /// Makes an object or a slot; can be dropped if unused, not merged.
    Alloc,
    /// Anything: calls.
    Call,
    /// Ends the block.
    Control,
}

/// Rules for an operation's operand and result types. `T` is one type throughout a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signature {
    /// Fixed operand and result types.
    Fixed(&'static [Type], &'static [Type]),
    /// Two ints or two bools to one of the same (bitwise operations).
    IntOrBool2,
    /// Two ints, bytes, bools or refs to a bool (`eq`, `ne`).
    Comparable,
    /// Two ints, bytes or bools to a bool (orderings; bytes and bools are unsigned).
    Ordered,
    /// `T` to `T`, any type (`copy`).
    Same1,
    /// A bool and two `T` to `T` (`select`).
    Select,
    /// No operands, one result of any type given by the immediate (`const`) or by the result (`undef`).
    Source,
    /// By the immediate: layout, global, callee or built-in; or by the function (`ret`), the blocks (`jmp`).
    Immediate,
    /// A bool or ref (`check_some`).
    BoolOrRef,
}

macro_rules! operations {
    ($($(#[doc = $text:literal])* $variant:ident = $name:literal, $signature:expr, $effects:ident, $class:ident;)*) => {
        /// An operation.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[repr(u8)]
        pub enum Op { $($(#[doc = $text])* $variant,)* }

        static ROWS: &[OpInfo] = &[$(OpInfo {
            op: Op::$variant, name: $name, signature: $signature, effects: Effects::$effects, class: Class::$class,
            text: concat!($($text),*),
        },)*];
    };
}

/// The facts of an operation.
#[derive(Debug)]
pub struct OpInfo {
    /// Which.
    pub op: Op,
    /// Mnemonic.
    pub name: &'static str,
    /// Types.
    pub signature: Signature,
    /// Effect.
    pub effects: Effects,
    /// As what an execution of it is counted.
    pub class: Class,
    /// A line for people, with a space before it.
    pub text: &'static str,
}

use Signature::*;
use Type::{Bool, Byte, Float, Int, Ref};

operations! {
    /// A constant: `const 1`, `const 1.5`, `const true`, `const 'a'`, `const "text"`, `const null`.
    Const = "const", Source, Pure, Constant;
    /// No value at all (⊥).
    Undef = "undef", Source, Pure, Constant;
    /// The static function value of a function: `func_ref f`.
    FuncRef = "func_ref", Fixed(&[], &[Ref]), Pure, Constant;
    /// The code of a function, as the first field of a closure holds it: `code f`. An int that nothing else is done with.
    Code = "code", Fixed(&[], &[Int]), Pure, Constant;
    /// The only object of a variant without fields: `static E::None`.
    Static = "static", Immediate, Pure, Constant;
    /// The function value that this function was called with (closures).
    Env = "env", Fixed(&[], &[Ref]), Pure, Constant;
    /// Copies a value: assignments in TAC, isolation in CSSA.
    Copy = "copy", Same1, Pure, Copy;
    /// Copies all operands to the results at once, each to its own; all are read before any is written.
    ParallelCopy = "parcopy", Immediate, Pure, Copy;

    /// Wraps.
    Add = "add", Fixed(&[Int, Int], &[Int]), Pure, Arithmetic;
    /// Wraps.
    Sub = "sub", Fixed(&[Int, Int], &[Int]), Pure, Arithmetic;
    /// Wraps.
    Mul = "mul", Fixed(&[Int, Int], &[Int]), Pure, Arithmetic;
    /// Truncates; traps on zero; MIN / -1 = MIN.
    Div = "div", Fixed(&[Int, Int], &[Int]), Trap, Arithmetic;
    /// Sign of the dividend; traps on zero; MIN % -1 = 0.
    Rem = "rem", Fixed(&[Int, Int], &[Int]), Trap, Arithmetic;
    /// Wraps.
    Neg = "neg", Fixed(&[Int], &[Int]), Pure, Arithmetic;
    /// Bitwise.
    And = "and", IntOrBool2, Pure, Arithmetic;
    /// Bitwise.
    Or = "or", IntOrBool2, Pure, Arithmetic;
    /// Bitwise.
    Xor = "xor", IntOrBool2, Pure, Arithmetic;
    /// Bitwise complement.
    Not = "not", Fixed(&[Int], &[Int]), Pure, Arithmetic;
    /// Count modulo 64.
    Shl = "shl", Fixed(&[Int, Int], &[Int]), Pure, Arithmetic;
    /// Arithmetic; count modulo 64.
    Shr = "shr", Fixed(&[Int, Int], &[Int]), Pure, Arithmetic;
    /// Logical; count modulo 64.
    Ushr = "ushr", Fixed(&[Int, Int], &[Int]), Pure, Arithmetic;
    /// Absolute value; wraps.
    Abs = "abs", Fixed(&[Int], &[Int]), Pure, Arithmetic;
    /// Signed minimum.
    Min = "min", Fixed(&[Int, Int], &[Int]), Pure, Arithmetic;
    /// Signed maximum.
    Max = "max", Fixed(&[Int, Int], &[Int]), Pure, Arithmetic;
    /// Logical negation.
    LogicalNot = "lnot", Fixed(&[Bool], &[Bool]), Pure, Arithmetic;

    /// Equal (refs: identical).
    Eq = "eq", Comparable, Pure, Arithmetic;
    /// Not equal.
    Ne = "ne", Comparable, Pure, Arithmetic;
    /// Less.
    Lt = "lt", Ordered, Pure, Arithmetic;
    /// Less or equal.
    Le = "le", Ordered, Pure, Arithmetic;
    /// Greater.
    Gt = "gt", Ordered, Pure, Arithmetic;
    /// Greater or equal.
    Ge = "ge", Ordered, Pure, Arithmetic;

    /// IEEE addition.
    Fadd = "fadd", Fixed(&[Float, Float], &[Float]), Pure, Arithmetic;
    /// IEEE subtraction.
    Fsub = "fsub", Fixed(&[Float, Float], &[Float]), Pure, Arithmetic;
    /// IEEE multiplication.
    Fmul = "fmul", Fixed(&[Float, Float], &[Float]), Pure, Arithmetic;
    /// IEEE division.
    Fdiv = "fdiv", Fixed(&[Float, Float], &[Float]), Pure, Arithmetic;
    /// Flips the sign, also of NaN and zero.
    Fneg = "fneg", Fixed(&[Float], &[Float]), Pure, Arithmetic;
    /// Clears the sign.
    Fabs = "fabs", Fixed(&[Float], &[Float]), Pure, Arithmetic;
    /// Correctly rounded.
    Fsqrt = "fsqrt", Fixed(&[Float], &[Float]), Pure, Arithmetic;
    /// Towards minus infinity.
    Ffloor = "ffloor", Fixed(&[Float], &[Float]), Pure, Arithmetic;
    /// Towards plus infinity.
    Fceil = "fceil", Fixed(&[Float], &[Float]), Pure, Arithmetic;
    /// Towards zero.
    Ftrunc = "ftrunc", Fixed(&[Float], &[Float]), Pure, Arithmetic;
    /// `if a < b { a } else { b }`
    Fmin = "fmin", Fixed(&[Float, Float], &[Float]), Pure, Arithmetic;
    /// `if a > b { a } else { b }`
    Fmax = "fmax", Fixed(&[Float, Float], &[Float]), Pure, Arithmetic;
    /// False if unordered.
    Feq = "feq", Fixed(&[Float, Float], &[Bool]), Pure, Arithmetic;
    /// True if unordered.
    Fne = "fne", Fixed(&[Float, Float], &[Bool]), Pure, Arithmetic;
    /// False if unordered.
    Flt = "flt", Fixed(&[Float, Float], &[Bool]), Pure, Arithmetic;
    /// False if unordered.
    Fle = "fle", Fixed(&[Float, Float], &[Bool]), Pure, Arithmetic;
    /// False if unordered.
    Fgt = "fgt", Fixed(&[Float, Float], &[Bool]), Pure, Arithmetic;
    /// False if unordered.
    Fge = "fge", Fixed(&[Float, Float], &[Bool]), Pure, Arithmetic;

    /// Nearest even.
    IntToFloat = "int_to_float", Fixed(&[Int], &[Float]), Pure, Arithmetic;
    /// Truncates, saturates, NaN gives 0.
    FloatToInt = "float_to_int", Fixed(&[Float], &[Int]), Pure, Arithmetic;
    /// Low 8 bits.
    IntToByte = "int_to_byte", Fixed(&[Int], &[Byte]), Pure, Arithmetic;
    /// Zero-extends.
    ByteToInt = "byte_to_int", Fixed(&[Byte], &[Int]), Pure, Arithmetic;
    /// 0 or 1.
    BoolToInt = "bool_to_int", Fixed(&[Bool], &[Int]), Pure, Arithmetic;
    /// Bit pattern; any NaN gives 0x7ff8000000000000.
    FloatToBits = "float_to_bits", Fixed(&[Float], &[Int]), Pure, Arithmetic;
    /// Bit pattern.
    BitsToFloat = "bits_to_float", Fixed(&[Int], &[Float]), Pure, Arithmetic;
    /// `select c, a, b`: a if c, else b.
    Select = "select", Signature::Select, Pure, Arithmetic;

    /// A new struct, all fields zero, with its tag if its layout has one: `new Point`.
    New = "new", Immediate, Alloc, Memory;
    /// A new array of a checked length, all elements zero: `new_array [int], n`. Traps when it is too large to exist.
    NewArray = "new_array", Immediate, Call, Memory;
    /// A struct's field: `load_field Point.x, p`.
    LoadField = "load_field", Immediate, Load, Memory;
    /// `store_field Point.x, p, v`
    StoreField = "store_field", Immediate, Store, Memory;
    /// Part of an array's element: `load_elem [int].0, a, i`; the index was checked.
    LoadElem = "load_elem", Immediate, Load, Memory;
    /// `store_elem [int].0, a, i, v`
    StoreElem = "store_elem", Immediate, Store, Memory;
    /// A byte of a string: `load_byte s, i`. Strings don't change, so nothing that happens before matters but its check.
    LoadByte = "load_byte", Fixed(&[Ref, Int], &[Byte]), Load, Memory;
    /// The length of a string or array, which never changes; the operand is not null.
    Length = "len", Fixed(&[Ref], &[Int]), Pure, Arithmetic;
    /// The tag of a variant of an enum, which never changes; the operand is not null.
    Tag = "tag", Fixed(&[Ref], &[Int]), Pure, Arithmetic;
    /// The address of a place of the function's own for one value: `slot int`. It holds ⊥ at first; one place an activation.
    Slot = "slot", Immediate, Alloc, Constant;
    /// The value in a slot: `load int, p`.
    Load = "load", Immediate, Load, Memory;
    /// `store p, v`
    Store = "store", Immediate, Store, Memory;
    /// `load_global g`
    LoadGlobal = "load_global", Immediate, Load, Memory;
    /// `store_global g, v`
    StoreGlobal = "store_global", Immediate, Store, Memory;

    /// Traps unless 0 ≤ i < n: `check_bounds i, n`.
    CheckBounds = "check_bounds", Fixed(&[Int, Int], &[]), Trap, Arithmetic;
    /// Traps unless 0 ≤ i ≤ j ≤ n: `check_slice i, j, n`.
    CheckSlice = "check_slice", Fixed(&[Int, Int, Int], &[]), Trap, Arithmetic;
    /// Traps (`null unwrapped`) if the flag is false or the reference null.
    CheckSome = "check_some", BoolOrRef, Trap, Arithmetic;
    /// Traps if an array's length is negative.
    CheckLength = "check_length", Fixed(&[Int], &[]), Trap, Arithmetic;
    /// Traps if the step is zero.
    CheckStep = "check_step", Fixed(&[Int], &[]), Trap, Arithmetic;

    /// Calls a function of the module: `call f(a, b)`.
    Call = "call", Immediate, Call, Call;
    /// Calls a function value, first operand, with the others: `call_ref f(a, b) -> int`.
    CallRef = "call_ref", Immediate, Call, Call;
    /// Calls a function of the run-time library: `rt out_int(a)`; see `builtin.rs` for effects.
    Builtin = "rt", Immediate, Call, Call;
    /// Calls a C function, which gets the address of the bytes or elements for a string or array: `call_extern puts(s)`.
    CallExtern = "call_extern", Immediate, Call, Call;

    /// `jmp b1(a)`
    Jump = "jmp", Immediate, Control, Branch;
    /// `br c, b1(a), b2(b)`
    Branch = "br", Immediate, Control, Branch;
    /// `switch v, 1: b1, 5: b2(a), else b3` on an int.
    Switch = "switch", Immediate, Control, Branch;
    /// `ret` with the function's results.
    Return = "ret", Immediate, Control, Branch;
    /// Control can't get here (behind a call that diverges).
    Unreachable = "unreachable", Immediate, Control, Branch;
}

impl Op {
    /// All operations in table order.
    pub fn all() -> impl Iterator<Item = &'static OpInfo> {
        ROWS.iter()
    }

    /// The row.
    #[inline]
    pub fn info(self) -> &'static OpInfo {
        &ROWS[self as usize]
    }

    /// The mnemonic.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The operation of this mnemonic.
    pub fn by_name(name: &str) -> Option<Op> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.op)
    }

    /// Whether it ends a block.
    #[inline]
    pub fn is_terminator(self) -> bool {
        self >= Op::Jump
    }

    /// Whether the operands of a binary operation may be exchanged.
    pub fn commutes(self) -> bool {
        matches!(
            self,
            Op::Add
                | Op::Mul
                | Op::And
                | Op::Or
                | Op::Xor
                | Op::Min
                | Op::Max
                | Op::Eq
                | Op::Ne
                | Op::Fadd
                | Op::Fmul
                | Op::Feq
                | Op::Fne
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum_and_terminators_last() {
        for (index, row) in Op::all().enumerate() {
            assert_eq!(row.op as usize, index);
            assert_eq!(Op::by_name(row.name), Some(row.op));
            assert_eq!(row.op.is_terminator(), row.effects == Effects::Control, "{}", row.name);
        }
    }
}
