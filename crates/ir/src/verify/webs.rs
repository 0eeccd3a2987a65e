//! Rule 17: in CSSA, block parameters and the arguments that flow into them can share a place.
//!
//! *In:* a CSSA function that follows all other rules. *Cost:* the blocks that each web is live in, plus the instructions.
//!
//! A web is a class of values under "is argument for". Two of its values interfere if one is live where the other is
//! defined. Each web may hold one live value at a time; the walk backwards over a block keeps which one.

use super::dominance::Dominance;
use super::{Report, Rule};
use crate::func::{Block, Def, Func, Inst, Value};
use crate::text::value_text;
use mini_base::ids::Id;
use rustc_hash::FxHashMap;

/// Checks the rule; stops at the first interference.
pub(super) fn check(report: &mut Report<'_>, dominance: &Dominance) {
    let webs = Webs::new(report.func);
    let Err((block, a, b)) = live_in(report.func, dominance, &webs).and_then(|live| {
        report
            .func
            .blocks()
            .filter(|&b| dominance.reachable(b))
            .try_for_each(|block| walk(report.func, &webs, &live, block))
    }) else {
        return;
    };
    let (a, b) = (value_text(report.func, a), value_text(report.func, b));
    report.at_block(Rule::Webs, block, format!("`{a}` and `{b}` are in one web, but live at the same time"));
}

type Interference = (Block, Value, Value);

/// Classes of values by union-find, of the verifier's own: what it judges uses the one in `base`.
struct Webs {
    parent: Vec<u32>,
    /// Whether the value flows into a parameter or is one.
    member: Vec<bool>,
}

impl Webs {
    fn new(func: &Func) -> Webs {
        let count = func.value_count();
        let mut webs = Webs { parent: (0..count as u32).collect(), member: vec![false; count] };
        for block in func.blocks() {
            for edge in func.successors(block) {
                for (arg, &param) in func.edge_args(edge).zip(func.block_params(func.edge_target(edge))) {
                    webs.join(arg, param);
                }
            }
        }
        for v in 0..count as u32 {
            webs.parent[v as usize] = webs.find(v);
        }
        webs
    }

    fn find(&mut self, mut v: u32) -> u32 {
        // Path halving.
        while self.parent[v as usize] != v {
            self.parent[v as usize] = self.parent[self.parent[v as usize] as usize];
            v = self.parent[v as usize];
        }
        v
    }

    fn join(&mut self, a: Value, b: Value) {
        let (x, y) = (self.find(a.index() as u32), self.find(b.index() as u32));
        self.parent[x as usize] = y;
        self.member[a.index()] = true;
        self.member[b.index()] = true;
    }

    /// The web of a value that is in one with others.
    fn of(&self, value: Value) -> Option<u32> {
        self.member[value.index()].then(|| self.parent[value.index()])
    }
}

/// For each block the values that are live at its start, by their webs.
type LiveIn = Vec<FxHashMap<u32, Value>>;

fn live_in(func: &Func, dominance: &Dominance, webs: &Webs) -> Result<LiveIn, Interference> {
    let mut live: LiveIn = vec![FxHashMap::default(); func.block_count()];
    for block in func.blocks().filter(|&b| dominance.reachable(b)) {
        for inst in func.insts(block) {
            let edge_args = func.edges(inst).flat_map(|e| func.edge_args(e));
            for value in func.args(inst).chain(edge_args) {
                let Some(web) = webs.of(value) else { continue };
                let mut work = vec![block];
                while let Some(block) = work.pop() {
                    if def_block(func, value) == block {
                        continue;
                    }
                    match live[block.index()].insert(web, value) {
                        Some(old) if old == value => continue,
                        Some(old) => return Err((block, old, value)),
                        None => {
                            work.extend(dominance.cfg.predecessors(func, block).filter(|&p| dominance.reachable(p)))
                        }
                    }
                }
            }
        }
    }
    Ok(live)
}

fn def_block(func: &Func, value: Value) -> Block {
    match func.def(value) {
        Def::Result(inst, _) => func.inst_block(inst).expect("the definition was checked before"),
        Def::BlockParam(block, _) => block,
        Def::FuncParam(_) | Def::Variable => func.entry(),
        Def::None => unreachable!("a value in use has a definition; rule 11"),
    }
}

fn walk(func: &Func, webs: &Webs, live: &LiveIn, block: Block) -> Result<(), Interference> {
    let mut holds: FxHashMap<u32, Value> = FxHashMap::default();
    let occupy = |holds: &mut FxHashMap<u32, Value>, web, value| match holds.insert(web, value) {
        Some(old) if old != value => Err((block, old, value)),
        _ => Ok(()),
    };
    for edge in func.successors(block) {
        let target = func.edge_target(edge);
        // The smallest web of those that clash is reported, whatever the order of the map.
        let clash = |(&web, &value): (&u32, &Value)| {
            let old = holds.get(&web).copied().filter(|&old| old != value)?;
            Some((web, old, value))
        };
        if let Some((_, old, value)) = live[target.index()].iter().filter_map(clash).min() {
            return Err((block, old, value));
        }
        holds.extend(&live[target.index()]);
    }
    let insts: Vec<Inst> = func.insts(block).collect();
    for &inst in insts.iter().rev() {
        define(webs, &mut holds, func.results(inst)).map_err(|(a, b)| (block, a, b))?;
        let edge_args = func.edges(inst).flat_map(|e| func.edge_args(e));
        for value in func.args(inst).chain(edge_args) {
            if let Some(web) = webs.of(value) {
                occupy(&mut holds, web, value)?;
            }
        }
    }
    define(webs, &mut holds, func.block_params(block)).map_err(|(a, b)| (block, a, b))?;
    if block == func.entry() {
        define(webs, &mut holds, &func.params).map_err(|(a, b)| (block, a, b))?;
    }
    Ok(())
}

/// Values that are defined at once: each takes its web's place, which must be free or its own.
fn define(webs: &Webs, holds: &mut FxHashMap<u32, Value>, values: &[Value]) -> Result<(), (Value, Value)> {
    for &value in values {
        let Some(web) = webs.of(value) else { continue };
        match holds.get(&web) {
            Some(&other) if other != value => return Err((other, value)),
            _ => holds.insert(web, value),
        };
    }
    for &value in values {
        if let Some(web) = webs.of(value) {
            holds.remove(&web);
        }
    }
    Ok(())
}
