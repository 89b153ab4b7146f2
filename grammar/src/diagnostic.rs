//! What a stage has to say about a source text, as data. Rendering belongs to the command line and the editors.

use crate::cost::Cost;
use crate::fix::Fix;
use crate::span::Span;

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The input has no meaning; nothing may be built from it.
    Error,
    /// The input has a meaning, probably not the one intended.
    Warning,
    /// Further information.
    Note,
}

/// One finding about a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable name in kebab case, the same for every finding of this kind.
    pub code: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// The place it is about.
    pub span: Span,
    /// Other places that explain it.
    pub labels: Vec<(Span, String)>,
    /// The way out, where there is one.
    pub help: Option<String>,
    /// The correction, where only one can be meant.
    pub fix: Option<Fix>,
    /// What the part costs that it is about, where that was measured.
    pub cost: Option<Cost>,
}

impl Diagnostic {
    /// A finding that forbids going on.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message.into())
    }

    /// A finding about something that is probably not meant.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message.into())
    }

    /// Further information.
    pub fn note(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, code, span, message.into())
    }

    /// The same, saying the way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The same, with its correction.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<Option<Fix>>) -> Diagnostic {
        self.fix = fix.into();
        self
    }

    /// The same, with what the part costs.
    #[must_use]
    pub fn cost(mut self, cost: Cost) -> Diagnostic {
        self.cost = Some(cost);
        self
    }

    /// The same about a text that has `base` bytes more before it.
    #[must_use]
    pub fn shifted(mut self, base: u32) -> Diagnostic {
        self.span = self.span.shifted(base);
        self.labels.iter_mut().for_each(|(span, _)| *span = span.shifted(base));
        self.fix = self.fix.map(|fix| fix.shifted(base));
        self
    }

    /// The same, pointing at one more place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }

    /// Whether nothing may be built from the input.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Diagnostic {
        Diagnostic { code, severity, message, span, labels: Vec::new(), help: None, fix: None, cost: None }
    }
}

/// How many diagnostics one reading of one text gives; the rest are counted.
pub(crate) const DIAGNOSTIC_LIMIT: usize = 100;

/// Collects diagnostics up to [`DIAGNOSTIC_LIMIT`], so that a broken file of any size costs bounded memory.
///
/// Invariant: where an error was left out, an error is among those kept; a note then says how many are missing.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    kept: Vec<Diagnostic>,
    left_out: usize,
}

impl Sink {
    /// Keeps `diagnostic`, or counts it.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.kept.len() < DIAGNOSTIC_LIMIT {
            self.kept.push(diagnostic);
            return;
        }
        self.left_out += 1;
        if diagnostic.is_error() && !self.kept.iter().any(Diagnostic::is_error) {
            self.kept.push(diagnostic);
            self.left_out -= 1;
        }
    }

    /// All that was kept, in order of place.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|d| d.span);
        if let (1.., Some(last)) = (self.left_out, self.kept.last()) {
            let message = format!("{} more findings are not shown; the limit is {DIAGNOSTIC_LIMIT}", self.left_out);
            let note = Diagnostic::note("more-diagnostics", last.span, message);
            self.kept.push(note);
        }
        self.kept
    }
}

/// The refusal of a text of more than `limit` bytes.
pub(crate) fn too_long(text: &str, limit: usize) -> Option<Diagnostic> {
    let given = text.len();
    (given > limit).then(|| {
        let message = format!("the text is {given} bytes long; the limit is {limit}");
        Diagnostic::error("text-too-long", Span::empty(0), message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builders_fill_the_fields() {
        let found = Diagnostic::error("x", Span::new(1, 2), "m").help("h").label(Span::new(3, 4), "l");
        assert_eq!((found.code, found.message.as_str(), found.help.as_deref()), ("x", "m", Some("h")));
        assert_eq!(found.labels, [(Span::new(3, 4), "l".to_owned())]);
        assert!(found.is_error() && !Diagnostic::warning("x", Span::default(), "m").is_error());
    }

    #[test]
    fn a_flood_is_counted_and_keeps_an_error() {
        let mut sink = Sink::default();
        (0..500).for_each(|i| sink.push(Diagnostic::warning("w", Span::empty(i), "w")));
        sink.push(Diagnostic::error("e", Span::empty(9), "e"));
        let found = sink.finish();
        assert_eq!(found.len(), DIAGNOSTIC_LIMIT + 2);
        assert!(found.iter().any(Diagnostic::is_error));
        assert!(found.last().is_some_and(|d| d.message.starts_with("400 more")));
    }
}
