//! Random single changes of a function, for tests of the verifier and of what runs behind it.
//!
//! *In:* a function. *Out:* the function with one change, of a [`Kind`] that the caller chooses. Whether the result is still a
//! function that obeys the rules is what the tests are about: some changes only use what passes use, so that use lists
//! and definitions follow; others damage the links themselves.

use crate::builtin::Builtin;
use crate::func::{Block, Def, Edge, Func, Imm, Inst, Phase, Use, Value};
use crate::module::ModuleInfo;
use crate::op::Op;
use crate::types::Type;
use mini_base::ids::Id;
use mini_base::testing::Random;

mini_base::listed_enum! {
    /// What is changed.
    pub enum Kind {
        /// An operand becomes another value of its type.
        Operand,
        /// An operand becomes any other value.
        OperandOfAnyType,
        /// Two operands of an instruction change places.
        SwapOperands,
        /// An instruction becomes another operation.
        Operation,
        /// An instruction gets another immediate.
        Immediate,
        /// An edge leads elsewhere.
        Target,
        /// Two edges of a terminator change places, with their arguments.
        SwapEdges,
        /// An instruction is removed.
        DropInst,
        /// An instruction is there again, with the same results.
        RepeatInst,
        /// An instruction is there again, with new results.
        CopyInst,
        /// An instruction goes to another place.
        MoveInst,
        /// An edge loses an argument.
        DropArgument,
        /// Two arguments of an edge change places.
        SwapArguments,
        /// A block loses a parameter.
        DropParameter,
        /// Two blocks change places in the layout.
        SwapBlocks,
        /// A block is removed.
        DropBlock,
        /// A value gets another's name.
        Rename,
        /// A value gets another type.
        Type,
        /// An instruction gives another result.
        Result,
        /// A value is told another definition.
        Definition,
        /// A use is missing in the list of its value.
        ForgetUse,
        /// An operand names a value that does not know of it.
        MisnameUse,
        /// A use belongs to the wrong instruction.
        MisplaceUse,
        /// The instructions of a block are linked wrongly.
        Links,
        /// The function is said to be in another phase.
        Phase,
        /// The parameters or result types of the function change.
        Head,
    }
}

/// Makes a change of a kind; false if there was nothing to change.
pub fn mutate(func: &mut Func, info: &ModuleInfo, kind: Kind, random: &mut Random) -> bool {
    Mutator { func, info, random }.apply(kind).is_some()
}

struct Mutator<'a> {
    func: &'a mut Func,
    info: &'a ModuleInfo,
    random: &'a mut Random,
}

impl Mutator<'_> {
    fn apply(&mut self, kind: Kind) -> Option<()> {
        match kind {
            Kind::Operand => {
                let operand = self.operand()?;
                let old = self.func.named(operand);
                let new = self.value_where(|f, v| v != old && f.ty(v) == f.ty(old))?;
                self.func.set_use(operand, new);
            }
            Kind::OperandOfAnyType => {
                let operand = self.operand()?;
                let old = self.func.named(operand);
                let new = self.value_where(|_, v| v != old)?;
                self.func.set_use(operand, new);
            }
            Kind::SwapOperands => {
                let inst = self.inst_where(|f, i| f.arg_count(i) > 1)?;
                let (a, b) = self.two(self.func.arg_count(inst))?;
                let (x, y) = (self.func.arg(inst, a), self.func.arg(inst, b));
                self.func.set_arg(inst, a, y);
                self.func.set_arg(inst, b, x);
                return (x != y).then_some(());
            }
            Kind::Operation => self.operation()?,
            Kind::Immediate => self.immediate()?,
            Kind::Target => {
                let edge = self.edge_where(|_, _| true)?;
                let target = self.any_block();
                let old = self.func.edge_target(edge);
                self.func.set_edge_target(edge, target);
                return (old != target).then_some(());
            }
            Kind::SwapEdges => self.swap_edges()?,
            Kind::DropInst => {
                let inst = self.inst_where(|_, _| true)?;
                self.func.remove_inst(inst);
            }
            Kind::RepeatInst | Kind::CopyInst => self.again(kind)?,
            Kind::MoveInst => {
                let inst = self.inst_where(|_, _| true)?;
                let at = self.inst_where(|_, i| i != inst)?;
                self.func.detach_inst(inst);
                if self.random.once_in(2) {
                    self.func.insert_before(at, inst);
                } else {
                    self.func.insert_after(at, inst);
                }
            }
            Kind::DropArgument => {
                let edge = self.edge_where(|f, e| f.edge_args(e).len() > 0)?;
                let mut args: Vec<Value> = self.func.edge_args(edge).collect();
                args.remove(self.random.below(args.len()));
                self.set_edge_args(edge, &args);
            }
            Kind::SwapArguments => {
                let edge = self.edge_where(|f, e| f.edge_args(e).len() > 1)?;
                let mut args: Vec<Value> = self.func.edge_args(edge).collect();
                let (a, b) = self.two(args.len())?;
                args.swap(a, b);
                self.set_edge_args(edge, &args);
                return (args[a] != args[b]).then_some(());
            }
            Kind::DropParameter => {
                let with: Vec<Block> = self.func.blocks().filter(|&b| !self.func.block_params(b).is_empty()).collect();
                let block = self.pick(&with)?;
                let n = self.random.below(self.func.block_params(block).len());
                self.func.remove_block_param(block, n);
            }
            Kind::SwapBlocks => {
                let mut order = self.func.layout().to_vec();
                let (a, b) = self.two(order.len())?;
                order.swap(a, b);
                self.func.set_layout(order);
            }
            Kind::DropBlock => {
                let mut order = self.func.layout().to_vec();
                order.remove(self.random.below(order.len()));
                self.func.set_layout(order);
            }
            Kind::Rename => {
                let value = self.value_where(|_, _| true)?;
                let other = self.value_where(|_, v| v != value)?;
                self.func.set_value_name(value, self.func.value_name(other));
            }
            Kind::Type => {
                let value = self.value_where(|_, _| true)?;
                let others: Vec<Type> = Type::ALL.into_iter().filter(|&ty| ty != self.func.ty(value)).collect();
                let ty = self.pick(&others)?;
                self.func.set_type(value, ty);
            }
            Kind::Result => {
                let inst = self.inst_where(|f, i| !f.results(i).is_empty())?;
                let n = self.random.below(self.func.results(inst).len());
                let old = self.func.results(inst)[n];
                let new = self.value_where(|f, v| v != old && f.ty(v) == f.ty(old))?;
                self.func.set_result(inst, n, new);
            }
            Kind::Definition => {
                let value = self.value_where(|_, _| true)?;
                let defs = [Def::None, Def::Variable, Def::FuncParam(0), Def::BlockParam(self.any_block(), 0)];
                let old = self.func.def(value);
                let new = self.pick(&defs)?;
                self.func.set_def(value, new);
                return (old != new).then_some(());
            }
            Kind::ForgetUse => {
                let operand = self.operand()?;
                self.func.forget_use(operand);
            }
            Kind::MisnameUse => {
                let operand = self.operand()?;
                let old = self.func.named(operand);
                let new = self.value_where(|f, v| v != old && f.ty(v) == f.ty(old))?;
                self.func.misname_use(operand, new);
            }
            Kind::MisplaceUse => {
                let operand = self.operand()?;
                let user = self.func.user(operand);
                let other = self.inst_where(|_, i| i != user)?;
                self.func.misplace_use(operand, other);
            }
            Kind::Links => {
                let inst = self.inst_where(|f, i| f.prev_inst(i).is_some())?;
                match self.random.below(3) {
                    0 => self.func.forget_block(inst),
                    1 => self.func.forget_previous_inst(inst),
                    _ => self.func.forget_last(self.func.inst_block(inst)?),
                }
            }
            Kind::Phase => {
                let others = [Phase::Tac, Phase::Ssa, Phase::Cssa];
                let old = self.func.phase;
                self.func.phase = self.pick(&others)?;
                return (old != self.func.phase).then_some(());
            }
            Kind::Head => match self.random.below(3) {
                0 => self.func.params.truncate(self.func.params.len().checked_sub(1)?),
                1 => self.func.results.truncate(self.func.results.len().checked_sub(1)?),
                _ => self.func.results.push(Type::Int),
            },
        }
        Some(())
    }

    // ---- Choices ----

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.random.below(from.len())])
    }

    /// Two different numbers below a bound.
    fn two(&mut self, bound: usize) -> Option<(usize, usize)> {
        let a = self.random.below(bound.max(1));
        (bound > 1).then(|| (a, (a + 1 + self.random.below(bound - 1)) % bound))
    }

    fn any_block(&mut self) -> Block {
        let blocks = self.func.layout();
        blocks[self.random.below(blocks.len())]
    }

    fn inst_where(&mut self, fits: impl Fn(&Func, Inst) -> bool) -> Option<Inst> {
        let func = &self.func;
        let insts: Vec<Inst> = func.blocks().flat_map(|b| func.insts(b)).filter(|&i| fits(func, i)).collect();
        self.pick(&insts)
    }

    fn edge_where(&mut self, fits: impl Fn(&Func, Edge) -> bool) -> Option<Edge> {
        let func = &self.func;
        let edges: Vec<Edge> = func.blocks().flat_map(|b| func.successors(b)).filter(|&e| fits(func, e)).collect();
        self.pick(&edges)
    }

    /// A value, most often one that is defined.
    fn value_where(&mut self, fits: impl Fn(&Func, Value) -> bool) -> Option<Value> {
        let func = &self.func;
        let mut values: Vec<Value> = func.all_values().filter(|&v| fits(func, v)).collect();
        if !self.random.once_in(20) {
            values.retain(|&v| func.def(v) != Def::None);
        }
        self.pick(&values)
    }

    /// An operand of an instruction, or an argument of an edge.
    fn operand(&mut self) -> Option<Use> {
        let inst = self.inst_where(|f, i| f.operand_places(i).next().is_some())?;
        let places = self.func.places(inst);
        self.pick(&places)
    }

    // ---- Changes ----

    fn operation(&mut self) -> Option<()> {
        let inst = self.inst_where(|_, _| true)?;
        let (old, imm) = (self.func.op(inst), self.func.imm(inst));
        let alike = |op: Op| op != old && op.info().signature == old.info().signature;
        let mut ops: Vec<Op> = Op::all().map(|row| row.op).filter(|&op| alike(op)).collect();
        if ops.is_empty() || self.random.once_in(4) {
            ops = Op::all().map(|row| row.op).filter(|&op| op != old).collect();
        }
        let op = self.pick(&ops)?;
        self.func.set_op(inst, op, imm);
        Some(())
    }

    fn immediate(&mut self) -> Option<()> {
        let inst = self.inst_where(|f, i| f.imm(i) != Imm::None)?;
        let old = self.func.imm(inst);
        let one_more = |len: usize, random: &mut Random| random.below(len + 1);
        let (info, random) = (self.info, &mut *self.random);
        let new = match old {
            Imm::None => return None,
            Imm::Int(n) => {
                Imm::Int([n.wrapping_add(1), n.wrapping_sub(1), n.wrapping_neg(), i64::MIN, 1 << 40][random.below(5)])
            }
            Imm::Float(bits) => Imm::Float(bits ^ 1 << random.below(64)),
            Imm::Bool(b) => Imm::Bool(!b),
            Imm::Byte(b) => Imm::Byte(b ^ 1 << random.below(8)),
            Imm::Str(_) => Imm::Str(Id::new(one_more(info.strings.len(), random))),
            Imm::Null => Imm::Int(0),
            Imm::Func(_) => Imm::Func(Id::new(one_more(info.signatures.len(), random))),
            Imm::Global(_) => Imm::Global(Id::new(one_more(info.globals.len(), random))),
            Imm::Type(_) => Imm::Type(Type::ALL[random.below(Type::ALL.len())]),
            Imm::Layout(_) => Imm::Layout(Id::new(one_more(info.layouts.len(), random))),
            Imm::Part(layout, part) if random.once_in(2) => Imm::Part(layout, part ^ 1),
            Imm::Part(_, part) => Imm::Part(Id::new(one_more(info.layouts.len(), random)), part),
            Imm::Builtin(_) => {
                let all: Vec<Builtin> = Builtin::all().map(|row| row.builtin).collect();
                Imm::Builtin(all[random.below(all.len())])
            }
            Imm::Extern(_) => Imm::Extern(Id::new(one_more(info.externs.len(), random))),
            Imm::Cases(list) => {
                let mut cases = self.func.cases(list).to_vec();
                match cases.len() {
                    0 => cases.push(1),
                    n => cases[random.below(n)] = random.below(4) as i64 - 1,
                }
                Imm::Cases(self.func.new_cases(cases))
            }
        };
        self.func.set_op(inst, self.func.op(inst), new);
        (new != old).then_some(())
    }

    fn swap_edges(&mut self) -> Option<()> {
        let inst = self.inst_where(|f, i| f.edges(i).len() > 1)?;
        let mut edges: Vec<(Block, Vec<Value>)> =
            (self.func.edges(inst)).map(|e| (self.func.edge_target(e), self.func.edge_args(e).collect())).collect();
        let (a, b) = self.two(edges.len())?;
        edges.swap(a, b);
        let edges: Vec<(Block, &[Value])> = edges.iter().map(|(block, args)| (*block, &args[..])).collect();
        self.func.set_edges(inst, &edges);
        (edges[a] != edges[b]).then_some(())
    }

    fn again(&mut self, kind: Kind) -> Option<()> {
        let inst = self.inst_where(|f, i| !f.op(i).is_terminator())?;
        let args: Vec<Value> = self.func.args(inst).collect();
        let copy = self.func.create_inst(self.func.op(inst), self.func.imm(inst), &args, self.func.inst_pos(inst));
        let mut results = self.func.results(inst).to_vec();
        if kind == Kind::CopyInst {
            results = results.into_iter().map(|r| self.func.new_temp(self.func.ty(r))).collect();
        }
        self.func.set_results(copy, &results);
        let at = self.inst_where(|_, _| true)?;
        self.func.insert_before(at, copy);
        Some(())
    }

    fn set_edge_args(&mut self, edge: Edge, args: &[Value]) {
        self.func.clear_edge_args(edge);
        for &arg in args {
            self.func.push_edge_arg(edge, arg);
        }
    }
}
