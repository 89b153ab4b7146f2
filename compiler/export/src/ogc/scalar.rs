//! Exports numbers and strings and their keywords.

use ogc_compiler::hir::Builtin;
use ogc_grammar::ogc::ast::{Argument, Expr};
use ogc_grammar::{Code, Diagnostic};
use ogc_regular::format::practical;
use ogc_regular::number::Decimal;
use ogc_schema::source::{At, NumberKeywords, StringKeywords};

use super::build::{argument, intersection, number as literal, range, range_expr, setting, with, word};
use super::mask::Mask;
use super::pattern;
use super::printer::Printer;

/// Builds the type of those numbers of `mask` that the keywords allow.
pub(super) fn number(keywords: &NumberKeywords, mask: Mask) -> Expr {
    if !mask.has(Mask::INT) {
        let numbers = number(keywords, Mask::NUMBER);
        return super::build::difference(numbers, vec![word("int")]);
    }
    let base = if mask.has(Mask::NUMBER) { "number" } else { "int" };
    let value = |bound: &Option<At<Decimal>>| bound.as_ref().map(|bound| bound.value.clone());
    let (min, max) = (value(&keywords.minimum), value(&keywords.maximum));
    if min.as_ref().zip(max.as_ref()).is_some_and(|(min, max)| min > max) {
        return super::build::never();
    }
    let is_whole = min.iter().chain(&max).all(Decimal::is_integer);
    let ends = range(min.as_ref(), max.as_ref()).map(range_expr).map(argument);
    let settings = [
        ("above", &keywords.exclusive_minimum),
        ("below", &keywords.exclusive_maximum),
        ("multiple_of", &keywords.multiple_of),
    ];
    let settings = settings.into_iter().filter_map(|(key, bound)| Some(setting(key, literal(&bound.as_ref()?.value))));
    if base == "int" && !is_whole {
        // The bounds of `int` are whole numbers; other bounds need a `number` in an intersection.
        let bounded = with("number", ends.into_iter().collect());
        return intersection(vec![with(base, settings.collect()), bounded]);
    }
    with(base, ends.into_iter().chain(settings).collect())
}

impl Printer<'_, '_> {
    /// Builds the type of the strings that the keywords allow.
    pub(super) fn string(&mut self, keywords: &StringKeywords) -> Expr {
        let practical = |format: &At<String>| {
            practical(&format.value).filter(|form| keywords.patterns.iter().any(|one| one.value == form.pattern))
        };
        let forms: Vec<_> = keywords.formats.iter().map(|format| (format, practical(format))).collect();
        let mut parts: Vec<Expr> =
            forms.iter().filter_map(|(format, form)| self.format(format, form.is_some())).collect();
        let min = keywords.min_length.as_ref().map(|min| min.value).filter(|min| *min > 0);
        let max = keywords.max_length.as_ref().map(|max| max.value);
        if max.is_some_and(|max| min > Some(max)) {
            return super::build::never();
        }
        let length = range(min.as_ref(), max.as_ref()).map(range_expr).map(argument);
        let mut patterns: Vec<&str> = keywords.patterns.iter().map(|pattern| pattern.value.as_str()).collect();
        let is_said = |pattern: &str| forms.iter().any(|(_, form)| form.is_some_and(|form| form.pattern == pattern));
        patterns.retain(|pattern| !pattern::is_idle(pattern) && !is_said(pattern));
        let mut arguments: Vec<Argument> = length.into_iter().collect();
        if !arguments.is_empty()
            && let Some(condition) = patterns.first().and_then(|first| pattern::condition(first))
        {
            arguments.push(condition);
            patterns.remove(0);
        }
        if !arguments.is_empty() {
            parts.push(with("string", arguments));
        }
        parts.extend(patterns.into_iter().map(pattern::strings));
        if parts.is_empty() { word("string") } else { intersection(parts) }
    }

    fn format(&mut self, format: &At<String>, is_practical: bool) -> Option<Expr> {
        let Some(known) = Builtin::of_format(&format.value, is_practical) else {
            let message = format!("ogc has no type for the format {:?}", format.value);
            let finding = Diagnostic::error(Code::PrintFormat, self.span(format.origin), message);
            self.say(finding.help("write a pattern instead of the format"));
            return None;
        };
        Some(word(known.name))
    }
}
