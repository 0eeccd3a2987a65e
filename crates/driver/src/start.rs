//! The function that an executable starts with, for textual IR whose `main` is not one.
//!
//! The run-time library calls a function without parameters that gives the exit status. Programs in Mini get one from the
//! lowering; textual IR may have just a `main` without result, for which 0 is the status.
//!
//! *In:* a module in conventional SSA. *Out:* the same, or one with `$start` behind its functions. *Cost:* O(1), but for the
//! copy of the module that gets one.
//!
//! ```text
//! hidden cssa func $start() -> int {
//! entry1:
//!   call main()
//!   %1 = const 0
//!   ret %1
//! }
//! ```

use crate::failure::Failure;
use mini_ir::func::{Func, Imm, Phase};
use mini_ir::module::Module;
use mini_ir::op::Op;
use mini_ir::types::Type;
use std::borrow::Cow;

/// A module whose start function gives an exit status; or why that can't be.
pub fn with_start(module: &Module) -> Result<Cow<'_, Module>, Failure> {
    let Some(main) = module.start else { return Ok(Cow::Borrowed(module)) };
    let head = &module.info.signatures[main];
    match (&head.params[..], &head.results[..]) {
        ([], [Type::Int]) => return Ok(Cow::Borrowed(module)),
        ([], []) => {}
        _ => {
            let text =
                format!("`{}` can't start a program: it must take nothing and give an int or nothing", head.name);
            return Err(Failure::Text(format!("error: {text}")));
        }
    }
    let mut func = Func::new("$start", Phase::Cssa);
    func.hidden = true;
    func.results = vec![Type::Int];
    let entry = func.new_block("entry");
    let call = func.create_inst(Op::Call, Imm::Func(main), &[], func.pos);
    func.append_inst(entry, call);
    let zero = func.create_inst(Op::Const, Imm::Int(0), &[], func.pos);
    func.append_inst(entry, zero);
    let status = func.new_temp(Type::Int);
    func.set_results(zero, &[status]);
    let ret = func.create_inst(Op::Return, Imm::None, &[status], func.pos);
    func.append_inst(entry, ret);
    let mut module = module.clone();
    module.start = Some(module.add(func));
    Ok(Cow::Owned(module))
}
