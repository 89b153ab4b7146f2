//! Adds a bound to an unbounded repetition, array or string length. The format then accepts less, as the title says.

use ogc_compiler::hir::resolve::{Target, resolution};
use ogc_compiler::hir::{BuiltinKind, ValueKind};
use ogc_grammar::ogc::ast::{BoundKind, Expr, ExprKind, Range, Repetition};

use super::context::{Context, around, in_item};
use super::{Action, ActionKind, Change, Command};
use crate::items::PlacedItem;
use crate::place::TextEdit;

/// The bound for repetitions.
const TIMES: u32 = 100;

/// The bound for lengths, in characters.
const CHARACTERS: u32 = 200;

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    offered_one(context).into_iter().collect()
}

fn offered_one(context: &Context<'_>) -> Option<Action> {
    let item = context.item()?;
    let place = in_item(&item, context.selection.span);
    let inner = around(&item, place).into_iter().rev();
    let (edit, what) = inner.into_iter().find_map(|expr| edit(context, &item, expr))?;
    let title = format!("Bound it, so that less may be written: {what}");
    let change = Change::of(context.file(), vec![edit]);
    Some(Action::new(context, Command::Bound, ActionKind::Rewrite, title).with(change))
}

/// Returns the edit that bounds an expression, and the text that it writes.
fn edit(context: &Context<'_>, item: &PlacedItem<'_>, expr: &Expr) -> Option<(TextEdit, String)> {
    match &expr.kind {
        ExprKind::Repeat { item: repeated, times } | ExprKind::List { item: repeated, times: Some(times), .. } => {
            times_edit(context, item, expr, repeated, times)
        }
        ExprKind::Reference(reference) if reference.arguments.is_empty() => {
            let target = &resolution(&context.snapshot.db, item.id).get(&reference.path)?.target;
            let Target::Builtin(builtin) = target else { return None };
            let what = format!("<..{CHARACTERS}>");
            let is_string = builtin.kind == BuiltinKind::Value(ValueKind::String);
            is_string.then(|| (TextEdit::insert(item.in_file(expr.span).end, what.clone()), format!("string{what}")))
        }
        _ => None,
    }
}

fn times_edit(
    context: &Context<'_>,
    item: &PlacedItem<'_>,
    expr: &Expr,
    repeated: &Expr,
    times: &Repetition,
) -> Option<(TextEdit, String)> {
    let (sign, least) = match times {
        Repetition::Star => ('*', 0),
        Repetition::Plus => ('+', 1),
        Repetition::Between(Range { min: Some(min), max: None }) => {
            let BoundKind::Number(least) = &min.kind else { return None };
            let least: u32 = least.parse().ok()?;
            let end = item.in_file(min.span).end;
            let most = least.saturating_add(TIMES);
            let dots = context.text().get(end as usize..)?.find("..")?;
            let at = end + u32::try_from(dots).ok()? + 2;
            return Some((TextEdit::insert(at, most.to_string()), format!("[{least}..{most}]")));
        }
        Repetition::Optional | Repetition::Exactly(_) | Repetition::Between(_) => return None,
    };
    // The sign follows the repeated expression, perhaps after white space.
    let after = item.in_file(repeated.span).end;
    let rest = context.text().get(after as usize..item.in_file(expr.span).end as usize)?;
    let at = rest.len() - rest.trim_start().len();
    let is_sign = rest.trim_start().starts_with(sign);
    let place = ogc_grammar::Span::of(at, at + 1).shifted(after);
    let what = format!("[{least}..{TIMES}]");
    is_sign.then(|| (TextEdit::replace(place, what.clone()), what))
}
