//! Functions to decoded instructions.
//!
//! *In:* a module whose structure is sound. *Out:* a [`Program`]. *Cost:* linear, but for the search for variables that may be
//! read before they are assigned, which gives up (and assumes that they may) after a number of steps in proportion to the module.
//!
//! Values get slots of the frame: parameters first; a value that lives within one block shares its slot with others that
//! come before and after it there. Edge arguments become copies on the way to the target; when they overlap, they are put
//! in an order that reads every value before it is overwritten.

use crate::code::{CallSite, Callee, Code, FuncCode, Kind, NO_CLASS, Program, SwitchTable, computing, computing_ops};
use crate::heap::Heap;
use mini_analysis::live_blocks::LiveBlocks;
use mini_analysis::occurrences::Occurrences;
use mini_base::ids::Id;
use mini_base::sequentialize::{Step, sequentialize};
use mini_ir::cfg::Cfg;
use mini_ir::class::Class;
use mini_ir::eval::Const;
use mini_ir::func::{Block, Def, Edge, Func, Imm, Inst, Phase, Value};
use mini_ir::module::Module;
use mini_ir::op::Op;
use mini_ir::types::{Layout, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// Decodes all functions.
pub(crate) fn decode(module: &Module, heap: &Heap) -> Program {
    let mut decoder = Decoder { module, heap, program: Program::default(), signature_ids: FxHashMap::default() };
    for func in module.funcs.iter() {
        decoder.func(func);
    }
    decoder.program.may_read_undef = module.funcs.iter().any(may_read_undef);
    decoder.program
}

struct Decoder<'a> {
    module: &'a Module,
    heap: &'a Heap,
    program: Program,
    signature_ids: FxHashMap<(Vec<Type>, Vec<Type>), u32>,
}

/// The place of a target in an instruction, to be filled in when the places of blocks are known.
#[derive(Clone, Copy)]
enum Fixup {
    A(usize),
    B(usize),
    Case(usize, usize),
    Default(usize),
}

struct FuncDecoder<'a> {
    func: &'a Func,
    slots: Slots,
    cells: Vec<Type>,
    starts: Vec<u32>,
    fixups: Vec<(Fixup, Block)>,
    class: u8,
    pos: mini_base::source::Pos,
}

impl Decoder<'_> {
    fn signature(&mut self, params: Vec<Type>, results: Vec<Type>) -> u32 {
        let key = (params, results);
        if let Some(&id) = self.signature_ids.get(&key) {
            return id;
        }
        let id = self.program.signatures.len() as u32;
        self.program.signatures.push(key.clone());
        self.signature_ids.insert(key, id);
        id
    }

    fn push(&mut self, at: &FuncDecoder<'_>, kind: Kind, [d, a, b, c]: [u32; 4]) -> usize {
        self.program.code.push(Code { kind, class: at.class, d, a, b, c });
        self.program.positions.push(at.pos);
        self.program.code.len() - 1
    }

    fn func(&mut self, func: &Func) {
        let head = func.signature();
        let signature = self.signature(head.params, head.results);
        let slots = Slots::new(func);
        let entry = self.program.code.len() as u32;
        let first_switch = self.program.switches.len();
        let mut at = FuncDecoder {
            func,
            slots,
            cells: Vec::new(),
            starts: vec![0; func.block_count()],
            fixups: Vec::new(),
            class: NO_CLASS,
            pos: mini_base::source::Pos::NONE,
        };
        for block in func.blocks() {
            at.starts[block.index()] = self.program.code.len() as u32;
            for inst in func.insts(block) {
                at.class = func.op(inst).class() as u8;
                at.pos = func.inst_pos(inst);
                self.inst(&mut at, inst);
            }
        }
        for (fixup, block) in &at.fixups {
            let target = at.starts[block.index()];
            match *fixup {
                Fixup::A(n) => self.program.code[n].a = target,
                Fixup::B(n) => self.program.code[n].b = target,
                Fixup::Case(table, n) => self.program.switches[table].cases[n].1 = target,
                Fixup::Default(table) => self.program.switches[table].default = target,
            }
        }
        for table in &mut self.program.switches[first_switch..] {
            table.cases.sort_unstable();
        }
        let Slots { count, refs, .. } = at.slots;
        let cells = at.cells.into_boxed_slice();
        self.program.funcs.push(FuncCode { entry, slots: count, refs: refs.into_boxed_slice(), cells, signature });
    }

    fn inst(&mut self, at: &mut FuncDecoder<'_>, inst: Inst) {
        let func = at.func;
        let op = func.op(inst);
        let slot = |value: Value| at.slots.of(value);
        let args: Vec<u32> = func.args(inst).map(slot).collect();
        let results: Vec<u32> = func.results(inst).iter().map(|&r| slot(r)).collect();
        let a = |n: usize| args.get(n).copied().unwrap_or(0);
        match op {
            Op::ParallelCopy => {
                let pairs: Vec<(u32, u32)> = results.iter().copied().zip(args.iter().copied()).collect();
                self.moves(at, &pairs);
            }
            Op::Jump => {
                let edge = func.edges(inst).next().expect("a jump has an edge; rule 4");
                self.edge_moves(at, edge);
                at.class = Class::Branch as u8;
                let goto = self.push(at, Kind::Goto, [0; 4]);
                at.fixups.push((Fixup::A(goto), func.edge_target(edge)));
            }
            Op::Branch => {
                let branch = self.push(at, Kind::Branch, [a(0), 0, 0, 0]);
                for (n, edge) in func.edges(inst).enumerate() {
                    let fixup = if n == 0 { Fixup::A(branch) } else { Fixup::B(branch) };
                    self.edge(at, edge, fixup);
                }
            }
            Op::Switch => self.switch(at, inst, a(0)),
            Op::Slot => {
                self.push(at, Kind::Slot, [results.first().copied().unwrap_or(0), at.cells.len() as u32, 0, 0]);
                at.cells.push(content(func.imm(inst)));
            }
            _ => {
                self.one(at, inst, &args, &results);
            }
        }
    }

    /// Decodes an instruction to one.
    fn one(&mut self, at: &FuncDecoder<'_>, inst: Inst, args: &[u32], results: &[u32]) -> usize {
        let (op, imm) = (at.func.op(inst), at.func.imm(inst));
        let a = |n: usize| args.get(n).copied().unwrap_or(0);
        let d = results.first().copied().unwrap_or(0);
        if let Some(kind) = computing(op) {
            return self.push(at, kind, [d, a(0), a(1), 0]);
        }
        match op {
            Op::Div => self.push(at, Kind::Div, [d, a(0), a(1), 0]),
            Op::Rem => self.push(at, Kind::Rem, [d, a(0), a(1), 0]),
            Op::Const | Op::FuncRef => {
                let word = match Const::of(op, imm) {
                    Some(Const::Str(id)) => self.heap.string_ref(id.index()),
                    Some(Const::Func(id)) => self.heap.func_ref(id.index(), self.module),
                    Some(other) => other.word().unwrap_or(0),
                    None => 0,
                };
                self.push(at, Kind::Const, [d, word as u32, (word >> 32) as u32, 0])
            }
            Op::Code => {
                let Imm::Func(id) = imm else { return self.push(at, Kind::Const, [d, 0, 0, 0]) };
                self.push(at, Kind::Const, [d, id.index() as u32, 0, 0])
            }
            Op::Static => {
                let word = self.heap.static_ref(layout(imm));
                self.push(at, Kind::Const, [d, word as u32, (word >> 32) as u32, 0])
            }
            Op::Undef => self.push(at, Kind::Undef, [d, 0, 0, 0]),
            Op::Env => self.push(at, Kind::Env, [d, 0, 0, 0]),
            Op::Select => self.push(at, Kind::Select, [d, a(0), a(1), a(2)]),
            Op::New => self.push(at, Kind::New, [d, layout(imm), 0, 0]),
            Op::NewArray => self.push(at, Kind::NewArray, [d, layout(imm), a(0), 0]),
            Op::LoadField => self.push(at, Kind::LoadField, [d, a(0), part(imm), layout(imm)]),
            Op::StoreField => self.push(at, Kind::StoreField, [a(1), a(0), part(imm), layout(imm)]),
            Op::LoadElem | Op::StoreElem => {
                let (element, optional) = self.element(imm);
                let load = op == Op::LoadElem;
                let kind = match (load, element.size(), optional) {
                    (true, 1, false) => Kind::LoadSmall,
                    (true, 1, true) => Kind::LoadSmallPart,
                    (true, _, false) => Kind::LoadWord,
                    (true, _, true) => Kind::LoadWordPart,
                    (false, 1, false) => Kind::StoreSmall,
                    (false, 1, true) => Kind::StoreSmallPart,
                    (false, _, false) => Kind::StoreWord,
                    (false, _, true) => Kind::StoreWordPart,
                };
                let c = if optional { 2 * layout(imm) + part(imm) } else { layout(imm) };
                self.push(at, kind, [if load { d } else { a(2) }, a(0), a(1), c])
            }
            Op::LoadByte => self.push(at, Kind::LoadByte, [d, a(0), a(1), 0]),
            Op::Length => self.push(at, Kind::Length, [d, a(0), 0, 0]),
            Op::Tag => self.push(at, Kind::Tag, [d, a(0), 0, 0]),
            Op::Load => self.push(at, Kind::Load, [d, a(0), content(imm) as u32, 0]),
            Op::Store => {
                let ty = at.func.args(inst).nth(1).map_or(Type::Int, |value| at.func.ty(value));
                self.push(at, Kind::Store, [a(1), a(0), ty as u32, 0])
            }
            Op::LoadGlobal => self.push(at, Kind::LoadGlobal, [d, global(imm), 0, 0]),
            Op::StoreGlobal => self.push(at, Kind::StoreGlobal, [a(0), global(imm), 0, 0]),
            Op::CheckBounds => self.push(at, Kind::CheckBounds, [0, a(0), a(1), 0]),
            Op::CheckSlice => self.push(at, Kind::CheckSlice, [0, a(0), a(1), a(2)]),
            Op::CheckSome => self.push(at, Kind::CheckSome, [0, a(0), 0, 0]),
            Op::CheckLength => self.push(at, Kind::CheckLength, [0, a(0), 0, 0]),
            Op::CheckStep => self.push(at, Kind::CheckStep, [0, a(0), 0, 0]),
            Op::Call | Op::CallRef | Op::Builtin => self.call(at, inst, args, results),
            Op::CallExtern => self.push(at, Kind::CallExtern, [0, external(imm), 0, 0]),
            Op::Return => self.push(at, Kind::Return, [0, a(0), a(1), args.len() as u32]),
            Op::Unreachable => self.push(at, Kind::Unreachable, [0; 4]),
            computing_ops!() | Op::ParallelCopy | Op::Jump | Op::Branch | Op::Switch | Op::Slot => {
                unreachable!("`{}` is decoded above", op.name())
            }
        }
    }

    fn element(&self, imm: Imm) -> (Type, bool) {
        let Imm::Part(layout, _) = imm else { return (Type::Int, false) };
        match self.module.info.layouts.get(layout) {
            Some(Layout::Array { element, optional }) => (*element, *optional),
            _ => (Type::Int, false),
        }
    }

    fn call(&mut self, at: &FuncDecoder<'_>, inst: Inst, args: &[u32], results: &[u32]) -> usize {
        let func = at.func;
        let types: Vec<Type> = func.args(inst).map(|v| func.ty(v)).collect();
        let result_types: Vec<Type> = func.results(inst).iter().map(|&v| func.ty(v)).collect();
        let (kind, callee, first) = match func.imm(inst) {
            Imm::Func(id) => (Kind::Call, Callee::Func(id.index() as u32), 0),
            Imm::Builtin(builtin) => (Kind::Builtin, Callee::Builtin(builtin), 0),
            _ => (Kind::CallRef, Callee::Value(args.first().copied().unwrap_or(0)), 1),
        };
        let signature = self.signature(types[first..].to_vec(), result_types);
        let mut slots = [0; 2];
        for (place, &slot) in slots.iter_mut().zip(results) {
            *place = slot;
        }
        self.program.calls.push(CallSite {
            callee,
            args: args[first..].into(),
            results: slots,
            result_count: results.len() as u32,
            signature,
        });
        let site = self.program.calls.len() as u32 - 1;
        self.push(at, kind, [0, site, 0, 0])
    }

    fn switch(&mut self, at: &mut FuncDecoder<'_>, inst: Inst, value: u32) {
        let func = at.func;
        let table = self.program.switches.len();
        self.push(at, Kind::Switch, [value, table as u32, 0, 0]);
        let cases: Vec<i64> = match func.imm(inst) {
            Imm::Cases(list) => func.cases(list).to_vec(),
            _ => Vec::new(),
        };
        let cases: Vec<(i64, u32)> = cases.iter().map(|&case| (case, 0)).collect();
        let count = cases.len();
        self.program.switches.push(SwitchTable { cases, default: 0 });
        for (n, edge) in func.edges(inst).enumerate() {
            let fixup = if n < count { Fixup::Case(table, n) } else { Fixup::Default(table) };
            self.edge(at, edge, fixup);
        }
    }

    /// Lets a target be the block that an edge leads to, by way of its moves if it has any.
    fn edge(&mut self, at: &mut FuncDecoder<'_>, edge: Edge, fixup: Fixup) {
        let target = at.func.edge_target(edge);
        if at.func.edge_args(edge).len() == 0 {
            at.fixups.push((fixup, target));
            return;
        }
        let start = self.program.code.len() as u32;
        match fixup {
            Fixup::A(n) => self.program.code[n].a = start,
            Fixup::B(n) => self.program.code[n].b = start,
            Fixup::Case(table, n) => self.program.switches[table].cases[n].1 = start,
            Fixup::Default(table) => {
                self.program.switches[table].default = start;
            }
        }
        self.edge_moves(at, edge);
        at.class = NO_CLASS;
        let goto = self.push(at, Kind::Goto, [0; 4]);
        at.fixups.push((Fixup::A(goto), target));
    }

    fn edge_moves(&mut self, at: &mut FuncDecoder<'_>, edge: Edge) {
        let func = at.func;
        let params = func.block_params(func.edge_target(edge));
        let pairs: Vec<(u32, u32)> =
            func.edge_args(edge).zip(params).map(|(arg, &param)| (at.slots.of(param), at.slots.of(arg))).collect();
        at.class = Class::EdgeMove as u8;
        self.moves(at, &pairs);
    }

    /// Copies as if all at once: (to, from). The destinations are distinct.
    fn moves(&mut self, at: &mut FuncDecoder<'_>, pairs: &[(u32, u32)]) {
        for &(slot, _) in pairs.iter().filter(|(to, from)| to == from) {
            self.push(at, Kind::Copy, [slot, slot, 0, 0]); // so that every pair counts
        }
        let steps = sequentialize(pairs, |_| Some(at.slots.scratch()));
        let class = at.class;
        for step in steps {
            let Step::Copy { dst, src } = step else { unreachable!("there is a scratch slot for cycles") };
            at.class = if Some(dst) == at.slots.scratch { NO_CLASS } else { class };
            self.push(at, Kind::Copy, [dst, src, 0, 0]);
        }
        at.class = class;
    }
}

fn layout(imm: Imm) -> u32 {
    match imm {
        Imm::Layout(id) | Imm::Part(id, _) => id.index() as u32,
        _ => 0,
    }
}

fn part(imm: Imm) -> u32 {
    if let Imm::Part(_, part) = imm { part } else { 0 }
}

fn content(imm: Imm) -> Type {
    if let Imm::Type(ty) = imm { ty } else { Type::Int }
}

fn external(imm: Imm) -> u32 {
    if let Imm::Extern(id) = imm { id.index() as u32 } else { 0 }
}

fn global(imm: Imm) -> u32 {
    if let Imm::Global(id) = imm { id.index() as u32 } else { 0 }
}

/// Which slot of the frame each value is in.
struct Slots {
    of: Vec<u32>,
    count: u32,
    refs: Vec<u32>,
    scratch: Option<u32>,
}

const NO_SLOT: u32 = u32::MAX;

impl Slots {
    fn new(func: &Func) -> Slots {
        let mut slots = Slots { of: vec![NO_SLOT; func.value_count()], count: 0, refs: Vec::new(), scratch: None };
        // Parameters are where the caller puts them, by position.
        for &param in &func.params {
            let slot = slots.fresh(func.ty(param));
            slots.of[param.index()] = slot;
        }
        let locals: Vec<bool> = (0..func.value_count()).map(|v| is_local(func, Value::new(v))).collect();
        let mut last_use: Vec<Option<Inst>> = vec![None; func.value_count()];
        // Free slots that hold no references, and such that do: a slot is one or the other for good.
        let mut free: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
        for block in func.blocks() {
            for &param in func.block_params(block) {
                slots.ensure(func, param);
            }
            for inst in func.insts(block) {
                for value in operands(func, inst).filter(|v| locals[v.index()]) {
                    last_use[value.index()] = Some(inst);
                }
            }
            for inst in func.insts(block) {
                let mut dying: Vec<Value> = Vec::new();
                for value in operands(func, inst) {
                    slots.ensure(func, value);
                    if last_use[value.index()] == Some(inst) && locals[value.index()] {
                        last_use[value.index()] = None;
                        dying.push(value);
                    }
                }
                // Results may take the places of operands that die here: all operands are read before results are written.
                for value in dying {
                    free[usize::from(func.ty(value) == Type::Ref)].push(slots.of[value.index()]);
                }
                let results = func.results(inst);
                for &result in results {
                    if slots.of[result.index()] == NO_SLOT {
                        let reused = if locals[result.index()] {
                            free[usize::from(func.ty(result) == Type::Ref)].pop()
                        } else {
                            None
                        };
                        slots.of[result.index()] = reused.unwrap_or_else(|| slots.fresh(func.ty(result)));
                    }
                }
                for &result in results {
                    if locals[result.index()] && last_use[result.index()].is_none() {
                        free[usize::from(func.ty(result) == Type::Ref)].push(slots.of[result.index()]);
                    }
                }
            }
        }
        slots
    }

    fn of(&self, value: Value) -> u32 {
        self.of[value.index()]
    }

    fn fresh(&mut self, ty: Type) -> u32 {
        if ty == Type::Ref {
            self.refs.push(self.count);
        }
        self.count += 1;
        self.count - 1
    }

    fn ensure(&mut self, func: &Func, value: Value) {
        if self.of[value.index()] == NO_SLOT {
            self.of[value.index()] = self.fresh(func.ty(value));
        }
    }

    fn scratch(&mut self) -> u32 {
        match self.scratch {
            Some(slot) => slot,
            None => {
                let slot = self.fresh(Type::Int);
                self.scratch = Some(slot);
                slot
            }
        }
    }
}

fn operands(func: &Func, inst: Inst) -> impl Iterator<Item = Value> + '_ {
    func.args(inst).chain(func.edges(inst).flat_map(|edge| func.edge_args(edge)))
}

/// Whether a value is defined once, by an instruction, and used in the same block only.
fn is_local(func: &Func, value: Value) -> bool {
    let Def::Result(inst, _) = func.def(value) else { return false };
    let Some(block) = func.inst_block(inst) else { return false };
    func.uses(value).all(|operand| func.inst_block(func.user(operand)) == Some(block))
}

/// Whether a function may read ⊥: it has an `undef`, loads from a slot, or has a variable that a path from the entry
/// reaches unassigned.
fn may_read_undef(func: &Func) -> bool {
    let mut insts = func.blocks().flat_map(|b| func.insts(b));
    if insts.any(|inst| matches!(func.op(inst), Op::Undef | Op::Load)) {
        return true;
    }
    if func.phase != Phase::Tac {
        return false;
    }
    let cfg = Cfg::new(func);
    let occurrences = Occurrences::of_variables(func);
    let mut live = LiveBlocks::new(func);
    let mut budget = 100_000 + 16 * func.inst_count();
    let is_param: FxHashSet<Value> = func.params.iter().copied().collect();
    for value in (0..func.value_count()).map(Value::new).filter(|v| !is_param.contains(v)) {
        let exposed = occurrences.exposed(value);
        if exposed.is_empty() {
            continue;
        }
        let blocks = live.find(func, &cfg, occurrences.defs(value), exposed);
        let Some(left) = usize::checked_sub(budget, blocks.len()) else { return true };
        budget = left;
        if live.contains(func.entry()) {
            return true;
        }
    }
    false
}
