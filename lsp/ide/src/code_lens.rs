//! Code lenses: run the tests of a definition, build it, write samples.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::items::Keyword;
use ogc_compiler::hir::tested::tested_name;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::ItemKind;

use crate::items::items;
use crate::snapshot::Snapshot;

/// The effect of a lens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LensKind {
    /// Runs the tests of a definition; the lens shows their results.
    Tests,
    /// Writes the artifact of an output.
    Build,
    /// Writes texts that a definition accepts.
    Sample,
}

/// A lens: a line above a part of a file, with a command about that part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name above which it is shown.
    pub span: Span,
    /// Effect of the lens.
    pub kind: LensKind,
    /// The definition that it is about; without a name, the whole file.
    pub format: Format,
}

/// Returns the lenses of a file, ordered by place. Test results are computed later, for visible lenses only.
#[must_use]
pub fn code_lenses(snapshot: &Snapshot, file: SourceFile) -> Vec<Lens> {
    if snapshot.language(file) == Language::Ogc {
        return items(snapshot, file).flat_map(|item| of_item(file, &item)).collect();
    }
    let formats = pipeline::formats(&snapshot.db, file).into_iter();
    let both = |format: Format| {
        [LensKind::Build, LensKind::Sample].map(|kind| Lens { span: Span::default(), kind, format: format.clone() })
    };
    formats.flat_map(both).collect()
}

fn of_item(file: SourceFile, item: &crate::items::PlacedItem<'_>) -> Vec<Lens> {
    if let ItemKind::Test(test) = &item.tree.kind {
        let span = item.in_file(test.target.span);
        return vec![Lens { span, kind: LensKind::Tests, format: Format::named(file, &tested_name(test)) }];
    }
    let Some(definition) = item.definition().filter(|one| one.parameters.is_empty() && !one.name.text.is_empty())
    else {
        return Vec::new();
    };
    let kinds: &[LensKind] = match item.id.key.kind {
        Keyword::Output => &[LensKind::Build, LensKind::Sample],
        Keyword::Type | Keyword::Rule => &[LensKind::Sample],
        Keyword::Test | Keyword::Import | Keyword::Policy | Keyword::Unknown => &[],
    };
    let (span, format) = (item.in_file(definition.name.span), Format::named(file, &definition.name.text));
    kinds.iter().map(|kind| Lens { span, kind: *kind, format: format.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let file = fixture.snapshot.files()[0];
        let shown: Vec<String> = code_lenses(&fixture.snapshot, file)
            .iter()
            .map(|lens| {
                let line = fixture.snapshot.lines(file).place(lens.span.start).line + 1;
                format!("{line} {:?} {}", lens.kind, lens.format.name.as_deref().unwrap_or("*"))
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn definitions_and_tests_have_lenses() {
        check(
            "type A = int\noutput O = A\ntest A { accept \"1\" }\n",
            &["1 Sample A", "2 Build O", "2 Sample O", "3 Tests A"],
        );
        check("type P<T> = T[2]\ntest P<int> { accept \"[1,2]\" }\n", &["2 Tests P<int>"]);
    }

    #[test]
    fn items_that_do_not_compile_alone_have_no_lenses() {
        check("type P<T> = T[2]\nimport \"x.gbnf\" as x\npolicy space = \"any\"\ntype\n", &[]);
    }

    #[test]
    fn files_in_other_languages_have_lenses_for_the_whole_file() {
        check("//- s.schema.json\n{}\n", &["1 Build *", "1 Sample *"]);
    }
}
