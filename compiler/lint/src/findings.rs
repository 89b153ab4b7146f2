//! The final diagnostics of a file: the findings of all stages and of the lints, with the requested levels, without
//! duplicates, sorted by place. The command line and editors differ only in presentation.

use std::collections::{BTreeMap, HashMap};

use ogc_compiler::db::{Db, SourceFile, VocabularyInput};
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::Level;
use ogc_grammar::{Code, Diagnostic};

use crate::library::without_start;
use crate::misspelled::joined;
use crate::{file_lints, is_quiet, lints_of_all};

/// Levels by code, which change the severity of findings. A code without a level keeps its severity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    by_code: BTreeMap<Code, Level>,
}

impl Levels {
    /// Sets the level of a code; the last call wins.
    pub fn set(&mut self, code: Code, level: Level) {
        self.by_code.insert(code, level);
    }

    /// Returns the finding with the severity of its level; `None` if it is hidden. An error stays an error. A quiet
    /// finding is shown only if its code has a level.
    #[must_use]
    pub fn apply(&self, diagnostic: Diagnostic) -> Option<Diagnostic> {
        match self.by_code.get(&diagnostic.code) {
            None => (!is_quiet(&diagnostic)).then_some(diagnostic),
            Some(level) => level.applied(diagnostic),
        }
    }
}

/// A file, and those of its formats that are linted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    file: SourceFile,
    formats: Vec<Format>,
    /// Other definitions that have budgets of their own.
    budgeted: Vec<Format>,
}

impl Subject {
    /// Returns a file with all its outputs, and with the budgets of its other definitions.
    #[must_use]
    pub fn whole(db: &dyn Db, file: SourceFile) -> Subject {
        let formats = pipeline::formats(db, file);
        let mut budgeted = pipeline::budgeted(db, file);
        budgeted.retain(|one| !formats.contains(one));
        Subject { file, formats, budgeted }
    }

    /// Returns a file with only these of its formats.
    #[must_use]
    pub fn of(file: SourceFile, formats: Vec<Format>) -> Subject {
        Subject { file, formats, budgeted: Vec::new() }
    }
}

/// Returns all findings of a file and of its formats; with a vocabulary, their masks are measured too.
///
/// ```
/// use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile};
/// use ogc_lint::findings::{Levels, Subject, findings};
/// use ogc_grammar::Level;
/// use ogc_grammar::Code;
///
/// let db = Compiler::default();
/// let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
/// let text = "type A = int\noutput Out = string\n".to_owned();
/// let file = SourceFile::new(&db, "a.ogc".to_owned(), text, Language::Ogc, options);
/// let subject = Subject::whole(&db, file);
/// let mut levels = Levels::default();
/// assert_eq!(findings(&db, &subject, None, &levels)[0].code, Code::UnusedItem);
/// levels.set(Code::UnusedItem, Level::Allow);
/// assert_eq!(findings(&db, &subject, None, &levels), []);
/// ```
#[must_use]
pub fn findings(
    db: &dyn Db,
    subject: &Subject,
    vocabulary: Option<VocabularyInput>,
    levels: &Levels,
) -> Vec<Diagnostic> {
    let mut found = of_stages(db, subject.file, levels);
    found.extend(of_lints(db, subject, vocabulary, levels));
    found.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.severity));
    without_start(db, subject.file, without_follower(joined(subject.file.text(db), with_cause(found))))
}

/// Attaches the warning about a pattern that nothing matches to the error that it causes: that no value is allowed.
fn with_cause(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let Some(cause) = found.iter().find(|one| one.code == Code::EmptyPattern).cloned() else { return found };
    let follows = |one: &Diagnostic| {
        let label = one.labels.iter().any(|(place, _)| *place == cause.span);
        one.code == Code::EmptyFormat && label && one.is_error()
    };
    let Some(error) = found.iter_mut().find(|one| follows(one)) else { return found };
    error.help = cause.help.clone();
    found.retain(|one| *one != cause);
    found
}

/// Cap on the further uses of an unknown name that are shown.
const USES: usize = 4;

/// Merges the findings about one unknown name into the first one, with the other uses as labels. This is for lists of
/// findings; editors mark every use. Findings with a correction are kept, as each use has its own correction.
///
/// ```
/// use ogc_grammar::{Code, Diagnostic, Span};
/// use ogc_lint::findings::gathered;
/// let of = |at| Diagnostic::error(Code::UnknownName, Span::new(at, at + 1), "`A` is not defined");
/// let found = gathered(vec![of(3), of(9), of(12)]);
/// assert_eq!((found.len(), found[0].labels.len()), (1, 2));
/// ```
#[must_use]
pub fn gathered(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut first: HashMap<String, usize> = HashMap::new();
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(found.len());
    for one in found {
        let is_use = one.code == Code::UnknownName && one.fix.is_none();
        match first.get(&one.message).and_then(|at| kept.get_mut(*at)).filter(|_| is_use) {
            Some(known) if known.labels.len() < USES => known.labels.push((one.span, "also used here".to_owned())),
            Some(_) => {}
            None => {
                if is_use {
                    first.insert(one.message.clone(), kept.len());
                }
                kept.push(one);
            }
        }
    }
    kept
}

/// Drops the note that a rule stays nondeterministic if a warning already names the part of the file that is too large.
fn without_follower(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_note = |one: &Diagnostic| one.code == Code::NondeterministicRule && !one.is_error();
    let explained = found.iter().any(|one| matches!(one.code, Code::LargePattern | Code::LargeRepetition));
    if explained && found.iter().filter(|one| is_note(one)).count() == 1 {
        found.retain(|one| !is_note(one));
    }
    found
}

/// Returns the findings of reading and compiling a file.
#[must_use]
pub fn of_stages(db: &dyn Db, file: SourceFile, levels: &Levels) -> Vec<Diagnostic> {
    pipeline::diagnostics(db, file).iter().cloned().filter_map(|diagnostic| levels.apply(diagnostic)).collect()
}

/// Returns the lints' findings about a file and some of its formats, and the budgets that their masks exceed. A part
/// that several formats share is reported once.
#[must_use]
pub fn of_lints(
    db: &dyn Db,
    subject: &Subject,
    vocabulary: Option<VocabularyInput>,
    levels: &Levels,
) -> Vec<Diagnostic> {
    let Subject { file, formats, budgeted } = subject;
    let of_formats = lints_of_all(db, *file, formats, vocabulary);
    let built = formats.iter().chain(budgeted).flat_map(|format| pipeline::build_findings(db, format, vocabulary));
    let found = file_lints(db, *file).iter().cloned().chain(of_formats).chain(built);
    let mut found: Vec<Diagnostic> = found.filter_map(|diagnostic| levels.apply(diagnostic)).collect();
    found.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    found.dedup_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    found
}

#[cfg(test)]
mod tests {
    use ogc_grammar::{Severity, Span};

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
        let mut levels = Levels::default();
        levels.set(Code::NoOutput, Level::Deny);
        let other = Diagnostic::note(Code::OpenRecord, Span::default(), "m");
        assert_eq!(levels.apply(other).map(|found| found.severity), Some(Severity::Note));
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
