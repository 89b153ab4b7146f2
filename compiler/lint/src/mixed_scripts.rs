//! `mixed-scripts`: the name of a field, a capture or an output with a letter of another script that looks like its
//! neighbours.
//!
//! Names of types and rules are not checked: their uses would not resolve, which is an error of its own.

use ogc_grammar::looks::{in_latin, mixes_scripts, stranger};
use ogc_grammar::ogc::ast::{ExprKind, Item, ItemKind, MemberKind, Name};
use ogc_grammar::{Code, Diagnostic, Fix};

/// Finds names with look-alike letters of another script in an item; `text` is the text of the item.
pub(super) fn lint(text: &str, item: &Item) -> Vec<Diagnostic> {
    let Some(definition) = item.definition() else { return Vec::new() };
    let mut names: Vec<&Name> = Vec::new();
    if matches!(item.kind, ItemKind::Output(_)) {
        names.push(&definition.name);
    }
    definition.body.walk(&mut |expr| match &expr.kind {
        ExprKind::Capture { name, .. } => names.push(name),
        ExprKind::Record(record) => names.extend(record.members.iter().filter_map(|member| match &member.kind {
            MemberKind::Field(field) => Some(&field.name),
            _ => None,
        })),
        _ => {}
    });
    names.into_iter().filter_map(|name| mixed(text, name)).collect()
}

fn mixed(text: &str, name: &Name) -> Option<Diagnostic> {
    let letter = stranger(&name.text).filter(|_| mixes_scripts(&name.text))?;
    let written = in_latin(name.span.text(text));
    let found = Diagnostic::warning(Code::MixedScripts, name.span, format!("this name mixes scripts: {letter}"));
    Some(found.help(format!("write `{written}`")).fix(Fix::instead(name.span, written)))
}
