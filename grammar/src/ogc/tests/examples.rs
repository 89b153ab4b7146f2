//! Tests that the example files read without findings.

use crate::ogc::parse;

/// The example files by name.
pub(crate) const EXAMPLES: [(&str, &str); 8] = [
    ("person", include_str!("../../../tests/examples/person.ogc")),
    ("shapes", include_str!("../../../tests/examples/shapes.ogc")),
    ("tree", include_str!("../../../tests/examples/tree.ogc")),
    ("tools", include_str!("../../../tests/examples/tools.ogc")),
    ("tables", include_str!("../../../tests/examples/tables.ogc")),
    ("query", include_str!("../../../tests/examples/query.ogc")),
    ("imports", include_str!("../../../tests/examples/imports.ogc")),
    ("generics", include_str!("../../../tests/examples/generics.ogc")),
];

#[test]
fn examples_read_without_findings() {
    for (name, text) in EXAMPLES {
        assert_eq!(parse(text).diagnostics, [], "{name}");
    }
}
