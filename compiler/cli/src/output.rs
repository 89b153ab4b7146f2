//! Where a command's words go: results to standard output, findings to standard error; for machines, everything to
//! standard output as one JSON object a line ([`Message`]).
//!
//! * What people see never holds a character that steers their terminal ([`mod@crate::visible`]). Results that are texts of their
//!   own, such as an export or a sample, go to a file or a pipe to the byte; only a terminal sees them escaped.
//! * When the reader of a stream goes away, nothing more is written to it. The command does its work to the end all the same,
//!   so that its exit code is the one that it would have had.

use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Write};

use ogc_grammar::{Diagnostic, Severity};

use crate::args::MessageFormat;
use crate::message::{Counts, Failure, Message, Summary};
use crate::problem::Problem;
use crate::render;
use crate::visible::{file_name, visible, visible_line};

/// How a command ended; the worst of several counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// Nothing to complain of.
    Good,
    /// A format has errors or a text is not accepted.
    Bad,
    /// The command line asks for what cannot be done.
    Misused,
    /// Something outside failed.
    Broken,
}

impl Verdict {
    /// The exit code of the program.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Bad => 1,
            Self::Misused => 2,
            Self::Broken => 3,
        }
    }
}

/// The streams, and what was said on them.
#[derive(Debug)]
pub(crate) struct Output {
    format: MessageFormat,
    /// What the last line will say.
    summary: RefCell<Summary>,
    /// The reader of standard output is gone.
    unread: Cell<bool>,
}

/// A source text and its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'t> {
    pub(crate) name: &'t str,
    pub(crate) text: &'t str,
}

impl Output {
    pub(crate) fn new(format: MessageFormat) -> Self {
        Self { format, summary: RefCell::default(), unread: Cell::new(false) }
    }

    /// Machines read along.
    pub(crate) fn is_json(&self) -> bool {
        self.format == MessageFormat::Json
    }

    /// People watch standard error.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.is_json() && io::stderr().is_terminal()
    }

    /// Colours on standard error.
    pub(crate) fn colours(&self) -> bool {
        colours_on(io::stderr().is_terminal())
    }

    /// Colours in results on standard output.
    pub(crate) fn colours_of_results(&self) -> bool {
        !self.is_json() && colours_on(io::stdout().is_terminal())
    }

    /// Nobody reads standard output any more.
    pub(crate) fn is_unread(&self) -> bool {
        self.unread.get()
    }

    /// Empties the terminal that people watch, before results are shown anew.
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

    /// Writes a line of results that holds colours, and nothing else that steers a terminal.
    pub(crate) fn painted(&self, text: &str) -> io::Result<()> {
        self.raw(format!("{text}\n").as_bytes())
    }

    /// Writes a text that is the result itself: to the byte, but for a terminal, which sees it escaped.
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

    /// Says what a command counted: to people at once, to machines in the last line.
    pub(crate) fn summary(&self, counts: Counts, text: impl FnOnce() -> String) -> io::Result<()> {
        self.summary.borrow_mut().counts = counts;
        if self.is_json() { Ok(()) } else { self.line(text()) }
    }

    /// Ends a command: machines get the last line. There is nowhere to report that this fails.
    pub(crate) fn finish(&self, command: Option<&str>, verdict: Verdict) {
        let said = self.summary.take();
        if self.is_json() {
            let command = command.map(str::to_owned);
            drop(self.say(&Message::Summary(Summary { command, exit_code: verdict.exit_code(), ..said })));
        }
    }

    /// Says something beside the results.
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

    /// Shows what ariadne drew: texts in it are visible already.
    pub(crate) fn drawn(&self, text: &str) -> io::Result<()> {
        if self.is_json() { Ok(()) } else { beside(text) }
    }

    /// Shows failures; the verdict is that of the worst.
    pub(crate) fn problems(&self, problems: &[Problem]) -> Verdict {
        problems.iter().for_each(|problem| self.problem(problem));
        problems.iter().map(Problem::verdict).max().unwrap_or(Verdict::Good)
    }

    /// Shows a failure; there is nowhere to report that this fails.
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

/// Writes a line to standard error. That nobody reads it is no failure.
fn beside(text: &str) -> io::Result<()> {
    match writeln!(io::stderr().lock(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn colours_on(terminal: bool) -> bool {
    terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
