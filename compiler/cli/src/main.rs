//! `ogc`, the command line of the output grammar compiler: reads files, compiles them, shows results and findings.
//!
//! # Steps of a command
//!
//! 1. [`args`] reads the command line; [`files`] reads what it names, within a size limit.
//! 2. [`session`] sets the inputs of the compiler's database and asks its queries.
//!    [`project`] reads `ogc.toml`.
//! 3. `ogc_workbench` samples, tries texts, tests, draws; the crate knows no files and no terminal.
//! 4. [`commands`] has one file for each command; [`render`] shows diagnostics, [`output`] writes lines for people or
//!    one JSON object a line for machines ([`message`]).
//!
//! # Exit codes
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done; nothing has an error, the text is accepted |
//! | 1 | a format has errors, or the text is not accepted |
//! | 2 | wrong usage: an unknown flag or definition, a file in no known language, nothing to check, build or test |
//! | 3 | something outside failed: a file cannot be read or written, a vocabulary or an `ogc.toml` is broken |
//!
//! The highest code of several counts. It does not depend on whether anybody reads the output to its end.

#![allow(clippy::disallowed_methods, reason = "the command line is where files are read; see clippy.toml")]

mod args;
mod commands;
mod files;
mod message;
mod output;
mod problem;
mod project;
mod render;
mod session;
mod table;
mod templates;
mod visible;
mod vocabulary;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, MessageFormat};
use output::{Output, Verdict};
use problem::Problem;
use visible::visible;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error),
    };
    let output = Output::new(cli.message_format);
    let verdict = commands::run(&cli.command, &output).unwrap_or_else(|problem| {
        output.problem(&problem);
        problem.verdict()
    });
    output.finish(Some(cli.command.name()), verdict);
    ExitCode::from(verdict.exit_code())
}

/// Shows the errors of the command line, or the help that it asks for.
fn not_understood(error: &clap::Error) -> ExitCode {
    let words = error.render().to_string();
    if error.use_stderr() && asks_for_json() {
        let output = Output::new(MessageFormat::Json);
        output.problem(&Problem::Usage { message: words.trim_end().to_owned() });
        output.finish(None, Verdict::Misused);
    } else if visible(&words) == words {
        // Coloured where that can be seen. There is nowhere to report that this fails.
        drop(error.print());
    } else {
        drop(Output::new(MessageFormat::Human).aside(words.trim_end()));
    }
    if error.use_stderr() { ExitCode::from(Verdict::Misused.exit_code()) } else { ExitCode::SUCCESS }
}

/// Returns whether a command line that could not be parsed seems to ask for messages in JSON.
fn asks_for_json() -> bool {
    let words: Vec<_> = std::env::args_os().skip(1).take_while(|word| word != "--").collect();
    let apart = words.windows(2).any(|pair| pair[0] == "--message-format" && pair[1] == "json");
    apart || words.iter().any(|word| word == "--message-format=json")
}
