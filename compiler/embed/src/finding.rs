//! Findings whose places are resolved to lines and columns, so that readers need no source text.

use std::fmt;

use ogc_grammar::{Diagnostic, LineIndex, Position, Severity, Span};

/// A range of a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingPlace {
    /// Its first byte.
    pub start: u32,
    /// The offset after its last byte.
    pub end: u32,
    /// The line of its first character, from 1.
    pub line: u32,
    /// The column of its first character, in characters from 1.
    pub column: u32,
}

impl FindingPlace {
    fn of(lines: &LineIndex, span: Span) -> Self {
        let Position { line, column } = lines.place(span.start);
        Self { start: span.start, end: span.end, line: line + 1, column: column + 1 }
    }
}

impl fmt::Display for FindingPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub place: FindingPlace,
    /// The explanation of the finding at the place.
    pub text: String,
}

/// A finding about a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the source.
    pub file: String,
    /// The place it is about.
    pub place: FindingPlace,
    /// Other places that explain it.
    pub labels: Vec<Label>,
    /// The compiler's diagnostic: code, severity, message, help and corrections. Its spans are the places above.
    pub diagnostic: Diagnostic,
}

impl Finding {
    pub(crate) fn new(file: &str, lines: &LineIndex, diagnostic: Diagnostic) -> Self {
        let diagnostic = diagnostic.readable();
        let label = |(span, text): &(Span, String)| Label { place: FindingPlace::of(lines, *span), text: text.clone() };
        Self {
            file: file.to_owned(),
            place: FindingPlace::of(lines, diagnostic.span),
            labels: diagnostic.labels.iter().map(label).collect(),
            diagnostic,
        }
    }
}

/// Writes `NAME:LINE:COLUMN: MESSAGE [CODE]`, then other places and the help on separate lines.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { severity, code, message, help, .. } = &self.diagnostic;
        let gravity = match severity {
            Severity::Error => "",
            Severity::Warning => "warning: ",
            Severity::Note => "note: ",
        };
        write!(f, "{}:{}: {gravity}{message} [{code}]", self.file, self.place)?;
        for Label { place, text } in &self.labels {
            write!(f, "\n  see {place}: {text}")?;
        }
        match help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}
