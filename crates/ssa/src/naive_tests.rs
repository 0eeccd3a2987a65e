//! The naive way out of SSA: wrong where the literature says so, right where nothing interferes.

use crate::test_bed::{assert_same, check_rules, func, run, text};
use crate::tests::propagate_copies;
use crate::{cssa_copies, naive_copies, pruned, webs_to_variables};
use mini_analysis::sample_graphs::{mixed_edges, random_tac_over};
use mini_base::testing::Random;
use mini_ir::func::Func;

fn naive(ssa: &Func) -> Func {
    let mut tac = ssa.clone();
    naive_copies::run(&mut tac);
    check_rules(&tac);
    tac
}

#[test]
fn the_examples_of_the_head_comment_become_what_it_shows_and_are_wrong() {
    let head: Vec<&str> = include_str!("naive_copies.rs").lines().map_while(|line| line.strip_prefix("//!")).collect();
    let fenced: Vec<String> = (head.split(|line| line.trim_start().starts_with("```")).skip(1).step_by(2))
        .map(|lines| lines.iter().map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect())
        .collect();
    let [lost_before, lost_after, swap_before, swap_after] = &fenced[..] else { panic!("two examples") };
    let lost = func(lost_before);
    assert_eq!(text(&naive(&lost)), *lost_after);
    // x = 0 … 4; the round that ends the loop has x = 4.
    assert_eq!(run(&lost, &[5]).1, Some(4));
    assert_eq!(run(&naive(&lost), &[5]).1, Some(5));

    let swap = func(swap_before);
    assert_eq!(text(&naive(&swap)), *swap_after);
    assert_eq!(run(&swap, &[7, 8]).1, Some(7));
    assert_eq!(run(&naive(&swap), &[7, 8]).1, Some(8));
}

/// Straight out of construction nothing interferes; after copy propagation much does, and some of it is seen.
#[test]
fn random_functions_are_right_before_copy_propagation_and_some_are_wrong_after() {
    let mut random = Random(31);
    let (mut wrong, mut ended) = (0, 0);
    for _ in 0..1500 {
        let (count, edges) = mixed_edges(&mut random, 12);
        let variables = 1 + random.below(5);
        let tac = random_tac_over(&mut random, count, &edges, variables);
        let mut ssa = tac.clone();
        pruned::run(&mut ssa);
        let mut optimised = ssa.clone();
        propagate_copies(&mut optimised);
        let mut right = optimised.clone();
        cssa_copies::run(&mut right);
        webs_to_variables::run(&mut right);
        for number in [0, 1, 5] {
            let args = [number, 1];
            let expected = run(&ssa, &args);
            ended += usize::from(expected.1.is_some());
            assert_same(&expected, &run(&naive(&ssa), &args), "nothing interferes");
            assert_same(&expected, &run(&right, &args), "the other way out");
            wrong += usize::from(run(&naive(&optimised), &args) != expected);
        }
    }
    assert!(wrong > 20 && ended > 1000, "{wrong} {ended}");
}
