//! The findings of a file as editors show them: a bounded number, with sentences of a readable length.

use ogc_compiler::db::SourceFile;
use ogc_grammar::Diagnostic;
use ogc_grammar::diagnostic::limited;
use ogc_lint::findings::{Subject, findings, of_stages};

use crate::snapshot::Snapshot;

/// Returns the findings of reading and compiling a file, and of all lints, ordered by place: at most
/// [`DIAGNOSTIC_LIMIT`](ogc_grammar::diagnostic::DIAGNOSTIC_LIMIT), and a note with the number of further ones.
#[must_use]
pub fn diagnostics(snapshot: &Snapshot, file: SourceFile) -> Vec<Diagnostic> {
    let settings = snapshot.settings(file);
    let subject = Subject::whole(&snapshot.db, file);
    readable(findings(&snapshot.db, &subject, None, &settings.levels))
}

/// Returns the findings of reading and compiling a file, without lints: they are known first.
#[must_use]
pub fn stage_diagnostics(snapshot: &Snapshot, file: SourceFile) -> Vec<Diagnostic> {
    let settings = snapshot.settings(file);
    let mut found = of_stages(&snapshot.db, file, &settings.levels);
    found.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.severity));
    readable(found)
}

fn readable(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    limited(found).into_iter().map(Diagnostic::readable).collect()
}

#[cfg(test)]
mod tests {
    use ogc_grammar::diagnostic::DIAGNOSTIC_LIMIT;

    use super::*;
    use crate::fixture::Fixture;

    /// Formats the findings about the first file of a fixture as `line:column code`; findings of lints follow after
    /// `|`.
    fn shown(text: &str) -> String {
        let fixture = Fixture::new(text);
        let file = fixture.snapshot.file("/w/a.ogc").unwrap();
        let lines = fixture.snapshot.lines(file);
        let line = |found: Diagnostic| format!("{} {}", lines.place(found.span.start), found.code);
        let stages: Vec<String> = stage_diagnostics(&fixture.snapshot, file).into_iter().map(line).collect();
        let all = diagnostics(&fixture.snapshot, file).into_iter().map(line);
        let lints: Vec<String> = all.filter(|one| !stages.contains(one)).collect();
        format!("{} | {}", stages.join(", "), lints.join(", "))
    }

    #[test]
    fn compiler_findings_are_separate_from_lints() {
        assert_eq!(shown("output A = int\n"), " | ");
        assert_eq!(shown("type B = int\noutput A = string\n"), " | 1:6 unused-item");
        assert!(shown("type B = int\noutput C = Missing\n").starts_with("2:12 unknown-name | "));
    }

    #[test]
    fn a_text_that_is_too_long_has_that_finding_alone() {
        assert_eq!(shown(&",".repeat(2_000_001)), "1:2000001 text-too-long | ");
    }

    #[test]
    fn findings_take_imported_files_into_account() {
        assert_eq!(shown("//- a.ogc\nimport B from \"b.ogc\"\noutput A = B\n//- b.ogc\ntype B = int\n"), " | ");
        let broken = shown("//- a.ogc\nimport C from \"b.ogc\"\noutput A = C\n//- b.ogc\ntype B = int\n");
        assert!(broken.starts_with("1:8 "), "{broken}");
    }

    #[test]
    fn the_number_of_findings_is_limited() {
        let text: String = (0..300).map(|at| format!("output A{at} = Missing{at}\n")).collect();
        let fixture = Fixture::new(&text);
        let file = fixture.snapshot.file("/w/a.ogc").unwrap();
        assert!(diagnostics(&fixture.snapshot, file).len() <= DIAGNOSTIC_LIMIT + 1);
    }
}
