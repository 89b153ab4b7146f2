//! `ogc`, the command line of the output grammar compiler: all input and output, and all rendering, are here.
//!
//! # Steps of a command
//!
//! 1. [`args`] reads the command line; [`files`] reads what it names, within a size limit.
//! 2. [`session`] sets the inputs of the compiler's database and asks its queries.
//!    [`project`] reads `ogc.toml`, [`levels`] says how grave findings are taken.
//! 3. [`commands`] has one file for each command; [`render`] shows diagnostics, [`output`] writes lines for people or
//!    one JSON object a line for machines, [`explain`] holds the explanation of every diagnostic code.
//!
//! # Exit codes
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done; nothing has an error, the text is accepted |
//! | 1 | a format has errors, or the text is not accepted |
//! | 2 | the command line itself is wrong |
//! | 3 | something outside failed: a file cannot be read or written, a vocabulary or an `ogc.toml` is broken |

#![allow(clippy::disallowed_methods, reason = "the command line is where files are read; see clippy.toml")]

mod args;
mod bytes;
mod commands;
mod default_vocabulary;
mod explain;
mod files;
mod html;
mod levels;
mod output;
mod problem;
mod project;
mod railroad;
mod random;
mod render;
mod session;
mod table;
mod templates;
mod vocabulary;

use std::process::ExitCode;

use clap::Parser;

use args::Cli;
use output::{Output, Verdict};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let output = Output::new(cli.message_format);
    let verdict = commands::run(&cli.command, &output).unwrap_or_else(|problem| {
        output.problem(&problem);
        problem.verdict()
    });
    match verdict {
        Verdict::Good => ExitCode::SUCCESS,
        Verdict::Bad => ExitCode::from(1),
        Verdict::Broken => ExitCode::from(3),
    }
}
