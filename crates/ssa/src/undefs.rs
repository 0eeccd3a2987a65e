//! ⊥: what a variable is where no assignment reaches it, one `undef` for each such variable at the start of the entry.
//!
//! Every construction reads it as if the entry assigned ⊥ to all variables first. The instruction is made when it is first
//! read, so that variables without such a read have none.
//!
//! *In:* a function whose variables are being renamed. *Out:* the `undef` instructions, in the order of the variables.
//! *Cost:* O(variables). *Source:* F. Rastello, F. Bouchez Tichadou (eds.), SSA-based Compiler Design, 2022, section 2.2 (strictness:
//! an undefined variable is defined at the entry, by ⊥). *Leaves:* what becomes of it; `docs/ir.md` says what may be done with ⊥.

use mini_base::ids::IdVec;
use mini_base::source::Pos;
use mini_ir::func::{Func, Imm, Inst, Value, ValueName, Var};
use mini_ir::op::Op;

/// The `undef` instructions made so far.
#[derive(Clone, Debug)]
pub struct Undefs {
    of: IdVec<Value, Option<Inst>>,
}

impl Undefs {
    /// None yet.
    pub fn new(func: &Func) -> Undefs {
        Undefs { of: IdVec::filled(None, func.value_count()) }
    }

    /// The ⊥ of a variable.
    pub fn of(&mut self, func: &mut Func, v: Value) -> Value {
        let inst = *self.of[v].get_or_insert_with(|| {
            let inst = func.create_inst(Op::Undef, Imm::None, &[], Pos::NONE);
            let value = func.new_version(variable(func, v), func.ty(v));
            func.set_results(inst, &[value]);
            inst
        });
        func.result(inst)
    }

    /// Puts the instructions at the start of the entry.
    pub fn insert(self, func: &mut Func) {
        let entry = func.entry();
        for inst in self.of.as_slice().iter().rev().flatten() {
            func.prepend_inst(entry, *inst);
        }
    }
}

/// The source variable that a variable of TAC stands for, which its versions are named after.
pub fn variable(func: &Func, v: Value) -> Var {
    match func.value_name(v) {
        ValueName::Var(var, _) => var,
        ValueName::Temp(_) => panic!("a variable of TAC has a name"),
    }
}
