//! Elaborates pattern keys, `[K]: V`: the set of strings `K` becomes a regular expression for `patternProperties`.
//!
//! A pattern key does not apply to declared keys, and JSON Schema searches for patterns anywhere in a key. So in a
//! record with the key `id`, `[/i.*/]: V` becomes `^(?!(?:(?:id))$)(?:i.*)$`.

use ogc_grammar::Code;
use ogc_grammar::ogc::ast::{Argument as Written, Expr, ExprKind};
use ogc_regular::Limits;
use ogc_regular::pattern::compile;
use ogc_schema::source::{At, Keywords, NodeId};

use super::literal::{anchored, quoted};
use super::reference::Meaning;
use super::{Elaborator, EnvId};
use crate::hir::builtin::{BuiltinKind, ValueKind};

impl<'db> Elaborator<'db> {
    /// Adds `[K]: V` to a record whose declared keys are `names`; it applies to all other keys in `K`.
    pub(super) fn pattern_key(
        &mut self,
        keywords: &mut Keywords,
        rest: &mut Option<At<NodeId>>,
        names: &[String],
        (key, value): (&'db Expr, &'db Expr),
        env: EnvId,
    ) {
        let origin = self.origin(key.span, env);
        let node = self.value(value, env);
        if self.is_opaque(key, env) {
            *rest = Some(At { origin, value: node });
            return;
        }
        if let Some(searched) = self.searched(key, env) {
            let pattern = without_found(&searched, names);
            keywords.object.pattern_properties.push((At { origin, value: pattern }, node));
            if let Some(before) = rest.take() {
                let all = without(ANY, names);
                keywords.object.pattern_properties.push((At { origin: before.origin, value: all }, before.value));
            }
            return;
        }
        let Some(pattern) = self.key_pattern(key, env) else { return };
        if pattern == ANY && keywords.object.pattern_properties.is_empty() && rest.is_none() {
            *rest = Some(At { origin, value: node });
            return;
        }
        let pattern = without(&pattern, names);
        keywords.object.pattern_properties.push((At { origin, value: pattern }, node));
        // An earlier rule for all other keys applies to these keys too.
        if let Some(before) = rest.take() {
            let all = without(ANY, names);
            keywords.object.pattern_properties.push((At { origin: before.origin, value: all }, before.value));
        }
    }

    /// Returns the pattern of a key `string<search = /.../>`, which may match anywhere in a key, as in JSON Schema.
    fn searched(&mut self, key: &'db Expr, env: EnvId) -> Option<String> {
        let (inner, inside) = self.unfolded(key, env);
        let ExprKind::Reference(reference) = &inner.kind else { return None };
        let [Written { name: Some(name), value, .. }] = reference.arguments.as_slice() else { return None };
        if name.text != "search" || !is_string(&self.meaning(reference, inside)) {
            return None;
        }
        let (value, _) = self.unfolded(value, inside);
        let ExprKind::Regex(pattern) = &value.kind else { return None };
        // A wrong pattern is reported where the condition is elaborated.
        compile(pattern, &Limits::default()).is_ok().then(|| pattern.clone())
    }

    /// Returns whether a key is `string - A - B`, where `A` and `B` are all the keys before it, so that it stands for
    /// all other keys.
    pub(super) fn is_rest(&mut self, key: &'db Expr, env: EnvId, before: &[(&'db Expr, &'db Expr, EnvId)]) -> bool {
        let (inner, inside) = self.unfolded(key, env);
        let ExprKind::Difference { kept, removed } = &inner.kind else { return false };
        if removed.len() != before.len() || self.key_pattern(kept, inside).is_none_or(|kept| kept != ANY) {
            return false;
        }
        let mut removed: Vec<Option<String>> = removed.iter().map(|one| self.key_pattern(one, inside)).collect();
        let mut others: Vec<Option<String>> = before.iter().map(|(key, _, env)| self.key_pattern(key, *env)).collect();
        removed.sort_unstable();
        others.sort_unstable();
        removed == others && others.iter().all(Option::is_some)
    }

    /// Returns a pattern that matches, as a whole, exactly the strings of an expression.
    fn key_pattern(&mut self, expr: &'db Expr, env: EnvId) -> Option<String> {
        let (inner, inside) = self.unfolded(expr, env);
        match &inner.kind {
            ExprKind::String(text) => Some(quoted(text)),
            ExprKind::Regex(pattern) => {
                self.pattern(inner, pattern, inside)?;
                Some(pattern.clone())
            }
            ExprKind::Union(arms) => {
                let arms: Vec<_> = arms.iter().map(|arm| self.key_pattern(&arm.expr, inside)).collect();
                Some(join(arms.into_iter().collect::<Option<Vec<_>>>()?, "|"))
            }
            ExprKind::Intersection(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.key_pattern(part, inside)).collect();
                let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
                let (last, init) = parts.split_last()?;
                let ahead: String = init.iter().map(|part| format!("(?=(?:{part})$)")).collect();
                Some(format!("{ahead}(?:{last})"))
            }
            ExprKind::Difference { kept, removed } => {
                let kept = self.key_pattern(kept, inside)?;
                let removed: Vec<_> = removed.iter().map(|one| self.key_pattern(one, inside)).collect();
                let removed = removed.into_iter().collect::<Option<Vec<_>>>()?;
                let ahead: String = removed.iter().map(|one| format!("(?!(?:{one})$)")).collect();
                Some(format!("{ahead}(?:{kept})"))
            }
            ExprKind::Reference(reference) => match self.meaning_reported(reference, inside) {
                meaning if is_string(&meaning) => self.string_pattern(&reference.arguments, inside),
                Meaning::Unknown => None,
                _ => self.no_key_set(expr, env),
            },
            _ => self.no_key_set(expr, env),
        }
    }

    /// Returns the pattern of `string<...>` with these arguments.
    fn string_pattern(&mut self, arguments: &'db [Written], env: EnvId) -> Option<String> {
        let mut conditions = Vec::new();
        for written in arguments {
            let (value, inside) = self.unfolded(&written.value, env);
            let pattern = match (&value.kind, written.name.as_ref().map(|name| name.text.as_str())) {
                (ExprKind::Range(range), None) => {
                    let ends = self.counts(range, inside);
                    let max = ends.max.map_or_else(String::new, |max| max.to_string());
                    format!("[\\s\\S]{{{},{max}}}", ends.min.unwrap_or(0))
                }
                (ExprKind::Regex(pattern), None) => pattern.clone(),
                (ExprKind::Regex(pattern), Some("search")) => format!("(?=[\\s\\S]*?(?:{pattern})){ANY}"),
                _ => return self.no_key_set(&written.value, env),
            };
            conditions.push(pattern);
        }
        let Some((last, init)) = conditions.split_last() else { return Some(ANY.to_owned()) };
        let ahead: String = init.iter().map(|one| format!("(?=(?:{one})$)")).collect();
        Some(if init.is_empty() { last.clone() } else { format!("{ahead}(?:{last})") })
    }

    /// Reports a key set that no pattern can describe.
    fn no_key_set(&mut self, expr: &Expr, env: EnvId) -> Option<String> {
        self.error(Code::KeySet, expr.span, env, "the keys here must be strings that a pattern can describe").help =
            Some("write a regex, a string, `string<...>` or a union of them; formats work in `map<K, V>`".to_owned());
        None
    }
}

/// A pattern that matches every string.
const ANY: &str = "[\\s\\S]*";

/// Joins patterns with a separator, each in a group.
fn join(parts: Vec<String>, sign: &str) -> String {
    parts.iter().map(|part| format!("(?:{part})")).collect::<Vec<_>>().join(sign)
}

/// Returns an anchored pattern for the keys that `pattern` matches as a whole, except the declared keys `names`.
fn without(pattern: &str, names: &[String]) -> String {
    let whole = anchored(pattern);
    let Ok(dfa) = compile(&whole, &Limits::default()) else { return whole };
    let declared: Vec<String> =
        names.iter().filter(|name| dfa.contains(name.as_bytes())).map(|name| quoted(name)).collect();
    if declared.is_empty() {
        return whole;
    }
    let (flag, rest) = pattern.strip_prefix("(?i)").map_or(("", pattern), |rest| ("(?i)", rest));
    format!("{flag}^(?!(?:{})$)(?:{rest})$", join(declared, "|"))
}

/// Returns a pattern for the keys that contain a match of `pattern`, except the keys `names`.
pub(super) fn without_found(pattern: &str, names: &[String]) -> String {
    let Ok(dfa) = compile(pattern, &Limits::default()) else { return pattern.to_owned() };
    let found: Vec<&str> = names.iter().map(String::as_str).filter(|name| dfa.contains(name.as_bytes())).collect();
    if found.is_empty() {
        return pattern.to_owned();
    }
    format!("{}(?=[\\s\\S]*?(?:{pattern}))", excluded(&found))
}

/// Returns a pattern for all keys except `names` and the keys that contain a match of any of `patterns`.
pub(super) fn all_but(names: &[&str], patterns: &[String]) -> String {
    let found: String = patterns.iter().map(|pattern| format!("(?![\\s\\S]*?(?:{pattern}))")).collect();
    format!("{}{found}", excluded(names))
}

/// Returns the beginning of a pattern for a key that is none of `names`.
fn excluded(names: &[&str]) -> String {
    match names {
        [] => "^".to_owned(),
        _ => format!("^(?!(?:{})$)", join(names.iter().map(|name| quoted(name)).collect(), "|")),
    }
}

/// Returns whether a name means the built-in `string`.
fn is_string(meaning: &Meaning<'_>) -> bool {
    matches!(meaning, Meaning::Builtin(builtin) if builtin.kind == BuiltinKind::Value(ValueKind::String))
}
