//! Describes a format to a model: its definitions with their documentation, and a legend of the signs that occur.

mod legend;

use std::collections::VecDeque;
use std::sync::Arc;

use ogc_compiler::db::{Db, Language, SourceFile, Space, Words};
use ogc_compiler::foreign::foreign_schema;
use ogc_compiler::hir::Root;
use ogc_compiler::hir::elaborate::module;
use ogc_compiler::hir::items::{ItemId, item_tree};
use ogc_compiler::hir::resolve::{Resolved, Target, resolution};
use ogc_compiler::hir::scope::import_target;
use ogc_compiler::hir::scope::item_named;
use ogc_compiler::pipeline::Format;
use ogc_grammar::ogc::ast::{Attribute, Definition, Doc, Expr, ExprKind, Item, ItemKind, Member, Path, Record};
use ogc_grammar::ogc::{format, print};
use ogc_runtime::automaton::KeyOrder;
use rustc_hash::FxHashSet;

use super::{ExportGraph, ogc};

/// Returns the description of a format for the model that is to write it; `None` unless the format is `.ogc` or JSON
/// Schema.
pub fn prompt(db: &dyn Db, wanted: &Format) -> Option<String> {
    let (name, items) = match (wanted.file.language(db), &wanted.name) {
        (Language::Ogc, Some(name)) => {
            let items = item_named(db, wanted.file, name).map(|item| reached(db, item)).unwrap_or_default();
            (name.to_string(), items)
        }
        (Language::JsonSchema, _) => {
            let items = imported(db, wanted.file);
            let output = items.iter().find_map(|one| match &one.item.kind {
                ItemKind::Output(output) => Some(output.name.text.clone()),
                _ => None,
            });
            let name = output.unwrap_or_else(|| "Output".to_owned());
            let items = used_by(items, &name);
            (name, items)
        }
        _ => return None,
    };
    let definitions: Vec<String> = items.iter().map(|one| shown(db, one)).collect();
    let mut lines: Vec<String> = spelled(db, wanted).into_iter().collect();
    lines.extend(legend::lines(items.iter().map(|one| &one.item), is_text(db, wanted)));
    let legend = if lines.is_empty() { String::new() } else { format!("\nNotation:\n{}\n", lines.join("\n")) };
    Some(format!("Write `{name}`, as defined below, and nothing else.\n\n{}{legend}", definitions.join("\n")))
}

/// Returns whether the format is text, possibly with values in it, and not a single value.
fn is_text(db: &dyn Db, wanted: &Format) -> bool {
    let name = wanted.name.as_ref().filter(|_| wanted.file.language(db) == Language::Ogc);
    let module = name.and_then(|name| module(db, wanted.file, Arc::clone(name)));
    module.is_some_and(|module| matches!(module.root, Root::Text(_)))
}

/// A definition that is shown.
struct Shown {
    item: Item,
    /// The item of the definition; `None` for a definition made from a schema.
    id: Option<ItemId>,
}

/// A definition that is still to be shown.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Open {
    Item(ItemId),
    Schema(SourceFile, String),
}

/// Returns a definition and all definitions that it uses, directly or indirectly, in the order of use.
fn reached(db: &dyn Db, first: ItemId) -> Vec<Shown> {
    let mut seen = FxHashSet::default();
    let mut open = VecDeque::from([Open::Item(first)]);
    let mut shown = Vec::new();
    while let Some(next) = open.pop_front() {
        if !seen.insert(next.clone()) {
            continue;
        }
        match next {
            Open::Schema(file, name) => of_schema(db, file, &name, &mut shown),
            Open::Item(id) => {
                let item = item_tree(db, &id).item.clone();
                open.extend(used(db, &id, &item));
                shown.push(Shown { item, id: Some(id) });
            }
        }
    }
    shown
}

/// Returns the definitions that a definition's body mentions, in their order there.
fn used(db: &dyn Db, id: &ItemId, item: &Item) -> Vec<Open> {
    let Some(definition) = item.definition() else { return Vec::new() };
    let body = definition.body.span;
    let names = resolution(db, id).sorted().into_iter();
    let names = names.filter(|(path, _)| body.start <= path.span.start && path.span.end <= body.end);
    let target = |(path, resolved): (&Path, &Resolved)| match &resolved.target {
        Target::Item(item) | Target::Imported { item, .. } => Some(Open::Item(item.clone())),
        Target::Foreign { file, name, .. } => Some(Open::Schema(*file, name.clone())),
        // A list of tools as a whole.
        Target::WholeFile(import) => {
            Some(Open::Schema(import_target(db, import)?, path.segments.first()?.text.clone()))
        }
        Target::Parameter(_) | Target::Builtin(_) | Target::Unknown => None,
    };
    names.filter_map(target).collect()
}

/// Adds a definition of an imported schema, and the definitions that it uses, unless they are shown already.
fn of_schema(db: &dyn Db, file: SourceFile, name: &str, shown: &mut Vec<Shown>) {
    if file.language(db) != Language::JsonSchema {
        return;
    }
    let name = schema_name(db, file, name).unwrap_or_else(|| name.to_owned());
    for one in used_by(imported(db, file), &name) {
        if !shown.iter().any(|other| other.item == one.item) {
            shown.push(one);
        }
    }
}

fn imported(db: &dyn Db, file: SourceFile) -> Vec<Shown> {
    let items = ogc::types(&ExportGraph::of(&foreign_schema(db, file).0)).0.items;
    items.into_iter().map(|item| Shown { item, id: None }).collect()
}

/// Selects the definition called `name`, and then the definitions that it uses, in their order in `items`.
fn used_by(items: Vec<Shown>, name: &str) -> Vec<Shown> {
    let named = |one: &Shown| one.item.definition().map(|definition| definition.name.text.clone());
    let mut wanted: FxHashSet<String> = FxHashSet::from_iter([name.to_owned()]);
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        let item = items.iter().find(|one| named(one).as_ref() == Some(&name));
        open.extend(
            item.map(|one| names_in(&one.item))
                .unwrap_or_default()
                .into_iter()
                .filter(|one| wanted.insert(one.clone())),
        );
    }
    let (first, others): (Vec<Shown>, Vec<Shown>) = items
        .into_iter()
        .filter(|one| named(one).is_some_and(|name| wanted.contains(&name)))
        .partition(|one| named(one).as_deref() == Some(name));
    first.into_iter().chain(others).collect()
}

/// Returns the name under which a used definition is shown, if it may differ from the name that the using item writes.
fn shown_name(db: &dyn Db, item: &ItemId, path: &Path) -> Option<String> {
    match &resolution(db, item).get(path)?.target {
        Target::Imported { item, .. } => Some(item.key.name.clone()),
        Target::Foreign { file, name, .. } if file.language(db) == Language::JsonSchema => schema_name(db, *file, name),
        _ => None,
    }
}

/// Returns the shown name of a schema's definition; the root may have been given a name.
fn schema_name(db: &dyn Db, file: SourceFile, there: &str) -> Option<String> {
    let items = imported(db, file);
    let named = |item: &Item| matches!(&item.kind, ItemKind::Type(one) if one.name.text == there);
    if items.iter().any(|one| named(&one.item)) {
        return Some(there.to_owned());
    }
    items.iter().find_map(|one| match &one.item.kind {
        ItemKind::Output(Definition { body: Expr { kind: ExprKind::Reference(root), .. }, .. }) if there == "root" => {
            Some(root.path.segments.first()?.text.clone())
        }
        _ => None,
    })
}

/// Returns the names mentioned in a definition that was made from a schema.
fn names_in(item: &Item) -> Vec<String> {
    let mut names = Vec::new();
    let Some(definition) = item.definition() else { return names };
    definition.body.walk(&mut |expr| {
        if let ExprKind::Reference(reference) = &expr.kind {
            let words: Vec<&str> = reference.path.segments.iter().map(|name| name.text.as_str()).collect();
            names.push(words.join("."));
        }
    });
    names
}

/// Returns a definition without attributes, preceded by its docs as comments.
fn shown(db: &dyn Db, one: &Shown) -> String {
    let mut plain = one.item.clone();
    let rename = |path: &Path| shown_name(db, one.id.as_ref()?, path);
    plain.attributes.clear();
    if let ItemKind::Type(definition) | ItemKind::Rule(definition) | ItemKind::Output(definition) = &mut plain.kind {
        strip(&mut definition.body, &rename);
    }
    let text = format(&print(&ogc_grammar::ogc::ast::File { items: vec![plain] }));
    let line = |line: &str| match line.trim_start().strip_prefix("///") {
        Some(doc) => format!("{}//{doc}\n", " ".repeat(line.len() - line.trim_start().len())),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Describes how the values of a format are spelled; `None` if one output has values in several spellings, as its text
/// shows them.
fn spelled(db: &dyn Db, wanted: &Format) -> Option<String> {
    let mut policies = match (&wanted.name, wanted.file.language(db)) {
        (Some(name), Language::Ogc) => match module(db, wanted.file, Arc::clone(name)) {
            Some(module) if module.policies.changes.is_empty() => match module.root {
                Root::Value(value) => vec![value.policy],
                Root::Text(_) | Root::Nothing => module.values.iter().map(|value| value.policy).collect(),
            },
            _ => Vec::new(),
        },
        _ => vec![wanted.file.options(db).json(db)],
    };
    policies.dedup();
    let [policy] = policies.as_slice() else { return None };
    let notation = match policy.words {
        Words::Json => "JSON",
        Words::Python => "JSON, but with `None`, `True` and `False` for `null`, `true` and `false`",
    };
    let order = match policy.order {
        KeyOrder::Declared => "fields in the order given",
        KeyOrder::Any => "fields in any order",
    };
    let space = match policy.space {
        Space::Compact => "without white space between tokens",
        Space::Spaced => "with one space after `,` and `:`",
        Space::Pretty { .. } => "with a line for each field and item",
        Space::Any { .. } => "with white space as JSON allows it",
    };
    Some(format!("- Types, records and lists are written as {notation}: {order}, {space}."))
}

/// Removes attributes, which are meant for the compiler, and renames definitions to their shown names. The parser's
/// limit on nesting bounds the recursion.
fn strip(expr: &mut Expr, rename: &Rename<'_>) {
    while let ExprKind::Attributed { item, .. } = &mut expr.kind {
        let inner = std::mem::replace(item.as_mut(), Expr::new(ExprKind::Null, expr.span));
        *expr = inner;
    }
    match &mut expr.kind {
        ExprKind::Record(Record { members }) => members.iter_mut().for_each(|member| strip_member(member, rename)),
        ExprKind::Union(arms) => arms.iter_mut().for_each(|arm| {
            arm.docs.splice(0..0, title(&arm.expr));
            strip(&mut arm.expr, rename);
        }),
        ExprKind::Intersection(parts) | ExprKind::Sequence(parts) => {
            parts.iter_mut().for_each(|part| strip(part, rename));
        }
        ExprKind::Difference { kept, removed } => {
            strip(kept, rename);
            removed.iter_mut().for_each(|one| strip(one, rename));
        }
        ExprKind::Repeat { item, .. } | ExprKind::Capture { item, .. } | ExprKind::Group(item) => strip(item, rename),
        ExprKind::List { item, separator, .. } => {
            strip(item, rename);
            strip(separator, rename);
        }
        ExprKind::Reference(reference) => {
            if let Some(name) = rename(&reference.path) {
                reference.path.segments.truncate(1);
                reference.path.segments.iter_mut().for_each(|first| first.text.clone_from(&name));
            }
            reference.arguments.iter_mut().for_each(|one| strip(&mut one.value, rename));
        }
        _ => {}
    }
}

/// Returns the title of a branch as a line of its docs, as a branch has no name to show.
fn title(branch: &Expr) -> Option<Doc> {
    let ExprKind::Attributed { attributes, .. } = &branch.kind else { return None };
    let title = attributes.iter().find(|attribute| attribute.name.text == "title")?;
    match title.arguments.first().map(|title| &title.value.kind) {
        Some(ExprKind::String(text)) => Some(Doc { text: text.clone(), span: title.span }),
        _ => None,
    }
}

/// Maps a name to its shown name, if they differ.
type Rename<'r> = dyn Fn(&Path) -> Option<String> + 'r;

fn strip_member(member: &mut Member, rename: &Rename<'_>) {
    use ogc_grammar::ogc::ast::MemberKind;
    member.attributes.retain(|attribute: &Attribute| matches!(attribute.name.text.as_str(), "default" | "deprecated"));
    match &mut member.kind {
        MemberKind::Field(field) => strip(&mut field.value, rename),
        MemberKind::Pattern { key, value } => {
            strip(key, rename);
            strip(value, rename);
        }
        MemberKind::Spread(base) => strip(base, rename),
        MemberKind::Error | MemberKind::Open => {}
    }
}
