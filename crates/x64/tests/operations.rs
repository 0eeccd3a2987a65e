//! Every operation on scalars, on interesting values, as registers and as constants: what machine code computes is what
//! `eval` says.

mod common;

use mini_ir::eval::compute;
use mini_ir::op::{Op, Signature};
use mini_ir::types::Type;
use std::fmt::Write;

const INTS: [i64; 17] = [
    0,
    1,
    -1,
    2,
    -2,
    7,
    -8,
    63,
    64,
    127,
    i64::MIN,
    i64::MAX,
    1 << 31,
    -(1 << 31),
    (1 << 31) - 1,
    1 << 32,
    0x1234_5678_9abc_def0,
];

const FLOATS: [f64; 17] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -1.5,
    2.5,
    1e300,
    -1e300,
    9223372036854774784.0,
    9223372036854775808.0,
    -9223372036854775808.0,
    9007199254740993.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    5e-324,
];

/// Exit statuses that say which case failed.
const STATUSES: usize = 90;

fn values(ty: Type) -> Vec<u64> {
    match ty {
        Type::Int => INTS.iter().map(|&n| n as u64).collect(),
        Type::Float => FLOATS.iter().map(|x| x.to_bits()).collect(),
        Type::Bool => vec![0, 1],
        Type::Byte => vec![0, 1, 127, 128, 255],
        Type::Ref | Type::Addr => vec![0],
    }
}

/// A constant in IR text; made from its bits where text has no form for it.
fn constant(out: &mut String, name: &str, ty: Type, word: u64) {
    let _ = match ty {
        Type::Int => writeln!(out, "  {name} = const {}", word as i64),
        Type::Float => {
            let x = f64::from_bits(word);
            if x.is_finite() {
                writeln!(out, "  {name} = const {x:?}")
            } else {
                let bits = format!("{}.1", name.replace('%', "bits_"));
                writeln!(out, "  {bits} = const {}\n  {name} = bits_to_float {bits}", word as i64)
            }
        }
        Type::Bool => writeln!(out, "  {name} = const {}", word != 0),
        Type::Byte => writeln!(out, "  {name} = const '\\x{word:02x}'"),
        Type::Ref | Type::Addr => writeln!(out, "  {name} = const null"),
    };
}

/// The types that an operation works on, and of its result.
fn forms(op: Op) -> Vec<(Vec<Type>, Type)> {
    match op.info().signature {
        Signature::Fixed(params, &[result]) => vec![(params.to_vec(), result)],
        Signature::IntOrBool2 => [Type::Int, Type::Bool].map(|t| (vec![t, t], t)).to_vec(),
        Signature::Comparable | Signature::Ordered => {
            [Type::Int, Type::Bool, Type::Byte].map(|t| (vec![t, t], Type::Bool)).to_vec()
        }
        _ => Vec::new(),
    }
}

#[derive(Default)]
struct Tests {
    functions: String,
    main: String,
    bad: String,
    count: usize,
    cases: Vec<String>,
}

impl Tests {
    /// A function that does one operation, with some of its operands constant.
    fn function(&mut self, op: Op, params: &[Type], result: Type, fixed: &[Option<u64>]) -> String {
        let name = format!("t{}", self.count);
        self.count += 1;
        let head: Vec<String> = (0..params.len())
            .filter(|&i| fixed[i].is_none())
            .map(|i| format!("{}: {}", ["a.1", "b.1"][i], params[i]))
            .collect();
        let _ = writeln!(self.functions, "cssa func {name}({}) -> {result} {{\nentry1:", head.join(", "));
        let mut args = Vec::new();
        for (i, &ty) in params.iter().enumerate() {
            let arg = ["%1", "%2"][i];
            if let Some(word) = fixed[i] {
                constant(&mut self.functions, arg, ty, word);
            }
            args.push(if fixed[i].is_some() { arg } else { ["a.1", "b.1"][i] });
        }
        let _ = writeln!(self.functions, "  %3 = {} {}\n  ret %3\n}}", op.name(), args.join(", "));
        name
    }

    /// The same as the condition of a branch.
    fn branching(&mut self, op: Op, params: &[Type]) -> String {
        let name = format!("t{}", self.count);
        self.count += 1;
        let _ = write!(
            self.functions,
            "cssa func {name}(a.1: {}, b.1: {}) -> bool {{\nentry1:\n  %3 = {} a.1, b.1\n  br %3, yes2, no3\nyes2:\n  %4 = const true\n  ret %4\nno3:\n  %5 = const false\n  ret %5\n}}\n",
            params[0],
            params[1],
            op.name()
        );
        name
    }

    /// The same as the condition of selections.
    fn selecting(&mut self, op: Op, params: &[Type], chosen: Type) -> String {
        let name = format!("t{}", self.count);
        self.count += 1;
        let (one, zero, last) = match chosen {
            Type::Float => ("1.0", "0.0", "  %8 = const 0.5\n  %7 = fgt %6, %8\n"),
            _ => ("true", "false", "  %7 = copy %6\n"),
        };
        let _ = write!(
            self.functions,
            "cssa func {name}(a.1: {}, b.1: {}) -> bool {{\nentry1:\n  %4 = const {one}\n  %5 = const {zero}\n  %3 = {} a.1, b.1\n  %6 = select %3, %4, %5\n{last}  ret %7\n}}\n",
            params[0],
            params[1],
            op.name()
        );
        name
    }

    /// Calls a function and compares; the first difference ends `main` with a number of the case.
    fn check(&mut self, function: &str, args: &[(Type, u64)], result: Type, want: u64) {
        let n = self.main.len();
        let mut names = Vec::new();
        for (i, &(ty, word)) in args.iter().enumerate() {
            let name = format!("%{}", (n + i) * 10 + 10);
            constant(&mut self.main, &name, ty, word);
            names.push(name);
        }
        let base = n * 10 + 40;
        let _ = writeln!(self.main, "  %{base} = call {function}({})", names.join(", "));
        let (got, ty) = if result == Type::Float {
            let _ = writeln!(self.main, "  %{} = float_to_bits %{base}", base + 1);
            (base + 1, Type::Int)
        } else {
            (base, result)
        };
        constant(&mut self.main, &format!("%{}", base + 2), ty, want);
        let _ = writeln!(
            self.main,
            "  %{} = eq %{got}, %{}\n  br %{}, next{base}, bad{base}\nnext{base}:",
            base + 3,
            base + 2,
            base + 3
        );
        let status = self.cases.len() % STATUSES + 1;
        let _ = writeln!(self.bad, "bad{base}:\n  %{} = const {status}\n  ret %{}", base + 4, base + 4);
        self.cases.push(format!("{function}{args:x?} is not {want:x}"));
    }

    fn program(&self) -> String {
        format!(
            "{}cssa func main() -> int {{\nentry1:\n{}  %2 = const 0\n  ret %2\n{}}}\n",
            self.functions, self.main, self.bad
        )
    }
}

fn canonical(ty: Type, word: u64) -> u64 {
    if ty == Type::Float && f64::from_bits(word).is_nan() { 0x7ff8_0000_0000_0000 } else { word }
}

/// Tests one operation in all its forms.
fn test(op: Op) {
    for (params, result) in forms(op) {
        let mut tests = Tests::default();
        let all: Vec<Vec<u64>> = match params[..] {
            [a] => values(a).into_iter().map(|x| vec![x]).collect(),
            [a, b] => values(a).into_iter().flat_map(|x| values(b).into_iter().map(move |y| vec![x, y])).collect(),
            _ => continue,
        };
        let general = tests.function(op, &params, result, &[None, None]);
        let mut functions = vec![(general, vec![None; params.len()])];
        for i in 0..params.len() {
            for word in values(params[i]) {
                let mut fixed = vec![None; params.len()];
                fixed[i] = Some(word);
                functions.push((tests.function(op, &params, result, &fixed), fixed));
            }
        }
        if result == Type::Bool && params.len() == 2 {
            functions.push((tests.branching(op, &params), vec![None, None]));
            functions.push((tests.selecting(op, &params, Type::Float), vec![None, None]));
            functions.push((tests.selecting(op, &params, Type::Bool), vec![None, None]));
        }
        for words in all {
            let Ok(want) = compute(op, words[0], *words.get(1).unwrap_or(&0)) else { continue };
            for (function, fixed) in &functions {
                if fixed.iter().zip(&words).any(|(f, w)| f.is_some_and(|f| f != *w)) {
                    continue;
                }
                let args: Vec<(Type, u64)> =
                    (0..params.len()).filter(|&i| fixed[i].is_none()).map(|i| (params[i], words[i])).collect();
                tests.check(function, &args, result, canonical(result, want));
            }
        }
        let program = tests.program();
        let status = common::result(&program) as usize;
        let suspects: Vec<&String> =
            tests.cases.iter().skip(status.wrapping_sub(1)).step_by(STATUSES).take(5).collect();
        assert_eq!(status, 0, "{}: one of {suspects:?}", op.name());
    }
}

#[test]
fn int_operations() {
    for op in [
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Neg,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Not,
        Op::Abs,
        Op::Min,
        Op::Max,
        Op::LogicalNot,
    ] {
        test(op);
    }
}

#[test]
fn divisions_and_shifts() {
    for op in [Op::Div, Op::Rem, Op::Shl, Op::Shr, Op::Ushr] {
        test(op);
    }
}

#[test]
fn int_comparisons() {
    for op in [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge] {
        test(op);
    }
}

#[test]
fn float_operations() {
    for op in [
        Op::Fadd,
        Op::Fsub,
        Op::Fmul,
        Op::Fdiv,
        Op::Fneg,
        Op::Fabs,
        Op::Fsqrt,
        Op::Ffloor,
        Op::Fceil,
        Op::Ftrunc,
        Op::Fmin,
        Op::Fmax,
    ] {
        test(op);
    }
}

#[test]
fn float_comparisons() {
    for op in [Op::Feq, Op::Fne, Op::Flt, Op::Fle, Op::Fgt, Op::Fge] {
        test(op);
    }
}

#[test]
fn conversions() {
    for op in
        [Op::IntToFloat, Op::FloatToInt, Op::IntToByte, Op::ByteToInt, Op::BoolToInt, Op::FloatToBits, Op::BitsToFloat]
    {
        test(op);
    }
}
