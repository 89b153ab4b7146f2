//! Reports keys that are no keywords, with the keyword that was probably meant, and keywords that cannot apply where
//! they stand.
//!
//! The standard lets a schema have any key of its own, so a key is only reported where its name is nearly that of a keyword
//! and its value is what that keyword takes.

use super::super::by_name::Draft;
use super::super::reader::{Read, Reader};
use super::super::report::FateKind;
use super::Site;
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::spelling::distance;
use ogc_grammar::{Code, Diagnostic, Fix};
use ogc_schema::keyword::{Keyword, Operand, Subject};

/// Names that other tools use for keywords.
const OTHER_NAMES: [(&str, Keyword); 8] = [
    ("inclusiveMaximum", Keyword::Maximum),
    ("inclusiveMinimum", Keyword::Minimum),
    ("max", Keyword::Maximum),
    ("maxlen", Keyword::MaxLength),
    ("min", Keyword::Minimum),
    ("minlen", Keyword::MinLength),
    ("ref", Keyword::Ref),
    ("regex", Keyword::Pattern),
];

/// Returns whether a slip is compared with a keyword: those that constrain, but not with references that only few need.
fn is_compared(keyword: Keyword) -> bool {
    match keyword {
        Keyword::Ref => true,
        Keyword::DynamicRef | Keyword::RecursiveRef | Keyword::If => false,
        _ => keyword.constrains(),
    }
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
        groups && !site.members.iter().any(|member| is_compared_name(&member.key.value))
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
    pub(super) fn misplaced(&mut self, keyword: Keyword, site: &Site<'a>, member: &Member) -> Read {
        let key = keyword.name();
        let Some((wanted, values)) = subject(keyword).filter(|_| says_something(&member.value)) else { return Ok(()) };
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

/// Returns the types that a keyword is about, and the word for such values; `None` for keywords that generators write beside any type.
fn subject(keyword: Keyword) -> Option<(&'static [&'static str], &'static str)> {
    let is_told = !matches!(
        keyword,
        Keyword::Format
            | Keyword::ContentEncoding
            | Keyword::ContentMediaType
            | Keyword::ContentSchema
            | Keyword::AdditionalItems
            | Keyword::UnevaluatedItems
            | Keyword::MinContains
            | Keyword::MaxContains
            | Keyword::AdditionalProperties
            | Keyword::UnevaluatedProperties
            | Keyword::Dependencies
            | Keyword::DependentRequired
            | Keyword::DependentSchemas
    );
    match keyword.subject() {
        Subject::Strings if is_told => Some((&["string"], "strings")),
        Subject::Numbers if is_told => Some((&["number", "integer"], "numbers")),
        Subject::Arrays if is_told => Some((&["array"], "arrays")),
        Subject::Objects if is_told => Some((&["object"], "objects")),
        _ => None,
    }
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
    let keywords = Keyword::ALL.iter().filter_map(|&keyword| {
        let far = distance_to(keyword.name(), &written).filter(|_| is_compared(keyword))?;
        (far <= reach(keyword.name())).then_some((far, keyword))
    });
    let others = OTHER_NAMES.iter().filter(|(name, _)| distance_to(name, &written) == Some(0));
    let near = keywords.chain(others.map(|&(_, keyword)| (0, keyword)));
    let fits = |&(_, keyword): &(usize, Keyword)| keyword.life().has(draft) && takes(keyword, value);
    near.filter(fits).map(|(far, keyword)| (far, keyword.name())).min().map(|(_, name)| name)
}

/// Returns how many edits make a name of what was written, separators and a plural aside; `None` if they are many.
fn distance_to(name: &str, written: &str) -> Option<usize> {
    let is_plural = name.len() >= 4 && written.strip_suffix('s') == Some(name);
    let is_near = name.len().abs_diff(written.len()) <= REACH;
    is_near.then(|| if is_plural { 0 } else { distance(written, &plain(name), REACH) })
}

/// Returns whether a name is a keyword's that slips are compared with, or another tool's for one.
fn is_compared_name(name: &str) -> bool {
    Keyword::of_name(name).is_some_and(is_compared) || OTHER_NAMES.iter().any(|(other, _)| *other == name)
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
fn takes(keyword: Keyword, value: &JsonValue) -> bool {
    let is_type =
        |name: &str| matches!(name, "null" | "boolean" | "integer" | "number" | "string" | "array" | "object");
    let is_schema = |item: &JsonValue| item.as_object().is_some() || item.as_bool().is_some();
    match (keyword.operand(), &value.kind) {
        (Operand::Schema | Operand::Items, JsonKind::Bool(_) | JsonKind::Object(_)) => true,
        (Operand::Schemas | Operand::Items, JsonKind::Array(items)) => items.iter().all(is_schema),
        (Operand::Map | Operand::NamesMap, JsonKind::Object(_)) => true,
        (Operand::Types, _) => names(value).next().is_some() && names(value).all(is_type),
        (Operand::Values, JsonKind::Array(_)) | (Operand::Value, _) => true,
        (Operand::Names, JsonKind::Array(items)) => {
            !items.is_empty() && items.iter().all(|item| item.as_str().is_some())
        }
        (Operand::Reference | Operand::Format | Operand::String, JsonKind::String(_)) => true,
        (Operand::Bool, JsonKind::Bool(_)) | (Operand::Number, JsonKind::Number(_)) => true,
        _ => false,
    }
}
