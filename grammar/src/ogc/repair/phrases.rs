//! Repairs conditions and choices in words: `int in 0..150`, `string matches /[a-z]+/`, `one of "a", "b"`, and choices
//! without bars: `size: 1, 2, 3`.
//!
//! In a value, two expressions cannot follow one another directly, so a word after a type has no other meaning.

mod reader;

pub(super) use self::reader::range;
use self::reader::{Condition, choice, condition};
use super::ItemLexemes;
use super::frames::Frame;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::part;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    if item.keyword() == Some(TokenKind::Test) {
        return;
    }
    let around = item.around();
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    let head = item.keyword_at() + 2;
    let mut at = 0;
    while let Some(lexeme) = item.lexemes.get(at).copied() {
        let place = around.get(at).copied().filter(|around| around.value && at >= head);
        let end = place.and_then(|place| {
            values(item, at, place.frame).or_else(|| one_of(item, at)).or_else(|| behind_type(item, at))
        });
        match end {
            Some((end, stand_in)) => {
                out.extend(stand_in.then_some(Lexeme { kind: TokenKind::Name, text: "any", ..lexeme }));
                at = end;
            }
            None => {
                out.push(lexeme);
                at += 1;
            }
        }
    }
    item.lexemes = out;
}

/// The index after the tokens of the reported phrase, and whether a type replaces them.
type Reported = (usize, bool);

/// Repairs `size: 1, 2, 3` and `size: 1 or 2` at the first literal.
fn values(item: &mut ItemLexemes<'_>, at: usize, frame: Frame) -> Option<Reported> {
    use TokenKind::{Colon, Comma, Equals, LeftBrace, LeftBracket, LeftParen};
    // Anywhere else, a comma may separate arguments.
    let alone = match item.before(at) {
        Some(Colon) => frame == Frame::Record,
        Some(Equals) => frame == Frame::Top,
        _ => item.kind(at) == Some(LeftBrace),
    };
    let begins = item.before(at).is_some_and(TokenKind::wants_expression);
    if !begins || matches!(item.kind(at), Some(LeftBracket | LeftParen)) {
        return None;
    }
    let (texts, end) = choice(item, at)?;
    let quoted = |text: &&str| text.starts_with(['"', '\'']);
    let alike = texts.iter().all(|text| quoted(text) == texts.first().is_some_and(quoted));
    let parts = |at: &usize| alone && item.kind(*at) == Some(Comma) || item.text(*at) == "or";
    let sign = (at..end).find(parts).filter(|_| alike)?;
    let written = texts.join(" | ");
    let fix = plain(item, at, end)
        .then(|| Fix::new(format!("write `{written}`"), item.span(at).merge(item.span(end - 1)), written.clone()));
    let message = format!("alternatives are separated by `|`, not `{}`", item.text(sign));
    let whole = item.span(at).merge(item.span(end - 1));
    let (code, place) = match item.kind(sign) {
        Some(Comma) => (Code::ExtraComma, item.span(sign)),
        _ => (Code::ForeignWord, whole),
    };
    let found = Diagnostic::error(code, place, message);
    item.report(found.help(format!("write `{written}`")).fix(fix));
    Some((end, true))
}

/// Repairs `one of "a", "b"` at the beginning of an expression.
fn one_of(item: &mut ItemLexemes<'_>, at: usize) -> Option<Reported> {
    let begins = item.before(at).is_none_or(|before| before.wants_expression());
    let words = match (item.text(at), item.text(at + 1)) {
        ("one" | "any" | "either" | "some", "of") => 2,
        ("either" | "oneof" | "oneOf" | "anyof" | "anyOf" | "enum" | "choice", _) => 1,
        _ => return None,
    };
    if !begins || item.kind(at) != Some(TokenKind::Name) {
        return None;
    }
    // `choice[3]` is an array of a type with this name.
    if item.kind(at + words) == Some(TokenKind::LeftBracket) && item.kind(at + words + 1) != Some(TokenKind::String) {
        return None;
    }
    let (texts, end) = choice(item, at + words)?;
    let said: Vec<&str> = (at..at + words).map(|at| item.text(at)).collect();
    report_choice(item, at, end, &said.join(" "), &texts);
    Some((end, true))
}

/// Reports a choice in words, together with the type before it.
fn report_choice(item: &mut ItemLexemes<'_>, from: usize, end: usize, said: &str, texts: &[&str]) {
    let written = texts.join(" | ");
    let place = item.span(from).merge(item.span(end - 1));
    let found = format!("`{said}` is not written in types");
    let found = Diagnostic::error(Code::ForeignWord, place, found);
    let fix = plain(item, from, end).then(|| Fix::new(format!("write `{written}`"), place, written.clone()));
    item.report(found.help(format!("write `{written}`")).fix(fix));
}

/// Words that begin a condition after a type.
const WORDS: [&str; 20] = [
    "at",
    "between",
    "from",
    "in",
    "length",
    "like",
    "match",
    "matches",
    "matching",
    "max",
    "maximum",
    "min",
    "minimum",
    "of",
    "satisfying",
    "such",
    "up",
    "when",
    "where",
    "within",
];

/// Repairs a condition after a type, at its first word.
fn behind_type(item: &mut ItemLexemes<'_>, at: usize) -> Option<Reported> {
    use TokenKind::{Colon, Comma, Equals, Name, Question};
    let word = item.kind(at) == Some(Name) && WORDS.contains(&item.text(at));
    let behind = item.before(at).is_some_and(TokenKind::ends_expression) && !item.touches(at);
    let member = matches!(item.kind(at + 1), Some(Colon | Comma | Equals | Question)) || ends(item, at + 1);
    if !word || !behind || member {
        return None;
    }
    let base = at - 1;
    let named = item.kind(base) == Some(Name) && item.before(base).is_none_or(|before| before.wants_expression());
    let name = if named { item.text(base) } else { "" };
    if item.text(at) == "of" && LISTS.contains(&name) && item.kind(at + 1) == Some(Name) && ends(item, at + 2) {
        return Some(list_of(item, at));
    }
    let (written, end) = match condition(item, at) {
        Some((Condition::Choice(texts), end)) if ends(item, end) && matches!(name, "string" | "int" | "number") => {
            report_choice(item, base, end, item.text(at), &texts);
            return Some((end, false));
        }
        Some((condition, end)) if ends(item, end) => (condition.written(name), end),
        _ => (None, rest_end(item, at)),
    };
    let message = format!("`{}` has no meaning behind a type", item.text(at));
    let said = item.span(at).merge(item.span(end - 1));
    let found = Diagnostic::error(Code::ForeignWord, said, message);
    let Some(written) = written else {
        let help =
            "conditions stand in the type: `int<0..150>`, `number<above = 0>`, `string<1..80>`, `string</[a-z]+/>`";
        item.report(found.help(help));
        return Some((end, false));
    };
    let place = item.span(base).merge(item.span(end - 1));
    let fix = plain(item, base, end).then(|| Fix::new(format!("write `{written}`"), place, written.clone()));
    item.report(found.help(format!("write `{written}`")).fix(fix));
    Some((end, false))
}

/// Words for arrays in other languages.
const LISTS: [&str; 6] = ["array", "list", "List", "Array", "sequence", "set"];

/// Repairs `array of string`, at the word `of`.
fn list_of(item: &mut ItemLexemes<'_>, at: usize) -> Reported {
    let written = format!("{}[0..]", item.text(at + 1));
    let place = item.span(at - 1).merge(item.span(at + 1));
    let found = Diagnostic::error(Code::ForeignWord, place, "`of` has no meaning behind a type");
    let fix = plain(item, at - 1, at + 2).then(|| Fix::new(format!("write `{written}`"), place, written.clone()));
    item.report(found.help(format!("write `{written}`")).fix(fix));
    (at + 2, false)
}

/// Returns whether a type can end before the token at `at`.
fn ends(item: &ItemLexemes<'_>, at: usize) -> bool {
    use TokenKind::{And, Bar, Comma};
    item.kind(at).is_none_or(|kind| kind.is_closer() || matches!(kind, And | Bar | Comma)) || item.text(at) == ";"
}

/// Returns the index after a condition that is not understood: to the next comma or closing bracket. `<` and `>` count
/// as comparisons.
fn rest_end(item: &ItemLexemes<'_>, at: usize) -> usize {
    use TokenKind::{Comma, Greater, Less};
    let mut depth = 0_usize;
    let over = |at: &usize| {
        let Some(kind) = item.kind(*at) else { return true };
        let closer = kind.is_closer() && kind != Greater;
        if depth == 0 && (closer || kind == Comma) {
            return true;
        }
        depth += usize::from(kind.closer().is_some() && kind != Less);
        depth = depth.saturating_sub(usize::from(closer));
        false
    };
    (at..item.lexemes.len()).find(over).unwrap_or(item.lexemes.len())
}

/// Returns whether only white space stands between the tokens from `from` to `end`, so that they can be replaced.
fn plain(item: &ItemLexemes<'_>, from: usize, end: usize) -> bool {
    let pairs = item.lexemes.get(from..end).unwrap_or_default();
    pairs.windows(2).all(|pair| match pair {
        [one, next] => part(item.source, one.end as usize..next.start as usize).trim().is_empty(),
        _ => true,
    })
}
