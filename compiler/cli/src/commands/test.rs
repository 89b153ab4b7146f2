//! `ogc test`: the tests that `.ogc` files have in them.

use std::path::Path;
use std::sync::Arc;

use ogc_compiler::db::Language;
use ogc_compiler::hir::cases::TestCase;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::Diagnostic;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::matcher::Matcher;
use serde_json::json;

use crate::args::Test;
use crate::bytes::{describe, show};
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::render::span_object;
use crate::session::Session;
use crate::{files, vocabulary};

/// How the cases of some tests ended.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    /// Files that have errors.
    broken: usize,
}

pub(crate) fn run(args: &Test, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::new(&args.format);
    let mut tally = Tally::default();
    let found = files::formats(&args.paths)?;
    for format in found.iter().filter(|found| Language::of_name(&found.path.to_string_lossy()) == Ok(Language::Ogc)) {
        one(&mut session, &format.path, &mut tally, output)?;
    }
    let Tally { passed, failed, broken } = tally;
    let summary = json!({"type": "summary", "passed": passed, "failed": failed, "files_with_errors": broken});
    output.either(summary, || match (failed, broken) {
        (0, 0) => format!("all {passed} cases hold"),
        (_, 0) => format!("{failed} of {} cases do not hold", passed + failed),
        _ => format!("{failed} of {} cases do not hold; {broken} files have errors", passed + failed),
    })?;
    Ok(if failed + broken == 0 { Verdict::Good } else { Verdict::Bad })
}

fn one(session: &mut Session, path: &Path, tally: &mut Tally, output: &Output) -> Result<(), Problem> {
    let file = session.open(path)?;
    if !session.check(file, output)? {
        tally.broken += 1;
        return Ok(());
    }
    for (format, cases) in pipeline::tests(&session.db, file) {
        test(session, &format, &cases, tally, output)?;
    }
    Ok(())
}

/// Runs the cases about one definition.
fn test(
    session: &Session,
    format: &Format,
    cases: &[TestCase],
    tally: &mut Tally,
    output: &Output,
) -> Result<(), Problem> {
    let found = pipeline::format_diagnostics(&session.db, format);
    let automaton = pipeline::automaton(&session.db, format.clone());
    let Some(automaton) = automaton.filter(|_| !found.iter().any(Diagnostic::is_error)) else {
        session.show(format.file, &found, output)?;
        tally.failed += cases.len();
        return Ok(());
    };
    let mut failures = Vec::new();
    for case in cases {
        let failure = fails(&automaton, case)?;
        if output.is_json() {
            let span = span_object(session.text(format.file).text, case.span);
            output.line(
                json!({"type": "case", "test": format.name.as_deref(), "holds": failure.is_none(), "span": span}),
            )?;
        }
        failures.extend(failure);
    }
    tally.failed += failures.len();
    tally.passed += cases.len() - failures.len();
    session.show(format.file, &failures, output)?;
    Ok(())
}

/// Why a case does not hold.
fn fails(automaton: &Arc<Automaton>, case: &TestCase) -> Result<Option<Diagnostic>, Problem> {
    let mut matcher = Matcher::new(Arc::clone(automaton), vocabulary::bytes_and(&automaton.tokens)?);
    let accepted = matcher.accept_bytes(&case.text);
    let holds = accepted.is_ok() && matcher.is_complete();
    if holds == case.accept {
        return Ok(None);
    }
    let message = match (case.accept, accepted) {
        (false, _) => "this is accepted, but should be rejected".to_owned(),
        (true, Ok(())) => "this should be accepted, but is not complete".to_owned(),
        (true, Err(error)) => format!("this should be accepted, but {error}"),
    };
    let mut diagnostic = Diagnostic::error("test", case.span, message);
    let because = case.reason.iter().map(|reason| format!("because {reason}"));
    let expected = case.accept.then(|| expected(automaton, case)).transpose()?;
    let help: Vec<String> = because.chain(expected).collect();
    if !help.is_empty() {
        diagnostic = diagnostic.help(help.join("; "));
    }
    Ok(Some(diagnostic))
}

/// What was accepted, and what could have come then.
fn expected(automaton: &Arc<Automaton>, case: &TestCase) -> Result<String, Problem> {
    let mut matcher = Matcher::new(Arc::clone(automaton), vocabulary::bytes_and(&automaton.tokens)?);
    let count = case.text.iter().position(|&byte| matcher.accept_bytes(&[byte]).is_err()).unwrap_or(case.text.len());
    let accepted = case.text.get(..count).unwrap_or_default();
    let tail = accepted.get(accepted.len().saturating_sub(40)..).unwrap_or_default();
    let position = matcher.position();
    let tokens = position.tokens.iter().map(|name| format!("tok\"{name}\""));
    let bytes = (!position.expected.is_empty()).then(|| describe(&position.expected));
    let end = position.may_end.then(|| "the end".to_owned());
    let next: Vec<String> = bytes.into_iter().chain(tokens).chain(end).collect();
    let next = next.join(", ");
    Ok(match tail {
        [] => format!("a text begins with {next}"),
        // It stands in backticks, so quotes are themselves.
        tail => format!("accepted up to `{}`, where {next} may follow", show(tail).replace("\\\"", "\"")),
    })
}
