//! Repairs repetitions in other languages' brackets: `{m,n}`, `(m,n)`, `[m,n]`, `[]` for `[m..n]`.
//!
//! In a type `[m..n]` is an array. So the meaning depends on the expression before: `string{1,5}` is `string<1..5>`,
//! `/[a-z]/{3}` is the pattern `/[a-z]{3}/`, and after another type braces may mean either.

use super::{ItemLexemes, made, phrases, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::Span;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    let around = item.around();
    let mut at = 0;
    while let Some(lexeme) = item.lexemes.get(at).copied() {
        match count_at(item, at) {
            Some(count) => {
                let meant = Meant::of(item, at, around.get(at).is_some_and(|around| around.value));
                report(item, at, &count, meant);
                push(item, at, &count, meant, &mut out);
                at += count.len;
            }
            None => {
                out.push(lexeme);
                at += 1;
            }
        }
    }
    item.lexemes = out;
}

/// A repetition in the wrong brackets.
struct Count<'t> {
    min: Option<Lexeme<'t>>,
    max: Option<Lexeme<'t>>,
    exact: bool,
    /// Whether the brackets contain something other than numbers and commas.
    foreign: bool,
    /// Number of tokens, including both brackets.
    len: usize,
}

impl Count<'_> {
    fn shown(&self) -> String {
        let text = |bound: Option<Lexeme<'_>>| bound.map_or("", |bound| bound.text).to_owned();
        let min = if self.min.is_none() && self.max.is_none() { "0".to_owned() } else { text(self.min) };
        if self.exact { min } else { format!("{min}..{}", text(self.max)) }
    }
}

impl Count<'_> {
    /// Returns the repetition as ogc writes it; as bounds, a number alone is both ends.
    fn meant(&self, meant: Meant) -> String {
        let shown = self.shown();
        if self.exact && meant == Meant::Bounds { format!("{shown}..{shown}") } else { shown }
    }
}

/// Returns the wrong repetition that begins at `at`, directly after an expression.
fn count_at<'t>(item: &ItemLexemes<'t>, at: usize) -> Option<Count<'t>> {
    // The brackets after `accept` are an array.
    let is_operand = |kind: TokenKind| kind.ends_expression() && !matches!(kind, TokenKind::Accept | TokenKind::Reject);
    let open = item.kind(at).filter(|_| item.before(at).is_some_and(is_operand))?;
    let close = open.closer().filter(|_| !matches!(open, TokenKind::Less | TokenKind::AttributeOpen))?;
    let number = |at: usize| item.lexemes.get(at).copied().filter(|lexeme| lexeme.kind == TokenKind::Number);
    if open == TokenKind::LeftBracket
        && let Some(count) = named_count(item, at).or_else(|| worded_count(item, at))
    {
        return Some(count);
    }
    let min = number(at + 1);
    let comma = at + 1 + usize::from(min.is_some());
    if item.kind(comma) == Some(close) {
        let exact = min.is_some();
        let wrong = if exact { open == TokenKind::LeftBrace } else { open == TokenKind::LeftBracket };
        return wrong.then_some(Count { min, max: None, exact, foreign: false, len: comma + 1 - at });
    }
    if open == TokenKind::LeftBracket
        && let Some(count) = foreign_count(item, at, min)
    {
        return Some(count);
    }
    let dots = open == TokenKind::LeftBrace && item.kind(comma) == Some(TokenKind::Dots);
    if item.kind(comma) != Some(TokenKind::Comma) && !dots {
        return None;
    }
    let max = number(comma + 1);
    let end = comma + 1 + usize::from(max.is_some());
    let some = min.is_some() || max.is_some();
    (some && item.kind(end) == Some(close)).then_some(Count {
        min,
        max,
        exact: false,
        foreign: false,
        len: end + 1 - at,
    })
}

/// Reads `[min = m, max = n]`, or only one of the two.
fn named_count<'t>(item: &ItemLexemes<'t>, at: usize) -> Option<Count<'t>> {
    let (mut min, mut max, mut next) = (None, None, at + 1);
    loop {
        let sign = matches!(item.kind(next + 1), Some(TokenKind::Equals | TokenKind::Colon));
        let value = item.lexemes.get(next + 2).copied().filter(|value| sign && value.kind == TokenKind::Number)?;
        match item.text(next) {
            "min" | "minItems" | "min_items" | "min_length" => min = Some(value),
            "max" | "maxItems" | "max_items" | "max_length" => max = Some(value),
            _ => return None,
        }
        match item.kind(next + 3)? {
            TokenKind::Comma => next += 4,
            TokenKind::RightBracket => {
                return Some(Count { min, max, exact: false, foreign: true, len: next + 4 - at });
            }
            _ => return None,
        }
    }
}

/// Reads `[5 or more]`, `[at least 5]` and other counts in words.
fn worded_count<'t>(item: &ItemLexemes<'t>, at: usize) -> Option<Count<'t>> {
    let (condition, end) = phrases::range(item, at + 1)?;
    let worded = (at + 1..end).any(|at| item.kind(at) == Some(TokenKind::Name));
    if !worded || item.kind(end) != Some(TokenKind::RightBracket) {
        return None;
    }
    let (low, high) = condition.ends()?;
    let number = |text: &str| {
        let is_number = |one: &&Lexeme<'t>| one.kind == TokenKind::Number && one.text == text;
        item.lexemes.get(at + 1..end)?.iter().find(is_number).copied()
    };
    let (min, max) = (number(low), number(high));
    let exact = low == high;
    Some(Count { min, max: if exact { None } else { max }, exact, foreign: true, len: end + 1 - at })
}

/// Reads `[m-n]`, `[m:n]`, `[m+]`, `[*]`, `[+]` or `[m..*]`.
fn foreign_count<'t>(item: &ItemLexemes<'t>, at: usize, min: Option<Lexeme<'t>>) -> Option<Count<'t>> {
    let sign = at + 1 + usize::from(min.is_some());
    let foreign = |max, len| Count { min, max, exact: false, foreign: true, len };
    let closes = |at: usize| item.kind(at) == Some(TokenKind::RightBracket);
    match (item.kind(sign)?, item.kind(sign + 1)) {
        (TokenKind::Star, _) if closes(sign + 1) && min.is_none() => Some(foreign(None, sign + 2 - at)),
        (TokenKind::Plus, _) if closes(sign + 1) => {
            let one = min.or_else(|| Some(made(TokenKind::Number, "1", item.lexemes.get(at))));
            Some(Count { min: one, max: None, exact: false, foreign: true, len: sign + 2 - at })
        }
        (TokenKind::Dots, Some(TokenKind::Star)) if closes(sign + 2) => Some(foreign(None, sign + 3 - at)),
        // With a space before it, `[0-9]` is a class of another language.
        (TokenKind::Minus | TokenKind::Colon, Some(TokenKind::Number))
            if closes(sign + 2) && min.is_some() && item.touches(at) =>
        {
            Some(foreign(item.lexemes.get(sign + 1).copied(), sign + 3 - at))
        }
        _ => None,
    }
}

/// The meaning of a repetition in the wrong brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meant {
    /// `[m..n]`
    Times,
    /// `<m..n>`: the bounds of a type.
    Bounds,
    /// `{m,n}` inside of the regex before it.
    Inside,
    /// An array or a longer text; the two cannot be distinguished.
    Either,
}

impl Meant {
    fn of(item: &ItemLexemes<'_>, at: usize, value: bool) -> Meant {
        let name = at.checked_sub(1).map_or("", |before| item.text(before));
        match item.kind(at) {
            Some(TokenKind::LeftParen) if item.touches(at) && takes_range(name) => Meant::Bounds,
            Some(TokenKind::LeftBrace) if name == "string" => Meant::Bounds,
            Some(TokenKind::LeftBrace) if value && item.before(at) == Some(TokenKind::Regex) => Meant::Inside,
            Some(TokenKind::LeftBrace) if value || takes_range(name) => Meant::Either,
            _ => Meant::Times,
        }
    }
}

fn report(item: &mut ItemLexemes<'_>, at: usize, count: &Count<'_>, meant: Meant) {
    let span = item.span(at).merge(item.span(at + count.len - 1));
    let (right, name) = (count.meant(meant), at.checked_sub(1).map_or("", |before| item.text(before)));
    let braces = item.kind(at) == Some(TokenKind::LeftBrace);
    let found = match meant {
        Meant::Bounds if braces => {
            let found = Diagnostic::error(Code::WrongRepetition, span, "the bounds of a type stand in `<` and `>`");
            found.help(format!("write `{name}<{right}>` for how many characters it has"))
        }
        Meant::Bounds => {
            let found = Diagnostic::error(Code::Call, span, "parameters stand in `<` and `>`");
            found.help(format!("write `{name}<{right}>`"))
        }
        Meant::Inside => {
            let message = "in a type, what is repeated stands inside of the regex";
            Diagnostic::error(Code::WrongRepetition, span, message).help(format!("write `{}`", repeated(name, count)))
        }
        Meant::Either => {
            let message = "braces repeat nothing here";
            let help = format!("an array is `{name}[{right}]`; the bounds of a value are `int<0..9>`, `string<1..80>`");
            Diagnostic::error(Code::WrongRepetition, span, message).help(help)
        }
        Meant::Times if item.kind(at) == Some(TokenKind::LeftBracket) => bounds(span, &right, count),
        Meant::Times => {
            let written = if braces { "{m,n}" } else { "(m,n)" };
            let message = format!("repetition is written `[m..n]`, not `{written}`");
            Diagnostic::error(Code::WrongRepetition, span, message).help(format!("write `[{right}]`"))
        }
    };
    // A comment between the brackets would be lost.
    let fix = if commented(item, at, count) { None } else { correction(item, at, count, meant) };
    let array = || Fix::instead(span, format!("[{}]", count.meant(meant)));
    let guess = (meant == Meant::Either && !commented(item, at, count)).then(array);
    item.report(found.fix(fix).guess(guess));
}

fn correction(item: &ItemLexemes<'_>, at: usize, count: &Count<'_>, meant: Meant) -> Option<Fix> {
    let span = item.span(at).merge(item.span(at + count.len - 1));
    let written = match meant {
        Meant::Times => format!("[{}]", count.shown()),
        Meant::Bounds => format!("<{}>", count.meant(meant)),
        Meant::Inside => {
            let written = repeated(at.checked_sub(1).map_or("", |before| item.text(before)), count);
            return Some(Fix::new(format!("write `{written}`"), item.span(at - 1).merge(span), written));
        }
        Meant::Either => return None,
    };
    Some(Fix::new(format!("write `{written}`"), span, written))
}

/// Returns a regex literal with the repetition inside.
fn repeated(regex: &str, count: &Count<'_>) -> String {
    let body = regex.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).unwrap_or(regex);
    let text = |bound: Option<Lexeme<'_>>| bound.map_or_else(String::new, |bound| bound.text.to_owned());
    let times = match (count.exact, count.min.is_some()) {
        (true, _) => text(count.min),
        (false, false) => format!("0,{}", text(count.max)),
        (false, true) => format!("{},{}", text(count.min), text(count.max)),
    };
    if is_atom(body) { format!("/{body}{{{times}}}/") } else { format!("/(?:{body}){{{times}}}/") }
}

/// Returns whether a repetition after the pattern would apply to the whole pattern: one character, escape or class.
fn is_atom(body: &str) -> bool {
    let class = body.strip_prefix('[').and_then(|rest| rest.find(']').map(|at| at + 2 == body.len())).unwrap_or(false);
    let escape = body.strip_prefix('\\').is_some_and(|rest| rest.chars().count() == 1);
    class || escape || body.chars().count() == 1
}

/// Returns whether more than white space stands between the tokens of the count at `at`.
fn commented(item: &ItemLexemes<'_>, at: usize, count: &Count<'_>) -> bool {
    let tokens: usize = (at..at + count.len).map(|at| item.text(at).len()).sum();
    let span = item.span(at).merge(item.span(at + count.len - 1));
    span.len() as usize > tokens + 2 * count.len
}

fn bounds(span: Span, right: &str, count: &Count<'_>) -> Diagnostic {
    if count.foreign {
        let message = "a repetition is one number, or two joined by `..`, either of which may be left out";
        return Diagnostic::error(Code::WrongRepetition, span, message).help(format!("write `[{right}]`"));
    }
    if count.min.is_none() && count.max.is_none() {
        let found = Diagnostic::error(Code::EmptyBounds, span, "a repetition needs bounds");
        return found.help("write `[0..]` for any number, or better a greatest one, as in `[0..100]`");
    }
    let found = Diagnostic::error(Code::WrongRepetition, span, "the bounds of a repetition are joined by `..`");
    found.help(format!("write `[{right}]`"))
}

fn takes_range(name: &str) -> bool {
    matches!(name, "string" | "int" | "number" | "text")
}

fn push<'t>(item: &ItemLexemes<'t>, at: usize, count: &Count<'t>, meant: Meant, out: &mut Vec<Lexeme<'t>>) {
    let (open, close) = match meant {
        Meant::Bounds => (TokenKind::Less, TokenKind::Greater),
        Meant::Times => (TokenKind::LeftBracket, TokenKind::RightBracket),
        Meant::Inside | Meant::Either => return,
    };
    out.extend(item.lexemes.get(at).map(|lexeme| read_as(*lexeme, open)));
    if count.min.is_none() && count.max.is_none() {
        out.push(made(TokenKind::Number, "0", out.last()));
    }
    out.extend(count.min);
    if !count.exact {
        out.push(made(TokenKind::Dots, "..", out.last()));
    }
    out.extend(count.max);
    out.extend(item.lexemes.get(at + count.len - 1).map(|lexeme| read_as(*lexeme, close)));
}
