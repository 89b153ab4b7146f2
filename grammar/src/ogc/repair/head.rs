//! Repairs the head of an item: words of other languages, reserved words as names, `:` for `=`, a missing `=`.

mod parameters;

use super::classes::RECORD_WORDS;
use super::frames::Frame;
use super::{ItemLexemes, imports, made, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::{Lexeme, name_contextual_words};
use crate::ogc::token::TokenKind;
use crate::span::Span;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    keywords_in_names(item);
    if item.keyword().is_none() {
        foreign_word(item);
    }
    match item.keyword() {
        Some(TokenKind::Type | TokenKind::Rule | TokenKind::Output) if !item.confused => definition(item),
        Some(TokenKind::Import) => import(item),
        Some(TokenKind::Test) => test(item),
        Some(TokenKind::Policy) => policy(item),
        _ => {}
    }
}

/// Repairs `interface X {`; it is read as `type X = {`.
fn foreign_word(item: &mut ItemLexemes<'_>) {
    let at = item.keyword_at();
    let word = item.text(at);
    let named = item.kind(at + 1) == Some(TokenKind::Name);
    if !RECORD_WORDS.contains(&word) || !named {
        return;
    }
    let name = item.text(at + 1);
    let message = format!("`{word}` is not an ogc keyword");
    let found = Diagnostic::error(Code::ForeignWord, item.span(at), message);
    let braced = item.kind(at + 2) == Some(TokenKind::LeftBrace);
    let fix = match item.kind(at + 2) {
        _ if braced => Some(Fix::new("write `type` and `=`", item.span(at), "type").and(item.gap(at + 2), " =")),
        Some(TokenKind::Equals) => Some(Fix::new("write `type`", item.span(at), "type")),
        _ => None,
    };
    item.report(found.help(format!("write `type {name} = {{ ... }}`")).fix(fix));
    if let Some(lexeme) = item.lexemes.get_mut(at) {
        *lexeme = read_as(*lexeme, TokenKind::Type);
    }
    if braced {
        item.lexemes.insert(at + 2, made(TokenKind::Equals, "=", item.lexemes.get(at + 1)));
    }
    // After `class X(Base):`, the rest of the item is not ogc either.
    item.confused |=
        !matches!(item.kind(at + 2), Some(TokenKind::Equals | TokenKind::Colon | TokenKind::Less | TokenKind::Name));
}

fn definition(item: &mut ItemLexemes<'_>) {
    let keyword = item.keyword_at();
    reserved_name(item, keyword);
    quoted_name(item, keyword);
    if no_name(item, keyword) || hyphens(item, keyword) {
        item.confused = true;
        return;
    }
    if extends(item, keyword) || parameters::several_words(item, keyword) {
        item.confused = true;
        return;
    }
    parameters_in_parentheses(item, keyword);
    parameters::repair(item, keyword);
    let end = head_end(item, keyword);
    text_in_type(item, keyword, end);
    match item.kind(end) {
        Some(TokenKind::Colon) => colon(item, keyword, end),
        Some(kind) if begins_body(kind) && end > keyword + 1 => missing_equals(item, keyword, end),
        _ => {}
    }
}

/// Words that other languages write beside a literal in a type.
const WORDS_OF_TYPES: [&str; 20] = [
    "Literal", "Not", "and", "anyOf", "b", "const", "enum", "f", "keyof", "not", "nullable", "oneOf", "oneof",
    "optional", "or", "r", "re", "readonly", "u", "union",
];

/// Repairs `type x = name ": " value`, which is a text; the item is read as a rule.
fn text_in_type(item: &mut ItemLexemes<'_>, keyword: usize, equals: usize) {
    let typed = item.kind(keyword) == Some(TokenKind::Type) && item.kind(equals) == Some(TokenKind::Equals);
    if !typed {
        return;
    }
    let around = item.around();
    let kind = |at: usize| item.kind(at);
    let literal = |at: usize| matches!(kind(at), Some(TokenKind::String | TokenKind::Tok));
    let name = |at: usize| kind(at) == Some(TokenKind::Name);
    let beside = |at: &usize| {
        let top = around.get(*at).is_some_and(|around| around.frame == Frame::Top);
        let word = [at - 1, *at].iter().any(|at| WORDS_OF_TYPES.contains(&item.text(*at)));
        top && !word && (literal(at - 1) && name(*at) || name(at - 1) && literal(*at))
    };
    let Some(at) = (equals + 2..item.lexemes.len()).find(beside) else { return };
    let found = Diagnostic::error(Code::SideBySide, item.span(at), "a type has no texts that follow one another");
    let help = format!("write `rule {} ...`; in a type, alternatives are separated by `|`", item.text(keyword + 1));
    item.report(found.help(help));
    if let Some(lexeme) = item.lexemes.get_mut(keyword) {
        *lexeme = read_as(*lexeme, TokenKind::Rule);
    }
}

/// Repairs `type B extends A {`.
fn extends(item: &mut ItemLexemes<'_>, keyword: usize) -> bool {
    let (at, word) = (keyword + 2, item.text(keyword + 2));
    let named = item.kind(keyword + 1) == Some(TokenKind::Name) && item.kind(at) == Some(TokenKind::Name);
    if !named || !["extends", "implements", "inherits"].contains(&word) {
        return false;
    }
    let (name, base) = (item.text(keyword + 1), item.text(at + 1));
    let open = at + 2 + usize::from(item.kind(at + 2) == Some(TokenKind::Equals));
    let whole = item.kind(at + 1) == Some(TokenKind::Name) && item.kind(open) == Some(TokenKind::LeftBrace);
    let place = item.span(at).merge(item.span(open));
    let fix = whole.then(|| Fix::new("write `...` for its fields", place, format!("= {{ ...{base},")));
    let found = Diagnostic::error(Code::ForeignWord, item.span(at), format!("`{word}` is not an ogc keyword"));
    let base = if base.is_empty() { "A" } else { base };
    item.report(found.help(format!("write `type {name} = {{ ...{base}, more: T }}`")).fix(fix));
    true
}

/// Repairs `rule x(a) = ...` and `rule x[a] = ...`; they are read as `rule x<a> = ...`.
fn parameters_in_parentheses(item: &mut ItemLexemes<'_>, keyword: usize) {
    let open = keyword + 2;
    let bracket = item.kind(open).filter(|kind| matches!(kind, TokenKind::LeftParen | TokenKind::LeftBracket));
    let named = item.kind(keyword + 1) == Some(TokenKind::Name) && bracket.is_some();
    let closer = bracket.and_then(TokenKind::closer);
    let closer = (open..item.lexemes.len()).find(|at| item.kind(*at) == closer);
    let Some(close) = closer.filter(|close| named && item.kind(close + 1) == Some(TokenKind::Equals)) else {
        return;
    };
    let fix = Fix::new("write `<` and `>`", item.span(open), "<").and(item.span(close), ">");
    let found = Diagnostic::error(Code::Call, item.span(open), "parameters stand in `<` and `>`");
    let help = format!("write `{} {}<...> = ...`", item.text(keyword), item.text(keyword + 1));
    item.report(found.help(help).fix(fix));
    for (at, kind) in [(open, TokenKind::Less), (close, TokenKind::Greater)] {
        if let Some(lexeme) = item.lexemes.get_mut(at) {
            lexeme.kind = kind;
        }
    }
}

/// Reports `rule = x`, which has no name.
fn no_name(item: &mut ItemLexemes<'_>, keyword: usize) -> bool {
    let nameless = matches!(item.kind(keyword + 1), Some(TokenKind::Equals | TokenKind::Colon | TokenKind::LeftBrace));
    if nameless {
        let word = item.text(keyword);
        let found = Diagnostic::error(Code::MissingName, item.span(keyword), format!("this {word} has no name"));
        item.report(found.help(format!("write `{word} name = ...`")));
    }
    nameless
}

/// Repairs `output "X" = x`.
fn quoted_name(item: &mut ItemLexemes<'_>, keyword: usize) {
    let at = keyword + 1;
    let heads = matches!(item.kind(at + 1), Some(TokenKind::Equals | TokenKind::Less | TokenKind::LeftBrace));
    if item.kind(at) != Some(TokenKind::String) || !heads {
        return;
    }
    let inner = item.text(at).trim_matches(['"', '\'']);
    let word = inner.starts_with(|c: char| c.is_alphabetic()) && inner.chars().all(|c| c.is_alphanumeric() || c == '_');
    let fix = word.then(|| Fix::new("remove the quotes", item.span(at), inner));
    let found = Diagnostic::error(Code::WrongName, item.span(at), "a name stands without quotes");
    let help = if word { format!("write `{inner}`") } else { "a name is letters, digits and `_`".to_owned() };
    item.report(found.help(help).fix(fix));
    item.confused |= !word;
    if let Some(lexeme) = item.lexemes.get_mut(at).filter(|_| word) {
        *lexeme = Lexeme { kind: TokenKind::Name, text: inner, ..*lexeme };
    }
}

/// Reports `output my-format = x`, whose name has a hyphen.
fn hyphens(item: &mut ItemLexemes<'_>, keyword: usize) -> bool {
    let end = hyphenated_end(item, keyword + 1);
    let heads = matches!(item.kind(end), Some(TokenKind::Equals | TokenKind::Less | TokenKind::Colon));
    let hyphenated = end > keyword + 2 && item.kind(keyword + 1) == Some(TokenKind::Name) && heads;
    if hyphenated {
        let span = item.span(keyword + 1).merge(item.span(end - 1));
        let name: Vec<&str> = (keyword + 1..end).map(|at| item.text(at)).collect();
        let meant = name.concat().replace('-', "_");
        let fix = Fix::new(format!("write `{meant}`"), span, meant.clone());
        let message = format!("`{}` has a hyphen, and a name has none: `-` is difference", name.concat());
        let found = Diagnostic::error(Code::WrongName, span, message);
        item.report(found.help(format!("write `{meant}`, here and where it is used")).fix(fix));
    }
    hyphenated
}

fn begins_body(kind: TokenKind) -> bool {
    kind.begins_expression() || matches!(kind, TokenKind::Bar | TokenKind::Dots)
}

/// Returns the index after the name and its parameters.
fn head_end(item: &ItemLexemes<'_>, keyword: usize) -> usize {
    let named = item.kind(keyword + 1) == Some(TokenKind::Name);
    let mut at = keyword + 1 + usize::from(named);
    if item.kind(at) != Some(TokenKind::Less) {
        return at;
    }
    let mut depth = 0_usize;
    while let Some(kind) = item.kind(at) {
        depth += usize::from(kind.closer().is_some());
        depth -= usize::from(kind.is_closer() && depth > 0);
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

fn reserved_name(item: &mut ItemLexemes<'_>, keyword: usize) {
    let at = keyword + 1;
    let Some(kind) = item.kind(at).filter(|kind| kind.is_word() && *kind != TokenKind::Name) else { return };
    let word = item.text(at);
    let why = if kind.is_keyword() { "begins items" } else { "is a literal" };
    let message = format!("`{word}` {why} and cannot be the name of one");
    let help = format!("choose another name, as `{word}_` (fields, captures and arguments may be called `{word}`)");
    let message = if kind.is_keyword() { message } else { format!("`{word}` {why} and cannot be a name") };
    item.report(Diagnostic::error(Code::ReservedWord, item.span(at), message).help(help));
    if let Some(lexeme) = item.lexemes.get_mut(at) {
        *lexeme = read_as(*lexeme, TokenKind::Name);
    }
}

fn colon(item: &mut ItemLexemes<'_>, keyword: usize, at: usize) {
    let (word, name) = (item.text(keyword), item.text(keyword + 1));
    let article = if word.starts_with('o') { "an" } else { "a" };
    let message = format!("{article} {word} is defined with `=`");
    let help = format!("write `{word} {name} = ...`; `:` is for fields and captures");
    let doubled = item.kind(at + 1) == Some(TokenKind::Equals);
    let fix = Fix::new("write `=`", item.span(at), item.spaced(at, "="));
    let fix = if doubled { fix.and(item.span(at + 1), "") } else { fix };
    item.report(Diagnostic::error(Code::ColonForEquals, item.span(at), message).help(help).fix(fix));
    if let Some(lexeme) = item.lexemes.get_mut(at) {
        *lexeme = read_as(*lexeme, TokenKind::Equals);
    }
    // Other spellings of the sign: `: =`, and `:=` with a space.
    if doubled {
        item.lexemes.remove(at + 1);
    }
}

fn missing_equals(item: &mut ItemLexemes<'_>, keyword: usize, at: usize) {
    let (word, name) = (item.text(keyword), item.text(keyword + 1));
    let message = format!("`=` is missing after `{word} {name}`");
    let help = format!("write `{word} {name} = ...`");
    let fix = Fix::new("write `=`", item.gap(at), " =");
    item.report(Diagnostic::error(Code::MissingEquals, item.gap(at), message).help(help).fix(fix));
    let before = at.checked_sub(1).and_then(|before| item.lexemes.get(before));
    let equals = made(TokenKind::Equals, "=", before);
    item.lexemes.insert(at, equals);
}

/// Repairs the head of a test: `test {`, `test "X" {`, `test X = {`.
fn test(item: &mut ItemLexemes<'_>) {
    let at = item.keyword_at();
    if item.kind(at + 1) == Some(TokenKind::LeftBrace) {
        let found = Diagnostic::error(Code::MissingName, item.span(at), "this test does not say what it is about");
        item.report(found.help("write `test Name { ... }` with the name of a type, rule or output"));
        item.confused = true;
    }
    quoted_name(item, at);
    let sign = at + 2;
    if matches!(item.kind(sign), Some(TokenKind::Colon | TokenKind::Equals))
        && item.kind(sign + 1) == Some(TokenKind::LeftBrace)
    {
        let found =
            Diagnostic::error(Code::ExtraSign, item.span(sign), "the cases of a test follow its name without a sign");
        let fix = Fix::new(format!("remove this `{}`", item.text(sign)), item.span(sign), "");
        item.report(found.help(format!("write `test {} {{ ... }}`", item.text(at + 1))).fix(fix));
        item.lexemes.remove(sign);
    }
}

/// Repairs `policy space "any"`.
fn policy(item: &mut ItemLexemes<'_>) {
    quoted_name(item, item.keyword_at());
    let at = item.keyword_at() + 2;
    let value = matches!(item.kind(at), Some(TokenKind::String | TokenKind::Number));
    if value && item.kind(at - 1) == Some(TokenKind::Name) {
        missing_equals(item, at - 2, at);
    }
}

/// Returns the correction of `* as x from "file"` to `"file" as x`.
fn star_as(item: &ItemLexemes<'_>, at: usize) -> Option<Fix> {
    let named = item.kind(at + 1) == Some(TokenKind::As) && item.kind(at + 2) == Some(TokenKind::Name);
    let from = item.kind(at + 3) == Some(TokenKind::From) && item.kind(at + 4) == Some(TokenKind::String);
    let written = format!("{} as {}", item.text(at + 4), item.text(at + 2));
    let place = item.span(at).merge(item.span(at + 4));
    (named && from).then(|| Fix::new(format!("write `import {written}`"), place, written))
}

/// Repairs `import { a, b } from` and `import * from`.
fn import_braces(item: &mut ItemLexemes<'_>, at: usize) {
    if item.kind(at) == Some(TokenKind::Star) {
        let found = Diagnostic::error(Code::ForeignSign, item.span(at), "an import names what it brings");
        let found = found.help("write `import A, B from \"file\"`, or `import \"file\" as module`");
        let fix = star_as(item, at);
        item.report(found.fix(fix));
        item.confused = true;
    }
    let bracket = item.kind(at).filter(|kind| matches!(kind, TokenKind::LeftBrace | TokenKind::LeftParen));
    let Some(closer) = bracket.and_then(TokenKind::closer) else { return };
    let Some(close) = (at..item.lexemes.len()).find(|at| item.kind(*at) == Some(closer)) else { return };
    let (open, end) = (item.span(at), item.span(close));
    let what = if closer == TokenKind::RightBrace { "braces" } else { "parentheses" };
    let found = Diagnostic::error(Code::ForeignSign, open, format!("imported names stand without {what}"));
    let fix = Fix::new(format!("remove the {what}"), open, "").and(end, "");
    item.report(found.help("write `import A, B from \"file\"`").fix(fix));
    item.lexemes.remove(close);
    item.lexemes.remove(at);
    // Inside of braces `as` was not yet recognised as a keyword of imports; nor were the words after the braces.
    name_contextual_words(&mut item.lexemes);
}

/// Repairs `import A, from "file"`.
fn comma_before_from(item: &mut ItemLexemes<'_>, keyword: usize) {
    let mut names = keyword + 1..item.lexemes.len();
    let Some(from) = names.find(|at| item.kind(*at) == Some(TokenKind::From)) else { return };
    if from > keyword + 2 && item.before(from) == Some(TokenKind::Comma) {
        let span = item.span(from - 1);
        let found = Diagnostic::error(Code::ExtraComma, span, "a name is missing between `,` and `from`");
        item.report(found.help("remove the comma, or name another definition").fix(Fix::new(
            "remove the comma",
            span,
            "",
        )));
        item.lexemes.remove(from - 1);
    }
}

/// Repairs `import month-num from`, and names with hyphens in `with`.
fn hyphens_in_imports(item: &mut ItemLexemes<'_>) {
    let mut at = item.keyword_at() + 1;
    let mut behind_names = false;
    while at < item.lexemes.len() {
        behind_names |= ends_names(item, at);
        let end = hyphenated_end(item, at);
        if end == at + 1 {
            at += 1;
            continue;
        }
        let span = item.span(at).merge(item.span(end - 1));
        let name: String = (at..end).map(|at| item.text(at)).collect();
        let replaced = item.kind(end) == Some(TokenKind::Equals);
        if behind_names && !replaced {
            at = end;
            continue;
        }
        let renamed = item.kind(end) == Some(TokenKind::As) || replaced;
        let alias = name.replace('-', "_");
        let written = if renamed { format!("\"{name}\"") } else { format!("\"{name}\" as {alias}") };
        let found = Diagnostic::error(Code::MissingQuotes, span, "a name with hyphens needs quotes");
        let fix = Fix::new(format!("write `{written}`"), span, written.clone());
        item.report(found.help(format!("write `{written}`")).fix(fix));
        item.confused = true;
        at = end;
    }
}

/// Returns whether the imported names of an import end at `at`: replacements follow, whose values are expressions, as
/// in `with { a = b.type c - d }`.
fn ends_names(item: &ItemLexemes<'_>, at: usize) -> bool {
    matches!(item.kind(at), Some(TokenKind::From | TokenKind::With))
}

/// Returns the index after a name with hyphens that begins at `at`; without such a name, the index after the token.
pub(super) fn hyphenated_end(item: &ItemLexemes<'_>, at: usize) -> usize {
    let mut end = at + 1;
    while item.kind(at) == Some(TokenKind::Name)
        && item.kind(end) == Some(TokenKind::Minus)
        && item.touches(end)
        && item.touches(end + 1)
        && item.kind(end + 1).is_some_and(continues_name)
    {
        end += 2;
    }
    end
}

/// Repairs `import type A from "file"`.
fn import_types(item: &mut ItemLexemes<'_>, keyword: usize) {
    let is_word = |at: usize| item.kind(at) == Some(TokenKind::Type) && item.kind(at + 1) == Some(TokenKind::Name);
    let names = (keyword + 1..item.lexemes.len()).take_while(|at| !ends_names(item, *at));
    let words: Vec<usize> = names.filter(|at| is_word(*at)).collect();
    for at in words.into_iter().rev() {
        let span = Span::new(item.span(at).start, item.span(at + 1).start);
        let found = Diagnostic::error(Code::ForeignWord, item.span(at), "`type` stands before an imported name");
        let help = format!("write the name alone: `import {} from \"file\"`", item.text(at + 1));
        item.report(found.help(help).fix(Fix::new("remove `type`", span, "")));
        item.lexemes.remove(at);
    }
}

fn continues_name(kind: TokenKind) -> bool {
    kind.is_word() || matches!(kind, TokenKind::Number | TokenKind::BadNumber)
}

/// Repairs uses of names such as `my-type`: `type` is part of the name here, and the name is checked later.
fn keywords_in_names(item: &mut ItemLexemes<'_>) {
    for at in 2..item.lexemes.len() {
        let keyword = item.kind(at).is_some_and(TokenKind::is_keyword);
        let hyphen = item.before(at) == Some(TokenKind::Minus) && item.touches(at) && item.touches(at - 1);
        if keyword && hyphen && item.kind(at - 2).is_some_and(continues_name) {
            item.lexemes[at].kind = TokenKind::Name;
        }
    }
}

/// Repairs the head of an import, and reports `import "x"`, which gives no name to the imported file.
fn import(item: &mut ItemLexemes<'_>) {
    let at = item.keyword_at();
    import_types(item, at);
    import_braces(item, at + 1);
    comma_before_from(item, at);
    hyphens_in_imports(item);
    if !item.confused {
        imports::repair(item, at);
    }
    if item.kind(at + 1) == Some(TokenKind::String) && item.kind(at + 2).is_none() {
        let help = format!("write `import {} as module`, or `import A, B from ...`", item.text(at + 1));
        let message = "this import brings no name into scope";
        item.report(Diagnostic::error(Code::ImportWithoutName, item.span(at + 1), message).help(help));
        item.confused = true;
    }
}
