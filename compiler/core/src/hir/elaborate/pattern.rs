//! Compiles patterns that match whole texts, and warns of patterns that probably mean something else.

use std::ops::Range;

use ogc_grammar::doubts::{class_doubt, named_group};
use ogc_grammar::ogc::ast::Expr;
use ogc_grammar::{Code, Span};
use ogc_regular::pattern::{compile, compile_anchored, help_for_slashes};
use ogc_regular::{Dfa, Limits, budget};

use super::{Elaborator, EnvId};

impl<'db> Elaborator<'db> {
    /// Returns the automaton of a pattern that matches the whole text.
    pub(super) fn pattern(&mut self, expr: &Expr, pattern: &str, env: EnvId) -> Option<Dfa> {
        match compile_anchored(pattern, &Limits::default()) {
            Ok(dfa) => {
                if dfa.is_empty() {
                    self.warning(Code::EmptyPattern, expr.span, env, "no text matches this pattern as a whole").help =
                        Some(why_empty(pattern).to_owned());
                } else if let Some(help) = half_anchored(pattern, &dfa) {
                    let message = "a pattern matches the whole text, so that this anchor says nothing";
                    self.warning(Code::HalfAnchored, expr.span, env, message).help = Some(help.to_owned());
                } else {
                    self.doubts(expr, pattern, env);
                }
                Some(dfa)
            }
            Err(error) => {
                let message = error.to_string();
                let help = error.kind.help().map(str::to_owned);
                self.error(Code::Pattern, part(expr.span, pattern, error.span), env, message).help = help;
                None
            }
        }
    }

    /// Warns of a pattern that probably does not mean what its author intended.
    fn doubts(&mut self, expr: &Expr, pattern: &str, env: EnvId) {
        if let Some(doubt) = class_doubt(pattern) {
            let place = part(expr.span, pattern, doubt.place);
            self.warning(Code::DoubtfulPattern, place, env, doubt.message).help = Some(doubt.help);
        } else if let Some((group, name)) = named_group(pattern) {
            let message = format!("the group `{name}` captures nothing: a regex tells no parts");
            let help = format!(
                "in a rule write the parts one after another, `{name}: /.../`; a group without a name is `(?:...)`"
            );
            self.warning(Code::LostCapture, part(expr.span, pattern, group), env, message).help = Some(help);
        }
    }
}

/// Returns the place of a pattern's part in the item; the place of the whole pattern if escapes shift the offsets.
fn part(whole: Span, pattern: &str, part: Range<usize>) -> Span {
    match whole.len() as usize == pattern.len() + 2 && part.start < part.end {
        true => Span::of(part.start, part.end).shifted(whole.start + 1),
        false => whole,
    }
}

/// Returns the help for a pattern that no text matches: the probable reason, and how to fix it.
fn why_empty(pattern: &str) -> &'static str {
    if let Some(help) = help_for_slashes(pattern) {
        return help;
    }
    let body = pattern.strip_prefix("(?i)").unwrap_or(pattern);
    let body = body.strip_prefix('^').unwrap_or(body);
    if body.starts_with("(?<=") {
        return "nothing comes before the beginning, where this lookbehind looks: write what comes there into the pattern, or \
                in a type `string<search = /.../>`, which matches anywhere";
    }
    if ends_ahead(body) {
        return "nothing comes after the end, where this lookahead looks: write what comes there into the pattern, or in a \
                type `string<search = /.../>`, which matches anywhere";
    }
    "conditions in it exclude each other: look at its anchors, lookarounds, boundaries and classes"
}

/// Returns whether the pattern ends with a positive lookahead.
fn ends_ahead(pattern: &str) -> bool {
    let body = pattern.strip_suffix('$').unwrap_or(pattern);
    let Some(at) = body.rfind("(?=") else { return false };
    let inside = body.get(at + 1..).and_then(|rest| rest.strip_suffix(')'));
    inside.is_some_and(|inside| inside.matches('(').count() == inside.matches(')').count())
}

/// Returns the help for a pattern with an anchor that would match more texts if it were searched for, as other tools do
/// it: `/^x/`, `/^[A-Z]{3}/`, `/^a$|b/`, but not `/^x$/` and `/^x.*/`. Texts with line ends do not count, because `.`
/// matches none.
fn half_anchored(pattern: &str, whole: &Dfa) -> Option<&'static str> {
    let (start, end) = anchors(pattern);
    if !start && !end {
        return None;
    }
    // This check only serves a warning, so it neither fails the compilation nor uses its budget.
    if !budget::apart(|| matches_more(pattern, whole))? {
        return None;
    }
    Some(match (start, end) {
        (true, false) => {
            "for texts that begin so write `/x.*/`, in a type also `string<search = /^x/>`; otherwise leave out `^`"
        }
        (false, _) => {
            "for texts that end so write `/.*x/`, in a type also `string<search = /x$/>`; otherwise leave out `$`"
        }
        (true, true) => {
            "leave out `^` and `$`: `/a|b/` is one of the two; what may stand around them is written, as in `/x.*/`"
        }
    })
}

/// Limits of a comparison that only serves a warning; a pattern that needs more is not compared.
const COMPARED: Limits = Limits { states: 2_000, instructions: 20_000, depth: 100, work: 200_000 };

/// Returns whether some line contains a match of the pattern but does not match as a whole; `None` if deciding takes
/// too much work.
fn matches_more(pattern: &str, whole: &Dfa) -> Option<bool> {
    if whole.len() > COMPARED.states {
        return None;
    }
    let line = compile_anchored(".*", &COMPARED).ok()?;
    let searched = compile(pattern, &COMPARED).ok()?.intersect(&line, COMPARED.states).ok()?;
    Some(!searched.difference(whole, COMPARED.states).ok()?.is_empty())
}

/// Returns whether `^` and whether `$` is an anchor in a pattern, that is, neither escaped nor in a class.
fn anchors(pattern: &str) -> (bool, bool) {
    let (mut escaped, mut in_class) = (false, false);
    let (mut start, mut end) = (false, false);
    for c in pattern.chars() {
        let anchor = !escaped && !in_class;
        start |= anchor && c == '^';
        end |= anchor && c == '$';
        in_class = if escaped { in_class } else { c == '[' || in_class && c != ']' };
        escaped = c == '\\' && !escaped;
    }
    (start, end)
}
