//! The query that reads a structural tag: it becomes an `.ogc` module and the parts that the module imports.

use std::collections::BTreeMap;

use ogc_grammar::{Diagnostic, Span};

use super::SchemaPolicy;
use super::rules::imported_grammar;
use super::schema::foreign_schema_by;
use crate::budget::within;
use crate::db::{Db, Language, SourceFile, beside};
use crate::frontend::json_schema::OtherMembers;
use crate::frontend::structural_tag::{Part, PartKind, Translated, may_be_tag, translate};

/// Name of the output that stands for the tag in its module.
pub const ROOT: &str = "root";

/// A structural tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructuralTag {
    translated: Translated,
    /// The `.ogc` module; its output [`ROOT`] is the tag.
    pub module: SourceFile,
    /// The files that the module imports, in the order of the parts.
    parts: Vec<SourceFile>,
}

/// Returns the structural tag in a file; `None` for any other file.
#[salsa::tracked]
pub fn structural_tag(db: &dyn Db, file: SourceFile) -> Option<StructuralTag> {
    // Most files are ruled out by their text alone, without any other query.
    if file.language(db) != Language::JsonSchema || !may_be_tag(file.text(db)) {
        return None;
    }
    let options = file.options(db);
    let special = options.special_tokens(db).as_deref();
    let limits = options.limits(db);
    let translated = within(
        &limits,
        || translate(file.text(db), options.json(db), special, limits.read.json()),
        |found| Some(Translated { findings: vec![found.map_places(|_| Span::default())], ..Translated::default() }),
    )?;
    let name = |part: &str| beside(file.name(db), part);
    let open = |part: &Part| SourceFile::new(db, name(&part.name), part.text.clone(), language(part.kind), options);
    let parts: Vec<SourceFile> = translated.parts.iter().map(open).collect();
    let own: BTreeMap<String, SourceFile> =
        translated.parts.iter().map(|part| part.name.clone()).zip(parts.iter().copied()).collect();
    let module = SourceFile::builder(name("tag.ogc"), translated.text.clone(), Language::Ogc, options).own(own).new(db);
    Some(StructuralTag { translated, module, parts })
}

impl StructuralTag {
    /// Maps a place in the module or in one of its parts to a place in the tag; `None` for a place in another file.
    #[must_use]
    pub fn outside(&self, file: SourceFile, span: Span) -> Option<Span> {
        if file == self.module {
            return Some(self.translated.outside(span));
        }
        let at = self.parts.iter().position(|part| *part == file)?;
        self.translated.parts.get(at).map(|part| part.places.outside(span))
    }

    /// Returns the place of the outermost node.
    #[must_use]
    pub fn root(&self) -> Span {
        self.translated.outside(Span::default())
    }

    /// Returns the module and its parts as one text for people; empty if the tag has errors.
    #[must_use]
    pub fn as_ogc(&self) -> String {
        let Translated { text, parts, .. } = &self.translated;
        let parts = parts.iter().map(|part| {
            let lines: String = part.text.lines().map(|line| format!("//   {line}\n")).collect();
            format!("\n// {}:\n{lines}", part.name)
        });
        std::iter::once(text.clone()).chain(parts).collect()
    }

    /// Returns the findings of reading the tag and its parts, with places in the tag.
    pub fn findings(&self, db: &dyn Db) -> Vec<Diagnostic> {
        let mut found = self.translated.findings.clone();
        for (part, file) in self.translated.parts.iter().zip(&self.parts) {
            let is_plain = part.kind == PartKind::Schema;
            let read = match is_plain {
                true => &foreign_schema_by(db, *file, closed()).0.diagnostics,
                false => &imported_grammar(db, *file).1,
            };
            found.extend(read.iter().map(|one| {
                let mut one = one.map_places(|span| part.places.outside(*span));
                if !is_plain {
                    // An edit in a string would have to be escaped.
                    (one.fix, one.guesses) = (None, Vec::new());
                }
                one
            }));
        }
        found
    }
}

fn language(kind: PartKind) -> Language {
    match kind {
        PartKind::Schema => Language::JsonSchema,
        PartKind::Grammar => Language::Gbnf,
        PartKind::Regex => Language::Regex,
    }
}

/// Returns the policy of schemas in tags: objects are closed unless their schema says otherwise, as in other engines
/// that read tags.
fn closed() -> SchemaPolicy {
    SchemaPolicy { objects: Some(OtherMembers::Closed), ..SchemaPolicy::default() }
}
