//! Queries that read JSON Schemas and lists of tools.

use std::sync::Arc;

use ogc_grammar::{Diagnostic, Span};
use ogc_schema::source::{NodeId, Origin};

use super::finder::Finder;
use super::policy::SchemaPolicy;
use crate::budget::within;
use crate::db::{Db, Language, SourceFile};
use crate::frontend::json_schema::{Fate, Imported, ReadOptions};
use crate::frontend::tools::read_schema_or_tools_finding;

/// Reads a schema, or a list of tools: graph, source map, findings and the fate of every keyword.
#[salsa::tracked(returns(clone), no_eq)]
pub fn read_schema(db: &dyn Db, file: SourceFile) -> Arc<Imported> {
    let options = ReadOptions {
        report: true,
        root: file.options(db).definition(db).clone(),
        formats: file.options(db).formats(db),
        adjustments: file.options(db).adjustments(db),
        limits: file.options(db).limits(db).read,
        ..ReadOptions::default()
    };
    Arc::new(read_within(db, file, options))
}

/// Reads a schema or a list of tools under a budget.
fn read_within(db: &dyn Db, file: SourceFile, options: ReadOptions) -> Imported {
    let text = file.text(db);
    let finder = Finder::new(db, file);
    let options = ReadOptions { base_uri: finder.base_uri(), ..options };
    let whole = Span::of(0, text.len());
    let refused = |found: Diagnostic<Origin>| {
        let found = found.map_places(|_| Span::default());
        Imported { origins: vec![whole], diagnostics: vec![found], ..Imported::default() }
    };
    within(
        &file.options(db).limits(db),
        || read_schema_or_tools_finding(text, &options, Some(&|asked| finder.text(asked))),
        refused,
    )
}

/// An imported schema with all its definitions.
#[derive(Clone, Debug)]
pub struct ForeignSchema(pub Arc<Imported>);

impl PartialEq for ForeignSchema {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&*self.0, &*other.0);
        one.schemas == two.schemas
            && one.origins == two.origins
            && one.definitions == two.definitions
            && one.docs == two.docs
            && one.is_tools == two.is_tools
            && one.diagnostics == two.diagnostics
            && one.asked == two.asked
    }
}

impl Eq for ForeignSchema {}

/// Reads a schema or a list of tools for import by name, under the file's own options.
pub fn foreign_schema(db: &dyn Db, file: SourceFile) -> &ForeignSchema {
    foreign_schema_by(db, file, SchemaPolicy::default())
}

/// Reads a schema or a list of tools for import by name, under the `policy` of its importer.
#[salsa::tracked]
pub fn foreign_schema_by(db: &dyn Db, file: SourceFile, policy: SchemaPolicy) -> ForeignSchema {
    ForeignSchema(Arc::new(read_within(db, file, import_options(db, file, policy))))
}

/// Returns the fate of every keyword of a schema, read under the `policy` of its importer.
pub fn foreign_fates(db: &dyn Db, file: SourceFile, policy: SchemaPolicy) -> Vec<Fate> {
    let options = ReadOptions { report: true, ..import_options(db, file, policy) };
    read_within(db, file, options).report
}

fn import_options(db: &dyn Db, file: SourceFile, policy: SchemaPolicy) -> ReadOptions {
    let options = file.options(db);
    ReadOptions {
        definitions: true,
        root: options.definition(db).clone(),
        formats: policy.formats.unwrap_or(options.formats(db)),
        adjustments: policy.adjustments(options.adjustments(db)),
        limits: options.limits(db).read,
        ..ReadOptions::default()
    }
}

impl ForeignSchema {
    /// Returns the importable names: the definitions, and the whole schema as `root` and by its title, if the title is
    /// a word.
    #[must_use]
    pub fn definitions(&self) -> Vec<(String, NodeId)> {
        let imported = &self.0;
        let mut all: Vec<(String, NodeId)> =
            imported.definitions.iter().map(|definition| (definition.name.clone(), definition.node)).collect();
        let root = imported.schemas.root;
        let title = root.and_then(|root| imported.docs.get(&root)).and_then(|docs| docs.title.clone());
        let title = title.filter(|title| is_word(title));
        for name in title.into_iter().chain(["root".to_owned()]) {
            if let Some(root) = root.filter(|_| !all.iter().any(|(known, _)| *known == name)) {
                all.push((name, root));
            }
        }
        all
    }
}

/// Returns whether the file is a list of tools.
#[salsa::tracked(returns(copy))]
pub fn is_tool_list(db: &dyn Db, file: SourceFile) -> bool {
    file.language(db) == Language::JsonSchema && foreign_schema(db, file).0.is_tools
}

fn is_word(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && chars.all(|char| char.is_alphanumeric() || char == '_')
}
