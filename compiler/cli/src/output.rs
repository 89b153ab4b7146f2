//! Writes the output of commands: results to standard output, findings to standard error. For machines, everything
//! goes to standard output as one JSON object a line ([`Message`]).
//!
//! * Output for people never holds a character that controls their terminal ([`mod@crate::visible`]). Results that are
//!   texts of their own, such as an export or a sample, go to a file or a pipe to the byte; only a terminal sees them
//!   escaped.
//! * When the reader of a stream goes away, nothing more is written to it. The command still finishes its work, so that
//!   its exit code stays the same.

use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Write};

use ogc_grammar::{Diagnostic, Severity};

use crate::args::MessageFormat;
use crate::message::{Counts, Failure, Message, Summary};
use crate::problem::Problem;
use crate::render;
use crate::source::Text;
use crate::verdict::Verdict;
use crate::visible::{file_name, visible, visible_line};

/// The output streams, and the counts of what was written.
#[derive(Debug)]
pub(crate) struct Output {
    format: MessageFormat,
    /// The content of the last output line.
    summary: RefCell<Summary>,
    /// Whether the reader of standard output is gone.
    unread: Cell<bool>,
}

impl Output {
    pub(crate) fn new(format: MessageFormat) -> Self {
        Self { format, summary: RefCell::default(), unread: Cell::new(false) }
    }

    /// Returns whether the output is for machines.
    pub(crate) fn is_json(&self) -> bool {
        self.format == MessageFormat::Json
    }

    /// Returns whether progress is shown, that is, whether standard error is a terminal.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.is_json() && io::stderr().is_terminal()
    }

    /// Returns whether findings on standard error have colours.
    pub(crate) fn colours(&self) -> bool {
        colours_on(io::stderr().is_terminal())
    }

    /// Returns whether results on standard output have colours.
    pub(crate) fn colours_of_results(&self) -> bool {
        !self.is_json() && colours_on(io::stdout().is_terminal())
    }

    /// Returns whether the reader of standard output is gone.
    pub(crate) fn is_unread(&self) -> bool {
        self.unread.get()
    }

    /// Clears the terminal before new results are shown.
    pub(crate) fn clear(&self) -> io::Result<()> {
        if self.is_json() || !io::stdout().is_terminal() {
            return Ok(());
        }
        self.raw(b"\x1b[2J\x1b[3J\x1b[H")
    }

    /// Writes a line of results for people.
    pub(crate) fn line(&self, text: impl std::fmt::Display) -> io::Result<()> {
        self.raw(format!("{}\n", visible(&text.to_string())).as_bytes())
    }

    /// Writes a coloured line of results; the caller has escaped all other control characters.
    pub(crate) fn painted(&self, text: &str) -> io::Result<()> {
        self.raw(format!("{text}\n").as_bytes())
    }

    /// Writes a text that is the result itself: exactly, or escaped if it goes to a terminal.
    pub(crate) fn data(&self, text: &str) -> io::Result<()> {
        if io::stdout().is_terminal() { self.raw(visible(text).as_bytes()) } else { self.raw(text.as_bytes()) }
    }

    /// Writes bytes as they are.
    pub(crate) fn raw(&self, bytes: &[u8]) -> io::Result<()> {
        if self.is_unread() {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.unread.set(true);
                Ok(())
            }
            written => written,
        }
    }

    /// Writes a message for machines.
    pub(crate) fn say(&self, message: &Message) -> io::Result<()> {
        let line = serde_json::to_string(message)?;
        self.raw(format!("{line}\n").as_bytes())
    }

    /// Writes a message for machines, or the text for people.
    pub(crate) fn either(&self, message: Message, text: impl FnOnce() -> String) -> io::Result<()> {
        if self.is_json() { self.say(&message) } else { self.line(text()) }
    }

    /// Records the counts of a command: people see them at once, machines in the last line.
    pub(crate) fn summary(&self, counts: Counts, text: impl FnOnce() -> String) -> io::Result<()> {
        self.summary.borrow_mut().counts = counts;
        if self.is_json() { Ok(()) } else { self.line(text()) }
    }

    /// Ends a command: writes the last line for machines. If that fails, there is nowhere to report it.
    pub(crate) fn finish(&self, command: Option<&str>, verdict: Verdict) {
        let said = self.summary.take();
        if self.is_json() {
            let command = command.map(str::to_owned);
            drop(self.say(&Message::Summary(Summary { command, exit_code: verdict.exit_code(), ..said })));
        }
    }

    /// Writes a remark for people to standard error.
    pub(crate) fn aside(&self, text: &str) -> io::Result<()> {
        if self.is_json() { Ok(()) } else { beside(&visible(text)) }
    }

    /// Shows a finding.
    pub(crate) fn diagnostic(&self, source: Text<'_>, diagnostic: &Diagnostic) -> io::Result<()> {
        self.finding(source, diagnostic, None)
    }

    /// Shows a finding that `ogc check --fix` corrects.
    pub(crate) fn correctable(&self, source: Text<'_>, diagnostic: &Diagnostic) -> io::Result<()> {
        self.finding(source, diagnostic, Some("`ogc check --fix` does this"))
    }

    /// Counts and shows a finding, followed by a note.
    fn finding(&self, source: Text<'_>, diagnostic: &Diagnostic, note: Option<&str>) -> io::Result<()> {
        let mut summary = self.summary.borrow_mut();
        match diagnostic.severity {
            Severity::Error => summary.errors += 1,
            Severity::Warning => summary.warnings += 1,
            Severity::Note => summary.notes += 1,
        }
        drop(summary);
        let diagnostic = diagnostic.clone().readable();
        if self.is_json() {
            return self.say(&render::message(source, &diagnostic));
        }
        beside(render::report(source, &diagnostic, note, self.colours()).trim_end_matches('\n'))
    }

    /// Shows a report that ariadne has drawn; its texts are escaped already.
    pub(crate) fn drawn(&self, text: &str) -> io::Result<()> {
        if self.is_json() { Ok(()) } else { beside(text) }
    }

    /// Shows problems; returns the verdict of the worst one.
    pub(crate) fn problems(&self, problems: &[Problem]) -> Verdict {
        problems.iter().for_each(|problem| self.problem(problem));
        problems.iter().map(Problem::verdict).max().unwrap_or(Verdict::Good)
    }

    /// Shows a problem; if that fails, there is nowhere to report it.
    pub(crate) fn problem(&self, problem: &Problem) {
        let path = problem.path().map(file_name);
        if let Problem::Settings { path, text, found } = problem {
            let source = Text { name: &file_name(path), text };
            found.iter().for_each(|diagnostic| drop(self.diagnostic(source, diagnostic)));
            return;
        }
        self.summary.borrow_mut().problems += 1;
        let (code, help) = (problem.code(), problem.help());
        let _ = if self.is_json() {
            let (code, help) = (code.name().to_owned(), help.map(str::to_owned));
            self.say(&Message::Problem(Failure { code, file: path, message: problem.to_string(), help }))
        } else {
            let place = path.map(|path| format!("{}: ", visible_line(&path))).unwrap_or_default();
            let help = help.map(|help| format!("\n  help: {help}")).unwrap_or_default();
            beside(&format!("error[{code}]: {place}{}{help}", visible(&problem.to_string())))
        };
    }
}

/// Writes a line to standard error; a closed pipe is no error.
fn beside(text: &str) -> io::Result<()> {
    match writeln!(io::stderr().lock(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn colours_on(terminal: bool) -> bool {
    terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
