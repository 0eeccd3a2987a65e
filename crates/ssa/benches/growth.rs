//! How the time of each algorithm grows with the function: `cargo bench -p mini-ssa --bench growth -- [PART…]`.
//!
//! A row is an algorithm on one kind of function, with 10³, 10⁴, 10⁵ and 10⁶ blocks: the least processor time of a few runs, and behind
//! it the factor to the time before. About 10 is linear, somewhat more where the caches end; about 100 is quadratic. A row ends early when
//! the next run would take long, as it does where an algorithm or its result is quadratic: the sets of `iterative`, the frontiers of
//! nested loops. The time of an analysis has that of what it needs in it: predecessors, the dominator tree.
//! With parts of names, only rows whose title contains one of them are measured.

use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::frontier::Frontiers;
use mini_analysis::interference::Interference;
use mini_analysis::iterated_frontier::IteratedFrontier;
use mini_analysis::liveness::Liveness;
use mini_analysis::loops::LoopForest;
use mini_analysis::postdominators::PostDominatorTree;
use mini_analysis::sample_graphs::{chain, nested_loops, random_tac_over, reducible_edges, skip_ladder};
use mini_analysis::{
    dominators_chk, dominators_iterative, dominators_lengauer_tarjan, dominators_semi_nca, frontier_dj,
};
use mini_base::ids::Id;
use mini_base::source::Pos;
use mini_base::testing::Random;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func, Imm, Phase, Value};
use mini_ir::module::ModuleInfo;
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_ir::verify::verify;
use mini_ssa::{
    braun, coalesce, cssa_copies, mem2reg, minimal, pruned, reaching_def, semi_pruned, variables_to_slots,
    webs_to_variables,
};
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// A row ends when the next run would take longer.
const LONG: f64 = 20.0;

/// What changes a function, or looks at it.
type Pass = fn(&mut Func);
/// What is measured, and its name.
type Algorithm = (&'static str, fn(&mut Func));
/// Rows, by the start of their names, that would take all memory beyond a size.
const LARGEST: &[(&str, usize)] = &[
    ("dominators iterative", 10_000),
    ("frontier runner, nested loops", 10_000),
    ("frontier dj, nested loops", 10_000),
];
/// What it is measured on: a function of about so many blocks.
type Shape = (&'static str, fn(usize) -> Func);

const ANALYSES: &[Algorithm] = &[
    ("dominators iterative", |f| drop(black_box(dominators_iterative::dominators(f, &Cfg::new(f))))),
    ("dominators chk", |f| drop(black_box(dominators_chk::dominators(f, &Cfg::new(f))))),
    ("dominators lengauer-tarjan", |f| drop(black_box(dominators_lengauer_tarjan::dominators(f, &Cfg::new(f))))),
    ("dominators semi-nca", |f| drop(black_box(dominators_semi_nca::dominators(f, &Cfg::new(f))))),
    ("postdominators", |f| drop(black_box(PostDominatorTree::new(f, &Cfg::new(f))))),
    ("frontier runner", |f| drop(black_box(Frontiers::new(f, &Cfg::new(f), &DominatorTree::new(f))))),
    ("frontier dj", |f| drop(black_box(frontier_dj::frontiers(f, &DominatorTree::new(f))))),
    ("iterated_frontier", |f| {
        let every_tenth: Vec<Block> = f.blocks().step_by(10).collect();
        black_box(IteratedFrontier::new(f, &DominatorTree::new(f)).of(&every_tenth));
    }),
    ("loops", |f| drop(black_box(LoopForest::new(f, &Cfg::new(f), &DominatorTree::new(f))))),
    ("liveness", |f| drop(black_box(Liveness::new(f, &Cfg::new(f))))),
];

const CONSTRUCTIONS: &[Algorithm] = &[
    ("minimal", minimal::run),
    ("semi_pruned", semi_pruned::run),
    ("pruned", pruned::run),
    ("reaching_def", reaching_def::run),
    ("braun", braun::run),
    ("variables_to_slots and mem2reg", by_slots),
];

/// What is measured on a function that something was done to before.
const PREPARED: &[(&str, Pass, Pass)] = &[
    ("verifier, SSA", pruned::run, check),
    ("verifier, CSSA", into_cssa, check),
    ("cssa_copies", pruned::run, cssa_copies::run),
    ("interference", into_cssa, |f| drop(black_box(Interference::new(f, &Cfg::new(f), &DominatorTree::new(f))))),
    ("coalesce", into_cssa, |f| _ = black_box(coalesce::run(f))),
    ("webs_to_variables", into_cssa, webs_to_variables::run),
];

fn by_slots(func: &mut Func) {
    variables_to_slots::run(func);
    mem2reg::run(func);
}

const SHAPES: &[Shape] = &[
    ("chain", assigned_first_read_last),
    ("ladder", assigned_at_every_tenth_block),
    ("nested loops", assigned_inside),
    ("variables", many_variables),
    ("reducible", random),
];

fn main() {
    let parts: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    print!("{:40}", "milliseconds");
    SIZES.iter().for_each(|size| print!("{size:>11} blocks"));
    println!();
    for &(shape, make) in SHAPES {
        for &(algorithm, run) in ANALYSES.iter().chain(CONSTRUCTIONS) {
            let title = format!("{algorithm}, {shape}");
            if parts.is_empty() || parts.iter().any(|part| title.contains(part)) {
                row(&title, make, run);
            }
        }
        for &(algorithm, prepare, run) in PREPARED {
            let title = format!("{algorithm}, {shape}");
            if parts.is_empty() || parts.iter().any(|part| title.contains(part)) {
                let prepared = |count| {
                    let mut func = make(count);
                    prepare(&mut func);
                    func
                };
                row(&title, prepared, run);
            }
        }
    }
    if parts.is_empty() || parts.iter().any(|part| "verifier, CSSA, counters".contains(part)) {
        row("verifier, CSSA, counters", a_counter_for_each_loop, check);
    }
}

fn into_cssa(func: &mut Func) {
    pruned::run(func);
    cssa_copies::run(func);
}

fn check(func: &mut Func) {
    if let Err(errors) = verify(func, &ModuleInfo::default()) {
        panic!("{}", errors[0]);
    }
}

fn row(title: &str, make: impl Fn(usize) -> Func, run: fn(&mut Func)) {
    print!("{title:40}");
    let largest = LARGEST.iter().find(|(name, _)| title.starts_with(name)).map_or(usize::MAX, |&(_, largest)| largest);
    let mut before: Option<f64> = None;
    for size in SIZES.into_iter().filter(|&size| size <= largest) {
        let func = make(size);
        let time = least_time(&func, run);
        let factor = before.map(|before| time / before);
        print!("{:>11.2} {:<6}", time * 1e3, factor.map_or(String::new(), |f| format!("×{f:.0}")));
        before = Some(time);
        if time * factor.unwrap_or(10.0) > LONG {
            break;
        }
    }
    println!();
}

/// In seconds.
fn least_time(func: &Func, run: fn(&mut Func)) -> f64 {
    let (mut least, mut spent) = (f64::MAX, 0.0);
    for _ in 0..5 {
        let mut copy = func.clone();
        let start = processor_seconds();
        run(&mut copy);
        let time = processor_seconds() - start;
        least = least.min(time);
        spent += time;
        if spent > 1.0 {
            break;
        }
    }
    least
}

/// The time for which this thread has had a processor: what else the machine does is left out.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Puts `to = copy from` before the end of a block.
fn assign(func: &mut Func, block: usize, from: Value, to: Value) {
    let copy = func.create_inst(Op::Copy, Imm::None, &[from], Pos::NONE);
    func.set_results(copy, &[to]);
    let end = func.terminator(Block::new(block)).expect("every block of a graph has a terminator");
    func.insert_before(end, copy);
}

fn assigned_first_read_last(count: usize) -> Func {
    let mut func = chain(count);
    let (x, number) = (func.new_variable("x", Type::Int), func.params[0]);
    assign(&mut func, 0, number, x);
    assign(&mut func, count - 1, x, number);
    func
}

fn assigned_at_every_tenth_block(count: usize) -> Func {
    let mut func = skip_ladder(count);
    let (x, number) = (func.new_variable("x", Type::Int), func.params[0]);
    assign(&mut func, 0, number, x);
    for block in (0..count).step_by(10) {
        assign(&mut func, block, x, x);
    }
    func
}

/// The frontiers together are quadratic, and there is a phi at every head.
fn assigned_inside(count: usize) -> Func {
    let depth = count / 2;
    let mut func = nested_loops(depth);
    let (x, number) = (func.new_variable("x", Type::Int), func.params[0]);
    assign(&mut func, 0, number, x);
    assign(&mut func, depth, x, x);
    func
}

/// Each loop counts in a variable of its own that lives through all loops inside: the live ranges of the webs are quadratic together.
fn a_counter_for_each_loop(count: usize) -> Func {
    let depth = count / 2;
    let mut func = nested_loops(depth);
    let number = func.params[0];
    for head in 1..depth {
        let counter = func.new_variable(format!("x{head}_"), Type::Int);
        assign(&mut func, head - 1, number, counter);
        let latch = Block::new(depth + 1 + depth - head);
        let sum = func.create_inst(Op::Add, Imm::None, &[counter, number], Pos::NONE);
        func.set_results(sum, &[counter]);
        func.insert_before(func.terminator(latch).expect("a latch branches"), sum);
    }
    pruned::run(&mut func);
    // Nothing interferes, so it is conventional as it is.
    func.phase = Phase::Cssa;
    func
}

/// As many local variables as a tenth of the blocks: what a search for each of them costs, though none needs a phi.
fn many_variables(count: usize) -> Func {
    let mut func = chain(count);
    let number = func.params[0];
    for block in (0..count).step_by(10) {
        let t = func.new_variable(format!("t{block}_"), Type::Int);
        assign(&mut func, block, number, t);
        assign(&mut func, block, t, number);
    }
    func
}

fn random(count: usize) -> Func {
    let mut random = Random(1);
    let edges = reducible_edges(&mut random, count);
    random_tac_over(&mut random, count, &edges, 3)
}
