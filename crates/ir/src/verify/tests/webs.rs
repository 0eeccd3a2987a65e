//! Rule 17 against its definition, on random functions: many with interferences, many without.

use super::*;
use crate::func::Value;
use mini_base::testing::Random;

/// A random function over a random graph: each block has parameters and sums of values that are defined before.
fn random_ssa(random: &mut Random) -> Func {
    let blocks = 2 + random.below(7);
    let mut graph = String::from("func f(c: bool, n: int) {\nentry:\n  jmp b0x\n");
    for b in 0..blocks {
        graph += &format!("b{b}x:\n  br c, b{}x, b{}x\n", random.below(blocks), random.below(blocks));
    }
    let graph = module(&(graph + "}"));
    let graph = &graph.funcs[Id::new(0)];
    let dominance = dominance::Dominance::new(graph);
    let mut params = vec![0; graph.block_count()];
    let mut sums = params.clone();
    for block in graph.blocks().skip(1) {
        params[block.index()] = random.below(4) / 2;
        sums[block.index()] = random.below(3);
    }
    let label = |block: Block| graph.label(block).replace('x', "y");
    let all = |block: Block, count: usize, kind: &str| -> Vec<String> {
        (0..count).map(|n| format!("{kind}{}{n}z", label(block))).collect()
    };
    let mut text = String::from("cssa func f(c: bool, n: int) {\n");
    for block in graph.blocks() {
        let mut known = vec!["n".to_string()];
        for above in graph.blocks().filter(|&a| dominance.dominates(a, block) || a == block) {
            known.extend(all(above, params[above.index()], "p"));
            known.extend(if above == block { Vec::new() } else { all(above, sums[above.index()], "s") });
        }
        let typed: Vec<String> = all(block, params[block.index()], "p").iter().map(|p| format!("{p}: int")).collect();
        text += &format!("{}({}):\n", label(block), typed.join(", "));
        for sum in all(block, sums[block.index()], "s") {
            let [a, b] = [(); 2].map(|()| known[random.below(known.len())].clone());
            text += &format!("  {sum} = add {a}, {b}\n");
            known.push(sum);
        }
        let edges: Vec<String> = (graph.successors(block).map(|e| graph.edge_target(e)))
            .map(|to| {
                let args: Vec<String> =
                    (0..params[to.index()]).map(|_| known[random.below(known.len())].clone()).collect();
                format!("{}({})", label(to), args.join(", "))
            })
            .collect();
        text +=
            &if edges.len() == 1 { format!("  jmp {}\n", edges[0]) } else { format!("  br c, {}\n", edges.join(", ")) };
    }
    module(&(text + "}")).funcs.into_vec().remove(0)
}

/// Whether two values of a web interfere, by the words of the rule.
fn interferes(func: &Func) -> bool {
    let mut web: Vec<usize> = (0..func.value_count()).collect();
    for edge in func.blocks().flat_map(|b| func.successors(b)) {
        for (arg, &param) in func.edge_args(edge).zip(func.block_params(func.edge_target(edge))) {
            let (from, to) = (web[arg.index()], web[param.index()]);
            web.iter_mut().filter(|w| **w == from).for_each(|w| *w = to);
        }
    }
    let cfg = crate::cfg::Cfg::new(func);
    let dominance = dominance::Dominance::new(func);
    // Live at the start of each block: walk back from each use.
    let mut live_in = vec![vec![false; func.value_count()]; func.block_count()];
    let uses = |block: Block| {
        func.insts(block)
            .flat_map(|i| func.args(i).chain(func.edges(i).flat_map(|e| func.edge_args(e))).collect::<Vec<_>>())
    };
    let defines = |block: Block, value: Value| {
        let results = func.insts(block).flat_map(|i| func.results(i).to_vec());
        let params = if block == func.entry() { func.params.clone() } else { func.block_params(block).to_vec() };
        results.chain(params).any(|v| v == value)
    };
    for block in func.blocks().filter(|&b| dominance.reachable(b)) {
        for value in uses(block) {
            let mut work = vec![block];
            while let Some(at) = work.pop() {
                if !defines(at, value) && !std::mem::replace(&mut live_in[at.index()][value.index()], true) {
                    work.extend(cfg.predecessors(func, at));
                }
            }
        }
    }
    func.blocks().filter(|&b| dominance.reachable(b)).any(|block| {
        let mut live: Vec<bool> = (0..func.value_count())
            .map(|v| func.successors(block).any(|e| live_in[func.edge_target(e).index()][v]))
            .collect();
        let mut clash = false;
        let mut define = |live: &mut Vec<bool>, values: &[Value]| {
            for &value in values {
                let other = |v: usize| v != value.index() && web[v] == web[value.index()];
                clash |= (0..live.len()).any(|v| other(v) && (live[v] || values.contains(&Value::new(v))));
            }
            values.iter().for_each(|v| live[v.index()] = false);
        };
        for inst in func.insts(block).collect::<Vec<_>>().into_iter().rev() {
            define(&mut live, func.results(inst));
            for value in func.args(inst).chain(func.edges(inst).flat_map(|e| func.edge_args(e))) {
                live[value.index()] = true;
            }
        }
        define(&mut live, if block == func.entry() { &func.params } else { func.block_params(block) });
        clash
    })
}

#[test]
fn webs_agree_with_the_definition() {
    let mut random = Random(5);
    let mut counts = [0; 2];
    for _ in 0..3000 {
        let func = random_ssa(&mut random);
        let wrong = interferes(&func);
        counts[usize::from(wrong)] += 1;
        let errors = verify(&func, &ModuleInfo::default()).err().unwrap_or_default();
        assert!(errors.iter().all(|e| e.rule == Rule::Webs), "{}", errors[0]);
        let text = || crate::text::print_func(&func, &ModuleInfo::default(), crate::text::SsaStyle::Params);
        assert_eq!(!errors.is_empty(), wrong, "{}", text());
    }
    assert!(counts[0] > 300 && counts[1] > 300, "{counts:?}");
}
