//! Attributes and their arguments.

use always_assert::never;
use ogc_compiler::hir::items::item_tree;
use ogc_compiler::hir::{ATTRIBUTES, AttributeKind, Setting, SettingKind, Site};
use ogc_grammar::Code;
use ogc_grammar::ogc::token::TokenKind;

use super::item::{CompletionKey, CompletionKind, Items, Rank};
use super::settings;
use crate::shape::{Shape, Shapes, quoted};
use crate::walk::{At, Walk};

/// Adds the attributes that may stand at any of these sites.
pub(super) fn attributes(walk: &Walk<'_>, sites: &[Site], items: &mut Items) {
    let has_arguments = matches!(walk.at, At::Attribute(_, true));
    let belongs = |kind: AttributeKind| sites.iter().any(|site| kind.belongs(*site));
    for attribute in ATTRIBUTES.iter().filter(|attribute| belongs(attribute.kind)) {
        let key = CompletionKey::Attribute(attribute.name.to_owned());
        let item = items.add(CompletionKind::Attribute, Rank::First, attribute.name, Some(key));
        item.says(attribute.doc);
        if let Some(arguments) = arguments_of(attribute.kind).filter(|_| !has_arguments) {
            item.writes_snippet(format!("{}({arguments})", attribute.name));
        }
    }
    for policy in Setting::policies() {
        let kind = match policy.kind {
            SettingKind::Policy(kind) => AttributeKind::Policy(kind),
            SettingKind::Schemas(kind) => AttributeKind::Schemas(kind),
            SettingKind::Budget(_) => continue,
        };
        if !belongs(kind) {
            continue;
        }
        let key = CompletionKey::Attribute(policy.name.to_owned());
        let item = items.add(CompletionKind::Attribute, Rank::Own, policy.name, Some(key));
        item.says(policy.doc);
        if !has_arguments {
            item.writes_snippet(format!("{}({})", policy.name, settings::place(policy)));
        }
    }
}

/// Returns the arguments of an attribute as a snippet; `None` if it needs none.
fn arguments_of(kind: AttributeKind) -> Option<&'static str> {
    Some(match kind {
        AttributeKind::Annotation => "\"${1:readOnly}\", ${2:true}",
        AttributeKind::Budget => "states = ${1:400}",
        AttributeKind::Default | AttributeKind::Examples | AttributeKind::Skip => "$1",
        AttributeKind::Discriminator | AttributeKind::Level(_) | AttributeKind::Title => "\"$1\"",
        AttributeKind::Deprecated | AttributeKind::Policy(_) | AttributeKind::Schemas(_) => return None,
    })
}

/// Adds the possible arguments of an attribute.
pub(super) fn arguments(walk: &Walk<'_>, kind: AttributeKind, items: &mut Items) {
    let in_string = matches!(walk.at, At::String(..));
    match kind {
        AttributeKind::Level(_) => codes(walk, in_string, items),
        AttributeKind::Discriminator => keys(walk, in_string, items),
        AttributeKind::Budget if !in_string => settings::budgets(walk, items),
        AttributeKind::Annotation
        | AttributeKind::Budget
        | AttributeKind::Default
        | AttributeKind::Deprecated
        | AttributeKind::Examples
        | AttributeKind::Policy(_)
        | AttributeKind::Schemas(_)
        | AttributeKind::Skip
        | AttributeKind::Title => {}
    }
}

/// Adds the codes of findings whose level can be set and that are not written yet.
fn codes(walk: &Walk<'_>, in_string: bool, items: &mut Items) {
    let Some(frame) = walk.frames.last() else {
        never!("an argument of an attribute stands in no brackets");
        return;
    };
    let written = (frame.start + 1..walk.all.len()).take_while(|at| !walk.is(*at, TokenKind::RightParen));
    let written: Vec<&str> = written
        .filter(|at| {
            walk.all
                .get(*at)
                .is_some_and(|token| token.span.end < walk.replaced().start || token.span.start > walk.replaced().end)
        })
        .map(|at| walk.written(at).trim_matches(['"', '\'']))
        .collect();
    for code in Code::ALL.iter().filter(|code| code.has_level() && !written.contains(&code.name())) {
        let key = CompletionKey::Code(code.name().to_owned());
        let item = items.add(CompletionKind::Code, Rank::First, code.name(), Some(key));
        item.says(code.summary());
        if !in_string {
            item.writes(quoted(code.name()));
        }
    }
}

/// Adds the keys that can tell the branches of the union apart; keys with literals in every branch come first.
fn keys(walk: &Walk<'_>, in_string: bool, items: &mut Items) {
    for name in union_keys(walk) {
        let item = items.add(CompletionKind::Field, Rank::First, &name, None);
        if !in_string {
            item.writes(quoted(&name));
        }
    }
}

/// Returns the keys of the type after the attribute that have literal values in each branch; all keys if the type
/// cannot be read.
fn union_keys(walk: &Walk<'_>) -> Vec<String> {
    let db = &walk.snapshot.db;
    let Some(item) = walk.item else { return Vec::new() };
    let Some(definition) = item_tree(db, item).item.definition() else {
        let named = (walk.before..walk.all.len()).filter(|at| walk.is(at + 1, TokenKind::Colon));
        let mut keys: Vec<String> = named.map(|at| walk.written(at).to_owned()).collect();
        keys.sort();
        keys.dedup();
        return keys;
    };
    let mut shapes = Shapes::new(walk.snapshot);
    let whole = Shape::Expr(item, &definition.body, std::rc::Rc::default());
    let branches = shapes.branches(&whole);
    let mut keys = Vec::new();
    for field in shapes.fields(&whole) {
        let tells = branches.iter().all(|branch| {
            let values = shapes.values_of(branch, &field.name);
            !values.is_empty() && values.iter().all(|value| !shapes.literals(value).is_empty())
        });
        if tells {
            keys.push(field.name);
        }
    }
    keys
}
