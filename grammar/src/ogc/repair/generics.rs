//! Repairs types as Python writes them: `Optional[str]`, `List[int]`, `Literal["a", "b"]`, `Dict[str, int]`.
//!
//! `Name[n]` is an array of exactly `n` in ogc, so brackets are read as Python's only if they contain no number. After
//! a name that Python does not have they are the arguments of a definition, as in `Page[int]`, unless they may contain
//! a parameter. Generic types nest: one finding about the outermost says how ogc writes the whole.

use super::{ItemLexemes, made};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::Span;

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
                    let record = open.iter().any(|(outer, _)| item.kind(*outer) == Some(TokenKind::LeftBrace));
                    generics.extend(generic(item, Brackets { open: opener, close: at, record }, commas));
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
        // Outer types come before the types inside them.
        generics.sort_by_key(|one| one.open);
        rewrite(item, &generics);
    }
}

/// A generic type `Name[...]` of Python.
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
    /// `T[0..] & array<unique = true>`
    Set,
    /// `Name<T>`
    Call,
}

impl Meaning {
    fn of(name: &str) -> Option<Meaning> {
        Some(match name {
            "List" | "list" | "Sequence" | "Iterable" => Meaning::Array,
            "Union" | "Literal" => Meaning::Union,
            "Optional" => Meaning::Nullable,
            "Dict" | "dict" | "Mapping" => Meaning::Map,
            "Tuple" | "tuple" => Meaning::Tuple,
            "Set" | "set" | "FrozenSet" | "frozenset" => Meaning::Set,
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
            Meaning::Set => "T[0..] & array<unique = true>",
            Meaning::Call => "Name<T>",
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
            Meaning::Set => ("((", None, ")[0..] & array<unique = true>)"),
            Meaning::Call => ("", None, ">"),
        }
    }
}

/// A pair of brackets, and whether they stand in a record.
#[derive(Clone, Copy)]
struct Brackets {
    open: usize,
    close: usize,
    record: bool,
}

fn generic(item: &ItemLexemes<'_>, brackets: Brackets, commas: Vec<usize>) -> Option<Generic> {
    let Brackets { open, close, .. } = brackets;
    let touching = item.kind(open) == Some(TokenKind::LeftBracket) && item.touches(open);
    let name = open.checked_sub(1).filter(|name| touching && item.kind(*name) == Some(TokenKind::Name))?;
    let dotted = item.before(name) == Some(TokenKind::Dot);
    let Some(meaning) = Meaning::of(item.text(name)).filter(|_| !dotted) else {
        let call = is_call(item, brackets, &commas);
        return call.then_some(Generic { meaning: Meaning::Call, open, close, commas });
    };
    let inside = close - open - 1;
    let number = (open + 1..close).any(|at| matches!(item.kind(at), Some(TokenKind::Number | TokenKind::Dots)));
    // The bound may be a parameter, whose name is unlikely to be the name of a type.
    let bound = inside == 1 && item.kind(open + 1) == Some(TokenKind::Name) && !names_type(item.text(open + 1));
    let many = matches!(meaning, Meaning::Map | Meaning::Union | Meaning::Tuple);
    let plain = meaning != Meaning::Union && number && commas.is_empty();
    let fits = inside > 0 && !bound && !plain && (many || commas.is_empty());
    fits.then_some(Generic { meaning, open, close, commas })
}

/// Returns whether brackets contain the arguments of a definition, as in `Page[User]` and, in a rule, `tag["b"]`:
/// built-in types, literals, and lists of names, which cannot be bounds.
fn is_call(item: &ItemLexemes<'_>, brackets: Brackets, commas: &[usize]) -> bool {
    use TokenKind::{Regex, String};
    let Brackets { open, close, record } = brackets;
    let rule = matches!(item.keyword(), Some(TokenKind::Rule | TokenKind::Output));
    let text = rule && !record;
    let defines = rule || item.keyword() == Some(TokenKind::Type);
    let argument = |at: usize| match item.kind(at) {
        Some(TokenKind::Name) => true,
        Some(String | Regex) => text,
        _ => false,
    };
    let listed = (open + 1..close).step_by(2).all(argument) && commas.len() * 2 + 1 == close - open - 1;
    if defines && is_expression(item, open, close) {
        return true;
    }
    // A name alone may be a parameter for a bound; a built-in name cannot.
    let known = |at: usize| NATIVE.contains(&item.text(at)) || item.kind(at) != Some(TokenKind::Name);
    defines && listed && (open + 1..close).any(known)
}

/// Returns whether brackets contain an expression that is more than a bound: `Page[User | null]`, `Page[{ id: int }]`.
fn is_expression(item: &ItemLexemes<'_>, open: usize, close: usize) -> bool {
    use TokenKind::{Bar, Dots, LeftBrace, LeftBracket, Less, Name, Null, Number};
    let begins = matches!(item.kind(open + 1), Some(Name | Null | LeftBrace));
    let bound = matches!(item.kind(open + 1), Some(Number | Dots)) || item.kind(open + 2) == Some(Dots);
    let mut inside = open + 1..close;
    begins && !bound && inside.any(|at| matches!(item.kind(at), Some(Bar | LeftBrace | LeftBracket | Less | Null)))
}

/// Returns the ogc text of a scalar of Python.
fn scalar(name: &str) -> Option<&'static str> {
    Some(match name {
        "str" => "string",
        "float" => "number",
        "integer" => "int",
        "boolean" => "bool",
        "None" => "null",
        "Any" => "any",
        _ => return None,
    })
}

/// Built-in names of types.
const NATIVE: [&str; 11] =
    ["string", "int", "number", "bool", "any", "date", "datetime", "uuid", "email", "uri", "object"];

pub(super) fn names_type(name: &str) -> bool {
    let foreign = ["str", "float", "dict", "list", "integer", "boolean"];
    NATIVE.contains(&name) || foreign.contains(&name) || name.starts_with(char::is_uppercase)
}

/// Reports each outermost generic type, and replaces its tokens by the tokens that were meant.
fn rewrite(item: &mut ItemLexemes<'_>, generics: &[Generic]) {
    let mut at_token: Vec<Option<Edit>> = item.lexemes.iter().map(|_| None).collect();
    for (at, edit) in generics.iter().flat_map(Generic::edits) {
        if let Some(slot) = at_token.get_mut(at) {
            *slot = Some(edit);
        }
    }
    let mut rest = generics;
    while let Some((whole, behind)) = rest.split_first() {
        let inside = behind.partition_point(|one| one.open < whole.close);
        let (generics, further) = rest.split_at(inside + 1);
        rest = further;
        let scalars: Vec<usize> = (whole.open + 1..whole.close).filter(|at| is_scalar(item, *at)).collect();
        report(item, whole, generics, &scalars);
        for at in scalars {
            let meant = scalar(item.text(at));
            item.lexemes[at].text = meant.unwrap_or(item.lexemes[at].text);
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

/// Returns whether a scalar of Python stands alone at `at`.
fn is_scalar(item: &ItemLexemes<'_>, at: usize) -> bool {
    use TokenKind::{Bar, Comma, LeftBracket, RightBracket};
    let alone = matches!(item.before(at), Some(LeftBracket | Comma | Bar))
        && matches!(item.kind(at + 1), Some(RightBracket | Comma | Bar));
    alone && item.kind(at) == Some(TokenKind::Name) && scalar(item.text(at)).is_some()
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
            Meaning::Set => (
                &[(LeftParen, "("), (LeftParen, "(")],
                &[
                    (RightParen, ")"),
                    (LeftBracket, "["),
                    (Number, "0"),
                    (Dots, ".."),
                    (RightBracket, "]"),
                    (RightParen, ")"),
                ],
            ),
            Meaning::Call => (&[(Less, "<")], &[(Greater, ">")]),
        };
        let mut edits: Vec<(usize, Edit)> = vec![(self.open, open), (self.close, close)];
        if self.meaning != Meaning::Call {
            edits.push((self.open - 1, &[]));
        }
        if self.meaning == Meaning::Union {
            edits.extend(self.commas.iter().map(|comma| (*comma, &[(Bar, "|")] as Edit)));
        }
        edits
    }
}

fn report(item: &mut ItemLexemes<'_>, whole: &Generic, generics: &[Generic], scalars: &[usize]) {
    let name = item.span(whole.open - 1);
    let mut edits: Vec<(Span, String)> = generics.iter().flat_map(|one| edits(item, one)).collect();
    edits.extend(scalars.iter().map(|at| (item.span(*at), scalar(item.text(*at)).unwrap_or_default().to_owned())));
    edits.sort_by_key(|(span, _)| span.start);
    let closed = edits.iter().all(|(span, _)| !span.is_empty());
    let written = written(item, name.start, &edits);
    let shown = written.filter(|written| closed && written.len() <= 60 && !written.contains('\n'));
    let shown = shown.unwrap_or_else(|| whole.meaning.shown().to_owned());
    let text = item.text(whole.open - 1);
    let found = match whole.meaning {
        Meaning::Call => {
            Diagnostic::error(Code::Call, item.span(whole.open), format!("arguments of `{text}` stand in `<` and `>`"))
        }
        _ => Diagnostic::error(Code::ForeignType, name, format!("`{text}[...]` is not an ogc type")),
    };
    let fix = closed.then(|| Fix { label: format!("write `{shown}`"), edits });
    item.report(found.help(format!("write `{shown}`")).fix(fix));
}

/// Returns the edits that rewrite one generic type for ogc.
fn edits(item: &ItemLexemes<'_>, one: &Generic) -> Vec<(Span, String)> {
    let (open, between, close) = match one.meaning {
        Meaning::Array if one.close == one.open + 2 => ("", None, "[0..]"),
        meaning => meaning.written(),
    };
    let bracket = item.span(one.open);
    let head = match one.meaning {
        Meaning::Call => (bracket, "<".to_owned()),
        _ => (item.span(one.open - 1).merge(bracket), open.to_owned()),
    };
    let mut edits = vec![head, (item.span(one.close), close.to_owned())];
    if let Some(between) = between {
        edits.extend(one.commas.iter().map(|comma| (item.span(*comma), between.to_owned())));
    }
    edits
}

/// Returns the text from `start` to the last edit, with the edits applied; the edits are in order.
fn written(item: &ItemLexemes<'_>, start: u32, edits: &[(Span, String)]) -> Option<String> {
    let mut text = String::new();
    let mut from = start.checked_sub(item.base)? as usize;
    for (span, written) in edits {
        let (begin, end) = (span.start.checked_sub(item.base)? as usize, span.end.checked_sub(item.base)? as usize);
        text += item.source.get(from..begin)?;
        text += written;
        from = end;
    }
    Some(text)
}
