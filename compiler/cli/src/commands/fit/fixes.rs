//! Corrections of disagreements, where one is known: a policy that allows what the model wants, and a missing alternative.

mod enumerated;
mod literals;

use ogc_compiler::db::Language;
use ogc_grammar::{Fix, Span, ogc};
use serde::de::IgnoredAny;

use super::group::Group;
use super::kind::Kind;

/// The source text that a finding is about.
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
    /// Returns the policy that allows this white space.
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

/// Returns the white space that the model of a group wants.
pub(super) fn wanted_space(group: &Group) -> WantedSpace {
    if group.key.kind == Kind::NoSpace {
        return WantedSpace::None;
    }
    let lines: f64 = group.wanted.iter().filter(|(space, _)| space.contains('\n')).map(|(_, mass)| mass).sum();
    if lines > group.wanted.values().sum::<f64>() / 2.0 { WantedSpace::Lines } else { WantedSpace::Spaces }
}

/// Returns the correction of a group, if it is unambiguous. The corrected text has no syntax errors.
pub(super) fn fix(group: &Group, subject: Subject<'_>) -> Option<Fix> {
    let is_whole: fn(&str) -> bool = match subject.language {
        Language::Ogc => |text| ogc::notation(text).is_empty(),
        Language::JsonSchema => |text| serde_json::from_str::<IgnoredAny>(text).is_ok(),
        _ => return None,
    };
    let fix = match subject.language {
        Language::Ogc => policy_of(group)
            .and_then(|(name, value)| set_policy(subject.text, name, value))
            .or_else(|| alternative(group).and_then(|wanted| literals::add(subject, wanted))),
        _ => alternative(group).and_then(|wanted| enumerated::add(subject, wanted)),
    }?;
    let (after, applied) = ogc_grammar::fix::apply(subject.text, std::iter::once(&fix));
    (!applied.is_empty() && is_whole(&after)).then_some(fix)
}

/// Returns the policy that allows what a group is about, and its value.
fn policy_of(group: &Group) -> Option<(&'static str, &'static str)> {
    match group.key.kind {
        Kind::Space | Kind::NoSpace => Some(("space", wanted_space(group).policy())),
        Kind::Order => Some(("order", "any")),
        Kind::Escape => Some(("escapes", "any")),
        _ => None,
    }
}

/// Returns the literal that a model wants as a value: a text without escapes, or `null`.
fn alternative(group: &Group) -> Option<&str> {
    let (wanted, share) = group.most_wanted(1).first().copied().filter(|_| group.key.kind == Kind::Value)?;
    let is_literal = wanted == "null" || wanted.len() > 2 && wanted.starts_with('"') && wanted.ends_with('"');
    (share > 0.5 && is_literal && !wanted.contains('\\')).then_some(wanted)
}

/// The line that `ogc fit` adds to a file that says nothing of escapes.
const ADDED: &str = "policy escapes = \"canonical\"\n";

/// Sets a policy of a file that does not set it, or changes the value in the one item that does.
fn set_policy(text: &str, name: &str, value: &str) -> Option<Fix> {
    // What `ogc fit` has added is not in the file.
    let text = text.strip_suffix(ADDED).unwrap_or(text);
    let label = format!("set `{name} = \"{value}\"`");
    let written = format!("{name} = \"");
    let mut set = text.match_indices(&written).map(|(at, word)| at + word.len());
    if let Some(at) = set.next() {
        let end = at + text[at..].find('"')?;
        let line = text[..at].rfind('\n').map_or(0, |line| line + 1);
        let is_only = set.next().is_none() && text[line..].starts_with("policy ") && !is_attribute(text, name);
        return is_only.then(|| Fix::new(label, Span::of(at, end), value));
    }
    if is_attribute(text, name) {
        return None;
    }
    let line = text.match_indices("policy ").map(|(at, _)| at).find(|at| *at == 0 || text[..*at].ends_with('\n'));
    Some(match line.map(|at| at + "policy ".len()) {
        Some(at) => Fix::new(label, Span::of(at, at), format!("{name} = \"{value}\", ")),
        None => Fix::new(label, Span::of(0, 0), format!("policy {name} = \"{value}\"\n")),
    })
}

fn is_attribute(text: &str, name: &str) -> bool {
    text.contains(&format!("@{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_space_policy_is_added_or_replaced_but_never_duplicated() {
        let fixed = |text: &str| {
            set_policy(text, "space", "spaced").map(|fix| ogc_grammar::fix::apply(text, std::iter::once(&fix)).0)
        };
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

    #[test]
    fn a_policy_fix_is_offered_only_if_no_part_sets_that_policy() {
        let fixed = |text: &str, name, value| {
            set_policy(text, name, value).map(|fix| ogc_grammar::fix::apply(text, std::iter::once(&fix)).0)
        };
        let added = "policy order = \"any\"\noutput A = int\n";
        assert_eq!(fixed("output A = int\n", "order", "any").as_deref(), Some(added));
        assert_eq!(fixed("output A = @order(\"declared\") int\n", "order", "any"), None);
        let text = "output A = int\n\npolicy escapes = \"canonical\"\n";
        assert_eq!(fixed(text, "escapes", "any"), Some(format!("policy escapes = \"any\"\n{text}")));
        let own = "policy escapes = \"canonical\"\noutput A = int\n";
        assert_eq!(fixed(own, "escapes", "any"), Some(own.replace("canonical", "any")));
    }
}
