//! Arguments in, exit status out.

use std::io::Write as _;
use std::process::ExitCode;

use agon::cli::Cli;
use agon::commands;
use agon::error::status;
use clap::Parser;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and versions are no errors; clap's own 2 would read as a gate's answer.
            let usage = error.use_stderr();
            drop(error.print());
            return ExitCode::from(if usage { status::USAGE } else { status::DONE });
        }
    };
    match commands::run(cli.command) {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            // Nobody may be there to read it; the status tells the same.
            drop(writeln!(std::io::stderr(), "{}", error.report()));
            ExitCode::from(error.exit_status())
        }
    }
}
