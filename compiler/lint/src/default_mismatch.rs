//! `default-mismatch`: a `@default` or one of `@examples` that is no value of its type.

use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Keywords, NodeId, Origin, Schemas, Value};
use ogc_schema::{Algebra, Limits, Table};

use super::compiled::Compiled;
use super::one_of::{add, all, origin};

/// The most values of a format that are compared with their types.
const VALUES: usize = 64;

/// A value that is said of a node.
struct Said<'m> {
    node: NodeId,
    /// The word for it.
    role: &'static str,
    value: &'m Value,
}

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Some(module) = compiled.module().filter(|_| compiled.is_cheap()) else { return Vec::new() };
    let mut said: Vec<Said<'_>> = Vec::new();
    for (node, docs) in &module.docs {
        // Where a field is absent, a reader may well assume null.
        let default = docs.default.iter().filter(|value| **value != Value::Null);
        said.extend(default.map(|value| Said { node: *node, role: "default", value }));
        said.extend(docs.examples.iter().map(|value| Said { node: *node, role: "example", value }));
    }
    said.truncate(VALUES);
    let limits = compiled.file.options(compiled.db).limits(compiled.db).schema;
    let strangers = strangers(&module.schemas, &said, limits);
    let found = said.iter().zip(strangers).filter(|(_, stranger)| *stranger);
    found.map(|(said, _)| told(said, origin(&module.schemas, said.node))).collect()
}

fn told(said: &Said<'_>, origin: Origin) -> Diagnostic<Origin> {
    let Said { role, value, .. } = said;
    let message = format!("the {role} {} is no value of this type", shown(value));
    let found = Diagnostic::warning(Code::DefaultMismatch, Compiled::place(origin.0), message);
    found.help(format!("write a value of the type as its {role}, or a type that has this value"))
}

/// Returns a scalar as it is written, a larger value by its type.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "`null`".to_owned(),
        Value::Bool(value) => format!("`{value}`"),
        Value::Number(number) => format!("`{number}`"),
        Value::String(text) => format!("`{text:?}`"),
        Value::Array(_) => "array".to_owned(),
        Value::Object(_) => "object".to_owned(),
    }
}

/// Returns for each value whether it is none of its node. What cannot be computed says nothing.
fn strangers(schemas: &Schemas, said: &[Said<'_>], limits: Limits) -> Vec<bool> {
    if said.is_empty() {
        return Vec::new();
    }
    let mut schemas = schemas.clone();
    let nodes: Vec<(NodeId, NodeId)> = said
        .iter()
        .map(|one| {
            let origin = origin(&schemas, one.node);
            let listed = At { origin, value: vec![one.value.clone()] };
            let only = add(&mut schemas, origin, Keywords { one_of_values: vec![listed], ..Keywords::default() });
            (one.node, all(&mut schemas, vec![one.node, only]))
        })
        .collect();
    let table = Table::new(&schemas);
    let is_stranger = |(node, both): (NodeId, NodeId)| {
        let mut algebra = Algebra::new(&table, limits);
        let [node, both] = [algebra.value_of(node), algebra.value_of(both)];
        algebra.solve_all(&[node, both]).is_ok() && algebra.holds_something(node) && !algebra.holds_something(both)
    };
    nodes.into_iter().map(is_stranger).collect()
}
