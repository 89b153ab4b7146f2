//! Reports keys that are no keywords, with the keyword that was probably meant, and keywords that cannot apply where
//! they stand.
//!
//! The standard lets a schema have any key of its own, so a key is only reported where its name is nearly that of a keyword
//! and its value is what that keyword takes.

use super::super::draft::{Draft, Position, life, position};
use super::super::reader::{Read, Reader};
use super::super::report::FateKind;
use super::{Site, is_assertion};
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::spelling::distance;
use ogc_grammar::{Code, Diagnostic, Fix};

/// The keywords that a slip is compared with: those that constrain.
const KEYWORDS: [&str; 48] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "then",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "$ref",
    // What other tools call them.
    "inclusiveMaximum",
    "inclusiveMinimum",
    "max",
    "maxlen",
    "min",
    "minlen",
    "ref",
    "regex",
];

/// Returns the keyword that a name of another tool stands for.
fn other_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "max" | "inclusiveMaximum" => "maximum",
        "maxlen" => "maxLength",
        "min" | "inclusiveMinimum" => "minimum",
        "minlen" => "minLength",
        "ref" => "$ref",
        "regex" => "pattern",
        _ => return None,
    })
}

impl<'a> Reader<'a> {
    /// Reads a key that no draft has: an annotation, or a slip.
    pub(super) fn unknown(&mut self, site: &Site<'a>, member: &'a Member) -> FateKind {
        let key = member.key.value.as_str();
        if key == "nullable" {
            return self.nullable(site, member);
        }
        if self.compared_keys == COMPARED_KEYS {
            return FateKind::Annotation;
        }
        self.compared_keys += 1;
        let Some(meant) = meant(key, &member.value, site.draft()) else { return FateKind::Annotation };
        if self.is_no_schema(site) {
            return FateKind::Annotation;
        }
        let message = format!("`{key}` is not a keyword of JSON Schema and constrains nothing");
        let finding = Diagnostic::warning(Code::MisspelledKeyword, self.span(site.scope, member.key.span), message);
        let finding = finding.help(format!("did you mean `{meant}`? a key that is meant as it is can begin with `x-`"));
        let is_here = site.scope.via.is_none() && site.get(meant).is_none();
        let fix = is_here.then(|| Fix::new(format!("write `{meant}`"), member.key.span, format!("\"{meant}\"")));
        self.refuse(finding.fix(fix))
    }

    /// Returns whether an object is probably a group of definitions, because no key in it is known.
    fn is_no_schema(&self, site: &Site<'a>) -> bool {
        let groups = site.members.iter().all(|member| matches!(member.value.kind, JsonKind::Object(_)));
        groups && !site.members.iter().any(|member| KEYWORDS.contains(&member.key.value.as_str()))
    }

    /// Reports `nullable: true` beside a `type` without null.
    fn nullable(&mut self, site: &Site<'a>, member: &'a Member) -> FateKind {
        let Some(kind) = site.get("type") else { return FateKind::Annotation };
        if member.value.as_bool() != Some(true) || names(kind).any(|name| name == "null") {
            return FateKind::Annotation;
        }
        let message = "`nullable` is a keyword of OpenAPI 3.0, not of JSON Schema, so null is not allowed here";
        let span = self.span(site.scope, member.key.span);
        let help = "list null as a type, as in `\"type\": [\"string\", \"null\"]`, or remove `nullable`";
        self.refuse(Diagnostic::warning(Code::ForeignKeyword, span, message).help(help))
    }

    /// Reports a keyword about values that the `type` beside it excludes.
    pub(in super::super) fn misplaced(&mut self, site: &Site<'a>, member: &Member) -> Read {
        let key = member.key.value.as_str();
        let Some((wanted, values)) = subject(key).filter(|_| says_something(&member.value)) else { return Ok(()) };
        let Some(kind) = site.get("type") else { return Ok(()) };
        let mut known = names(kind).peekable();
        if known.peek().is_none() || known.any(|name| wanted.contains(&name)) {
            return Ok(());
        }
        let message = format!("`{key}` is about {values}, which the `type` here excludes, so it constrains nothing");
        let span = self.span(site.scope, member.key.span);
        let help = match names(kind).any(|name| name == "array") {
            true => format!("put it into `items` to say it of each item, or remove `{key}`"),
            false => format!("change `type`, or remove `{key}`"),
        };
        Err(self.refuse(Diagnostic::warning(Code::IdleKeyword, span, message).help(help)))
    }
}

/// Returns the types that a `type` names.
fn names(kind: &JsonValue) -> impl Iterator<Item = &str> {
    let single = std::slice::from_ref(kind);
    kind.as_array().unwrap_or(single).iter().filter_map(JsonValue::as_str)
}

/// Returns the types that a keyword is about, and the word for such values.
fn subject(keyword: &str) -> Option<(&'static [&'static str], &'static str)> {
    Some(match keyword {
        "minLength" | "maxLength" | "pattern" => (&["string"], "strings"),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            (&["number", "integer"], "numbers")
        }
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains" => (&["array"], "arrays"),
        "properties" | "required" | "minProperties" | "maxProperties" | "patternProperties" | "propertyNames" => {
            (&["object"], "objects")
        }
        _ => return None,
    })
}

/// Returns whether a value says something: `false`, and what is empty, are written by generators and mean nothing
/// anywhere.
fn says_something(value: &JsonValue) -> bool {
    match &value.kind {
        JsonKind::Null | JsonKind::Bool(false) => false,
        JsonKind::Array(items) => !items.is_empty(),
        JsonKind::Object(members) => !members.is_empty(),
        JsonKind::String(text) => !text.is_empty(),
        JsonKind::Number(_) | JsonKind::Bool(true) => true,
    }
}

/// Returns the keyword of which a key is a misspelling.
pub(in super::super) fn meant(key: &str, value: &JsonValue, draft: Draft) -> Option<&'static str> {
    if key.len() > LONGEST || key.starts_with(['_', '/', '#']) || key.starts_with("x-") || key.starts_with("X-") {
        return None;
    }
    let written = plain(key);
    let like = |keyword: &&str| keyword.len().abs_diff(written.len()) <= REACH;
    let near = KEYWORDS.iter().copied().filter(like).filter_map(|keyword| {
        let is_plural = keyword.len() >= 4 && written.strip_suffix('s') == Some(keyword);
        let far = if is_plural { 0 } else { distance(&written, &plain(keyword), REACH) };
        let meant = match other_name(keyword) {
            Some(meant) => Some(meant).filter(|_| far == 0),
            None => Some(keyword).filter(|_| far <= reach(keyword)),
        };
        Some((far, meant?))
    });
    let alive = |keyword: &str| life(keyword).is_none_or(|(first, last)| first <= draft && draft <= last);
    near.filter(|(_, keyword)| alive(keyword) && takes(keyword, value)).min_by_key(|(far, _)| *far).map(|(_, one)| one)
}

/// The most unknown keys of a schema that are compared with the keywords; a comparison takes up to 0.1 ms.
const COMPARED_KEYS: usize = 10_000;

/// The most characters of a key that can be a misspelling.
const LONGEST: usize = 40;

/// The most edits that make a misspelling of any keyword.
const REACH: usize = 3;

/// Returns the most edits that make a misspelling of a keyword, letter case and separators aside. Short words are words
/// of their own.
fn reach(keyword: &str) -> usize {
    match keyword.len() {
        ..=4 => 0,
        5..=8 => 1,
        9..=13 => 2,
        _ => REACH,
    }
}

/// Returns the name without separators of words.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).collect()
}

/// Returns whether a value is what a keyword takes.
fn takes(keyword: &str, value: &JsonValue) -> bool {
    let is_type =
        |name: &str| matches!(name, "null" | "boolean" | "integer" | "number" | "string" | "array" | "object");
    let is_list_of_texts = |items: &[JsonValue]| !items.is_empty() && items.iter().all(|item| item.as_str().is_some());
    match (position(keyword), &value.kind) {
        (Position::Schema | Position::SchemaOrList, JsonKind::Bool(_) | JsonKind::Object(_)) => true,
        (Position::List | Position::SchemaOrList, JsonKind::Array(items)) => {
            items.iter().all(|item| item.as_object().is_some() || item.as_bool().is_some())
        }
        (Position::Map, JsonKind::Object(_)) => true,
        (Position::Other, kind) => match (keyword, kind) {
            ("type", _) => names(value).next().is_some() && names(value).all(is_type),
            ("enum", JsonKind::Array(_)) | ("const", _) => true,
            ("required", JsonKind::Array(items)) => is_list_of_texts(items),
            ("$ref" | "format" | "pattern", JsonKind::String(_)) | ("uniqueItems", JsonKind::Bool(_)) => true,
            (_, JsonKind::Number(_)) => is_assertion(keyword) && !matches!(keyword, "required" | "uniqueItems"),
            _ => false,
        },
        _ => false,
    }
}
