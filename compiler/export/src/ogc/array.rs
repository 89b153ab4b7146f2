//! Exports arrays and their keywords.

use super::build::{
    any, argument, intersection, is_any, is_never, never, range, range_expr, repeated, setting, tuple, with, word,
};
use super::printer::Printer;
use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_schema::source::ArrayKeywords;

impl Printer<'_, '_> {
    /// Builds the type of the arrays that the keywords allow.
    pub(super) fn array(&mut self, keywords: &ArrayKeywords) -> Expr {
        let mut parts = vec![self.items(keywords)];
        if keywords.unique_items.is_some() {
            parts.push(with("array", vec![setting("unique", super::build::expr(ExprKind::Bool(true)))]));
        }
        parts.extend(self.contains(keywords));
        parts.retain(|part| *part != word("array"));
        if parts.is_empty() { word("array") } else { intersection(parts) }
    }

    fn contains(&mut self, keywords: &ArrayKeywords) -> Option<Expr> {
        let contains = keywords.contains.as_ref()?;
        let min = keywords.min_contains.as_ref().map_or(1, |min| min.value);
        let max = keywords.max_contains.as_ref().map(|max| max.value);
        if min == 0 && max.is_none() {
            return None;
        }
        let mut arguments = vec![setting("contains", self.value(contains.value))];
        if min != 1 || max.is_some() {
            let times = range(Some(&min).filter(|min| **min > 0 || max.is_none()), max.as_ref());
            arguments.extend(times.map(|times| setting("times", range_expr(times))));
        }
        Some(with("array", arguments))
    }

    fn items(&mut self, keywords: &ArrayKeywords) -> Expr {
        let min = keywords.min_items.as_ref().map_or(0, |min| min.value);
        let max = keywords.max_items.as_ref().map(|max| max.value);
        let items = keywords.items.as_ref().map_or_else(any, |items| self.value(items.value));
        let mut prefix: Vec<Expr> = keywords.prefix_items.iter().map(|node| self.value(*node)).collect();
        while prefix.last().is_some_and(|last| *last == items) {
            prefix.pop();
        }
        if prefix.is_empty() {
            return list(items, min, max);
        }
        if is_never(&items) && min > prefix.len() as u64 || max.is_some_and(|max| min > max) {
            return never();
        }
        prefix.truncate(max.and_then(|max| usize::try_from(max).ok()).unwrap_or(usize::MAX));
        open_tuple(prefix, items, min, max)
    }
}

/// Builds `tuple<prefix, rest = items, items = min..max>`, without arguments at their default.
fn open_tuple(prefix: Vec<Expr>, items: Expr, min: u64, max: Option<u64>) -> Expr {
    let count = prefix.len() as u64;
    if count == 0 {
        return tuple(prefix);
    }
    let rest = !is_never(&items) && max.is_none_or(|max| max > count);
    let max = max.filter(|_| rest);
    let mut arguments: Vec<_> = prefix.into_iter().map(argument).collect();
    if rest {
        arguments.push(setting("rest", items));
    }
    if min != count || max.is_some() {
        let lengths = range(Some(&min), max.as_ref());
        arguments.extend(lengths.map(|lengths| setting("items", range_expr(lengths))));
    }
    with("tuple", arguments)
}

/// Builds `items[min..max]`.
fn list(items: Expr, min: u64, max: Option<u64>) -> Expr {
    if max.is_some_and(|max| min > max) {
        return never();
    }
    if is_never(&items) || max == Some(0) {
        return if min > 0 { never() } else { tuple(Vec::new()) };
    }
    if !is_any(&items) {
        return repeated(items, min, max);
    }
    let length = range(Some(&min).filter(|min| **min > 0), max.as_ref());
    with("array", length.map(range_expr).map(argument).into_iter().collect())
}
