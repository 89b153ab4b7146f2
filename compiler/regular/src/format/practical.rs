//! The practical forms of formats: the strings of a format that people write and that validators in many programming
//! languages accept.
//!
//! A standard's full language has corners that nobody means: mail addresses with quoted local parts or domains in
//! brackets, dates of the year 0000, durations with numbers of any length. A practical form is a subset of its format
//! given by one anchored pattern, so that a schema can state it beside the format's name.

use std::sync::OnceLock;

use super::time;
use crate::dfa::Dfa;
use crate::limits::Limits;
use crate::pattern::compile_anchored;

/// The practical form of a format.
#[derive(Debug)]
pub struct PracticalForm {
    /// The name of the format.
    pub format: &'static str,
    /// The strings, as a pattern of ECMA-262 that is anchored at both ends.
    pub pattern: String,
    /// The automaton of `pattern`, built on first use.
    dfa: OnceLock<Option<Dfa>>,
}

impl PracticalForm {
    /// Returns the automaton of the pattern; minimal.
    #[must_use]
    pub fn dfa(&self) -> Option<&Dfa> {
        let inner = self.pattern.strip_prefix('^')?.strip_suffix('$')?;
        // Cannot fail: the tests build all forms.
        let build = || crate::budget::apart(|| compile_anchored(inner, &Limits::default()).ok());
        self.dfa.get_or_init(build).as_ref()
    }
}

/// Returns the practical form of a format, if there is one that is smaller than the format.
///
/// ```
/// use ogc_regular::format::practical;
/// let date = practical("date").expect("a form").dfa().expect("an automaton");
/// assert!(date.contains(b"0001-02-28") && !date.contains(b"0000-02-29"));
/// assert!(practical("uuid").is_none());
/// ```
#[must_use]
pub fn practical(format: &str) -> Option<&'static PracticalForm> {
    forms().iter().find(|form| form.format == format)
}

/// Returns the practical form whose pattern is `pattern`.
///
/// ```
/// use ogc_regular::format::{practical, practical_of_pattern};
/// let date = practical("date").expect("a form");
/// assert_eq!(practical_of_pattern(&date.pattern).map(|form| form.format), Some("date"));
/// ```
#[must_use]
pub fn practical_of_pattern(pattern: &str) -> Option<&'static PracticalForm> {
    forms().iter().find(|form| form.pattern == pattern)
}

fn forms() -> &'static [PracticalForm] {
    static FORMS: OnceLock<Vec<PracticalForm>> = OnceLock::new();
    let form = |(format, inner): (&'static str, String)| PracticalForm {
        format,
        pattern: format!("^{inner}$"),
        dfa: OnceLock::new(),
    };
    FORMS.get_or_init(|| {
        let all = [
            ("date", date()),
            ("date-time", format!("{}T{}", date(), clock_time())),
            ("time", clock_time()),
            ("duration", duration()),
            ("email", email()),
            ("hostname", hostname()),
        ];
        all.into_iter().map(form).collect()
    })
}

/// Returns the pattern of dates from the year 1 on, the first that date types of programming languages have.
fn date() -> String {
    format!("(?!0000){}", time::date())
}

/// Returns the pattern of times without leap seconds, with at most microseconds, and `Z` in upper case.
fn clock_time() -> String {
    let offset = "(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";
    format!("(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{{1,6}})?{offset}")
}

/// Returns the pattern of durations whose numbers have at most six digits and no leading zeros.
fn duration() -> String {
    time::duration_of("(?:0|[1-9]\\d{0,5})")
}

/// A label without `--` at its third character: labels with `xn--` encode other names, and the rest has no defined
/// meaning.
const LABEL: &str = "(?!..--)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";

/// Returns the pattern of host names with at least one dot, whose last label consists of letters.
fn hostname() -> String {
    format!("(?:{LABEL}\\.)+[a-zA-Z]{{2,63}}")
}

/// Returns the pattern of mail addresses at reachable hosts: before the `@`, letters, digits and `_%+'&=-`, with single
/// dots between them.
///
/// Reserved top-level domains (RFC 6761 and related) are left out: no mail is delivered there, and validators reject
/// them.
fn email() -> String {
    let reserved = ["arpa", "invalid", "local", "localhost", "onion", "test"].map(any_case).join("|");
    let atom = "a-zA-Z0-9_%+'&=-";
    let local = format!("(?!\\.)(?![^@]*\\.\\.)[.{atom}]{{0,63}}[{atom}]");
    format!("{local}@(?:{LABEL}\\.)+(?!(?:{reserved})$)[a-zA-Z]{{2,63}}")
}

/// Returns a pattern that matches a word in any mix of upper and lower case.
fn any_case(word: &str) -> String {
    word.chars().map(|letter| format!("[{}{letter}]", letter.to_ascii_uppercase())).collect()
}
