//! Variables into stack slots: SSA form without a phi, in which memory does what assignments did.
//!
//! Every variable becomes a slot, every read a `load` before the instruction that reads, every assignment a `store`
//! behind the one that assigns. An address is a value like any other and defined once; what changes is the content of the
//! slot. So nothing is assigned twice any more: that is SSA. A front end that does the same leaves phis to a pass, `mem2reg`.
//!
//! *In:* TAC. *Out:* SSA. *Keeps:* temporaries, instructions and their order, block order. *Breaks:* analyses of values. An
//! entry with predecessors gets a new block in front, for slots are made once.
//! *Cost:* O(instructions + operands).
//! *Source:* C. Lattner, V. Adve, LLVM: A Compilation Framework for Lifelong Program Analysis & Transformation, 2004, section 3.2
//! (front ends put variables on the stack, so that only one pass has to construct SSA).
//! *Leaves:* all phis, for `mem2reg`. A copy to a variable becomes the store itself: there is nothing left to copy.
//!
//! Before:
//! ```text
//! func sum_to(n: int) -> int {
//! entry1:
//!   %1 = const 0
//!   s = copy %1
//!   %2 = const 0
//!   i = copy %2
//!   jmp head2
//! head2:
//!   %3 = lt i, n
//!   br %3, body3, exit4
//! body3:
//!   s = add s, i
//!   %5 = const 1
//!   %6 = add i, %5
//!   i = copy %6
//!   jmp head2
//! exit4:
//!   ret s
//! }
//! ```
//! After:
//! ```text
//! ssa func sum_to(n.1: int) -> int {
//! entry1:
//!   n.2 = slot int
//!   s.1 = slot int
//!   i.1 = slot int
//!   store n.2, n.1
//!   %1 = const 0
//!   store s.1, %1
//!   %2 = const 0
//!   store i.1, %2
//!   jmp head2
//! head2:
//!   %7 = load int, i.1
//!   %8 = load int, n.2
//!   %3 = lt %7, %8
//!   br %3, body3, exit4
//! body3:
//!   %9 = load int, s.1
//!   %10 = load int, i.1
//!   s.2 = add %9, %10
//!   store s.1, s.2
//!   %5 = const 1
//!   %11 = load int, i.1
//!   %6 = add %11, %5
//!   store i.1, %6
//!   jmp head2
//! exit4:
//!   %12 = load int, s.1
//!   ret %12
//! }
//! ```

use crate::new_entry;
use mini_base::ids::IdVec;
use mini_ir::func::{Def, Func, Imm, Inst, Phase, Value};
use mini_ir::op::Op;
use mini_ir::types::Type;

/// Brings a function from TAC into SSA, its variables in slots.
pub fn run(func: &mut Func) {
    assert_eq!(func.phase, Phase::Tac, "variables are in TAC only");
    new_entry::run(func);
    let mut slots = Slots { of: IdVec::filled(None, func.value_count()) };
    let stores = store_params(func, &mut slots);
    for block in func.layout().to_vec() {
        let mut next = func.first_inst(block);
        while let Some(inst) = next {
            next = func.next_inst(inst);
            load_operands(func, &mut slots, inst);
            store_results(func, &mut slots, inst);
        }
    }
    let entry = func.entry();
    let slots: Vec<Inst> = slots.of.iter().copied().flatten().collect();
    for inst in slots.into_iter().chain(stores).rev() {
        func.prepend_inst(entry, inst);
    }
    func.phase = Phase::Ssa;
}

/// The instruction that makes a variable's slot, for those that occur.
struct Slots {
    of: IdVec<Value, Option<Inst>>,
}

impl Slots {
    /// The address of a variable's slot.
    fn of(&mut self, func: &mut Func, v: Value) -> Value {
        let slot = *self.of[v].get_or_insert_with(|| {
            let inst = func.create_inst(Op::Slot, Imm::Type(func.ty(v)), &[], func.pos);
            let address = func.new_value_named_like(v, Type::Addr);
            func.set_results(inst, &[address]);
            inst
        });
        func.result(slot)
    }
}

/// The parameters are values from now on; each is the first content of its variable's slot.
fn store_params(func: &mut Func, slots: &mut Slots) -> Vec<Inst> {
    let mut stores = Vec::new();
    for n in 0..func.params.len() {
        let v = func.params[n];
        let value = func.new_value_like(v);
        func.set_func_param(n, value);
        let address = slots.of(func, v);
        stores.push(func.create_inst(Op::Store, Imm::None, &[address, value], func.pos));
    }
    stores
}

fn load_operands(func: &mut Func, slots: &mut Slots, inst: Inst) {
    for n in 0..func.arg_count(inst) {
        let v = func.arg(inst, n);
        if func.def(v) == Def::Variable {
            let address = slots.of(func, v);
            let load = func.create_inst(Op::Load, Imm::Type(func.ty(v)), &[address], func.inst_pos(inst));
            let content = func.new_temp(func.ty(v));
            func.set_results(load, &[content]);
            func.insert_before(inst, load);
            func.set_arg(inst, n, content);
        }
    }
}

fn store_results(func: &mut Func, slots: &mut Slots, inst: Inst) {
    let mut last = inst;
    for n in 0..func.results(inst).len() {
        let v = func.results(inst)[n];
        if func.def(v) != Def::Variable {
            continue;
        }
        let address = slots.of(func, v);
        if func.op(inst) == Op::Copy {
            let value = func.arg(inst, 0);
            func.set_results(inst, &[]);
            func.set_args(inst, &[address, value]);
            return func.set_op(inst, Op::Store, Imm::None);
        }
        let value = func.new_value_like(v);
        func.set_result(inst, n, value);
        let store = func.create_inst(Op::Store, Imm::None, &[address, value], func.inst_pos(inst));
        func.insert_after(last, store);
        last = store;
    }
}
