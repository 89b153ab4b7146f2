//! Places related to a finding: its labelled places, and the definitions of the names at its place, in whatever file.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::names::{Symbol, names};
use ogc_grammar::Diagnostic;

use crate::items::{definition_of, item_at};
use crate::place::FileSpan;
use crate::snapshot::Snapshot;

/// Maximum number of definitions listed for one finding.
const MOST: usize = 3;

/// Returns the places related to a finding, each with a description.
#[must_use]
pub fn related(snapshot: &Snapshot, file: SourceFile, found: &Diagnostic) -> Vec<(FileSpan, String)> {
    let own = found.labels.iter().map(|(span, message)| (FileSpan::new(file, *span), message.clone()));
    let mut places: Vec<(FileSpan, String)> = own.collect();
    for (name, place) in definitions(snapshot, file, found) {
        if places.iter().all(|(known, _)| *known != place) {
            places.push((place, format!("`{name}` is defined here")));
        }
    }
    places
}

/// Returns where the names in an error's place are defined, with the names.
fn definitions(snapshot: &Snapshot, file: SourceFile, found: &Diagnostic) -> Vec<(String, FileSpan)> {
    if snapshot.language(file) != Language::Ogc || !found.is_error() {
        return Vec::new();
    }
    let Some(item) = item_at(snapshot, snapshot.position(file, found.span.start)) else { return Vec::new() };
    let written = names(&snapshot.db, item.id).iter().map(|one| (item.in_file(one.span), &one.symbol));
    let inside = written.filter(|(span, _)| found.span.start <= span.start && span.end <= found.span.end);
    let named = inside.filter(|(_, symbol)| matches!(symbol, Symbol::Definition(_) | Symbol::Foreign { .. }));
    let placed = named.filter_map(|(span, symbol)| {
        let place = definition_of(snapshot, symbol)?;
        let is_itself = place.file == file && place.span == span;
        (!is_itself).then(|| (snapshot.slice(file, span).to_owned(), place))
    });
    placed.take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::diagnostics;
    use crate::fixture::Fixture;

    fn check(fixture: &str, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let file = fixture.snapshot.file("/w/a.ogc").unwrap();
        let all = diagnostics(&fixture.snapshot, file);
        let places = all.iter().flat_map(|found| related(&fixture.snapshot, file, found));
        let shown: Vec<String> =
            places.map(|(place, message)| format!("{}: {message}", fixture.shown(place))).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn findings_relate_to_definitions_in_other_files() {
        let beside = "//- b.ogc\ntype P<T> = T[2]\n";
        check(
            &format!("//- a.ogc\nimport P from \"b.ogc\"\noutput O = P\n{beside}"),
            &["b.ogc:1:6 P: `P` is defined here"],
        );
    }

    #[test]
    fn unresolved_names_have_no_related_information() {
        check("//- a.ogc\noutput O = Missing\n", &[]);
        check("//- a.ogc\ntype A = int\noutput O = string\n", &[]);
    }
}
