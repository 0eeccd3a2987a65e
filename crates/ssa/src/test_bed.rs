//! What the tests of this crate share: a small machine that runs functions of every phase, and checks of SSA and CSSA by
//! definition.
//!
//! The machine knows the operations of `sample_graphs::random_tac` only. What was never assigned reads as 0, so that TAC and
//! SSA with `undef` can be compared. In CSSA it can be told to keep each phi web in one place: then block parameters
//! cost nothing and parallel copies are run as the sequence of moves that `sequentialize` gives.

use crate::phi_webs::PhiWebs;
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::liveness::Liveness;
use mini_analysis::liveness_iterative;
use mini_base::ids::Id;
use mini_base::sequentialize::{Step, sequentialize};
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Def, Edge, Func, Imm, Inst, Phase, Value};
use mini_ir::module::Module;
use mini_ir::op::Op;
pub use mini_ir::testing::{example, func, text};
use mini_ir::verify::verify;
use rustc_hash::FxHashMap;

/// How a run went: the decisions of branches and switches, then the result. `None`: it made [`DECISIONS`] without an end, or
/// came back to a block without a decision in between, so that it never ends. Neither depends on the phase.
pub type Trace = (Vec<i64>, Option<i64>);

const DECISIONS: usize = 60;

/// Runs a function, every value in a place of its own.
pub fn run(func: &Func, args: &[i64]) -> Trace {
    Machine {
        func,
        place: (0..func.value_count()).collect(),
        memory: vec![0; func.value_count() + 1],
        slots: FxHashMap::default(),
    }
    .run(args)
}

/// Runs a function of CSSA, every phi web in one place.
pub fn run_by_webs(func: &Func, args: &[i64]) -> Trace {
    assert_eq!(func.phase, Phase::Cssa);
    let webs = PhiWebs::new(func);
    let place: Vec<usize> = (0..func.value_count()).map(|v| webs.web(Value::new(v)).index()).collect();
    Machine { func, place, memory: vec![0; webs.count() + 1], slots: FxHashMap::default() }.run(args)
}

/// Fails unless two runs went the same way, to the same end if there is one.
pub fn assert_same(a: &Trace, b: &Trace, what: &str) {
    assert_eq!(a.0, b.0, "{what}: decisions");
    assert_eq!(a.1, b.1, "{what}: result");
}

struct Machine<'f> {
    func: &'f Func,
    place: Vec<usize>,
    /// One more than there are places: the last one is the temporary.
    memory: Vec<i64>,
    slots: FxHashMap<i64, i64>,
}

impl Machine<'_> {
    fn get(&self, value: Value) -> i64 {
        self.memory[self.place[value.index()]]
    }

    fn set(&mut self, value: Value, number: i64) {
        self.memory[self.place[value.index()]] = number;
    }

    fn run(&mut self, args: &[i64]) -> Trace {
        let func = self.func;
        for (&param, &arg) in func.params.iter().zip(args) {
            self.set(param, arg);
        }
        let mut decisions = Vec::new();
        let mut block = func.entry();
        let mut undecided = 0;
        while decisions.len() < DECISIONS && undecided <= func.block_count() {
            undecided += 1;
            for inst in func.insts(block).filter(|&i| !func.op(i).is_terminator()) {
                self.step(inst);
            }
            let end = func.terminator(block).expect("a block ends in a terminator");
            let edges: Vec<Edge> = func.edges(end).collect();
            let edge = match func.op(end) {
                Op::Return => {
                    let result = if func.arg_count(end) > 0 { self.get(func.arg(end, 0)) } else { 0 };
                    return (decisions, Some(result));
                }
                Op::Jump => edges[0],
                Op::Branch | Op::Switch => {
                    let subject = self.get(func.arg(end, 0));
                    decisions.push(subject);
                    undecided = 0;
                    match func.imm(end) {
                        Imm::Cases(cases) => {
                            let at = func.cases(cases).iter().position(|&c| c == subject);
                            edges[at.unwrap_or(edges.len() - 1)]
                        }
                        _ => edges[usize::from(subject == 0)],
                    }
                }
                op => panic!("the machine does not know {}", op.name()),
            };
            let target = func.edge_target(edge);
            let numbers: Vec<i64> = func.edge_args(edge).map(|a| self.get(a)).collect();
            assert_eq!(
                numbers.len(),
                func.block_params(target).len(),
                "arguments of an edge to {}",
                func.label(target)
            );
            for (&param, number) in func.block_params(target).iter().zip(numbers) {
                self.set(param, number); // by webs this writes what is there
            }
            block = target;
        }
        (decisions, None)
    }

    fn step(&mut self, inst: Inst) {
        let func = self.func;
        let args: Vec<i64> = func.args(inst).map(|a| self.get(a)).collect();
        let number = match (func.op(inst), func.imm(inst)) {
            (Op::Const, Imm::Int(n)) => n,
            (Op::Undef, _) => 0,
            (Op::Copy, _) => args[0],
            (Op::Add, _) => args[0].wrapping_add(args[1]),
            (Op::Neg, _) => args[0].wrapping_neg(),
            (Op::Lt, _) => i64::from(args[0] < args[1]),
            // The address of a slot is its instruction.
            (Op::Slot, _) => inst.index() as i64,
            (Op::Load, _) => self.slots.get(&args[0]).copied().unwrap_or(0),
            (Op::Store, _) => {
                self.slots.insert(args[0], args[1]);
                return;
            }
            (Op::ParallelCopy, _) => {
                let copies: Vec<(usize, usize)> = (func.results(inst).iter().zip(func.args(inst)))
                    .map(|(&dst, src)| (self.place[dst.index()], self.place[src.index()]))
                    .collect();
                let temp = self.memory.len() - 1;
                for step in sequentialize(&copies, |_| Some(temp)) {
                    match step {
                        Step::Copy { dst, src } => self.memory[dst] = self.memory[src],
                        Step::Exchange { .. } => unreachable!("a temporary was given"),
                    }
                }
                return;
            }
            (op, _) => panic!("the machine does not know {}", op.name()),
        };
        self.set(func.result(inst), number);
    }
}

/// Runs a pass on the example of its file's head comment: the first function must become the second.
pub fn check_example(file: &str, pass: impl Fn(&mut Func)) {
    mini_ir::testing::check_example(file, |func, _| pass(func));
}

/// The verifier, and by definition here: fails unless every use is behind a definition of its value in its block or dominated by the definition's block,
/// nothing is a variable any more, and definitions say where they are.
pub fn check_ssa(func: &Func) {
    check_rules(func);
    let tree = DominatorTree::new(func);
    let mut position = vec![0; func.inst_count()];
    for block in func.blocks() {
        for (n, inst) in func.insts(block).enumerate() {
            position[inst.index()] = n;
        }
    }
    let check = |value: Value, user: Inst, block: Block| {
        let ok = match func.def(value) {
            Def::Result(inst, n) => {
                assert_eq!(func.results(inst)[n as usize], value);
                match func.inst_block(inst) {
                    Some(b) if b == block => position[inst.index()] < position[user.index()],
                    Some(b) => tree.dominates(b, block),
                    None => false,
                }
            }
            Def::BlockParam(b, n) => {
                assert_eq!(func.block_params(b)[n as usize], value);
                tree.dominates(b, block)
            }
            Def::FuncParam(n) => func.params[n as usize] == value,
            Def::None | Def::Variable => false,
        };
        assert!(ok, "{value} in {} is not defined before {user}", func.label(block));
    };
    for block in func.blocks() {
        assert!(tree.is_reachable(block));
        for inst in func.insts(block) {
            func.args(inst).for_each(|v| check(v, inst, block));
            for edge in func.edges(inst) {
                func.edge_args(edge).for_each(|v| check(v, inst, block));
            }
        }
    }
}

/// Fails if two values of one web are live at the same time, by definition: where one is defined, the other is live.
pub fn check_cssa(func: &Func) {
    check_rules(func);
    check_liveness(func);
    let webs = PhiWebs::new(func);
    let liveness = Liveness::new(func, &Cfg::new(func));
    for block in func.blocks() {
        let mut live = liveness.live_out(block).to_vec();
        let defined = |live: &mut Vec<Value>, values: &[Value]| {
            for &value in values {
                let clash =
                    live.iter().chain(values).find(|&&other| other != value && webs.web(other) == webs.web(value));
                assert_eq!(clash, None, "{value} is in one web with it, in {}", func.label(block));
            }
            live.retain(|v| !values.contains(v));
        };
        for inst in func.insts(block).collect::<Vec<_>>().into_iter().rev() {
            defined(&mut live, func.results(inst));
            live.extend(func.args(inst));
            for edge in func.edges(inst) {
                live.extend(func.edge_args(edge));
            }
        }
        defined(&mut live, func.block_params(block));
    }
}

/// Fails if the verifier objects.
pub fn check_rules(func: &Func) {
    let mut module = Module::default();
    module.add(func.clone());
    if let Err(errors) = verify(func, &module.info) {
        let errors: Vec<String> = errors.iter().map(|e| e.to_string()).collect();
        panic!("{}\n{}", errors.join("\n"), text(func));
    }
}

/// Fails unless liveness is the least solution of its equations.
fn check_liveness(func: &Func) {
    assert_eq!(Liveness::new(func, &Cfg::new(func)), liveness_iterative::liveness(func), "{}", text(func));
}
