//! The final diagnostics of a file: the findings of all stages and of the lints, at the levels that were asked for,
//! each once, in order of place. The command line and editors differ only in how they show them.

use std::collections::{BTreeMap, HashMap};

use ogc_compiler::db::{Db, SourceFile, VocabularyInput};
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::Level;
use ogc_grammar::{Code, Diagnostic};

use crate::library::without_start;
use crate::misspelled::joined;
use crate::{file_lints, is_quiet, lints_of_all};

/// Levels by code, which change how grave findings are. A code without a level keeps its severity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    by_code: BTreeMap<Code, Level>,
}

impl Levels {
    /// Sets a level; a later one counts.
    pub fn set(&mut self, code: Code, level: Level) {
        self.by_code.insert(code, level);
    }

    /// The finding as its level has it. An error stays one, whatever the level; what is quiet is shown if it has a level.
    #[must_use]
    pub fn apply(&self, diagnostic: Diagnostic) -> Option<Diagnostic> {
        match self.by_code.get(&diagnostic.code) {
            None => (!is_quiet(&diagnostic)).then_some(diagnostic),
            Some(level) => level.applied(diagnostic),
        }
    }
}

/// A file and the formats of it that lints look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    file: SourceFile,
    formats: Vec<Format>,
    /// Definitions beside the formats that have budgets of their own.
    budgeted: Vec<Format>,
}

impl Subject {
    /// A file with all its outputs, and with the budgets of its other definitions.
    #[must_use]
    pub fn whole(db: &dyn Db, file: SourceFile) -> Subject {
        let formats = pipeline::formats(db, file);
        let mut budgeted = pipeline::budgeted(db, file);
        budgeted.retain(|one| !formats.contains(one));
        Subject { file, formats, budgeted }
    }

    /// A file with these of its formats alone.
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

/// Joins the warning about a pattern that nothing matches to the error that nothing is allowed because of it.
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

/// The most further uses of one unknown name that are pointed at.
const USES: usize = 4;

/// Joins the findings about one unknown name to the first, with the other uses as labels, for readers of lists; editors mark every use.
/// Findings with a correction stay, because each use has a correction of its own.
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

/// Drops the note that a rule stays nondeterministic where a warning says which part of the file is large.
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

/// Returns the findings of lints about a file and formats of it, and the budgets that their masks exceed. Formats that share
/// a part say of it once.
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
