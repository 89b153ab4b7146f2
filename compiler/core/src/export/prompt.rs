//! A format's description for a model: its definitions with what their author says of them.

use ogc_grammar::ogc::ast::{Attribute, Expr, ExprKind, Item, ItemKind, Member, Record};
use ogc_grammar::ogc::{format, print};
use ogc_runtime::automaton::KeyOrder;
use rustc_hash::FxHashSet;
use std::sync::Arc;

use super::{Graph, ogc};
use crate::db::{Db, Language, SourceFile, Space};
use crate::hir::Root;
use crate::hir::items::{ItemId, item_tree};
use crate::hir::scope::{Binding, import_target, scope};
use crate::pipeline::{Format, foreign_schema, module};

/// What to tell a model that is to write a format; `None` for a format that is not `.ogc` or JSON Schema.
pub fn prompt(db: &dyn Db, wanted: &Format) -> Option<String> {
    let (name, items) = match (wanted.file.language(db), &wanted.name) {
        (Language::Ogc, Some(name)) => (name.to_string(), reached(db, wanted.file, name)),
        (Language::JsonSchema, _) => ("Output".to_owned(), imported(db, wanted.file)),
        _ => return None,
    };
    let definitions: Vec<String> = items.iter().map(shown).collect();
    let notation = notation(&definitions, &spelled(db, wanted));
    let legend = if notation.is_empty() { String::new() } else { format!("\nNotation:\n{notation}") };
    Some(format!("Write `{name}`, as defined below, and nothing else.\n\n{}{legend}", definitions.join("\n")))
}

/// The definitions that a definition uses, itself first, then in the order of use.
fn reached(db: &dyn Db, file: SourceFile, name: &str) -> Vec<Item> {
    let mut seen = FxHashSet::default();
    let mut open: Vec<(SourceFile, String)> = vec![(file, name.to_owned())];
    let mut items = Vec::new();
    let mut at = 0;
    while let Some((file, name)) = open.get(at).cloned() {
        at += 1;
        if !seen.insert((file, name.clone())) {
            continue;
        }
        match scope(db, file).names.get(&name) {
            Some(Binding::Item(id)) => {
                let item = item_tree(db, id).item.clone();
                open.extend(used(&item).into_iter().map(|path| (file, path)));
                items.push(item);
            }
            Some(Binding::Imported(import, there)) => follow(db, import, there, &mut open, &mut items),
            Some(Binding::Module(_)) | None => {
                let Some((module, member)) = name.split_once('.') else { continue };
                if let Some(Binding::Module(import)) = scope(db, file).names.get(module) {
                    follow(db, import, member, &mut open, &mut items);
                }
            }
        }
    }
    items
}

/// Goes on in another file; of a schema all definitions are shown.
fn follow(db: &dyn Db, import: &ItemId, name: &str, open: &mut Vec<(SourceFile, String)>, items: &mut Vec<Item>) {
    let Some(target) = import_target(db, import) else { return };
    match target.language(db) {
        Language::Ogc => open.push((target, name.to_owned())),
        Language::JsonSchema => {
            for item in imported(db, target) {
                if !matches!(item.kind, ItemKind::Output(_)) && !items.contains(&item) {
                    items.push(item);
                }
            }
        }
        _ => {}
    }
}

fn imported(db: &dyn Db, file: SourceFile) -> Vec<Item> {
    ogc::types(&Graph::of(&foreign_schema(db, file).0)).0.items
}

/// The names that a definition uses, with their modules.
fn used(item: &Item) -> Vec<String> {
    let mut names = Vec::new();
    let (ItemKind::Type(definition) | ItemKind::Rule(definition) | ItemKind::Output(definition)) = &item.kind else {
        return names;
    };
    definition.body.walk(&mut |expr| {
        if let ExprKind::Reference(reference) = &expr.kind {
            let words: Vec<&str> = reference.path.segments.iter().map(|name| name.text.as_str()).collect();
            names.push(words.join("."));
        }
    });
    names
}

/// A definition without attributes, its docs as comments before it.
fn shown(item: &Item) -> String {
    let mut plain = item.clone();
    plain.attributes.clear();
    if let ItemKind::Type(definition) | ItemKind::Rule(definition) | ItemKind::Output(definition) = &mut plain.kind {
        strip(&mut definition.body);
    }
    let text = format(&print(&ogc_grammar::ogc::ast::File { items: vec![plain] }));
    let line = |line: &str| match line.trim_start().strip_prefix("///") {
        Some(doc) => format!("{}//{doc}\n", " ".repeat(line.len() - line.trim_start().len())),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// How the values of a format are written; nothing where several ways stand in one output, which shows them itself.
fn spelled(db: &dyn Db, wanted: &Format) -> String {
    let mut policies = match (&wanted.name, wanted.file.language(db)) {
        (Some(name), Language::Ogc) => match module(db, wanted.file, Arc::clone(name)) {
            Some(module) if module.policies.is_empty() => match module.root {
                Root::Value(value) => vec![value.policy],
                Root::Text(_) | Root::Nothing => module.values.iter().map(|value| value.policy).collect(),
            },
            _ => Vec::new(),
        },
        _ => vec![wanted.file.options(db).json(db)],
    };
    policies.dedup();
    let [policy] = policies.as_slice() else { return String::new() };
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
    format!(": {order}, {space}")
}

/// Attributes are for the compiler. Bounded by the reader's nesting limit.
fn strip(expr: &mut Expr) {
    while let ExprKind::Attributed { item, .. } = &mut expr.kind {
        let inner = std::mem::replace(item.as_mut(), Expr::new(ExprKind::Null, expr.span));
        *expr = inner;
    }
    match &mut expr.kind {
        ExprKind::Record(Record { members }) => members.iter_mut().for_each(strip_member),
        ExprKind::Union(arms) => arms.iter_mut().for_each(|arm| strip(&mut arm.expr)),
        ExprKind::Intersection(parts) | ExprKind::Sequence(parts) => parts.iter_mut().for_each(strip),
        ExprKind::Difference { kept, removed } => {
            strip(kept);
            removed.iter_mut().for_each(strip);
        }
        ExprKind::Repeat { item, .. } | ExprKind::Capture { item, .. } | ExprKind::Group(item) => strip(item),
        ExprKind::List { item, separator, .. } => {
            strip(item);
            strip(separator);
        }
        ExprKind::Reference(reference) => reference.arguments.iter_mut().for_each(|one| strip(&mut one.value)),
        _ => {}
    }
}

fn strip_member(member: &mut Member) {
    use ogc_grammar::ogc::ast::MemberKind;
    member.attributes.retain(|attribute: &Attribute| attribute.name.text == "deprecated");
    match &mut member.kind {
        MemberKind::Field(field) => strip(&mut field.value),
        MemberKind::Pattern { key, value } => {
            strip(key);
            strip(value);
        }
        MemberKind::Spread(base) => strip(base),
        MemberKind::Error | MemberKind::Open => {}
    }
}

/// What the signs mean that occur.
fn notation(definitions: &[String], spelled: &str) -> String {
    let all = definitions.join("\n");
    let json = format!("- Types, records and lists of them are JSON{spelled}.");
    let legend = [
        ("rule ", "- A `rule` is text: parts one after another, quotes not included."),
        ("?:", "- `name?: T` may be left out; all other fields must be there."),
        ("|", "- `A | B` is either."),
        ("string<", "- `string<1..80>` has 1 to 80 characters; `string</.../>` matches the pattern."),
        ("int<", "- `int<0..5>` is an integer from 0 to 5."),
        ("number<", "- `number<0..1, digits = 2>` has at most two digits after the point."),
        ("[", "- `T[1..5]` is a list of 1 to 5; in a rule, 1 to 5 times."),
        (" % ", "- `x % \",\"` is one or more `x` with `,` between them."),
        ("...", "- `...` allows further fields; `...Base` has the fields of `Base`."),
        ("tok\"", "- `tok\"<think>\"` is that special token."),
        ("json<", "- `json<T>` is JSON of the type `T` inside the text."),
    ];
    let shown = legend.iter().filter(|(sign, _)| all.contains(sign)).map(|(_, line)| *line);
    let json = (!spelled.is_empty()).then_some(json.as_str());
    json.into_iter().chain(shown).map(|line| format!("{line}\n")).collect()
}
