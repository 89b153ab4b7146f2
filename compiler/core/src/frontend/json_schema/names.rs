//! Lists the places where a schema names its definitions: keys of the root's `$defs` and `definitions`, and the names in
//! references to them.
//!
//! Only the tree is examined, and only references that editors need are resolved: pointers within the document itself.
//! Anchors and references to other documents name no definition.

use std::borrow::Cow;

use ogc_grammar::Span;
use ogc_grammar::json::{self, JsonKind, JsonValue, Member};
use ogc_schema::keyword::Operand;

use super::by_name::operand;
use super::options::Limits;
use super::uri;

/// One place where a schema names one of its definitions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DefinitionName {
    /// The name, escapes resolved.
    pub name: String,
    /// Place of the name, without quotes.
    pub span: Span,
    /// Whether it is the key under `$defs` or `definitions`.
    pub is_definition: bool,
}

/// Returns the names of definitions in a schema's text, in source order.
///
/// ```
/// use ogc_compiler::frontend::json_schema::{Limits, names};
/// let text = r##"{"$ref": "#/$defs/Age", "$defs": {"Age": {"type": "integer"}}}"##;
/// let found = names(text, Limits::default());
/// assert_eq!(found.iter().map(|one| one.span.start).collect::<Vec<_>>(), [18, 35]);
/// ```
#[must_use]
pub fn names(text: &str, limits: Limits) -> Vec<DefinitionName> {
    let (Some(root), _) = json::parse_with(text, limits.json()) else { return Vec::new() };
    let id = root.get("$id").or_else(|| root.get("id")).and_then(JsonValue::as_str).map(|id| uri::split_fragment(id).0);
    let mut names = Names { text, root: &root, id: id.unwrap_or_default(), found: Vec::new() };
    names.definitions();
    names.references();
    let mut found = names.found;
    found.sort_by_key(|name| name.span);
    found
}

struct Names<'a> {
    text: &'a str,
    root: &'a JsonValue,
    /// The URI of the root, as written.
    id: &'a str,
    found: Vec<DefinitionName>,
}

/// Keywords whose members are definitions.
const HOLDERS: [&str; 2] = ["$defs", "definitions"];

impl<'a> Names<'a> {
    fn definitions(&mut self) {
        let members = self.root.as_object().unwrap_or_default();
        for holder in members.iter().filter(|member| HOLDERS.contains(&member.key.value.as_str())) {
            for entry in holder.value.as_object().unwrap_or_default() {
                let span = unquoted(entry.key.span);
                self.found.push(DefinitionName { name: entry.key.value.clone(), span, is_definition: true });
            }
        }
    }

    /// Walks all schemas, each with its resource: the root, or an inner schema with a URI of its own.
    fn references(&mut self) {
        let mut open: Vec<(&'a JsonValue, &'a JsonValue, Option<Operand>)> =
            vec![(self.root, self.root, Some(Operand::Schema))];
        while let Some((value, resource, stands)) = open.pop() {
            match (&value.kind, stands) {
                (JsonKind::Object(members), Some(Operand::Schema | Operand::Items)) => {
                    let resource = if has_id(members) { value } else { resource };
                    for member in members {
                        self.reference(member, resource);
                        open.push((&member.value, resource, operand(&member.key.value)));
                    }
                }
                (JsonKind::Object(members), Some(Operand::Map)) => {
                    open.extend(members.iter().map(|member| (&member.value, resource, Some(Operand::Schema))));
                }
                (JsonKind::Array(items), Some(Operand::Schemas | Operand::Items)) => {
                    open.extend(items.iter().map(|item| (item, resource, Some(Operand::Schema))));
                }
                _ => {}
            }
        }
    }

    /// Adds the name in a reference to a definition of the root.
    fn reference(&mut self, member: &Member, resource: &JsonValue) {
        if !matches!(member.key.value.as_str(), "$ref" | "$dynamicRef") {
            return;
        }
        let Some(reference) = member.value.as_str() else { return };
        let (location, fragment) = uri::split_fragment(reference);
        let Some(fragment) = uri::percent_decode(fragment) else { return };
        let mut parts = fragment.split('/');
        let (Some(""), Some(holder), Some(name)) = (parts.next(), parts.next(), parts.next()) else { return };
        let name = unescape(name);
        let has = |schema: &JsonValue| schema.get(holder).is_some_and(|all| all.get(&name).is_some());
        let is_inner = !std::ptr::eq(resource, self.root) && location.is_empty() && has(resource);
        let is_here = location.is_empty() || !self.id.is_empty() && uri::resolve(self.id, location) == self.id;
        if !HOLDERS.contains(&holder) || is_inner || !is_here || !has(self.root) {
            return;
        }
        if let Some(span) = self.third_part(member.value.span) {
            self.found.push(DefinitionName { name: name.into_owned(), span, is_definition: false });
        }
    }

    /// Returns the place of the fragment's third part in a quoted reference. A slash may be written `\/`.
    fn third_part(&self, quoted: Span) -> Option<Span> {
        let inner = unquoted(quoted);
        let raw = inner.text(self.text);
        let fragment = raw.find('#')? + 1;
        let slashes: Vec<usize> = raw.match_indices('/').map(|(at, _)| at).filter(|at| *at >= fragment).collect();
        let start = slashes.get(1)? + 1;
        let end = slashes.get(2).copied().unwrap_or(raw.len());
        let end = if slashes.len() > 2 && raw.get(..end)?.ends_with('\\') { end - 1 } else { end };
        (start < end).then(|| Span::of(start, end).shifted(inner.start))
    }
}

fn has_id(members: &[Member]) -> bool {
    let is_id = |one: &&Member| matches!(one.key.value.as_str(), "$id" | "id");
    members.iter().find(is_id).and_then(|one| one.value.as_str()).is_some_and(|id| !id.starts_with('#'))
}

/// Returns the span of a string without its quotes.
fn unquoted(span: Span) -> Span {
    Span::new(span.start + 1, span.end.saturating_sub(1))
}

/// Resolves the escapes of a part of a pointer.
fn unescape(part: &str) -> Cow<'_, str> {
    if part.contains('~') { part.replace("~1", "/").replace("~0", "~").into() } else { part.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = names(text, Limits::default());
        let shown: Vec<String> = found
            .iter()
            .map(|one| format!("{}{} {}", if one.is_definition { "+" } else { "" }, one.name, one.span.text(text)))
            .collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn definition_keys_and_references_name_definitions() {
        check(
            r##"{"items": {"$ref": "#/definitions/A/properties/x"}, "definitions": {"A": true, "B": {"$ref": "#/definitions/A"}}}"##,
            &["A A", "+A A", "+B B", "A A"],
        );
        check(r##"{"$ref": "#\/$defs\/A\/items", "$defs": {"A": {}}}"##, &["A A", "+A A"]);
        check(r##"{"$ref": "#/$defs/a~1b%20c", "$defs": {"a/b c": {}}}"##, &["a/b c a~1b%20c", "+a/b c a/b c"]);
        check(r##"{"$id": "http://x/s.json", "$ref": "s.json#/$defs/A", "$defs": {"A": {}}}"##, &["A A", "+A A"]);
    }

    #[test]
    fn strings_elsewhere_name_no_definition() {
        check(r##"{"$ref": "#/$defs/B", "$defs": {"A": {}}}"##, &["+A A"]);
        check(r##"{"const": {"$ref": "#/$defs/A"}, "$defs": {"A": {}}}"##, &["+A A"]);
        check(r##"{"properties": {"$ref": {"const": "#/$defs/A"}}, "$defs": {"A": {}}}"##, &["+A A"]);
        check(r##"{"$ref": "other.json#/$defs/A", "$defs": {"A": {}}}"##, &["+A A"]);
        check(r##"{"not": {"$id": "x", "$defs": {"A": {}}, "$ref": "#/$defs/A"}, "$defs": {"A": {}}}"##, &["+A A"]);
        check("[1", &[]);
    }
}
