//! Where a command's words go: results to standard output, findings to standard error; for machines, everything to
//! standard output as one JSON object a line, whose `type` says what it is.

use std::io::{self, IsTerminal, Write};

use ogc_grammar::Diagnostic;
use serde_json::{Value, json};

use crate::args::MessageFormat;
use crate::problem::Problem;
use crate::render;

/// How a command ended; the worst of several counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// Nothing to complain of.
    Good,
    /// A format has errors or a text is not accepted.
    Bad,
    /// Something outside failed.
    Broken,
}

/// The streams.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    format: MessageFormat,
}

/// A source text and its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'t> {
    pub(crate) name: &'t str,
    pub(crate) text: &'t str,
}

impl Output {
    pub(crate) fn new(format: MessageFormat) -> Self {
        Self { format }
    }

    /// Machines read along.
    pub(crate) fn is_json(self) -> bool {
        self.format == MessageFormat::Json
    }

    /// People watch standard error.
    pub(crate) fn shows_progress(self) -> bool {
        !self.is_json() && io::stderr().is_terminal()
    }

    /// Colours on standard error.
    pub(crate) fn colours(self) -> bool {
        colours_on(io::stderr().is_terminal())
    }

    /// Colours in results on standard output.
    pub(crate) fn colours_of_results(self) -> bool {
        !self.is_json() && colours_on(io::stdout().is_terminal())
    }

    /// Empties the terminal that people watch, before results are shown anew.
    pub(crate) fn clear(self) -> io::Result<()> {
        if self.is_json() || !io::stdout().is_terminal() {
            return Ok(());
        }
        self.raw(b"\x1b[2J\x1b[3J\x1b[H")
    }

    /// Writes a line of results for people.
    pub(crate) fn line(self, text: impl std::fmt::Display) -> io::Result<()> {
        writeln!(io::stdout().lock(), "{text}")
    }

    /// Writes bytes as they are.
    pub(crate) fn raw(self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()
    }

    /// Writes an object for machines, or the text for people.
    pub(crate) fn either(self, object: Value, text: impl FnOnce() -> String) -> io::Result<()> {
        if self.is_json() { self.line(object) } else { self.line(text()) }
    }

    /// Says something beside the results.
    pub(crate) fn aside(self, text: &str) -> io::Result<()> {
        if self.is_json() { Ok(()) } else { writeln!(io::stderr().lock(), "{text}") }
    }

    /// Shows a finding.
    pub(crate) fn diagnostic(self, source: Text<'_>, diagnostic: &Diagnostic) -> io::Result<()> {
        let diagnostic = diagnostic.clone().readable();
        if self.is_json() {
            return self.line(render::object(source, &diagnostic));
        }
        io::stderr().lock().write_all(render::report(source, &diagnostic, self.colours()).as_bytes())
    }

    /// Shows a failure; there is nowhere to report that this fails.
    pub(crate) fn problem(self, problem: &Problem) {
        if problem.verdict() == Verdict::Good {
            return;
        }
        if let Problem::Settings { path, text, found } = problem {
            let source = Text { name: &path.to_string_lossy(), text };
            found.iter().for_each(|diagnostic| drop(self.diagnostic(source, diagnostic)));
            return;
        }
        let path = problem.path().map(|path| path.display().to_string());
        let _ = if self.is_json() {
            self.line(json!({
                "type": "problem", "code": problem.code(), "file": path,
                "message": problem.to_string(), "help": problem.help(),
            }))
        } else {
            let place = path.map(|path| format!("{path}: ")).unwrap_or_default();
            let help = problem.help().map(|help| format!("\n  help: {help}")).unwrap_or_default();
            writeln!(io::stderr().lock(), "error[{}]: {place}{problem}{help}", problem.code())
        };
    }
}

fn colours_on(terminal: bool) -> bool {
    terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
