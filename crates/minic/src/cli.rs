//! The command line: which commands and options there are. Only the command that is used is built in full, so that
//! starting takes little time.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of the design that have no meaning yet: refused as such, not as unknown.
pub const PLANNED_OPTIONS: &[&str] =
    &["passes", "disable", "print-changed", "stats", "remarks", "bisect", "fuel", "seed", "stress", "replace"];

/// Commands of the design that are not there yet: refused as such, not as unknown.
pub const PLANNED_COMMANDS: &[&str] = &["trace", "explore", "fmt", "reduce", "runtime-lib", "grade"];

/// The whole command line.
pub fn command() -> Command {
    Command::new("minic")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The Mini compiler: .mini programs become native Linux x86-64 executables")
        .after_help(
            "Exit status: 0 fine; 1 the program has errors; 2 the command line, or reading or writing, failed; 70 a bug in minic.\n\
             `minic run` passes the program's own status through. `minic COMMAND --help` shows a command's options.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .infer_subcommands(false)
        .max_term_width(110)
        .subcommand(Command::new("run").about("Compile in memory and run; shows errors only, and passes the program's exit status through").defer(run))
        .subcommand(Command::new("build").about("Write an executable (or object file, or assembly text)").defer(build))
        .subcommand(Command::new("check").about("Diagnostics only, on stderr").defer(check))
        .subcommand(Command::new("emit").about("Print a stage of the compilation").defer(emit))
        .subcommand(Command::new("interp").about("Run by an interpreter of the intermediate code").defer(interp))
        .subcommand(Command::new("opt").about("Textual TAC or SSA in, passes, textual IR out").defer(opt))
        .subcommand(Command::new("passes").about("The steps of the pipeline and the passes"))
        .subcommand(Command::new("explain").about("What a diagnostic code means, with an example").defer(explain))
        .subcommand(Command::new("completions").about("A completion script for a shell").defer(completions))
}

fn file() -> Arg {
    Arg::new("file")
        .value_name("FILE")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
}

/// A program and its arguments: whatever follows the file belongs to the program, options too.
fn program() -> Arg {
    Arg::new("program")
        .value_names(["FILE", "ARGS"])
        .help("The program, and the arguments that it gets")
        .num_args(1..)
        .required(true)
        .trailing_var_arg(true)
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::FilePath)
}

fn run(command: Command) -> Command {
    options(command).arg(program())
}

fn build(command: Command) -> Command {
    options(command)
        .arg(file())
        .arg(
            Arg::new("output")
                .short('o')
                .value_name("OUT")
                .help("Where to write [default: ./NAME, ./NAME.o, ./NAME.s]")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath),
        )
        .arg(Arg::new("emit").long("emit").value_name("KIND").help("What to write: exe, obj or asm [default: exe]"))
}

fn check(command: Command) -> Command {
    options(command).arg(file())
}

fn emit(command: Command) -> Command {
    options(command)
        .arg(
            Arg::new("stage")
                .value_name("STAGE")
                .required(true)
                .help(format!("One of: {}", mini_driver::emit::names().join(" "))),
        )
        .arg(file())
        .arg(Arg::new("fn").long("fn").value_name("NAME").help("Only this function"))
}

fn interp(command: Command) -> Command {
    options(command)
        .arg(
            Arg::new("phase")
                .long("phase")
                .value_name("PHASE")
                .help("Which form of the program to run: tac, ssa or cssa [default: tac]"),
        )
        .arg(
            Arg::new("count")
                .long("count")
                .action(ArgAction::SetTrue)
                .help("Print the number of executed operations to stderr"),
        )
        .arg(program())
}

fn opt(command: Command) -> Command {
    options(command).arg(file()).arg(
        Arg::new("passes")
            .long("passes")
            .value_name("LIST")
            .help("Passes to run in this order, as `a,b,c` (see `minic passes`)"),
    )
}

fn explain(command: Command) -> Command {
    command.arg(Arg::new("code").value_name("CODE").required(true).help("A code such as E0101"))
}

fn completions(command: Command) -> Command {
    command.arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(value_parser!(clap_complete::Shell)))
}

/// The options that all compiling commands share.
fn options(command: Command) -> Command {
    let text = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    command
        .args_override_self(true)
        .arg(
            Arg::new("level")
                .short('O')
                .value_name("LEVEL")
                .value_parser(PossibleValuesParser::new(["0", "1", "2"]))
                .hide_possible_values(true)
                .help("Optimisation: 0, 1 or 2 [default: 2] (there are no passes yet: all levels give the same code)"),
        )
        .arg(text("ssa", "NAME", "How SSA form is made [default: pruned]"))
        .arg(text("dominators", "NAME", "How dominators are found [default: semi-nca]"))
        .arg(text("frontier", "NAME", "How dominance frontiers are found [default: runner]"))
        .arg(text("destruct", "NAME", "How SSA form is left [default: coalesce]"))
        .arg(text("regalloc", "NAME", "Register allocation: linear-scan or spill-everything [default: linear-scan]"))
        .arg(text("ssa-style", "STYLE", "Joins in textual SSA: params or phi [default: params]"))
        .arg(Arg::new("verify").long("verify").action(ArgAction::SetTrue).help("Check the result of every step"))
        .arg(text("print-after", "STEP", "Print each function after a step of the pipeline (or `all`) to stderr"))
        .arg(text("only-fn", "NAME", "Restrict `--print-after` to one function"))
        .arg(
            Arg::new("time-passes")
                .long("time-passes")
                .action(ArgAction::SetTrue)
                .help("Print the time of each step to stderr"),
        )
        .arg(text("error-format", "FORMAT", "Diagnostics: rich, short or json (one object a line) [default: rich]"))
        .arg(text("color", "WHEN", "auto, always or never [default: auto, which heeds NO_COLOR]"))
        .arg(
            Arg::new("deny")
                .short('D')
                .value_name("WHAT")
                .value_parser(PossibleValuesParser::new(["warnings"]))
                .help("`-D warnings`: warnings refuse the program"),
        )
        .arg(
            Arg::new("jobs")
                .short('j')
                .value_name("N")
                .value_parser(value_parser!(u16).range(1..))
                .help("Threads [default: one a processor]"),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn what_follows_the_program_is_the_programs() {
        let matches = command()
            .try_get_matches_from(["minic", "run", "-O1", "a.mini", "-O0", "--", "--help", "-x"])
            .expect("parses");
        let (_, run) = matches.subcommand().expect("run");
        let program: Vec<&OsString> = run.get_many("program").expect("there").collect();
        assert_eq!(program, ["a.mini", "-O0", "--", "--help", "-x"]);
        assert_eq!(run.get_one::<String>("level").map(String::as_str), Some("1"));
    }
}
