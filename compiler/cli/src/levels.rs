//! How grave findings are taken: the one place where levels change them.

use std::collections::BTreeMap;

use ogc_compiler::lint::is_quiet;
pub(crate) use ogc_compiler::lint::level::Level;
use ogc_grammar::{Code, Diagnostic};

/// Levels by code. What has no level stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Levels {
    by_code: BTreeMap<Code, Level>,
}

impl Levels {
    /// Sets a level; a later one counts.
    pub(crate) fn set(&mut self, code: Code, level: Level) {
        self.by_code.insert(code, level);
    }

    /// The finding as its level has it. An error stays one, whatever the level; what is quiet is shown if it has a level.
    pub(crate) fn apply(&self, diagnostic: Diagnostic) -> Option<Diagnostic> {
        match self.by_code.get(&diagnostic.code) {
            None => (!is_quiet(&diagnostic)).then_some(diagnostic),
            Some(level) => level.applied(diagnostic),
        }
    }
}

#[cfg(test)]
mod tests {
    use ogc_grammar::{Code, Severity, Span};

    use super::*;

    fn severity(level: Level, diagnostic: Diagnostic) -> Option<Severity> {
        let mut levels = Levels::default();
        levels.set(diagnostic.code, level);
        levels.apply(diagnostic).map(|diagnostic| diagnostic.severity)
    }

    #[test]
    fn levels_change_warnings_and_notes() {
        let note = || Diagnostic::note(Code::NoOutput, Span::default(), "m");
        assert_eq!(severity(Level::Allow, note()), None);
        assert_eq!(severity(Level::Warn, note()), Some(Severity::Warning));
        assert_eq!(severity(Level::Deny, note()), Some(Severity::Error));
        assert_eq!(
            severity(Level::Deny, Diagnostic::note(Code::OpenRecord, Span::default(), "m")),
            Some(Severity::Note)
        );
    }

    #[test]
    fn quiet_lints_are_shown_where_they_are_asked_for() {
        let note = || Diagnostic::note(Code::IgnoredElsewhere, Span::default(), "m");
        let mut levels = Levels::default();
        assert_eq!(levels.apply(note()), None);
        levels.set(Code::IgnoredElsewhere, Level::Warn);
        assert_eq!(levels.apply(note()).map(|found| found.severity), Some(Severity::Warning));
    }

    #[test]
    fn errors_stay_errors() {
        for level in [Level::Allow, Level::Warn, Level::Deny] {
            let error = Diagnostic::error(Code::SplitRegex, Span::default(), "m");
            assert_eq!(severity(level, error), Some(Severity::Error));
        }
    }
}
