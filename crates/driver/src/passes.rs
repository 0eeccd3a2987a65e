//! Running passes on a function: each guarded, timed, verified, and printed where asked.
//!
//! A pass that panics, is given a phase that it does not take, leaves another phase than it says, or breaks a rule of the
//! verifier is a bug in the compiler. The pipeline runs its passes by [`run_step`], under the name of its step; `minic opt` runs
//! a list of them by [`run_list`], which keeps what each pass was given.

use crate::bug::Bug;
use crate::checks;
use crate::failure::Failure;
use crate::pipeline::STEPS;
use crate::session::Session;
use mini_base::names::shown_name;
use mini_ir::func::Func;
use mini_ir::module::ModuleInfo;
use mini_ir::text::{SsaStyle, print_func};
use mini_pass::info::{Changed, PassInfo};
use mini_pass::registry::{self, ListError, PASSES, phase_name};

/// Runs the passes of a step of the pipeline, under the step's name. What is printed is what the last one leaves.
pub fn run_step(
    session: &Session,
    step: &'static str,
    passes: &[&'static PassInfo],
    func: &mut Func,
    info: &ModuleInfo,
) -> Result<(), Bug> {
    for pass in passes {
        apply(session, step, pass, func, info)?;
    }
    checks::print(session, step, func, info);
    Ok(())
}

/// Runs a pass under a name, and verifies what it leaves.
fn apply(
    session: &Session,
    name: &'static str,
    pass: &PassInfo,
    func: &mut Func,
    info: &ModuleInfo,
) -> Result<Changed, Bug> {
    let function = func.name.clone();
    let bug = |message: String| Bug::in_function(name, &function, message);
    let input = func.phase;
    if !pass.input.contains(&input) {
        return Err(bug(format!("pass `{}` does not take {}", pass.name, phase_name(input))));
    }
    let changed = session.times.step(name, Some(&function), || (pass.run)(func, info))?;
    if func.phase != pass.output.unwrap_or(input) {
        return Err(bug(format!("pass `{}` left {}", pass.name, phase_name(func.phase))));
    }
    checks::verify(session, name, func, info)?;
    Ok(changed)
}

/// Runs passes in order; tells whether any changed the function. A bug has the function as its pass was given it.
pub fn run_list(
    session: &Session,
    passes: &[&'static PassInfo],
    func: &mut Func,
    info: &ModuleInfo,
) -> Result<Changed, Bug> {
    let mut changed = Changed::No;
    for &pass in passes {
        // A copy, since a pass that fails leaves the function in any state.
        let before = func.clone();
        match apply(session, pass.name, pass, func, info) {
            Ok(this) => changed = changed.max(this),
            Err(bug) => return Err(Bug { given: Some(print_func(&before, info, SsaStyle::Params)), ..bug }),
        }
        checks::print(session, pass.name, func, info);
    }
    Ok(changed)
}

/// The passes of a list `a,b,c` for a function. The name of a step is told from an unknown one.
pub fn parse_list(list: &str, func: &Func) -> Result<Vec<&'static PassInfo>, Failure> {
    registry::parse_list(list, func.phase).map_err(|error| {
        let step = match &error {
            ListError::Unknown { name, .. } => STEPS.iter().find(|step| step.name == name),
            ListError::Phase { pass, given } => {
                let takes = registry::find(pass).map_or(&[][..], |pass| pass.input);
                let takes = takes.iter().map(|&phase| phase_name(phase)).collect::<Vec<_>>().join(", ");
                let (given, function) = (phase_name(*given), shown_name(&func.name));
                return Failure::Usage(format!(
                    "pass `{pass}` takes functions in {takes}, and `{function}` is in {given} when its turn comes"
                ));
            }
        };
        Failure::Usage(match step.map(|step| (step.name, step.pass)) {
            Some((name, Some(pass))) => {
                format!("`{name}` is a step of the pipeline; the pass that it runs is `{pass}`")
            }
            Some((name, None)) => {
                format!("`{name}` is a step of the pipeline, and no pass; `minic passes` lists both")
            }
            None => format!("{error}; passes: {}", names().join(" ")),
        })
    })
}

/// The names of the passes.
pub fn names() -> Vec<&'static str> {
    PASSES.iter().map(|pass| pass.name).collect()
}
