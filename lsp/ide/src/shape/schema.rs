//! Fields, items and literals of imported schemas.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::foreign::{ForeignSchema, foreign_schema};
use ogc_schema::source::{Keywords, NodeId, NodeKind, Value};

use super::{Field, Shape, quoted, shortened};
use crate::snapshot::Snapshot;

/// Returns the schema of a name.
pub(super) fn named<'s>(snapshot: &'s Snapshot, file: SourceFile, name: &str) -> Option<Shape<'s>> {
    let schema = read(snapshot, file)?;
    let (_, node) = schema.definitions().into_iter().find(|(known, _)| known == name)?;
    Some(Shape::Schema(file, node))
}

fn read(snapshot: &Snapshot, file: SourceFile) -> Option<&ForeignSchema> {
    (snapshot.language(file) == Language::JsonSchema).then(|| foreign_schema(&snapshot.db, file))
}

fn keywords(snapshot: &Snapshot, file: SourceFile, node: NodeId) -> Option<&Keywords> {
    match &read(snapshot, file)?.0.schemas.nodes.get(node.0 as usize)?.kind {
        NodeKind::Keywords(keywords) => Some(keywords),
        NodeKind::Bool(_) => None,
    }
}

/// Returns the schemas that a schema refers to or combines; the schema itself comes last if it has further keywords.
/// Empty if it is plain.
pub(super) fn inside(snapshot: &Snapshot, file: SourceFile, node: NodeId) -> Vec<Shape<'_>> {
    let Some(keywords) = keywords(snapshot, file, node) else { return Vec::new() };
    let lists = keywords.any_of.iter().chain(&keywords.one_of).flat_map(|list| &list.value);
    let joined = keywords.reference.iter().map(|target| &target.value).chain(&keywords.all_of).chain(lists);
    let says_itself = !keywords.object.properties.is_empty() || keywords.array.items.is_some();
    if says_itself {
        return Vec::new();
    }
    joined.map(|node| Shape::Schema(file, *node)).collect()
}

/// Returns the properties of a schema, and those of the schemas that it combines.
pub(super) fn fields(snapshot: &Snapshot, file: SourceFile, node: NodeId) -> Vec<Field<'_>> {
    let Some(object) = keywords(snapshot, file, node).map(|keywords| &keywords.object) else { return Vec::new() };
    let required = |name: &str| object.required.iter().any(|one| one.value == name);
    let properties = object.properties.iter().map(|(name, value)| Field {
        name: name.clone(),
        optional: !required(name),
        value: Shape::Schema(file, *value),
        written: None,
    });
    properties.collect()
}

/// Returns the title and description of a schema, as Markdown.
pub(crate) fn docs(snapshot: &Snapshot, file: SourceFile, node: NodeId) -> String {
    let Some(docs) = read(snapshot, file).and_then(|schema| schema.0.docs.get(&node)) else { return String::new() };
    let title = docs.title.as_ref().map(|title| format!("**{title}**"));
    title.into_iter().chain(docs.description.clone()).collect::<Vec<_>>().join("\n\n")
}

/// Returns the schemas of the items of an array.
pub(super) fn items(snapshot: &Snapshot, file: SourceFile, node: NodeId) -> Vec<Shape<'_>> {
    let Some(array) = keywords(snapshot, file, node).map(|keywords| &keywords.array) else { return Vec::new() };
    let all = array.prefix_items.iter().chain(array.items.iter().map(|items| &items.value));
    all.map(|node| Shape::Schema(file, *node)).collect()
}

/// Returns the literals that a schema lists, as JSON.
pub(super) fn literals(snapshot: &Snapshot, file: SourceFile, node: NodeId) -> Vec<String> {
    let Some(keywords) = keywords(snapshot, file, node) else { return Vec::new() };
    let listed = keywords.one_of_values.iter().flat_map(|list| &list.value).filter_map(written);
    let bool = keywords.types.as_ref().is_some_and(|types| types.value.boolean);
    let truth =
        ["true".to_owned(), "false".to_owned()].into_iter().filter(|_| bool && keywords.one_of_values.is_empty());
    listed.chain(truth).collect()
}

/// Returns a scalar as JSON.
fn written(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("null".to_owned()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(quoted(text)),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Returns whether a schema is about objects.
pub(super) fn is_object(snapshot: &Snapshot, file: SourceFile, node: NodeId) -> bool {
    keywords(snapshot, file, node).is_some_and(|keywords| {
        !keywords.object.properties.is_empty() || keywords.types.as_ref().is_some_and(|types| types.value.object)
    })
}

/// Returns the JSON of a schema, shortened.
pub(super) fn shown(snapshot: &Snapshot, file: SourceFile, node: NodeId) -> String {
    let json = json(snapshot, file, node).unwrap_or_default();
    shortened(&json.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the JSON of a schema, as it is written.
pub(crate) fn json(snapshot: &Snapshot, file: SourceFile, node: NodeId) -> Option<&str> {
    let schema = &read(snapshot, file)?.0;
    let origin = schema.schemas.nodes.get(node.0 as usize)?.origin;
    Some(snapshot.slice(file, schema.span(origin)))
}
