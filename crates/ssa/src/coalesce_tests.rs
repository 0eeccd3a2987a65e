//! Interference against its definition; coalescing against the machine, the checks of CSSA and Chaitin's interference graph.

use crate::chaitin::remaining_copies;
use crate::coalesce;
use crate::test_bed::{assert_same, check_cssa, check_example, check_rules, check_ssa, func, run, run_by_webs, text};
use crate::tests::propagate_copies;
use crate::{cssa_copies, minimal, pruned, webs_to_variables};
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::interference::Interference;
use mini_analysis::liveness::Liveness;
use mini_analysis::sample_graphs::{block, graph, mixed_edges, random_tac_over};
use mini_base::ids::Id;
use mini_base::source::Pos;
use mini_base::testing::Random;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func, Imm, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;
use std::collections::BTreeSet;

/// A function out of SSA's reach: random control flow and assignments; every second one with its copies propagated.
fn random_cssa(random: &mut Random, round: usize) -> (Func, Func) {
    let (count, edges) = mixed_edges(random, 14);
    let variables = 1 + random.below(6);
    let tac = random_tac_over(random, count, &edges, variables);
    let mut func = tac.clone();
    if round.is_multiple_of(3) {
        minimal::run(&mut func)
    } else {
        pruned::run(&mut func)
    }
    if round.is_multiple_of(2) {
        propagate_copies(&mut func);
    }
    cssa_copies::run(&mut func);
    (tac, func)
}

fn copies(func: &Func) -> usize {
    let insts = func.blocks().flat_map(|b| func.insts(b));
    insts.filter(|&i| matches!(func.op(i), Op::Copy | Op::ParallelCopy)).map(|i| func.results(i).len()).sum()
}

/// For every value the places where it is live: behind an instruction or at the start of a block, by block and number.
fn live_places(func: &Func) -> Vec<BTreeSet<(Block, usize)>> {
    let liveness = Liveness::new(func, &Cfg::new(func));
    let mut places = vec![BTreeSet::new(); func.value_count()];
    for block in func.blocks() {
        let mut live: BTreeSet<Value> = liveness.live_out(block).iter().copied().collect();
        let insts: Vec<_> = func.insts(block).collect();
        for (n, &inst) in insts.iter().enumerate().rev() {
            // What is defined is there for a moment, even if nobody reads it.
            live.extend(func.results(inst));
            live.iter().for_each(|v| _ = places[v.index()].insert((block, n + 1)));
            func.results(inst).iter().for_each(|v| _ = live.remove(v));
            live.extend(func.args(inst).chain(func.edges(inst).flat_map(|e| func.edge_args(e))));
        }
        live.extend(func.block_params(block));
        if block == func.entry() {
            live.extend(&func.params);
        }
        live.iter().for_each(|v| _ = places[v.index()].insert((block, 0)));
    }
    places
}

#[test]
fn interference_agrees_with_its_definition() {
    let mut random = Random(21);
    let (mut yes, mut no, mut clashes) = (0, 0, 0);
    for round in 0..200 {
        let (_, func) = random_cssa(&mut random, round);
        let interference = Interference::new(&func, &Cfg::new(&func), &DominatorTree::new(&func));
        let places = live_places(&func);
        let defined: Vec<Value> =
            (0..func.value_count()).map(Value::new).filter(|v| !places[v.index()].is_empty()).collect();
        for &a in &defined {
            for &b in &defined {
                let expected = !places[a.index()].is_disjoint(&places[b.index()]);
                assert_eq!(interference.interfere(a, b), expected, "{a} {b} in {}", text(&func));
                if expected { yes += 1 } else { no += 1 }
            }
        }
        for _ in 0..20 {
            let mut set: Vec<Value> = (0..4).map(|_| defined[random.below(defined.len())]).collect();
            set.sort_by_key(|&v| (interference.def(v), v));
            set.dedup();
            let any = set.iter().any(|&a| set.iter().any(|&b| a != b && interference.interfere(a, b)));
            let found = interference.first_clash(&set);
            assert_eq!(found.is_some(), any);
            if let Some((a, b)) = found {
                assert!(a != b && interference.interfere(a, b));
                clashes += 1;
            }
        }
    }
    assert!(yes > 10_000 && no > 10_000 && clashes > 1000, "{yes} {no} {clashes}");
}

#[test]
fn coalesced_functions_run_the_same_and_in_all_keep_no_more_copies_than_chaitin() {
    let mut random = Random(22);
    let (mut placed, mut left, mut chaitins, mut ended) = (0, 0, 0, 0);
    for round in 0..2000 {
        let (tac, cssa) = random_cssa(&mut random, round);
        let mut func = cssa.clone();
        let gone = coalesce::run(&mut func);
        check_ssa(&func);
        check_cssa(&func);
        assert_eq!(copies(&func) + gone, copies(&cssa));
        placed += copies(&cssa);
        left += copies(&func);
        chaitins += remaining_copies(&cssa);
        let mut again = func.clone();
        webs_to_variables::run(&mut again);
        check_rules(&again);
        for number in [0, 1, 5] {
            let args = [number, 1];
            let expected = run(&tac, &args);
            ended += usize::from(expected.1.is_some());
            assert_same(&expected, &run(&func, &args), &format!("round {round}"));
            assert_same(&expected, &run_by_webs(&func, &args), &format!("round {round}, webs"));
            assert_same(&expected, &run(&again, &args), &format!("round {round}, TAC again"));
        }
        assert_eq!(coalesce::run(&mut func), 0, "round {round}: once is enough");
    }
    assert!(placed > 20_000 && left > 2000 && ended > 2000, "{placed} {left} {ended}");
    assert!(left <= chaitins, "{left} {chaitins}");
}

#[test]
fn the_example_of_the_head_comment() {
    check_example(include_str!("coalesce.rs"), |f| assert_eq!(coalesce::run(f), 2));
}

/// A switch with so many ways that meet again. The sources of the phi's arguments are all made in the entry.
fn fan(ways: usize) -> Func {
    let mut edges: Vec<(usize, usize)> = (1..=ways).map(|way| (0, way)).collect();
    edges.extend((1..=ways).map(|way| (way, ways + 1)));
    let mut func = graph(ways + 2, &edges);
    func.results = vec![Type::Int];
    let x = func.new_variable("x", Type::Int);
    let end = func.terminator(block(0)).expect("a switch");
    for way in 1..=ways {
        let number = func.create_inst(Op::Const, Imm::Int(way as i64), &[], Pos::NONE);
        let temp = func.new_temp(Type::Int);
        func.set_results(number, &[temp]);
        func.insert_before(end, number);
        let copy = func.create_inst(Op::Copy, Imm::None, &[temp], Pos::NONE);
        func.set_results(copy, &[x]);
        func.prepend_inst(block(way), copy);
    }
    let end = func.terminator(block(ways + 1)).expect("a return");
    func.set_args(end, &[x]);
    pruned::run(&mut func);
    cssa_copies::run(&mut func);
    func
}

/// The ranges of the 100,000 constants overlap at the end of the entry: the first of them joins the phi web, no other may.
#[test]
fn a_class_of_a_hundred_thousand_is_not_quadratic() {
    let ways = 100_000;
    let mut func = fan(ways);
    assert_eq!(copies(&func), 2 * ways);
    // Each argument of the phi is made one with its assignment: a class of all arguments, one by one; then one constant.
    assert_eq!(coalesce::run(&mut func), ways + 1);
    assert_eq!(copies(&func), ways - 1);
}

/// The same value many times: `y1 = x; y2 = x; …`, all of them read behind.
#[test]
fn equal_values_that_live_together_are_one() {
    let lines = |n: usize| (1..=n).map(|i| format!("  y.{i} = copy x.1\n")).collect::<String>();
    let sum = |n: usize| (1..=n).map(|i| format!("  %{i} = add y.{i}, y.{}\n", n + 1 - i)).collect::<String>();
    let mut many =
        func(&format!("cssa func f(x.1: int) -> int {{\nentry1:\n{}{}  ret %7\n}}\n", lines(3000), sum(3000)));
    assert_eq!(coalesce::run(&mut many), 3000);
    assert_eq!(run(&many, &[21]).1, Some(42));
}

/// Two copies of a value that has to stay elsewhere are equal: the second one reads the place of the first.
#[test]
fn a_second_copy_of_a_value_in_another_class_goes() {
    let mut ir = func(
        "\
cssa func f(x.1: int, c.1: bool) -> int {
entry1:
  y.1 = copy x.1
  y.2 = copy x.1
  br c.1, yes2, no3
yes2:
  a.1 = parcopy y.1
  jmp end4(a.1)
no3:
  a.2 = parcopy y.2
  jmp end4(a.2)
end4(a.3: int):
  %1 = add a.3, x.1
  %2 = add %1, a.3
  ret %2
}
",
    );
    let expected = run(&ir, &[3, 0]);
    coalesce::run(&mut ir);
    check_cssa(&ir);
    assert_eq!(run_by_webs(&ir, &[3, 0]), expected);
    // `x` is read behind the phi, so it is in another class than `a`: one copy stays, and serves both ways.
    assert_eq!(copies(&ir), 1, "{}", text(&ir));
}
