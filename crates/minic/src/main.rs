//! The command `minic`. What it can do is in `cli.rs`, one file a command in `commands/`; the compiler is
//! `mini_driver::pipeline`.

#![cfg_attr(not(test), no_main)]

mod cli; // commands and options
mod commands; // one file a command
mod output; // output files, stdout
mod report; // diagnostics, failures and bugs on stderr
mod streams; // closed standard streams
mod settings; // from parsed arguments to the driver's options
mod usage; // what is wrong with a command line

use mini_driver::failure::Failure;
use std::io::Write;
use std::sync::Arc;

/// The process's entry. The standard library's own would open closed streams before we could see that they were closed.
#[cfg(not(test))]
#[expect(unsafe_code, reason = "the name `main` is what the C library calls; nothing else is unsafe about it")]
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let status = std::panic::catch_unwind(command).unwrap_or(70);
    // What is printed is flushed where it is printed; this is for what only the standard library knows of.
    let _ = std::io::stdout().flush();
    i32::from(status)
}

/// Unit tests have an entry of their own.
#[cfg(test)]
fn main() {
    command();
}

/// Does what the command line says; gives the exit status.
fn command() -> u8 {
    streams::replace_closed();
    mini_driver::bug::install_hook();
    // Writing to a closed pipe, or past the limit of a file's size, shall be a failed write, told like others, and not the end
    // by a signal. A handler can only be refused for want of memory; then it is the signal.
    for signal in [signal_hook::consts::SIGPIPE, signal_hook::consts::SIGXFSZ] {
        let _ = signal_hook::flag::register(signal, Arc::default());
    }
    let matches = match cli::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return command_line(&error),
    };
    let (name, arguments) = matches.subcommand().expect("clap requires a subcommand");
    commands::dispatch(name, arguments).unwrap_or_else(|failure| {
        report::failure(&failure);
        failure.status()
    })
}

/// Help and version go to stdout with status 0; anything else is an error of the command line. Gives the status.
fn command_line(error: &clap::Error) -> u8 {
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let failure = match usage::explain(error, &arguments) {
        Some(text) => Failure::Usage(text),
        None => match error.print().and_then(|()| std::io::stdout().flush()) {
            Ok(()) => return if error.use_stderr() { 2 } else { 0 },
            Err(failed) if failed.kind() == std::io::ErrorKind::BrokenPipe => return 0,
            Err(failed) => Failure::Io(format!("can't write to stdout: {}", mini_driver::session::reason(&failed))),
        },
    };
    report::failure(&failure);
    failure.status()
}
