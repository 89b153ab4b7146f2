//! How grave findings are taken: the one place where levels change them.

use std::collections::BTreeMap;

use ogc_grammar::{Diagnostic, Severity};

/// What becomes of the findings of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Warnings and notes are not shown.
    Allow,
    /// Notes become warnings.
    Warn,
    /// Warnings and notes become errors.
    Deny,
}

impl Level {
    /// The level of this name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        match name {
            "allow" => Some(Self::Allow),
            "warn" => Some(Self::Warn),
            "deny" => Some(Self::Deny),
            _ => None,
        }
    }
}

/// Levels by code. What has no level stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Levels {
    by_code: BTreeMap<String, Level>,
}

impl Levels {
    /// Sets a level; a later one counts.
    pub(crate) fn set(&mut self, code: String, level: Level) {
        self.by_code.insert(code, level);
    }

    /// The finding as its level has it. An error stays one, whatever the level.
    pub(crate) fn apply(&self, mut diagnostic: Diagnostic) -> Option<Diagnostic> {
        let level = self.by_code.get(diagnostic.code).filter(|_| !diagnostic.is_error());
        match level {
            None => {}
            Some(Level::Allow) => return None,
            Some(Level::Warn) => diagnostic.severity = Severity::Warning,
            Some(Level::Deny) => diagnostic.severity = Severity::Error,
        }
        Some(diagnostic)
    }
}

#[cfg(test)]
mod tests {
    use ogc_grammar::Span;

    use super::*;

    fn severity(level: Level, diagnostic: Diagnostic) -> Option<Severity> {
        let mut levels = Levels::default();
        levels.set("a-code".to_owned(), level);
        levels.apply(diagnostic).map(|diagnostic| diagnostic.severity)
    }

    #[test]
    fn levels_change_warnings_and_notes() {
        let note = || Diagnostic::note("a-code", Span::default(), "m");
        assert_eq!(severity(Level::Allow, note()), None);
        assert_eq!(severity(Level::Warn, note()), Some(Severity::Warning));
        assert_eq!(severity(Level::Deny, note()), Some(Severity::Error));
        assert_eq!(severity(Level::Deny, Diagnostic::note("other", Span::default(), "m")), Some(Severity::Note));
    }

    #[test]
    fn errors_stay_errors() {
        for level in [Level::Allow, Level::Warn, Level::Deny] {
            let error = Diagnostic::error("a-code", Span::default(), "m");
            assert_eq!(severity(level, error), Some(Severity::Error));
        }
    }
}
