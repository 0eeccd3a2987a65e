//! The passes together, on random functions; the examples of the head comments.

use crate::test_bed::{assert_same, random_function, run};
use crate::{copy_propagation, dead_code, simplify, value_numbering};
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::orders::reverse_postorder;
use mini_base::testing::Random;
use mini_interp::outcome::End;
use mini_ir::cfg::Cfg;
use mini_ir::effects::{can_be_dropped, effects};
use mini_ir::func::{Func, Inst, Value};
use mini_ir::module::ModuleInfo;
use mini_ir::op::{Effects, Op};
use mini_ir::testing::{check_example, func, text};
use mini_ir::verify::verify;
use mini_ssa::{braun, minimal, pruned, semi_pruned};

type Pass = (&'static str, fn(&mut Func, &ModuleInfo) -> usize);

const PASSES: [Pass; 4] = [
    ("copy_propagation", |func, _| copy_propagation::run(func)),
    ("simplify", simplify::run),
    ("value_numbering", value_numbering::run),
    ("dead_code", |func, _| dead_code::run(func)),
];

#[test]
fn the_examples_of_the_head_comments() {
    check_example(include_str!("copy_propagation.rs"), |func, _| assert_eq!(copy_propagation::run(func), 5));
    check_example(include_str!("rules.rs"), |func, info| assert_eq!(simplify::run(func, info), 4));
    check_example(include_str!("simplify.rs"), |func, info| assert!(simplify::run(func, info) > 0));
    check_example(include_str!("value_numbering.rs"), |func, info| assert!(value_numbering::run(func, info) > 0));
    check_example(include_str!("dead_code.rs"), |func, _| assert_eq!(dead_code::run(func), 4));
}

fn random_ssa(random: &mut Random) -> Func {
    let mut func = random_function(random);
    [minimal::run, semi_pruned::run, pruned::run, braun::run][random.below(4)](&mut func);
    func
}

fn check_rules(func: &Func, what: &str) {
    if let Err(errors) = verify(func, &ModuleInfo::default()) {
        panic!("{what}: {}\n{}", errors[0], text(func));
    }
}

#[test]
fn passes_in_any_order_keep_what_a_function_does() {
    let (mut random, info) = (Random(3), ModuleInfo::default());
    let mut ends = [0; 4];
    for round in 0..600 {
        let before = random_ssa(&mut random);
        let mut after = before.clone();
        let mut what = format!("round {round}:");
        for _ in 0..1 + random.below(6) {
            let (name, pass) = PASSES[random.below(PASSES.len())];
            what = format!("{what} {name}");
            let (given, changes) = (text(&after), pass(&mut after, &info));
            check_rules(&after, &what);
            assert_eq!(changes == 0, given == text(&after), "{what}: it tells whether it changed something");
        }
        for (number, flag) in [(0, true), (5, false)] {
            let run_before = run(&before, number, flag);
            ends[match run_before.end {
                End::Exit(_) => 0,
                End::RuntimeError(_) => 1,
                End::Undefined(_) => 2,
                _ => 3,
            }] += 1;
            assert_same(&run_before, &run(&after, number, flag), &what);
        }
    }
    assert!(ends.iter().all(|&n| n > 50), "the functions must be worth testing: {ends:?}");
}

#[test]
fn what_each_pass_promises_holds() {
    let (mut random, info) = (Random(4), ModuleInfo::default());
    let insts = |func: &Func| func.blocks().flat_map(|block| func.insts(block)).collect::<Vec<Inst>>();
    let mut phis = 0;
    for round in 0..300 {
        let func = random_ssa(&mut random);
        for (name, pass) in [PASSES[0], PASSES[1], PASSES[3]] {
            let mut twice = func.clone();
            pass(&mut twice, &info);
            assert_eq!(pass(&mut twice, &info), 0, "round {round}: {name} leaves nothing for itself");
        }
        let mut copied = func.clone();
        copy_propagation::run(&mut copied);
        assert!(insts(&copied).iter().all(|&inst| copied.op(inst) != Op::Copy));

        let mut numbered = func.clone();
        value_numbering::run(&mut numbered, &info);
        check_numbering(&numbered);
        phis += check_numbering_of_phis(&numbered);

        let mut swept = func.clone();
        dead_code::run(&mut swept);
        for inst in insts(&swept) {
            let used = swept.results(inst).iter().any(|&value| swept.has_uses(value));
            assert!(used || !can_be_dropped(&swept, inst), "round {round}");
        }
        assert!(swept.blocks().all(|block| swept.block_params(block).iter().all(|&param| swept.has_uses(param))));
    }
    assert!(phis > 100, "the functions must have phis that are not for loops: {phis}");
}

/// By definition: no expression is left that an equal one dominates.
fn check_numbering(func: &Func) {
    let tree = DominatorTree::new(func);
    let all: Vec<(usize, Inst)> = func.blocks().flat_map(|block| func.insts(block)).enumerate().collect();
    let numbered = |inst| matches!(effects(func, inst), Effects::Pure | Effects::Trap);
    for &(i, a) in all.iter().filter(|&&(_, inst)| numbered(inst)) {
        for &(j, b) in all.iter().filter(|&&(_, inst)| numbered(inst)) {
            let at = [a, b].map(|inst| func.inst_block(inst).expect("it is in a block"));
            let before = if at[0] == at[1] { i < j } else { tree.dominates(at[0], at[1]) };
            let exchanged = func.op(a).commutes() && func.args(a).rev().eq(func.args(b));
            let equal = func.op(a) == func.op(b)
                && func.imm(a) == func.imm(b)
                && (func.args(a).eq(func.args(b)) || exchanged)
                && func.results(a).iter().map(|&v| func.ty(v)).eq(func.results(b).iter().map(|&v| func.ty(v)));
            assert!(!(before && equal), "{}", text(func));
        }
    }
}

/// By definition: no phi has one value for its arguments, and no two phis of a block have the same arguments; but where an edge
/// comes from a block that is walked later. Tells how many phis that were.
fn check_numbering_of_phis(func: &Func) -> usize {
    let (cfg, order) = (Cfg::new(func), reverse_postorder(func));
    let place = |block| order.iter().position(|&b| b == block);
    let mut number = 0;
    for &block in &order {
        if cfg.incoming(block).iter().any(|&edge| place(func.edge_source(edge)) >= place(block)) {
            continue;
        }
        let args = |n| cfg.incoming(block).iter().map(|&edge| func.edge_arg(edge, n)).collect::<Vec<Value>>();
        let phis: Vec<Vec<Value>> = (0..func.block_params(block).len()).map(args).collect();
        for (n, args) in phis.iter().enumerate() {
            assert!(args.iter().any(|&arg| arg != args[0]), "a meaningless phi: {}", text(func));
            assert!(!phis[..n].contains(args), "a redundant phi: {}", text(func));
        }
        number += phis.len();
    }
    number
}

#[test]
fn a_chain_of_fifty_thousand_blocks_needs_no_stack() {
    let count = 50_000;
    let mut chain =
        String::from("ssa func graph(x.1: int, c.1: bool) -> int {\nentry1:\n  %1 = const 1\n  jmp b1(x.1, x.1)\n");
    for i in 1..=count {
        chain += &format!(
            "b{i}(p{i}: int, q{i}: int):\n  y{i} = add p{i}, %1\n  k{i} = const 1\n  z{i} = add k{i}, q{i}\n  u{i} = copy y{i}\n  jmp b{}(u{i}, z{i})\n",
            i + 1
        );
    }
    chain += &format!("b{0}(p{0}: int, q{0}: int):\n  %2 = sub p{0}, q{0}\n  ret %2\n}}\n", count + 1);
    let (mut func, info) = (func(&chain), ModuleInfo::default());
    for (_, pass) in PASSES {
        pass(&mut func, &info);
    }
    let insts: Vec<Inst> = func.blocks().flat_map(|block| func.insts(block)).collect();
    assert_eq!(insts.len(), count + 3, "a constant, the jumps, the return");
}
