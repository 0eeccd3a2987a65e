//! The command `minic`. What it can do is in `cli.rs`, one file a command in `commands/`; the compiler is
//! `mini_driver::pipeline`.

mod cli; // commands and options
mod commands; // one file a command
mod output; // output files, stdout
mod report; // diagnostics, failures and bugs on stderr
mod settings; // from parsed arguments to the driver's options
mod usage; // what is wrong with a command line

use mini_driver::failure::Failure;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    mini_driver::bug::install_hook();
    // A file that grows past the limit of its size shall be a failed write, told like others, and not a signal. Without the
    // handler, which can only be refused for want of memory, it would be one.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let matches = match cli::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return ExitCode::from(command_line(&error)),
    };
    let (name, arguments) = matches.subcommand().expect("clap requires a subcommand");
    match commands::dispatch(name, arguments) {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            report::failure(&failure);
            ExitCode::from(failure.status())
        }
    }
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
