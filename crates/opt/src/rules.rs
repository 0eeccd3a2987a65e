//! Algebraic identities: a table of rewrite rules, one row a rule, and how a rule is matched.
//!
//! A row says: an instruction that looks like the left side computes what the right side says. `X`, `Y` and `Z` stand for
//! any values, the same letter for the same value; operands that are instructions themselves are written `Of(op, …)`. Where
//! an operation commutes, its operands may stand in either order.
//!
//! What makes a row right, for all values of all types that fit it (the tests compute both sides by `eval`):
//! * The left side never traps, so the right side needs no trap: `x / 1` has a row, `x / x` has none.
//! * Where the left side is a value, the right side is the same one, floats up to the bits of a NaN. So `x + -0.0` has a row, but
//!   `x + 0.0` (0.0 if `x` is -0.0) and `x * 0.0` (NaN if `x` is) have none, and `lnot (x < y)` only one for ints.
//! * Where the left side is ⊥, the right side may be anything: `x - x` is 0, which is ⊥ only if `x` is. The other way round is wrong:
//!   `select c, c, y` is no `or c, y`, which would be ⊥ if `y` is and `c` is true.
//! * The right side is a constant, or has fewer operations and constants than the left one. So rewriting ends, and never makes a
//!   program slower.
//!
//! *In:* an instruction in SSA. *Out:* what it is equal to ([`Simpler`]), by the first row that fits. *Keeps:* everything.
//! *Cost:* O(rows of the operation). *Source:* the laws of rings modulo 2⁶⁴, Boolean lattices and total orders; for floats IEEE 754-2019,
//! sections 5 and 6.3; D. Knuth, P. Bendix, Simple Word Problems in Universal Algebras, 1970 (why rewriting ends).
//! *Leaves:* what needs new constants or several instructions (reassociation, multiplication by powers of two).
//!
//! Before:
//! ```text
//! ssa func f(x.1: int, y.1: int) -> int {
//! entry1:
//!   %1 = neg x.1
//!   %2 = add %1, y.1
//!   %3 = sub %2, y.1
//!   %4 = sub %3, %1
//!   ret %4
//! }
//! ```
//! After (`simplify` applies what is found here): `%2` by `rule(Add, &[X, Of(Neg, &[Y])], Of(Sub, &[X, Y]))`, its operands exchanged; `%3` by
//! `rule(Sub, &[Of(Sub, &[X, Y]), X], Of(Neg, &[Y]))`; `%4` becomes `add %3, x.1` by `rule(Sub, &[X, Of(Neg, &[Y])], Of(Add, &[X, Y]))`,
//! and that is 0 by `rule(Add, &[X, Of(Neg, &[X])], Int(0))`.
//! ```text
//! ssa func f(x.1: int, y.1: int) -> int {
//! entry1:
//!   %1 = neg x.1
//!   %2 = sub y.1, x.1
//!   %3 = neg x.1
//!   %4 = const 0
//!   ret %4
//! }
//! ```

use mini_ir::effects::constant;
use mini_ir::eval::Const;
use mini_ir::func::{Def, Func, Inst, Value};
use mini_ir::op::Op::{self, *};
use smallvec::SmallVec;

/// One side of a rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Term {
    /// Any value, the same wherever it stands in the rule.
    X,
    /// Any value, the same wherever it stands in the rule.
    Y,
    /// Any value, the same wherever it stands in the rule.
    Z,
    /// This int.
    Int(i64),
    /// This float, bit for bit.
    Float(f64),
    /// This bool.
    Bool(bool),
    /// This byte.
    Byte(u8),
    /// An operation on terms.
    Of(Op, &'static [Term]),
}

use Term::{Bool, Byte, Float, Int, Of, X, Y, Z};

/// A rule: `op args` is equal to `right`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rule {
    /// The operation of the left side.
    pub op: Op,
    /// The operands of the left side.
    pub args: &'static [Term],
    /// The right side: a letter of the left side, a constant, or an operation on such letters.
    pub right: Term,
}

const fn rule(op: Op, args: &'static [Term], right: Term) -> Rule {
    Rule { op, args, right }
}

const MIN: Term = Int(i64::MIN);
const MAX: Term = Int(i64::MAX);

/// The rules, in the order of the operations; of several that fit the first is applied.
#[rustfmt::skip]
pub static RULES: &[Rule] = &[
    rule(Copy, &[X], X),

    rule(Add, &[X, Int(0)], X),
    rule(Add, &[X, Of(Neg, &[X])], Int(0)),
    rule(Add, &[X, Of(Neg, &[Y])], Of(Sub, &[X, Y])),
    rule(Add, &[Y, Of(Sub, &[X, Y])], X),
    rule(Add, &[X, Of(Not, &[X])], Int(-1)),
    rule(Sub, &[X, Int(0)], X),
    rule(Sub, &[X, X], Int(0)),
    rule(Sub, &[Int(0), X], Of(Neg, &[X])),
    rule(Sub, &[X, Of(Neg, &[Y])], Of(Add, &[X, Y])),
    rule(Sub, &[X, Of(Sub, &[X, Y])], Y),
    rule(Sub, &[X, Of(Add, &[X, Y])], Of(Neg, &[Y])),
    rule(Sub, &[Of(Add, &[X, Y]), Y], X),
    rule(Sub, &[Of(Sub, &[X, Y]), X], Of(Neg, &[Y])),
    rule(Mul, &[X, Int(0)], Int(0)),
    rule(Mul, &[X, Int(1)], X),
    rule(Mul, &[X, Int(-1)], Of(Neg, &[X])),
    rule(Mul, &[Of(Neg, &[X]), Of(Neg, &[Y])], Of(Mul, &[X, Y])),
    rule(Div, &[X, Int(1)], X),
    rule(Div, &[X, Int(-1)], Of(Neg, &[X])),
    rule(Rem, &[X, Int(1)], Int(0)),
    rule(Rem, &[X, Int(-1)], Int(0)),
    rule(Neg, &[Of(Neg, &[X])], X),
    rule(Neg, &[Of(Sub, &[X, Y])], Of(Sub, &[Y, X])),

    rule(And, &[X, X], X),
    rule(And, &[X, Int(0)], Int(0)),
    rule(And, &[X, Int(-1)], X),
    rule(And, &[X, Bool(false)], Bool(false)),
    rule(And, &[X, Bool(true)], X),
    rule(And, &[X, Of(Not, &[X])], Int(0)),
    rule(And, &[X, Of(LogicalNot, &[X])], Bool(false)),
    rule(And, &[X, Of(Or, &[X, Y])], X),
    rule(Or, &[X, X], X),
    rule(Or, &[X, Int(0)], X),
    rule(Or, &[X, Int(-1)], Int(-1)),
    rule(Or, &[X, Bool(false)], X),
    rule(Or, &[X, Bool(true)], Bool(true)),
    rule(Or, &[X, Of(Not, &[X])], Int(-1)),
    rule(Or, &[X, Of(LogicalNot, &[X])], Bool(true)),
    rule(Or, &[X, Of(And, &[X, Y])], X),
    rule(Xor, &[X, X], Int(0)),
    rule(Xor, &[X, X], Bool(false)),
    rule(Xor, &[X, Int(0)], X),
    rule(Xor, &[X, Int(-1)], Of(Not, &[X])),
    rule(Xor, &[X, Bool(false)], X),
    rule(Xor, &[X, Bool(true)], Of(LogicalNot, &[X])),
    rule(Xor, &[X, Of(Not, &[X])], Int(-1)),
    rule(Xor, &[X, Of(LogicalNot, &[X])], Bool(true)),
    rule(Xor, &[X, Of(Xor, &[X, Y])], Y),
    rule(Not, &[Of(Not, &[X])], X),
    rule(Shl, &[X, Int(0)], X),
    rule(Shl, &[Int(0), X], Int(0)),
    rule(Shr, &[X, Int(0)], X),
    rule(Shr, &[Int(0), X], Int(0)),
    rule(Shr, &[Int(-1), X], Int(-1)),
    rule(Ushr, &[X, Int(0)], X),
    rule(Ushr, &[Int(0), X], Int(0)),

    rule(Abs, &[Of(Abs, &[X])], Of(Abs, &[X])),
    rule(Abs, &[Of(Neg, &[X])], Of(Abs, &[X])),
    rule(Min, &[X, X], X),
    rule(Min, &[X, MIN], MIN),
    rule(Min, &[X, MAX], X),
    rule(Min, &[X, Of(Min, &[X, Y])], Of(Min, &[X, Y])),
    rule(Min, &[X, Of(Max, &[X, Y])], X),
    rule(Max, &[X, X], X),
    rule(Max, &[X, MIN], X),
    rule(Max, &[X, MAX], MAX),
    rule(Max, &[X, Of(Max, &[X, Y])], Of(Max, &[X, Y])),
    rule(Max, &[X, Of(Min, &[X, Y])], X),

    rule(LogicalNot, &[Of(LogicalNot, &[X])], X),
    rule(LogicalNot, &[Of(Eq, &[X, Y])], Of(Ne, &[X, Y])),
    rule(LogicalNot, &[Of(Ne, &[X, Y])], Of(Eq, &[X, Y])),
    rule(LogicalNot, &[Of(Lt, &[X, Y])], Of(Ge, &[X, Y])),
    rule(LogicalNot, &[Of(Le, &[X, Y])], Of(Gt, &[X, Y])),
    rule(LogicalNot, &[Of(Gt, &[X, Y])], Of(Le, &[X, Y])),
    rule(LogicalNot, &[Of(Ge, &[X, Y])], Of(Lt, &[X, Y])),
    rule(LogicalNot, &[Of(Feq, &[X, Y])], Of(Fne, &[X, Y])),
    rule(LogicalNot, &[Of(Fne, &[X, Y])], Of(Feq, &[X, Y])),
    rule(Eq, &[X, X], Bool(true)),
    rule(Eq, &[X, Bool(true)], X),
    rule(Eq, &[X, Bool(false)], Of(LogicalNot, &[X])),
    rule(Eq, &[Of(Sub, &[X, Y]), Int(0)], Of(Eq, &[X, Y])),
    rule(Eq, &[Of(Xor, &[X, Y]), Int(0)], Of(Eq, &[X, Y])),
    rule(Eq, &[Of(BoolToInt, &[X]), Int(0)], Of(LogicalNot, &[X])),
    rule(Eq, &[Of(BoolToInt, &[X]), Int(1)], X),
    rule(Ne, &[X, X], Bool(false)),
    rule(Ne, &[X, Bool(true)], Of(LogicalNot, &[X])),
    rule(Ne, &[X, Bool(false)], X),
    rule(Ne, &[Of(Sub, &[X, Y]), Int(0)], Of(Ne, &[X, Y])),
    rule(Ne, &[Of(Xor, &[X, Y]), Int(0)], Of(Ne, &[X, Y])),
    rule(Ne, &[Of(BoolToInt, &[X]), Int(0)], X),
    rule(Ne, &[Of(BoolToInt, &[X]), Int(1)], Of(LogicalNot, &[X])),
    rule(Lt, &[X, X], Bool(false)),
    rule(Lt, &[X, MIN], Bool(false)),
    rule(Lt, &[MAX, X], Bool(false)),
    rule(Lt, &[X, Byte(0)], Bool(false)),
    rule(Le, &[X, X], Bool(true)),
    rule(Le, &[X, MAX], Bool(true)),
    rule(Le, &[MIN, X], Bool(true)),
    rule(Le, &[Byte(0), X], Bool(true)),
    rule(Gt, &[X, X], Bool(false)),
    rule(Gt, &[X, MAX], Bool(false)),
    rule(Gt, &[MIN, X], Bool(false)),
    rule(Gt, &[Byte(0), X], Bool(false)),
    rule(Ge, &[X, X], Bool(true)),
    rule(Ge, &[X, MIN], Bool(true)),
    rule(Ge, &[MAX, X], Bool(true)),
    rule(Ge, &[X, Byte(0)], Bool(true)),

    rule(Fadd, &[X, Float(-0.0)], X),
    rule(Fadd, &[X, Of(Fneg, &[Y])], Of(Fsub, &[X, Y])),
    rule(Fsub, &[X, Float(0.0)], X),
    rule(Fsub, &[Float(-0.0), X], Of(Fneg, &[X])),
    rule(Fsub, &[X, Of(Fneg, &[Y])], Of(Fadd, &[X, Y])),
    rule(Fmul, &[X, Float(1.0)], X),
    rule(Fmul, &[X, Float(-1.0)], Of(Fneg, &[X])),
    rule(Fmul, &[Of(Fneg, &[X]), Of(Fneg, &[Y])], Of(Fmul, &[X, Y])),
    rule(Fdiv, &[X, Float(1.0)], X),
    rule(Fdiv, &[X, Float(-1.0)], Of(Fneg, &[X])),
    rule(Fdiv, &[Of(Fneg, &[X]), Of(Fneg, &[Y])], Of(Fdiv, &[X, Y])),
    rule(Fneg, &[Of(Fneg, &[X])], X),
    rule(Fabs, &[Of(Fabs, &[X])], Of(Fabs, &[X])),
    rule(Fabs, &[Of(Fneg, &[X])], Of(Fabs, &[X])),
    rule(Ffloor, &[Of(Ffloor, &[X])], Of(Ffloor, &[X])),
    rule(Ffloor, &[Of(IntToFloat, &[X])], Of(IntToFloat, &[X])),
    rule(Fceil, &[Of(Fceil, &[X])], Of(Fceil, &[X])),
    rule(Fceil, &[Of(IntToFloat, &[X])], Of(IntToFloat, &[X])),
    rule(Ftrunc, &[Of(Ftrunc, &[X])], Of(Ftrunc, &[X])),
    rule(Ftrunc, &[Of(IntToFloat, &[X])], Of(IntToFloat, &[X])),
    rule(Fmin, &[X, X], X),
    rule(Fmax, &[X, X], X),
    rule(Flt, &[X, X], Bool(false)),
    rule(Fgt, &[X, X], Bool(false)),

    rule(IntToByte, &[Of(ByteToInt, &[X])], X),
    rule(BitsToFloat, &[Of(FloatToBits, &[X])], X),
    rule(Select, &[Bool(true), X, Y], X),
    rule(Select, &[Bool(false), X, Y], Y),
    rule(Select, &[X, Y, Y], Y),
    rule(Select, &[X, Bool(true), Bool(false)], X),
    rule(Select, &[X, Bool(false), Bool(true)], Of(LogicalNot, &[X])),
    rule(Select, &[Of(LogicalNot, &[X]), Y, Z], Of(Select, &[X, Z, Y])),
];

/// What an instruction is equal to.
#[derive(Clone, PartialEq, Debug)]
pub enum Simpler {
    /// A value that its operands are made of.
    Value(Value),
    /// A constant.
    Const(Const),
    /// Another operation on other operands.
    Op(Op, SmallVec<[Value; 3]>),
}

/// What an instruction is equal to by the first rule that fits.
pub fn apply(func: &Func, inst: Inst) -> Option<Simpler> {
    let op = func.op(inst);
    let start = RULES.partition_point(|rule| rule.op < op);
    RULES[start..].iter().take_while(|rule| rule.op == op).find_map(|rule| {
        let mut letters = Letters::default();
        (letters.operands(func, inst, rule.args)).then(|| letters.instance(func, inst, &rule.right))?
    })
}

/// What the letters stand for.
#[derive(Clone, Copy, Default)]
struct Letters([Option<Value>; 3]);

impl Letters {
    /// Whether the operands of an instruction look like these terms, in either order where they may be exchanged.
    fn operands(&mut self, func: &Func, inst: Inst, terms: &[Term]) -> bool {
        let args: SmallVec<[Value; 3]> = func.args(inst).collect();
        let before = *self;
        if self.all(func, &args, terms) {
            return true;
        }
        *self = before;
        matches!((func.op(inst).commutes(), &args[..]), (true, &[a, b]) if self.all(func, &[b, a], terms))
    }

    /// Letters and constants first: what they stand for decides which way round the operands of `Of` are taken.
    fn all(&mut self, func: &Func, args: &[Value], terms: &[Term]) -> bool {
        let is_operation = |term: &Term| matches!(term, Of(..));
        args.len() == terms.len()
            && (args.iter().zip(terms)).filter(|(_, t)| !is_operation(t)).all(|(&arg, term)| self.one(func, arg, term))
            && (args.iter().zip(terms)).filter(|(_, t)| is_operation(t)).all(|(&arg, term)| self.one(func, arg, term))
    }

    fn one(&mut self, func: &Func, value: Value, term: &Term) -> bool {
        match *term {
            X | Y | Z => *self.letter(term).get_or_insert(value) == value,
            Int(_) | Float(_) | Bool(_) | Byte(_) => constant(func, value) == term.constant(),
            Of(op, args) => match func.def(value) {
                Def::Result(inst, _) => func.op(inst) == op && self.operands(func, inst, args),
                Def::None | Def::BlockParam(..) | Def::FuncParam(_) | Def::Variable => false,
            },
        }
    }

    fn letter(&mut self, term: &Term) -> &mut Option<Value> {
        &mut self.0[match term {
            X => 0,
            Y => 1,
            Z => 2,
            Int(_) | Float(_) | Bool(_) | Byte(_) | Of(..) => unreachable!("not a letter"),
        }]
    }

    /// The right side; `None` for a constant of another type than the instruction's, whose row is meant for that type.
    fn instance(&mut self, func: &Func, inst: Inst, right: &Term) -> Option<Simpler> {
        let mut value = |term: &Term| self.letter(term).expect("the left side has every letter of the right side");
        Some(match *right {
            X | Y | Z => Simpler::Value(value(right)),
            Of(op, args) => Simpler::Op(op, args.iter().map(value).collect()),
            Int(_) | Float(_) | Bool(_) | Byte(_) => {
                Simpler::Const(right.constant().filter(|c| c.ty() == func.ty(func.result(inst)))?)
            }
        })
    }
}

impl Term {
    /// The constant that it is.
    pub fn constant(&self) -> Option<Const> {
        match *self {
            Int(n) => Some(Const::Int(n)),
            Float(x) => Some(Const::float(x)),
            Bool(b) => Some(Const::Bool(b)),
            Byte(b) => Some(Const::Byte(b)),
            X | Y | Z | Of(..) => None,
        }
    }
}

#[cfg(test)]
mod tests;
