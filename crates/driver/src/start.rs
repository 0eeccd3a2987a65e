//! The function that an executable starts with, for textual IR whose `main` is not one.
//!
//! The run-time library calls a function without parameters that gives the exit status. Programs in Mini get one from the
//! lowering; textual IR may have just a `main` without result, for which 0 is the status.
//!
//! *In:* a module in conventional SSA. *Out:* the same, or with `$start` (or `$start2`, … where that name is taken) behind its
//! functions. *Cost:* O(functions).
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

/// Gives a module a start function with an exit status, if it has one without; or says why that can't be.
pub fn ensure_start(module: &mut Module) -> Result<(), Failure> {
    let Some(main) = module.start else { return Ok(()) };
    let head = &module.info.signatures[main];
    match (&head.params[..], &head.results[..]) {
        ([], [Type::Int]) => return Ok(()),
        ([], []) => {}
        _ => {
            let text =
                format!("`{}` can't start a program: it must take nothing and give an int or nothing", head.name);
            return Err(Failure::Text(format!("error: {text}")));
        }
    }
    let mut func = Func::new(free_name(module), Phase::Cssa);
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
    module.start = Some(module.add(func));
    Ok(())
}

/// `$start`, or the first of `$start2`, `$start3`, … that no function has.
fn free_name(module: &Module) -> String {
    let numbered = (2..).map(|n| format!("$start{n}"));
    std::iter::once("$start".to_string())
        .chain(numbered)
        .find(|name| module.find(name).is_none())
        .expect("there are more numbers than functions")
}

#[cfg(test)]
mod tests {
    use super::*;
    use mini_ir::text::parse_module;

    #[test]
    fn a_taken_name_is_left_alone() {
        let text = "cssa func $start() {\na:\n  ret\n}\ncssa func main() {\na:\n  call $start()\n  ret\n}\n";
        let mut module = parse_module(text).expect("the text is IR");
        ensure_start(&mut module).expect("main is fine");
        let start = module.start.expect("there is one");
        assert_eq!(&*module.funcs[start].name, "$start2");
        assert_eq!(module.funcs.len(), 3);
        ensure_start(&mut module).expect("it has a status now");
        assert_eq!(module.funcs.len(), 3, "once is enough");
    }
}
