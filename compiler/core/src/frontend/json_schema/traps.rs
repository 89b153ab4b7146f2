//! Warnings about schemas that are legal but mean something else than they seem to say.

use super::foreign_types::TYPE_NAMES;
use super::reader::Reader;
use super::site::Site;
use super::undeclared::{UndeclaredKey, undeclared};
use super::value::{exact, type_names};
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::{Code, Diagnostic, Span, nearest};
use ogc_schema::source::Value;

/// Maximum number of keys of an object that are checked.
const KEYS: usize = 1_000;

impl<'a> Reader<'a> {
    /// Reports the traps in a schema object, unless a reference hides its keywords.
    pub(super) fn report_traps(&mut self, site: &Site<'a>) {
        if site.draft().hides_siblings() && site.get("$ref").is_some() {
            return;
        }
        self.undeclared_keys(site);
        self.lost_null(site);
        self.lost_values(site);
        self.lost_keys(site);
        self.idle_discriminator(site);
    }

    /// Records required keys that an object does not declare though it declares others. They are reported only after
    /// all schemas are read, because another part may declare them. If the schema constrains other keys, only a near
    /// miss of a declared key is recorded.
    fn undeclared_keys(&mut self, site: &Site<'a>) {
        let Some(properties) = site.get("properties").and_then(JsonValue::as_object) else { return };
        let elsewhere =
            ["$ref", "$dynamicRef", "$recursiveRef", "patternProperties", "propertyNames", "unevaluatedProperties"];
        if properties.is_empty() || properties.len() > KEYS || elsewhere.iter().any(|key| site.get(key).is_some()) {
            return;
        }
        let others = site.get("additionalProperties");
        if others.is_some_and(|others| others.as_bool() == Some(false)) {
            return;
        }
        let is_any = others.is_none_or(|others| others.as_bool() == Some(true));
        for name in site.get("required").and_then(JsonValue::as_array).unwrap_or_default().iter().take(KEYS) {
            let Some(key) = name.as_str().filter(|key| !properties.iter().any(|member| member.key.value == *key))
            else {
                continue;
            };
            let near = nearest(key, properties.iter().map(|member| member.key.value.as_str()));
            if self.undeclared.len() >= KEYS || near.is_none() && others.is_some() {
                continue;
            }
            let span = self.span(site.scope, name.span);
            let finding = undeclared_key(key, near, is_any, span);
            self.undeclared.push(UndeclaredKey { node: site.node, key: key.to_owned(), finding });
        }
    }

    /// Reports the recorded keys that no part declares.
    pub(super) fn report_undeclared_keys(&mut self) {
        let keys = std::mem::take(&mut self.undeclared);
        for finding in undeclared(&self.graph.nodes, keys) {
            self.say(finding);
        }
    }

    /// Reports a `type` that allows null beside an `enum` or `const` without null.
    fn lost_null(&mut self, site: &Site<'a>) {
        let Some(kind) = site.get("type").filter(|kind| type_names(kind).any(|name| name == "null")) else { return };
        let is_null = |value: &JsonValue| matches!(value.kind, JsonKind::Null);
        let lists_null = |member: &Member| match member.key.value.as_str() {
            "enum" => member.value.as_array().map(|values| values.iter().any(is_null)),
            "const" => Some(is_null(&member.value)),
            _ => None,
        };
        if kind.as_str().is_none() && site.members.iter().filter_map(lists_null).any(|lists| !lists) {
            let message = "null is one of the types here and none of the values, so it is refused";
            self.warn(
                site,
                Code::LostNull,
                kind.span,
                message.to_owned(),
                "add `null` to the values, or remove it from `type`".to_owned(),
            );
        }
    }

    /// Reports listed values that have none of the allowed types, unless all values do.
    fn lost_values(&mut self, site: &Site<'a>) {
        let (Some(kind), Some(values)) = (site.get("type"), site.get("enum").and_then(JsonValue::as_array)) else {
            return;
        };
        let is_nullable = site.get("nullable").and_then(JsonValue::as_bool) == Some(true);
        let names: Vec<&str> = type_names(kind).chain(is_nullable.then_some("null")).collect();
        if names.iter().any(|name| !TYPE_NAMES.contains(name)) || values.len() > KEYS {
            return;
        }
        let is_lost = |value: &&JsonValue| !names.iter().any(|name| is_of(value, name));
        let lost: Vec<&JsonValue> = values.iter().filter(is_lost).collect();
        let Some(first) = lost.first().filter(|_| lost.len() < values.len()) else { return };
        let (first_one, others) = (shown(first), lost.len() - 1);
        let message = match others {
            0 => format!("{first_one} is one of the values here and of none of the types, so it is refused"),
            _ => format!(
                "{first_one} and {others} more of the values here are of none of the types, so they are refused"
            ),
        };
        let help = format!("add {:?} to `type`, or remove it from the values", first.type_name());
        self.warn(site, Code::LostValue, first.span, message, help);
    }

    /// Reports keys of one object in an `allOf` that another, closed object in it excludes.
    fn lost_keys(&mut self, site: &Site<'a>) {
        let Some(arms) = site.members.iter().find(|member| member.key.value == "allOf") else { return };
        let resolved: Vec<&[Member]> =
            arms.value.as_array().unwrap_or_default().iter().filter_map(|arm| self.here(site, arm)).collect();
        let objects: Vec<&[Member]> = resolved.into_iter().chain([site.members]).take(KEYS).collect();
        let mut lost: Vec<&str> = Vec::new();
        for closed in objects.iter().filter(|object| is_closed(object)) {
            let others = objects.iter().filter(|other| other.as_ptr() != closed.as_ptr()).flat_map(|other| keys(other));
            for key in others.take(KEYS).filter(|key| !keys(closed).any(|known| known == *key)) {
                if !lost.contains(&key) {
                    lost.push(key);
                }
            }
        }
        if lost.is_empty() {
            return;
        }
        let named: Vec<String> = lost.iter().take(5).map(|key| format!("{key:?}")).collect();
        let more = if lost.len() > 5 { format!(" and {} more", lost.len() - 5) } else { String::new() };
        let message = format!(
            "closed objects of this `allOf` exclude keys of the others: {}{more} can never be written",
            named.join(", ")
        );
        let help = "remove `additionalProperties` from the parts, and write `\"unevaluatedProperties\": false` beside the `allOf`";
        self.warn(site, Code::LostKeys, arms.key.span, message, help.to_owned());
    }

    /// Reports a `discriminator` outside OpenAPI whose branches do not list the key's values themselves.
    fn idle_discriminator(&mut self, site: &Site<'a>) {
        let Some(member) = site.members.iter().find(|member| member.key.value == "discriminator") else { return };
        let Some(key) = member.value.get("propertyName").and_then(JsonValue::as_str) else { return };
        let arms = ["oneOf", "anyOf"].iter().filter_map(|name| site.get(name)?.as_array()).flatten();
        let lists = |arm: &JsonValue| {
            let property = self.here_value(site, arm).and_then(|schema| schema.get("properties")?.get(key));
            property.is_some_and(|property| property.get("const").is_some() || property.get("enum").is_some())
        };
        if site.scope.dialect.openapi.is_some() || arms.clone().all(lists) {
            return;
        }
        let message =
            "`discriminator` is a keyword of OpenAPI documents and constrains nothing in a JSON Schema".to_owned();
        let help = format!(
            "write the value of {key:?} into each branch, as in `\"properties\": {{{key:?}: {{\"const\": \"...\"}}}}`"
        );
        self.warn(site, Code::ForeignKeyword, member.key.span, message, help);
    }

    fn warn(&mut self, site: &Site<'a>, code: Code, span: Span, message: String, help: String) {
        let span = self.span(site.scope, span);
        self.say(Diagnostic::warning(code, span, message).help(help));
    }

    /// Returns a schema of the same document, following at most one reference.
    fn here_value(&self, site: &Site<'a>, schema: &'a JsonValue) -> Option<&'a JsonValue> {
        let Some(reference) = schema.get("$ref") else { return Some(schema) };
        let root = self.resources.document_root(site.scope.resource).and_then(|root| self.resources.get(root))?.root;
        let path = reference.as_str()?.strip_prefix("#/")?;
        path.split('/').try_fold(root, |at, token| at.get(&token.replace("~1", "/").replace("~0", "~")))
    }

    fn here(&self, site: &Site<'a>, schema: &'a JsonValue) -> Option<&'a [Member]> {
        self.here_value(site, schema)?.as_object()
    }
}

/// Returns whether a value is of the type with this name.
fn is_of(value: &JsonValue, name: &str) -> bool {
    match &value.kind {
        JsonKind::Null => name == "null",
        JsonKind::Bool(_) => name == "boolean",
        JsonKind::Number(_) => {
            let is_whole = || matches!(exact(value), Ok(Value::Number(number)) if number.is_integer());
            name == "number" || name == "integer" && is_whole()
        }
        JsonKind::String(_) => name == "string",
        JsonKind::Array(_) => name == "array",
        JsonKind::Object(_) => name == "object",
    }
}

fn shown(value: &JsonValue) -> String {
    match &value.kind {
        JsonKind::Null => "null".to_owned(),
        JsonKind::Bool(truth) => truth.to_string(),
        JsonKind::Number(literal) => literal.clone(),
        JsonKind::String(text) => format!("{text:?}"),
        JsonKind::Array(_) => "an array".to_owned(),
        JsonKind::Object(_) => "an object".to_owned(),
    }
}

fn undeclared_key(key: &str, near: Option<&str>, is_any: bool, span: Span) -> Diagnostic {
    let declare = format!("declare {key:?} in `properties`, with `true` if any value is meant");
    let help = match near {
        Some(near) => format!("did you mean {near:?}? else {declare}"),
        None => declare,
    };
    let message = match is_any {
        true => format!("{key:?} is required and not declared, so that it may have any value"),
        false => format!("{key:?} is required and not declared, so that it is one of the additional properties"),
    };
    Diagnostic::warning(Code::UndeclaredKey, span, message).help(help)
}

fn is_closed(members: &[Member]) -> bool {
    let is_false =
        |member: &Member| member.key.value == "additionalProperties" && member.value.as_bool() == Some(false);
    members.iter().any(is_false) && !members.iter().any(|member| member.key.value == "patternProperties")
}

fn keys(members: &[Member]) -> impl Iterator<Item = &str> {
    let properties = members.iter().find(|member| member.key.value == "properties");
    let properties = properties.and_then(|member| member.value.as_object()).unwrap_or_default();
    properties.iter().map(|member| member.key.value.as_str())
}
