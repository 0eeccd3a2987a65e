//! What is wrong with a command line, in one line with near matches.

use crate::cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use mini_base::near;

/// The line for an unknown command or option; `None` leaves it to clap.
pub fn explain(error: &clap::Error, arguments: &[String]) -> Option<String> {
    match error.kind() {
        ErrorKind::InvalidSubcommand => Some(unknown_command(&context(error, ContextKind::InvalidSubcommand)?)),
        ErrorKind::UnknownArgument => Some(unknown_option(&context(error, ContextKind::InvalidArg)?, arguments)),
        _ => None,
    }
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind) {
        Some(ContextValue::String(given)) => Some(given.clone()),
        _ => None,
    }
}

fn unknown_command(given: &str) -> String {
    if cli::PLANNED_COMMANDS.contains(&given) {
        return format!("the command `{given}` is not available yet");
    }
    let names = cli::command_names();
    let hint = near::hint(given, names.iter().copied());
    // A file in the place of the command: `minic hello.mini`.
    let run = if given.ends_with(".mini") || given.ends_with(".ir") {
        format!("; `minic run {given}` runs it")
    } else {
        String::new()
    };
    format!("there is no command `{given}`{run}{hint}; commands: {}", names.join(" "))
}

fn unknown_option(given: &str, arguments: &[String]) -> String {
    let option = given.split(['=', ' ']).next().unwrap_or(given);
    if !option.starts_with('-') {
        return format!("`{given}` is one argument too many");
    }
    if cli::PLANNED_OPTIONS.contains(&option.trim_start_matches('-')) {
        return format!("the option `{option}` is not available yet");
    }
    // The command is the first argument: `minic` itself has no options but `--help` and `--version`.
    let command = arguments.iter().map(String::as_str).find(|a| cli::command_names().contains(a));
    let Some(command) = command else {
        return format!("there is no option `{option}`; a command comes first: {}", cli::command_names().join(" "));
    };
    let own = cli::options_of(command);
    let hint = near::hint(option, own.iter().map(String::as_str));
    let others = cli::commands_with(option);
    if hint.is_empty() && !others.is_empty() {
        let others: Vec<String> = others.iter().map(|name| format!("`minic {name}`")).collect();
        return format!("`minic {command}` has no option `{option}`; it belongs to {}", others.join(", "));
    }
    format!("`minic {command}` has no option `{option}`{hint}; `minic help {command}` lists them")
}
