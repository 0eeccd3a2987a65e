//! ⊥: what a variable is where no assignment reaches it, one `undef` for each such variable at the start of the entry.
//!
//! Every construction reads it as if the entry assigned ⊥ to all variables first. The instruction is made when it is first
//! read, so that variables without such a read have none.
//!
//! *In:* a function whose variables are being renamed. *Out:* the `undef` instructions, in the order of the variables.
//! *Cost:* O(variables). *Source:* F. Rastello, F. Bouchez Tichadou (eds.), SSA-based Compiler Design, 2022, section 2.3 (strictness:
//! an undefined variable is defined at the entry, by ⊥). *Leaves:* what becomes of it; `docs/ir.md` says what may be done with ⊥.
//!
//! Before: `x` is read where it may be unassigned, `y` is not.
//! ```text
//! func f(c: bool) -> int {
//! entry1:
//!   br c, then2, end3
//! then2:
//!   %1 = const 1
//!   x = copy %1
//!   y = neg x
//!   x = copy y
//!   jmp end3
//! end3:
//!   ret x
//! }
//! ```
//! After (`pruned`):
//! ```text
//! ssa func f(c.1: bool) -> int {
//! entry1:
//!   x.1 = undef int
//!   br c.1, then2, end3(x.1)
//! then2:
//!   %1 = const 1
//!   x.2 = copy %1
//!   y.1 = neg x.2
//!   x.3 = copy y.1
//!   jmp end3(x.3)
//! end3(x.4: int):
//!   ret x.4
//! }
//! ```

use mini_base::ids::{Id, IdVec};
use mini_base::source::Pos;
use mini_ir::func::{Func, Imm, Inst, Value};
use mini_ir::op::Op;

/// The `undef` instructions made so far: of variables, or of what else is assigned.
#[derive(Clone, Debug)]
pub struct Undefs<K: Id> {
    of: IdVec<K, Option<Inst>>,
}

impl<K: Id> Undefs<K> {
    /// None yet, for so many variables.
    pub fn new(count: usize) -> Undefs<K> {
        Undefs { of: IdVec::filled(None, count) }
    }

    /// The ⊥ of `k`; its value is made when it is first wanted.
    pub fn of(&mut self, func: &mut Func, k: K, new_value: impl FnOnce(&mut Func) -> Value) -> Value {
        let inst = *self.of[k].get_or_insert_with(|| {
            let inst = func.create_inst(Op::Undef, Imm::None, &[], Pos::NONE);
            let value = new_value(func);
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

impl Undefs<Value> {
    /// The ⊥ of a variable of TAC.
    pub fn of_variable(&mut self, func: &mut Func, v: Value) -> Value {
        self.of(func, v, |func| func.new_value_like(v))
    }
}
