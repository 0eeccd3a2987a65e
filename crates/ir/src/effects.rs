//! What an instruction may do besides computing its results, and whether it can go if nothing uses them.
//!
//! *In:* an instruction. *Out:* its [`Effects`]: the operation's by its row in `op.rs`, and for `rt` those of the function
//! that is called, by its row in `builtin.rs`. *Cost:* O(1). *Leaves:* what callees of the module may do.
//!
//! Example: `rt hash_int(%1)` is pure like `add %1, %1`; `rt out_int(%1)` is a call that may do anything.

use crate::builtin::Effect;
use crate::eval::Const;
use crate::func::{Def, Func, Imm, Inst, Value};
use crate::op::{Effects, Op};

/// What the instruction may do.
pub fn effects(func: &Func, inst: Inst) -> Effects {
    match (func.op(inst), func.imm(inst)) {
        (Op::Builtin, Imm::Builtin(builtin)) => match builtin.info().effect {
            Effect::Pure => Effects::Pure,
            Effect::Allocates => Effects::Alloc,
            Effect::External | Effect::Diverges => Effects::Call,
        },
        (op, _) => op.info().effects,
    }
}

/// Whether the instruction can go if its results have no uses. A division can if its divisor is a constant other than zero.
pub fn can_be_dropped(func: &Func, inst: Inst) -> bool {
    match effects(func, inst) {
        Effects::Pure | Effects::Load | Effects::Alloc => true,
        Effects::Trap => match func.op(inst) {
            Op::Div | Op::Rem => constant(func, func.arg(inst, 1)).is_some_and(|divisor| divisor != Const::Int(0)),
            _ => false,
        },
        Effects::Store | Effects::Call | Effects::Control => false,
    }
}

/// The constant that a value is, if it is the result of `const` or `func_ref`.
pub fn constant(func: &Func, value: Value) -> Option<Const> {
    match func.def(value) {
        Def::Result(inst, _) => Const::of(func.op(inst), func.imm(inst)),
        Def::None | Def::BlockParam(..) | Def::FuncParam(_) | Def::Variable => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::func;

    #[test]
    fn a_run_time_function_has_the_effect_of_its_row_and_a_division_that_of_its_divisor() {
        let func = func(
            "\
ssa func f(a.1: int, s.1: ref) -> int {
entry1:
  %1 = const 2
  %2 = const 0
  %3 = rt hash_int(a.1)
  rt out_int(a.1)
  %4 = rt trim(s.1)
  %5 = div a.1, %1
  %6 = div a.1, %2
  %7 = rem %1, a.1
  check_bounds %2, %1
  %8 = load_byte s.1, %2
  ret %3
}
",
        );
        let insts: Vec<Inst> = func.insts(func.entry()).collect();
        let dropped: Vec<bool> = insts.iter().map(|&inst| can_be_dropped(&func, inst)).collect();
        assert_eq!(dropped, [true, true, true, false, true, true, false, false, false, true, false]);
        assert_eq!(effects(&func, insts[2]), Effects::Pure);
        assert_eq!(effects(&func, insts[3]), Effects::Call);
        assert_eq!(constant(&func, func.result(insts[0])), Some(Const::Int(2)));
        assert_eq!(constant(&func, func.params[0]), None);
    }
}
