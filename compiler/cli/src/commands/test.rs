//! `ogc test`: runs the tests in `.ogc` files.

use std::path::Path;

use ogc_compiler::db::{Language, lines};
use ogc_compiler::hir::cases::TestCase;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::Diagnostic;
use ogc_workbench::cases::{self, CaseResult};
use ogc_workbench::words::{counted, part_of};

use crate::args::Test;
use crate::files::{self, Listing};
use crate::message::{Counts, Message};
use crate::output::Output;
use crate::problem::Problem;
use crate::render;
use crate::session::Session;
use crate::verdict::Verdict;
use crate::vocabulary;

/// The numbers of passed and failed cases.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    /// Number of files with errors.
    broken: usize,
}

pub(crate) fn run(args: &Test, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::new(&args.format);
    let mut tally = Tally::default();
    let Listing { found, problems } = files::formats(&args.paths)?;
    let mut verdict = output.problems(&problems);
    for format in &found {
        let named = args.paths.contains(&format.path);
        match one(&mut session, &format.path, named, &mut tally, output) {
            Err(Problem::Output(error)) => return Err(Problem::Output(error)),
            Err(problem) => verdict = verdict.max(output.problems(&[problem])),
            Ok(()) => {}
        }
    }
    let Tally { passed, failed, broken } = tally;
    if passed + failed + broken == 0 && verdict == Verdict::Good {
        return Err(Problem::NoTests { paths: args.paths.clone() });
    }
    let counts =
        Counts { passed: Some(passed), failed: Some(failed), files_with_errors: Some(broken), ..Counts::default() };
    output.summary(counts, || words(tally))?;
    Ok(if failed + broken == 0 { verdict } else { verdict.max(Verdict::Bad) })
}

/// Returns the tally in a sentence.
fn words(Tally { passed, failed, broken }: Tally) -> String {
    let cases = match failed {
        0 if passed == 0 => "no test case was run".to_owned(),
        0 => format!("{} passed", counted(passed, "test case")),
        _ => format!("{} failed", part_of(failed, passed + failed, "test case")),
    };
    match broken {
        0 => cases,
        1 => format!("{cases}; 1 file has errors"),
        _ => format!("{cases}; {broken} files have errors"),
    }
}

/// Runs the tests of a file. A file in another language is an error if the command line names it, and is skipped if it
/// was found in a folder.
fn one(session: &mut Session, path: &Path, named: bool, tally: &mut Tally, output: &Output) -> Result<(), Problem> {
    if !named && Language::of_name(&path.to_string_lossy()) != Ok(Language::Ogc) {
        return Ok(());
    }
    let file = session.open(path)?;
    if file.language(&session.db) != Language::Ogc {
        return Err(Problem::Untestable { path: path.to_owned() });
    }
    if !session.check(file, output)? {
        tally.broken += 1;
        return Ok(());
    }
    let wanted = session.wanted(file)?;
    let tests = pipeline::tests(&session.db, file);
    for (format, cases) in tests.iter().filter(|(format, _)| wanted.as_ref().is_none_or(|wanted| wanted == format)) {
        test(session, format, cases, tally, output)?;
    }
    Ok(())
}

/// Runs the test cases of one definition.
fn test(
    session: &Session,
    format: &Format,
    cases: &[TestCase],
    tally: &mut Tally,
    output: &Output,
) -> Result<(), Problem> {
    // The definition is not kept in the database, because a file may test thousands of them.
    let compiled = format.name.as_ref().and_then(|name| pipeline::definition(&session.db, format.file, name));
    let found = compiled.as_ref().map(|one| one.diagnostics(&session.db)).unwrap_or_default();
    let is_value = compiled.as_ref().is_some_and(pipeline::Definition::is_value);
    let automaton = compiled.as_ref().and_then(pipeline::Definition::automaton);
    let Some(automaton) = automaton.filter(|_| !found.iter().any(Diagnostic::is_error)) else {
        session.show(format.file, &found, output)?;
        tally.failed += cases.len();
        return Ok(());
    };
    let mut failures = Vec::new();
    for case in cases {
        let result = cases::run(&session.db, format, automaton, is_value, case);
        let result = result.map_err(|error| vocabulary::failed(Path::new(vocabulary::BYTES), &error))?;
        if output.is_json() {
            let name = format.file.name(&session.db);
            let (file, test) = (name.to_owned(), format.name.as_deref().map(str::to_owned));
            let span = render::place(lines(&session.db, format.file), case.span);
            output.say(&Message::Case { file, test, holds: result.holds(), span })?;
        }
        if let CaseResult::Fails(failure) = result {
            failures.push(failure.finding);
        }
    }
    tally.failed += failures.len();
    tally.passed += cases.len() - failures.len();
    session.show(format.file, &failures, output)?;
    Ok(())
}
