//! `ogc`, the command line of the output grammar compiler: reads files, compiles them, shows results and findings.
//!
//! The program and the Python package both call [`run`].
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
#[cfg(all(test, feature = "generate", not(feature = "cuda")))]
mod documented;
mod files;
mod message;
mod output;
mod problem;
mod project;
mod render;
mod session;
mod source;
mod table;
mod templates;
mod verdict;
mod visible;
mod vocabulary;

use std::ffi::OsString;
use std::path::Path;

use clap::Parser;
use ogc_compiler::db::Resources;
use ogc_grammar::Diagnostic;
use ogc_workbench::settings::Policy;

use args::{Cli, FormatArgs, MessageFormat};
use output::Output;
use problem::Problem;
use session::Session;
use verdict::Verdict;
use visible::visible;

/// Runs a command line, the name of the program first; returns the exit code.
///
/// ```no_run
/// assert_eq!(ogc_cli::run(["ogc", "check", "formats"].map(Into::into).into()), 0);
/// ```
#[must_use]
pub fn run(words: Vec<OsString>) -> u8 {
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error, &words),
    };
    let output = Output::new(cli.message_format);
    let verdict = commands::run(&cli.command, &output).unwrap_or_else(|problem| {
        output.problem(&problem);
        problem.verdict()
    });
    output.finish(Some(cli.command.name()), verdict);
    verdict.exit_code()
}

/// Returns a diagnostic about a source text as the command line shows it, without colours.
#[must_use]
pub fn rendered(name: &str, text: &str, diagnostic: &Diagnostic) -> String {
    render::report(source::Text { name, text }, diagnostic, None, false)
}

/// A format's file, with everything needed to compile it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormatFile {
    /// Its name and its text.
    pub source: (String, String),
    /// The names and texts of everything that it imports. Empty if an import cannot be read; compiling the file then
    /// reports that import.
    pub imports: Vec<(String, String)>,
    /// The policies of its `ogc.toml`.
    pub policy: Policy,
    /// The places of schemas in its `ogc.toml`.
    pub resources: Resources,
}

/// Reads a format's file, all that it imports, and its `ogc.toml`.
///
/// # Errors
///
/// The file cannot be read, its name belongs to no language, or its `ogc.toml` has mistakes.
pub fn format_file(path: &Path) -> Result<FormatFile, String> {
    let args = FormatArgs { max_input: source::MAX_FORMAT, ..FormatArgs::default() };
    let mut session = Session::new(&args);
    let told = |problem: Problem| format!("{}: {problem}", problem.path().unwrap_or(path).display());
    let file = session.open(path).map_err(told)?;
    let owned = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
    let reached = session.reached(file).unwrap_or_default();
    Ok(FormatFile {
        source: owned((file.name(&session.db), file.text(&session.db))),
        imports: reached.into_iter().skip(1).map(owned).collect(),
        policy: session.project(file).policy,
        resources: file.options(&session.db).resources(&session.db).clone(),
    })
}

/// Shows the errors of the command line, or the help that it asks for.
fn not_understood(error: &clap::Error, words: &[OsString]) -> u8 {
    let message = error.render().to_string();
    if error.use_stderr() && asks_for_json(words) {
        let output = Output::new(MessageFormat::Json);
        output.problem(&Problem::Usage { message: message.trim_end().to_owned() });
        output.finish(None, Verdict::Misused);
    } else if visible(&message) == message {
        // With colours if the terminal supports them. If printing fails, there is nowhere to report it.
        drop(error.print());
    } else {
        drop(Output::new(MessageFormat::Human).aside(message.trim_end()));
    }
    if error.use_stderr() { Verdict::Misused.exit_code() } else { 0 }
}

/// Returns whether a command line that could not be parsed seems to ask for messages in JSON.
fn asks_for_json(words: &[OsString]) -> bool {
    let words: Vec<_> = words.iter().skip(1).take_while(|word| *word != "--").collect();
    let apart = words.windows(2).any(|pair| pair[0] == "--message-format" && pair[1] == "json");
    apart || words.iter().any(|word| *word == "--message-format=json")
}
