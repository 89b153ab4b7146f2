//! `ogc check --fix`: applies the corrections of a file's findings that leave fewer errors and lose nothing, reports
//! the others with reasons, and with `--remove-unused` removes unused items.

use std::io;
use std::path::Path;

use ogc_compiler::db::{Language, SourceFile};
use ogc_grammar::{Code, Diagnostic, LineIndex};
use ogc_workbench::correct::{Corrections, Left, correct, correct_grammar, remove_unused};
use ogc_workbench::words::counted;

use crate::args::Check;
use crate::files;
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;
use crate::source::STDIN;
use crate::verdict::Verdict;
use crate::visible::file_name;

/// Corrects a file. One that cannot be read is left to the check, which reports it.
pub(super) fn run(session: &mut Session, path: &Path, args: &Check, output: &Output) -> Result<Verdict, Problem> {
    let Ok(file) = session.open(path) else { return Ok(Verdict::Good) };
    let Ok(text) = files::read_exact_text(path, args.format.max_input) else { return Ok(Verdict::Good) };
    if path == Path::new("-") {
        return Ok(Verdict::Good);
    }
    let language = file.language(&session.db);
    let mut corrections = corrected(session, file, &text);
    let mut findings = |text: &str| meaning(session, file, text);
    if language != Language::Ogc {
        // Files in other languages have no unused items.
    } else if args.remove_unused {
        remove_unused(&mut corrections, &mut findings);
    } else {
        let found = findings(&corrections.text);
        let unused = found.iter().filter(|found| found.code == Code::UnusedItem && found.fix.is_some());
        corrections.left.extend(unused.map(|one| Left::of(one, NOT_ASKED)));
    }
    let verdict = write(path, &text, &corrections.text, args.format.max_input, output);
    let kept = if verdict == Verdict::Good { &corrections.text } else { &text };
    session.set_text(file, kept.clone());
    if verdict == Verdict::Good {
        show(&corrections, &file_name(path), output)?;
    }
    Ok(verdict)
}

const NOT_ASKED: &str = "`--fix --remove-unused` removes what is unused";

/// Tries the corrections of a file's findings, as `--fix` does, and leaves the file as it is.
pub(super) fn tried(session: &mut Session, file: SourceFile, found: &[Diagnostic]) -> Corrections {
    let correctable = found.iter().any(|one| one.fix.is_some() && one.code != Code::UnusedItem);
    if !correctable || file.name(&session.db) == STDIN {
        return Corrections::default();
    }
    let text = file.text(&session.db).to_owned();
    let tried = corrected(session, file, &text);
    session.set_text(file, text);
    tried
}

/// Corrects the text of a file as its language allows; the text stays set.
fn corrected(session: &mut Session, file: SourceFile, text: &str) -> Corrections {
    let language = file.language(&session.db);
    let mut findings = |text: &str| meaning(session, file, text);
    match language {
        Language::Ogc => correct(text, &mut findings),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => correct_grammar(text, &mut findings),
        Language::JsonSchema | Language::Regex => uncorrected(text, &findings(text)),
    }
}

/// Lists the corrections of a file of another language, which are not applied.
fn uncorrected(text: &str, found: &[Diagnostic]) -> Corrections {
    let fixable = found.iter().filter(|found| found.fix.is_some());
    let left = fixable.map(|found| Left::of(found, "`--fix` corrects `.ogc` files and grammars only")).collect();
    Corrections { text: text.to_owned(), left, ..Corrections::default() }
}

/// Sets the text of the file and returns its findings, those of the lints included.
fn meaning(session: &mut Session, file: SourceFile, text: &str) -> Vec<Diagnostic> {
    session.set_text(file, text.to_owned());
    session.all_diagnostics(file, None)
}

/// Writes the corrected text if it differs, unless the file has changed since it was read.
fn write(path: &Path, read: &str, corrected: &str, limit: u64, output: &Output) -> Verdict {
    if corrected == read {
        return Verdict::Good;
    }
    let written = match files::read_exact_text(path, limit) {
        Ok(now) if now == read => files::rewrite(path, corrected),
        Ok(_) => {
            let error =
                io::Error::other("it was changed in the meantime, so it is not corrected: run the command again");
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

fn show(corrections: &Corrections, name: &str, output: &Output) -> Result<(), Problem> {
    if corrections.done.is_empty() && corrections.left.is_empty() {
        return Ok(());
    }
    let lines = LineIndex::new(&corrections.text);
    let line = |left: &Left| lines.place(left.span.start).line + 1;
    let words = |left: &Left| format!("line {}, {}: {}; {}", line(left), left.code, left.label, left.reason);
    let mut refused: Vec<String> = corrections.left.iter().map(words).collect();
    refused.dedup();
    let done = &corrections.done;
    let message = Message::Fixed { file: name.to_owned(), fixes: done.clone(), refused: refused.clone() };
    Ok(output.either(message, || shown(name, done, &refused))?)
}

fn shown(name: &str, done: &[String], refused: &[String]) -> String {
    let mut lines = Vec::new();
    if !done.is_empty() {
        lines.push(format!("{name}: {}", counted(done.len(), "correction")));
        lines.extend(done.iter().map(|label| format!("  {label}")));
    }
    if !refused.is_empty() {
        lines.push(format!("{name}: {} not made", counted(refused.len(), "correction")));
        lines.extend(refused.iter().map(|one| format!("  {one}")));
    }
    lines.join("\n")
}
