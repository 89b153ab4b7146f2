//! Exports annotations as doc comments and attributes.

use ogc_compiler::frontend::docs::{Docs, WHY_DEPRECATED};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Alternative, Argument, Attribute, Doc, Expr, ExprKind};
use ogc_schema::source::Value;

use super::build::{argument, expr, name, text};
use super::value::literal;

/// Cap on the written examples.
const EXAMPLES: usize = 8;

/// Cap on the nesting of a written value: readers of `.ogc` bound the nesting of expressions.
const DEPTH: usize = 16;

/// Returns the doc comments: the description's lines.
pub(super) fn comments(docs: &Docs) -> Vec<Doc> {
    docs.description.iter().flat_map(|text| text.trim().lines().map(clean)).map(doc).collect()
}

/// Returns a branch of a union with its docs.
pub(super) fn branch(docs: Option<&Docs>, branch: Expr) -> Alternative {
    let Some(docs) = docs else { return Alternative { docs: Vec::new(), expr: branch } };
    let attributes = attributes(docs);
    let said =
        if attributes.is_empty() { branch } else { expr(ExprKind::Attributed { attributes, item: Box::new(branch) }) };
    Alternative { docs: comments(docs), expr: said }
}

/// Returns the attributes `@title`, `@default`, `@examples`, `@deprecated`, and `@annotation` for keywords of other
/// tools.
pub(super) fn attributes(docs: &Docs) -> Vec<Attribute> {
    let mut out = Vec::new();
    let mut add = |key: &str, arguments: Vec<Argument>| {
        out.push(Attribute { name: name(key), arguments, span: Span::default() });
    };
    if let Some(title) = &docs.title {
        add("title", vec![argument(text(title))]);
    }
    if let Some(default) = docs.default.as_ref().filter(|default| is_shallow(default, DEPTH)) {
        add("default", vec![argument(literal(default))]);
    }
    let examples: Vec<Argument> = docs
        .examples
        .iter()
        .filter(|value| is_shallow(value, DEPTH))
        .take(EXAMPLES)
        .map(|value| argument(literal(value)))
        .collect();
    if !examples.is_empty() {
        add("examples", examples);
    }
    let why = docs.others.iter().find_map(|other| why(docs, other));
    if docs.deprecated {
        add("deprecated", why.into_iter().map(|why| argument(text(why))).collect());
    }
    for (key, value) in
        docs.others.iter().filter(|other| self::why(docs, other).is_none() && is_shallow(&other.1, DEPTH))
    {
        add("annotation", vec![argument(text(key)), argument(literal(value))]);
    }
    out
}

/// Returns the reason for a deprecation, if a keyword of another tool gives one.
fn why<'d>(docs: &Docs, (key, value): &'d (String, Value)) -> Option<&'d str> {
    match value {
        Value::String(why) if docs.deprecated && key == WHY_DEPRECATED => Some(why),
        _ => None,
    }
}

/// Returns whether a value nests at most `depth` levels.
fn is_shallow(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(_) | Value::Object(_) if depth == 0 => false,
        Value::Array(items) => items.iter().all(|item| is_shallow(item, depth - 1)),
        Value::Object(members) => members.iter().all(|(_, value)| is_shallow(value, depth - 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

fn doc(text: String) -> Doc {
    Doc { text, span: Span::default() }
}

/// Cleans a text to one line: control characters become spaces, and none are left at the end.
fn clean(line: &str) -> String {
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.trim_end().to_owned()
}
