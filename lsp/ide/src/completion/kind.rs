//! Determines the kind of operand at a cursor, from the brackets around it.

use ogc_compiler::hir::{Builtin, BuiltinKind, ParameterKind};
use ogc_grammar::ogc::token::TokenKind;

use crate::lookup;
use crate::walk::{Open, Walk};

/// The kinds of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A set of JSON values.
    Value,
    /// A text, or a value whose text is used.
    Text,
    /// A value or a text: an argument.
    Either,
    /// A number or a parameter that stands for one.
    Number,
    /// `true` or `false`.
    Bool,
    /// A list of tools.
    Tools,
    /// A type or rule that serves as the template of calls or fields.
    CallStyle,
    /// Another literal: the only names that fit are parameters.
    Literal,
}

/// Returns the kind of operand that stands at the cursor.
pub(super) fn kind_of(walk: &Walk<'_>) -> Kind {
    let mut kind = match walk.item_keyword() {
        Some(TokenKind::Type) => Kind::Value,
        Some(TokenKind::Rule | TokenKind::Output) => Kind::Text,
        _ => Kind::Either,
    };
    for (at, frame) in walk.frames.iter().enumerate() {
        kind = match &frame.open {
            Open::Record | Open::KeySet => Kind::Value,
            Open::Bounds => Kind::Number,
            Open::Arguments(path) => of_argument(walk, path, at, kind),
            Open::Attribute(name) if name == "skip" => Kind::Text,
            Open::Attribute(_) => Kind::Literal,
            Open::Parameters if kind == Kind::Text => Kind::Either,
            Open::Group | Open::Parameters | Open::Cases | Open::JsonObject | Open::JsonArray | Open::Overrides => kind,
        };
    }
    kind
}

/// Returns the kind of an argument of a use.
fn of_argument(walk: &Walk<'_>, path: &[String], at: usize, outer: Kind) -> Kind {
    let Some(frame) = walk.frames.get(at) else { return outer };
    let named = match (walk.kind(frame.segment), walk.kind(frame.segment + 1)) {
        (Some(_), Some(TokenKind::Equals)) => Some(walk.written(frame.segment)),
        _ => None,
    };
    if let [name] = path
        && let Some(builtin) = Builtin::of(name)
    {
        return of_builtin(builtin, named, frame.commas);
    }
    match lookup::path(walk.snapshot, walk.position.file, path) {
        Some(symbol) if lookup::is_type(&symbol) => Kind::Value,
        _ if outer == Kind::Value => Kind::Value,
        _ => Kind::Either,
    }
}

/// Returns the kind of an argument of a built-in name.
fn of_builtin(builtin: &'static Builtin, named: Option<&str>, nth: usize) -> Kind {
    let unnamed = || builtin.parameters.iter().filter(|one| one.name.is_none());
    let parameter = match named {
        Some(name) => builtin.parameters.iter().find(|one| one.name == Some(name)),
        None => unnamed().nth(nth).or(unnamed().next_back()),
    };
    let Some(parameter) = parameter else { return Kind::Literal };
    match parameter.value {
        ParameterKind::Type | ParameterKind::Types => Kind::Value,
        ParameterKind::Text => Kind::Text,
        ParameterKind::Range | ParameterKind::Count | ParameterKind::Number => Kind::Number,
        ParameterKind::Bool => Kind::Bool,
        ParameterKind::Tools => Kind::Tools,
        ParameterKind::CallStyle | ParameterKind::FieldStyle => Kind::CallStyle,
        ParameterKind::Regex | ParameterKind::String | ParameterKind::Policies => Kind::Literal,
    }
}

/// Returns whether a built-in name stands for text.
pub(super) fn is_text(builtin: &Builtin) -> bool {
    matches!(builtin.kind, BuiltinKind::Text(_))
}
