//! What happens between the steps: verification, `--print-after`, and the reading of textual IR.

use crate::bug::Bug;
use crate::failure::Failure;
use crate::options::{SsaStyle, Verify};
use crate::session::Session;
use mini_base::source::FileId;
use mini_ir::func::Func;
use mini_ir::module::{Module, ModuleInfo};
use mini_ir::text::{self, parse_module, print_func};
use mini_ir::verify;
use mini_x64::mir::Mir;
use mini_x64::mir_text::print_mir;
use mini_x64::mir_verify;

/// Checks a function that a step has just made, and prints it if that was asked for.
pub fn after(session: &Session, step: &'static str, func: &Func, info: &ModuleInfo) -> Result<(), Bug> {
    if wants_print(session, step, &func.name) {
        eprint!("// after {step}\n{}\n", print_func(func, info, style(session)));
    }
    if session.options.verify == Verify::EachStep {
        session.times.step(step, Some(&func.name), || verify::verify(func, info))?.map_err(|errors| Bug {
            step,
            function: Some(func.name.to_string()),
            message: format!("the verifier rejects the result: {}", errors[0]),
        })?;
    }
    Ok(())
}

/// The same for machine instructions.
pub fn after_machine(session: &Session, step: &'static str, mir: &Mir, stage: mir_verify::Stage) -> Result<(), Bug> {
    if wants_print(session, step, &mir.name) {
        eprint!("// after {step}\n{}\n", print_mir(mir));
    }
    if session.options.verify == Verify::EachStep {
        session.times.step(step, Some(&mir.name), || mir_verify::verify(mir, stage))?.map_err(|errors| Bug {
            step,
            function: Some(mir.name.to_string()),
            message: format!("the verifier rejects the result: {}", errors[0]),
        })?;
    }
    Ok(())
}

/// Whether `--print-after` asks for a function after a step.
fn wants_print(session: &Session, step: &str, function: &str) -> bool {
    let options = &session.options;
    options.print_after.as_deref().is_some_and(|wanted| wanted == "all" || wanted == step)
        && options.only_fn.as_deref().is_none_or(|only| only == function)
}

/// The style of textual SSA.
pub fn style(session: &Session) -> text::SsaStyle {
    match session.options.ssa_style {
        SsaStyle::Params => text::SsaStyle::Params,
        SsaStyle::Phi => text::SsaStyle::Phi,
    }
}

/// Reads a file of textual IR and verifies it: what is wrong there is the user's.
pub fn read_text(session: &Session, file: FileId) -> Result<Module, Failure> {
    let source = session.sources.file(file);
    let path = source.path.display();
    let module = parse_module(&source.text)
        .map_err(|error| Failure::Text(format!("{path}:{}:{}: error: {}", error.line, error.column, error.message)))?;
    verify::verify_module(&module).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(|error| format!("{path}: error: {error}")).collect();
        Failure::Text(lines.join("\n"))
    })?;
    Ok(module)
}
