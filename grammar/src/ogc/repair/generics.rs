//! Repairs types as Python writes them: `Optional[str]`, `List[int]`, `Literal["a", "b"]`, `Dict[str, int]`.
//!
//! `Name[n]` is an array of exactly `n` in ogc, so brackets are read this way only behind the names that Python has, and
//! where they hold no number. What stands inside may be such a type again, so the innermost are mended first.

use super::{ItemLexemes, made};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut commas: Vec<Vec<usize>> = Vec::new();
    let mut generics: Vec<Generic> = Vec::new();
    for at in 0..item.lexemes.len() {
        match item.kind(at) {
            Some(kind) if kind.closer().is_some() => {
                open.push((at, at));
                commas.push(Vec::new());
            }
            Some(kind) if kind.is_closer() => {
                if let (Some((opener, _)), Some(commas)) = (open.pop(), commas.pop()) {
                    generics.extend(generic(item, opener, at, commas));
                }
            }
            Some(TokenKind::Comma) => {
                if let Some(commas) = commas.last_mut() {
                    commas.push(at);
                }
            }
            _ => {}
        }
    }
    if !generics.is_empty() {
        rewrite(item, &generics);
    }
}

/// A generic type `Name[...]`, which is written in another way in ogc.
struct Generic {
    meaning: Meaning,
    open: usize,
    close: usize,
    commas: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// `T[0..]`
    Array,
    /// `A | B`
    Union,
    /// `T | null`
    Nullable,
    /// `map<K, V>`
    Map,
    /// `tuple<A, B>`
    Tuple,
}

impl Meaning {
    fn of(name: &str) -> Option<Meaning> {
        Some(match name {
            "List" | "list" | "Sequence" | "Iterable" => Meaning::Array,
            "Union" | "Literal" => Meaning::Union,
            "Optional" => Meaning::Nullable,
            "Dict" | "dict" | "Mapping" => Meaning::Map,
            "Tuple" | "tuple" => Meaning::Tuple,
            _ => return None,
        })
    }

    fn shown(self) -> &'static str {
        match self {
            Meaning::Array => "T[0..]",
            Meaning::Union => "A | B",
            Meaning::Nullable => "T | null",
            Meaning::Map => "map<K, V>",
            Meaning::Tuple => "tuple<A, B>",
        }
    }

    /// Returns the texts before the arguments, between them, and after them.
    fn written(self) -> (&'static str, Option<&'static str>, &'static str) {
        match self {
            Meaning::Array => ("(", None, ")[0..]"),
            Meaning::Union => ("(", Some(" |"), ")"),
            Meaning::Nullable => ("(", None, " | null)"),
            Meaning::Map => ("map<", None, ">"),
            Meaning::Tuple => ("tuple<", None, ">"),
        }
    }
}

fn generic(item: &ItemLexemes<'_>, open: usize, close: usize, commas: Vec<usize>) -> Option<Generic> {
    let brackets = item.kind(open) == Some(TokenKind::LeftBracket) && item.touches(open);
    let name = open.checked_sub(1).filter(|name| brackets && item.kind(*name) == Some(TokenKind::Name))?;
    let dotted = item.before(name) == Some(TokenKind::Dot);
    let meaning = Meaning::of(item.text(name)).filter(|_| !dotted)?;
    let inside = close - open - 1;
    let number = (open + 1..close).any(|at| matches!(item.kind(at), Some(TokenKind::Number | TokenKind::Dots)));
    // A bound may be a parameter, which is hardly called as a type is.
    let bound = inside == 1 && item.kind(open + 1) == Some(TokenKind::Name) && !names_type(item.text(open + 1));
    let many = matches!(meaning, Meaning::Map | Meaning::Union | Meaning::Tuple);
    let plain = meaning != Meaning::Union && number && commas.is_empty();
    let fits = inside > 0 && !bound && !plain && (many || commas.is_empty());
    fits.then_some(Generic { meaning, open, close, commas })
}

fn names_type(name: &str) -> bool {
    let native = ["string", "int", "number", "bool", "any", "date", "datetime", "uuid", "email", "uri", "object"];
    let foreign = ["str", "float", "dict", "list", "integer", "boolean"];
    native.contains(&name) || foreign.contains(&name) || name.starts_with(char::is_uppercase)
}

/// Reports each generic type, and replaces its tokens by those that were meant.
fn rewrite(item: &mut ItemLexemes<'_>, generics: &[Generic]) {
    let mut at_token: Vec<Option<Edit>> = item.lexemes.iter().map(|_| None).collect();
    for one in generics {
        report(item, one);
        for (at, edit) in one.edits() {
            if let Some(slot) = at_token.get_mut(at) {
                *slot = Some(edit);
            }
        }
    }
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    for (lexeme, edit) in item.lexemes.iter().zip(at_token) {
        match edit {
            None => out.push(*lexeme),
            Some(tokens) => {
                out.extend(
                    tokens.iter().map(|(kind, text)| Lexeme { end: lexeme.end, ..made(*kind, text, Some(lexeme)) }),
                );
            }
        }
    }
    item.lexemes = out;
}

/// The tokens that replace one token.
type Edit = &'static [(TokenKind, &'static str)];

impl Generic {
    fn edits(&self) -> Vec<(usize, Edit)> {
        use TokenKind::{
            Bar, Dots, Greater, LeftBracket, LeftParen, Less, Name, Null, Number, RightBracket, RightParen,
        };
        let (open, close): (Edit, Edit) = match self.meaning {
            Meaning::Array => (
                &[(LeftParen, "(")],
                &[(RightParen, ")"), (LeftBracket, "["), (Number, "0"), (Dots, ".."), (RightBracket, "]")],
            ),
            Meaning::Union => (&[(LeftParen, "(")], &[(RightParen, ")")]),
            Meaning::Nullable => (&[(LeftParen, "(")], &[(Bar, "|"), (Null, "null"), (RightParen, ")")]),
            Meaning::Map => (&[(Name, "map"), (Less, "<")], &[(Greater, ">")]),
            Meaning::Tuple => (&[(Name, "tuple"), (Less, "<")], &[(Greater, ">")]),
        };
        let mut edits: Vec<(usize, Edit)> = vec![(self.open - 1, &[]), (self.open, open), (self.close, close)];
        if self.meaning == Meaning::Union {
            edits.extend(self.commas.iter().map(|comma| (*comma, &[(Bar, "|")] as Edit)));
        }
        edits
    }
}

fn report(item: &mut ItemLexemes<'_>, one: &Generic) {
    let name = item.span(one.open - 1);
    let (head, end) = (name.merge(item.span(one.open)), item.span(one.close));
    let (open, between, close) = one.meaning.written();
    let shown = one.meaning.shown();
    let mut fix = Fix::new(format!("write `{shown}`"), head, open).and(end, close);
    if let Some(between) = between {
        fix = one.commas.iter().fold(fix, |fix, comma| fix.and(item.span(*comma), between));
    }
    let text = item.text(one.open - 1);
    let found = Diagnostic::error(Code::ForeignType, name, format!("`{text}[...]` is not an ogc type"));
    item.report(found.help(format!("write `{shown}`")).fix((!end.is_empty()).then_some(fix)));
}
