//! `ogc check --fix`: applies the corrections of a file's findings that leave fewer errors and lose nothing, reports
//! the others with reasons, and with `--remove-unused` removes unused items.

use std::io;
use std::path::Path;

use ogc_compiler::db::{Language, SourceFile};
use ogc_grammar::ogc::{self, Corrected, Done, Refusal};
use ogc_grammar::{Code, Diagnostic, Fix, LineIndex, fix};

use crate::args::Check;
use crate::files;
use crate::message::Message;
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::session::{STDIN, Session};
use crate::visible::file_name;
use crate::words::counted;

/// The number of notation errors from which notation is corrected first by itself: too many errors hide other findings.
const MANY: usize = 40;

/// The most rounds of removing unused items: each round can make others unused.
const ROUNDS: usize = 20;

/// Corrects a file. One that cannot be read is left to the check, which reports it.
pub(super) fn run(session: &mut Session, path: &Path, args: &Check, output: &Output) -> Result<Verdict, Problem> {
    let Ok(file) = session.open(path) else { return Ok(Verdict::Good) };
    let Ok(text) = files::read_exact_text(path, args.format.max_input) else { return Ok(Verdict::Good) };
    if path == Path::new("-") {
        return Ok(Verdict::Good);
    }
    let is_corrected = file.language(&session.db) == Language::Ogc;
    let mut report =
        if is_corrected { corrected(session, file, &text) } else { uncorrected(session, file, text.clone()) };
    if !is_corrected {
        // `uncorrected` has listed the corrections that are left.
    } else if args.remove_unused {
        remove_unused(session, file, &mut report);
    } else {
        let lines = LineIndex::new(&report.text);
        report.left.extend(unused(session, file, &report.text).iter().map(|one| left(&lines, one, NOT_ASKED)));
    }
    let verdict = write(path, &text, &report.text, args.format.max_input, output);
    let kept = if verdict == Verdict::Good { &report.text } else { &text };
    session.set_text(file, kept.clone());
    if verdict == Verdict::Good {
        report.show(&file_name(path), output)?;
    }
    Ok(verdict)
}

const NOT_ASKED: &str = "`--fix --remove-unused` removes what is unused";

/// The corrections that `--fix` would make in a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Corrections(Vec<(Code, u32)>);

impl Corrections {
    /// Tries the corrections of a file's findings, as `--fix` does, and leaves the file as it is.
    pub(super) fn tried(session: &mut Session, file: SourceFile, found: &[Diagnostic]) -> Self {
        let correctable = found.iter().any(|one| one.fix.is_some() && one.code != Code::UnusedItem);
        if !correctable || file.language(&session.db) != Language::Ogc || file.name(&session.db) == STDIN {
            return Self::default();
        }
        let text = file.text(&session.db).to_owned();
        let tried = corrected(session, file, &text);
        session.set_text(file, text);
        Self(tried.corrected)
    }

    /// Returns whether the correction of a finding is among them.
    pub(super) fn has(&self, found: &Diagnostic) -> bool {
        let start = found.fix.as_ref().and_then(|fix| fix.edits.iter().map(|(span, _)| span.start).min());
        start.is_some_and(|start| self.0.contains(&(found.code, start)))
    }
}

/// A file after its corrections, and the corrections that were made and not made.
struct Report {
    text: String,
    done: Vec<String>,
    /// The corrected findings: their codes, and the first bytes of their corrections in the file.
    corrected: Vec<(Code, u32)>,
    left: Vec<Left>,
}

/// A correction that was not made.
struct Left {
    code: Code,
    line: u32,
    label: String,
    reason: String,
}

/// Corrects the text of an `.ogc` file.
fn corrected(session: &mut Session, file: SourceFile, text: &str) -> Report {
    let mistakes = ogc::notation(text).iter().filter(|found| found.is_error()).count();
    let first = match mistakes > MANY {
        true => ogc::correct(text, &mut ogc::notation),
        false => Corrected { text: text.to_owned(), ..Corrected::default() },
    };
    let then = ogc::correct(&first.text, &mut |text| {
        let mut found = meaning(session, file, text);
        found.iter_mut().filter(|found| found.code == Code::UnusedItem).for_each(|found| found.fix = None);
        found
    });
    let refused = then.refused.iter();
    let lines = LineIndex::new(&then.text);
    let left = refused.map(|(found, why)| left(&lines, found, &reason(&then.text, why))).collect();
    let again = then.done.iter().map(|done| Done { origin: first.trail.origin(done.origin), ..done.clone() });
    let all: Vec<Done> = first.done.iter().cloned().chain(again).collect();
    Report {
        done: all.iter().map(|done| done.label.clone()).collect(),
        corrected: all.iter().map(|done| (done.code, done.origin)).collect(),
        text: then.text,
        left,
    }
}

/// Lists the corrections of a file of another language, which are not applied.
fn uncorrected(session: &mut Session, file: SourceFile, text: String) -> Report {
    let found = meaning(session, file, &text);
    let fixable = found.iter().filter(|found| found.fix.is_some());
    let lines = LineIndex::new(&text);
    let left = fixable.map(|found| left(&lines, found, "`--fix` corrects `.ogc` files only")).collect();
    Report { text, done: Vec::new(), corrected: Vec::new(), left }
}

/// Sets the text of the file and returns its findings, those of the lints included.
fn meaning(session: &mut Session, file: SourceFile, text: &str) -> Vec<Diagnostic> {
    session.set_text(file, text.to_owned());
    session.all_diagnostics(file, None)
}

/// Removes unused items from a file without errors, again and again.
fn remove_unused(session: &mut Session, file: SourceFile, report: &mut Report) {
    for _ in 0..ROUNDS {
        let found = meaning(session, file, &report.text);
        let unused: Vec<&Diagnostic> = found.iter().filter(|found| found.code == Code::UnusedItem).collect();
        if found.iter().any(Diagnostic::is_error) {
            let why = "nothing is removed from a file with errors";
            let lines = LineIndex::new(&report.text);
            report.left.extend(unused.into_iter().map(|one| left(&lines, one, why)));
            return;
        }
        let fixes: Vec<&Fix> = unused.iter().filter_map(|found| found.fix.as_ref()).collect();
        let (after, applied) = fix::apply(&report.text, fixes.iter().copied());
        if applied.is_empty() || meaning(session, file, &after).iter().any(Diagnostic::is_error) {
            return;
        }
        let name = |at: &usize| unused.get(*at).map(|found| found.span.text(&report.text).to_owned());
        report.done.extend(applied.iter().filter_map(name).map(|name| format!("remove `{name}`, which nothing uses")));
        report.text = after;
    }
}

/// Returns the findings about unused items that can be removed.
fn unused(session: &mut Session, file: SourceFile, text: &str) -> Vec<Diagnostic> {
    meaning(session, file, text)
        .into_iter()
        .filter(|found| found.code == Code::UnusedItem && found.fix.is_some())
        .collect()
}

fn left(lines: &LineIndex, found: &Diagnostic, reason: &str) -> Left {
    let label = found.fix.as_ref().map_or("remove it", |fix| &fix.label).to_owned();
    Left { code: found.code, line: lines.place(found.span.start).line + 1, label, reason: reason.to_owned() }
}

fn reason(text: &str, why: &Refusal) -> String {
    match why {
        Refusal::Loses(place) => format!("`{}` would be lost or mean something else", place.text(text).trim()),
        Refusal::Brings(code, message) => format!("the file would have another error, {code}: {message}"),
        Refusal::Leaves(code, message) => format!("what follows would still be wrong, {code}: {message}"),
        Refusal::NoBetter => "the file would have no fewer errors".to_owned(),
        Refusal::NotTried => "too many corrections were tried before it".to_owned(),
    }
}

/// Writes the corrected text if it differs, unless the file has changed since it was read.
fn write(path: &Path, read: &str, corrected: &str, limit: u64, output: &Output) -> Verdict {
    if corrected == read {
        return Verdict::Good;
    }
    let written = match files::read_exact_text(path, limit) {
        Ok(now) if now == read => files::rewrite(path, corrected),
        Ok(_) => {
            let error = io::Error::other("it was changed by somebody else in the meantime; nothing is written");
            Err(Problem::Unwritable { path: path.to_owned(), error })
        }
        Err(problem) => Err(problem),
    };
    written.map_or_else(
        |problem| {
            output.problem(&problem);
            problem.verdict()
        },
        |()| Verdict::Good,
    )
}

impl Report {
    fn show(&self, name: &str, output: &Output) -> Result<(), Problem> {
        if self.done.is_empty() && self.left.is_empty() {
            return Ok(());
        }
        let mut refused: Vec<String> = self.left.iter().map(Left::shown).collect();
        refused.dedup();
        let message = Message::Fixed { file: name.to_owned(), fixes: self.done.clone(), refused: refused.clone() };
        Ok(output.either(message, || self.shown(name, &refused))?)
    }

    fn shown(&self, name: &str, refused: &[String]) -> String {
        let mut lines = Vec::new();
        if !self.done.is_empty() {
            lines.push(format!("{name}: {}", counted(self.done.len(), "correction")));
            lines.extend(self.done.iter().map(|label| format!("  {label}")));
        }
        if !refused.is_empty() {
            lines.push(format!("{name}: {} not made", counted(refused.len(), "correction")));
            lines.extend(refused.iter().map(|one| format!("  {one}")));
        }
        lines.join("\n")
    }
}

impl Left {
    fn shown(&self) -> String {
        format!("line {}, {}: {}; {}", self.line, self.code, self.label, self.reason)
    }
}
