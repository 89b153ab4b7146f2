//! Levels of findings, which raise or leave out the warnings and notes of a code.

use crate::spelling::nearest;
use crate::{Code, Diagnostic, Severity};

/// The level of a code's warnings and notes, which an attribute, a flag or `ogc.toml` sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Warnings and notes are left out.
    Allow,
    /// Notes become warnings, and warnings stay.
    Warn,
    /// Warnings and notes become errors.
    Deny,
}

impl Level {
    /// Returns the level of this name, which an attribute or `ogc.toml` gives.
    ///
    /// ```
    /// use ogc_grammar::Level;
    /// assert_eq!((Level::of_name("deny"), Level::of_name("forbid")), (Some(Level::Deny), None));
    /// ```
    #[must_use]
    pub fn of_name(name: &str) -> Option<Level> {
        match name {
            "allow" => Some(Self::Allow),
            "warn" => Some(Self::Warn),
            "deny" => Some(Self::Deny),
            _ => None,
        }
    }

    /// Returns the finding at this level; `None` if it is left out. An error stays an error at any level.
    ///
    /// ```
    /// use ogc_grammar::{Code, Diagnostic, Level, Span};
    /// let note = Diagnostic::note(Code::NoOutput, Span::default(), "m");
    /// assert!(Level::Deny.applied(note.clone()).is_some_and(|found| found.is_error()));
    /// assert_eq!(Level::Allow.applied(note), None);
    /// ```
    #[must_use]
    pub fn applied<P>(self, mut found: Diagnostic<P>) -> Option<Diagnostic<P>> {
        match self {
            _ if found.is_error() => {}
            Level::Allow => return None,
            Level::Warn => found.severity = Severity::Warning,
            Level::Deny => found.severity = Severity::Error,
        }
        Some(found)
    }
}

/// Returns the code most similar to `written` among the `wanted` codes, if one is similar enough.
///
/// ```
/// use ogc_grammar::level::nearest_code;
/// use ogc_grammar::Code;
/// assert_eq!(nearest_code("unused-itme", Code::has_level), Some(Code::UnusedItem));
/// assert_eq!(nearest_code("unknown-nam", Code::has_level), None);
/// ```
#[must_use]
pub fn nearest_code(written: &str, wanted: impl Fn(Code) -> bool) -> Option<Code> {
    let names = Code::ALL.iter().filter(|&&code| wanted(code)).map(|code| code.name());
    nearest(written, names).and_then(Code::from_name)
}
