//! Joins a misspelled keyword of a schema to the finding that nothing is allowed because of it: `property` in an object
//! that is closed and requires a key.

use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::{Code, Diagnostic, Span};

/// The keywords that declare the keys of an object.
const DECLARE: [&str; 3] = ["\"properties\"", "\"patternProperties\"", "\"additionalProperties\""];

/// Joins the findings of a file with this text; one about the misspelling is left.
pub(super) fn joined(text: &str, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let Some(tree) = relevant(&found).then(|| ogc_grammar::json::parse(text).0).flatten() else { return found };
    let declares = |one: &Diagnostic| {
        let written = one.fix.as_ref().and_then(|fix| fix.edits.first()).map(|(_, written)| written.as_str());
        one.code == Code::MisspelledKeyword && written.is_some_and(|written| DECLARE.contains(&written))
    };
    let misspelled: Vec<Diagnostic> = found.iter().filter(|one| declares(one)).cloned().collect();
    for cause in misspelled {
        let Some(object) = object_of(&tree, cause.span) else { continue };
        let Some(follower) = found.iter_mut().find(|one| follows(one, &object)) else { continue };
        follower.message = format!("{}; {}", follower.message, cause.message);
        (follower.span, follower.help, follower.fix) = (cause.span, cause.help.clone(), cause.fix.clone());
        found.retain(|one| *one != cause);
    }
    found
}

fn relevant(found: &[Diagnostic]) -> bool {
    let has = |code: Code| found.iter().any(|one| one.code == code);
    has(Code::MisspelledKeyword) && (has(Code::EmptyFormat) || has(Code::EmptyBranch))
}

/// Returns whether a finding says that an object is empty because its schema is closed.
fn follows(one: &Diagnostic, object: &Object<'_>) -> bool {
    let is_closing = |member: &Member, at: u32| {
        let whole = member.key.span.merge(member.value.span);
        let closes = matches!(member.key.value.as_str(), "additionalProperties" | "unevaluatedProperties");
        closes && (whole.start..whole.end).contains(&at)
    };
    let closes = |place: Span| object.members.iter().any(|member| is_closing(member, place.start));
    match one.code {
        Code::EmptyFormat => one.is_error() && one.labels.iter().any(|(place, _)| closes(*place)),
        Code::EmptyBranch => one.span == object.span,
        _ => false,
    }
}

/// An object of a schema's text.
struct Object<'v> {
    span: Span,
    members: &'v [Member],
}

/// Returns the object that has a key at a place. The parser's nesting limit bounds the recursion.
fn object_of(value: &JsonValue, key: Span) -> Option<Object<'_>> {
    match &value.kind {
        JsonKind::Object(members) => {
            if members.iter().any(|member| member.key.span == key) {
                return Some(Object { span: value.span, members });
            }
            members.iter().find_map(|member| object_of(&member.value, key))
        }
        JsonKind::Array(items) => items.iter().find_map(|item| object_of(item, key)),
        _ => None,
    }
}
