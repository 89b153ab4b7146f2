//! Symbols of a document and of the workspace.

mod foreign;
mod ogc;
mod search;

use ogc_compiler::db::{Language, SourceFile};
use ogc_grammar::Span;

use crate::snapshot::Snapshot;

pub use search::{WorkspaceSymbol, workspace_symbols};

/// The kind of a symbol in an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A type, or a schema under `$defs`.
    Type,
    /// A rule.
    Rule,
    /// An output.
    Output,
    /// A field of a record, or a property of a schema.
    Field,
    /// A named part of a text.
    Capture,
    /// The tests of a definition.
    Test,
    /// An import.
    Import,
    /// Policies.
    Policy,
}

/// A part of a file that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSymbol {
    /// The name.
    pub name: String,
    /// A short description; empty if the kind says enough.
    pub detail: String,
    /// The kind.
    pub kind: SymbolKind,
    /// Span of the whole symbol, including docs.
    pub span: Span,
    /// Span of the name. Invariant: it lies within `span`.
    pub name_span: Span,
    /// Whether it is deprecated.
    pub is_deprecated: bool,
    /// The symbols in it.
    pub children: Vec<DocumentSymbol>,
}

/// Returns the symbols of a file, in order.
#[must_use]
pub fn document_symbols(snapshot: &Snapshot, file: SourceFile) -> Vec<DocumentSymbol> {
    match snapshot.language(file) {
        Language::Ogc => ogc::symbols(snapshot, file),
        Language::JsonSchema => foreign::schema_symbols(snapshot.text(file)),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => foreign::rules(snapshot, file),
        Language::Regex => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn outline(symbols: &[DocumentSymbol], depth: usize, lines: &mut Vec<String>) {
        for symbol in symbols {
            assert!(
                symbol.span.start <= symbol.name_span.start && symbol.name_span.end <= symbol.span.end,
                "{symbol:?}"
            );
            let deprecated = if symbol.is_deprecated { " deprecated" } else { "" };
            let line = format!("{:1$}{2:?} {3}", "", 2 * depth, symbol.kind, symbol.name);
            let detail = if symbol.detail.is_empty() { String::new() } else { format!(": {}", symbol.detail) };
            lines.push(format!("{line}{detail}{deprecated}"));
            outline(&symbol.children, depth + 1, lines);
        }
    }

    fn check(fixture: &str, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let file = fixture.snapshot.files()[0];
        let mut lines = Vec::new();
        outline(&document_symbols(&fixture.snapshot, file), 0, &mut lines);
        assert_eq!(lines, expected);
    }

    #[test]
    fn symbols_of_items_contain_fields_and_captures() {
        check(
            "/// Docs.\ntype A<T> = { x: T, \"y z\"?: { inner: int } }\nrule r = word: /a/ \"-\"\n@deprecated\noutput O = r\n",
            &[
                "Type A: <T>",
                "  Field x: T",
                "  Field y z: { inner: int }",
                "    Field inner: int",
                "Rule r",
                "  Capture word",
                "Output O deprecated",
            ],
        );
    }

    #[test]
    fn imports_policies_and_tests_have_symbols() {
        check(
            "import A, B as C from \"b.ogc\"\nimport \"c.gbnf\" as c\npolicy space = \"any\"\ntest A {\n accept \"1\"\n reject \"2\"\n}\n",
            &["Import A, C: b.ogc", "Import c: c.gbnf", "Policy policy: space", "Test test A: 2 cases"],
        );
    }

    #[test]
    fn half_written_items_are_shown_as_far_as_they_are() {
        check("type A = \ntype B = int\ntype\n", &["Type A", "Type B"]);
        check("", &[]);
        check("%%% nothing", &[]);
    }

    #[test]
    fn schemas_and_grammars_have_symbols() {
        check(
            "//- s.schema.json\n{ \"properties\": { \"a\": { \"type\": \"string\" } }, \"$defs\": { \"D\": { \"properties\": { \"b\": {} } } } }\n",
            &["Field a: string", "Type D", "  Field b"],
        );
        check("//- g.gbnf\nroot ::= w\nw ::= [a-z]\n", &["Rule root", "Rule w"]);
        check("//- g.lark\nstart: W\nW: /a/\n", &["Rule start", "Rule W"]);
        check("//- s.schema.json\n[1, 2\n", &[]);
        check("//- r.regex\na+\n", &[]);
    }
}
