//! Adds a literal to a union of literals in an `.ogc` file.

use ogc_grammar::{Fix, Span};

use super::Subject;

/// Returns the correction that adds a literal, if the subject's place is in a union of literals.
pub(super) fn add(subject: Subject<'_>, wanted: &str) -> Option<Fix> {
    let end = literals_end(subject.text, subject.span)?;
    Some(Fix::new(format!("add `{wanted}`"), Span::of(end, end), format!(" | {wanted}")))
}

/// Returns the end of a union of literals. The place of a refusal is one of the literals, or the field or item with
/// that type.
fn literals_end(text: &str, span: Span) -> Option<usize> {
    let start = span.start as usize;
    let rest = text.get(start..)?;
    let before = rest.find('"')?;
    let head = rest.get(..before)?.trim();
    let name = head.trim_end_matches(['=', ':', '?', ' ']);
    let is_head =
        head.is_empty() || name.chars().all(|c| c.is_alphanumeric() || c == '_') && head.ends_with([':', '=']);
    if !is_head {
        return None;
    }
    let (mut at, mut end) = (start + before, None);
    while let Some(length) = literal(text.get(at..)?) {
        end = Some(at + length);
        let behind = text.get(at + length..)?;
        let gap = behind.len() - behind.trim_start().len();
        let Some(next) = behind.trim_start().strip_prefix('|') else { break };
        at += length + gap + 1 + next.len() - next.trim_start().len();
    }
    end
}

/// Returns the length of the string literal or `null` at the beginning of a text.
fn literal(text: &str) -> Option<usize> {
    if text.starts_with("null") {
        return Some(4);
    }
    let inside = text.strip_prefix('"')?;
    let end = inside.find(['"', '\n', '\\'])?;
    inside[end..].starts_with('"').then_some(end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, at: &str, end: Option<&str>) {
        let start = text.find(at).expect("the place");
        let found = literals_end(text, Span::of(start, start + at.len()));
        assert_eq!(found.map(|end| &text[end..]), end, "{text}");
    }

    #[test]
    fn the_end_of_a_union_of_literals_is_located() {
        check("type A = { mood: \"happy\" | \"sad\", b: int }", "mood", Some(", b: int }"));
        check("type A = { mood: \"happy\" | \"sad\", b: int }", "\"sad\"", Some(", b: int }"));
        check("type Mood = \"happy\"\n  | \"sad\" | null\ntype B = int", "Mood", Some("\ntype B = int"));
        check("type A = { mood: Mood, b: \"x\" }", "mood", None);
        check("type A = { mood: string<1..4> }", "mood", None);
    }
}
