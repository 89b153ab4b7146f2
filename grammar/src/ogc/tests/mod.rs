//! Tests of the front end as a whole.

mod corrections;
mod examples;
mod format;

mod mutations;
mod random;

use super::parse;

/// Only the names of an import may not have hyphens or a keyword before them.
#[test]
fn replacements_of_imports_are_expressions() {
    for import in ["import a, b from \"x.gbnf\"", "import \"x.gbnf\" as m"] {
        let text = format!("{import} with {{ a = a.type b, b = c-d }}\n");
        assert_eq!(parse(&text).diagnostics, [], "{text}");
    }
    for wrong in
        ["import type a from \"x.gbnf\"", "import odd-rule from \"x.gbnf\"", "import a from \"x\" with { b-c = d }"]
    {
        assert!(!parse(wrong).diagnostics.is_empty(), "{wrong}");
    }
}
