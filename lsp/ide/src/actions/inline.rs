//! Replaces the name of a definition by its body: at one use, or at all uses, which also removes the definition.
//!
//! This is not offered for a definition that is recursive or whose attributes change its meaning, nor where its body
//! would be read differently: a type's literal in text, a rule's literal beside values.

use ogc_compiler::hir::AttributeKind;
use ogc_compiler::hir::items::{ItemId, Keyword};
use ogc_compiler::hir::names::{Symbol, names, references};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Expr, ExprKind, MemberKind, Reference, Repetition};
use ogc_grammar::span::part;
use rustc_hash::FxHashSet;

use super::context::{Context, in_item};
use super::extract::has_gaps;
use super::kind::{Kind, is_value, kind};
use super::substitute::{body, is_primary};
use super::{Action, ActionKind, Change, Command};
use crate::items::{PlacedItem, item_at, items, name_at, placed};
use crate::place::{FilePosition, TextEdit};

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    let Some(name) = name_at(context.snapshot, context.cursor()) else { return Vec::new() };
    let Symbol::Definition(id) = &name.symbol else { return Vec::new() };
    if id.file != context.file() || context.item().is_none() {
        return Vec::new();
    }
    let definition = placed(context.snapshot, id);
    if !is_plain(context, &definition) {
        return Vec::new();
    }
    let one = (!name.is_definition).then(|| use_edit(context, &definition, name.span)).flatten();
    let one = one.map(|edit| {
        let title = format!("Inline this use of `{}`", id.key.name);
        let change = Change::of(context.file(), vec![edit]);
        Action::new(context, Command::InlineUse, ActionKind::Inline, title).with(change)
    });
    let all = all_edits(context, &definition).map(|edits| {
        let title = format!("Inline `{}` everywhere, and remove it", id.key.name);
        Action::new(context, Command::InlineAll, ActionKind::Inline, title).with(Change::of(context.file(), edits))
    });
    one.into_iter().chain(all).collect()
}

/// Returns whether a definition means the same as its body, wherever the body stands.
fn is_plain(context: &Context<'_>, definition: &PlacedItem<'_>) -> bool {
    let is_level = |name: &str| matches!(AttributeKind::of(name), Some(AttributeKind::Level(_)));
    let levels = definition.tree.attributes.iter().all(|one| is_level(&one.name.text));
    let tree = ogc_compiler::hir::items::item_tree(&context.snapshot.db, definition.id);
    let is_sound = !tree.diagnostics.iter().any(ogc_grammar::Diagnostic::is_error);
    levels && is_sound && !has_gaps(definition) && !is_recursive(context, definition.id)
}

/// Returns whether a definition reaches itself through the definitions that it uses.
pub(super) fn is_recursive(context: &Context<'_>, id: &ItemId) -> bool {
    let mut seen: FxHashSet<&ItemId> = FxHashSet::default();
    let mut open = vec![id];
    while let Some(item) = open.pop() {
        for name in names(&context.snapshot.db, item).iter().filter(|name| !name.is_definition) {
            match &name.symbol {
                Symbol::Definition(next) if next == id => return true,
                Symbol::Definition(next) if seen.insert(next) => open.push(next),
                _ => {}
            }
        }
    }
    false
}

/// Returns the edit of the use whose name is at a place of the file.
fn use_edit(context: &Context<'_>, definition: &PlacedItem<'_>, place: Span) -> Option<TextEdit> {
    let at = FilePosition { file: context.file(), offset: place.start };
    let user = item_at(context.snapshot, at).filter(|user| !has_gaps(user))?;
    let (expr, reference, slot) = reference_at(&user, in_item(&user, place))?;
    let own = &definition.definition()?.body;
    if !reads_alike(context, definition, &user, expr, slot) {
        return None;
    }
    let text = body(context.snapshot, definition, &user, reference)?;
    let needs_group = !is_primary(own) && slot != Slot::Whole;
    Some(TextEdit::replace(user.in_file(expr.span), if needs_group { format!("({text})") } else { text }))
}

/// The context of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// The whole context: any expression fits here.
    Whole,
    /// A sequence, list or repetition: its parts are texts.
    Texts,
    /// Any other context.
    Beside,
}

/// Returns the reference whose path is at a place, and its context.
fn reference_at<'s>(user: &PlacedItem<'s>, place: Span) -> Option<(&'s Expr, &'s Reference, Slot)> {
    let mut found = None;
    for root in user.tree.expressions() {
        find(root, Slot::Whole, place, &mut found);
    }
    found
}

fn find<'s>(expr: &'s Expr, slot: Slot, place: Span, found: &mut Option<(&'s Expr, &'s Reference, Slot)>) {
    if let ExprKind::Reference(reference) = &expr.kind
        && reference.path.span == place
    {
        *found = Some((expr, reference, slot));
    }
    let inner = match &expr.kind {
        ExprKind::Sequence(_) | ExprKind::List { .. } | ExprKind::Capture { .. } => Slot::Texts,
        ExprKind::Repeat { times: Repetition::Optional | Repetition::Star | Repetition::Plus, .. } => Slot::Texts,
        ExprKind::Group(_) | ExprKind::Reference(_) => Slot::Whole,
        _ => Slot::Beside,
    };
    for child in expr.children() {
        let is_value = matches!(&expr.kind, ExprKind::Record(record) if record.members.iter().any(
            |member| matches!(&member.kind, MemberKind::Field(field) if field.value.span == child.span)
        ));
        find(child, if is_value { Slot::Whole } else { inner }, place, found);
    }
}

/// Returns whether the body, in place of the name, means the same as in its definition.
fn reads_alike(
    context: &Context<'_>,
    definition: &PlacedItem<'_>,
    user: &PlacedItem<'_>,
    expr: &Expr,
    slot: Slot,
) -> bool {
    let Some(own) = definition.definition() else { return false };
    let of_body = kind(context.snapshot, definition.id, &own.body);
    let uses_parameters = !own.parameters.is_empty();
    let Some(is_value) = is_value(context.snapshot, user, expr.span) else { return false };
    match definition.id.key.kind {
        Keyword::Type => user.id.key.kind == Keyword::Type || of_body == Kind::Value && !uses_parameters && is_value,
        Keyword::Rule => !is_value && !uses_parameters && (of_body == Kind::Text || slot == Slot::Texts),
        _ => false,
    }
}

/// Returns the edits of all uses, and the removal of the definition; `None` if any use cannot be replaced.
fn all_edits(context: &Context<'_>, definition: &PlacedItem<'_>) -> Option<Vec<TextEdit>> {
    let symbol = Symbol::Definition(definition.id.clone());
    let own = definition.in_file(definition.definition()?.name.span);
    let mut edits = Vec::new();
    for (file, place) in references(&context.snapshot.db, &symbol) {
        if file != context.file() {
            return None;
        }
        if place != own {
            edits.push(use_edit(context, definition, place)?);
        }
    }
    let overlap = edits.iter().any(|one| {
        edits.iter().any(|other| one != other && one.span.start < other.span.end && other.span.start < one.span.end)
    });
    if edits.is_empty() || overlap {
        return None;
    }
    edits.push(TextEdit::replace(with_line(context, definition.span), ""));
    Some(edits)
}

/// Returns the span of an item together with the end of its line, and with the empty lines after it if there are also
/// some before it.
fn with_line(context: &Context<'_>, item: Span) -> Span {
    let text = context.text();
    let (before, rest) = (part(text, ..item.start as usize), part(text, item.end as usize..));
    let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
    let (own, more) = (part(rest, ..line), part(rest, line..));
    // A comment after the item on its line is not part of the item, so it stays.
    if !own.trim().is_empty() {
        return item;
    }
    let empty = more.len() - more.trim_start_matches('\n').len();
    let is_fresh = before.is_empty() || before.ends_with("\n\n");
    let is_followed = items(context.snapshot, context.file()).any(|other| other.span.start >= item.end);
    let end = line + if is_fresh && is_followed { empty } else { 0 };
    Span::of(item.start as usize, item.end as usize + end)
}
