//! Exports patterns: those that match anywhere in a string, and those that match the whole string.

use super::build::{argument, expr, setting, text, with, word};
use ogc_grammar::ogc::ast::{Argument, Expr, ExprKind};
use ogc_regular::pattern::{PatternError, compile};
use ogc_regular::{Dfa, Limits};
use rustc_hash::FxHashMap;

/// Automata of the patterns that keys are matched with, each built once.
#[derive(Debug, Default)]
pub(super) struct Patterns<'g>(FxHashMap<&'g str, Result<Dfa, PatternError>>);

impl<'g> Patterns<'g> {
    /// Returns whether `pattern` matches anywhere in `text`.
    pub(super) fn matches(&mut self, pattern: &'g str, text: &str) -> Result<bool, String> {
        let dfa = self.0.entry(pattern).or_insert_with(|| compile(pattern, &Limits::default()));
        dfa.as_ref().map(|dfa| dfa.contains(text.as_bytes())).map_err(ToString::to_string)
    }
}

/// Builds the type of the strings in which `pattern` matches anywhere.
pub(super) fn strings(pattern: &str) -> Expr {
    match whole(pattern) {
        _ if is_idle(pattern) => word("string"),
        Some("") => text(""),
        Some(whole) => regex(whole),
        None => with("string", vec![setting("search", regex(pattern))]),
    }
}

/// Returns whether the pattern certainly matches every string, because it matches the empty string at any position.
pub(super) fn is_idle(pattern: &str) -> bool {
    matches!(pattern, "" | "^" | "$" | ".*" | "^.*" | ".*$" | "(.*)" | "^(.*)" | "[\\s\\S]*" | "^[\\s\\S]*$")
}

/// Builds the pattern as an argument of `string<...>`; `None` if it restricts nothing or needs an expression of its
/// own.
pub(super) fn condition(pattern: &str) -> Option<Argument> {
    match whole(pattern) {
        Some("") => None,
        _ if is_idle(pattern) => None,
        Some(whole) => Some(argument(regex(whole))),
        None => Some(setting("search", regex(pattern))),
    }
}

/// Returns a regex literal; line ends in the pattern are written as escapes.
fn regex(pattern: &str) -> Expr {
    let mut out = String::with_capacity(pattern.len());
    let mut escaped = false;
    for c in pattern.chars() {
        match c {
            '\n' | '\r' => out.push_str(match (c, escaped) {
                ('\n', false) => "\\n",
                ('\n', true) => "n",
                (_, false) => "\\r",
                (_, true) => "r",
            }),
            c => out.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    expr(ExprKind::Regex(out))
}

/// Returns the part between `^` and `$`, if these two anchor the whole pattern.
fn whole(pattern: &str) -> Option<&str> {
    let inner = pattern.strip_prefix('^')?.strip_suffix('$')?;
    (!has_flags(inner) && is_closed(inner)).then_some(inner)
}

fn has_flags(pattern: &str) -> bool {
    pattern.strip_prefix("(?").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// Simplifies `^(?:a)$` to `^a$`, if the group has no effect.
pub(crate) fn without_group(pattern: &str) -> String {
    let inner = pattern.strip_prefix("^(?:").and_then(|rest| rest.strip_suffix(")$"));
    match inner.filter(|inner| !has_flags(inner) && is_closed(inner) && is_balanced(inner)) {
        Some(inner) => format!("^{inner}$"),
        None => pattern.to_owned(),
    }
}

/// Returns whether no parenthesis closes before it opens.
fn is_balanced(pattern: &str) -> bool {
    let (mut depth, mut class, mut escaped) = (0i32, false, false);
    for c in pattern.chars() {
        match c {
            _ if escaped => {}
            '[' if !class => class = true,
            ']' => class = false,
            '(' if !class => depth += 1,
            ')' if !class => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
        escaped = c == '\\' && !escaped;
    }
    true
}

/// Returns whether `inner` has no alternation outside of parentheses, and does not end within an escape.
fn is_closed(inner: &str) -> bool {
    let (mut depth, mut class, mut escaped) = (0u32, false, false);
    for c in inner.chars() {
        match c {
            _ if escaped => {}
            '[' if !class => class = true,
            ']' => class = false,
            '(' if !class => depth += 1,
            ')' if !class => depth = depth.saturating_sub(1),
            '|' if !class && depth == 0 => return false,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    !escaped && !class && depth == 0
}

#[cfg(test)]
mod tests {
    use super::{whole, without_group};
    use ogc_regular::Limits;
    use ogc_regular::pattern::{compile, compile_anchored};

    #[test]
    fn redundant_groups_of_patterns_are_removed() {
        for (pattern, expected) in [
            ("^(?:[A-Z]{2})$", "^[A-Z]{2}$"),
            ("^(?:a|b)$", "^(?:a|b)$"),
            ("^(?:(?:a|b)c)$", "^(?:a|b)c$"),
            ("^(?:a)(?:b)$", "^(?:a)(?:b)$"),
            ("^(?:a\\)$", "^(?:a\\)$"),
            ("^(?:(?i)a)$", "^(?:(?i)a)$"),
        ] {
            assert_eq!(without_group(pattern), expected);
        }
    }

    #[test]
    fn fully_anchored_patterns_lose_their_anchors() {
        for (pattern, expected) in [
            ("^a+$", Some("a+")),
            ("^(a|b)[|$]\\|$", Some("(a|b)[|$]\\|")),
            ("^a\\\\$", Some("a\\\\")),
            ("^(?!x$)[a-z]*$", Some("(?!x$)[a-z]*")),
            ("^(?:a)?$", Some("(?:a)?")),
            ("^a|b$", None),
            ("^a\\$", None),
            ("^a", None),
            ("a$", None),
            ("^(a$", None),
        ] {
            assert_eq!(whole(pattern), expected, "{pattern}");
            if let Some(inner) = expected {
                let limits = Limits::default();
                let same = compile(pattern, &limits).unwrap() == compile_anchored(inner, &limits).unwrap();
                assert!(same, "{pattern}");
            }
        }
    }
}
