//! Corrections of disagreements, where one is known: the policy of white space, and a missing alternative.

use ogc_compiler::db::Language;
use ogc_grammar::{Fix, Span, ogc};

use super::group::Group;
use super::kind::Kind;

/// The source that a finding is about.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) text: &'a str,
    pub(super) language: Language,
    pub(super) span: Span,
}

/// The white space that a model wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WantedSpace {
    None,
    Spaces,
    Lines,
}

impl WantedSpace {
    /// Returns the policy that has it.
    pub(super) fn policy(self) -> &'static str {
        match self {
            Self::None => "compact",
            Self::Spaces => "spaced",
            Self::Lines => "pretty",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::None => "no white space",
            Self::Spaces => "spaces",
            Self::Lines => "line breaks and spaces",
        }
    }
}

/// Returns the white space that a group is about.
pub(super) fn wanted_space(group: &Group) -> WantedSpace {
    if group.key.kind == Kind::NoSpace {
        return WantedSpace::None;
    }
    let lines: f64 = group.wanted.iter().filter(|(space, _)| space.contains('\n')).map(|(_, mass)| mass).sum();
    if lines > group.wanted.values().sum::<f64>() / 2.0 { WantedSpace::Lines } else { WantedSpace::Spaces }
}

/// Returns the correction of a group, if only one can be meant. It leaves a text without mistakes of notation.
pub(super) fn fix(group: &Group, subject: Subject<'_>) -> Option<Fix> {
    if subject.language != Language::Ogc {
        return None;
    }
    let fix = match group.key.kind {
        Kind::Space | Kind::NoSpace => set_space(subject.text, wanted_space(group).policy()),
        Kind::Value => add_alternative(group, subject),
        _ => None,
    }?;
    let (after, applied) = ogc_grammar::fix::apply(subject.text, std::iter::once(&fix));
    (!applied.is_empty() && ogc::notation(&after).is_empty()).then_some(fix)
}

/// Sets the policy of a file that has none of white space, or changes the one that it has.
fn set_space(text: &str, value: &str) -> Option<Fix> {
    let label = format!("set `space = \"{value}\"`");
    let mut set = text.match_indices("space = \"").map(|(at, word)| at + word.len());
    if let Some(at) = set.next() {
        let end = at + text[at..].find('"')?;
        let line = text[..at].rfind('\n').map_or(0, |line| line + 1);
        let is_only = set.next().is_none() && text[line..].starts_with("policy ") && !text.contains("@space");
        return is_only.then(|| Fix::new(label, Span::of(at, end), value));
    }
    if text.contains("@space") {
        return None;
    }
    let line = text.match_indices("policy ").map(|(at, _)| at).find(|at| *at == 0 || text[..*at].ends_with('\n'));
    match line {
        // What `ogc fit` has added to the file is not there.
        Some(at) if !text[at..].starts_with("policy escapes = \"canonical\"\n") || text[at..].lines().count() > 1 => {
            let at = at + "policy ".len();
            Some(Fix::new(label, Span::of(at, at), format!("space = \"{value}\", ")))
        }
        _ => Some(Fix::new(label, Span::of(0, 0), format!("policy space = \"{value}\"\n"))),
    }
}

/// Adds the literal that the model wants to a union of literals.
fn add_alternative(group: &Group, subject: Subject<'_>) -> Option<Fix> {
    let (wanted, share) = group.most_wanted(1).first().copied()?;
    let is_sure = share > 0.5;
    let is_literal = wanted == "null" || wanted.len() > 2 && wanted.starts_with('"') && wanted.ends_with('"');
    if !is_sure || !is_literal || wanted.contains('\\') {
        return None;
    }
    let end = literals_end(subject.text, subject.span)?;
    Some(Fix::new(format!("add `{wanted}`"), Span::of(end, end), format!(" | {wanted}")))
}

/// Returns where a union of literals ends: the place of a refusal is one of them, the field or the item whose type they are.
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

/// Returns the length of a literal of text or `null` at the beginning of a text.
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

    #[test]
    fn white_space_is_set_once() {
        let fixed =
            |text: &str| set_space(text, "spaced").map(|fix| ogc_grammar::fix::apply(text, std::iter::once(&fix)).0);
        let added = "policy space = \"spaced\"\noutput A = int\n";
        assert_eq!(fixed("output A = int\n").as_deref(), Some(added));
        let text = "// policy of all\npolicy order = \"any\"\noutput A = int\n";
        assert_eq!(fixed(text), Some(text.replace("policy order", "policy space = \"spaced\", order")));
        assert_eq!(fixed("policy space = \"compact\"\noutput A = int\n").as_deref(), Some(added));
        assert_eq!(fixed("output A = json<int, space = \"compact\">\n"), None);
        assert_eq!(
            fixed("output A = int\n\npolicy escapes = \"canonical\"\n").as_deref(),
            Some("policy space = \"spaced\"\noutput A = int\n\npolicy escapes = \"canonical\"\n")
        );
    }

    #[track_caller]
    fn check(text: &str, at: &str, end: Option<&str>) {
        let start = text.find(at).expect("the place");
        let found = literals_end(text, Span::of(start, start + at.len()));
        assert_eq!(found.map(|end| &text[end..]), end, "{text}");
    }

    #[test]
    fn unions_of_literals_are_known_to_their_end() {
        check("type A = { mood: \"happy\" | \"sad\", b: int }", "mood", Some(", b: int }"));
        check("type A = { mood: \"happy\" | \"sad\", b: int }", "\"sad\"", Some(", b: int }"));
        check("type Mood = \"happy\"\n  | \"sad\" | null\ntype B = int", "Mood", Some("\ntype B = int"));
        check("type A = { mood: Mood, b: \"x\" }", "mood", None);
        check("type A = { mood: string<1..4> }", "mood", None);
    }
}
