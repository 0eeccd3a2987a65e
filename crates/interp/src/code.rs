//! Decoded instructions: fixed size, operands as slots of the frame, targets as places in one flat array.

use mini_base::source::Pos;
use mini_ir::builtin::Builtin;
use mini_ir::types::Type;

/// Counted as nothing: what the decoder added.
pub(crate) const NO_CLASS: u8 = u8::MAX;

macro_rules! kinds {
    (unary: $($unary:ident)*; binary: $($binary:ident)*; other: $($(#[$doc:meta])* $other:ident)*) => {
        /// What a decoded instruction does. Those named like operations compute what `mini_ir::eval` says: `d = op a` or
        /// `d = op a, b`.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum Kind { $($unary,)* $($binary,)* $($(#[$doc])* $other,)* }

        /// The kind of an operation that computes a value from values.
        pub(crate) fn computing(op: mini_ir::op::Op) -> Option<Kind> {
            match op {
                $(mini_ir::op::Op::$unary => Some(Kind::$unary),)*
                $(mini_ir::op::Op::$binary => Some(Kind::$binary),)*
                _ => None,
            }
        }

        /// How many operands of such a kind are in `a` and `b`; `None` for the others.
        pub(crate) fn pure_operands(kind: Kind) -> Option<u32> {
            match kind {
                $(Kind::$unary => Some(1),)*
                $(Kind::$binary => Some(2),)*
                _ => None,
            }
        }

        /// Calls a macro with the lists of unary and binary operations.
        macro_rules! with_computing {
            ($callback:ident) => { $callback! { $($unary)*; $($binary)* } };
        }
        pub(crate) use with_computing;

        /// The pattern of the kinds that compute, for matches that are to name every kind.
        macro_rules! computing_kinds {
            () => { $(Kind::$unary)|* | $(Kind::$binary)|* };
        }
        pub(crate) use computing_kinds;

        /// The same for the operations.
        macro_rules! computing_ops {
            () => { $(Op::$unary)|* | $(Op::$binary)|* };
        }
        pub(crate) use computing_ops;
    };
}

kinds! {
    unary: Copy Neg Not Abs LogicalNot Fneg Fabs Fsqrt Ffloor Fceil Ftrunc IntToFloat FloatToInt IntToByte ByteToInt
        BoolToInt FloatToBits BitsToFloat;
    binary: Add Sub Mul And Or Xor Shl Shr Ushr Min Max Eq Ne Lt Le Gt Ge Fadd Fsub Fmul Fdiv Fmin Fmax Feq Fne Flt Fle
        Fgt Fge;
    other:
        /// `d = a / b`
        Div
        /// `d = a % b`
        Rem
        /// `d =` the word with low half `a` and high half `b`
        Const
        /// `d = ⊥`
        Undef
        /// `d =` the function value that was called
        Env
        /// `d = if a { b } else { c }`
        Select
        /// `d = new` layout `a`
        New
        /// `d = new_array` layout `a`, length `b`
        NewArray
        /// `d =` field `b` of `a`, layout `c`
        LoadField
        /// field `b` of `a`, layout `c` `= d`
        StoreField
        /// `d =` element `b` of `a`; `c` is the layout
        LoadWord
        /// the same where elements have two parts; `c` is twice the layout, plus the part
        LoadWordPart
        /// of packed arrays
        LoadSmall
        /// of packed arrays
        LoadSmallPart
        /// element `b` of `a` `= d`
        StoreWord
        /// with parts
        StoreWordPart
        /// of packed arrays
        StoreSmall
        /// of packed arrays
        StoreSmallPart
        /// `d =` byte `b` of string `a`
        LoadByte
        /// `d = len a`
        Length
        /// `d = tag a`
        Tag
        /// `d =` the address of slot `a` of this activation
        Slot
        /// `d =` the content of the slot at `a`, of type `b`
        Load
        /// the content of the slot at `a`, of type `b`, `= d`
        Store
        /// `d =` global `a`
        LoadGlobal
        /// global `a` `= d`
        StoreGlobal
        /// `a < b`
        CheckBounds
        /// `a ≤ b ≤ c`
        CheckSlice
        /// `a`
        CheckSome
        /// `a`
        CheckLength
        /// `a`
        CheckStep
        /// call site `a`
        Call
        /// call site `a`
        CallRef
        /// call site `a`
        Builtin
        /// the C function `a`
        CallExtern
        /// to `a`
        Goto
        /// on `d` to `a`, else `b`
        Branch
        /// on `d` by table `a`
        Switch
        /// values `a` and perhaps `b`; `c` is how many
        Return
        /// never
        Unreachable
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code {
    pub kind: Kind,
    /// The class it counts as, or `NO_CLASS`.
    pub class: u8,
    pub d: u32,
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

/// Whom a call site calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee {
    Func(u32),
    /// The slot of the function value.
    Value(u32),
    Builtin(Builtin),
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    pub callee: Callee,
    /// Slots of the arguments.
    pub args: Box<[u32]>,
    /// Slots of the results.
    pub results: [u32; 2],
    pub result_count: u32,
    /// The types of arguments and results, by number; function values are held against it.
    pub signature: u32,
}

/// A switch: cases in ascending order, each with its target.
#[derive(Clone, Debug, Default)]
pub(crate) struct SwitchTable {
    pub cases: Vec<(i64, u32)>,
    pub default: u32,
}

/// A decoded function.
#[derive(Clone, Debug)]
pub(crate) struct FuncCode {
    pub entry: u32,
    pub slots: u32,
    /// Slots that hold references.
    pub refs: Box<[u32]>,
    /// The types of the stack slots that an activation has.
    pub cells: Box<[Type]>,
    pub signature: u32,
}

/// A decoded module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub code: Vec<Code>,
    /// The source position of each instruction.
    pub positions: Vec<Pos>,
    pub funcs: Vec<FuncCode>,
    pub calls: Vec<CallSite>,
    pub switches: Vec<SwitchTable>,
    /// Whether ⊥ can be read anywhere, so that it must be tracked.
    pub may_read_undef: bool,
    pub signatures: Vec<(Vec<Type>, Vec<Type>)>,
}
