//! Repairs types that other languages express as calls: `constr(min_length=1)`, `Annotated[int, Field(ge=0)]`,
//! `int = Field(ge=0)`, `int(ge=0)`, `z.string().min(1)`.
//!
//! # Steps
//!
//! 1. [`pydantic`], [`zod`] and [`sql`] read such a call into a [`made::Made`]. Calls that they do not know are left to the
//!    other repairs.
//! 2. One finding says how ogc writes the whole call, and one token replaces it, so that no other finding is about its
//!    parts.

mod made;
mod pydantic;
mod reader;
mod sql;
mod zod;

use super::{ItemLexemes, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use made::Made;
use reader::Reader;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    let found = constructors(item);
    if found.is_empty() {
        return;
    }
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    let mut from = 0;
    for one in &found {
        report(item, one);
        out.extend(item.lexemes.get(from..one.first).unwrap_or_default());
        out.extend(stand_in(item, one));
        from = one.end;
    }
    out.extend(item.lexemes.get(from..).unwrap_or_default());
    item.lexemes = out;
}

/// A call that makes a type, from its first token up to the token after its last.
struct Constructor {
    first: usize,
    end: usize,
    made: Made,
}

fn constructors(item: &ItemLexemes<'_>) -> Vec<Constructor> {
    let mut found: Vec<Constructor> = Vec::new();
    let around = item.around();
    let mut first = 0;
    while first < item.lexemes.len() {
        let mut reader = Reader { item, at: first, value: around.get(first).is_some_and(|around| around.value) };
        let begins = item.before(first) != Some(TokenKind::Dot);
        match begins.then(|| constructor(&mut reader)).flatten() {
            Some(made) => {
                found.push(Constructor { first, end: reader.at, made });
                first = reader.at;
            }
            None => first += 1,
        }
    }
    found
}

/// Reads a call that makes a type, if one begins at the current token.
fn constructor(reader: &mut Reader<'_, '_>) -> Option<Made> {
    match reader.text() {
        "z" => zod::chain(reader),
        // In text, `date.year ("a")` is a name of an import and a group.
        name if reader.value && zod::has_method(reader) && pydantic::scalar(name).or(zod::native(name)).is_some() => {
            zod::methods(reader)
        }
        _ if reader.value && zod::has_method_of_types(reader) => zod::methods_of_type(reader),
        name if reader.value && sql::NAMES.contains(&name) => sql::sized(reader),
        name if pydantic::NAMES.contains(&name) => pydantic::constrained(reader),
        "Annotated" => pydantic::annotated(reader),
        _ if pydantic::has_field(reader) => pydantic::field(reader),
        _ if pydantic::calls_scalar(reader) => pydantic::called_scalar(reader),
        _ => None,
    }
}

impl Reader<'_, '_> {
    /// Takes a type among the arguments of a call: another call, a literal, or the name of a scalar.
    fn operand(&mut self) -> Option<Made> {
        if self.is(TokenKind::LeftParen) && self.item.kind(self.at + 1) == Some(TokenKind::RightParen) {
            // A function without parameters, `() => A`, whose sign is read as `=`.
            self.at += 2;
            self.arrow()?;
        }
        let start = self.at;
        if let Some(made) = constructor(self) {
            return Some(made);
        }
        self.at = start;
        if let Some(literal) = self.literal() {
            return Some(Made::tight(literal));
        }
        let name = self.take(TokenKind::Name)?;
        let plain = !matches!(self.kind(), Some(TokenKind::LeftBracket | TokenKind::Less | TokenKind::LeftParen));
        plain.then(|| pydantic::scalar(name).map_or_else(|| Made::tight(name), Made::named))
    }
}

/// Makes the token that replaces a constructor: any value.
fn stand_in<'t>(item: &ItemLexemes<'t>, one: &Constructor) -> Option<Lexeme<'t>> {
    let (first, last) = (item.lexemes.get(one.first)?, item.lexemes.get(one.end.checked_sub(1)?)?);
    Some(Lexeme { text: "any", end: last.end, ..read_as(*first, TokenKind::Name) })
}

fn report(item: &mut ItemLexemes<'_>, one: &Constructor) {
    let whole = item.span(one.first).merge(item.span(one.end.saturating_sub(1)));
    let head = match item.kind(one.first + 1) {
        Some(TokenKind::Dot) => format!("{}.{}(...)", item.text(one.first), item.text(one.first + 2)),
        Some(TokenKind::LeftBracket) => format!("{}[...]", item.text(one.first)),
        Some(TokenKind::Equals) => format!("{} = Field(...)", item.text(one.first)),
        _ => format!("{}(...)", item.text(one.first)),
    };
    let written = one.made.written();
    let absent = one.made.optional.then_some("`?` behind the name of a field that may be absent");
    let beside: Vec<&str> = one.made.beside.iter().map(String::as_str).chain(absent).collect();
    let help = match (beside.is_empty(), one.made.exact) {
        (true, true) => format!("write `{written}`"),
        (true, false) => format!("write `{written}`; the rest of it has no counterpart"),
        (false, true) => format!("write `{written}`, and {}", beside.join(", and ")),
        (false, false) => {
            format!("write `{written}`, and {}; the rest of it has no counterpart", beside.join(", and "))
        }
    };
    let fix = one.made.is_whole().then(|| Fix::new(format!("write `{written}`"), whole, written));
    let found = Diagnostic::error(Code::ForeignType, whole, format!("`{head}` is not an ogc type"));
    item.report(found.help(help).fix(fix));
}
