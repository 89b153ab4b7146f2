//! Determines the context of a cursor in an `.ogc` file; no other module examines tokens.

mod site;

use ogc_compiler::hir::{AttributeKind, Builtin, PolicyKind, Site};
use ogc_grammar::ogc::token::TokenKind;

use super::kind::{Kind, kind_of};
use crate::walk::{At, Frame, Open, Walk};
use site::sites;

/// The context of a cursor, which determines the possible completions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// Nothing can be completed.
    Nothing,
    /// The start of an item.
    Item,
    /// The start of an operand.
    Operand(Operand),
    /// A name after `module.`, with the module.
    Module(String),
    /// The start of a member of a record.
    Member,
    /// The record to spread, after `...`.
    Spread,
    /// The name of an attribute at one of these sites.
    Attribute(Vec<Site>),
    /// An argument of an attribute.
    AttributeArgument(AttributeKind),
    /// The value of a setting or policy, by name.
    SettingValue(String),
    /// The name of a setting in a `policy` item.
    SettingName,
    /// A word of an import: `from`, `as`, `with`.
    ImportWord(&'static [&'static str]),
    /// A name that an import brings in.
    ImportedName,
    /// The path of an import.
    ImportPath,
    /// The name of a definition that an import replaces.
    Override,
    /// The name of a vocabulary token.
    Token,
    /// The definition that a test is about.
    TestTarget,
    /// A word of a test: `accept`, `reject`, `because`.
    TestWord(&'static [&'static str]),
    /// The subject of a case.
    TestSubject,
    /// A key of an object in a case.
    JsonKey,
    /// A value in a case.
    JsonValue,
}

/// The operand at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) kind: Kind,
    /// The path of the use whose argument starts here, if none of the argument has been written yet.
    pub(super) call: Option<Vec<String>>,
    /// The paths that are joined to the operand by `&`.
    pub(super) joined: Vec<Vec<String>>,
}

const CASE: &[&str] = &["accept", "reject"];
const AFTER_CASE: &[&str] = &["because", "with", "accept", "reject"];

/// Returns the context of the cursor.
pub(super) fn context(walk: &Walk<'_>) -> Context {
    match walk.at {
        At::Other => Context::Nothing,
        At::Tok(..) => Context::Token,
        At::Attribute(..) => Context::Attribute(sites(walk)),
        At::String(..) => in_string(walk),
        At::Space | At::Word(_) => between(walk),
    }
}

/// Returns the context of a cursor inside a string.
fn in_string(walk: &Walk<'_>) -> Context {
    let last = walk.last();
    if last.and_then(|last| walk.kind(last)) == Some(TokenKind::Dot) {
        return behind_dot(walk);
    }
    let found = match walk.frames.last() {
        Some(frame) => in_frame(walk, frame),
        None => at_top(walk),
    };
    match found {
        Context::AttributeArgument(_)
        | Context::SettingValue(_)
        | Context::ImportPath
        | Context::JsonKey
        | Context::JsonValue => found,
        // `import "` usually starts a path; `import "odd name" as x from` is rare.
        Context::ImportedName if walk.segment().is_empty() && walk.frames.is_empty() && !has_comma(walk) => {
            Context::ImportPath
        }
        Context::ImportedName => found,
        _ => Context::Nothing,
    }
}

/// Returns whether the import has a comma, so that it lists names.
fn has_comma(walk: &Walk<'_>) -> bool {
    walk.keyword.is_some_and(|keyword| walk.segment > keyword + 1)
}

/// Returns the context of a cursor between tokens or in a word.
fn between(walk: &Walk<'_>) -> Context {
    let Some(last) = walk.last() else { return Context::Item };
    match walk.kind(last) {
        Some(TokenKind::Dot) => return behind_dot(walk),
        Some(TokenKind::Foreign | TokenKind::Unknown) => return Context::Nothing,
        _ => {}
    }
    if begins_item(walk, last) {
        return Context::Item;
    }
    match walk.frames.last() {
        Some(frame) => in_frame(walk, frame),
        None => at_top(walk),
    }
}

/// Returns the module before the dot.
fn behind_dot(walk: &Walk<'_>) -> Context {
    let path = walk.last().and_then(|dot| walk.path_before(dot));
    match path.as_deref() {
        Some([module]) => Context::Module(module.clone()),
        _ => Context::Nothing,
    }
}

/// Returns whether only an item can start at the cursor: at the start of a line, after a complete expression.
fn begins_item(walk: &Walk<'_>, last: usize) -> bool {
    let whole = walk.kind(last).is_some_and(TokenKind::ends_expression) || walk.ends_attribute(last);
    let headless = walk.keyword.is_none() && walk.ends_attribute(last);
    let named = walk.keyword.is_none_or(|keyword| last > keyword);
    walk.frames.is_empty() && whole && (walk.indent() == Some("") && named || headless)
}

/// Returns the context outside all brackets.
fn at_top(walk: &Walk<'_>) -> Context {
    let (Some(keyword), Some(last)) = (walk.keyword, walk.last()) else { return Context::Nothing };
    let behind = last - keyword;
    match walk.item_keyword() {
        Some(TokenKind::Import) => in_import(walk, keyword, last),
        Some(TokenKind::Test) if behind == 0 => Context::TestTarget,
        Some(TokenKind::Policy) => match walk.segment() {
            [] => Context::SettingName,
            [_, equals] if equals.kind == TokenKind::Equals => Context::SettingValue(walk.written(last - 1).to_owned()),
            _ => Context::Nothing,
        },
        Some(TokenKind::Type | TokenKind::Rule | TokenKind::Output) if defines(walk, keyword) => operand(walk, last),
        _ => Context::Nothing,
    }
}

/// Returns whether the `=` of a definition is before the cursor.
fn defines(walk: &Walk<'_>, keyword: usize) -> bool {
    (keyword..walk.before).any(|index| walk.kind(index) == Some(TokenKind::Equals))
}

/// Returns the context in an import outside brackets.
fn in_import(walk: &Walk<'_>, keyword: usize, last: usize) -> Context {
    let has = |word: &str| (keyword + 1..walk.before).any(|index| walk.written(index) == word);
    let kind = walk.kind(last);
    match walk.written(last) {
        _ if last == keyword => Context::ImportedName,
        "from" => Context::ImportPath,
        "as" => Context::Nothing,
        "}" if !has("from") => Context::ImportWord(&["from"]),
        _ if kind == Some(TokenKind::Comma) => Context::ImportedName,
        _ if kind == Some(TokenKind::String) && last == keyword + 1 => Context::ImportWord(&["as"]),
        _ if kind == Some(TokenKind::String) && has("from") && !has("with") => Context::ImportWord(&["with"]),
        _ if kind.is_some_and(TokenKind::is_word) && !has("from") && !has("with") => match whole_file(walk, keyword) {
            true => Context::ImportWord(&["with"]),
            false => Context::ImportWord(&["from", "as"]),
        },
        _ => Context::Nothing,
    }
}

/// Returns whether the import is `import "file" as name`.
fn whole_file(walk: &Walk<'_>, keyword: usize) -> bool {
    walk.kind(keyword + 1) == Some(TokenKind::String) && walk.kind(keyword + 3).is_some()
}

/// Returns the context inside an open bracket.
fn in_frame(walk: &Walk<'_>, frame: &Frame) -> Context {
    let Some(last) = walk.last() else { return Context::Nothing };
    let segment = walk.segment();
    match &frame.open {
        Open::Record
            if walk.item_keyword() == Some(TokenKind::Import)
                && walk.keyword.is_some_and(|keyword| frame.start == keyword + 1) =>
        {
            // `import { A } from`, as in other languages.
            if walk.written(last) == "from" { Context::ImportPath } else { Context::ImportedName }
        }
        Open::Record => in_record(walk, frame, last),
        Open::Group | Open::KeySet | Open::Bounds => operand(walk, last),
        Open::Parameters if segment.get(1).is_some_and(|sign| sign.kind == TokenKind::Equals) => operand(walk, last),
        Open::Parameters => Context::Nothing,
        Open::Arguments(path) => in_arguments(walk, path, last),
        Open::Attribute(name) => in_attribute(walk, name, last),
        Open::Cases => in_cases(walk, last),
        Open::JsonObject => match segment {
            [] => Context::JsonKey,
            [_, colon] if colon.kind == TokenKind::Colon => Context::JsonValue,
            _ => Context::Nothing,
        },
        Open::JsonArray if segment.is_empty() => Context::JsonValue,
        Open::JsonArray => Context::Nothing,
        Open::Overrides => match segment {
            [] => Context::Override,
            [_, equals, ..] if equals.kind == TokenKind::Equals => operand(walk, last),
            _ => Context::Nothing,
        },
    }
}

/// Returns the context inside a record.
fn in_record(walk: &Walk<'_>, frame: &Frame, last: usize) -> Context {
    let attributes = (frame.segment..walk.before).take_while(|index| is_of_attribute(walk, *index)).count();
    let segment = walk.segment().get(attributes..).unwrap_or_default();
    let whole = walk.kind(last).is_some_and(TokenKind::ends_expression);
    match segment {
        [] => Context::Member,
        [spread] if spread.kind == TokenKind::Ellipsis => Context::Spread,
        // A comma is missing.
        _ if whole && walk.indent().is_some() => Context::Member,
        _ if segment.iter().any(|token| token.kind == TokenKind::Colon) => operand(walk, last),
        _ => Context::Nothing,
    }
}

/// Returns whether a token before the first name of a member belongs to its attributes.
fn is_of_attribute(walk: &Walk<'_>, index: usize) -> bool {
    let ends = |at: &usize| walk.ends_attribute(*at);
    match walk.kind(index) {
        Some(TokenKind::Attribute | TokenKind::AttributeOpen) => true,
        _ => (index..walk.before).find(|at| walk.kind(*at) == Some(TokenKind::RightParen)).as_ref().is_some_and(ends),
    }
}

/// Returns the context between `<` and `>` of a use.
fn in_arguments(walk: &Walk<'_>, path: &[String], last: usize) -> Context {
    let takes_policies = || matches!(path, [name] if Builtin::of(name).is_some_and(Builtin::takes_policies));
    let is_policy = |name: &str| PolicyKind::of(name).is_some() && takes_policies();
    match walk.segment() {
        // All arguments after the value are policies.
        [] if path == ["json"] && walk.frames.last().is_some_and(|frame| frame.commas > 0) => Context::SettingName,
        [name, equals] if equals.kind == TokenKind::Equals && is_policy(name.span.text(walk.text)) => {
            Context::SettingValue(name.span.text(walk.text).to_owned())
        }
        [] => with_call(operand(walk, last), path),
        _ => operand(walk, last),
    }
}

fn with_call(context: Context, path: &[String]) -> Context {
    match context {
        Context::Operand(operand) => Context::Operand(Operand { call: Some(path.to_vec()), ..operand }),
        other => other,
    }
}

/// Returns the context inside the parentheses of an attribute.
fn in_attribute(walk: &Walk<'_>, name: &str, last: usize) -> Context {
    let Some(kind) = AttributeKind::of(name) else { return Context::Nothing };
    let in_string = matches!(walk.at, At::String(..));
    match (kind, walk.segment()) {
        (AttributeKind::Policy(_) | AttributeKind::Schemas(_), []) => Context::SettingValue(name.to_owned()),
        (AttributeKind::Skip, _) if !in_string => operand(walk, last),
        (AttributeKind::Budget, [name, equals]) if equals.kind == TokenKind::Equals => {
            Context::SettingValue(name.span.text(walk.text).to_owned())
        }
        (_, []) => Context::AttributeArgument(kind),
        _ => Context::Nothing,
    }
}

/// Returns the context in a test, outside JSON.
fn in_cases(walk: &Walk<'_>, last: usize) -> Context {
    match (walk.written(last), walk.kind(last)) {
        ("accept" | "reject", _) if matches!(walk.at, At::String(..)) => Context::Nothing,
        ("accept" | "reject", _) => Context::TestSubject,
        ("because", _) => Context::Nothing,
        (_, Some(TokenKind::LeftBrace)) if walk.frames.last().is_some_and(|frame| frame.start == last) => {
            Context::TestWord(CASE)
        }
        _ if last.checked_sub(1).is_some_and(|before| walk.written(before) == "because") => Context::TestWord(CASE),
        _ => Context::TestWord(AFTER_CASE),
    }
}

/// Returns the operand that starts at the cursor, if one may start there.
fn operand(walk: &Walk<'_>, last: usize) -> Context {
    use TokenKind::{And, Bar, Colon, Comma, Dots, Ellipsis, Equals, LeftBracket, LeftParen, Less, Minus, Percent};
    let kind = kind_of(walk);
    let begins = match walk.kind(last) {
        Some(Equals | Bar | And | Minus | Percent | Colon | Comma | LeftParen | Less | LeftBracket | Ellipsis) => true,
        Some(TokenKind::AttributeOpen) => true,
        Some(Dots) => return number(walk),
        _ if walk.ends_attribute(last) => true,
        Some(one) => one.ends_expression() && matches!(kind, Kind::Text | Kind::Either) && is_apart(walk, last),
        None => false,
    };
    if !begins {
        return Context::Nothing;
    }
    let joined = walk.joined_before(walk.before);
    Context::Operand(Operand { kind, call: None, joined })
}

/// Returns the context of a range end, which is a number.
fn number(_: &Walk<'_>) -> Context {
    Context::Operand(Operand { kind: Kind::Number, call: None, joined: Vec::new() })
}

/// Returns whether white space separates the token at `last` from the word at the cursor.
fn is_apart(walk: &Walk<'_>, last: usize) -> bool {
    walk.all.get(last).is_some_and(|token| token.span.end < walk.replaced().start)
}
