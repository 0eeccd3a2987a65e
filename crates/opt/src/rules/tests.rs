//! Every row of the table is right: both sides are computed by `eval` for many values of all types that fit.

use super::*;
use mini_base::testing::Random;
use mini_ir::eval::{eval, result_type};
use mini_ir::module::ModuleInfo;
use mini_ir::types::Type;

/// What a term computes; `None` is ⊥.
type Result = Option<Const>;

/// The type of a term whose letters have these types, if it has one.
fn type_of(term: &Term, letters: [Type; 3]) -> Option<Type> {
    match term {
        X => Some(letters[0]),
        Y => Some(letters[1]),
        Z => Some(letters[2]),
        Int(_) | Float(_) | Bool(_) | Byte(_) => term.constant().map(Const::ty),
        Of(op, args) => {
            let args: Option<Vec<Type>> = args.iter().map(|arg| type_of(arg, letters)).collect();
            result_type(*op, &args?)
        }
    }
}

/// docs/ir.md: an operation on ⊥ gives ⊥, but `select` looks at the arm that it chooses only.
fn compute(term: &Term, letters: [Result; 3]) -> Result {
    match term {
        X => letters[0],
        Y => letters[1],
        Z => letters[2],
        Int(_) | Float(_) | Bool(_) | Byte(_) => term.constant(),
        Of(Select, [c, a, b]) => match compute(c, letters)? {
            Const::Bool(c) => compute(if c { a } else { b }, letters),
            other => panic!("`select` by {other:?}"),
        },
        Of(op, args) => {
            let args: Option<Vec<Const>> = args.iter().map(|arg| compute(arg, letters)).collect();
            let result = eval(*op, &args?, &ModuleInfo::default()).unwrap_or_else(|trap| panic!("{term:?}: {trap}"));
            Some(result.unwrap_or_else(|| panic!("{term:?} can't be computed")))
        }
    }
}

fn values(ty: Type, random: &mut Random) -> Vec<Result> {
    let mut values: Vec<Result> = match ty {
        Type::Int => {
            let mut ints = vec![i64::MIN, i64::MIN + 1, -64, -2, -1, 0, 1, 2, 63, 64, 255, i64::MAX];
            ints.push(random.below(usize::MAX) as i64);
            ints.into_iter().map(|n| Some(Const::Int(n))).collect()
        }
        Type::Float => {
            let (nan, inf) = (f64::NAN, f64::INFINITY);
            let floats = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e300, f64::MIN_POSITIVE / 4.0, inf, -inf, nan, -nan];
            floats.into_iter().map(|x| Some(Const::float(x))).collect()
        }
        Type::Bool => [true, false].map(|b| Some(Const::Bool(b))).into(),
        Type::Byte => [0, 1, 127, 128, 255].map(|b| Some(Const::Byte(b))).into(),
        Type::Ref => vec![Some(Const::Null)],
        Type::Addr => unreachable!("no rule is about addresses"),
    };
    values.push(None);
    values
}

/// Floats up to the bits of a NaN.
fn same(a: Const, b: Const) -> bool {
    match (a, b) {
        (Const::Float(a), Const::Float(b)) if f64::from_bits(a).is_nan() => f64::from_bits(b).is_nan(),
        _ => a == b,
    }
}

/// Tries a rule on many values; tells on how many, or on which it is wrong.
fn try_rule(rule: &Rule) -> std::result::Result<usize, String> {
    let (left, mut random, mut tried) = (Of(rule.op, rule.args), Random(1), 0);
    for types in (0..125).map(|n| [n % 5, n / 5 % 5, n / 25].map(|t| Type::ALL[t])) {
        let Some(ty) = type_of(&left, types) else { continue };
        match type_of(&rule.right, types) {
            Some(right) if right == ty => {}
            _ if rule.right.constant().is_some() => continue, // `instance` refuses it
            other => return Err(format!("{ty} becomes {other:?}")),
        }
        let [xs, ys, zs] = &types.map(|ty| values(ty, &mut random));
        let all = xs.iter().flat_map(|&x| ys.iter().flat_map(move |&y| zs.iter().map(move |&z| (x, y, z))));
        for (x, y, z) in all {
            let Some(wanted) = compute(&left, [x, y, z]) else { continue };
            tried += 1;
            match compute(&rule.right, [x, y, z]) {
                Some(got) if same(wanted, got) => {}
                got => return Err(format!("{:?}: {wanted:?} becomes {got:?}", [x, y, z])),
            }
        }
    }
    Ok(tried)
}

#[test]
fn every_rule_is_right() {
    for rule in RULES {
        match try_rule(rule) {
            Ok(tried) => assert!(tried > 0, "no types fit {rule:?}"),
            Err(wrong) => panic!("{rule:?} is wrong for {wrong}"),
        }
    }
}

#[test]
fn wrong_rules_are_refuted() {
    let wrong = [
        rule(Fadd, &[X, Float(0.0)], X),
        rule(Fsub, &[X, X], Float(0.0)),
        rule(Fmul, &[X, Float(0.0)], Float(0.0)),
        rule(Fneg, &[Of(Fsub, &[X, Y])], Of(Fsub, &[Y, X])),
        rule(Feq, &[X, X], Bool(true)),
        rule(LogicalNot, &[Of(Flt, &[X, Y])], Of(Fge, &[X, Y])),
        rule(FloatToBits, &[Of(BitsToFloat, &[X])], X),
        rule(FloatToInt, &[Of(IntToFloat, &[X])], X),
        rule(ByteToInt, &[Of(IntToByte, &[X])], X),
        rule(Abs, &[X], X),
        rule(Lt, &[Of(Sub, &[X, Y]), Int(0)], Of(Lt, &[X, Y])), // overflow
        rule(Shr, &[Of(Shl, &[X, Y]), Y], X),
        rule(Select, &[X, X, Y], Of(Or, &[X, Y])),            // ⊥
        rule(Select, &[X, Y, Bool(false)], Of(And, &[X, Y])), // ⊥
    ];
    for rule in wrong {
        assert!(try_rule(&rule).is_err(), "{rule:?}");
    }
}

#[test]
#[should_panic(expected = "division by zero")]
fn a_rule_for_what_may_trap_is_refuted() {
    let _ = try_rule(&rule(Div, &[X, X], Int(1)));
}

/// How many operations and constants a term has.
fn size(term: &Term) -> usize {
    match term {
        X | Y | Z => 0,
        Int(_) | Float(_) | Bool(_) | Byte(_) => 1,
        Of(_, args) => 1 + args.iter().map(size).sum::<usize>(),
    }
}

#[test]
fn rules_stand_in_order_and_make_things_smaller() {
    assert!(RULES.is_sorted_by_key(|rule| rule.op));
    for (n, rule) in RULES.iter().enumerate() {
        let left = Of(rule.op, rule.args);
        assert!(size(&rule.right) < size(&left) || (size(&left) == 1 && rule.right.constant().is_some()), "{rule:?}");
        if let Of(_, args) = rule.right {
            assert!(args.iter().all(|arg| matches!(arg, X | Y | Z)), "the right side of {rule:?} is one operation");
        }
        assert!(!RULES[..n].contains(rule), "{rule:?} is there twice");
    }
}
