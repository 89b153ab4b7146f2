//! Finds the settings of an `.ogc` file that allow free white space: attributes and arguments in the items that a
//! format uses, then the policy of the file.

use std::collections::BTreeSet;

use ogc_compiler::db::{Db, SourceFile};
use ogc_compiler::hir::Module;
use ogc_compiler::hir::items::{ItemId, Keyword, file_items, item_start, item_tree};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Argument, Attribute, Expr, ExprKind, Item, ItemKind, MemberKind};

/// Returns the settings that allow free white space in a format, the nearest first; none if the file has no such
/// setting.
pub(crate) fn settings(db: &dyn Db, file: SourceFile, name: &str, module: &Module) -> Vec<Span> {
    let used: BTreeSet<&str> = items_used(file, module).map(|item| item.key.name.as_str()).collect();
    let items: Vec<&ItemId> = file_items(db, file).items.iter().map(|(item, _)| item).collect();
    let own = |item: &&&ItemId| item.key.kind == Keyword::Output && item.key.name == name;
    let inner =
        |item: &&&ItemId| item.key.kind != Keyword::Policy && !own(item) && used.contains(item.key.name.as_str());
    let says =
        |item: &ItemId| item_tree(db, item).item.attributes.iter().any(|attribute| attribute.name.text == "space");
    let overridden = items.iter().filter(own).any(|item| says(item));
    let policy = |item: &&&ItemId| item.key.kind == Keyword::Policy && !overridden;
    let ordered = items.iter().filter(own).chain(items.iter().filter(inner)).chain(items.iter().filter(policy));
    let shifted = |item: &&ItemId| {
        let (spans, base) = (in_item(&item_tree(db, item).item), item_start(db, item));
        spans.into_iter().map(move |span| span.shifted(base))
    };
    ordered.flat_map(shifted).collect()
}

/// Returns the items of a file that contribute to a format.
fn items_used(file: SourceFile, module: &Module) -> impl Iterator<Item = &ItemId> {
    module.places.iter().filter_map(|place| place.item.as_ref()).filter(move |item| item.file == file)
}

/// Returns the settings in an item, in source order.
fn in_item(item: &Item) -> Vec<Span> {
    let mut found: Vec<Span> = item.attributes.iter().filter_map(of_attribute).collect();
    if let ItemKind::Policy(policy) = &item.kind {
        found.extend(policy.settings.iter().filter_map(of_argument));
    }
    if let Some(definition) = item.definition() {
        definition.body.walk(&mut |expr| found.extend(in_expr(expr)));
    }
    found
}

/// Returns the settings of an expression itself.
fn in_expr(expr: &Expr) -> Vec<Span> {
    match &expr.kind {
        ExprKind::Reference(reference) => reference.arguments.iter().filter_map(of_argument).collect(),
        ExprKind::Attributed { attributes, .. } => attributes.iter().filter_map(of_attribute).collect(),
        ExprKind::Record(record) => {
            let members = record.members.iter().filter(|member| !matches!(member.kind, MemberKind::Error));
            members.flat_map(|member| &member.attributes).filter_map(of_attribute).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the place of the attribute `@space("any")`.
fn of_attribute(attribute: &Attribute) -> Option<Span> {
    let is_any = attribute.arguments.first().is_some_and(|argument| is_any(&argument.value));
    (attribute.name.text == "space" && is_any).then_some(attribute.span)
}

/// Returns the place of the argument `space = "any"`.
fn of_argument(argument: &Argument) -> Option<Span> {
    let is_space = argument.name.as_ref().is_some_and(|name| name.text == "space");
    (is_space && is_any(&argument.value)).then_some(argument.span)
}

fn is_any(value: &Expr) -> bool {
    matches!(&value.ungrouped().kind, ExprKind::String(word) if word == "any")
}
