//! Highlights: the places in one file that name the thing at the cursor.

use ogc_grammar::Span;

use crate::items::{definition_of, name_at};
use crate::place::FilePosition;
use crate::references::of_symbol;
use crate::snapshot::Snapshot;

/// A place that names the thing at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The name.
    pub span: Span,
    /// Whether the thing is defined there.
    pub is_definition: bool,
}

/// Returns the places of the cursor's file that name the thing at the cursor.
#[must_use]
pub fn highlights(snapshot: &Snapshot, at: FilePosition) -> Vec<Highlight> {
    let Some(name) = name_at(snapshot, at) else { return Vec::new() };
    let defined = definition_of(snapshot, &name.symbol);
    let here = of_symbol(snapshot, &name.symbol).into_iter().filter(|place| place.file == at.file);
    here.map(|place| Highlight { span: place.span, is_definition: Some(place) == defined }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use crate::place::FileSpan;

    fn check(fixture: &str, expected: &[(&str, bool)]) {
        let fixture = Fixture::new(fixture);
        let at = fixture.cursor();
        let shown: Vec<(String, bool)> = highlights(&fixture.snapshot, at)
            .into_iter()
            .map(|one| (fixture.shown(FileSpan::new(at.file, one.span)), one.is_definition))
            .collect();
        let shown: Vec<(&str, bool)> = shown.iter().map(|(place, defined)| (place.as_str(), *defined)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn names_in_the_same_file_are_highlighted() {
        check("type $0A = int\ntype B = A\n", &[("a.ogc:1:6 A", true), ("a.ogc:2:10 A", false)]);
        let two = "//- a.ogc\nimport A from \"b.ogc\"\noutput O = $0A\n//- b.ogc\ntype A = int\n";
        check(two, &[("a.ogc:1:8 A", false), ("a.ogc:2:12 A", false)]);
    }

    #[test]
    fn nothing_is_highlighted_without_a_resolved_name() {
        check("type A = /$0a/\n", &[]);
        check("type A = $0X | X\n", &[]);
    }
}
