//! What a well-formed function is, by definition: slow, plain, and sharing no code with the verifier that it judges.
//!
//! *In:* a function. *Out:* the first thing that is wrong. *Cost:* cubic, about; for small functions.
//!
//! Dominance is asked path by path: a definition comes before a use on every path if the use can't be reached once the
//! definition's block is taken away. Liveness is asked use by use. Types are left to the parser, which finds them anew
//! when the text is read back (`textual::round_trip`).

use mini_base::ids::Id;
use mini_ir::func::{Block, Def, Func, Inst, Phase, Use, Value};
use mini_ir::module::ModuleInfo;
use mini_ir::op::Op;
use mini_ir::text::value_text;
use std::collections::{BTreeMap, BTreeSet};

/// Checks a function.
pub fn check(func: &Func, info: &ModuleInfo) -> Result<(), String> {
    blocks(func)?;
    uses(func)?;
    definitions(func)?;
    names(func)?;
    edges(func)?;
    before_use(func)?;
    if func.phase == Phase::Cssa {
        webs(func)?;
    }
    heads(func, info)
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

/// The values that an instruction reads, those that its edges carry included.
fn reads(func: &Func, inst: Inst) -> Vec<Value> {
    func.args(inst).chain(func.edges(inst).flat_map(|e| func.edge_args(e))).collect()
}

fn insts(func: &Func) -> Vec<(Block, Inst)> {
    func.blocks().flat_map(|b| func.insts(b).map(move |i| (b, i))).collect()
}

fn blocks(func: &Func) -> Result<(), String> {
    let layout: BTreeSet<Block> = func.blocks().collect();
    require(!layout.is_empty() && layout.len() == func.blocks().len(), || "the layout is no set of blocks".into())?;
    for block in func.blocks() {
        let forward: Vec<Inst> = func.insts(block).collect();
        let mut backward: Vec<Inst> = func.insts(block).rev().collect();
        backward.reverse();
        require(forward == backward, || format!("{block}: the list of instructions differs backward"))?;
        require(forward.iter().all(|&i| func.inst_block(i) == Some(block)), || format!("{block}: a stranger"))?;
        let ends: Vec<usize> = (0..forward.len()).filter(|&n| func.op(forward[n]).is_terminator()).collect();
        require(ends == [forward.len().wrapping_sub(1)], || format!("{block}: terminators at {ends:?}"))?;
        for edge in func.successors(block) {
            require(layout.contains(&func.edge_target(edge)), || format!("{block}: an edge leads out"))?;
            require(Some(func.edge_inst(edge)) == func.terminator(block), || format!("{block}: a strange edge"))?;
        }
    }
    Ok(())
}

/// The uses of a value, as its list has them, are as many as the operands that name it, and belong to the same instructions.
fn uses(func: &Func) -> Result<(), String> {
    let mut operands: BTreeMap<Value, Vec<Inst>> = BTreeMap::new();
    for (_, inst) in insts(func) {
        for value in reads(func, inst) {
            operands.entry(value).or_default().push(inst);
        }
    }
    for value in (0..func.value_count()).map(Value::new) {
        let listed: Vec<Use> = func.uses(value).take(func.inst_count() * 100).collect();
        let mut users: Vec<Inst> =
            listed.iter().map(|&u| func.user(u)).filter(|&i| func.inst_block(i).is_some()).collect();
        let mut want = operands.remove(&value).unwrap_or_default();
        users.sort_unstable();
        want.sort_unstable();
        require(users == want, || format!("{}: used by {want:?}, listed {users:?}", value_text(func, value)))?;
    }
    Ok(())
}

/// Each value in use is a variable, or is defined once, where it says.
fn definitions(func: &Func) -> Result<(), String> {
    let mut found: BTreeMap<Value, Vec<Def>> = BTreeMap::new();
    let mut add = |values: &[Value], def: &dyn Fn(u32) -> Def| {
        for (n, &value) in values.iter().enumerate() {
            found.entry(value).or_default().push(def(n as u32));
        }
    };
    add(&func.params, &Def::FuncParam);
    for block in func.blocks() {
        add(func.block_params(block), &|n| Def::BlockParam(block, n));
    }
    for (_, inst) in insts(func) {
        add(func.results(inst), &|n| Def::Result(inst, n));
    }
    let read = insts(func).into_iter().flat_map(|(_, i)| reads(func, i));
    let all: BTreeSet<Value> = found.keys().copied().chain(read).collect();
    for value in all {
        let defs = found.remove(&value).unwrap_or_default();
        let is_variable = func.def(value) == Def::Variable;
        let fine = if is_variable { func.phase == Phase::Tac } else { defs == [func.def(value)] };
        require(fine, || format!("{}: defined by {defs:?}, says {:?}", value_text(func, value), func.def(value)))?;
    }
    Ok(())
}

fn names(func: &Func) -> Result<(), String> {
    let mut names: BTreeMap<String, Value> = BTreeMap::new();
    for (_, inst) in insts(func) {
        for value in reads(func, inst).into_iter().chain(func.results(inst).iter().copied()) {
            let text = value_text(func, value);
            require(*names.entry(text).or_insert(value) == value, || format!("two are {}", value_text(func, value)))?;
        }
    }
    let labels: BTreeSet<String> = func.blocks().map(|b| func.label(b)).collect();
    require(labels.len() == func.blocks().len(), || "two blocks have one label".into())
}

fn edges(func: &Func) -> Result<(), String> {
    for block in func.blocks() {
        let params = func.block_params(block);
        require(params.is_empty() || func.phase != Phase::Tac, || format!("{block}: parameters in TAC"))?;
        for edge in func.successors(block) {
            let want: Vec<_> = func.block_params(func.edge_target(edge)).iter().map(|&p| func.ty(p)).collect();
            let have: Vec<_> = func.edge_args(edge).map(|a| func.ty(a)).collect();
            require(have == want, || format!("{block}: an edge gives {have:?} for {want:?}"))?;
            let to_entry = func.edge_target(edge) == func.entry();
            require(!to_entry || func.phase == Phase::Tac, || format!("{block}: an edge to the entry"))?;
        }
    }
    let copies = insts(func).iter().any(|&(_, i)| func.op(i) == Op::ParallelCopy);
    require(!copies || func.phase == Phase::Cssa, || "a parallel copy in TAC or SSA".into())?;
    require(func.phase == Phase::Tac || func.block_params(func.entry()).is_empty(), || {
        "the entry has parameters".into()
    })
}

/// The blocks that control reaches without going through `without`.
fn reached(func: &Func, without: Option<Block>) -> BTreeSet<Block> {
    let mut seen = BTreeSet::new();
    let mut work = vec![func.entry()];
    while let Some(block) = work.pop() {
        if Some(block) != without && seen.insert(block) {
            work.extend(func.successors(block).map(|e| func.edge_target(e)));
        }
    }
    seen
}

/// The block where a value is defined, and the place there: 0 for parameters, then the instructions.
fn place(func: &Func, value: Value) -> Option<(Block, usize)> {
    match func.def(value) {
        Def::None | Def::Variable => None,
        Def::FuncParam(_) => Some((func.entry(), 0)),
        Def::BlockParam(block, _) => Some((block, 0)),
        Def::Result(inst, _) => {
            let block = func.inst_block(inst)?;
            Some((block, 1 + func.insts(block).position(|i| i == inst)?))
        }
    }
}

fn before_use(func: &Func) -> Result<(), String> {
    let all = reached(func, None);
    let mut avoiding: BTreeMap<Block, BTreeSet<Block>> = BTreeMap::new();
    for (block, inst) in insts(func).into_iter().filter(|(b, _)| all.contains(b)) {
        for value in reads(func, inst) {
            let Some((home, at)) = place(func, value) else { continue };
            let here = 1 + func.insts(block).position(|i| i == inst).unwrap_or(0);
            let fine = if home == block {
                at < here
            } else {
                !avoiding.entry(home).or_insert_with(|| reached(func, Some(home))).contains(&block)
            };
            require(fine, || format!("{} is not defined before {inst} in {block}", value_text(func, value)))?;
        }
    }
    Ok(())
}

/// Whether a value is read on some way from behind a place, before its own definition comes again.
fn is_live_behind(func: &Func, value: Value, (block, at): (Block, usize)) -> bool {
    let home = place(func, value);
    let mut seen = BTreeSet::new();
    let mut work = vec![(block, at)];
    while let Some((block, from)) = work.pop() {
        let mut ended = false;
        for (n, inst) in func.insts(block).enumerate().skip(from) {
            if reads(func, inst).contains(&value) {
                return true;
            }
            if home == Some((block, n + 1)) {
                ended = true;
                break;
            }
        }
        if !ended {
            let next = func.successors(block).map(|e| func.edge_target(e));
            work.extend(next.filter(|&b| home != Some((b, 0)) && seen.insert(b)).map(|b| (b, 0)));
        }
    }
    false
}

/// In CSSA no two values of a web are defined at one place, and none is live behind the place where another is defined.
fn webs(func: &Func) -> Result<(), String> {
    let mut web: Vec<usize> = (0..func.value_count()).collect();
    for edge in func.blocks().flat_map(|b| func.successors(b)) {
        for (arg, &param) in func.edge_args(edge).zip(func.block_params(func.edge_target(edge))) {
            let (from, to) = (web[arg.index()], web[param.index()]);
            web.iter_mut().filter(|w| **w == from).for_each(|w| *w = to);
        }
    }
    let all = reached(func, None);
    let values: Vec<(Value, (Block, usize))> = (0..func.value_count())
        .map(Value::new)
        .filter_map(|v| Some((v, place(func, v)?)))
        .filter(|(_, (block, _))| all.contains(block))
        .collect();
    for &(a, _) in &values {
        for &(b, at) in values.iter().filter(|(b, _)| *b != a && web[b.index()] == web[a.index()]) {
            let (x, y) = (value_text(func, a), value_text(func, b));
            require(place(func, a) != Some(at), || format!("{x} and {y} are defined at one place"))?;
            require(!is_live_behind(func, a, at), || format!("{x} is live behind the definition of {y}"))?;
        }
    }
    Ok(())
}

/// The function is the one that its callers know.
fn heads(func: &Func, info: &ModuleInfo) -> Result<(), String> {
    let head = info.signatures.iter().find(|head| head.name == func.name);
    require(head == Some(&func.signature()), || "its callers know another head".into())
}
