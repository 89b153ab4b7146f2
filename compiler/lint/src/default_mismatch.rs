//! `default-mismatch`: a `@default` or one of `@examples` that is no value of its type.

use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Keywords, NodeId, Origin, Schemas, Value};
use ogc_schema::{Algebra, Limits, Table};

use super::compiled::Compiled;
use super::one_of::{add, all, origin};

/// Cap on the values of a format that are compared with their types; further ones are not checked.
const VALUES: usize = 64;

/// A default or an example, with its type.
struct Sample<'m> {
    node: NodeId,
    role: Role,
    value: &'m Value,
}

#[derive(Clone, Copy)]
enum Role {
    Default,
    Example,
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Example => "example",
        }
    }
}

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Some(module) = compiled.module().filter(|_| compiled.is_cheap()) else { return Vec::new() };
    let mut samples: Vec<Sample<'_>> = Vec::new();
    for (node, docs) in &module.docs {
        // Where a field is absent, a reader may well assume null.
        let default = docs.default.iter().filter(|value| **value != Value::Null);
        samples.extend(default.map(|value| Sample { node: *node, role: Role::Default, value }));
        samples.extend(docs.examples.iter().map(|value| Sample { node: *node, role: Role::Example, value }));
    }
    samples.truncate(VALUES);
    let limits = compiled.file.options(compiled.db).limits(compiled.db).schema;
    let mismatches = mismatches(&module.schemas, &samples, limits);
    let found = samples.iter().zip(mismatches).filter(|(_, is_mismatch)| *is_mismatch);
    found.map(|(sample, _)| diagnostic(sample, origin(&module.schemas, sample.node))).collect()
}

fn diagnostic(sample: &Sample<'_>, origin: Origin) -> Diagnostic<Origin> {
    let Sample { role, value, .. } = sample;
    let role = role.word();
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

/// Returns for each value whether its type lacks it; `false` where a limit ends the computation.
fn mismatches(schemas: &Schemas, samples: &[Sample<'_>], limits: Limits) -> Vec<bool> {
    if samples.is_empty() {
        return Vec::new();
    }
    let mut schemas = schemas.clone();
    let nodes: Vec<(NodeId, NodeId)> = samples
        .iter()
        .map(|one| {
            let origin = origin(&schemas, one.node);
            let listed = At { origin, value: vec![one.value.clone()] };
            let only = add(&mut schemas, origin, Keywords { one_of_values: vec![listed], ..Keywords::default() });
            (one.node, all(&mut schemas, vec![one.node, only]))
        })
        .collect();
    let table = Table::new(&schemas);
    let is_mismatch = |(node, both): (NodeId, NodeId)| {
        let mut algebra = Algebra::new(&table, limits);
        let [node, both] = [algebra.value_of(node), algebra.value_of(both)];
        algebra.solve_all(&[node, both]).is_ok() && algebra.holds_something(node) && !algebra.holds_something(both)
    };
    nodes.into_iter().map(is_mismatch).collect()
}
