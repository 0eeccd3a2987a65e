//! What happens between the steps: verification, and `--print-after`.

use crate::bug::Bug;
use crate::failure::Failure;
use crate::options::{Options, SsaStyle, Verify};
use crate::pipeline::STEPS;
use crate::session::Session;
use mini_base::names::shown_name;
use mini_base::near;
use mini_ir::func::Func;
use mini_ir::module::{Module, ModuleInfo};
use mini_ir::text::{self, print_func};
use mini_ir::verify;
use mini_x64::mir::Mir;
use mini_x64::mir_text::print_mir;
use mini_x64::mir_verify;
use std::sync::atomic::Ordering;

/// Prints a function that a step has just made, if that was asked for, and checks it.
pub fn after(session: &Session, step: &'static str, func: &Func, info: &ModuleInfo) -> Result<(), Bug> {
    print(session, step, func, info);
    verify(session, step, func, info)
}

/// Prints a function after a step or pass, if that was asked for.
pub fn print(session: &Session, step: &str, func: &Func, info: &ModuleInfo) {
    if wants_print(session, step, &func.name) {
        eprint!("// after {step}\n{}\n", print_func(func, info, style(session)));
    }
}

/// Checks a function after a step or pass, if that was asked for.
pub fn verify(session: &Session, step: &'static str, func: &Func, info: &ModuleInfo) -> Result<(), Bug> {
    if session.options.verify == Verify::EachStep {
        session.times.step(step, Some(&func.name), || verify::verify(func, info))?.map_err(|errors| {
            Bug::in_function(step, &func.name, format!("the verifier rejects the result: {}", errors[0]))
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
        session.times.step(step, Some(&mir.name), || mir_verify::verify(mir, stage))?.map_err(|errors| {
            Bug::in_function(step, &mir.name, format!("the verifier rejects the result: {}", errors[0]))
        })?;
    }
    Ok(())
}

/// Whether `--print-after` asks for a function after a step. Remembers that it did.
fn wants_print(session: &Session, step: &str, function: &str) -> bool {
    let options = &session.options;
    let wants = options.print_after.as_deref().is_some_and(|wanted| wanted == "all" || wanted == step)
        && options.only_fn.as_deref().is_none_or(|only| is_named(function, only));
    if wants {
        session.printed.store(true, Ordering::Relaxed);
    }
    wants
}

/// The steps that leave functions to print.
pub fn printing_steps() -> Vec<&'static str> {
    STEPS.iter().filter(|step| step.leaves_functions()).map(|step| step.name).collect()
}

/// Refuses a `--print-after` that can't print anything, and an `--only-fn` that restricts nothing. `passes` are the names
/// that the command knows instead of the steps of the pipeline.
pub fn check_print_after(options: &Options, passes: Option<&[&str]>) -> Result<(), Failure> {
    let Some(wanted) = options.print_after.as_deref() else {
        return match options.only_fn {
            Some(_) => Err(Failure::Usage("`--only-fn` restricts `--print-after`, which is not given".into())),
            None => Ok(()),
        };
    };
    let printing = printing_steps();
    let (what, known) = match passes {
        Some(passes) => ("pass", passes),
        None => ("step", &printing[..]),
    };
    if wanted == "all" || known.contains(&wanted) {
        return Ok(());
    }
    let known = known.join(" ");
    Err(Failure::Usage(match STEPS.iter().find(|step| step.name == wanted || step.pass == Some(wanted)) {
        Some(step) if passes.is_some() => match step.pass {
            Some(pass) => format!("`{wanted}` is a step of the pipeline; the pass that it runs is `{pass}`"),
            None => format!("`{wanted}` is a step of the pipeline, and no pass; passes: all {known}"),
        },
        Some(step) if step.name == wanted => {
            format!("`--print-after {wanted}` has no effect: that step leaves no functions; steps that do: all {known}")
        }
        Some(step) => format!("`{wanted}` is a pass; the step that runs it is `{}`", step.name),
        None => {
            let hint = near::hint(wanted, known.split(' ').chain(["all"]));
            format!("there is no {what} `{wanted}`{hint}; available: all {known}")
        }
    }))
}

/// Refuses an `--only-fn` that names no function of the program.
pub fn check_only_fn(session: &Session, module: &Module) -> Result<(), Failure> {
    let Some(name) = session.options.only_fn.as_deref() else { return Ok(()) };
    known_function(name, &function_names(module)).map_err(|failure| match failure {
        Failure::Usage(text) => Failure::Usage(format!("`--only-fn {name}`: {text}")),
        other => other,
    })
}

/// Refuses a `--print-after` after which nothing has been printed: the step that it names was not run.
pub fn check_printed(session: &Session) -> Result<(), Failure> {
    match &session.options.print_after {
        Some(wanted) if !session.printed.load(Ordering::Relaxed) => Err(Failure::Usage(format!(
            "`--print-after {wanted}` has no effect: this command does not run that step on this file"
        ))),
        _ => Ok(()),
    }
}

/// The names of a module's functions.
pub fn function_names(module: &Module) -> Vec<&str> {
    module.funcs.iter().map(|func| &*func.name).collect()
}

/// Refuses a name that is no function's, with near matches.
pub fn known_function(name: &str, names: &[&str]) -> Result<(), Failure> {
    if names.iter().any(|found| is_named(found, name)) {
        return Ok(());
    }
    let hint = near::hint(name, names.iter().copied().map(shown_name));
    Err(Failure::Usage(format!("there is no function `{name}`{hint}")))
}

/// Whether a function has this name, in full or as call stacks show it: `f` names all instances of `f`.
pub fn is_named(function: &str, name: &str) -> bool {
    function == name || shown_name(function) == name
}

/// The style of textual SSA.
pub fn style(session: &Session) -> text::SsaStyle {
    match session.options.ssa_style {
        SsaStyle::Params => text::SsaStyle::Params,
        SsaStyle::Phi => text::SsaStyle::Phi,
    }
}
