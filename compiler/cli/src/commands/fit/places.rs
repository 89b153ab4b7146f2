//! Finds the place in the source of the part that refused a token.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::pipeline::{self, place_in};
use ogc_grammar::Span;

use super::kind::Kind;
use super::scan::JsonPlace;
use super::walk::Refusal;
use crate::session::Session;

/// A place in a source file.
pub(super) type SourcePlace = (SourceFile, Span);

/// Name of the rules for objects.
const OBJECT: &str = "object";

/// Name of the rules for arrays.
const ARRAY: &str = "array";

/// Returns the place of a refusal: the innermost rule with a place. If an object's value has no place of its own, the
/// place of its field.
pub(super) fn of(session: &Session, format: &pipeline::Format, refusal: &Refusal) -> Option<SourcePlace> {
    if refusal.kind.is_about_around()
        && let Some(around) = around(session, format, refusal)
    {
        return Some(around);
    }
    let frames = &refusal.position.frames;
    let at = frames.iter().position(|frame| place_in(&session.db, format, frame.origin).is_some())?;
    let (file, span) = place_in(&session.db, format, frames[at].origin)?;
    let is_space = matches!(refusal.kind, Kind::Space | Kind::NoSpace);
    let json = refusal.json.as_ref().filter(|_| !is_space);
    let is_of_object = match json.map(|json| json.place) {
        Some(JsonPlace::Value | JsonPlace::String | JsonPlace::Scalar) => frames[at].rule == OBJECT,
        _ => false,
    };
    let key = json.and_then(|json| json.key()).filter(|_| is_of_object);
    let field = key.and_then(|key| field(file.text(&session.db), file.language(&session.db), span, key));
    Some((file, field.unwrap_or(span)))
}

/// Returns the place of the innermost object or array around a refusal.
pub(super) fn around(session: &Session, format: &pipeline::Format, refusal: &Refusal) -> Option<SourcePlace> {
    let json = refusal.json.as_ref()?;
    let rule = if json.is_in_object() { OBJECT } else { ARRAY };
    let mut frames = refusal.position.frames.iter().filter(|frame| frame.rule == rule);
    frames.find_map(|frame| place_in(&session.db, format, frame.origin))
}

/// Returns the place of a whole format: the name of its definition, or the beginning of its file.
pub(super) fn start(session: &Session, format: &pipeline::Format) -> SourcePlace {
    let text = format.file.text(&session.db);
    let name = format.name.as_deref().unwrap_or_default();
    let found = ["output ", "type ", "rule "].into_iter().find_map(|word| {
        let head = format!("{word}{name}");
        let at = text.match_indices(&head).map(|(at, _)| at).find(|at| *at == 0 || text[..*at].ends_with('\n'))?;
        Some(Span::of(at + word.len(), at + head.len()))
    });
    (format.file, found.filter(|_| !name.is_empty()).unwrap_or(Span::of(0, 0)))
}

/// Returns the place where a record or schema declares a key, if the key is written only once there.
fn field(text: &str, language: Language, record: Span, key: &str) -> Option<Span> {
    let start = record.start as usize;
    let (from, to) = match language {
        Language::Ogc => (start, end_of_item(text, start)),
        Language::JsonSchema => (start, record.end as usize),
        _ => return None,
    };
    let part = text.get(from..to)?;
    let is_key = |at: usize| {
        let before = part[..at].chars().next_back();
        let behind = part[at + key.len()..].trim_start_matches(['"', '?']).trim_start();
        behind.starts_with(':') && !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    let mut found = part.match_indices(key).map(|(at, _)| at).filter(|at| is_key(*at));
    let (first, second) = (found.next()?, found.next());
    second.is_none().then(|| Span::of(from + first, from + first + key.len()))
}

/// Returns the end of the item around a place: the next item starts on a line of its own.
fn end_of_item(text: &str, from: usize) -> usize {
    let items = ["type ", "rule ", "output ", "import ", "test ", "policy "];
    let lines = text[from..].match_indices('\n').map(|(at, _)| from + at + 1);
    lines.into_iter().find(|at| items.iter().any(|item| text[*at..].starts_with(item))).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, language: Language, record: &str, key: &str, expected: Option<usize>) {
        let start = text.find(record).expect("the record");
        let found = field(text, language, Span::of(start, start + record.len()), key);
        assert_eq!(found.map(|span| span.start as usize), expected, "{text}");
    }

    #[test]
    fn a_field_is_located_only_if_its_definition_is_unique() {
        let text = "type A = {\n  name: string,\n  first_name?: string,\n}\ntype B = { age: int }\n";
        check(text, Language::Ogc, "A", "name", text.find("name"));
        check(text, Language::Ogc, "A", "first_name", text.find("first_name"));
        check(text, Language::Ogc, "A", "age", None);
        check("type A = { a: { x: int }, b: { x: int } }", Language::Ogc, "A", "x", None);
        let schema = r#"{"properties": {"name": {"type": "string"}}, "required": ["name"]}"#;
        check(schema, Language::JsonSchema, schema, "name", schema.find("name"));
    }
}
