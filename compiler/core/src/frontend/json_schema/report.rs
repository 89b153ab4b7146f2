//! The report of the fate of each keyword, which shows whether a schema is fully enforced; and the collected findings.

use ogc_grammar::{Code, Diagnostic, Span};

/// The fate of one keyword at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// JSON pointer of the keyword; for a remote document, the document's URI and `#` come first.
    pub pointer: String,
    /// The keyword.
    pub keyword: String,
    /// Fate of the keyword.
    pub fate: FateKind,
    /// Place of the keyword.
    pub span: Span,
}

/// The possible fates of a keyword.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FateKind {
    /// The keyword constrains values, or names something for references. Every accepted value obeys it.
    Enforced,
    /// The keyword does not affect which values are valid.
    Annotation,
    /// The keyword probably does not do what its author meant. Holds the reason.
    Warning(String),
    /// The keyword cannot be read or enforced. Holds the reason.
    Error(String),
}

/// Maximum number of findings of one reading; further findings are only counted.
const DIAGNOSTIC_LIMIT: usize = 100;

/// Collects diagnostics, so that a broken schema of any size costs bounded memory.
///
/// Invariant: if an error was left out, at least one error is kept.
#[derive(Debug, Default)]
pub(super) struct Findings {
    kept: Vec<Diagnostic>,
    left_out: usize,
}

impl Findings {
    pub(super) fn new(kept: Vec<Diagnostic>) -> Findings {
        Findings { kept, left_out: 0 }
    }

    /// Keeps a finding; beyond the limit, only counts it.
    pub(super) fn push(&mut self, finding: Diagnostic) {
        let needed = finding.is_error() && !self.kept.iter().any(Diagnostic::is_error);
        if self.kept.len() < DIAGNOSTIC_LIMIT || needed {
            self.kept.push(finding);
        } else {
            self.left_out += 1;
        }
    }

    /// Returns the kept findings in source order, and a note with the number of the others.
    pub(super) fn finish(mut self, whole: Span) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|finding| (finding.span.start, finding.span.end));
        if self.left_out > 0 {
            let message = format!("{} more findings are left out; the limit is {DIAGNOSTIC_LIMIT}", self.left_out);
            self.kept.push(Diagnostic::note(Code::MoreFindings, Span::empty(whole.end), message));
        }
        self.kept
    }
}
