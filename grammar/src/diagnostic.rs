//! Diagnostics: findings about a source text, as data. Rendering belongs to the command line and the editors.

use crate::Code;
use crate::cost::Cost;
use crate::fix::Fix;
use crate::severity::Severity;
use crate::span::{Span, part};

/// One finding about a source text. Its places are spans of the text; a stage that does not know the text uses places
/// of another type `P`, which [`Diagnostic::placed`] turns into spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic<P = Span> {
    /// Kind of the finding.
    pub code: Code,
    /// Severity of the finding.
    pub severity: Severity,
    /// Message: one sentence without a full stop.
    pub message: String,
    /// Place that the finding is about.
    pub span: P,
    /// Other places that explain the finding, each with its text.
    pub labels: Vec<(P, String)>,
    /// Advice how to fix the finding, if there is any.
    pub help: Option<String>,
    /// Correction, if the text can be meant in only one way.
    pub fix: Option<Fix<P>>,
    /// Corrections of which one may be meant: editors offer them, and nothing applies them automatically.
    pub guesses: Vec<Fix<P>>,
    /// Measured cost of the part that the finding is about.
    pub cost: Option<Cost>,
}

impl<P> Diagnostic<P> {
    /// Makes an error: nothing can be built from the input.
    pub fn error(code: Code, span: P, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Error, code, span, message.into())
    }

    /// Makes a warning: the input is probably not what the author meant.
    pub fn warning(code: Code, span: P, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Warning, code, span, message.into())
    }

    /// Makes a note, which gives further information.
    pub fn note(code: Code, span: P, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Note, code, span, message.into())
    }

    /// Adds the advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(visible(help.into()));
        self
    }

    /// Adds the correction.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<Option<Fix<P>>>) -> Self {
        self.fix = fix.into();
        debug_assert!(self.fix.is_none() || self.code.has_fix(), "{} is not declared to have corrections", self.code);
        self
    }

    /// Adds a correction that the author may have meant.
    #[must_use]
    pub fn guess(mut self, guess: impl Into<Option<Fix<P>>>) -> Self {
        self.guesses.extend(guess.into());
        self
    }

    /// Adds the cost of the part that the finding is about.
    #[must_use]
    pub fn cost(mut self, cost: Cost) -> Self {
        self.cost = Some(cost);
        self
    }

    /// Adds a further place with its text.
    #[must_use]
    pub fn label(mut self, span: P, text: impl Into<String>) -> Self {
        self.labels.push((span, visible(text.into())));
        self
    }

    /// Shortens the sentences for display: those with very long quotes lose their middle.
    #[must_use]
    pub fn readable(mut self) -> Self {
        self.message = short(self.message);
        self.help = self.help.map(short);
        self.labels.iter_mut().for_each(|(_, text)| *text = short(std::mem::take(text)));
        self
    }

    /// Returns whether the finding is an error, so that nothing may be built from the input.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Converts all places by `place`; `None` if the main place cannot be converted. Labels whose place cannot be
    /// converted are left out, and so are corrections with such a place, because a partial correction would be wrong.
    ///
    /// ```
    /// use ogc_grammar::{Code, Diagnostic, Span};
    /// let spans = [Span::new(3, 7)];
    /// let found = Diagnostic::error(Code::UnknownName, 0, "`x` is not defined").label(9, "lost");
    /// let placed = found.placed(|at: &usize| spans.get(*at).copied()).expect("place 0 is known");
    /// assert_eq!((placed.span, placed.labels.len()), (spans[0], 0));
    /// ```
    #[must_use]
    pub fn placed<Q>(&self, place: impl Fn(&P) -> Option<Q>) -> Option<Diagnostic<Q>> {
        Some(self.placed_at(place(&self.span)?, place))
    }

    /// Sets the main place to `span`, and converts the other places by `place` as [`Diagnostic::placed`] does.
    #[must_use]
    pub fn placed_at<Q>(&self, span: Q, mut place: impl FnMut(&P) -> Option<Q>) -> Diagnostic<Q> {
        let labels = self.labels.iter().filter_map(|(at, text)| Some((place(at)?, text.clone()))).collect();
        let fix = self.fix.as_ref().and_then(|fix| fix.placed(&mut place));
        let guesses = self.guesses.iter().filter_map(|guess| guess.placed(&mut place)).collect();
        let (code, severity, message) = (self.code, self.severity, self.message.clone());
        let (help, cost) = (self.help.clone(), self.cost);
        Diagnostic { code, severity, message, span, labels, help, fix, guesses, cost }
    }

    /// Converts all places by `place`, which knows each of them.
    #[must_use]
    pub fn map_places<Q>(&self, mut place: impl FnMut(&P) -> Q) -> Diagnostic<Q> {
        self.placed_at(place(&self.span), |at| Some(place(at)))
    }

    fn new(severity: Severity, code: Code, span: P, message: String) -> Self {
        debug_assert!(code.severities().contains(&severity), "{code} is not declared to be found as {severity:?}");
        let message = visible(message);
        let (labels, guesses) = (Vec::new(), Vec::new());
        Diagnostic { code, severity, message, span, labels, help: None, fix: None, guesses, cost: None }
    }
}

impl Diagnostic {
    /// Moves all places by `base` bytes, for a text that follows `base` bytes of a larger text.
    #[must_use]
    pub fn shifted(mut self, base: u32) -> Diagnostic {
        self.span = self.span.shifted(base);
        self.labels.iter_mut().for_each(|(span, _)| *span = span.shifted(base));
        self.fix = self.fix.map(|fix| fix.shifted(base));
        self.guesses = self.guesses.into_iter().map(|guess| guess.shifted(base)).collect();
        self
    }
}

/// Returns a sentence in which every character can be seen. Quotes from a text may have control characters, marks that
/// change the direction of writing, and characters without width; each is shown by its number, such as `U+200B`.
#[must_use]
pub fn visible(text: String) -> String {
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control()) || !text.contains(is_invisible) {
        return text;
    }
    let shown = |c: char| if is_invisible(c) { format!("U+{:04X}", u32::from(c)) } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// Returns whether a character is invisible, or changes how others are shown. White space other than the space is
/// invisible here.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    let prints = || format!("a{c}").escape_debug().nth(1) == Some(c);
    c.is_control() || c.is_whitespace() && c != ' ' || !c.is_ascii() && !prints()
}

/// Maximum length of a sentence, in characters; quotes from a text may have any length.
const SENTENCE: usize = 1_000;

/// Returns a sentence, without its middle if it is too long to read.
fn short(text: String) -> String {
    if text.len() <= SENTENCE {
        return text;
    }
    let boundary = |from: usize| (from..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let (head, tail) = (boundary(SENTENCE / 2), boundary(text.len() - SENTENCE / 4));
    format!("{} ... {}", part(&text, ..head), part(&text, tail..))
}

/// Maximum number of diagnostics that one reading of a text gives; the rest are counted.
pub const DIAGNOSTIC_LIMIT: usize = 100;

/// Returns the findings of one text to show, in order of place: at most [`DIAGNOSTIC_LIMIT`], preferring errors, and a
/// note with the number of findings that are left out.
///
/// ```
/// use ogc_grammar::{Code, Diagnostic, Span, diagnostic::limited};
/// let flood = (0..500).map(|at| Diagnostic::warning(Code::UnusedItem, Span::empty(at), "m"));
/// let shown = limited(flood.chain([Diagnostic::error(Code::UnknownName, Span::empty(500), "m")]).collect());
/// assert_eq!((shown.len(), shown.iter().any(Diagnostic::is_error)), (101, true));
/// assert!(shown.last().is_some_and(|last| last.message.starts_with("at least 401 more")));
/// ```
#[must_use]
pub fn limited(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let counted = |one: &Diagnostic| one.code == Code::MoreDiagnostics;
    if found.iter().filter(|one| !counted(one)).count() <= DIAGNOSTIC_LIMIT {
        return found;
    }
    found.retain(|one| !counted(one));
    let all = found.len();
    found.sort_by_key(|one| (one.severity, one.span));
    found.truncate(DIAGNOSTIC_LIMIT);
    found.sort_by_key(|one| (one.span, one.severity));
    let more = left_out(all - DIAGNOSTIC_LIMIT, &found);
    found.extend(more.map(|more| Diagnostic { message: format!("at least {}", more.message), ..more }));
    found
}

/// Returns a note about the number of findings that were left out; `None` for 0.
fn left_out(count: usize, kept: &[Diagnostic]) -> Option<Diagnostic> {
    let message = format!("{count} more findings are not shown; the limit is {DIAGNOSTIC_LIMIT}");
    kept.last().filter(|_| count > 0).map(|last| Diagnostic::note(Code::MoreDiagnostics, last.span, message))
}

/// Collects diagnostics up to [`DIAGNOSTIC_LIMIT`], so that a broken file of any size costs bounded memory.
///
/// Invariant: if an error was left out, at least one error is kept. A note then says how many findings are missing.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    kept: Vec<Diagnostic>,
    left_out: usize,
}

impl Sink {
    /// Keeps a diagnostic, or counts it if there are too many already.
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

    /// Adds a finding, if there is one.
    pub(crate) fn extend(&mut self, found: Option<Diagnostic>) {
        found.into_iter().for_each(|found| self.push(found));
    }

    /// Returns whether a diagnostic with this code was kept.
    pub(crate) fn has(&self, code: Code) -> bool {
        self.kept.iter().any(|one| one.code == code)
    }

    /// Removes the corrections of diagnostics with this code, because another finding makes them doubtful.
    pub(crate) fn doubt(&mut self, code: Code) {
        self.kept.iter_mut().filter(|one| one.code == code).for_each(|one| one.fix = None);
    }

    /// Returns all diagnostics that were kept, in order of place.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|d| d.span);
        let more = left_out(self.left_out, &self.kept);
        self.kept.extend(more);
        self.kept
    }
}

/// Returns an error if the text has more than `limit` bytes.
pub(crate) fn too_long(text: &str, limit: usize) -> Option<Diagnostic> {
    let given = text.len();
    (given > limit).then(|| {
        let message = format!("the text is {given} bytes long; the limit is {limit}");
        Diagnostic::error(Code::TextTooLong, Span::empty(0), message)
    })
}

/// Returns the error for a text with more than `limit` tokens; `place` is the span of the first token that is not read.
pub(crate) fn too_many_tokens(place: Span, limit: usize) -> Diagnostic {
    let message = format!("the text has {} tokens or more; the limit is {limit}", limit + 1);
    Diagnostic::error(Code::TextTooLong, place, message).help("split it into several files")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builders_fill_the_fields() {
        let found = Diagnostic::error(Code::UnknownName, Span::new(1, 2), "m").help("h").label(Span::new(3, 4), "l");
        assert_eq!((found.code, found.message.as_str(), found.help.as_deref()), (Code::UnknownName, "m", Some("h")));
        assert_eq!(found.labels, [(Span::new(3, 4), "l".to_owned())]);
        assert!(found.is_error() && !Diagnostic::warning(Code::StrayDoc, Span::default(), "m").is_error());
    }

    #[test]
    fn invisible_characters_in_messages_are_escaped() {
        let invisible = [
            '\0',
            '\u{1b}',
            '\n',
            '\u{7f}',
            '\u{a0}',
            '\u{ad}',
            '\u{200b}',
            '\u{200d}',
            '\u{202e}',
            '\u{2066}',
            '\u{feff}',
            '\u{e0041}',
        ];
        for c in invisible {
            let found = Diagnostic::error(Code::UnknownName, Span::default(), format!("a{c}b")).help(format!("`{c}`"));
            let found = found.label(Span::default(), format!("{c}"));
            let number = format!("U+{:04X}", u32::from(c));
            assert_eq!((found.message, found.help), (format!("a{number}b"), Some(format!("`{number}`"))));
            assert_eq!(found.labels[0].1, number);
        }
        let seen = "é, 中, e\u{301}, ➜, 😀, `a b`";
        assert_eq!(Diagnostic::error(Code::UnknownName, Span::default(), seen).message, seen);
    }

    #[test]
    fn long_messages_are_truncated_in_the_middle() {
        let name = "\u{e9}".repeat(100_000);
        let found = Diagnostic::error(Code::UnknownName, Span::default(), format!("`{name}` is wrong")).help(&name);
        let found = found.label(Span::default(), &name).readable();
        let shown = [found.message.as_str(), found.help.as_deref().unwrap_or_default(), &found.labels[0].1];
        assert!(shown.iter().all(|text| text.len() <= SENTENCE && text.contains(" ... ")), "{shown:?}");
        assert!(found.message.starts_with("`\u{e9}") && found.message.ends_with("` is wrong"));
    }

    #[test]
    fn diagnostics_over_the_limit_are_counted_and_one_error_is_kept() {
        let mut sink = Sink::default();
        (0..500).for_each(|i| sink.push(Diagnostic::warning(Code::StrayDoc, Span::empty(i), "w")));
        sink.push(Diagnostic::error(Code::UnknownName, Span::empty(9), "e"));
        let found = sink.finish();
        assert_eq!(found.len(), DIAGNOSTIC_LIMIT + 2);
        assert!(found.iter().any(Diagnostic::is_error));
        assert!(found.last().is_some_and(|d| d.message.starts_with("400 more")));
    }
}
