//! References: all places that name the thing at the cursor.

use ogc_compiler::hir::names::{self, Symbol};

use crate::foreign_names;
use crate::items::{definition_of, name_at};
use crate::place::{FilePosition, FileSpan};
use crate::snapshot::Snapshot;

/// Returns the places in all files that name the thing at the cursor, ordered by file and place; with `declaration`,
/// also the place of its definition.
#[must_use]
pub fn references(snapshot: &Snapshot, at: FilePosition, declaration: bool) -> Vec<FileSpan> {
    let Some(name) = name_at(snapshot, at) else { return Vec::new() };
    let defined = definition_of(snapshot, &name.symbol);
    let mut found = of_symbol(snapshot, &name.symbol);
    found.retain(|place| declaration || Some(*place) != defined);
    found
}

/// Returns the places that name a thing, and where it is defined.
pub(crate) fn of_symbol(snapshot: &Snapshot, symbol: &Symbol) -> Vec<FileSpan> {
    if *symbol == Symbol::Unknown {
        return Vec::new();
    }
    let mut found: Vec<FileSpan> = names::references(&snapshot.db, symbol).into_iter().map(FileSpan::from).collect();
    if let Symbol::Foreign { file, name } = symbol {
        let there = foreign_names::occurrences(snapshot, *file).iter().filter(|one| one.name == *name);
        found.extend(there.map(|one| FileSpan::new(*file, one.span)));
    }
    let is_file = matches!(symbol, Symbol::File(_));
    found.extend(definition_of(snapshot, symbol).filter(|_| !is_file));
    found.sort_by_key(|place| (snapshot.name(place.file), place.span));
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, declaration: bool, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let found = references(&fixture.snapshot, fixture.cursor(), declaration);
        let shown: Vec<String> = found.into_iter().map(|place| fixture.shown(place)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn all_uses_are_found_in_all_files() {
        let text = "//- a.ogc\nimport A as X from \"b.ogc\"\noutput O = X\n//- b.ogc\ntype $0A = int\ntype B = A[2]\ntest A { accept 1 }\n";
        let all = ["a.ogc:1:8 A", "a.ogc:1:13 X", "a.ogc:2:12 X", "b.ogc:1:6 A", "b.ogc:2:10 A", "b.ogc:3:6 A"];
        check(text, true, &all);
        let uses: Vec<&str> = all.iter().copied().filter(|place| *place != "b.ogc:1:6 A").collect();
        check(text, false, &uses);
    }

    #[test]
    fn parameters_and_builtins_have_references() {
        check("type P<$0T> = { a: T, b: T }\ntype T = int\n", true, &["a.ogc:1:8 T", "a.ogc:1:18 T", "a.ogc:1:24 T"]);
        check("type A = $0int\ntype B = int | null\n", true, &["a.ogc:1:10 int", "a.ogc:2:10 int"]);
    }

    #[test]
    fn references_to_grammar_rules_and_schema_definitions_cross_files() {
        let text = "//- a.ogc\nimport w as v from \"g.gbnf\"\noutput O = v\n//- g.gbnf\nroot ::= $0w w\nw ::= [a-z]\n";
        check(
            text,
            true,
            &["a.ogc:1:8 w", "a.ogc:1:13 v", "a.ogc:2:12 v", "g.gbnf:1:10 w", "g.gbnf:1:12 w", "g.gbnf:2:1 w"],
        );
        let schema = "//- s.schema.json\n{ \"$ref\": \"#/$defs/$0A\", \"$defs\": { \"A\": {} } }\n";
        check(schema, false, &["s.schema.json:1:20 A"]);
    }

    #[test]
    fn unresolved_names_have_no_references() {
        check("type A = $0Nope\ntype B = Nope\n", true, &[]);
        check("type A = \"$0A\"\n", true, &[]);
        check("$0\n", true, &[]);
    }
}
