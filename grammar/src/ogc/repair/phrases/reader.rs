//! Reads conditions in words.

use crate::ogc::repair::ItemLexemes;
use crate::ogc::token::TokenKind;

/// A condition on a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ogc::repair) enum Condition<'t> {
    /// The ends of a range, one of which may be empty.
    Range(&'t str, &'t str),
    /// A pattern of the whole text.
    Pattern(&'t str),
    /// The values that are allowed.
    Choice(Vec<&'t str>),
}

impl<'t> Condition<'t> {
    /// Returns the ends of the range, if the condition is one; an open end is empty.
    pub(in crate::ogc::repair) fn ends(&self) -> Option<(&'t str, &'t str)> {
        match self {
            Condition::Range(low, high) => Some((low, high)),
            Condition::Pattern(_) | Condition::Choice(_) => None,
        }
    }

    /// Returns the type `name` with this condition; `None` if that type does not take it.
    pub(super) fn written(&self, name: &str) -> Option<String> {
        match self {
            Condition::Range(low, high) if matches!(name, "int" | "number" | "string") => {
                Some(format!("{name}<{low}..{high}>"))
            }
            Condition::Pattern(regex) if name == "string" => Some(format!("string<{regex}>")),
            _ => None,
        }
    }
}

/// Reads the condition at `at`; returns it with the index after it.
pub(super) fn condition<'t>(item: &ItemLexemes<'t>, at: usize) -> Option<(Condition<'t>, usize)> {
    let operand = at + 1;
    match item.text(at) {
        "matches" | "matching" | "match" | "like" if item.kind(operand) == Some(TokenKind::Regex) => {
            Some((Condition::Pattern(item.text(operand)), operand + 1))
        }
        "in" | "within" | "of" | "from" | "length" => range(item, operand)
            .or_else(|| range(item, at))
            .or_else(|| choice(item, operand).map(|(texts, end)| (Condition::Choice(texts), end))),
        _ => range(item, at),
    }
}

/// Reads bounds: `0..150`, `between 0 and 150`, `from 0 to 150`, `at least 5`, `5 or more`.
pub(in crate::ogc::repair) fn range<'t>(item: &ItemLexemes<'t>, at: usize) -> Option<(Condition<'t>, usize)> {
    let number = |at: usize| (item.kind(at) == Some(TokenKind::Number)).then(|| item.text(at));
    let two = |first: usize| {
        let joined = matches!(item.text(first + 1), "and" | "to" | "through" | "until" | ".." | "-" | ",");
        let (low, high) = (number(first)?, number(first + 2)?);
        joined.then_some((Condition::Range(low, high), first + 3))
    };
    match (item.text(at), item.text(at + 1)) {
        ("between" | "from", _) => two(at + 1).or_else(|| Some((Condition::Range(number(at + 1)?, ""), at + 2))),
        ("at", "least") => Some((Condition::Range(number(at + 2)?, ""), at + 3)),
        ("at", "most") | ("up", "to") => Some((Condition::Range("", number(at + 2)?), at + 3)),
        ("min" | "minimum", _) => Some((Condition::Range(number(at + 1)?, ""), at + 2)),
        ("max" | "maximum", _) => Some((Condition::Range("", number(at + 1)?), at + 2)),
        ("exactly", _) => number(at + 1).map(|count| (Condition::Range(count, count), at + 2)),
        ("..", _) => Some((Condition::Range("", number(at + 1)?), at + 2)),
        (low, "or") if number(at).is_some() => match item.text(at + 2) {
            "more" | "greater" | "longer" => Some((Condition::Range(low, ""), at + 3)),
            "less" | "fewer" | "shorter" => Some((Condition::Range("", low), at + 3)),
            _ => None,
        },
        (low, "..") if number(at).is_some() => two(at).or(Some((Condition::Range(low, ""), at + 2))),
        _ => two(at).filter(|_| item.text(at + 1) != ","),
    }
}

/// Reads literals with commas, `or` or bars between them, perhaps in brackets. A literal that is the key of a field does
/// not belong to them.
pub(super) fn choice<'t>(item: &ItemLexemes<'t>, at: usize) -> Option<(Vec<&'t str>, usize)> {
    use TokenKind::{
        Bar, Colon, Comma, Equals, False, LeftBrace, LeftBracket, LeftParen, Null, Number, Question, String, True,
    };
    let literal = |at: usize| {
        let kind = matches!(item.kind(at), Some(String | Number | True | False | Null));
        kind && !matches!(item.kind(at + 1), Some(Colon | Equals | Question))
    };
    let close = item.kind(at).filter(|open| matches!(open, LeftParen | LeftBracket | LeftBrace));
    let close = close.and_then(TokenKind::closer);
    let mut next = at + usize::from(close.is_some());
    let mut texts = Vec::new();
    loop {
        if !literal(next) {
            return None;
        }
        texts.push(item.text(next));
        let comma = usize::from(matches!(item.kind(next + 1), Some(Comma | Bar)));
        let or = usize::from(item.text(next + 1 + comma) == "or");
        if comma + or == 0 || !literal(next + 1 + comma + or) {
            break;
        }
        next += 1 + comma + or;
    }
    let trailing = close.is_some() && item.kind(next + 1) == Some(Comma);
    let end = next + 1 + usize::from(trailing);
    match close {
        Some(close) => (item.kind(end) == Some(close)).then_some((texts, end + 1)),
        None => Some((texts, end)),
    }
}
