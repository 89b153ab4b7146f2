//! The tests of `.ogc` files: their results, and for a failing case the place of the byte where it fails.

mod cases;

use ogc_compiler::db::{Db, SourceFile};
use ogc_compiler::hir::cases::TestCase;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::Diagnostic;
use ogc_workbench::cases::{CaseResult, run};

use crate::snapshot::Snapshot;

pub use cases::{CaseItem, CaseOutcome, TestItem, nearest_text, outcomes, test_items};
pub use ogc_grammar::ogc::ast::Expectation;

/// The results of the cases about one definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    /// The definition.
    pub format: Format,
    /// The number of cases that hold.
    pub passed: usize,
    /// The findings of the failing cases, each at the failing byte, or at the whole case.
    pub failures: Vec<Diagnostic>,
    /// Whether no case could be run, because the definition has errors, or the tests of the file have used up their
    /// budget.
    pub is_broken: bool,
}

/// Maximum total bytes of a definition's cases that run while the user types.
const MOST_BYTES: usize = 1 << 20;

/// Runs the tests of a file, or only those of one definition. Several `test` items about the same definition give one
/// result.
#[must_use]
pub fn run_tests(snapshot: &Snapshot, file: SourceFile, definition: Option<&str>) -> Vec<TestResult> {
    let is_wanted = |result: &&TestResult| definition.is_none_or(|name| result.format.name.as_deref() == Some(name));
    results_of(&snapshot.db, file).iter().filter(is_wanted).cloned().collect()
}

/// Runs the tests of a file as a query, because findings, lenses and commands all need the results.
#[salsa::tracked]
fn results_of(db: &dyn Db, file: SourceFile) -> Vec<TestResult> {
    let mut results: Vec<TestResult> = Vec::new();
    let mut left = file.options(db).limits(db).budget.work;
    for (format, cases) in pipeline::tests(db, file) {
        let result = run_cases(db, format, &cases, &mut left);
        match results.iter_mut().find(|known| known.format == result.format) {
            Some(known) => {
                known.passed += result.passed;
                known.failures.extend(result.failures);
            }
            None => results.push(result),
        }
    }
    results
}

/// Runs cases, if compiling their definition takes at most `left` steps, the rest of the budget for the file's tests.
fn run_cases(db: &dyn Db, format: Format, cases: &[TestCase], left: &mut u64) -> TestResult {
    // The definition is not kept in the database, because a file may test thousands of them.
    let compiled = format.name.as_ref().filter(|_| *left > 0);
    let compiled = compiled.and_then(|name| pipeline::definition(db, format.file, name));
    *left = left.saturating_sub(compiled.as_ref().map_or(0, pipeline::Definition::work));
    let found = compiled.as_ref().map(|one| one.diagnostics(db)).unwrap_or_default();
    let is_value = compiled.as_ref().is_some_and(pipeline::Definition::is_value);
    let automaton = compiled.as_ref().and_then(pipeline::Definition::automaton);
    let is_long = cases.iter().map(|case| case.text.len()).sum::<usize>() > MOST_BYTES;
    let sound = automaton.filter(|_| !is_long && !found.iter().any(Diagnostic::is_error));
    let Some(automaton) = sound else {
        return TestResult { format, passed: 0, failures: Vec::new(), is_broken: true };
    };
    let mut result = TestResult { format, passed: 0, failures: Vec::new(), is_broken: false };
    for case in cases {
        match run(db, &result.format, automaton, is_value, case) {
            Ok(CaseResult::Holds) => result.passed += 1,
            Ok(CaseResult::Fails(failure)) => {
                let mut finding = failure.finding;
                if let Some(place) = failure.place.filter(|place| !place.is_empty()) {
                    let whole = std::mem::replace(&mut finding.span, place);
                    finding = finding.label(whole, "in this case");
                }
                result.failures.push(finding);
            }
            Err(_) => result.is_broken = true,
        }
    }
    result
}

#[cfg(test)]
mod checks {
    use super::*;
    use crate::fixture::Fixture;
    use crate::place::FileSpan;

    fn check(fixture: &str, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let file = fixture.snapshot.files()[0];
        let mut shown = Vec::new();
        for result in run_tests(&fixture.snapshot, file, None) {
            let name = result.format.name.as_deref().unwrap_or("*");
            let broken = if result.is_broken { " broken" } else { "" };
            shown.push(format!("{name}: {} passed{broken}", result.passed));
            let places = result.failures.iter().map(|found| fixture.shown(FileSpan::new(file, found.span)));
            shown.extend(places);
        }
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_failing_case_is_shown_at_its_byte() {
        let text = "rule r = \"abc\"\ntest r {\n  accept \"abc\"\n  accept \"abX\"\n  reject \"abc\"\n}\n";
        check(text, &["r: 1 passed", "a.ogc:4:13 X", "a.ogc:5:3 reject \"abc\""]);
    }

    #[test]
    fn several_tests_of_a_definition_are_one_result() {
        check("rule r = \"a\"\ntest r {\n accept \"a\"\n}\ntest r {\n reject \"b\"\n}\n", &["r: 2 passed"]);
    }

    #[test]
    fn uses_imports_and_captures_are_tested() {
        let text = "//- a.ogc\nimport \"x.gbnf\" as x\ntype P<T> = T[2]\ntest P<int> {\n accept [1, 2]\n accept [1]\n}\n\
            test x.root {\n accept \"ab\"\n}\nrule r = \"a\" n: /[0-9]/\ntest r {\n accept \"a1\" with { n: \"2\" }\n}\n\
            //- x.gbnf\nroot ::= \"ab\"\n";
        let failed = ["a.ogc:5:11 ]", "r: 0 passed", "a.ogc:12:21 n: \"2\""];
        check(text, &["P<int>: 1 passed", failed[0], "x.root: 1 passed", failed[1], failed[2]]);
    }

    #[test]
    fn tests_of_what_does_not_compile_are_not_run() {
        check("rule r = Nope\ntest r {\n accept \"a\"\n}\n", &["r: 0 passed broken"]);
        check("rule r = \"a\"\n", &[]);
    }
}
