//! What the tests of this crate share: random functions, running them in the interpreter, and comparing two runs.

use mini_analysis::sample_graphs::random_tac;
use mini_base::source::Pos;
use mini_base::testing::Random;
use mini_interp::host::MemoryHost;
use mini_interp::machine::{self, Counting};
use mini_interp::outcome::End;
use mini_ir::builtin::Builtin;
use mini_ir::func::{Def, Func, Imm, Inst, Value};
use mini_ir::op::Op;
use mini_ir::testing::{module, text};

/// A random TAC function of an int and a bool, in which every operation on ints occurs, checks, output, and, in one of four
/// functions, variables without a value.
pub fn random_function(random: &mut Random) -> Func {
    let (count, variables) = (1 + random.below(10), 1 + random.below(5));
    let mut func = random_tac(random, count, variables);
    let insts: Vec<Inst> = func.blocks().flat_map(|block| func.insts(block)).collect();
    for inst in insts {
        match func.op(inst) {
            Op::Add => vary(random, &mut func, inst),
            Op::Const => {
                let n = [-1, 0, 0, 1, 1, 2, 3, 64, i64::MAX, i64::MIN][random.below(10)];
                func.set_op(inst, Op::Const, Imm::Int(n));
            }
            _ => {}
        }
    }
    if !random.once_in(4) {
        initialise(random, &mut func);
    }
    func
}

/// Makes an addition another operation, perhaps with a check or output before it.
fn vary(random: &mut Random, func: &mut Func, inst: Inst) {
    use Op::{Abs, Add, And, Div, Max, Min, Mul, Neg, Not, Or, Rem, Shl, Shr, Sub, Ushr, Xor};
    let op = [Add, Add, Sub, Sub, Sub, Mul, And, Or, Xor, Min, Max, Shl, Shr, Ushr, Div, Rem, Neg, Not, Abs]
        [random.below(19)];
    let args: Vec<Value> = func.args(inst).collect();
    if [Neg, Not, Abs].contains(&op) {
        func.set_args(inst, &args[..1]);
    }
    func.set_op(inst, op, Imm::None);
    let extra = match random.below(12) {
        0 => (Op::CheckStep, Imm::None),
        1 | 2 => (Op::Builtin, Imm::Builtin(Builtin::out_int)),
        _ => return,
    };
    let extra = func.create_inst(extra.0, extra.1, &args[..1], Pos::NONE);
    func.insert_before(inst, extra);
}

/// Gives every variable a value at the start.
fn initialise(random: &mut Random, func: &mut Func) {
    let used = |func: &Func, v: &Value| func.def(*v) == Def::Variable && !func.params.contains(v);
    let all = func.blocks().flat_map(|b| func.insts(b)).flat_map(|i| func.args(i)).filter(|v| used(func, v));
    let mut variables: Vec<Value> = all.collect();
    variables.sort_unstable();
    variables.dedup();
    let entry = func.entry();
    for variable in variables {
        let start = func.create_inst(Op::Const, Imm::Int(random.below(4) as i64), &[], Pos::NONE);
        func.set_results(start, &[variable]);
        func.prepend_inst(entry, start);
    }
}

/// How a run went.
#[derive(Debug)]
pub struct Run {
    pub end: End,
    pub stdout: Vec<u8>,
    /// Executed operations.
    pub total: u64,
}

/// Runs a function called `graph` of an int and a bool to an int, and prints its result.
pub fn run(func: &Func, number: i64, flag: bool) -> Run {
    let main = format!(
        "func main() {{\na:\n  %1 = const {number}\n  %2 = const {flag}\n  %3 = call graph(%1, %2)\n  rt out_int(%3)\n  ret\n}}\n"
    );
    let module = module(&(main + &text(func)));
    let mut host = MemoryHost::default();
    let options = machine::Options { counting: Counting::On, fuel: Some(3_000), ..machine::Options::default() };
    let outcome = machine::run(&module, &mut host, options);
    Run { end: outcome.end, stdout: host.stdout, total: outcome.counts.total() }
}

/// Fails unless the second run did what the first one did, with no more operations. Where the first one read ⊥ or was stopped, the
/// second one may go on.
pub fn assert_same(before: &Run, after: &Run, what: &str) {
    match &before.end {
        End::Undefined(_) | End::OutOfFuel => {
            assert!(after.stdout.starts_with(&before.stdout), "{what}: {before:?} {after:?}");
        }
        end => {
            assert_eq!((end, &before.stdout), (&after.end, &after.stdout), "{what}");
            assert!(after.total <= before.total, "{what}: {} operations became {}", before.total, after.total);
        }
    }
}
