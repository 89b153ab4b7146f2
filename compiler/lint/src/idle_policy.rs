//! `idle-policy`: `indent` where nothing is written with `space = "pretty"`, and `run` where nothing has `space = "any"`.
//!
//! A value may take the style of its user, so a setting is reported only if no `space` of its file could use it, or if
//! the `space` next to it cannot. A file without outputs has no findings, as an importing file may use the setting.

use ogc_compiler::db::{Db, SourceFile};
use ogc_compiler::hir::PolicyKind;
use ogc_compiler::hir::check::checked_items;
use ogc_compiler::hir::items::{Keyword, file_items, item_tree};
use ogc_grammar::ogc::ast::{Argument, Attribute, Expr, ExprKind, Item, ItemKind, MemberKind, Name};
use ogc_grammar::{Code, Diagnostic, Fix, Span};

/// The settings that depend on `space`, each with the value of `space` that it needs.
const DEPENDENT: [(PolicyKind, &str); 2] = [(PolicyKind::Indent, "pretty"), (PolicyKind::Run, "any")];

/// A setting of a policy.
struct Set<'e> {
    kind: PolicyKind,
    value: &'e Expr,
    span: Span,
    /// Whether it is written as an attribute, not as `name = value`.
    is_attribute: bool,
}

/// Settings with a common scope: before one item, in one `policy`, or in the arguments of one `json<T, ...>`.
struct Group<'e> {
    sets: Vec<Set<'e>>,
    /// Whether their `space` applies to everything in the scope.
    is_final: bool,
}

/// Finds idle settings in a file.
pub(super) fn lint(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let items = &file_items(db, file).items;
    // In a type, a setting without a `space` next to it is an error anyway.
    if !items.iter().any(|(item, _)| item.key.kind == Keyword::Output) || !checked_items(db, file).is_sound() {
        return Vec::new();
    }
    let groups: Vec<(u32, Group<'_>)> = items
        .iter()
        .flat_map(|(item, span)| groups_of(&item_tree(db, item).item).into_iter().map(|group| (span.start, group)))
        .collect();
    let mut found = Vec::new();
    for (kind, wanted) in DEPENDENT {
        let anywhere = groups.iter().any(|(_, group)| group.space().is_some_and(|space| may_be(space, wanted)));
        for (base, group) in &groups {
            let here = group.space().is_some_and(|space| !may_be(space, wanted)) && group.is_final;
            let sets = group.sets.iter().filter(|set| set.kind == kind && (here || !anywhere));
            found.extend(sets.map(|set| idle(set, wanted, group.space().is_some()).shifted(*base)));
        }
    }
    found
}

/// Returns whether an expression may be this word: it is the word, or it is a parameter.
fn may_be(value: &Expr, wanted: &str) -> bool {
    match &value.ungrouped().kind {
        ExprKind::String(word) => word == wanted,
        _ => true,
    }
}

fn idle(set: &Set<'_>, wanted: &str, has_space: bool) -> Diagnostic {
    let name = if set.kind == PolicyKind::Indent { "indent" } else { "run" };
    let message = format!("`{name}` has no effect: it is about `space = \"{wanted}\"`, and nothing here is written so");
    let written = match set.is_attribute {
        true => format!("@space(\"{wanted}\")"),
        false => format!("space = \"{wanted}\""),
    };
    let separator = if set.is_attribute { " " } else { ", " };
    let guess = Fix::new(format!("write `{written}`"), Span::empty(set.span.start), format!("{written}{separator}"));
    let found = Diagnostic::warning(Code::IdlePolicy, set.span, message);
    found.help(format!("write `{written}` beside it, or remove it")).guess((!has_space).then_some(guess))
}

impl Group<'_> {
    fn space(&self) -> Option<&Expr> {
        self.sets.iter().find(|set| set.kind == PolicyKind::Space).map(|set| set.value)
    }
}

fn groups_of(item: &Item) -> Vec<Group<'_>> {
    let mut groups = vec![of_attributes(&item.attributes, matches!(item.kind, ItemKind::Type(_)))];
    if let ItemKind::Policy(policy) = &item.kind {
        groups.push(of_arguments(&policy.settings, false));
    }
    if let Some(definition) = item.definition() {
        definition.body.walk(&mut |expr| match &expr.kind {
            ExprKind::Attributed { attributes, .. } => groups.push(of_attributes(attributes, false)),
            ExprKind::Record(record) => groups.extend(
                record
                    .members
                    .iter()
                    .map(|member| of_attributes(&member.attributes, matches!(member.kind, MemberKind::Field(_)))),
            ),
            ExprKind::Reference(reference) if writes_values(reference.path.segments.first()) => {
                groups.push(of_arguments(&reference.arguments, true));
            }
            _ => {}
        });
    }
    groups.retain(|group| !group.sets.is_empty());
    groups
}

/// Returns whether a built-in name takes policies as arguments.
fn writes_values(name: Option<&Name>) -> bool {
    name.is_some_and(|name| matches!(name.text.as_str(), "json" | "raw" | "each"))
}

fn of_attributes(attributes: &[Attribute], is_final: bool) -> Group<'_> {
    let sets = attributes.iter().filter_map(|attribute| {
        let [argument] = attribute.arguments.as_slice() else { return None };
        let kind = PolicyKind::of(&attribute.name.text)?;
        Some(Set { kind, value: &argument.value, span: attribute.span, is_attribute: true })
    });
    Group { sets: sets.collect(), is_final }
}

fn of_arguments(arguments: &[Argument], is_final: bool) -> Group<'_> {
    let sets = arguments.iter().filter_map(|argument| {
        let kind = PolicyKind::of(&argument.name.as_ref()?.text)?;
        Some(Set { kind, value: &argument.value, span: argument.span, is_attribute: false })
    });
    Group { sets: sets.collect(), is_final }
}
