//! The examples of the head comments are true: the function of the first fenced block gives the second.

use crate::dominator_tree::DominatorTree;
use crate::frontier::Frontiers;
use crate::interference::Interference;
use crate::iterated_frontier::IteratedFrontier;
use crate::iterated_frontier_worklist::Worklist;
use crate::link_eval::Found;
use crate::live_blocks::LiveBlocks;
use crate::liveness::Liveness;
use crate::liveness_iterative;
use crate::occurrences::Occurrences;
use crate::placement::{placements, print_placements};
use crate::print::Table;
use crate::{
    dominators_chk, dominators_iterative, dominators_lengauer_tarjan, dominators_semi_nca, frontier_dj, print,
};
use mini_base::ids::Id;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Def, Func, Value};
use mini_ir::text::{parse_module, value_text};

fn check(file: &str, analysis: impl Fn(&Func) -> String) {
    let fenced = mini_ir::testing::fenced(file);
    let [example, expected] = &fenced[..] else { panic!("an example is a function and a result, not {fenced:?}") };
    let module = parse_module(example).unwrap_or_else(|e| panic!("{e} in:\n{example}"));
    let func = module.funcs.iter().next().expect("a function");
    assert_eq!(analysis(func), *expected);
}

fn labels(func: &Func, blocks: &[Block]) -> String {
    let labels: Vec<String> = blocks.iter().map(|&b| func.label(b)).collect();
    if labels.is_empty() { "-".to_string() } else { labels.join(" ") }
}

fn values(func: &Func) -> impl Iterator<Item = Value> {
    (0..func.value_count()).map(Value::new)
}

#[test]
fn orders() {
    check(include_str!("orders.rs"), print::print_orders);
}

/// The columns after each round, the last of which changes nothing.
fn by_rounds(func: &Func, title: &str, order: &[Block], mut round: impl FnMut() -> (bool, Vec<String>)) -> String {
    let mut columns: Vec<Vec<String>> = Vec::new();
    let mut changed = true;
    while changed {
        let column;
        (changed, column) = round();
        columns.push(column);
    }
    let heads = (1..=columns.len()).map(|n| format!("round {n}"));
    let heads: Vec<String> = std::iter::once("block".to_string()).chain(heads).collect();
    let mut table = Table::new(title, &heads.iter().map(String::as_str).collect::<Vec<_>>());
    for (row, &block) in order.iter().enumerate() {
        table.row(std::iter::once(func.label(block)).chain(columns.iter().map(|c| c[row].clone())).collect());
    }
    table.text()
}

fn semidominators(func: &Func, found: Found) -> String {
    let title = format!("semidominators of {}", func.name);
    let mut table = Table::new(&title, &["number", "vertex", "semi", "dom"]);
    for (number, &vertex) in found.vertex.iter().enumerate() {
        let name =
            |of: &[u32]| if number == 0 { "-".to_string() } else { func.label(found.vertex[of[number] as usize]) };
        table.row(vec![number.to_string(), func.label(vertex), name(&found.semi), name(&found.dom)]);
    }
    table.text()
}

#[test]
fn dominators() {
    check(include_str!("dominator_tree.rs"), |func| print::print_dominator_tree(func, &DominatorTree::new(func)));
    check(include_str!("print.rs"), |func| print::print_dominator_tree(func, &DominatorTree::new(func)));
    check(include_str!("dominators_chk.rs"), |func| {
        let cfg = Cfg::new(func);
        let mut search = dominators_chk::Search::new(func, &cfg);
        let order: Vec<Block> = search.order.iter().rev().copied().collect();
        by_rounds(func, &format!("immediate dominators of {}", func.name), &order, || {
            let changed = search.round();
            (changed, (0..order.len()).rev().map(|b| func.label(search.idom(b))).collect())
        })
    });
    check(include_str!("dominators_iterative.rs"), |func| {
        let cfg = Cfg::new(func);
        let mut equations = dominators_iterative::Equations::new(func, &cfg);
        let order = equations.order.clone();
        by_rounds(func, &format!("dominators of {}", func.name), &order, || {
            let changed = equations.round();
            let members =
                |n: Block| order.iter().copied().filter(|&d| equations.dom[n].contains(d)).collect::<Vec<_>>();
            (changed, order.iter().map(|&n| labels(func, &members(n))).collect())
        })
    });
    check(include_str!("dominators_semi_nca.rs"), |func| {
        semidominators(func, dominators_semi_nca::find(func, &Cfg::new(func)))
    });
    check(include_str!("dominators_lengauer_tarjan.rs"), |func| {
        semidominators(func, dominators_lengauer_tarjan::find(func, &Cfg::new(func)))
    });
    check(include_str!("postdominators.rs"), print::print_postdominators);
}

#[test]
fn frontiers() {
    check(include_str!("frontier.rs"), |func| {
        let tree = DominatorTree::new(func);
        print::print_frontiers(func, &tree, &Frontiers::new(func, &Cfg::new(func), &tree))
    });
    check(include_str!("frontier_dj.rs"), |func| {
        let tree = DominatorTree::new(func);
        print::print_frontiers(func, &tree, &frontier_dj::frontiers(func, &tree))
    });
    check(include_str!("iterated_frontier.rs"), |func| {
        let tree = DominatorTree::new(func);
        let mut frontier = IteratedFrontier::new(func, &tree);
        let left: Vec<Block> = func.blocks().filter(|&b| func.label(b) == "left3").collect();
        format!("DF⁺({{left3}}) = {{{}}}\n", labels(func, frontier.of(&left)))
    });
    check(include_str!("placement.rs"), |func| {
        let tree = DominatorTree::new(func);
        let mut frontier = IteratedFrontier::new(func, &tree);
        print_placements(func, &placements(func, |a| frontier.of(a).to_vec()))
    });
    check(include_str!("iterated_frontier_worklist.rs"), |func| {
        let frontiers = Frontiers::new(func, &Cfg::new(func), &DominatorTree::new(func));
        let left: Vec<Block> = func.blocks().filter(|&b| func.label(b) == "left3").collect();
        format!("DF⁺({{left3}}) = {{{}}}\n", labels(func, &Worklist::new(func, &frontiers).of(&left)))
    });
}

#[test]
fn liveness() {
    check(include_str!("occurrences.rs"), |func| {
        let occurrences = Occurrences::of_all(func);
        let line = |value| {
            let (name, defs) = (value_text(func, value), labels(func, occurrences.defs(value)));
            format!("{:<3} defs {defs:<12}  exposed {}\n", name + ":", labels(func, occurrences.exposed(value)))
        };
        // Variables first, whatever the order in which the text names them.
        let (variables, temps): (Vec<_>, Vec<_>) = values(func).partition(|&v| func.def(v) == Def::Variable);
        variables.into_iter().chain(temps).map(line).collect()
    });
    check(include_str!("live_blocks.rs"), |func| {
        let (cfg, occurrences) = (Cfg::new(func), Occurrences::of_variables(func));
        let mut live = LiveBlocks::new(func);
        let mut text = String::new();
        for value in values(func).filter(|&v| func.def(v) == Def::Variable) {
            live.find(func, &cfg, occurrences.defs(value), occurrences.exposed(value));
            let blocks: Vec<Block> = func.blocks().filter(|&b| live.contains(b)).collect();
            text += &format!("{}: live at the start of {}\n", value_text(func, value), labels(func, &blocks));
        }
        text
    });
    check(include_str!("liveness.rs"), |func| print::print_liveness(func, &Liveness::new(func, &Cfg::new(func))));
    check(include_str!("liveness_iterative.rs"), |func| {
        print::print_liveness(func, &liveness_iterative::liveness(func))
    });
}

#[test]
fn interference() {
    check(include_str!("interference.rs"), |func| {
        let interference = Interference::new(func, &Cfg::new(func), &DominatorTree::new(func));
        let mut sorted: Vec<Value> = values(func).collect();
        sorted.sort_by_key(|&v| interference.def(v));
        let mut text = String::new();
        for (n, &a) in sorted.iter().enumerate() {
            let others = sorted[n + 1..].iter().filter(|&&b| interference.interfere(a, b));
            let others: Vec<String> = others.map(|&b| value_text(func, b)).collect();
            if !others.is_empty() {
                text += &format!("{} - {}\n", value_text(func, a), others.join(" "));
            }
        }
        text
    });
}

#[test]
fn loops() {
    check(include_str!("loops.rs"), print::print_loops);
}
