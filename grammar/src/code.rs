//! Diagnostic codes: the kinds of findings, of all stages and of the command line.
//!
//! [`table`](self) declares each code with its fixed properties, so that the command line and editors say the same. A
//! stage that cannot see this crate has reasons of its own, which the compiler translates.

mod table;

use std::cmp::Ordering;
use std::fmt;

use crate::severity::Severity;

pub use table::{Code, Group};

/// The properties of a diagnostic code: a line of the table of codes.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    group: Group,
    severities: &'static [Severity],
    has_fix: bool,
    summary: &'static str,
    explanation: &'static str,
}

impl Code {
    /// Returns the name in kebab case. It is stable.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the subject of the code.
    #[must_use]
    pub fn group(self) -> Group {
        self.entry().group
    }

    /// Returns the severities that its findings can have by default, the usual one first.
    ///
    /// ```
    /// use ogc_grammar::{Code, Severity};
    /// assert_eq!(Code::NoOutput.severities(), [Severity::Note, Severity::Warning]);
    /// ```
    #[must_use]
    pub fn severities(self) -> &'static [Severity] {
        self.entry().severities
    }

    /// Returns whether `@allow`, `-W`, `ogc.toml` and the like can set the severity of its findings; errors always stay
    /// errors.
    #[must_use]
    pub fn has_level(self) -> bool {
        self.severities().iter().any(|&severity| severity != Severity::Error)
    }

    /// Returns whether some of its findings carry a correction.
    #[must_use]
    pub fn has_fix(self) -> bool {
        self.entry().has_fix
    }

    /// Returns the summary of its findings, one line.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.entry().summary
    }

    /// Returns the explanation in Markdown: its meaning, an example and how to fix it.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        self.entry().explanation
    }

    fn entry(self) -> &'static Entry {
        &table::ENTRIES[self as usize]
    }
}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Code) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Codes are ordered by name, so that the order of findings at one place does not depend on the order of the table.
impl Ord for Code {
    fn cmp(&self, other: &Code) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests;
