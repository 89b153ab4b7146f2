//! Reads keywords: dispatches each to its function, and reports those that constrain nothing.

mod applicators;
mod arrays;
mod general;
mod numbers;
mod objects;
mod operands;
mod references;
mod strings;
mod unknown;

pub(super) use unknown::meant;

use super::draft::{Draft, life};
use super::reader::{Read, Reader};
use super::report::FateKind;
use super::scope::Scope;
use ogc_grammar::json::{JsonValue, Member};
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{Keywords, NodeId};

/// A schema object that is being read.
#[derive(Debug)]
pub(super) struct Site<'a> {
    pub(super) members: &'a [Member],
    /// The scope inside the object.
    pub(super) scope: Scope,
    pub(super) node: NodeId,
    /// The JSON pointer of the object; empty unless a report is wanted.
    pub(super) pointer: String,
}

impl<'a> Site<'a> {
    /// Returns the value of the keyword called `key`.
    pub(super) fn get(&self, key: &str) -> Option<&'a JsonValue> {
        self.members.iter().find(|m| m.key.value == key).map(|m| &m.value)
    }

    pub(super) fn draft(&self) -> Draft {
        self.scope.dialect.draft
    }

    /// Returns the JSON pointer of a keyword here, or of an element in it.
    pub(super) fn pointer_to(&self, keyword: &str, token: Option<&str>) -> String {
        let escape = |token: &str| token.replace('~', "~0").replace('/', "~1");
        let element = token.map_or(String::new(), |token| format!("/{}", escape(token)));
        format!("{}/{}{element}", self.pointer, escape(keyword))
    }
}

impl<'a> Reader<'a> {
    /// Reads one keyword into `out`.
    pub(super) fn keyword(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Keywords) -> Read {
        let key = member.key.value.as_str();
        if life(key).is_some_and(|(first, last)| site.draft() < first || site.draft() > last) {
            return Err(self.foreign(site, member));
        }
        if !site.scope.dialect.assertions && is_assertion(key) {
            return Err(FateKind::Annotation);
        }
        match key {
            "type" => self.read_type(site, member, out),
            "enum" => self.read_enum(site, member, out),
            "const" => self.read_const(site, member, out),
            "$ref" | "$dynamicRef" | "$recursiveRef" => self.read_reference(site, member, out),
            "minLength" | "maxLength" | "pattern" | "format" | "contentEncoding" | "contentMediaType" => {
                self.string_keyword(site, member, &mut out.string)
            }
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                self.number_keyword(site, member, &mut out.number)
            }
            "items" | "prefixItems" | "additionalItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
            | "minContains" | "maxContains" | "unevaluatedItems" => self.array_keyword(site, member, &mut out.array),
            "properties"
            | "patternProperties"
            | "additionalProperties"
            | "propertyNames"
            | "required"
            | "minProperties"
            | "maxProperties"
            | "dependencies"
            | "dependentRequired"
            | "dependentSchemas"
            | "unevaluatedProperties" => self.object_keyword(site, member, &mut out.object),
            "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" => self.applicator(site, member, out),
            "$schema" => self.read_schema_keyword(site, member),
            "$id" | "$anchor" | "$dynamicAnchor" | "id" => self.read_name(site, member),
            "$defs" | "definitions" => {
                self.object(site, member)?;
                Err(match key == "$defs" && site.draft() < Draft::Draft2019 {
                    true => self.early_definitions(site, member),
                    false => FateKind::Annotation,
                })
            }
            _ if is_old(key) => Err(self.foreign(site, member)),
            _ if is_annotation(key) => Err(FateKind::Annotation),
            _ => Err(self.unknown(site, member)),
        }
    }

    /// Reads `$defs` in a draft that calls it `definitions`.
    fn early_definitions(&mut self, site: &Site<'a>, member: &Member) -> FateKind {
        let draft = site.draft().name();
        let message = format!("`$defs` is not a keyword of {draft}; references into it are followed all the same");
        let help = "write `definitions`, or name draft 2019-09 or a later one in `$schema`";
        let span = self.span(site.scope, member.key.span);
        self.refuse(Diagnostic::warning(Code::ForeignKeyword, span, message).help(help))
    }

    /// Reports a constraining keyword that this draft does not know.
    fn foreign(&mut self, site: &Site<'a>, member: &Member) -> FateKind {
        let key = &member.key.value;
        let draft = site.draft().name();
        let message = format!("`{key}` is not a keyword of {draft} and constrains nothing");
        let help = match (key.as_str(), life(key)) {
            ("extends", _) => "write `allOf`".to_owned(),
            ("disallow", _) => "write `not` with `type`".to_owned(),
            ("divisibleBy", _) => "write `multipleOf`".to_owned(),
            ("$recursiveRef", _) if site.draft() == Draft::Draft2020 => "write `$dynamicRef`".to_owned(),
            (_, Some((first, _))) => format!("name {} or a later draft in `$schema`, or remove it", first.name()),
            _ => "remove it".to_owned(),
        };
        let span = self.span(site.scope, member.key.span);
        self.refuse(Diagnostic::warning(Code::ForeignKeyword, span, message).help(help))
    }

    /// Reports a keyword beside a `$ref` that hides it.
    pub(super) fn hidden(&mut self, site: &Site<'a>, member: &Member) -> Read {
        let key = &member.key.value;
        if !is_constraint(key) {
            return Err(FateKind::Annotation);
        }
        let message = format!("`{key}` is ignored beside `$ref` by {}", site.draft().name());
        let help = "put the `$ref` into an `allOf`, or name draft 2019-09 or a later one in `$schema`";
        let span = self.span(site.scope, member.key.span);
        Err(self.refuse(Diagnostic::warning(Code::HiddenSibling, span, message).help(help)))
    }
}

/// Returns whether `key` belongs to the validation vocabulary.
fn is_assertion(key: &str) -> bool {
    matches!(
        key,
        "type"
            | "enum"
            | "const"
            | "minLength"
            | "maxLength"
            | "pattern"
            | "minimum"
            | "maximum"
            | "exclusiveMinimum"
            | "exclusiveMaximum"
            | "multipleOf"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
            | "minContains"
            | "maxContains"
            | "required"
            | "minProperties"
            | "maxProperties"
            | "dependentRequired"
    )
}

/// Returns whether `key` constrains in draft 3 alone.
pub(super) fn is_old(key: &str) -> bool {
    matches!(key, "extends" | "disallow" | "divisibleBy")
}

/// Returns whether `key` is an annotation of some draft.
pub(super) fn is_annotation(key: &str) -> bool {
    matches!(
        key,
        "title"
            | "description"
            | "default"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$comment"
            | "$vocabulary"
            | "$recursiveAnchor"
            | "contentEncoding"
            | "contentMediaType"
            | "contentSchema"
    )
}

/// Returns whether `key` constrains in some draft.
pub(crate) fn is_constraint(key: &str) -> bool {
    is_assertion(key)
        || life(key).is_some()
        || matches!(
            key,
            "format"
                | "items"
                | "additionalItems"
                | "properties"
                | "patternProperties"
                | "additionalProperties"
                | "dependencies"
                | "allOf"
                | "anyOf"
                | "oneOf"
                | "not"
        )
}
