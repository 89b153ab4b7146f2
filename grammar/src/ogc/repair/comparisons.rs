//! Repairs bounds that are written as comparisons: `int > 5`, `age: >= 0 & <= 150`, `string[>=1]` for `int<6..>`,
//! `int<0..150>`, `string[1..]`.
//!
//! `<` and `>` are brackets here. Three signs count as comparisons: a `>` where no list is open, a `<` before `=`, and
//! a `<` between spaces before a number that begins no list. If a range can be computed, it replaces the comparison;
//! otherwise the comparison is left out, so that no other finding is about it.

use super::{ItemLexemes, made};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::Span;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    if !item.lexemes.iter().any(|lexeme| matches!(lexeme.kind, TokenKind::Less | TokenKind::Greater)) {
        return;
    }
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    let mut open: Vec<TokenKind> = Vec::new();
    let mut at = 0;
    while let Some(lexeme) = item.lexemes.get(at).copied() {
        if let Some((chain, name)) = turned(item, at, &open) {
            chain.mend_turned(name, item);
            out.push(name);
            at = chain.end;
            continue;
        }
        if let Some(chain) = Chain::at(item, at, &open) {
            chain.mend(item, open.last().copied(), &mut out);
            at = chain.end;
            continue;
        }
        if lexeme.kind.closer().is_some() {
            open.push(lexeme.kind);
        } else if lexeme.kind.is_closer() && open.last().and_then(|open| open.closer()) == Some(lexeme.kind) {
            open.pop();
        }
        out.push(lexeme);
        at += 1;
    }
    item.lexemes = out;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Above,
    From,
    Below,
    To,
}

/// One comparison: a sign and the number after it.
#[derive(Clone, Copy)]
struct Comparison<'t> {
    sign: Sign,
    number: Lexeme<'t>,
    /// Index of the token after the comparison.
    end: usize,
}

/// Consecutive comparisons, with `&` or nothing between them.
struct Chain<'t> {
    start: usize,
    end: usize,
    parts: Vec<Comparison<'t>>,
}

impl<'t> Chain<'t> {
    fn at(item: &ItemLexemes<'t>, start: usize, open: &[TokenKind]) -> Option<Self> {
        let first = comparison(item, start, open, false)?;
        Some(Self::from(first, start, item, open))
    }

    /// Reads the comparisons from `first` on.
    fn from(first: Comparison<'t>, start: usize, item: &ItemLexemes<'t>, open: &[TokenKind]) -> Self {
        let (mut end, mut parts) = (first.end, vec![first]);
        loop {
            let joined = item.kind(end) == Some(TokenKind::And) || matches!(item.text(end), "&&" | "and");
            let Some(part) = comparison(item, end + usize::from(joined), open, joined) else { break };
            end = part.end;
            parts.push(part);
        }
        // In `int<=150>`, the `>` closes the list that was meant to be open.
        let closes = item.kind(end) == Some(TokenKind::Greater) && !open.contains(&TokenKind::Less);
        end += usize::from(closes && item.touches(end));
        Self { start, end, parts }
    }

    /// Repairs `0 <= int <= 5`.
    fn mend_turned(&self, name: Lexeme<'t>, item: &mut ItemLexemes<'t>) {
        let place = item.span(self.start).merge(item.span(self.end - 1));
        let found = Diagnostic::error(Code::Comparison, place, message(item.text(self.start + 1)));
        let Some(range) = self.range(name.text != "number") else {
            item.report(found.help("bounds stand behind the type: `int<0..150>`"));
            return;
        };
        let written = format!("{}<{range}>", name.text);
        let fix = Fix::new(format!("write `{written}`"), place, written.clone());
        item.report(found.help(format!("write `{written}`")).fix(fix));
    }

    fn mend(&self, item: &mut ItemLexemes<'t>, inside: Option<TokenKind>, out: &mut Vec<Lexeme<'t>>) {
        let place = item.span(self.start).merge(item.span(self.end - 1));
        let base = out.last().copied();
        let typed = base.filter(|base| base.kind == TokenKind::Name && takes_bounds(base.text));
        let in_brackets = matches!(inside, Some(TokenKind::LeftBracket | TokenKind::Less))
            && base.is_some_and(|base| matches!(base.kind, TokenKind::LeftBracket | TokenKind::Less));
        // The type whose list of arguments the comparison stands in, as in `number<> 0>`.
        let listed = out.len().checked_sub(2).and_then(|name| out.get(name)).filter(|one| {
            let angle = base.is_some_and(|base| base.kind == TokenKind::Less);
            angle && in_brackets && one.kind == TokenKind::Name && takes_bounds(one.text)
        });
        let alone = base.is_some_and(|base| matches!(base.kind, TokenKind::Colon | TokenKind::Equals));
        let whole = self.parts.iter().all(|part| is_whole(part.number.text));
        let name = typed.map_or(if whole { "int" } else { "number" }, |base| base.text);
        let counts = if in_brackets { listed.is_none_or(|one| one.text != "number") } else { name != "number" };
        let range = self.range(counts).filter(|_| typed.is_some() || in_brackets || alone);
        let found = Diagnostic::error(Code::Comparison, place, message(item.text(self.start)));
        let Some(range) = range else {
            item.report(
                found.help("bounds stand behind the type: `int<0..150>`, `number<above = 0>`, `string<1..80>`"),
            );
            return;
        };
        let written = match (in_brackets, alone) {
            (true, _) => range,
            (false, true) => format!("{name}<{range}>"),
            (false, false) => format!("<{range}>"),
        };
        let shown = match listed {
            Some(listed) => format!("{}<{written}>", listed.text),
            None if typed.is_some() && !in_brackets => format!("{name}{written}"),
            None => written.clone(),
        };
        let from = if alone || in_brackets { place.start } else { item.gap(self.start).end };
        let fix = Fix::new(format!("write `{shown}`"), Span::new(from, place.end), written);
        item.report(found.help(format!("write `{shown}`")).fix(fix));
        self.push(alone, in_brackets, out);
    }

    /// Returns the range of the comparisons, as text; `None` if they give no range.
    fn range(&self, counts: bool) -> Option<String> {
        let (mut low, mut high) = (None, None);
        for part in &self.parts {
            let slot = if matches!(part.sign, Sign::Above | Sign::From) { &mut low } else { &mut high };
            if slot.replace((part.sign, part.number.text)).is_some() {
                return None;
            }
        }
        let beyond = |step: i64, text: &str| text.parse::<i64>().ok()?.checked_add(step).map(|n| n.to_string());
        let end = |end: Option<(Sign, &str)>| match end {
            Some((Sign::Above, text)) if counts => beyond(1, text),
            Some((Sign::Below, text)) if counts => beyond(-1, text),
            Some((_, text)) => Some(text.to_owned()),
            None => Some(String::new()),
        };
        let excluded = |end: Option<(Sign, &str)>| matches!(end, Some((Sign::Above | Sign::Below, _))) && !counts;
        if !excluded(low) && !excluded(high) {
            return Some(format!("{}..{}", end(low)?, end(high)?));
        }
        let said = |end: Option<(Sign, &str)>| match end {
            Some((Sign::Above, text)) => Some(format!("above = {text}")),
            Some((Sign::Below, text)) => Some(format!("below = {text}")),
            Some((Sign::From, text)) => Some(format!("{text}..")),
            Some((Sign::To, text)) => Some(format!("..{text}")),
            None => None,
        };
        Some([said(low), said(high)].into_iter().flatten().collect::<Vec<_>>().join(", "))
    }

    /// Writes a range that parses in place of the comparisons; its numbers have no effect.
    fn push(&self, alone: bool, in_brackets: bool, out: &mut Vec<Lexeme<'t>>) {
        if alone {
            out.push(made(TokenKind::Name, "any", out.last()));
        } else if in_brackets {
            out.push(made(TokenKind::Number, "1", out.last()));
            out.push(made(TokenKind::Dots, "..", out.last()));
        }
    }
}

/// Reads `5 < int` and the comparisons after the type; returns them with the type's name.
fn turned<'t>(item: &ItemLexemes<'t>, at: usize, open: &[TokenKind]) -> Option<(Chain<'t>, Lexeme<'t>)> {
    let number = item.lexemes.get(at).copied().filter(|lexeme| lexeme.kind == TokenKind::Number)?;
    let equals = item.kind(at + 2) == Some(TokenKind::Equals) && item.touches(at + 2);
    let sign = match (item.kind(at + 1)?, equals) {
        (TokenKind::Less, false) => Sign::Above,
        (TokenKind::Less, true) => Sign::From,
        (TokenKind::Greater, false) => Sign::Below,
        (TokenKind::Greater, true) => Sign::To,
        _ => return None,
    };
    let name = at + 2 + usize::from(equals);
    let typed = item.lexemes.get(name).copied().filter(|one| one.kind == TokenKind::Name && takes_bounds(one.text))?;
    let apart = !item.touches(at + 1) && !item.touches(name);
    let first = Comparison { sign, number, end: name + 1 };
    apart.then(|| (Chain::from(first, at, item, open), typed))
}

/// Returns the comparison that begins at `at`, inside of `open` brackets; `joined` says that `&` stands between it and
/// another comparison.
fn comparison<'t>(item: &ItemLexemes<'t>, at: usize, open: &[TokenKind], joined: bool) -> Option<Comparison<'t>> {
    let equals = item.kind(at + 1) == Some(TokenKind::Equals) && item.touches(at + 1);
    let operand = at + 1 + usize::from(equals);
    // A sign without a number is left to the repairs of brackets, which know more.
    let number = item.lexemes.get(operand).copied().filter(|lexeme| lexeme.kind == TokenKind::Number)?;
    let compares = match item.kind(at)? {
        TokenKind::Less => {
            equals || begins_list(item, at) || (joined || stands_apart(item, at)) && !is_list(item, operand)
        }
        TokenKind::Greater => open.last() != Some(&TokenKind::Less) || begins_list(item, at),
        _ => false,
    };
    let sign = match (item.kind(at)?, equals) {
        (TokenKind::Greater, false) => Sign::Above,
        (TokenKind::Greater, true) => Sign::From,
        (_, false) => Sign::Below,
        (_, true) => Sign::To,
    };
    compares.then_some(Comparison { sign, number, end: operand + 1 })
}

/// Returns whether the sign is the first token in `<...>`, where a closing bracket would leave the list empty.
fn begins_list(item: &ItemLexemes<'_>, at: usize) -> bool {
    item.before(at) == Some(TokenKind::Less) && item.touches(at)
}

/// Returns the message for a comparison that begins with this sign.
fn message(sign: &str) -> String {
    match sign {
        "≥" | "≤" => format!("`{sign}` compares nothing here"),
        _ => "`<` and `>` are brackets here, and compare nothing".to_owned(),
    }
}

/// Returns whether white space stands on both sides of the sign.
fn stands_apart(item: &ItemLexemes<'_>, at: usize) -> bool {
    !item.touches(at) && !item.touches(at + 1)
}

/// Returns whether the text after the number continues like the arguments of a list.
fn is_list(item: &ItemLexemes<'_>, number: usize) -> bool {
    matches!(item.kind(number + 1), Some(TokenKind::Dots | TokenKind::Greater | TokenKind::Equals))
}

fn takes_bounds(name: &str) -> bool {
    matches!(name, "int" | "number" | "string")
}

fn is_whole(number: &str) -> bool {
    !number.contains(['.', 'e', 'E'])
}
