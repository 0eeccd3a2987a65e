//! Functions with a given control flow and little else, for tests and measurements.
//!
//! Block `i` is called `b{i}`; block 0 is the entry. A block without edges returns, one with one jumps, one with two
//! branches, one with more switches.

use mini_base::ids::Id;
use mini_base::source::Pos;
use mini_base::testing::Random;
use mini_ir::func::{Block, Func, Imm, Phase, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;

/// A TAC function with `count` blocks and these edges, in this order at each block. Conditions read a parameter.
pub fn graph(count: usize, edges: &[(usize, usize)]) -> Func {
    let mut func = Func::new("graph", Phase::Tac);
    let number = func.new_variable("number", Type::Int);
    let flag = func.new_variable("flag", Type::Bool);
    func.add_func_param(number);
    func.add_func_param(flag);
    let blocks: Vec<Block> = (0..count).map(|i| func.new_block_named(&format!("b{i}"))).collect();
    let mut targets: Vec<Vec<Block>> = vec![Vec::new(); count];
    for &(from, to) in edges {
        targets[from].push(blocks[to]);
    }
    for (&block, targets) in blocks.iter().zip(targets) {
        let inst = match targets.len() {
            0 => func.create_inst(Op::Return, Imm::None, &[], Pos::NONE),
            1 => func.create_inst(Op::Jump, Imm::None, &[], Pos::NONE),
            2 => func.create_inst(Op::Branch, Imm::None, &[flag], Pos::NONE),
            n => {
                let cases = func.new_cases((0..n as i64 - 1).collect());
                func.create_inst(Op::Switch, Imm::Cases(cases), &[number], Pos::NONE)
            }
        };
        let targets: Vec<(Block, &[_])> = targets.into_iter().map(|t| (t, &[][..])).collect();
        func.set_edges(inst, &targets);
        func.append_inst(block, inst);
    }
    func
}

/// The block called `b{i}`.
pub fn block(i: usize) -> Block {
    Block::new(i)
}

/// Random edges over `count` blocks: anything goes, unreachable blocks, self loops, twin edges and edges into the entry
/// included. `count` must not be 0.
pub fn random_edges(random: &mut Random, count: usize) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for from in 0..count {
        // Mostly one or two edges; sometimes none or more.
        for _ in 0..[1, 1, 1, 2, 2, 2, 2, 0, 3][random.below(9)] {
            let near = (from + 1 + random.below(3)).min(count - 1);
            let to = if random.below(3) == 0 { near } else { random.below(count) };
            edges.push((from, to));
        }
    }
    edges
}

/// Random edges of a reducible graph in which block 0 reaches every block; self loops, twin edges and edges into the entry
/// are among them. `count` must not be 0.
///
/// A graph is reducible if it shrinks to one block by T1, which drops a self loop, and T2, which merges a block with its only
/// predecessor (M. Hecht and J. Ullman, Flow Graph Reducibility, 1972). Here they run backwards, so that every such graph can appear.
pub fn reducible_edges(random: &mut Random, count: usize) -> Vec<(usize, usize)> {
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); count];
    for new in 1..count {
        // Mostly near, so that graphs are deep as well as wide.
        let old = if random.once_in(3) { random.below(new) } else { new - 1 - random.below(new.min(3)) };
        if random.once_in(4) {
            targets[old].push(old);
        }
        let mut kept = vec![new; 1 + usize::from(random.once_in(12))];
        for target in std::mem::take(&mut targets[old]) {
            match random.below(5) {
                0 | 1 => kept.push(target),
                2 | 3 => targets[new].push(target),
                _ => {
                    kept.push(target);
                    targets[new].push(target);
                }
            }
        }
        targets[old] = kept;
    }
    if random.once_in(4) {
        let block = random.below(count);
        targets[block].push(block);
    }
    // The order of the ids must tell nothing, nor that of the edges.
    let mut ids: Vec<usize> = (0..count).collect();
    shuffle(random, &mut ids[1..]);
    let mut edges = Vec::new();
    for (from, mut targets) in targets.into_iter().enumerate() {
        shuffle(random, &mut targets);
        edges.extend(targets.into_iter().map(|to| (ids[from], ids[to])));
    }
    edges
}

/// Random edges of an irreducible graph in which block 0 reaches every block: a reducible one with a cycle of two
/// blocks that can be entered at both, and a few more edges. `count` must be at least 4.
pub fn irreducible_edges(random: &mut Random, count: usize) -> Vec<(usize, usize)> {
    let [fork, left, right] = [count - 3, count - 2, count - 1];
    let mut edges = reducible_edges(random, count - 3);
    edges.extend([(random.below(fork), fork), (fork, left), (fork, right), (left, right), (right, left)]);
    for _ in 0..1 + random.below(1 + count / 8) {
        edges.push((random.below(count), random.below(count)));
    }
    edges
}

/// Adds `extra` blocks that block 0 does not reach, with edges among them and to the others; gives the new number of blocks.
pub fn add_unreachable(random: &mut Random, count: usize, extra: usize, edges: &mut Vec<(usize, usize)>) -> usize {
    for from in count..count + extra {
        for _ in 0..random.below(4) {
            edges.push((from, random.below(count + extra)));
        }
    }
    count + extra
}

/// Edges of any of these kinds over 1 to `most` blocks, with the number of blocks.
pub fn mixed_edges(random: &mut Random, most: usize) -> (usize, Vec<(usize, usize)>) {
    let count = 1 + random.below(most);
    let kind = random.below(4);
    let reachable = if random.once_in(2) { count } else { count - random.below(1 + count / 4) };
    let mut edges = match kind {
        0 if reachable >= 4 => irreducible_edges(random, reachable),
        0 | 1 => reducible_edges(random, reachable),
        _ => return (count, random_edges(random, count)),
    };
    add_unreachable(random, reachable, count - reachable, &mut edges);
    (count, edges)
}

fn shuffle(random: &mut Random, list: &mut [usize]) {
    for i in (1..list.len()).rev() {
        list.swap(i, random.below(i + 1));
    }
}

/// `count` blocks in a row.
pub fn chain(count: usize) -> Func {
    let edges: Vec<(usize, usize)> = (1..count).map(|i| (i - 1, i)).collect();
    graph(count, &edges)
}

/// `count` blocks in a row, each of which can skip the next: every detour ends where another begins. `count` must be at least 2.
pub fn skip_ladder(count: usize) -> Func {
    let edges: Vec<(usize, usize)> = (0..count - 2).flat_map(|i| [(i, i + 1), (i, i + 2)]).collect();
    graph(count, &edges)
}

/// `depth` loops, each around the next, all leaving at the bottom: the dominance frontiers together have a quadratic number
/// of members. Heads are blocks 1 to `depth`; the innermost, `depth`, is the body.
pub fn nested_loops(depth: usize) -> Func {
    let mut edges = Vec::new();
    for head in 0..depth {
        edges.push((head, head + 1));
    }
    // Block `depth` is the innermost body; latch `depth + 1 + k` closes the loop of head `depth - k`.
    edges.push((depth, depth + 1));
    for k in 0..depth {
        let latch = depth + 1 + k;
        edges.push((latch, depth - k));
        edges.push((latch, latch + 1));
    }
    graph(2 * depth + 2, &edges)
}

/// A TAC function over [`random_edges`], as [`random_tac_over`] makes it.
pub fn random_tac(random: &mut Random, count: usize, variables: usize) -> Func {
    let edges = random_edges(random, count);
    random_tac_over(random, count, &edges, variables)
}

/// A TAC function over this control flow that computes with `variables` int variables: assignments, sums, comparisons.
/// About half the variables have a value from the start; it may run for ever.
pub fn random_tac_over(random: &mut Random, count: usize, edges: &[(usize, usize)], variables: usize) -> Func {
    let mut func = graph(count, edges);
    func.results = vec![Type::Int];
    let mut vars: Vec<Value> = (0..variables).map(|i| func.new_variable(letters(i), Type::Int)).collect();
    vars.push(func.params[0]);
    for block in func.layout().to_vec() {
        let end = func.terminator(block).expect("every block of a graph has a terminator");
        let add = |func: &mut Func, op: Op, imm: Imm, args: &[Value], result: Option<Value>| {
            let inst = func.create_inst(op, imm, args, Pos::NONE);
            let result = result.unwrap_or_else(|| func.new_temp(if op == Op::Lt { Type::Bool } else { Type::Int }));
            func.set_results(inst, &[result]);
            func.insert_before(end, inst);
            result
        };
        if block == func.entry() {
            for &var in &vars {
                if random.below(2) == 0 {
                    continue;
                }
                let constant = add(&mut func, Op::Const, Imm::Int(random.below(9) as i64), &[], None);
                add(&mut func, Op::Copy, Imm::None, &[constant], Some(var));
            }
        }
        for _ in 0..random.below(4) {
            let [a, b, c] = [(); 3].map(|()| vars[random.below(vars.len())]);
            if random.below(2) == 0 {
                add(&mut func, Op::Copy, Imm::None, &[a], Some(b));
            } else {
                let sum = add(&mut func, Op::Add, Imm::None, &[a, b], None);
                add(&mut func, Op::Copy, Imm::None, &[sum], Some(c));
            }
        }
        let [a, b] = [(); 2].map(|()| vars[random.below(vars.len())]);
        let args: Vec<Value> = match func.op(end) {
            Op::Branch => vec![add(&mut func, Op::Lt, Imm::None, &[a, b], None)],
            Op::Switch | Op::Return => vec![a],
            _ => Vec::new(),
        };
        func.set_args(end, &args);
    }
    func
}

/// `a` to `z`, then `aa`, and so on.
fn letters(i: usize) -> String {
    let last = char::from(b'a' + (i % 26) as u8);
    if i < 26 { last.to_string() } else { letters(i / 26 - 1) + &last.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dominator_tree::DominatorTree;
    use crate::loops::LoopForest;
    use crate::orders::reachable;
    use mini_ir::cfg::Cfg;
    use mini_ir::leaders::{flatten, flow_of, leaders};
    use mini_ir::module::ModuleInfo;
    use mini_ir::text::{SsaStyle, parse_module, print_flat, print_func};

    /// T1 and T2 until neither applies: how many blocks are left of the reachable part.
    fn shrunk(count: usize, edges: &[(usize, usize)]) -> usize {
        let met = reachable(&graph(count, edges));
        let mut alive: Vec<usize> = (0..count).filter(|&b| met.contains(block(b))).collect();
        let mut edges: Vec<(usize, usize)> = edges.iter().copied().filter(|e| met.contains(block(e.0))).collect();
        loop {
            edges.retain(|e| e.0 != e.1);
            edges.sort();
            edges.dedup();
            let only = |b: usize| {
                let mut from = edges.iter().filter(|e| e.1 == b);
                from.next().filter(|_| from.next().is_none()).map(|e| e.0)
            };
            let Some((at, into)) = alive.iter().filter(|&&b| b != 0).find_map(|&b| Some((b, only(b)?))) else {
                return alive.len();
            };
            alive.retain(|&b| b != at);
            edges.retain(|e| e.1 != at);
            for edge in &mut edges {
                if edge.0 == at {
                    edge.0 = into;
                }
            }
        }
    }

    #[test]
    fn the_generators_keep_their_promises() {
        let mut random = Random(20);
        let (mut self_loops, mut twins, mut into_entry, mut loops) = (0, 0, 0, 0);
        for round in 0..300 {
            let count = 4 + random.below(30);
            let edges = reducible_edges(&mut random, count);
            assert_eq!(shrunk(count, &edges), 1, "round {round}: {edges:?}");
            assert_eq!(reachable(&graph(count, &edges)).count(), count);
            self_loops += edges.iter().filter(|e| e.0 == e.1).count();
            into_entry += edges.iter().filter(|e| e.1 == 0).count();
            let func = graph(count, &edges);
            loops += LoopForest::new(&func, &Cfg::new(&func), &DominatorTree::new(&func)).loops().len();
            let mut sorted = edges.clone();
            sorted.sort();
            sorted.dedup();
            twins += edges.len() - sorted.len();

            let edges = irreducible_edges(&mut random, count);
            assert!(shrunk(count, &edges) > 1, "round {round}: {edges:?}");
            let mut more = edges.clone();
            let all = add_unreachable(&mut random, count, 5, &mut more);
            assert_eq!(reachable(&graph(all, &more)).count(), count);
        }
        assert!(
            self_loops > 100 && twins > 100 && into_entry > 100 && loops > 500,
            "{self_loops} {twins} {into_entry}"
        );
    }

    #[test]
    fn the_leaders_of_a_flat_list_are_the_blocks_that_it_was_made_of() {
        let mut random = Random(21);
        for _ in 0..300 {
            let (count, edges) = mixed_edges(&mut random, 40);
            let func = random_tac_over(&mut random, count, &edges, 3);
            let info = ModuleInfo::default();
            let list = flatten(&func);
            let found: Vec<usize> = leaders(&flow_of(&func, &list)).iter().map(|leader| leader.at).collect();
            let starts: Vec<usize> = (0..list.len()).filter(|&at| list[at].label.is_some()).collect();
            assert_eq!(found, starts, "{edges:?}");
            let flat = print_flat(&func, &info);
            let again = parse_module(&flat).expect("what is printed reads back");
            let again = again.funcs.iter().next().expect("a function");
            assert_eq!(
                print_func(again, &info, SsaStyle::Params),
                print_func(&func, &info, SsaStyle::Params),
                "{flat}"
            );
        }
    }
}
