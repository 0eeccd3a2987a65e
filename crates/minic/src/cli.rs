//! The command line: which commands and options there are. Only the command that is used is built in full, so that
//! starting takes little time.
//!
//! A command has the options that mean something for it. An option that chooses between alternatives takes its values and
//! its default from the [`Choice`] in the driver; help and completion scripts show the same.

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};
use mini_driver::checks;
use mini_driver::interpret::Phase;
use mini_driver::options::{
    Choice, Color, Destruction, Dominators, ErrorFormat, Frontier, Liveness, Output, RegisterAllocation,
    SsaConstruction, SsaStyle,
};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Options of the design that have no meaning yet: refused as such, not as unknown.
pub const PLANNED_OPTIONS: &[&str] =
    &["disable", "print-changed", "stats", "remarks", "bisect", "fuel", "seed", "stress", "replace"];

/// Commands of the design that are not there yet: refused as such, not as unknown.
pub const PLANNED_COMMANDS: &[&str] = &["trace", "explore", "fmt", "reduce", "grade"];

/// A command: its name, its line in the list, its options.
struct Row(&'static str, &'static str, fn(Command) -> Command);

const COMMANDS: &[Row] = &[
    Row("run", "Compile in memory and run; shows errors only, and passes the program's exit status through", run),
    Row("build", "Write an executable (or object file, or assembly text)", build),
    Row("check", "Diagnostics only, on stderr", check),
    Row("emit", "Print a stage of the compilation", emit),
    Row("interp", "Run by an interpreter of the intermediate code", interp),
    Row("opt", "Textual IR in, passes, textual IR out", opt),
    Row("passes", "The steps of the pipeline and the passes", |command| command),
    Row("explain", "What diagnostic codes mean, with examples; without a code, the list of them", explain),
    Row(
        "runtime-lib",
        "Write the run-time library, to be linked into C programs together with object files",
        runtime_lib,
    ),
    Row("completions", "A completion script for a shell", completions),
];

/// The whole command line.
pub fn command() -> Command {
    let command = Command::new("minic")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The Mini compiler: .mini programs become native Linux x86-64 executables")
        .after_help(
            "Exit status: 0 fine; 1 the program has errors; 2 the command line, or reading or writing, failed; 70 a bug in minic.\n\
             `minic run` and `minic interp` pass the program's own status through.\n\
             Compiled programs heed MINI_HEAP_LIMIT=64M (bounds the heap; K, M, G) and MINI_GC_STRESS=1 (collects at every\n\
             allocation). `minic help COMMAND` shows a command's options.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .infer_subcommands(false)
        .max_term_width(110);
    COMMANDS.iter().fold(command, |command, Row(name, about, options)| {
        command.subcommand(Command::new(*name).about(*about).args_override_self(true).defer(*options))
    })
}

/// The names of the commands, `help` too.
pub fn command_names() -> Vec<&'static str> {
    COMMANDS.iter().map(|row| row.0).chain(["help"]).collect()
}

/// The options of a command, as they are written; none if there is no such command.
pub fn options_of(command: &str) -> Vec<String> {
    let Some(Row(_, _, options)) = COMMANDS.iter().find(|row| row.0 == command) else { return Vec::new() };
    let built = options(Command::new("minic"));
    let long = built.get_arguments().filter_map(|arg| arg.get_long()).map(|name| format!("--{name}"));
    let short = built.get_arguments().filter_map(|arg| arg.get_short()).map(|name| format!("-{name}"));
    long.chain(short).chain(["--help".to_string(), "-h".to_string()]).collect()
}

/// The commands that have an option.
pub fn commands_with(option: &str) -> Vec<&'static str> {
    command_names().into_iter().filter(|name| options_of(name).iter().any(|known| known == option)).collect()
}

/// Values that are listed in help and completions, while the command itself judges what was given: it knows near matches,
/// and what is planned.
#[derive(Clone)]
struct Listed(Vec<&'static str>);

impl TypedValueParser for Listed {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|&name| PossibleValue::new(name))))
    }
}

/// An option that chooses between alternatives, the first of which is the default.
fn choice<C: Choice>(value: &'static str, help: &'static str) -> Arg {
    let name = C::OPTION.trim_start_matches('-');
    let names: Vec<&'static str> = C::AVAILABLE.iter().map(|&(name, _)| name).collect();
    Arg::new(name).long(name).value_name(value).help(help).default_value(names[0]).value_parser(Listed(names))
}

/// An option with a text.
fn text(name: &'static str, value: &'static str, help: impl Into<String>) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help.into())
}

/// An option that is there or not.
fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

const FILES: &str = "A program (`.mini`), or textual IR (`.ir`); `-` is a program on standard input";

fn file(help: &'static str) -> Arg {
    Arg::new("file")
        .value_name("FILE")
        .required(true)
        .help(help)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
}

/// A program and its arguments: whatever follows the file belongs to the program, options too.
fn program() -> Arg {
    Arg::new("program")
        .value_names(["FILE", "ARGS"])
        .help(format!(
            "{FILES}. All that stands behind it goes to the program, options too; minic's own options come first"
        ))
        .num_args(1..)
        .required(true)
        .trailing_var_arg(true)
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::FilePath)
}

fn run(command: Command) -> Command {
    command
        .arg(program())
        .arg(link())
        .arg(level())
        .args(into_and_out_of_ssa())
        .arg(regalloc())
        .args(between_steps(checks::printing_steps()))
        .arg(jobs())
        .args(messages())
}

fn build(command: Command) -> Command {
    command
        .arg(file(FILES))
        .arg(
            Arg::new("output")
                .short('o')
                .value_name("OUT")
                .help("Where to write; `-` is standard output [default: ./NAME, ./NAME.o, ./NAME.s, ./NAME.h]")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath),
        )
        .arg(choice::<Output>("KIND", "What to write; obj and header are for C programs"))
        .arg(link())
        .arg(level())
        .args(into_and_out_of_ssa())
        .arg(regalloc())
        .args(between_steps(checks::printing_steps()))
        .arg(jobs())
        .args(messages())
        .arg(deny())
}

fn check(command: Command) -> Command {
    command.arg(file(FILES)).arg(time_passes()).args(messages()).arg(deny())
}

fn emit(command: Command) -> Command {
    command
        .arg(
            Arg::new("stage")
                .value_name("STAGE")
                .required(true)
                .help("What to print")
                .value_parser(Listed(mini_driver::emit::names())),
        )
        .arg(file(FILES))
        .arg(text("fn", "NAME", "Only this function"))
        .arg(level())
        .arg(choice::<Dominators>("NAME", "How the dominators of `emit dom`, `frontier` and `placement` are found"))
        .arg(choice::<Frontier>(
            "NAME",
            "How the dominance frontiers of `emit frontier` are found. If given, `emit placement` runs Cytron's worklist over \
             their sets; otherwise it needs none (Sreedhar and Gao)",
        ))
        .arg(choice::<Liveness>("NAME", "How the live values of `emit liveness` are found"))
        .args(into_and_out_of_ssa())
        .arg(regalloc())
        .args(between_steps(checks::printing_steps()))
        .arg(jobs())
        .args(messages())
        .arg(deny())
}

fn interp(command: Command) -> Command {
    let phases: Vec<&'static str> = Phase::AVAILABLE.iter().map(|&(name, _)| name).collect();
    command
        .arg(program())
        .arg(
            text(
                "phase",
                "PHASE",
                "Which form of the program to run [default: as lowered, as written in the `.ir` file]",
            )
            .value_parser(Listed(phases)),
        )
        .arg(flag("count", "Print the number of executed operations to stderr"))
        .arg(level())
        .args(into_and_out_of_ssa())
        .args(between_steps(checks::printing_steps()))
        .arg(jobs())
        .args(messages())
}

fn opt(command: Command) -> Command {
    command
        .arg(file("Textual IR (`.ir`); `-` is standard input"))
        .arg(
            text("passes", "LIST", "Passes to run in this order, as `a,b,c`; see `minic passes`; without it none runs")
                .value_delimiter(',')
                .value_parser(Listed(mini_driver::passes::names())),
        )
        .args(between_steps(mini_driver::passes::names()))
        .args(messages())
}

fn explain(command: Command) -> Command {
    command.arg(Arg::new("code").value_name("CODE").num_args(0..).help("Codes such as E0101"))
}

fn runtime_lib(command: Command) -> Command {
    command.arg(
        Arg::new("output")
            .value_name("OUT.a")
            .required(true)
            .help("Where to write the archive; `-` is standard output")
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::FilePath),
    )
}

/// What else the C compiler links.
fn link() -> Arg {
    Arg::new("link")
        .long("link")
        .value_name("ARG")
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .value_parser(value_parser!(OsString))
        .help("For the C compiler, which links programs with `extern` functions: a C file, an object file, `-lNAME`; repeatable")
}

fn completions(command: Command) -> Command {
    command.arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(value_parser!(clap_complete::Shell)))
}

fn level() -> Arg {
    Arg::new("O")
        .short('O')
        .value_name("LEVEL")
        .value_parser(PossibleValuesParser::new(["0", "1", "2"]))
        .hide_possible_values(true)
        .help("Optimisation: 0 (none), 1 (what costs next to nothing) or 2 [default: 2]")
}

fn into_and_out_of_ssa() -> [Arg; 2] {
    [
        choice::<SsaConstruction>("NAME", "How SSA form is made"),
        choice::<Destruction>("NAME", "How SSA form is left; `naive` is wrong on purpose, to be looked at"),
    ]
}

fn regalloc() -> Arg {
    choice::<RegisterAllocation>("NAME", "Register allocation")
}

fn time_passes() -> Arg {
    flag("time-passes", "Print the time of each step to stderr")
}

/// What can happen between steps and passes.
fn between_steps(printing: Vec<&'static str>) -> [Arg; 5] {
    let printing = printing.into_iter().chain(["all"]).collect();
    [
        choice::<SsaStyle>("STYLE", "Joins in textual SSA, here and in `--print-after`"),
        flag("verify", "Check the result of every step"),
        text(
            "print-after",
            "NAME",
            "Print each function, to stderr, after the step or pass of that name, or after all",
        )
        .value_parser(Listed(printing)),
        text("only-fn", "NAME", "Restrict `--print-after` to one function"),
        time_passes(),
    ]
}

fn jobs() -> Arg {
    Arg::new("jobs")
        .short('j')
        .value_name("N")
        .value_parser(value_parser!(u16).range(1..))
        .help("Threads [default: one a processor]")
}

fn messages() -> [Arg; 2] {
    [
        choice::<ErrorFormat>("FORMAT", "How diagnostics look; json is one object a line"),
        choice::<Color>("WHEN", "Colours in diagnostics; auto heeds NO_COLOR"),
    ]
}

fn deny() -> Arg {
    Arg::new("deny")
        .short('D')
        .value_name("WHAT")
        .value_parser(PossibleValuesParser::new(["warnings"]))
        .help("`-D warnings`: warnings refuse the program")
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
        assert_eq!(run.get_one::<String>("O").map(String::as_str), Some("1"));
    }

    #[test]
    fn planned_names_are_no_real_ones() {
        for name in PLANNED_COMMANDS {
            assert!(!command_names().contains(name), "{name}");
        }
        for name in PLANNED_OPTIONS {
            assert_eq!(commands_with(&format!("--{name}")), [""; 0], "{name}");
        }
        assert_eq!(commands_with("--phase"), ["interp"]);
    }
}
