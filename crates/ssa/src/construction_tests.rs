//! The constructions of SSA on random functions: held against each other, and against the definitions of minimal and
//! pruned by paths.

use crate::test_bed::{assert_same, check_rules, check_ssa, example, func, run, text};
use crate::{braun, mem2reg, minimal, pruned, reaching_def, semi_pruned, variables_to_slots};
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::frontier::Frontiers;
use mini_analysis::sample_graphs::{
    block, chain, irreducible_edges, mixed_edges, nested_loops, random_edges, random_tac_over, reducible_edges,
};
use mini_base::ids::Id;
use mini_base::source::Pos;
use mini_base::testing::Random;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Def, Func, Imm, Value, ValueName};
use mini_ir::op::Op;
use mini_ir::text::parse_module;
use mini_ir::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// A construction and its name.
type Construction = (&'static str, fn(&mut Func));

const ALL: &[Construction] = &[
    ("minimal", minimal::run),
    ("semi_pruned", semi_pruned::run),
    ("pruned", pruned::run),
    ("reaching_def", reaching_def::run),
    ("braun", braun::run),
    ("mem2reg", by_slots),
];

/// Variables in stack slots, and all of those promoted.
fn by_slots(func: &mut Func) {
    variables_to_slots::run(func);
    check_rules(func);
    let slots = func.insts(func.entry()).filter(|&i| func.op(i) == Op::Slot).count();
    assert_eq!(mem2reg::run(func), slots);
    assert_eq!(mem2reg::run(func), 0);
}

/// What one of them makes of a function.
fn made(tac: &Func, pass: fn(&mut Func)) -> Func {
    let mut func = tac.clone();
    pass(&mut func);
    func
}

/// Block and variable, by name.
type Place = (String, String);

fn variable_name(func: &Func, v: Value) -> Option<String> {
    match func.value_name(v) {
        ValueName::Var(var, _) => Some(func.var_name(var).to_string()),
        ValueName::Temp(_) => None,
    }
}

fn phis(func: &Func) -> BTreeSet<Place> {
    let params = func.blocks().flat_map(|b| func.block_params(b).iter().map(move |&p| (b, p)));
    params.map(|(b, p)| (func.label(b), variable_name(func, p).expect("a phi is named after its variable"))).collect()
}

/// The variables that are ⊥ somewhere.
fn undefs(func: &Func) -> Vec<String> {
    let insts = func.blocks().flat_map(|b| func.insts(b)).filter(|&i| func.op(i) == Op::Undef);
    insts.map(|i| variable_name(func, func.result(i)).expect("⊥ is named after its variable")).collect()
}

/// The text with versions numbered as they come.
fn renumbered(func: &Func) -> String {
    let mut numbers: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut result = String::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    for word in text(func).split_inclusive(|c| !is_word(c)) {
        let name = word.trim_end_matches(|c| !is_word(c));
        match name.split_once('.') {
            Some((stem, version)) => {
                let versions = numbers.entry(stem.to_string()).or_default();
                let next = versions.len() + 1;
                let number = *versions.entry(version.to_string()).or_insert(next);
                result += &format!("{stem}.{number}{}", &word[name.len()..]);
            }
            None => result += word,
        }
    }
    result
}

/// Edges between reachable blocks, a new entry in front: number `count`.
struct Paths {
    count: usize,
    edges: Vec<(usize, usize)>,
}

impl Paths {
    fn new(func: &Func) -> Paths {
        let count = func.block_count();
        let mut edges = vec![(count, func.entry().index())];
        let mut met = vec![false; count + 1];
        met[func.entry().index()] = true;
        let mut worklist = vec![func.entry()];
        while let Some(b) = worklist.pop() {
            for edge in func.successors(b) {
                let to = func.edge_target(edge);
                edges.push((b.index(), to.index()));
                if !std::mem::replace(&mut met[to.index()], true) {
                    worklist.push(to);
                }
            }
        }
        Paths { count: count + 1, edges }
    }

    /// Whether nonnull paths from two different blocks of a set converge at `z`: they have no block but `z` in common.
    /// Flows of one unit through every block, two into `z`; the second may push back the first.
    fn converge(&self, from: &BTreeSet<usize>, z: usize) -> bool {
        // Each block is two nodes, in = 2b and out = 2b + 1; z's in is the sink, and its out can be a source.
        let source = 2 * self.count;
        let mut residual: BTreeMap<(usize, usize), i32> = BTreeMap::new();
        for b in (0..self.count).filter(|&b| b != z) {
            residual.insert((2 * b, 2 * b + 1), 1);
        }
        for &(a, b) in &self.edges {
            *residual.entry((2 * a + 1, 2 * b)).or_insert(0) += 1;
        }
        for &x in from {
            // A path begins with the block itself, which takes its unit.
            residual.insert((source, if x == z { 2 * x + 1 } else { 2 * x }), 1);
        }
        (0..2).all(|_| {
            let mut before: BTreeMap<usize, usize> = BTreeMap::from([(source, source)]);
            let mut worklist = vec![source];
            while let Some(at) = worklist.pop() {
                for (&(a, b), &capacity) in &residual {
                    if a == at && capacity > 0 && !before.contains_key(&b) {
                        before.insert(b, a);
                        worklist.push(b);
                    }
                }
            }
            let mut at = 2 * z;
            let found = before.contains_key(&at);
            while found && at != source {
                let from = before[&at];
                *residual.get_mut(&(from, at)).expect("an edge of the path") -= 1;
                *residual.entry((at, from)).or_insert(0) += 1;
                at = from;
            }
            found
        })
    }
}

/// J⁺(A ∪ {entry}): the definition of where a variable needs a phi.
fn phis_by_paths(func: &Func) -> BTreeSet<Place> {
    let paths = Paths::new(func);
    let mut result = BTreeSet::new();
    for v in variables(func) {
        let mut from: BTreeSet<usize> = func.blocks().filter(|&b| assigns(func, b, v)).map(|b| b.index()).collect();
        from.retain(|&b| paths.edges.iter().any(|e| e.1 == b)); // reachable
        from.insert(paths.count - 1);
        let mut joins = BTreeSet::new();
        loop {
            let new = (0..paths.count).find(|&z| !joins.contains(&z) && paths.converge(&from, z));
            let Some(z) = new else { break };
            joins.insert(z);
            from.insert(z);
        }
        let name = variable_name(func, v).expect("a variable has a name");
        result.extend(joins.into_iter().map(|b| (func.label(block(b)), name.clone())));
    }
    result
}

fn variables(func: &Func) -> Vec<Value> {
    (0..func.value_count()).map(Value::new).filter(|&v| func.def(v) == Def::Variable).collect()
}

fn assigns(func: &Func, b: Block, v: Value) -> bool {
    func.insts(b).any(|i| func.results(i).contains(&v))
}

/// Whether a variable is live at the start of a block: some path reads it before it assigns it.
fn is_live(func: &Func, start: Block, v: Value) -> bool {
    let mut met = BTreeSet::from([start]);
    let mut worklist = vec![start];
    while let Some(b) = worklist.pop() {
        let first = func.insts(b).find(|&i| func.args(i).any(|a| a == v) || func.results(i).contains(&v));
        match first {
            Some(inst) if func.args(inst).any(|a| a == v) => return true,
            Some(_) => {}
            None => {
                let targets = func.successors(b).map(|e| func.edge_target(e));
                worklist.extend(targets.filter(|&t| met.insert(t)));
            }
        }
    }
    false
}

fn live_places(func: &Func, places: &BTreeSet<Place>) -> BTreeSet<Place> {
    let block_of = |label: &str| func.blocks().find(|&b| func.label(b) == label);
    let variable_of =
        |name: &str| variables(func).into_iter().find(|&v| variable_name(func, v).is_some_and(|n| n == name));
    let is_live = |(label, name): &&Place| {
        let (b, v) = (block_of(label).expect("a block"), variable_of(name).expect("a variable"));
        is_live(func, b, v)
    };
    places.iter().filter(is_live).cloned().collect()
}

#[test]
fn every_construction_gives_a_valid_function_of_equal_behaviour() {
    let mut random = Random(31);
    let mut ended = 0;
    for round in 0..250 {
        let (count, edges) = mixed_edges(&mut random, if round % 10 == 0 { 200 } else { 20 });
        let variables = 1 + random.below(6);
        let tac = random_tac_over(&mut random, count, &edges, variables);
        for &(name, pass) in ALL {
            let ssa = made(&tac, pass);
            check_ssa(&ssa);
            let printed = text(&ssa);
            let again = parse_module(&printed).unwrap_or_else(|e| panic!("{e} in:\n{printed}"));
            assert_eq!(text(again.funcs.iter().next().expect("one function")), printed);
            for number in [0, 1, 5] {
                let expected = run(&tac, &[number, 1]);
                ended += usize::from(expected.1.is_some());
                assert_same(&expected, &run(&ssa, &[number, 1]), &format!("round {round}, {name}"));
            }
        }
    }
    assert!(ended > 1000, "the functions must be worth running: {ended}");
}

#[test]
fn pruned_phis_are_the_live_ones_among_minimal_ones() {
    let mut random = Random(32);
    let (mut dead, mut local) = (0, 0);
    for round in 0..250 {
        let (count, edges) = mixed_edges(&mut random, if round % 10 == 0 { 100 } else { 14 });
        let number = 1 + random.below(5);
        let tac = random_tac_over(&mut random, count, &edges, number);
        let [minimal, semi_pruned, pruned] =
            [minimal::run, semi_pruned::run, pruned::run].map(|pass| phis(&made(&tac, pass)));
        assert_eq!(pruned, live_places(&tac, &minimal), "round {round}");
        let non_locals: BTreeSet<Place> = (minimal.iter())
            .filter(|(_, name)| {
                variables(&tac).into_iter().any(|v| {
                    variable_name(&tac, v).as_ref() == Some(name)
                        && reachable_blocks(&tac).iter().any(|&b| is_read_first(&tac, b, v))
                })
            })
            .cloned()
            .collect();
        assert_eq!(semi_pruned, non_locals, "round {round}");
        assert!(pruned.is_subset(&semi_pruned) && semi_pruned.is_subset(&minimal));
        dead += semi_pruned.len() - pruned.len();
        local += minimal.len() - semi_pruned.len();
    }
    assert!(dead > 300 && local > 50, "the three must differ: {dead} {local}");
}

fn reachable_blocks(func: &Func) -> Vec<Block> {
    let paths = Paths::new(func);
    let mut blocks: Vec<Block> = paths.edges.iter().map(|e| block(e.1)).collect();
    blocks.sort();
    blocks.dedup();
    blocks
}

fn is_read_first(func: &Func, b: Block, v: Value) -> bool {
    let first = func.insts(b).find(|&i| func.args(i).any(|a| a == v) || func.results(i).contains(&v));
    first.is_some_and(|inst| func.args(inst).any(|a| a == v))
}

#[test]
fn minimal_phis_stand_where_paths_from_two_assignments_converge() {
    let mut random = Random(33);
    let mut found = 0;
    for round in 0..150 {
        let count = 1 + random.below(9);
        let edges = random_edges(&mut random, count);
        let tac = random_tac_over(&mut random, count, &edges, 3);
        let expected = phis_by_paths(&tac);
        assert_eq!(phis(&made(&tac, minimal::run)), expected, "round {round}:\n{}", text(&tac));
        found += expected.len();
    }
    assert!(found > 300, "{found}");
}

#[test]
fn chains_and_stacks_rename_alike() {
    let mut random = Random(34);
    for round in 0..250 {
        let (count, edges) = mixed_edges(&mut random, if round % 10 == 0 { 200 } else { 20 });
        let tac = random_tac_over(&mut random, count, &edges, 5);
        assert_eq!(text(&made(&tac, reaching_def::run)), text(&made(&tac, pruned::run)), "round {round}");
    }
}

#[test]
fn promoted_slots_have_the_phis_and_undefs_of_pruned_variables_and_slots_alone_run_the_same() {
    let mut random = Random(37);
    let mut number = 0;
    for round in 0..250 {
        let (count, edges) = mixed_edges(&mut random, if round % 10 == 0 { 200 } else { 20 });
        let tac = random_tac_over(&mut random, count, &edges, 5);
        let (slots, pruned) = (made(&tac, by_slots), made(&tac, pruned::run));
        check_ssa(&slots);
        assert_eq!(phis(&slots), phis(&pruned), "round {round}");
        assert_eq!(undefs(&slots), undefs(&pruned), "round {round}");
        let in_memory = made(&tac, variables_to_slots::run);
        assert!(phis(&in_memory).is_empty());
        for start in [0, 1, 5] {
            assert_same(&run(&tac, &[start, 1]), &run(&in_memory, &[start, 1]), &format!("round {round}"));
        }
        number += phis(&slots).len();
    }
    assert!(number > 500, "{number}");
}

#[test]
fn braun_makes_pruned_ssa_and_needs_the_search_for_redundant_sets_on_irreducible_graphs_only() {
    let mut random = Random(35);
    let mut redundant_in_all = 0;
    for round in 0..400 {
        let count = 4 + random.below(if round % 10 == 0 { 197 } else { 17 });
        let reducible = round % 2 == 0;
        let edges = if reducible { reducible_edges(&mut random, count) } else { irreducible_edges(&mut random, count) };
        let tac = random_tac_over(&mut random, count, &edges, 4);
        let mut func = tac.clone();
        let redundant = braun::construct(&mut func);
        assert_eq!(renumbered(&func), renumbered(&made(&tac, pruned::run)), "round {round}");
        assert!(redundant == 0 || !reducible, "round {round}");
        redundant_in_all += redundant;
    }
    assert!(redundant_in_all > 100, "{redundant_in_all}");
}

#[test]
fn undef_is_made_for_what_is_live_before_the_entry() {
    let mut random = Random(36);
    let mut number = 0;
    for round in 0..300 {
        let (count, edges) = mixed_edges(&mut random, 14);
        let tac = random_tac_over(&mut random, count, &edges, 6);
        let open = variables(&tac).into_iter().filter(|v| !tac.params.contains(v) && is_live(&tac, tac.entry(), *v));
        let expected: Vec<String> = open.map(|v| variable_name(&tac, v).expect("a variable has a name")).collect();
        for &(name, pass) in ALL {
            let found = undefs(&made(&tac, pass));
            if matches!(name, "minimal" | "semi_pruned") {
                // Dead phis may want more.
                assert!(expected.iter().all(|v| found.contains(v)), "round {round}, {name}");
            } else {
                assert_eq!(found, expected, "round {round}, {name}");
            }
        }
        number += expected.len();
    }
    assert!(number > 100, "{number}");
}

#[test]
fn sum_to_of_the_design() {
    let [tac, ssa] = example(include_str!("cytron.rs"));
    let shown: String = tac.lines().map(|line| format!("  {line}\n")).collect();
    assert!(include_str!("../../../docs/design.md").contains(&shown), "the design shows it, letter for letter");
    for &(name, pass) in ALL {
        let made = made(&func(&tac), pass);
        if name != "mem2reg" {
            // (Its copies became stores, and are gone.)
            assert_eq!(renumbered(&made), ssa, "{name}");
        }
        let (i, s) = (("head2".to_string(), "i".to_string()), ("head2".to_string(), "s".to_string()));
        assert_eq!(phis(&made), BTreeSet::from([i, s]));
        let tree = DominatorTree::new(&made);
        let head = made.blocks().nth(1).expect("head2");
        assert_eq!(Frontiers::new(&made, &Cfg::new(&made), &tree).of(head), [head], "DF(head2) = {{head2}}");
    }
}

/// Puts `to = copy from` before the end of a block.
fn assign(func: &mut Func, b: Block, from: Value, to: Value) {
    let copy = func.create_inst(Op::Copy, Imm::None, &[from], Pos::NONE);
    func.set_results(copy, &[to]);
    let end = func.terminator(b).expect("a terminator");
    func.insert_before(end, copy);
}

#[test]
fn quadratic_frontiers_and_long_chains_are_no_trouble() {
    // The frontiers of the ladder have some 10⁹ members; the body's assignment needs a phi at every head.
    let depth = 50_000;
    let mut ladder = nested_loops(depth);
    let x = ladder.new_variable("x", Type::Int);
    let number = ladder.params[0];
    assign(&mut ladder, block(0), number, x);
    assign(&mut ladder, block(depth), x, x);
    // Assigned at the start, read at the end.
    let count = 1_000_000;
    let mut chain = chain(count);
    let y = chain.new_variable("y", Type::Int);
    let number = chain.params[0];
    assign(&mut chain, block(0), number, y);
    assign(&mut chain, block(count - 1), y, y);
    for &(name, pass) in ALL {
        let ssa = made(&ladder, pass);
        let phis: usize = ssa.blocks().map(|b| ssa.block_params(b).len()).sum();
        assert_eq!(phis, depth, "{name}");
        let ssa = made(&chain, pass);
        assert!(ssa.blocks().all(|b| ssa.block_params(b).is_empty()), "{name}");
    }
}
