//! Simplifies schema objects to the usual style: definitions of `.ogc` files are conjunctions and unions of small
//! parts, for which a single object is often enough.
//!
//! Each function takes the members of an object whose parts are simplified already. Meaning and key order stay the
//! same.

use super::text::Json;
use crate::ogc::without_group;
use ogc_schema::keyword::{Keyword, Subject};

type Members = Vec<(String, Json)>;

/// Groups of keywords that interact. Schemas can be merged into one only if at most one of them has keywords of a
/// group.
const TOGETHER: [&[&str]; 3] = [
    &["properties", "patternProperties", "additionalProperties", "required"],
    &["prefixItems", "items"],
    &["contains", "minContains", "maxContains"],
];

/// Merges conjunctions and choices into the object itself, where the meaning stays the same.
pub(super) fn simple(mut members: Members) -> Members {
    null(&mut members);
    join(&mut members);
    types(&mut members);
    listed(&mut members);
    for (_, pattern) in members.iter_mut().filter(|(key, _)| key == "pattern") {
        if let Json::String(pattern) = pattern {
            *pattern = without_group(pattern);
        }
    }
    members
}

fn get<'m>(members: &'m Members, key: &str) -> Option<&'m Json> {
    members.iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

fn position(members: &Members, key: &str) -> Option<usize> {
    members.iter().position(|(known, _)| known == key)
}

/// Rewrites `"const": null` as a type.
fn null(members: &mut Members) {
    if get(members, "type").is_none()
        && let Some((key, value)) = members.iter_mut().find(|(key, value)| key == "const" && *value == Json::Null)
    {
        *key = "type".to_owned();
        *value = Json::text("null");
    }
}

/// Adds the `type` to a list of texts or whole numbers, as most authors do.
fn listed(members: &mut Members) {
    let Some(at) = position(members, "enum") else { return };
    let Json::Array(values) = &members[at].1 else { return };
    let mut names: Vec<&str> = values.iter().map(type_of).collect();
    names.sort_unstable_by_key(|name| *name == "null");
    names.dedup();
    let list = match names.as_slice() {
        [one @ ("string" | "integer")] => Json::text(one),
        [one @ ("string" | "integer"), "null"] => Json::Array(vec![Json::text(one), Json::text("null")]),
        _ => return,
    };
    if get(members, "type").is_none() {
        members.insert(at, ("type".to_owned(), list));
    }
}

fn type_of(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(literal) if literal.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) => "integer",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// Merges the schemas of `allOf` that are compatible into the object itself.
fn join(members: &mut Members) {
    let Some(at) = position(members, "allOf") else { return };
    let Json::Array(parts) = &members[at].1 else { return };
    let mut joined: Members = members.iter().filter(|(key, _)| key != "allOf").cloned().collect();
    let said = joined.len();
    if joined.iter().any(|(key, _)| !is_said(key)) {
        return;
    }
    for part in parts {
        let Json::Object(part) = part else {
            // `true` constrains nothing.
            if *part == Json::Bool(true) {
                continue;
            }
            return;
        };
        if part.iter().any(|(key, _)| is_said(key)) || !add_all(&mut joined, said, part) {
            return;
        }
    }
    *members = joined;
}

/// Adds the members of one more schema; returns whether they could be merged.
fn add_all(joined: &mut Members, said: usize, part: &Members) -> bool {
    let refers = |members: &[(String, Json)]| members.iter().any(|(key, _)| key == "$ref");
    let only_not = |members: &[(String, Json)]| members.iter().all(|(key, _)| key == "not");
    let constraints = &joined[said..];
    if refers(part) && !only_not(constraints) || refers(constraints) && !only_not(part) {
        return false;
    }
    let apart = |group: &&[&str]| {
        let has = |members: &[(String, Json)]| members.iter().any(|(key, _)| group.contains(&key.as_str()));
        has(constraints) && has(part)
    };
    if TOGETHER.iter().any(apart) || part.iter().any(|(key, _)| is_conditional(key)) {
        return false;
    }
    for (key, value) in part {
        match position(joined, key) {
            None => joined.push((key.clone(), value.clone())),
            Some(at) if key == "type" => match narrower(&joined[at].1, value) {
                Some(both) => joined[at].1 = both,
                None => return false,
            },
            Some(_) => return false,
        }
    }
    true
}

fn is_conditional(key: &str) -> bool {
    matches!(key, "if" | "then" | "else")
}

/// Returns the narrower of two types, if one includes the other.
fn narrower(one: &Json, other: &Json) -> Option<Json> {
    let (Json::String(first), Json::String(second)) = (one, other) else { return (one == other).then(|| one.clone()) };
    match (first.as_str(), second.as_str()) {
        _ if first == second => Some(one.clone()),
        ("number", "integer") | ("integer", "number") => Some(Json::text("integer")),
        _ => None,
    }
}

/// Rewrites a choice of types as a list of types, if at most one alternative has conditions, and these constrain only
/// its own type.
fn types(members: &mut Members) {
    let Some(at) = position(members, "anyOf") else { return };
    if members.iter().any(|(key, _)| key != "anyOf" && !is_said(key)) {
        return;
    }
    let Json::Array(arms) = &members[at].1 else { return };
    let mut names: Vec<&str> = Vec::new();
    let mut conditions: Option<(&str, &[(String, Json)])> = None;
    for arm in arms {
        let Json::Object(arm) = arm else { return };
        let Some(((key, Json::String(name)), rest)) = arm.split_first() else { return };
        if key != "type" || names.contains(&name.as_str()) {
            return;
        }
        names.push(name);
        if rest.is_empty() {
            continue;
        }
        if conditions.is_some() || !rest.iter().all(|(key, _)| is_about(key, name)) {
            return;
        }
        conditions = Some((name, rest));
    }
    let is_number = |name: &str| matches!(name, "integer" | "number");
    if names.iter().filter(|name| is_number(name)).count() > 1 {
        return;
    }
    let list = Json::Array(names.iter().map(|name| Json::text(name)).collect());
    let conditions = conditions.map(|(_, rest)| rest.to_vec()).unwrap_or_default();
    members.splice(at..=at, [("type".to_owned(), list)].into_iter().chain(conditions));
}

/// Returns whether a keyword constrains only values of a type.
fn is_about(key: &str, type_name: &str) -> bool {
    let Some(keyword) = Keyword::of_name(key).filter(|keyword| keyword.constrains()) else { return false };
    match keyword.subject() {
        Subject::Any => false,
        Subject::Strings => type_name == "string",
        Subject::Numbers => matches!(type_name, "integer" | "number"),
        Subject::Arrays => type_name == "array",
        Subject::Objects => type_name == "object",
    }
}

/// Returns whether a keyword has no effect on validity.
fn is_said(key: &str) -> bool {
    Keyword::of_name(key).is_some_and(|keyword| keyword.is_annotation() || keyword == Keyword::Id)
        || key == "deprecationMessage"
        || key.starts_with("x-")
}
