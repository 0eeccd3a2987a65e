//! A function: blocks of instructions over values, in one of three phases.
//!
//! *Blocks* hold a doubly linked list of instructions, the last of which is the only terminator. They have a layout
//! order; the first is the entry.
//! *Values* are what operands name: the result of an instruction, a block parameter, a function parameter, or (TAC only) a
//! named variable, which any number of instructions may assign.
//! *Operands* live in one pool; each is a link in its value's list of uses, so that the uses of a value are found and
//! replaced at the cost of their number.
//! *Edges* belong to terminators and carry the arguments for the parameters of their target block, as operands of the
//! terminator.
//!
//! Nothing is ever reused: ids of removed instructions and blocks stay dead. All methods are O(1) or linear in what they
//! return, unless they say otherwise.

mod edges; // edges and their arguments, switch cases
mod values; // values, variables, uses
#[cfg(any(test, feature = "testing"))]
mod damage; // for tests of the verifier

use crate::builtin::Builtin;
use crate::module::{ExternId, FuncId, GlobalId, Signature, StrId};
use crate::op::Op;
use crate::types::{LayoutId, Type};
use mini_base::ids::{Id, IdVec};
use mini_base::source::Pos;
use std::borrow::Cow;
use std::sync::Arc;

mini_base::define_id! {
    /// A basic block.
    pub struct Block, "block";
    /// An instruction.
    pub struct Inst, "inst";
    /// A value.
    pub struct Value, "v";
    /// A source variable: in TAC what is assigned, later what values are named after.
    pub struct Var, "var";
    /// An operand's place in the pool: one use of a value.
    pub struct Use, "use";
    /// A control-flow edge.
    pub struct Edge, "edge";
    /// The case values of a `switch`.
    pub struct CaseList, "cases";
}

/// What form a function is in; phases only move forward.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Phase {
    /// Three-address code: named variables, no block parameters.
    Tac,
    /// Static single assignment.
    Ssa,
    /// Conventional SSA: SSA in which each block parameter and its arguments can share a place; parallel copies allowed.
    Cssa,
}

/// How a value comes to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    /// Not at all: a value that was just made, or whose definition was taken away. It must have no uses (rule 11).
    None,
    /// The `n`th result of an instruction.
    Result(Inst, u32),
    /// The `n`th parameter of a block.
    BlockParam(Block, u32),
    /// The `n`th parameter of the function (SSA, CSSA).
    FuncParam(u32),
    /// A variable (TAC), assigned by instructions whose result it is, or a parameter of the function.
    Variable,
}

/// A value's name in text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum ValueName {
    /// `%3`
    Temp(u32),
    /// `x` (0) or `x.3`
    Var(Var, u32),
}

/// The immediate of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Imm {
    /// No immediate.
    None,
    /// `const` of an int.
    Int(i64),
    /// `const` of a float, its bits.
    Float(u64),
    /// `const` of a bool.
    Bool(bool),
    /// `const` of a byte.
    Byte(u8),
    /// `const` of a string.
    Str(StrId),
    /// `const null`
    Null,
    /// Callee of `call`, or the function of `func_ref`.
    Func(FuncId),
    /// `load_global`, `store_global`.
    Global(GlobalId),
    /// `slot`, `load`: what is in the slot.
    Type(Type),
    /// `new`, `new_array`.
    Layout(LayoutId),
    /// Field of a struct layout, or part of an array layout's elements.
    Part(LayoutId, u32),
    /// `rt`.
    Builtin(Builtin),
    /// `call_extern`.
    Extern(ExternId),
    /// `switch`: one value an edge, but the last edge, which is the default's.
    Cases(CaseList),
}

#[derive(Clone, Debug)]
struct BlockData {
    label: Cow<'static, str>,
    number: Option<u32>,
    params: Vec<Value>,
    first: Option<Inst>,
    last: Option<Inst>,
}

#[derive(Clone, Debug)]
struct InstData {
    op: Op,
    imm: Imm,
    pos: Pos,
    block: Option<Block>,
    prev: Option<Inst>,
    next: Option<Inst>,
    args: (u32, u32),
    results: (u32, u32),
    edges: (u32, u32),
}

#[derive(Clone, Debug)]
struct ValueData {
    ty: Type,
    name: ValueName,
    def: Def,
    first_use: Option<Use>,
}

#[derive(Clone, Debug)]
struct OperandData {
    value: Value,
    user: Inst,
    prev: Option<Use>,
    next: Option<Use>,
}

#[derive(Clone, Debug)]
struct EdgeData {
    target: Block,
    from: Inst,
    args: (u32, u32),
    capacity: u32,
}

#[derive(Clone, Debug)]
struct VarData {
    name: Arc<str>,
    ty: Type,
    versions: u32,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Func {
    /// Its name; unique in the module.
    pub name: Arc<str>,
    /// Whether call stacks leave it out, because the compiler made it.
    pub hidden: bool,
    /// Its phase.
    pub phase: Phase,
    /// Where its name stands in the source.
    pub pos: Pos,
    /// Its parameters: variables in TAC, `Def::FuncParam` values later.
    pub params: Vec<Value>,
    /// Types of its results, at most two.
    pub results: Vec<Type>,
    order: Vec<Block>,
    blocks: IdVec<Block, BlockData>,
    insts: IdVec<Inst, InstData>,
    values: IdVec<Value, ValueData>,
    vars: IdVec<Var, VarData>,
    operands: IdVec<Use, OperandData>,
    edges: IdVec<Edge, EdgeData>,
    result_pool: Vec<Value>,
    cases: IdVec<CaseList, Vec<i64>>,
    next_temp: u32,
    next_label: u32,
}

impl Func {
    /// A function without blocks.
    pub fn new(name: impl Into<Arc<str>>, phase: Phase) -> Func {
        Func {
            name: name.into(),
            hidden: false,
            phase,
            pos: Pos::NONE,
            params: Vec::new(),
            results: Vec::new(),
            order: Vec::new(),
            blocks: IdVec::new(),
            insts: IdVec::new(),
            values: IdVec::new(),
            vars: IdVec::new(),
            operands: IdVec::new(),
            edges: IdVec::new(),
            result_pool: Vec::new(),
            cases: IdVec::new(),
            next_temp: 1,
            next_label: 1,
        }
    }

    /// Its head.
    pub fn signature(&self) -> Signature {
        Signature {
            name: self.name.clone(),
            params: self.params.iter().map(|&p| self.ty(p)).collect(),
            results: self.results.clone(),
        }
    }

    // ---- Blocks ----

    /// The blocks in layout order; the entry first.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + '_ {
        self.order.iter().copied()
    }

    /// The blocks in layout order, as a slice.
    pub fn layout(&self) -> &[Block] {
        &self.order
    }

    /// Puts the blocks in a new order; blocks that are not in it are removed with their instructions. The
    /// first one is the entry from now on.
    pub fn set_layout(&mut self, order: Vec<Block>) {
        let mut kept = vec![false; self.blocks.len()];
        for &block in &order {
            kept[block.index()] = true;
        }
        for block in std::mem::take(&mut self.order) {
            if !kept[block.index()] {
                while let Some(inst) = self.blocks[block].last {
                    self.remove_inst(inst);
                }
            }
        }
        self.order = order;
    }

    /// The first block.
    pub fn entry(&self) -> Block {
        self.order[0]
    }

    /// One more than the largest block id: the length for side tables.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Adds an empty block at the end of the layout; its label in text is `label` and a number. The label must not end in a digit.
    pub fn new_block(&mut self, label: impl Into<Cow<'static, str>>) -> Block {
        let number = self.next_label;
        self.next_label += 1;
        self.push_block(label.into(), Some(number))
    }

    /// Adds an empty block whose label is given exactly (by the text parser); the caller sees to it that it is unique.
    pub fn new_block_named(&mut self, label: &str) -> Block {
        let stem = label.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &label[stem.len()..];
        match digits.parse::<u32>() {
            Ok(number) if !digits.starts_with('0') && number < u32::MAX => {
                self.next_label = self.next_label.max(number + 1);
                self.push_block(Cow::Owned(stem.to_string()), Some(number))
            }
            _ => self.push_block(Cow::Owned(label.to_string()), None),
        }
    }

    fn push_block(&mut self, label: Cow<'static, str>, number: Option<u32>) -> Block {
        let block = self.blocks.push(BlockData { label, number, params: Vec::new(), first: None, last: None });
        self.order.push(block);
        block
    }

    /// Numbers the labels in layout order, from 1. Labels without a number keep their text.
    pub fn renumber_labels(&mut self) {
        let mut next = 1;
        for &block in &self.order {
            if let Some(number) = &mut self.blocks[block].number {
                *number = next;
            }
            next += 1;
        }
        self.next_label = next;
    }

    /// Its label in text, as `head2`.
    pub fn label(&self, block: Block) -> String {
        let data = &self.blocks[block];
        match data.number {
            Some(number) => format!("{}{number}", data.label),
            None => data.label.to_string(),
        }
    }

    /// Its parameters.
    pub fn block_params(&self, block: Block) -> &[Value] {
        &self.blocks[block].params
    }

    /// Adds a parameter; the caller gives every incoming edge another argument ([`Func::push_edge_arg`]).
    pub fn add_block_param(&mut self, block: Block, ty: Type, name: ValueName) -> Value {
        let index = self.blocks[block].params.len() as u32;
        let value = self.push_value(ty, name, Def::BlockParam(block, index));
        self.blocks[block].params.push(value);
        value
    }

    /// Makes a value from [`Func::new_value`] the next parameter of a block (the text parser, which knows values before blocks).
    pub fn add_block_param_value(&mut self, block: Block, value: Value) {
        self.values[value].def = Def::BlockParam(block, self.blocks[block].params.len() as u32);
        self.blocks[block].params.push(value);
    }

    /// Takes all parameters away; the caller does the same with the arguments. The values stay, without definition.
    pub fn clear_block_params(&mut self, block: Block) {
        for (n, param) in std::mem::take(&mut self.blocks[block].params).into_iter().enumerate() {
            self.undefine(param, Def::BlockParam(block, n as u32));
        }
    }

    /// Keeps the parameters for whose places `keep` is true; the caller does the same with the arguments
    /// ([`Func::retain_edge_args`]). The others stay as values without definition.
    pub fn retain_block_params(&mut self, block: Block, keep: impl Fn(usize) -> bool) {
        let old = self.blocks[block].params.clone();
        self.clear_block_params(block);
        for (_, param) in old.into_iter().enumerate().filter(|&(n, _)| keep(n)) {
            self.add_block_param_value(block, param);
        }
    }

    // ---- Instructions ----

    /// The instructions of a block in order.
    pub fn insts(&self, block: Block) -> impl DoubleEndedIterator<Item = Inst> + '_ {
        InstIter { func: self, front: self.blocks[block].first, back: self.blocks[block].last }
    }

    /// The first instruction of a block.
    pub fn first_inst(&self, block: Block) -> Option<Inst> {
        self.blocks[block].first
    }

    /// The last instruction of a block.
    pub fn last_inst(&self, block: Block) -> Option<Inst> {
        self.blocks[block].last
    }

    /// The terminator of a block, if its last instruction is one.
    pub fn terminator(&self, block: Block) -> Option<Inst> {
        self.blocks[block].last.filter(|&i| self.op(i).is_terminator())
    }

    /// The instruction behind this one in its block.
    pub fn next_inst(&self, inst: Inst) -> Option<Inst> {
        self.insts[inst].next
    }

    /// The instruction before this one in its block.
    pub fn prev_inst(&self, inst: Inst) -> Option<Inst> {
        self.insts[inst].prev
    }

    /// One more than the largest instruction id: the length for side tables.
    pub fn inst_count(&self) -> usize {
        self.insts.len()
    }

    /// Its operation.
    #[inline]
    pub fn op(&self, inst: Inst) -> Op {
        self.insts[inst].op
    }

    /// Its immediate.
    #[inline]
    pub fn imm(&self, inst: Inst) -> Imm {
        self.insts[inst].imm
    }

    /// Its source position.
    pub fn inst_pos(&self, inst: Inst) -> Pos {
        self.insts[inst].pos
    }

    /// The block that it is in; `None` when it was removed or not yet put in.
    pub fn inst_block(&self, inst: Inst) -> Option<Block> {
        self.insts[inst].block
    }

    /// Makes an instruction that is in no block yet, without results and edges.
    pub fn create_inst(&mut self, op: Op, imm: Imm, args: &[Value], pos: Pos) -> Inst {
        let inst = self.insts.push(InstData {
            op,
            imm,
            pos,
            block: None,
            prev: None,
            next: None,
            args: (0, 0),
            results: (0, 0),
            edges: (0, 0),
        });
        self.insts[inst].args = self.push_operands(inst, args);
        inst
    }

    /// Puts an instruction at the end of a block.
    pub fn append_inst(&mut self, block: Block, inst: Inst) {
        self.link(block, self.blocks[block].last, None, inst);
    }

    /// Puts an instruction at the start of a block.
    pub fn prepend_inst(&mut self, block: Block, inst: Inst) {
        self.link(block, None, self.blocks[block].first, inst);
    }

    /// Puts an instruction before another.
    pub fn insert_before(&mut self, at: Inst, inst: Inst) {
        let block = self.insts[at].block.expect("`at` is in a block");
        self.link(block, self.insts[at].prev, Some(at), inst);
    }

    /// Puts an instruction behind another.
    pub fn insert_after(&mut self, at: Inst, inst: Inst) {
        let block = self.insts[at].block.expect("`at` is in a block");
        self.link(block, Some(at), self.insts[at].next, inst);
    }

    fn link(&mut self, block: Block, prev: Option<Inst>, next: Option<Inst>, inst: Inst) {
        debug_assert!(self.insts[inst].block.is_none(), "an instruction is in one block");
        let data = &mut self.insts[inst];
        (data.block, data.prev, data.next) = (Some(block), prev, next);
        match prev {
            Some(prev) => self.insts[prev].next = Some(inst),
            None => self.blocks[block].first = Some(inst),
        }
        match next {
            Some(next) => self.insts[next].prev = Some(inst),
            None => self.blocks[block].last = Some(inst),
        }
    }

    /// Takes an instruction out of its block, to be put in elsewhere.
    pub fn detach_inst(&mut self, inst: Inst) {
        let InstData { block, prev, next, .. } = self.insts[inst];
        let Some(block) = block else { return };
        match prev {
            Some(prev) => self.insts[prev].next = next,
            None => self.blocks[block].first = next,
        }
        match next {
            Some(next) => self.insts[next].prev = prev,
            None => self.blocks[block].last = prev,
        }
        let data = &mut self.insts[inst];
        (data.block, data.prev, data.next) = (None, None, None);
    }

    /// Takes an instruction out for good, with its operands and edges. Its results must have no uses any more.
    pub fn remove_inst(&mut self, inst: Inst) {
        self.detach_inst(inst);
        self.set_args(inst, &[]);
        let (start, len) = self.insts[inst].edges;
        for edge in start..start + len {
            self.clear_edge_args(Edge::new(edge as usize));
        }
        self.insts[inst].edges = (0, 0);
        self.undefine_results(inst);
    }

    fn undefine_results(&mut self, inst: Inst) {
        let (start, len) = self.insts[inst].results;
        for n in 0..len {
            self.undefine(self.result_pool[(start + n) as usize], Def::Result(inst, n));
        }
    }

    /// Its operands (without those of its edges).
    pub fn args(&self, inst: Inst) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + '_ {
        let (start, len) = self.insts[inst].args;
        self.operands.as_slice()[start as usize..(start + len) as usize].iter().map(|o| o.value)
    }

    /// Its `n`th operand.
    #[inline]
    pub fn arg(&self, inst: Inst, n: usize) -> Value {
        let (start, len) = self.insts[inst].args;
        assert!(n < len as usize, "operand {n} of {len}");
        self.operands[Use::new(start as usize + n)].value
    }

    /// How many operands it has.
    pub fn arg_count(&self, inst: Inst) -> usize {
        self.insts[inst].args.1 as usize
    }

    /// Gives it other operands.
    pub fn set_args(&mut self, inst: Inst, args: &[Value]) {
        let (start, len) = self.insts[inst].args;
        for operand in start..start + len {
            self.unlink_use(Use::new(operand as usize));
        }
        self.insts[inst].args = self.push_operands(inst, args);
    }

    /// Replaces one operand.
    pub fn set_arg(&mut self, inst: Inst, n: usize, value: Value) {
        let (start, len) = self.insts[inst].args;
        assert!(n < len as usize, "operand {n} of {len}");
        self.set_use(Use::new(start as usize + n), value);
    }

    /// Makes it another operation with another immediate; operands and results stay.
    pub fn set_op(&mut self, inst: Inst, op: Op, imm: Imm) {
        self.insts[inst].op = op;
        self.insts[inst].imm = imm;
    }

    /// Its results.
    #[inline]
    pub fn results(&self, inst: Inst) -> &[Value] {
        let (start, len) = self.insts[inst].results;
        &self.result_pool[start as usize..(start + len) as usize]
    }

    /// Its only or first result.
    #[inline]
    pub fn result(&self, inst: Inst) -> Value {
        self.results(inst)[0]
    }

    /// Gives it results: variables (TAC), or values made by [`Func::new_value`], whose definition it becomes.
    pub fn set_results(&mut self, inst: Inst, results: &[Value]) {
        self.undefine_results(inst);
        let start = self.result_pool.len() as u32;
        self.result_pool.extend_from_slice(results);
        self.insts[inst].results = (start, results.len() as u32);
        for (n, &value) in results.iter().enumerate() {
            if self.values[value].def != Def::Variable {
                self.values[value].def = Def::Result(inst, n as u32);
            }
        }
    }

    /// Replaces one result in place (renaming).
    pub fn set_result(&mut self, inst: Inst, n: usize, value: Value) {
        let (start, len) = self.insts[inst].results;
        assert!(n < len as usize, "result {n} of {len}");
        let old = std::mem::replace(&mut self.result_pool[start as usize + n], value);
        self.undefine(old, Def::Result(inst, n as u32));
        if self.values[value].def != Def::Variable {
            self.values[value].def = Def::Result(inst, n as u32);
        }
    }
}

struct InstIter<'f> {
    func: &'f Func,
    front: Option<Inst>,
    back: Option<Inst>,
}

impl Iterator for InstIter<'_> {
    type Item = Inst;
    fn next(&mut self) -> Option<Inst> {
        let inst = self.front?;
        if self.front == self.back {
            (self.front, self.back) = (None, None);
        } else {
            self.front = self.func.insts[inst].next;
        }
        Some(inst)
    }
}

impl DoubleEndedIterator for InstIter<'_> {
    fn next_back(&mut self) -> Option<Inst> {
        let inst = self.back?;
        if self.front == self.back {
            (self.front, self.back) = (None, None);
        } else {
            self.back = self.func.insts[inst].prev;
        }
        Some(inst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacing_all_uses_moves_operands_and_edge_arguments() {
        let mut func = Func::new("f", Phase::Ssa);
        let entry = func.new_block("entry");
        let next = func.new_block("next");
        let a = func.create_inst(Op::Const, Imm::Int(1), &[], Pos::NONE);
        let (x, y) = (func.new_temp(Type::Int), func.new_temp(Type::Int));
        func.set_results(a, &[x]);
        let b = func.create_inst(Op::Add, Imm::None, &[x, x], Pos::NONE);
        func.set_results(b, &[y]);
        let jump = func.create_inst(Op::Jump, Imm::None, &[], Pos::NONE);
        func.set_edges(jump, &[(next, &[x])]);
        for inst in [a, b, jump] {
            func.append_inst(entry, inst);
        }
        let edge = func.edges(jump).next().expect("one edge");
        for _ in 0..5 {
            func.push_edge_arg(edge, x);
        }
        assert_eq!(func.uses(x).count(), 8);
        func.replace_all_uses(x, y);
        assert!(!func.has_uses(x));
        assert!(func.edge_args(edge).all(|v| v == y));
        assert_eq!(func.args(b).collect::<Vec<_>>(), [y, y]);
        func.remove_inst(jump);
        assert_eq!(func.uses(y).count(), 2);
        assert_eq!(func.terminator(entry), None);
        assert_eq!(func.insts(entry).rev().collect::<Vec<_>>(), [b, a]);
    }

    #[test]
    fn labels_keep_their_numbers() {
        let mut func = Func::new("f", Phase::Tac);
        let a = func.new_block_named("head7");
        let b = func.new_block("body");
        let c = func.new_block_named("r");
        assert_eq!([a, b, c].map(|x| func.label(x)), ["head7", "body8", "r"]);
    }
}
