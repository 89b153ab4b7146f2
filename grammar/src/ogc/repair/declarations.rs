//! Repairs fields as protocol buffers and Java declare them: `repeated string tags = 2;` for `tags: string[0..]`,
//! `private String name;` for `name: string`.

use super::frames::Frame;
use super::{ItemLexemes, made};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    one_of(item);
    let around = item.around();
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    let mut at = 0;
    while let Some(lexeme) = item.lexemes.get(at).copied() {
        let in_record = around.get(at).is_some_and(|around| around.frame == Frame::Record);
        match declaration(item, at).filter(|_| in_record) {
            Some(found) => {
                report(item, at, &found);
                push(item, &found, &mut out);
                at = found.end;
            }
            None => {
                out.push(lexeme);
                at += 1;
            }
        }
    }
    item.lexemes = out;
}

/// Repairs `oneof name { ... }`, in which members are declared as in protocol buffers; it is read as `name: any`.
fn one_of(item: &mut ItemLexemes<'_>) {
    let around = item.around();
    let begins = |at: &usize| {
        let member = around.get(*at).is_some_and(|around| around.frame == Frame::Record);
        let braced = item.kind(at + 1) == Some(TokenKind::Name) && item.kind(at + 2) == Some(TokenKind::LeftBrace);
        member && braced && item.text(*at) == "oneof"
    };
    let found: Vec<usize> = (0..item.lexemes.len()).filter(begins).collect();
    for at in found.into_iter().rev() {
        let Some(close) = item.closer_of(at + 2) else { continue };
        let message = "`oneof` is not written here: a choice is a union";
        let found = Diagnostic::error(Code::ForeignWord, item.span(at), message);
        let name = item.lexemes[at + 1];
        item.report(found.help(format!("write one field, as `{}: A | B`, or a union of records", name.text)));
        let colon = made(TokenKind::Colon, ":", Some(&name));
        let value = made(TokenKind::Name, "any", Some(&name));
        let comma = made(TokenKind::Comma, ",", Some(&name));
        let separated = ends(item, close + 1) || item.kind(close + 1) == Some(TokenKind::RightBrace);
        let member = [name, colon, value].into_iter().chain((!separated).then_some(comma));
        let member: Vec<Lexeme<'_>> = member.collect();
        item.lexemes.splice(at..=close, member);
    }
}

/// A declaration `label type name = number;`.
struct Declaration<'t> {
    label: &'t str,
    /// Index of the type.
    kind: usize,
    /// The type in ogc.
    written: String,
    /// Index of the name.
    name: usize,
    /// Index after the number, and after the `;` that follows it.
    end: usize,
    /// Whether a `;` ends the declaration.
    semicolon: bool,
}

impl Declaration<'_> {
    /// Returns the signs after the name and after the type.
    fn signs(&self) -> (&'static str, &'static str) {
        match self.label {
            "repeated" => ("", "[0..]"),
            "optional" => ("?", ""),
            _ => ("", ""),
        }
    }
}

/// Words before the type of a declaration.
const LABELS: [&str; 9] =
    ["repeated", "optional", "required", "private", "public", "protected", "final", "readonly", "const"];

/// Returns the declaration that makes up the whole member at `at`.
fn declaration<'t>(item: &ItemLexemes<'t>, at: usize) -> Option<Declaration<'t>> {
    let begins = item.before(at) == Some(TokenKind::LeftBrace) || at.checked_sub(1).is_some_and(|at| ends(item, at));
    let label = item.text(at);
    let labelled = LABELS.contains(&label) && is_word(item, at + 2);
    let kind = at + usize::from(labelled);
    let (written, name) = declared_type(item, kind)?;
    let named = is_word(item, name);
    let numbered = item.kind(name + 1) == Some(TokenKind::Equals) && item.kind(name + 2) == Some(TokenKind::Number);
    let end = if numbered { name + 3 } else { name + 1 };
    let generic = name > kind + 1;
    let typed = numbered || generic || scalar(item.text(kind)).is_some() && scalar(item.text(name)).is_none();
    let over = ends(item, end) || item.kind(end) == Some(TokenKind::RightBrace);
    let semicolon = item.text(end) == ";";
    let label = if labelled { label } else { "" };
    (begins && named && typed && over).then_some(Declaration {
        label,
        kind,
        written,
        name,
        end: end + usize::from(semicolon),
        semicolon,
    })
}

/// Reads the type of a declaration: a name, or a list or map of names. Returns it in ogc, with the index after it.
fn declared_type(item: &ItemLexemes<'_>, at: usize) -> Option<(String, usize)> {
    item.kind(at).filter(|kind| *kind == TokenKind::Name)?;
    let named = |at: usize| {
        let name = item.text(at);
        (item.kind(at) == Some(TokenKind::Name)).then(|| scalar(name).unwrap_or(name))
    };
    if item.kind(at + 1) != Some(TokenKind::Less) {
        return named(at).map(|name| (name.to_owned(), at + 1));
    }
    match (item.text(at), item.kind(at + 3)?) {
        ("List" | "Set" | "Collection" | "Iterable" | "Vec" | "Array", TokenKind::Greater) => {
            Some((format!("{}[0..]", named(at + 2)?), at + 4))
        }
        ("map" | "Map" | "HashMap", TokenKind::Comma) if item.kind(at + 5) == Some(TokenKind::Greater) => {
            Some((format!("map<{}, {}>", named(at + 2)?, named(at + 4)?), at + 6))
        }
        _ => None,
    }
}

/// Returns the ogc type for a scalar type of languages that write types before names, as in `int id`.
pub(super) fn scalar(name: &str) -> Option<&'static str> {
    Some(match name {
        "string" | "String" | "str" | "bytes" | "char" => "string",
        "int" | "Int" | "Integer" | "integer" | "long" | "Long" | "short" | "Short" | "byte" | "int32" | "int64"
        | "uint32" | "uint64" | "sint32" | "sint64" | "fixed32" | "fixed64" | "sfixed32" | "sfixed64" => "int",
        "float" | "Float" | "double" | "Double" | "number" | "decimal" | "Decimal" | "BigDecimal" => "number",
        "bool" | "Bool" | "boolean" | "Boolean" => "bool",
        _ => return None,
    })
}

/// Returns whether the sign at `at` separates members.
fn ends(item: &ItemLexemes<'_>, at: usize) -> bool {
    item.kind(at) == Some(TokenKind::Comma) || item.text(at) == ";"
}

fn is_word(item: &ItemLexemes<'_>, at: usize) -> bool {
    item.kind(at).is_some_and(TokenKind::is_word)
}

fn report(item: &mut ItemLexemes<'_>, at: usize, found: &Declaration<'_>) {
    let (optional, many) = found.signs();
    let written = format!("{}{optional}: {}{many}", item.text(found.name), found.written);
    let span = item.span(at).merge(item.span(found.end - 1));
    let numbered = item.kind(found.end - 1 - usize::from(found.semicolon)) == Some(TokenKind::Number);
    let message = match numbered {
        true => "a field is its name, `:` and its type, and has no number",
        false => "a field is its name, `:` and its type",
    };
    let comma = if found.semicolon { "," } else { "" };
    let fix = Fix::new(format!("write `{written}`"), span, format!("{written}{comma}"));
    item.report(Diagnostic::error(Code::ForeignWord, span, message).help(format!("write `{written}`")).fix(fix));
}

fn push<'t>(item: &ItemLexemes<'t>, found: &Declaration<'t>, out: &mut Vec<Lexeme<'t>>) {
    let (optional, many) = found.signs();
    let (Some(kind), Some(name)) = (item.lexemes.get(found.kind), item.lexemes.get(found.name)) else {
        return;
    };
    // Tokens are in the order of their places, so the name comes before the type.
    out.push(Lexeme { start: kind.start, end: kind.start, ..*name });
    if !optional.is_empty() {
        out.push(made(TokenKind::Question, "?", out.last()));
    }
    out.push(made(TokenKind::Colon, ":", out.last()));
    // A list or map stands for any value here.
    let text = if found.name > found.kind + 1 { "any" } else { scalar(kind.text).unwrap_or(kind.text) };
    out.push(Lexeme { text, ..*kind });
    if !many.is_empty() {
        let signs = [
            (TokenKind::LeftBracket, "["),
            (TokenKind::Number, "0"),
            (TokenKind::Dots, ".."),
            (TokenKind::RightBracket, "]"),
        ];
        for (kind, text) in signs {
            out.push(made(kind, text, out.last()));
        }
    }
    if found.semicolon {
        out.push(made(TokenKind::Comma, ",", out.last()));
    }
}
