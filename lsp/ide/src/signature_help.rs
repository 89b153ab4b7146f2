//! Signature help: the parameters of the use or attribute around a position, and which parameter the position is at.

#[cfg(test)]
mod tests;

use ogc_compiler::db::Language;
use ogc_compiler::hir::items::{ItemId, item_tree};
use ogc_compiler::hir::names::Symbol;
use ogc_compiler::hir::{AttributeKind, Builtin, SETTINGS, Setting, SettingKind};
use ogc_grammar::ogc::print_expr;
use ogc_grammar::ogc::token::TokenKind;

use crate::documentation::{self, head, joined};
use crate::lookup;
use crate::place::FilePosition;
use crate::snapshot::Snapshot;
use crate::walk::{At, Frame, Open, Walk};

/// The parameters of the use or attribute around a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The signature: `Page<T, max = 50>`.
    pub label: String,
    /// Documentation of the definition or attribute, as Markdown.
    pub documentation: String,
    /// The parameters.
    pub parameters: Vec<ParameterHelp>,
    /// The parameter that the position is at.
    pub active: Option<usize>,
}

/// One parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterHelp {
    /// Start offset of the parameter in the label, in bytes.
    pub start: usize,
    /// End offset of the parameter in the label, in bytes.
    pub end: usize,
    /// Documentation of the parameter, as Markdown.
    pub documentation: String,
}

/// The characters that request signature help when typed.
pub const TRIGGERS: [char; 3] = ['<', '(', ','];

/// Returns the parameters of the use or attribute that a position is in.
#[must_use]
pub fn signature_help(snapshot: &Snapshot, position: FilePosition) -> Option<SignatureHelp> {
    if snapshot.language(position.file) != Language::Ogc {
        return None;
    }
    let walk = Walk::new(snapshot, snapshot.position(position.file, position.offset));
    if comment(&walk) {
        return None;
    }
    for frame in walk.frames.iter().rev() {
        let found = match &frame.open {
            Open::Arguments(path) => of_path(&walk, path),
            Open::Attribute(name) => of_attribute(name),
            Open::Record | Open::Group | Open::Bounds | Open::KeySet => continue,
            _ => return None,
        };
        let (help, names) = found?;
        let active = active(&walk, frame, &names, help.parameters.len());
        return Some(SignatureHelp { active, ..help });
    }
    None
}

/// Returns whether the position is in a comment.
fn comment(walk: &Walk<'_>) -> bool {
    walk.at == At::Other
        && !walk
            .all
            .iter()
            .any(|token| token.span.start < walk.position.offset && walk.position.offset <= token.span.end)
}

/// Returns the parameter that the position is at: by name, or by the number of commas.
fn active(walk: &Walk<'_>, frame: &Frame, names: &[Option<String>], count: usize) -> Option<usize> {
    if walk.kind(frame.segment + 1) == Some(TokenKind::Equals) {
        let name = walk.written(frame.segment);
        let named = names.iter().position(|known| known.as_deref() == Some(name));
        // `json<T, space = "any">`: any policy is the last parameter.
        return named.or_else(|| Setting::of(name).and(count.checked_sub(1)));
    }
    let unnamed = names.iter().take_while(|name| name.is_none()).count();
    match frame.commas {
        nth if nth < count => Some(nth),
        // `tuple<A, B, C>`: the last one without a name takes the rest.
        _ => unnamed.checked_sub(1).or(count.checked_sub(1)),
    }
}

/// A signature, and the names by which its parameters can be given.
type Found = (SignatureHelp, Vec<Option<String>>);

fn of_path(walk: &Walk<'_>, path: &[String]) -> Option<Found> {
    match lookup::path(walk.snapshot, walk.position.file, path)? {
        Symbol::Builtin(builtin) => of_builtin(builtin),
        Symbol::Definition(item) => of_definition(walk.snapshot, &item),
        _ => None,
    }
}

fn of_builtin(builtin: &Builtin) -> Option<Found> {
    let (label, places) = documentation::builtin_signature(builtin);
    let parameters = builtin.parameters.iter().zip(places);
    let parameters: Vec<ParameterHelp> = parameters
        .map(|(parameter, (start, end))| ParameterHelp {
            start,
            end,
            documentation: documentation::builtin_parameter(builtin, parameter).text,
        })
        .collect();
    let names = builtin.parameters.iter().map(|parameter| parameter.name.map(str::to_owned)).collect();
    let help = SignatureHelp { label, documentation: builtin.doc.to_owned(), parameters, active: None };
    (!help.parameters.is_empty()).then_some((help, names))
}

fn of_definition(snapshot: &Snapshot, item: &ItemId) -> Option<Found> {
    let tree = &item_tree(&snapshot.db, item).item;
    let definition = tree.definition()?;
    let label = head(item, definition);
    let mut at = label.find('<')? + 1;
    let mut parameters = Vec::new();
    for parameter in &definition.parameters {
        let default = parameter.default.as_ref().map(print_expr);
        let written = default.as_ref().map_or(0, |default| " = ".len() + default.len());
        let end = at + parameter.name.text.len() + written;
        let documentation = default.map(|default| format!("`{default}` if it is left out.")).unwrap_or_default();
        parameters.push(ParameterHelp { start: at, end, documentation });
        at = end + ", ".len();
    }
    let names = definition.parameters.iter().map(|parameter| Some(parameter.name.text.clone())).collect();
    Some((SignatureHelp { label, documentation: joined(&tree.docs), parameters, active: None }, names))
}

fn of_attribute(name: &str) -> Option<Found> {
    let kind = AttributeKind::of(name)?;
    let arguments: Vec<String> = match kind {
        AttributeKind::Budget => {
            let budgets = SETTINGS.iter().filter(|setting| matches!(setting.kind, SettingKind::Budget(_)));
            budgets.map(|setting| setting.name.to_owned()).collect()
        }
        AttributeKind::Annotation => vec!["\"keyword\"".to_owned(), "value".to_owned()],
        AttributeKind::Default => vec!["value".to_owned()],
        AttributeKind::Examples => vec!["value, ...".to_owned()],
        AttributeKind::Deprecated => vec!["\"why\"".to_owned()],
        AttributeKind::Discriminator => vec!["\"key\"".to_owned()],
        AttributeKind::Level(_) => vec!["\"code\", ...".to_owned()],
        AttributeKind::Policy(_) | AttributeKind::Schemas(_) => vec![policy_values(name)],
        AttributeKind::Skip => vec!["x".to_owned()],
        AttributeKind::Title => vec!["\"title\"".to_owned()],
    };
    let named = kind == AttributeKind::Budget;
    let shown = |argument: &String| if named { format!("{argument} = ...") } else { argument.clone() };
    let mut label = format!("@{name}(");
    let mut parameters = Vec::new();
    for (at, argument) in arguments.iter().enumerate() {
        label.push_str(if at == 0 { "" } else { ", " });
        let start = label.len();
        label.push_str(&shown(argument));
        let documentation = Setting::of(argument).map(|setting| setting.doc.to_owned()).unwrap_or_default();
        parameters.push(ParameterHelp { start, end: label.len(), documentation });
    }
    label.push(')');
    let doc = match kind.info() {
        Some(info) => info.doc,
        None => Setting::of(name)?.doc,
    };
    let names = arguments.into_iter().map(|argument| named.then_some(argument)).collect();
    Some((SignatureHelp { label, documentation: doc.to_owned(), parameters, active: None }, names))
}

/// Returns the values of a policy as they are written.
fn policy_values(name: &str) -> String {
    let choices = Setting::of(name).map(|setting| setting.choices).unwrap_or_default();
    if choices.is_empty() {
        return "number".to_owned();
    }
    choices.iter().map(|choice| choice.written).collect::<Vec<_>>().join(" | ")
}
