//! The cases of `test` items one by one: the place of each, its result, and a similar text that the format accepts.

use ogc_compiler::db::SourceFile;
use ogc_compiler::hir::cases::{CasePartKind, TestCase};
use ogc_compiler::hir::tested::tested_name;
use ogc_compiler::pipeline;
use ogc_grammar::ogc::ast::{Case, Expectation, ItemKind, Subject};
use ogc_grammar::{Diagnostic, Span};
use ogc_workbench::repair::{LIMITS, repaired};
use salsa::Database;

use super::run_tests;
use crate::items::{PlacedItem, items};
use crate::snapshot::Snapshot;

/// A `test` item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestItem {
    /// The tested definition in source form: a name, a name of another file (`lib.Name`), or a use with arguments.
    pub definition: String,
    /// Span of the whole item.
    pub span: Span,
    /// The cases, in source order.
    pub cases: Vec<CaseItem>,
}

/// A case of a `test` item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseItem {
    /// Whether it is `accept` or `reject`.
    pub expectation: Expectation,
    /// Span of the whole case.
    pub span: Span,
    /// Span of its text or value.
    pub subject: Span,
    /// The text after `because`.
    pub reason: Option<String>,
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseOutcome {
    /// The format accepts or refuses the text as the case says.
    Holds,
    /// The format does the opposite of what the case expects. The finding is at the refused byte, or at the whole case.
    Fails(Box<Diagnostic>),
    /// The case could not be run: it or its definition has errors, or the tests of the file take too long.
    NotRun,
}

/// Lists the tests of an `.ogc` file in source order.
#[must_use]
pub fn test_items(snapshot: &Snapshot, file: SourceFile) -> Vec<TestItem> {
    items(snapshot, file).filter_map(|item| test_item(&item)).collect()
}

/// Returns an item as a test, if it is one.
pub(crate) fn test_item(item: &PlacedItem<'_>) -> Option<TestItem> {
    let ItemKind::Test(test) = &item.tree.kind else { return None };
    let case = |case: &Case| CaseItem {
        expectation: case.expectation,
        span: item.in_file(case.span),
        subject: item.in_file(subject(case)),
        reason: case.reason.as_ref().map(|reason| reason.value.clone()),
    };
    Some(TestItem { definition: tested_name(test), span: item.shown(), cases: test.cases.iter().map(case).collect() })
}

fn subject(case: &Case) -> Span {
    match &case.subject {
        Subject::Json(json) => json.span,
        Subject::Text(pieces) => match pieces.as_slice() {
            [first, .., last] => first.span.merge(last.span),
            [one] => one.span,
            [] => Span::empty(case.span.end),
        },
    }
}

/// Returns the results of the cases of a test, in their order.
#[must_use]
pub fn outcomes(snapshot: &Snapshot, file: SourceFile, test: &TestItem) -> Vec<CaseOutcome> {
    let results = run_tests(snapshot, file, Some(&test.definition));
    let is_broken = results.iter().any(|result| result.is_broken) || results.is_empty();
    let run: Vec<TestCase> = cases_of(snapshot, file, &test.definition);
    let failures: Vec<&Diagnostic> = results.iter().flat_map(|result| &result.failures).collect();
    let outcome = |case: &CaseItem| {
        let failure = failures.iter().find(|found| whole(found) == case.span);
        match failure {
            Some(found) => CaseOutcome::Fails(Box::new((*found).clone())),
            None if is_broken || run.iter().all(|one| one.span != case.span) => CaseOutcome::NotRun,
            None => CaseOutcome::Holds,
        }
    };
    test.cases.iter().map(outcome).collect()
}

/// Returns the place of the whole case that a finding is about.
fn whole(found: &Diagnostic) -> Span {
    found.labels.first().map_or(found.span, |(place, _)| *place)
}

/// Returns the cases about a definition that can be run, from all its tests.
fn cases_of(snapshot: &Snapshot, file: SourceFile, definition: &str) -> Vec<TestCase> {
    let tests = pipeline::tests(&snapshot.db, file).into_iter();
    let own = tests.filter(|(format, _)| format.name.as_deref() == Some(definition));
    own.flat_map(|(_, cases)| cases).collect()
}

/// Returns the text of a case as the format reads it, and a similar text that the format accepts. `None` if the text
/// contains tokens, or no similar text was found.
#[must_use]
pub fn nearest_text(snapshot: &Snapshot, file: SourceFile, definition: &str, case: Span) -> Option<(String, String)> {
    let case = cases_of(snapshot, file, definition).into_iter().find(|one| one.span == case)?;
    if case.parts.iter().any(|part| part.kind == CasePartKind::Token) {
        return None;
    }
    let compiled = pipeline::definition(&snapshot.db, file, &definition.into())?;
    let poll = || snapshot.db.unwind_if_revision_cancelled();
    let nearest = repaired(compiled.automaton()?, &case.text, LIMITS, &poll)?;
    Some((String::from_utf8(case.text).ok()?, String::from_utf8(nearest).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    const FILE: &str = "type A = { a: int<0..9> }\ntest A {\n  accept { a: 1 }\n  accept '{\"a\":10}' because \"ten\"\n  reject { a: 2 }\n}\n\
        rule r = \"x\"\ntest r {\n  accept { a: 1 }\n  accept \"x\"\n}\ntest Nope { accept \"x\" }\n";

    #[test]
    fn test_cases_have_positions_and_outcomes() {
        let read = Fixture::new(FILE);
        let file = read.snapshot.files()[0];
        let mut shown = Vec::new();
        for test in test_items(&read.snapshot, file) {
            shown.push(format!("{} {}", test.definition, test.cases.len()));
            for (case, outcome) in test.cases.iter().zip(outcomes(&read.snapshot, file, &test)) {
                let outcome = match outcome {
                    CaseOutcome::Holds => "holds".to_owned(),
                    CaseOutcome::Fails(found) => format!("fails at {}", read.shown((file, found.span).into())),
                    CaseOutcome::NotRun => "not run".to_owned(),
                };
                let reason = case.reason.as_deref().unwrap_or("-");
                let subject = read.snapshot.slice(file, case.subject);
                shown.push(format!("{:?} {subject} {reason}: {outcome}", case.expectation));
            }
        }
        let expected = [
            "A 3",
            "Accept { a: 1 } -: holds",
            "Accept '{\"a\":10}' ten: fails at a.ogc:4:17 0",
            "Reject { a: 2 } -: fails at a.ogc:5:3 reject { a: 2 }",
            "r 2",
            "Accept { a: 1 } -: not run",
            "Accept \"x\" -: holds",
            "Nope 1",
            "Accept \"x\" -: not run",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn the_nearest_accepted_text_of_a_case_is_found() {
        let read = Fixture::new(FILE);
        let file = read.snapshot.files()[0];
        let tests = test_items(&read.snapshot, file);
        let near = |at: usize| nearest_text(&read.snapshot, file, "A", tests[0].cases[at].span);
        assert_eq!(near(0), Some(("{\"a\":1}".to_owned(), "{\"a\":1}".to_owned())));
        assert_eq!(near(1), Some(("{\"a\":10}".to_owned(), "{\"a\":1}".to_owned())));
        assert_eq!(nearest_text(&read.snapshot, file, "A", tests[1].cases[1].span), None, "of another definition");
        let uses = Fixture::new("rule two<x> = x x\ntest two<\"a\"> { accept \"ab\" }\n");
        let file = uses.snapshot.files()[0];
        let [test] = &*test_items(&uses.snapshot, file) else { panic!("one test") };
        let near = nearest_text(&uses.snapshot, file, &test.definition, test.cases[0].span);
        assert_eq!(near, Some(("ab".to_owned(), "aa".to_owned())));
        let tokens = Fixture::new("output O = tok\"<|end|>\" \"a\"\ntest O { accept tok\"<|end|>\" \"b\" }\n");
        let file = tokens.snapshot.files()[0];
        let case = test_items(&tokens.snapshot, file)[0].cases[0].span;
        assert_eq!(nearest_text(&tokens.snapshot, file, "O", case), None);
    }
}
