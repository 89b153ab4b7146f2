//! Document links: the paths of imports, of Lark's too, and the references of schemas.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::scope;
use ogc_grammar::json::{self, JsonKind, JsonValue};
use ogc_grammar::{Span, lark};

use crate::snapshot::Snapshot;

/// A text that leads to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The path in the text, without quotes.
    pub span: Span,
    /// The name of the file, whether or not it exists.
    pub target: String,
}

/// Returns the links of a file, in order of place.
#[must_use]
pub fn links(snapshot: &Snapshot, file: SourceFile) -> Vec<Link> {
    match snapshot.language(file) {
        Language::Ogc => {
            let imports = scope::imports(&snapshot.db, file).into_iter();
            let known = imports.filter(|(name, _)| snapshot.file(name).is_some());
            known.map(|(target, span)| Link { span: without_quotes(span), target }).collect()
        }
        Language::JsonSchema => {
            let mut found = Vec::new();
            json::parse(snapshot.text(file)).0.iter().for_each(|tree| references(snapshot, file, tree, &mut found));
            found
        }
        Language::Lark => {
            let name = |path: String| scope::beside(snapshot.name(file), &path);
            let imports = lark::imports(snapshot.text(file)).into_iter();
            imports.map(|(span, path)| Link { span, target: name(path) }).collect()
        }
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Regex => Vec::new(),
    }
}

fn without_quotes(span: Span) -> Span {
    Span::new(span.start + 1, span.end.saturating_sub(1).max(span.start + 1))
}

/// Adds the `$ref`s to other files. The reader's depth limit bounds the recursion.
fn references(snapshot: &Snapshot, file: SourceFile, value: &JsonValue, found: &mut Vec<Link>) {
    match &value.kind {
        JsonKind::Array(items) => items.iter().for_each(|item| references(snapshot, file, item, found)),
        JsonKind::Object(members) => {
            for member in members {
                let path =
                    member.value.as_str().filter(|_| member.key.value == "$ref").map(path_of).unwrap_or_default();
                if path.is_empty() || path.contains(':') {
                    references(snapshot, file, &member.value, found);
                    continue;
                }
                let target = scope::beside(snapshot.name(file), path);
                found.push(Link { span: without_quotes(member.value.span), target });
            }
        }
        JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::String(_) => {}
    }
}

/// Returns the part of a reference before `#`.
fn path_of(reference: &str) -> &str {
    reference.split_once('#').map_or(reference, |(path, _)| path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, expected: &[(&str, &str)]) {
        let fixture = Fixture::new(fixture);
        let file = fixture.snapshot.files()[0];
        let found = links(&fixture.snapshot, file);
        let shown: Vec<(&str, &str)> =
            found.iter().map(|link| (fixture.snapshot.slice(file, link.span), link.target.as_str())).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn imports_lead_to_their_files() {
        check("//- a.ogc\nimport B from \"./b.ogc\"\n//- b.ogc\ntype B = int\n", &[("./b.ogc", "/w/b.ogc")]);
        check("import B from \"missing.ogc\"\nimport call from \"std.tools\"\n", &[]);
    }

    #[test]
    fn imports_of_lark_lead_to_their_files() {
        check(
            "//- a.lark\nstart: b\n%import .rules.b\n%import common.WS\n//- rules.lark\nb: \"b\"\n",
            &[(".rules.b", "/w/rules.lark")],
        );
    }

    #[test]
    fn references_of_schemas_lead_to_other_files() {
        check(
            "//- s.schema.json\n{ \"items\": [{ \"$ref\": \"t.json#/a\" }, { \"$ref\": \"#/b\" }] }\n",
            &[("t.json#/a", "/w/t.json")],
        );
        check("//- s.schema.json\n{ \"$ref\": \"https://example.com/x.json\" }\n", &[]);
    }
}
