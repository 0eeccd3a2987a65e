//! Into SSA and out of it on random functions: every phase runs the same way, and is what it claims to be.

use crate::phi_webs::print_webs;
use crate::test_bed::{
    assert_same, check_cssa, check_example, check_rules, check_ssa, example, func, run, run_by_webs,
};
use crate::{
    braun, cssa_copies, mem2reg, minimal, new_entry, pruned, reaching_def, remove_unreachable, semi_pruned,
    split_critical_edges, variables_to_slots, webs_to_variables,
};
use mini_analysis::sample_graphs::{block, graph, random_tac};
use mini_base::ids::Id;
use mini_base::source::Pos;
use mini_base::testing::Random;
use mini_ir::func::{Block, Func, Imm, Phase};
use mini_ir::op::Op;
use mini_ir::text::parse_module;
use mini_ir::types::Type;
use mini_ir::verify::verify;

#[test]
fn every_phase_of_random_functions_runs_the_same_way() {
    let mut random = Random(8);
    let (mut params, mut ended, mut copies) = (0, 0, 0);
    for round in 0..400 {
        let count = 1 + random.below(14);
        let variables = 1 + random.below(6);
        let tac = random_tac(&mut random, count, variables);
        let mut ssa = tac.clone();
        pruned::run(&mut ssa);
        check_ssa(&ssa);
        let mut split = ssa.clone();
        split_critical_edges::run(&mut split);
        check_ssa(&split);
        assert_eq!(split_critical_edges::run(&mut split), 0);
        let mut cssa = ssa.clone();
        cssa_copies::run(&mut cssa);
        check_ssa(&cssa);
        check_cssa(&cssa);
        params += ssa.blocks().map(|b| ssa.block_params(b).len()).sum::<usize>();
        let mut again = cssa.clone();
        webs_to_variables::run(&mut again);
        check_rules(&again);
        copies += cssa.blocks().flat_map(|b| cssa.insts(b)).filter(|&i| cssa.op(i) == Op::ParallelCopy).count();
        for number in [0, 1, 5] {
            let args = [number, 1];
            let expected = run(&tac, &args);
            ended += usize::from(expected.1.is_some());
            assert_same(&expected, &run(&ssa, &args), &format!("round {round}, SSA"));
            assert_same(&expected, &run(&split, &args), &format!("round {round}, split"));
            assert_same(&expected, &run(&cssa, &args), &format!("round {round}, CSSA"));
            assert_same(&expected, &run_by_webs(&cssa, &args), &format!("round {round}, webs"));
            assert_same(&expected, &run(&again, &args), &format!("round {round}, TAC again"));
        }
    }
    assert!(
        params > 600 && ended > 250 && copies > 400,
        "the functions must be worth testing: {params} {ended} {copies}"
    );
}

#[test]
fn a_loop_without_a_decision_is_told_from_an_end() {
    let ends = func("func f(n: int) -> int {\na:\n  jmp b\nb:\n  ret n\n}\n");
    let never = func("func f(n: int) -> int {\na:\n  jmp b\nb:\n  jmp a\n}\n");
    assert_eq!(run(&ends, &[7]), (vec![], Some(7)));
    assert_eq!(run(&never, &[7]), (vec![], None));
    assert_same(&run(&never, &[7]), &run(&never, &[7]), "both go on");
    let judged = std::panic::catch_unwind(|| assert_same(&run(&ends, &[7]), &run(&never, &[7]), "one ends"));
    assert!(judged.is_err());
}

/// Makes SSA worse than construction gives it: every copy is propagated, so that webs would interfere.
pub fn propagate_copies(func: &mut Func) {
    for b in func.layout().to_vec() {
        let copies: Vec<_> = func.insts(b).filter(|&i| func.op(i) == Op::Copy).collect();
        for inst in copies {
            let (from, to) = (func.arg(inst, 0), func.result(inst));
            func.replace_all_uses(to, from);
            func.remove_inst(inst);
        }
    }
}

#[test]
fn optimised_ssa_is_destructed_too() {
    let mut random = Random(9);
    for round in 0..400 {
        let count = 1 + random.below(14);
        let tac = random_tac(&mut random, count, 4);
        let mut func = tac.clone();
        pruned::run(&mut func);
        propagate_copies(&mut func);
        check_ssa(&func);
        cssa_copies::run(&mut func);
        check_ssa(&func);
        check_cssa(&func);
        let mut again = func.clone();
        webs_to_variables::run(&mut again);
        for number in [0, 1, 5] {
            let expected = run(&tac, &[number, 1]);
            assert_same(&expected, &run_by_webs(&func, &[number, 1]), &format!("round {round}"));
            assert_same(&expected, &run(&again, &[number, 1]), &format!("round {round}, TAC again"));
        }
    }
}

const LOST_COPY: &str = "\
ssa func lost_copy(x.1: int, c.1: int) -> int {
entry1:
  jmp head2(x.1)
head2(x.2: int):
  %1 = add x.2, x.2
  %2 = lt x.2, c.1
  br %2, head2(%1), exit3
exit3:
  ret x.2
}
";

#[test]
fn lost_copy() {
    // x.2 is read behind the loop, when its successor %1 is already there.
    let ssa = func(LOST_COPY);
    let claimed = ssa.clone();
    assert!(
        std::panic::catch_unwind(move || check_cssa(&claimed)).is_err(),
        "the check must object before the copies are in"
    );
    let mut cssa = ssa.clone();
    cssa_copies::run(&mut cssa);
    check_cssa(&cssa);
    assert_eq!(run(&ssa, &[3, 10]), (vec![1, 1, 0], Some(12)));
    assert_eq!(run_by_webs(&cssa, &[3, 10]), (vec![1, 1, 0], Some(12)));
}

#[test]
fn swap() {
    let ssa = func(
        "\
ssa func swap(a.1: int, b.1: int, n.1: int) -> int {
entry1:
  %1 = const 0
  jmp head2(a.1, b.1, %1)
head2(a.2: int, b.2: int, i.1: int):
  %2 = const 1
  %3 = add i.1, %2
  %4 = lt i.1, n.1
  br %4, head2(b.2, a.2, %3), exit3
exit3:
  ret a.2
}
",
    );
    let mut cssa = ssa.clone();
    cssa_copies::run(&mut cssa);
    check_cssa(&cssa);
    for (rounds, expected) in [(0, 70), (1, 80), (2, 70), (3, 80)] {
        assert_eq!(run(&ssa, &[70, 80, rounds]).1, Some(expected));
        assert_eq!(run_by_webs(&cssa, &[70, 80, rounds]).1, Some(expected));
    }
}

#[test]
fn a_swap_in_source_form_is_conventional_until_copies_are_propagated() {
    // The example of Rastello and Bouchez Tichadou 2022, section 3.1; tests/ssa/cssa_copies runs it.
    let module = parse_module(include_str!("../../../tests/ssa/pruned/phis_at_a_d_e.ir")).expect("it is tested");
    let mut ssa = module.funcs.iter().find(|f| &*f.name == "swapped").expect("the example").clone();
    pruned::run(&mut ssa);
    let is_conventional = |ssa: &Func| {
        let mut claimed = ssa.clone();
        claimed.phase = Phase::Cssa;
        verify(&claimed, &module.info).is_ok()
    };
    assert!(is_conventional(&ssa), "what construction makes has one variable in each web");
    propagate_copies(&mut ssa);
    assert!(!is_conventional(&ssa), "x.2 and y.2 exchange their places on the way to D");
    cssa_copies::run(&mut ssa);
    verify(&ssa, &module.info).expect("conventional again");
}

#[test]
fn the_examples_of_the_head_comments() {
    check_example(include_str!("remove_unreachable.rs"), |f| assert_eq!(remove_unreachable::run(f), 1));
    check_example(include_str!("cytron.rs"), pruned::run);
    check_example(include_str!("cytron.rs"), minimal::run);
    check_example(include_str!("cytron.rs"), semi_pruned::run);
    check_example(include_str!("minimal.rs"), minimal::run);
    check_example(include_str!("semi_pruned.rs"), semi_pruned::run);
    check_example(include_str!("pruned.rs"), pruned::run);
    check_example(include_str!("reaching_def.rs"), reaching_def::run);
    check_example(include_str!("reaching_def.rs"), pruned::run);
    check_example(include_str!("braun.rs"), braun::run);
    check_example(include_str!("cytron.rs"), braun::run);
    check_example(include_str!("variables_to_slots.rs"), variables_to_slots::run);
    check_example(include_str!("mem2reg.rs"), |f| assert_eq!(mem2reg::run(f), 3));
    check_example(include_str!("trivial_phis.rs"), braun::run);
    check_example(include_str!("redundant_phis.rs"), braun::run);
    check_example(include_str!("undefs.rs"), pruned::run);
    check_example(include_str!("rename_stacks.rs"), pruned::run);
    check_example(include_str!("new_entry.rs"), new_entry::run);
    check_example(include_str!("split_critical_edges.rs"), |f| assert_eq!(split_critical_edges::run(f), 1));
    check_example(include_str!("cssa_copies.rs"), cssa_copies::run);
    check_example(include_str!("webs_to_variables.rs"), webs_to_variables::run);

    let [ir, expected] = example(include_str!("phi_webs.rs"));
    let func = func(&ir);
    assert_eq!(print_webs(&func), expected);
}

#[test]
fn the_entry_may_be_a_loop_head() {
    let mut func = graph(2, &[(0, 0), (0, 1)]);
    let (number, flag) = (func.params[0], func.params[1]);
    let end = func.terminator(block(0)).expect("a branch");
    let copy = func.create_inst(Op::Add, Imm::None, &[number, number], Pos::NONE);
    func.set_results(copy, &[number]);
    func.insert_before(end, copy);
    func.set_arg(end, 0, flag);
    pruned::run(&mut func);
    check_ssa(&func);
    assert_ne!(func.entry(), block(0));
    assert_eq!(func.block_params(block(0)).len(), 1);
}

#[test]
fn a_million_blocks_with_a_variable_that_is_live_throughout() {
    let count = 1_000_000;
    let mut edges = Vec::new();
    for i in 0..count / 2 - 1 {
        edges.extend([(2 * i, 2 * i + 1), (2 * i, 2 * i + 2), (2 * i + 1, 2 * i + 2)]);
    }
    edges.push((count - 2, count - 1));
    let mut func = graph(count, &edges);
    let x = func.new_variable("x", Type::Int);
    for i in 0..count {
        let end = func.terminator(Block::new(i)).expect("a terminator");
        let value = func.params[0];
        if i == 0 || i % 2 == 1 {
            let copy = func.create_inst(Op::Copy, Imm::None, &[if i == 0 { value } else { x }], Pos::NONE);
            func.set_results(copy, &[x]);
            func.insert_before(end, copy);
        }
    }
    pruned::run(&mut func);
    // A phi at every join.
    let phis: usize = func.blocks().map(|b| func.block_params(b).len()).sum();
    assert_eq!(phis, count / 2 - 1);
    cssa_copies::run(&mut func);
}
