//! Adds a value to an `enum` of a schema.

use std::collections::BTreeMap;

use ogc_grammar::{Fix, Span};
use serde_json::value::RawValue;

use super::Subject;

/// Returns the correction that adds a value, if the subject's place is a schema with an `enum` that can hold it.
pub(super) fn add(subject: Subject<'_>, wanted: &str) -> Option<Fix> {
    let end = list_end(subject.text, subject.span, wanted)?;
    Some(Fix::new(format!("add `{wanted}`"), Span::of(end, end), format!(", {wanted}")))
}

/// Returns the end of the values of an `enum`. The span begins with a schema, with the `enum` in one, or with the name
/// of either.
fn list_end(text: &str, span: Span, wanted: &str) -> Option<usize> {
    let rest = text.get(span.start as usize..)?;
    let (name, value) = named(rest)?;
    if let Ok(keywords) = serde_json::from_str::<BTreeMap<String, &RawValue>>(value.get()) {
        let allows = match keywords.get("type").map(|types| types.get()) {
            None => true,
            Some(types) => wanted.starts_with('"') && types.contains("\"string\"") || types.contains("\"null\""),
        };
        return keywords.get("enum").filter(|_| allows).and_then(|list| last_value(text, list));
    }
    if name.as_deref() == Some("enum") { last_value(text, value) } else { None }
}

/// Reads a value, and the name before it if there is one.
fn named(text: &str) -> Option<(Option<String>, &RawValue)> {
    let first = value(text)?;
    let behind = text.get(offset(text, first)? + first.get().len()..)?;
    match (behind.trim_start().strip_prefix(':'), serde_json::from_str::<String>(first.get())) {
        (Some(rest), Ok(name)) => Some((Some(name), value(rest)?)),
        _ => Some((None, first)),
    }
}

/// Reads the value at the beginning of a text.
fn value(text: &str) -> Option<&RawValue> {
    serde_json::Deserializer::from_str(text).into_iter::<&RawValue>().next()?.ok()
}

/// Returns the offset of a value in the text that it was read from.
fn offset(text: &str, value: &RawValue) -> Option<usize> {
    let at = value.get().as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    (at + value.get().len() <= text.len()).then_some(at)
}

/// Returns the end of the last value of a non-empty list.
fn last_value(text: &str, list: &RawValue) -> Option<usize> {
    let values: Vec<&RawValue> = serde_json::from_str(list.get()).ok()?;
    let last = values.last()?;
    Some(offset(text, last)? + last.get().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, at: &str, wanted: &str, expected: Option<&str>) {
        let start = text.find(at).expect("the place");
        let language = ogc_compiler::db::Language::JsonSchema;
        let fix = add(Subject { text, language, span: Span::of(start, start + at.len()) }, wanted);
        let fixed = fix.map(|fix| ogc_grammar::fix::apply(text, std::iter::once(&fix)).0);
        assert_eq!(fixed.as_deref(), expected, "{text}");
    }

    #[test]
    fn a_value_is_added_to_an_enum() {
        let of = |list: &str, types: &str| {
            format!("{{ \"properties\": {{ \"a\": {{ {types}\"enum\": [{list}] }}, \"b\": {{}} }} }}")
        };
        for at in ["{ \"enum\"", "\"a\"", "\"enum\""] {
            check(&of("\"x\", \"y\" ", ""), at, "\"z\"", Some(&of("\"x\", \"y\", \"z\" ", "")));
        }
        let string = "\"type\": \"string\", ";
        check(&of("\"x\"", string), "\"a\"", "\"z\"", Some(&of("\"x\", \"z\"", string)));
        check(&of("\"x\"", string), "\"a\"", "null", None);
        let either = "\"type\": [\"string\", \"null\"], ";
        check(&of("\"x\"", either), "\"a\"", "null", Some(&of("\"x\", null", either)));
        check(&of("", ""), "\"a\"", "\"z\"", None);
        check(&of("1", ""), "\"b\"", "\"z\"", None);
        check(&of("1", ""), "\"properties\"", "\"z\"", None);
    }
}
