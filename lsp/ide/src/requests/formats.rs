//! The definitions of a file that can be compiled, and the one around a place.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::tested::tested_name;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::Span;

use crate::items::{item_at, items};
use crate::place::FilePosition;
use crate::snapshot::Snapshot;

/// A definition that can be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionAt {
    /// The definition; the whole file if there is no name.
    pub format: Format,
    /// Whether it is an output, or the whole file.
    pub is_output: bool,
    /// Span of the whole definition.
    pub span: Span,
}

/// Returns the definitions of a file that can be compiled, in order of place.
#[must_use]
pub fn formats(snapshot: &Snapshot, file: SourceFile) -> Vec<DefinitionAt> {
    let db = &snapshot.db;
    let outputs = pipeline::formats(db, file);
    if snapshot.language(file) != Language::Ogc {
        let span = Span::of(0, snapshot.text(file).len());
        return outputs.into_iter().map(|format| DefinitionAt { format, is_output: true, span }).collect();
    }
    let known = pipeline::definitions(db, file);
    let placed = items(snapshot, file).filter_map(|item| {
        let format = Format::named(file, &item.definition()?.name.text);
        let is_known = known.contains(&format);
        is_known.then(|| DefinitionAt { is_output: outputs.contains(&format), span: item.shown(), format })
    });
    placed.collect()
}

/// Returns the definition around a place, or the target of the test around it; `None` between items and for definitions
/// with parameters.
#[must_use]
pub fn definition_at(snapshot: &Snapshot, at: FilePosition) -> Option<DefinitionAt> {
    let all = formats(snapshot, at.file);
    if snapshot.language(at.file) != Language::Ogc {
        return all.into_iter().next();
    }
    let item = item_at(snapshot, at)?;
    let name = match &item.tree.kind {
        ogc_grammar::ogc::ast::ItemKind::Test(test) => tested_name(test),
        _ => item.definition()?.name.text.clone(),
    };
    all.into_iter().find(|one| one.format.name.as_deref() == Some(name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, expected: Option<&str>) {
        let fixture = Fixture::new(fixture);
        let found = definition_at(&fixture.snapshot, fixture.cursor());
        let name = found.map(|found| found.format.name.as_deref().unwrap_or("*").to_owned());
        assert_eq!(name.as_deref(), expected);
    }

    #[test]
    fn the_definition_around_a_place_is_found() {
        check("type A = { x: $0int }\noutput O = A\n", Some("A"));
        check("type A = int\ntest A {\n  accept \"$01\"\n}\n", Some("A"));
        check("//- g.gbnf\nroot ::= $0\"a\"\n", Some("*"));
        check("type P<T> = $0T\n", None);
        check("policy space = $0\"any\"\n", None);
        check("$0\n\n\n", None);
    }

    #[test]
    fn all_definitions_are_listed() {
        let fixture = Fixture::new("type A = int\ntype P<T> = T\noutput O = A\n");
        let file = fixture.snapshot.files()[0];
        let listed = formats(&fixture.snapshot, file);
        let shown: Vec<_> = listed.iter().map(|one| (one.format.name.as_deref(), one.is_output)).collect();
        assert_eq!(shown, [(Some("A"), false), (Some("O"), true)]);
    }
}
