//! Arrays with their keywords.

use super::build::{
    any, argument, intersection, is_any, is_never, range, range_expr, repeated, setting, tuple, union, with, word,
};
use super::printer::Printer;
use ogc_grammar::Diagnostic;
use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_schema::source::{ArrayKeywords, Origin};

/// More lengths than this are not written out.
const LENGTHS: u64 = 16;

impl Printer<'_, '_> {
    /// The arrays that the keywords allow.
    pub(super) fn array(&mut self, keywords: &ArrayKeywords, origin: Origin) -> Expr {
        let mut parts = vec![self.items(keywords, origin)];
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

    fn items(&mut self, keywords: &ArrayKeywords, origin: Origin) -> Expr {
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
        let longest = if is_never(&items) { Some(prefix.len() as u64) } else { None };
        let longest = [longest, max].into_iter().flatten().min();
        let lengths = longest.filter(|longest| longest.saturating_sub(min) < LENGTHS && *longest < 4 * LENGTHS);
        let Some(longest) = lengths else {
            return self.no_tuple(origin);
        };
        let at = |index: u64| usize::try_from(index).ok().and_then(|index| prefix.get(index)).unwrap_or(&items).clone();
        union((min..=longest).map(|length| tuple((0..length).map(at).collect())).collect())
    }

    fn no_tuple(&mut self, origin: Origin) -> Expr {
        let message = "ogc has no type for arrays whose first items differ from an open number of others";
        let finding = Diagnostic::error("print-tuple", self.span(origin), message);
        self.say(finding.help("close the array with `items: false` or a small `maxItems`"));
        word("array")
    }
}

/// `items[min..max]`
fn list(items: Expr, min: u64, max: Option<u64>) -> Expr {
    if max.is_some_and(|max| min > max) {
        return super::build::never();
    }
    if is_never(&items) || max == Some(0) {
        return if min > 0 { super::build::never() } else { tuple(Vec::new()) };
    }
    if !is_any(&items) {
        return repeated(items, min, max);
    }
    let length = range(Some(&min).filter(|min| **min > 0), max.as_ref());
    with("array", length.map(range_expr).map(argument).into_iter().collect())
}
