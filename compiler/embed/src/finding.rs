//! Findings with places that need no source text to be read.

use std::fmt;

use ogc_grammar::{Code, Diagnostic, LineIndex, Position, Severity, Span};

/// A range of a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its first byte.
    pub start: u32,
    /// The byte behind its last.
    pub end: u32,
    /// The line of its first character, from 1.
    pub line: u32,
    /// The column of its first character, in characters from 1.
    pub column: u32,
}

impl Place {
    fn of(lines: &LineIndex, span: Span) -> Self {
        let Position { line, column } = lines.place(span.start);
        Self { start: span.start, end: span.end, line: line + 1, column: column + 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub place: Place,
    /// What it has to do with the finding.
    pub text: String,
}

/// Something found in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the source.
    pub file: String,
    /// How grave it is.
    pub severity: Severity,
    /// Its kind: `ogc explain` has more of it.
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    /// The place it is about.
    pub place: Place,
    /// Other places that explain it.
    pub labels: Vec<Label>,
    /// The way out, where there is one.
    pub help: Option<String>,
}

impl Finding {
    pub(crate) fn new(file: &str, lines: &LineIndex, found: Diagnostic) -> Self {
        let found = found.readable();
        let label = |(span, text)| Label { place: Place::of(lines, span), text };
        Self {
            file: file.to_owned(),
            severity: found.severity,
            code: found.code,
            message: found.message,
            place: Place::of(lines, found.span),
            labels: found.labels.into_iter().map(label).collect(),
            help: found.help,
        }
    }
}

/// `NAME:LINE:COLUMN: MESSAGE [CODE]`, then other places and the help in lines of their own.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gravity = match self.severity {
            Severity::Error => "",
            Severity::Warning => "warning: ",
            Severity::Note => "note: ",
        };
        write!(f, "{}:{}: {gravity}{} [{}]", self.file, self.place, self.message, self.code)?;
        for Label { place, text } in &self.labels {
            write!(f, "\n  see {place}: {text}")?;
        }
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}
