//! The state while one body is lowered, and the small steps that everything else is made of.
//!
//! *Evaluation order.* Reading a variable costs no instruction: the operand is the variable itself. If a later operand
//! of the same operation assigns it (`x + { x = 2; 1 }`), the read value is copied where it was read: an [`Operand`] remembers
//! the place, and [`BodyLowering::settle`] puts the copy there once it is known to be needed.

use crate::program::ProgramLowering;
use crate::repr::{Repr, array_layout};
use mini_base::bitset::BitSet;
use mini_base::ids::Id;
use mini_base::source::Pos;
use mini_ir::builtin::Builtin;
use mini_ir::func::{Block, Def, Func, Imm, Inst, Value};
use mini_ir::op::Op;
use mini_ir::types::{LayoutId, Type};
use mini_sema::typed::{self, Body, Capture, Closure, ExprId, Instance, LocalId, LoopId, Origin, PlaceKind, Stmt};
use mini_sema::types::{Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A lowered Mini value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Val {
    /// Unit, or nothing because control does not get here.
    None,
    /// One IR value.
    One(Value),
    /// A scalar optional: payload and flag.
    Optional(Value, Value),
}

impl Val {
    /// The IR values.
    pub(crate) fn values(self) -> impl Iterator<Item = Value> {
        let (first, second) = match self {
            Val::None => (None, None),
            Val::One(value) => (Some(value), None),
            Val::Optional(payload, flag) => (Some(payload), Some(flag)),
        };
        first.into_iter().chain(second)
    }

    /// The IR value of a Mini value that has just one.
    pub(crate) fn one(self) -> Value {
        match self {
            Val::One(value) => value,
            Val::None | Val::Optional(..) => unreachable!("the checker's type has one IR value"),
        }
    }
}

/// A value with the place and time of its evaluation.
#[derive(Clone, Copy)]
pub(crate) struct Operand {
    val: Val,
    block: Block,
    behind: Option<Inst>,
    time: u32,
}

/// The variables of a local.
#[derive(Clone, Copy)]
pub(crate) enum Variable {
    None,
    One(Value),
    Optional(Value, Value),
    /// The variable is shared with closures: a reference to the cell that it lives in.
    Cell(Value, Repr),
}

/// Where `break` and `continue` of a loop lead.
#[derive(Clone, Copy)]
pub(crate) struct LoopTargets {
    pub(crate) on_break: Block,
    pub(crate) on_continue: Block,
}

/// A body as an instance has it.
#[derive(Clone, Copy)]
pub(crate) struct Part<'p> {
    pub(crate) body: &'p Body,
    /// What its types become.
    pub(crate) instance: &'p Instance,
    /// Whose it is.
    pub(crate) origin: Origin,
}

/// Lowers one body into one function.
pub(crate) struct BodyLowering<'m, 'p> {
    pub(crate) module: &'m mut ProgramLowering<'p>,
    pub(crate) part: Part<'p>,
    pub(crate) body: &'p Body,
    pub(crate) func: Func,
    block: Block,
    /// Whether control gets to the end of the current block. Code that it does not get to is not lowered: there, types
    /// may be missing.
    pub(crate) live: bool,
    /// Blocks that control gets to by the jumps so far; a block is started behind its first jump.
    reached: FxHashSet<Block>,
    started: Vec<Block>,
    variables: FxHashMap<LocalId, Variable>,
    names: FxHashMap<Arc<str>, u32>,
    loops: FxHashMap<LoopId, LoopTargets>,
    /// Locals that are assigned somewhere after their declaration.
    pub(crate) reassigned: Rc<BitSet<LocalId>>,
    assigned_at: Vec<u32>,
    time: u32,
}

impl<'m, 'p> BodyLowering<'m, 'p> {
    /// Starts in a fresh entry block.
    pub(crate) fn new(module: &'m mut ProgramLowering<'p>, part: Part<'p>, func: Func) -> Self {
        BodyLowering::new_closure(module, part, Rc::new(reassigned(part.body)), func)
    }

    /// The same for a closure in the body.
    pub(crate) fn new_closure(
        module: &'m mut ProgramLowering<'p>,
        part: Part<'p>,
        reassigned: Rc<BitSet<LocalId>>,
        mut func: Func,
    ) -> Self {
        let block = func.new_block("entry");
        BodyLowering {
            module,
            part,
            body: part.body,
            func,
            block,
            live: true,
            reached: FxHashSet::default(),
            started: vec![block],
            variables: FxHashMap::default(),
            names: FxHashMap::default(),
            loops: FxHashMap::default(),
            reassigned,
            assigned_at: Vec::new(),
            time: 0,
        }
    }

    /// Drops unreachable blocks and gives the function away.
    pub(crate) fn finish(mut self) -> Func {
        let (entry, reached) = (self.started[0], &self.reached);
        self.started.retain(|&b| b == entry || reached.contains(&b));
        self.func.set_layout(self.started);
        self.func.renumber_labels();
        self.func
    }

    // ---- Blocks ----

    /// A block to be started later.
    pub(crate) fn new_block(&mut self, label: &'static str) -> Block {
        self.func.new_block(label)
    }

    /// Goes on in `block`; the current block must have its terminator.
    pub(crate) fn start(&mut self, block: Block) {
        debug_assert!(self.func.terminator(self.block).is_some(), "the block before is ended");
        self.block = block;
        self.live = self.reached.contains(&block);
        self.started.push(block);
    }

    /// Jumps to `block` and goes on there.
    pub(crate) fn fall_into(&mut self, block: Block) {
        self.jump(block);
        self.start(block);
    }

    /// Ends the current block with a jump.
    pub(crate) fn jump(&mut self, target: Block) {
        self.terminate(Op::Jump, &[], &[target], Pos::NONE);
    }

    /// Ends the current block with a branch.
    pub(crate) fn branch(&mut self, condition: Value, then: Block, otherwise: Block) {
        self.terminate(Op::Branch, &[condition], &[then, otherwise], Pos::NONE);
    }

    /// Ends the current block with a jump by the value of an int: one target a case, then the default's.
    pub(crate) fn switch(&mut self, value: Value, cases: Vec<i64>, targets: &[Block]) {
        let cases = self.func.new_cases(cases);
        self.terminate(Op::Switch, &[value], targets, Pos::NONE);
        let inst = self.func.last_inst(self.block).expect("it was just appended");
        self.func.set_op(inst, Op::Switch, Imm::Cases(cases));
    }

    /// Ends the current block.
    pub(crate) fn terminate(&mut self, op: Op, args: &[Value], targets: &[Block], pos: Pos) {
        if self.live {
            self.reached.extend(targets);
        }
        let inst = self.func.create_inst(op, Imm::None, args, self.reported(pos));
        let targets: Vec<(Block, &[Value])> = targets.iter().map(|&t| (t, &[][..])).collect();
        self.func.set_edges(inst, &targets);
        self.func.append_inst(self.block, inst);
    }

    /// Control does not get behind this point: goes on in a block that nothing leads to, which `finish` drops.
    pub(crate) fn dead_end(&mut self) {
        let dead = self.new_block("dead");
        self.start(dead);
    }

    /// Ends the current block behind a call that does not return.
    pub(crate) fn unreachable(&mut self) {
        self.terminate(Op::Unreachable, &[], &[], Pos::NONE);
        self.dead_end();
    }

    // ---- Instructions ----

    /// The position that an instruction gets: in the standard library none, so that run-time errors are reported where the
    /// user's code called it.
    fn reported(&self, pos: Pos) -> Pos {
        match self.part.origin {
            Origin::User => pos,
            Origin::Library => Pos::NONE,
        }
    }

    /// Appends an instruction whose results are new temporaries.
    pub(crate) fn emit(&mut self, op: Op, imm: Imm, args: &[Value], results: &[Type], pos: Pos) -> Vec<Value> {
        let inst = self.func.create_inst(op, imm, args, self.reported(pos));
        let results: Vec<Value> = results.iter().map(|&ty| self.func.new_temp(ty)).collect();
        self.func.set_results(inst, &results);
        self.func.append_inst(self.block, inst);
        results
    }

    /// Appends an instruction with one result.
    pub(crate) fn emit1(&mut self, op: Op, imm: Imm, args: &[Value], ty: Type, pos: Pos) -> Value {
        let inst = self.func.create_inst(op, imm, args, self.reported(pos));
        let result = self.func.new_temp(ty);
        self.func.set_results(inst, &[result]);
        self.func.append_inst(self.block, inst);
        result
    }

    /// Appends a pure instruction with one result.
    pub(crate) fn op(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        self.emit1(op, Imm::None, args, ty, Pos::NONE)
    }

    /// Calls a function of the run-time library.
    pub(crate) fn builtin(&mut self, builtin: Builtin, args: &[Value], pos: Pos) -> Vec<Value> {
        self.emit(Op::Builtin, Imm::Builtin(builtin), args, builtin.info().results, pos)
    }

    /// Calls a function of the run-time library that has one result.
    pub(crate) fn builtin1(&mut self, builtin: Builtin, args: &[Value], pos: Pos) -> Value {
        self.builtin(builtin, args, pos)[0]
    }

    /// An int constant.
    pub(crate) fn int(&mut self, value: i64) -> Value {
        self.emit1(Op::Const, Imm::Int(value), &[], Type::Int, Pos::NONE)
    }

    /// A bool constant.
    pub(crate) fn bool(&mut self, value: bool) -> Value {
        self.emit1(Op::Const, Imm::Bool(value), &[], Type::Bool, Pos::NONE)
    }

    /// A byte constant.
    pub(crate) fn byte(&mut self, value: u8) -> Value {
        self.emit1(Op::Const, Imm::Byte(value), &[], Type::Byte, Pos::NONE)
    }

    /// A string constant.
    pub(crate) fn string(&mut self, bytes: &[u8]) -> Value {
        let id = self.module.info.string(bytes);
        self.emit1(Op::Const, Imm::Str(id), &[], Type::Ref, Pos::NONE)
    }

    /// The null reference.
    pub(crate) fn null(&mut self) -> Value {
        self.emit1(Op::Const, Imm::Null, &[], Type::Ref, Pos::NONE)
    }

    /// The zero of a type.
    pub(crate) fn zero(&mut self, ty: Type) -> Value {
        let imm = match ty {
            Type::Int => Imm::Int(0),
            Type::Float => Imm::Float(0),
            Type::Bool => Imm::Bool(false),
            Type::Byte => Imm::Byte(0),
            Type::Ref => Imm::Null,
            Type::Addr => unreachable!("programs have no addresses of slots"),
        };
        self.emit1(Op::Const, imm, &[], ty, Pos::NONE)
    }

    /// A new array of `length` elements, all zero.
    pub(crate) fn new_array(&mut self, element: Ty, length: Value, pos: Pos) -> Value {
        let element = self.module.repr(element);
        let layout = array_layout(&mut self.module.info, element);
        self.emit1(Op::NewArray, Imm::Layout(layout), &[length], Type::Ref, pos)
    }

    /// The element type of an array type.
    pub(crate) fn element_type(&self, array: Ty) -> Ty {
        match *self.module.program.types.kind(array) {
            TyKind::Array(element) => element,
            _ => unreachable!("the checker typed this as an array"),
        }
    }

    // ---- Variables ----

    /// New variables of this representation; their names are made unique.
    pub(crate) fn new_variable(&mut self, name: &str, repr: Repr) -> Variable {
        let used = self.names.entry(name.into()).or_insert(0);
        *used += 1;
        let name: Arc<str> = if *used == 1 { name.into() } else { format!("{name}${used}").into() };
        match repr {
            Repr::None => Variable::None,
            Repr::One(ty) => Variable::One(self.func.new_variable(name, ty)),
            Repr::Optional(ty) => {
                let flag: Arc<str> = format!("{name}?").into();
                Variable::Optional(self.func.new_variable(name, ty), self.func.new_variable(flag, Type::Bool))
            }
        }
    }

    /// The variables of a local; made at the first call. A cell is made by [`BodyLowering::bind`].
    pub(crate) fn variable(&mut self, local: LocalId) -> Variable {
        if let Some(&variable) = self.variables.get(&local) {
            return variable;
        }
        let definition = &self.body.locals[local];
        let repr = self.module.repr(self.part.instance.ty(definition.ty));
        let place = self.module.place_of(self.part.instance, definition);
        let variable = match (definition.capture, self.new_variable(&definition.name, place)) {
            (Capture::Shared, Variable::One(cell)) => Variable::Cell(cell, repr),
            (_, variable) => variable,
        };
        self.variables.insert(local, variable);
        variable
    }

    /// Declares a local with its first value. A variable that closures share gets a new cell each time.
    pub(crate) fn bind(&mut self, local: LocalId, val: Val) {
        let variable = self.variable(local);
        if let Variable::Cell(cell, repr) = variable {
            let layout = self.module.cell_layout(repr);
            let new = self.emit1(Op::New, Imm::Layout(layout), &[], Type::Ref, Pos::NONE);
            self.assign_one(cell, new);
        }
        self.assign(variable, val);
    }

    /// Makes a local a parameter of the function.
    pub(crate) fn declare_param(&mut self, local: LocalId) {
        let definition = &self.body.locals[local];
        let plain = match definition.capture {
            Capture::Shared => {
                let repr = self.module.repr(self.part.instance.ty(definition.ty));
                self.new_variable(&definition.name, repr)
            }
            Capture::No | Capture::Copied => self.variable(local),
        };
        let val = self.read(plain);
        for value in val.values() {
            self.func.add_func_param(value);
        }
        if definition.capture == Capture::Shared {
            self.bind(local, val);
        }
    }

    /// In a closure: takes what it captured out of the function value that was called.
    pub(crate) fn open_captures(&mut self, closure: &Closure, layout: LayoutId) {
        let env = self.op(Op::Env, &[], Type::Ref);
        let mut part = 0;
        for &local in &closure.captures {
            let place = self.module.place_of(self.part.instance, &self.body.locals[local]);
            let values: Vec<Value> = place
                .types()
                .map(|ty| {
                    part += 1;
                    self.emit1(Op::LoadField, Imm::Part(layout, part), &[env], ty, Pos::NONE)
                })
                .collect();
            let variable = self.variable(local);
            match (variable, &values[..]) {
                (Variable::None, _) => {}
                (Variable::One(to) | Variable::Cell(to, _), &[from]) => self.assign_one(to, from),
                (Variable::Optional(to, to_flag), &[from, from_flag]) => {
                    self.assign_one(to, from);
                    self.assign_one(to_flag, from_flag);
                }
                _ => unreachable!("a place has as many values as its variables"),
            }
        }
    }

    /// What a closure captures of a local: its value, or its cell.
    pub(crate) fn captured(&mut self, local: LocalId) -> Val {
        match self.variable(local) {
            Variable::Cell(cell, _) => Val::One(cell),
            variable => self.read(variable),
        }
    }

    /// Reads variables: no instruction, unless they live in a cell.
    pub(crate) fn read(&mut self, variable: Variable) -> Val {
        match variable {
            Variable::None => Val::None,
            Variable::One(value) => Val::One(value),
            Variable::Optional(payload, flag) => Val::Optional(payload, flag),
            Variable::Cell(cell, repr) => {
                let layout = self.module.cell_layout(repr);
                let mut load = |part, ty| self.emit1(Op::LoadField, Imm::Part(layout, part), &[cell], ty, Pos::NONE);
                match repr {
                    Repr::None => Val::None,
                    Repr::One(ty) => Val::One(load(0, ty)),
                    Repr::Optional(ty) => Val::Optional(load(0, ty), load(1, Type::Bool)),
                }
            }
        }
    }

    /// Assigns variables.
    pub(crate) fn assign(&mut self, variable: Variable, val: Val) {
        match (variable, val) {
            (Variable::One(to), Val::One(from)) => self.assign_one(to, from),
            (Variable::Optional(to, to_flag), Val::Optional(from, from_flag)) => {
                self.assign_one(to, from);
                self.assign_one(to_flag, from_flag);
            }
            (Variable::Cell(cell, repr), val) => {
                let layout = self.module.cell_layout(repr);
                for (part, value) in val.values().enumerate() {
                    let imm = Imm::Part(layout, part as u32);
                    self.emit(Op::StoreField, imm, &[cell, value], &[], Pos::NONE);
                }
            }
            // The value is never: what follows is unreachable.
            (_, Val::None) | (Variable::None, _) => {}
            (Variable::One(_), Val::Optional(..)) | (Variable::Optional(..), Val::One(_)) => {
                unreachable!("the checker writes the step from T to T? out")
            }
        }
    }

    /// `to = copy from`
    pub(crate) fn assign_one(&mut self, to: Value, from: Value) {
        let inst = self.func.create_inst(Op::Copy, Imm::None, &[from], Pos::NONE);
        self.func.set_results(inst, &[to]);
        self.func.append_inst(self.block, inst);
        self.time += 1;
        if self.assigned_at.len() <= to.index() {
            self.assigned_at.resize(self.func.value_count(), 0);
        }
        self.assigned_at[to.index()] = self.time;
    }

    // ---- Loops ----

    /// Tells where `break` and `continue` of a loop lead.
    pub(crate) fn enter_loop(&mut self, id: LoopId, on_break: Block, on_continue: Block) {
        self.loops.insert(id, LoopTargets { on_break, on_continue });
    }

    /// Where `break` and `continue` of a loop lead.
    pub(crate) fn loop_targets(&self, id: LoopId) -> LoopTargets {
        *self.loops.get(&id).expect("the checker put jumps inside their loops")
    }

    // ---- Operands ----

    /// Evaluates an operand; [`BodyLowering::settle`] it after the operands that follow.
    pub(crate) fn operand(&mut self, expr: ExprId) -> Operand {
        let val = self.expr(expr);
        self.mark(val)
    }

    /// A value as an operand evaluated now.
    pub(crate) fn mark(&self, val: Val) -> Operand {
        Operand { val, block: self.block, behind: self.func.last_inst(self.block), time: self.time }
    }

    /// The operand's value as it was when it was evaluated.
    pub(crate) fn settle(&mut self, operand: Operand) -> Val {
        match operand.val {
            Val::None => Val::None,
            Val::One(value) => Val::One(self.settle_one(operand, value)),
            Val::Optional(payload, flag) => {
                let payload = self.settle_one(operand, payload);
                Val::Optional(payload, self.settle_one(operand, flag))
            }
        }
    }

    fn settle_one(&mut self, operand: Operand, value: Value) -> Value {
        let assigned_since = self.assigned_at.get(value.index()).is_some_and(|&at| at > operand.time);
        if !assigned_since || self.func.def(value) != Def::Variable {
            return value;
        }
        let copy = self.func.create_inst(Op::Copy, Imm::None, &[value], Pos::NONE);
        let result = self.func.new_temp(self.func.ty(value));
        self.func.set_results(copy, &[result]);
        match operand.behind {
            Some(inst) => self.func.insert_after(inst, copy),
            None => self.func.prepend_inst(operand.block, copy),
        }
        result
    }

    /// Evaluates operands from left to right.
    pub(crate) fn operands(&mut self, exprs: &[ExprId]) -> Vec<Val> {
        let operands: Vec<Operand> = exprs.iter().map(|&e| self.operand(e)).collect();
        operands.into_iter().map(|o| self.settle(o)).collect()
    }

    /// Settles a first operand and evaluates the rest behind it.
    pub(crate) fn operands_behind(&mut self, first: Operand, rest: &[ExprId]) -> Vec<Val> {
        let rest: Vec<Operand> = rest.iter().map(|&e| self.operand(e)).collect();
        std::iter::once(first).chain(rest).map(|o| self.settle(o)).collect()
    }

    /// Lowers a function's body and returns its value.
    pub(crate) fn body_and_return(&mut self, root: ExprId) {
        let val = self.expr(root);
        self.return_value(val, Pos::NONE);
    }

    /// `ret`; without a value in a function with a result only where control does not get.
    pub(crate) fn return_value(&mut self, val: Val, pos: Pos) {
        let values: Vec<Value> = val.values().collect();
        if values.len() == self.func.results.len() {
            self.terminate(Op::Return, &values, &[], pos);
        } else {
            self.terminate(Op::Unreachable, &[], &[], pos);
        }
    }

    /// Stores to a global.
    pub(crate) fn store_global(&mut self, global: typed::GlobalId, val: Val, pos: Pos) {
        let (first, second) = self.module.global_ids(global);
        for (id, value) in [first, second].into_iter().flatten().zip(val.values()) {
            self.emit(Op::StoreGlobal, Imm::Global(id), &[value], &[], pos);
        }
    }
}

/// The locals that some statement assigns after their declaration.
fn reassigned(body: &Body) -> BitSet<LocalId> {
    let mut set = BitSet::new(body.locals.len());
    for expr in &body.exprs {
        let typed::ExprKind::Block(stmts, _) = &expr.kind else {
            continue;
        };
        for stmt in stmts {
            if let Stmt::Assign(place, _) | Stmt::Update(place, ..) = stmt
                && let PlaceKind::Local(local) = place.kind
            {
                set.insert(local);
            }
        }
    }
    set
}
