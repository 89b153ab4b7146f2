//! Reports keys that are probably misspelled keywords, and keywords that cannot apply where they stand.
//!
//! The standard lets a schema have any key of its own. So a key is only reported if its name is close to the name of a
//! keyword, and its value is valid for that keyword.

use super::super::foreign_types::TYPE_NAMES;
use super::super::misspelling::{is_compared_name, is_other_name, meant};
use super::super::reader::{Read, Reader};
use super::super::report::FateKind;
use super::super::site::Site;
use super::super::value::type_names;
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::{Code, Diagnostic, Fix};
use ogc_schema::keyword::{Keyword, Subject};

/// Maximum number of unknown keys per schema that are compared with the keywords; a comparison takes up to 0.1 ms.
const COMPARED_KEYS: usize = 10_000;

impl<'a> Reader<'a> {
    /// Reads a key that no draft has: an annotation, or a misspelled keyword.
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
        // Beside the keyword itself, another tool's name for it is that tool's.
        let is_others = is_other_name(key) && site.get(meant).is_some();
        if is_others || self.is_no_schema(site) {
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
        if member.value.as_bool() != Some(true) || type_names(kind).any(|name| name == "null") {
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
        let mut names = type_names(kind).peekable();
        // Beside an unknown type, which has a finding of its own, it is unclear whether a keyword has any effect.
        let may_be_meant = |name: &str| wanted.contains(&name) || !TYPE_NAMES.contains(&name);
        if names.peek().is_none() || names.any(may_be_meant) {
            return Ok(());
        }
        let message = format!("`{key}` is about {values}, which the `type` here excludes, so it constrains nothing");
        let span = self.span(site.scope, member.key.span);
        let help = match type_names(kind).any(|name| name == "array") {
            true => format!("put it into `items` to say it of each item, or remove `{key}`"),
            false => format!("change `type`, or remove `{key}`"),
        };
        Err(self.refuse(Diagnostic::warning(Code::IdleKeyword, span, message).help(help)))
    }
}

/// Returns the types that a keyword is about, and the word for their values; `None` for keywords that generators write
/// beside any type.
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

/// Returns whether a keyword's value has an effect: generators write `false` and empty values, which mean nothing
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
