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

/// A TAC function over random control flow that computes with `variables` int variables: assignments, sums, comparisons.
/// About half the variables have a value from the start; it may run for ever.
pub fn random_tac(random: &mut Random, count: usize, variables: usize) -> Func {
    let mut func = graph(count, &random_edges(random, count));
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
