//! Completes the start of an operand: parameters, names, built-in names, named arguments, records to narrow.

use ogc_compiler::hir::{BUILTINS, Builtin, BuiltinKind, BuiltinParameter, ParameterKind, Setting};
use ogc_grammar::ogc::token::TokenKind;

use super::context::Operand;
use super::item::{CompletionKey, CompletionKind, Items, Rank};
use super::kind::{Kind, is_text};
use super::{names, other_files, records};
use crate::lookup;
use crate::walk::{Open, Walk};
use ogc_compiler::hir::items::signature;
use ogc_compiler::hir::names::Symbol;

/// Adds the possible starts of an operand.
pub(super) fn operands(walk: &Walk<'_>, operand: &Operand, items: &mut Items) {
    if let Some(path) = &operand.call {
        arguments(walk, path, items);
    }
    for parameter in walk.parameters() {
        items.add(CompletionKind::Parameter, Rank::First, parameter, None).says("parameter");
    }
    match operand.kind {
        Kind::Number | Kind::Literal => {}
        Kind::Bool => constants(&["true", "false"], items),
        Kind::Tools => names::tools(walk, items),
        Kind::CallStyle => names::call_styles(walk, items),
        Kind::Value | Kind::Text | Kind::Either => {
            records::narrowed(walk, &operand.joined, items);
            names::names(walk, operand.kind, items);
            builtins(walk, operand.kind, items);
            if operand.kind != Kind::Text {
                constants(&["true", "false"], items);
            }
            // The replacements of an import come before any place where another import could be added.
            if !walk.frames.iter().any(|frame| frame.open == Open::Overrides) {
                other_files::names(walk, operand.kind, items);
            }
        }
    }
}

fn constants(words: &[&str], items: &mut Items) {
    for word in words {
        items.add(CompletionKind::Value, Rank::Builtin, *word, None);
    }
}

/// Adds the named arguments of a use that are not written yet.
fn arguments(walk: &Walk<'_>, path: &[String], items: &mut Items) {
    let written = written_arguments(walk);
    match lookup::path(walk.snapshot, walk.position.file, path) {
        Some(Symbol::Builtin(builtin)) => {
            for parameter in builtin.parameters {
                let Some(name) = parameter.name.filter(|name| !written.contains(name)) else { continue };
                let key = CompletionKey::BuiltinParameter(builtin.name.to_owned(), name.to_owned());
                argument(walk, name, parameter.default, Some(key), items);
            }
            if builtin.takes_policies() {
                let is_left = |one: &&Setting| one.is_of_values() && !written.contains(&one.name);
                for policy in Setting::policies().filter(is_left) {
                    argument(walk, policy.name, None, None, items);
                }
            }
        }
        Some(Symbol::Definition(item)) => {
            for (name, _) in signature(&walk.snapshot.db, &item)
                .parameters
                .iter()
                .filter(|(name, _)| !written.contains(&name.as_str()))
            {
                argument(walk, name, None, None, items);
            }
        }
        _ => {}
    }
}

fn argument(walk: &Walk<'_>, name: &str, default: Option<&str>, key: Option<CompletionKey>, items: &mut Items) {
    let follows = names::next_is(walk, TokenKind::Equals);
    let item = items.add(CompletionKind::Argument, Rank::First, format!("{name} ="), key);
    item.filter = Some(name.to_owned());
    item.writes(if follows { name.to_owned() } else { format!("{name} = ") });
    if let Some(default) = default {
        item.says(format!("{default} if it is left out"));
    }
}

/// Returns the names of the arguments that are written in the innermost bracket.
pub(super) fn written_arguments<'w>(walk: &'w Walk<'_>) -> Vec<&'w str> {
    let Some(frame) = walk.frames.last() else { return Vec::new() };
    let named = (frame.start + 1..walk.all.len()).take_while(|at| !walk.is(*at, TokenKind::Greater));
    named.filter(|at| walk.is(at + 1, TokenKind::Equals)).map(|at| walk.written(at)).collect()
}

/// Adds the built-in names; those of other kinds come last.
fn builtins(walk: &Walk<'_>, kind: Kind, items: &mut Items) {
    let has_arguments = names::next_is(walk, TokenKind::Less);
    for builtin in BUILTINS {
        let rank = match (kind, is_text(builtin)) {
            (Kind::Value, true) => continue,
            (Kind::Text, false) if builtin.kind != BuiltinKind::Calls => Rank::Rare,
            _ => Rank::Builtin,
        };
        let key = || Some(CompletionKey::Builtin(builtin.name.to_owned()));
        let arguments = snippet(builtin).filter(|_| !has_arguments);
        let needed = takes_arguments(builtin);
        if !needed || has_arguments {
            items.add(CompletionKind::Builtin, rank, builtin.name, key()).says(builtin.doc);
        }
        if let Some(arguments) = arguments {
            let item = items.add(CompletionKind::Builtin, rank, format!("{}<…>", builtin.name), key());
            item.filter = Some(builtin.name.to_owned());
            item.writes_snippet(format!("{}<{arguments}>", builtin.name)).says(builtin.doc);
        }
    }
}

/// Returns whether a built-in name requires arguments.
fn takes_arguments(builtin: &Builtin) -> bool {
    builtin.parameters.first().is_some_and(|first| {
        first.name.is_none() && !matches!(first.value, ParameterKind::Range | ParameterKind::Regex)
    })
}

/// Returns the arguments of a built-in name as a snippet: all required ones, or else the first optional one. Formats
/// are seldom narrowed, so they have none.
fn snippet(builtin: &Builtin) -> Option<String> {
    if matches!(builtin.kind, BuiltinKind::Value(ogc_compiler::hir::ValueKind::Format(_))) {
        return None;
    }
    let needed = builtin.parameters.iter().filter(|one| one.name.is_none() && one.value != ParameterKind::Policies);
    let shown: Vec<&BuiltinParameter> = match takes_arguments(builtin) {
        true => needed.collect(),
        false => builtin.parameters.first().into_iter().collect(),
    };
    let places = shown.iter().enumerate().map(|(at, parameter)| {
        let name = parameter.name.map(|name| format!("{name} = ")).unwrap_or_default();
        format!("{name}${{{}:{}}}", at + 1, example(parameter.value))
    });
    let places: Vec<String> = places.collect();
    (!places.is_empty()).then(|| places.join(", "))
}

/// Returns a placeholder for an argument of a kind.
pub(super) fn example(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Range => "1..100",
        ParameterKind::Count => "100",
        ParameterKind::Number => "0",
        ParameterKind::Regex => "/[a-z]+/",
        ParameterKind::Bool => "true",
        ParameterKind::String => "\"text\"",
        ParameterKind::Type | ParameterKind::Types => "string",
        ParameterKind::Text => "text",
        ParameterKind::Tools => "tools",
        ParameterKind::CallStyle => "call",
        ParameterKind::FieldStyle => "field",
        ParameterKind::Policies => "space = \"pretty\"",
    }
}
