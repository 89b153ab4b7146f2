//! Diagnoses text that does not begin with a keyword, by what was probably meant.

use super::ast::Name;
use super::repair::literals::doc_comment;
use super::terminal::Lexeme;
use super::token::TokenKind;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::looks::{look_alike, stranger};
use crate::rules::nearest;
use crate::span::Span;

/// Returns the diagnostic for an item that begins with no keyword, and the name that it probably defines.
pub(crate) fn stray(lexemes: &[Lexeme<'_>], base: u32) -> (Diagnostic, Option<Name>) {
    if let Some(found) = description(lexemes, base) {
        return (found, None);
    }
    if let Some(found) = json(lexemes, base) {
        return (found, None);
    }
    if let Some(found) = required(lexemes, base) {
        let name = lexemes
            .get(1)
            .map(|name| Name { text: name.text.to_owned(), span: Span::new(name.start, name.end).shifted(base) });
        return (found, name);
    }
    let Some(at) = lexemes.iter().position(|lexeme| lexeme.kind != TokenKind::Attribute) else {
        return (only_attributes(lexemes, base), None);
    };
    let first = &lexemes[at];
    let next = lexemes.get(at + 1);
    let span = Span::new(first.start, first.end).shifted(base);
    let defines = next.is_some_and(|next| next.kind == TokenKind::Equals || is_definition_sign(next.text));
    if let Some(attribute) = at.checked_sub(1).and_then(|before| lexemes.get(before))
        && first.kind == TokenKind::Equals
    {
        return (attribute_equals(attribute, next, span), None);
    }
    if first.kind == TokenKind::AttributeOpen {
        return (only_attributes(lexemes, base), None);
    }
    if first.kind == TokenKind::Name && defines {
        return (
            without_keyword(first, next, lexemes.get(at + 2), span),
            Some(Name { text: first.text.to_owned(), span }),
        );
    }
    if let Some(attribute) = at.checked_sub(1).and_then(|before| lexemes.get(before))
        && first.kind == TokenKind::String
    {
        return (attribute_text(attribute, first, span, base), None);
    }
    if let [.., _] = lexemes.get(..at).unwrap_or_default()
        && let Some(found) = attribute_space(&lexemes[at - 1..], base)
    {
        return (found, None);
    }
    // The first name after an import word is not the name that the item defines, and one after `return` is used.
    let imports = lexemes.get(at + 2).is_some_and(|one| one.kind == TokenKind::Import);
    let brings = matches!(first.text, "use" | "include" | "require" | "using" | "return" | "yield" | "print" | "emit")
        || first.text == "from" && !imports;
    let named = next.filter(|next| next.kind == TokenKind::Name && !brings);
    let name =
        named.map(|next| Name { text: next.text.to_owned(), span: Span::new(next.start, next.end).shifted(base) });
    let fix = correction(&lexemes[at..], base);
    (unknown_word(first, next, span, fix), name)
}

/// Diagnoses a text in quotes before an item, such as `"A user"`.
fn description(lexemes: &[Lexeme<'_>], base: u32) -> Option<Diagnostic> {
    let [text] = lexemes else { return None };
    let comment = doc_comment(text)?;
    let span = Span::new(text.start, text.end).shifted(base);
    let found = Diagnostic::error(Code::ExpectedItem, span, "a text in quotes describes nothing");
    let fix = Fix::new("write `///`", span, comment.clone());
    Some(found.help(format!("write `{comment}`, on a line before what it describes")).fix(fix))
}

/// Diagnoses a JSON text, such as a schema or a list of tools that was put into an `.ogc` file.
fn json(lexemes: &[Lexeme<'_>], base: u32) -> Option<Diagnostic> {
    use TokenKind::{Colon, LeftBrace, LeftBracket, RightBrace, String};
    let kind = |at: usize| lexemes.get(at).map(|lexeme| lexeme.kind);
    let list = kind(0) == Some(LeftBracket) && matches!(kind(1), Some(LeftBrace | String | TokenKind::Number));
    let object = kind(0) == Some(LeftBrace)
        && (kind(1) == Some(String) && kind(2) == Some(Colon) || kind(1) == Some(RightBrace));
    if !list && !object {
        return None;
    }
    let has = |key: &str| lexemes.iter().any(|one| one.kind == String && one.text.trim_matches('"') == key);
    let help = if has("function") || has("input_schema") || has("parameters") {
        "put a list of tools into a file `tools.json` and write `import tools from \"tools.json\"`"
    } else {
        "put a schema into a file `x.schema.json`: `ogc check x.schema.json` reads it as it is, and \
         `import root as X from \"x.schema.json\"` brings it in here"
    };
    let first = lexemes.first()?;
    let span = Span::new(first.start, first.end).shifted(base);
    let message = "this is JSON, and it is read as `.ogc`";
    Some(Diagnostic::error(Code::OtherNotation, span, message).help(help))
}

/// Diagnoses `@space = "pretty"`.
fn attribute_equals(attribute: &Lexeme<'_>, value: Option<&Lexeme<'_>>, span: Span) -> Diagnostic {
    let message = "arguments of an attribute stand in parentheses";
    let help = format!("write `{}({})`", attribute.text, value.map_or("...", |value| value.text));
    Diagnostic::error(Code::ForeignSign, span, message).help(help)
}

/// Diagnoses `@space "pretty"`.
fn attribute_text(attribute: &Lexeme<'_>, value: &Lexeme<'_>, span: Span, base: u32) -> Diagnostic {
    let written = format!("{}({})", attribute.text, value.text);
    let place = Span::new(attribute.start, value.end).shifted(base);
    let fix = Fix::new(format!("write `{written}`"), place, written.clone());
    let message = "arguments of an attribute stand in parentheses";
    Diagnostic::error(Code::ForeignSign, span, message).help(format!("write `{written}`")).fix(fix)
}

/// Diagnoses `const A = require("file")` and `const A = import "file"`.
fn required(lexemes: &[Lexeme<'_>], base: u32) -> Option<Diagnostic> {
    let [word, name, equals, call, rest @ ..] = lexemes else { return None };
    let defines = matches!(word.text, "const" | "let" | "var") && name.kind == TokenKind::Name;
    let loads = matches!(call.text, "require" | "import" | "load" | "include") && equals.kind == TokenKind::Equals;
    let file = rest.iter().find(|one| one.kind == TokenKind::String).filter(|_| defines && loads)?;
    let span = Span::new(word.start, word.end).shifted(base);
    let found = Diagnostic::error(Code::ForeignWord, span, format!("`{}` is not an ogc keyword", word.text));
    let help = format!("write `import {} from {}`, or `import {1} as {0}` for the whole file", name.text, file.text);
    Some(found.help(help))
}

/// Diagnoses `@space ("pretty")`.
fn attribute_space(lexemes: &[Lexeme<'_>], base: u32) -> Option<Diagnostic> {
    let [attribute, open, .., close] = lexemes else { return None };
    let call = attribute.kind == TokenKind::Attribute && open.kind == TokenKind::LeftParen;
    if !call || close.kind != TokenKind::RightParen {
        return None;
    }
    let place = Span::new(attribute.start, open.end).shifted(base);
    let found = Diagnostic::error(Code::ForeignSign, place, "the parenthesis touches the name of an attribute");
    let inner = lexemes.get(2).filter(|_| lexemes.len() == 4).map_or("...", |one| one.text);
    let help = format!("write `{}({inner})`, without the space", attribute.text);
    Some(found.help(help).fix(Fix::new("remove the space", place, format!("{}(", attribute.text))))
}

fn is_definition_sign(text: &str) -> bool {
    matches!(text, "::=" | ":=" | "->" | "=>" | ":")
}

/// Diagnoses `X = ...` without `type` or `rule`.
fn without_keyword(name: &Lexeme<'_>, sign: Option<&Lexeme<'_>>, body: Option<&Lexeme<'_>>, span: Span) -> Diagnostic {
    let record = body.is_some_and(|body| body.kind == TokenKind::LeftBrace);
    let produces = sign.is_some_and(|sign| sign.text == "::=");
    let help = if produces {
        format!(
            "write `rule {} = ...`; grammars in `.gbnf`, `.ebnf`, `.abnf` and `.lark` files are read as they are",
            name.text
        )
    } else if record {
        format!("write `type {} = ...`", name.text)
    } else {
        format!("write `type {0} = ...` for JSON values or `rule {0} = ...` for text", name.text)
    };
    let message = format!("the definition of `{}` needs a keyword", name.text);
    let equals = sign.is_some_and(|sign| sign.kind == TokenKind::Equals);
    let fix = (record && equals).then(|| Fix::new("write `type`", Span::empty(span.start), "type "));
    let guesses =
        ["rule", "type"].map(|word| Fix::new(format!("write `{word}`"), Span::empty(span.start), format!("{word} ")));
    let found = Diagnostic::error(Code::MissingKeyword, span, message).help(help);
    if fix.is_none() && equals { guesses.into_iter().fold(found, Diagnostic::guess) } else { found.fix(fix) }
}

fn unknown_word(first: &Lexeme<'_>, next: Option<&Lexeme<'_>>, span: Span, fix: Option<Fix>) -> Diagnostic {
    let name = next.filter(|next| next.kind == TokenKind::Name).map_or("Name", |next| next.text);
    let path = next.filter(|next| next.kind == TokenKind::String).map_or("\"file\"", |path| path.text);
    let meant = fix.as_ref().and_then(|fix| fix.edits.first()).map(|(_, written)| written);
    let meant = meant
        .filter(|written| written.starts_with("import ") || written.starts_with("type "))
        .map(|written| format!("write `{written}`"));
    let help = foreign(first.text, name).map(|help| meant.unwrap_or(help).replace("\"file\"", path));
    if let Some(help) = help {
        let message = format!("`{}` is not an ogc keyword", first.text);
        return Diagnostic::error(Code::ForeignWord, span, message).help(help).fix(fix);
    }
    let message = format!("an item cannot begin with `{}`", shown(first.text));
    let found = Diagnostic::error(Code::ExpectedItem, span, message);
    if matches!((first.text, next.map_or("", |next| next.text)), ("-", "-") | ("(", "*") | ("<", "!")) {
        return found.help("comments begin with `//`");
    }
    let meant = if first.kind == TokenKind::Name { nearest(first.text, TokenKind::item_keywords()) } else { None };
    match meant {
        Some(keyword) => {
            let fix = Fix::new(format!("write `{keyword}`"), span, keyword);
            let looks = look_alike(first.text, keyword).then(|| stranger(first.text)).flatten();
            let help = looks
                .map_or_else(|| format!("did you mean `{keyword}`?"), |looks| format!("write `{keyword}`: {looks}"));
            found.help(help).fix(fix)
        }
        None => found.help(format!("items begin with {}", item_keywords())),
    }
}

/// Lists the words that begin items.
fn item_keywords() -> String {
    let words: Vec<String> = TokenKind::item_keywords().map(|word| format!("`{word}`")).collect();
    words.split_last().map_or_else(String::new, |(last, others)| format!("{} or {last}", others.join(", ")))
}

/// Returns the advice for a word of another language: how ogc writes it.
fn foreign(word: &str, name: &str) -> Option<String> {
    Some(match word {
        "union" => format!("write `type {name} = A | B`"),
        "enum" => format!("write `type {name} = \"a\" | \"b\"`"),
        "interface" | "struct" | "class" | "message" | "model" | "record" | "schema" => {
            format!("write `type {name} = {{ ... }}`")
        }
        "let" | "const" | "var" | "def" | "fn" | "func" | "function" | "alias" | "typedef" | "newtype" => {
            format!("write `type {name} = ...` for JSON values or `rule {name} = ...` for text")
        }
        "token" | "terminal" | "fragment" | "lexer" | "grammar" | "production" => format!("write `rule {name} = ...`"),
        "return" | "yield" | "print" | "emit" => format!("write `output Out = {name}`"),
        "use" | "include" | "require" | "using" | "from" => {
            "write `import A, B from \"file\"` or `import \"file\" as module`".to_owned()
        }
        "export" | "declare" | "root" | "start" | "main" | "pub" | "public" => {
            "entry points are written `output Name = ...`".to_owned()
        }
        "accept" | "reject" | "assert" | "example" => format!("write `test {name} {{ accept \"...\" }}`"),
        "option" | "options" | "set" | "config" | "pragma" => "write `policy space = \"any\"`".to_owned(),
        _ => return None,
    })
}

/// Returns the correction of an item in the spelling of another language, if it is certain.
fn correction(lexemes: &[Lexeme<'_>], base: u32) -> Option<Fix> {
    let place = |lexeme: &Lexeme<'_>| Span::new(lexeme.start, lexeme.end).shifted(base);
    let (first, last) = (lexemes.first()?, lexemes.last()?);
    let kind = |at: usize| lexemes.get(at).map(|lexeme| lexeme.kind);
    match first.text {
        // The text after the word belongs to another item.
        "export" | "pub" | "public" | "declare" if lexemes.len() == 1 => {
            Some(Fix::new(format!("remove `{}`", first.text), place(first), ""))
        }
        "union" | "alias" | "newtype" if kind(1) == Some(TokenKind::Name) && kind(2) == Some(TokenKind::Equals) => {
            Some(Fix::new("write `type`", place(first), "type"))
        }
        "enum" if kind(1) == Some(TokenKind::Name) && kind(2) == Some(TokenKind::Equals) => {
            let literal = lexemes.get(3..)?.iter().all(|one| matches!(one.kind, TokenKind::String | TokenKind::Bar));
            literal.then(|| Fix::new("write `type`", place(first), "type"))
        }
        "enum" if kind(1) == Some(TokenKind::Name) => {
            let literals = literals(lexemes.get(2..)?)?;
            let written = format!("type {} = {literals}", lexemes.get(1)?.text);
            Some(Fix::new("write a union of literals", place(first).merge(place(last)), written))
        }
        "from" if kind(1) == Some(TokenKind::String) && kind(2) == Some(TokenKind::Import) => {
            let names = lexemes.get(3..).filter(|names| !names.is_empty())?;
            let plain = |lexeme: &Lexeme<'_>| matches!(lexeme.kind, TokenKind::Name | TokenKind::As | TokenKind::Comma);
            let words: Vec<&str> = names.iter().filter(|one| plain(one)).map(|one| one.text).collect();
            let written = format!("import {} from {}", words.join(" ").replace(" ,", ","), lexemes.get(1)?.text);
            let all = words.len() == names.len();
            all.then(|| Fix::new("write `import ... from`", place(first).merge(place(last)), written))
        }
        "from" if kind(1) == Some(TokenKind::Name) && kind(2) == Some(TokenKind::Import) && lexemes.len() == 4 => {
            let path = lexemes.get(3).filter(|path| path.kind == TokenKind::String)?;
            let written = format!("import {} from {}", lexemes.get(1)?.text, path.text);
            Some(Fix::new("write `import ... from`", place(first).merge(place(last)), written))
        }
        "return" | "yield" | "print" | "emit" if lexemes.len() == 2 && kind(1) == Some(TokenKind::Name) => {
            Some(Fix::new("write `output Out =`", place(first), "output Out ="))
        }
        _ => None,
    }
}

/// Returns `{ A, B }` as `"A" | "B"`, if it contains only names and commas.
fn literals(lexemes: &[Lexeme<'_>]) -> Option<String> {
    let [open, inner @ .., close] = lexemes else { return None };
    let braces = open.kind == TokenKind::LeftBrace && close.kind == TokenKind::RightBrace;
    let mut words = Vec::new();
    for lexeme in inner {
        match lexeme.kind {
            TokenKind::Name => words.push(format!("\"{}\"", lexeme.text)),
            TokenKind::Comma => {}
            _ => return None,
        }
    }
    (braces && !words.is_empty()).then(|| words.join(" | "))
}

fn only_attributes(lexemes: &[Lexeme<'_>], base: u32) -> Diagnostic {
    let first = lexemes.first().map_or(0, |lexeme| lexeme.start);
    let last = lexemes.last().map_or(0, |lexeme| lexeme.end);
    let help = "an attribute comes before a type, rule, output, field or expression; for the whole file write `policy`";
    let span = Span::new(first, last).shifted(base);
    Diagnostic::error(Code::StrayAttribute, span, "this attribute belongs to nothing").help(help)
}

fn shown(text: &str) -> String {
    text.chars().take(24).collect()
}
