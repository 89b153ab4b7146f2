//! Gives the selected expression a name: it becomes a type for values, or a rule for texts. Parameters that it uses
//! become parameters of the new definition.

use ogc_compiler::hir::AttributeKind;
use ogc_compiler::hir::names::{Symbol, names};
use ogc_grammar::ogc::ast::{Expr, ExprKind, MemberKind};
use ogc_grammar::{Span, span};

use super::context::{Context, around, in_item};
use super::kind::{Kind, is_value, joined, kind};
use super::{Action, ActionKind, Change, Command};
use crate::items::PlacedItem;
use crate::place::{FilePosition, TextEdit};

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    extracted(context).into_iter().collect()
}

fn extracted(context: &Context<'_>) -> Option<Action> {
    let selected = context.selected();
    let item = context.item().filter(|item| selected.end <= item.span.end && !selected.is_empty())?;
    let place = in_item(&item, selected);
    let part = part(&item, place)?;
    let body = item.definition()?.body.ungrouped().span;
    let is_whole = body == place || item.definition()?.body.span == place;
    if is_whole || has_gaps(&item) || policy_around(&item, place) {
        return None;
    }
    let is_value = match &part {
        Part::Whole(expr) => is_value(context.snapshot, &item, expr.span)?,
        Part::Neighbours(parent, parts) => neighbours_are_values(context, &item, parent, parts)?,
    };
    let key = key_of(&item, place).unwrap_or_else(|| "extracted".to_owned());
    let (keyword, wanted) = if is_value { ("type", capitalized(&key)) } else { ("rule", key) };
    let name = context.fresh(&item, &wanted);
    let parameters = parameters(context, &item, place);
    let list = if parameters.is_empty() { String::new() } else { format!("<{}>", parameters.join(", ")) };
    let text = selected.text(context.text());
    let definition = format!("\n{keyword} {name}{list} = {text}");
    let edits = vec![
        TextEdit::replace(selected, format!("{name}{list}")),
        TextEdit::insert(end_of_line(context.text(), item.span.end), definition),
    ];
    let rename = FilePosition { file: context.file(), offset: selected.start };
    let change = Change { rename: Some(rename), ..Change::of(context.file(), edits) };
    Some(Action::new(context, Command::Extract, ActionKind::Extract, format!("Extract into a {keyword}")).with(change))
}

/// Returns whether an expression is just a name, so that there is nothing to extract.
fn is_name(expr: &Expr) -> bool {
    matches!(&expr.ungrouped().kind, ExprKind::Reference(reference) if reference.arguments.is_empty())
}

/// Returns whether the item has `@skip`: text may stand between the parts of its expression, but not between those of
/// other rules.
pub(super) fn has_gaps(item: &PlacedItem<'_>) -> bool {
    let of_name = |name: &str| AttributeKind::of(name) == Some(AttributeKind::Skip);
    let mut found = item.tree.attributes.iter().any(|one| of_name(&one.name.text));
    for root in item.tree.expressions() {
        root.walk(&mut |expr| {
            if let ExprKind::Attributed { attributes, .. } = &expr.kind {
                found |= attributes.iter().any(|one| of_name(&one.name.text));
            }
        });
    }
    found
}

/// Returns whether attributes stand directly before the place or inside it: their policies would then apply elsewhere.
fn policy_around(item: &PlacedItem<'_>, place: Span) -> bool {
    let is_it = |one: &Expr| match &one.kind {
        ExprKind::Attributed { item, .. } => item.span == place || one.span == place,
        _ => false,
    };
    around(item, place).into_iter().any(is_it)
}

/// The selected part of an expression.
enum Part<'s> {
    /// An expression.
    Whole(&'s Expr),
    /// Some neighbours in a sequence or union: the whole expression, and the selected parts.
    Neighbours(&'s Expr, Vec<&'s Expr>),
}

/// Returns the part of an item at exactly this place; `None` for a name, which needs no other.
fn part<'s>(item: &PlacedItem<'s>, place: Span) -> Option<Part<'s>> {
    let around = around(item, place);
    if let Some(expr) = around.iter().find(|expr| expr.span == place) {
        return (!is_name(expr)).then_some(Part::Whole(expr));
    }
    let parent = *around.last()?;
    if !matches!(parent.kind, ExprKind::Sequence(_) | ExprKind::Union(_)) {
        return None;
    }
    let inside = |expr: &&Expr| place.start <= expr.span.start && expr.span.end <= place.end;
    let parts: Vec<&Expr> = parent.children().into_iter().filter(inside).collect();
    let fits = parts.first()?.span.start == place.start && parts.last()?.span.end == place.end;
    fits.then_some(Part::Neighbours(parent, parts))
}

/// Returns whether some branches of a union, or parts of a sequence, stand for values. `None` if they would be read
/// differently by themselves: values and literals alone are values, but a text in the union makes all of them texts.
fn neighbours_are_values(context: &Context<'_>, item: &PlacedItem<'_>, parent: &Expr, parts: &[&Expr]) -> Option<bool> {
    if !matches!(parent.kind, ExprKind::Union(_)) {
        return Some(false);
    }
    if is_value(context.snapshot, item, parent.span)? {
        return Some(true);
    }
    let kinds: Vec<Kind> = parts.iter().map(|part| kind(context.snapshot, item.id, part)).collect();
    match joined(kinds.iter().copied()) {
        Kind::Value if kinds.contains(&Kind::Literal) => None,
        kind => Some(kind == Kind::Value),
    }
}

/// Returns the name of the field or capture whose value is this expression.
fn key_of(item: &PlacedItem<'_>, wanted: Span) -> Option<String> {
    let mut found = None;
    for root in item.tree.expressions() {
        root.walk(&mut |expr| match &expr.kind {
            ExprKind::Record(record) => {
                for member in &record.members {
                    if let MemberKind::Field(field) = &member.kind
                        && field.value.span == wanted
                    {
                        found = Some(field.name.text.clone());
                    }
                }
            }
            ExprKind::Capture { name, item } if item.span == wanted => found = Some(name.text.clone()),
            _ => {}
        });
    }
    found
}

fn capitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Returns the item's parameters that are used inside a place, in their declared order.
fn parameters(context: &Context<'_>, item: &PlacedItem<'_>, place: Span) -> Vec<String> {
    let inside = names(&context.snapshot.db, item.id)
        .iter()
        .filter(|name| place.start <= name.span.start && name.span.end <= place.end);
    let used: Vec<&str> = inside
        .filter_map(|name| match &name.symbol {
            Symbol::Parameter { item: of, name } if of == item.id => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let own = item.definition().map(|definition| definition.parameters.as_slice()).unwrap_or_default();
    own.iter().map(|one| one.name.text.clone()).filter(|name| used.contains(&name.as_str())).collect()
}

/// Returns the end of the line that contains an offset: a comment that follows an item on its line belongs to the item.
pub(super) fn end_of_line(text: &str, at: u32) -> u32 {
    let rest = span::part(text, at as usize..);
    let line = rest.lines().next().unwrap_or_default();
    let is_comment = line.trim().is_empty() || line.trim_start().starts_with("//");
    at + if is_comment { line.trim_end().len() as u32 } else { 0 }
}
