//! Opens a closed record, or closes an open one. Both change the set of accepted texts, as the titles say.

use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Expr, ExprKind, Member, MemberKind, Record};
use ogc_grammar::ogc::token::TokenKind;
use ogc_grammar::ogc::tokens;
use ogc_grammar::span::part;

use super::context::{Context, around, in_item};
use super::{Action, ActionKind, Change, Command};
use crate::items::PlacedItem;
use crate::place::TextEdit;

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    offered_one(context).into_iter().collect()
}

fn offered_one(context: &Context<'_>) -> Option<Action> {
    let item = context.item()?;
    let place = in_item(&item, context.selection.span);
    let inner = around(&item, place).into_iter().rev();
    let (expr, record) = inner.into_iter().find_map(|expr| match &expr.kind {
        ExprKind::Record(record) => Some((expr, record)),
        _ => None,
    })?;
    let open = record.members.iter().find(|member| member.kind == MemberKind::Open);
    Some(match open {
        Some(open) => {
            let title = "Close the record: allow no other keys";
            let edits = vec![without(context.text(), &item, expr, open)];
            Action::new(context, Command::CloseRecord, ActionKind::Rewrite, title)
                .with(Change::of(context.file(), edits))
        }
        None => {
            let title = "Open the record: allow any other keys";
            let edits = with_open(context.text(), &item, expr, record);
            Action::new(context, Command::OpenRecord, ActionKind::Rewrite, title)
                .with(Change::of(context.file(), edits))
        }
    })
}

/// Adds `...` as the last member, on a line of its own if the closing brace has one.
fn with_open(text: &str, item: &PlacedItem<'_>, expr: &Expr, record: &Record) -> Vec<TextEdit> {
    let brace = item.in_file(expr.span).end.saturating_sub(1);
    let Some(last) = record.members.last() else { return vec![TextEdit::insert(brace, " ... ")] };
    let end = item.in_file(last.span).end;
    let between = Span::new(end, brace).text(text);
    let comma = tokens(between).into_iter().find(|token| token.kind == TokenKind::Comma);
    let sign = if comma.is_some() { "," } else { "" };
    // The brace may be missing.
    let before_brace = text.get(..brace as usize).unwrap_or_default();
    let line = before_brace.rfind('\n').map_or(0, |at| at + 1);
    let has_line = line > end as usize && before_brace.get(line..).is_some_and(|indent| indent.trim().is_empty());
    let mut edits: Vec<TextEdit> = comma.is_none().then(|| TextEdit::insert(end, ",")).into_iter().collect();
    match has_line {
        true => {
            let indent = part(before_brace, line..);
            edits.push(TextEdit::insert(line as u32, format!("{indent}  ...{sign}\n")));
        }
        false => {
            let at = end + comma.map_or(0, |comma| comma.span.end);
            edits.push(TextEdit::insert(at, format!(" ...{sign}")));
        }
    }
    merged(edits)
}

/// Joins two insertions at the same place.
fn merged(edits: Vec<TextEdit>) -> Vec<TextEdit> {
    match edits.as_slice() {
        [one, other] if one.span == other.span => {
            vec![TextEdit::insert(one.span.start, format!("{}{}", one.text, other.text))]
        }
        _ => edits,
    }
}

/// Removes the member `...` together with the comma after it, otherwise with the comma before it.
fn without(text: &str, item: &PlacedItem<'_>, expr: &Expr, open: &Member) -> TextEdit {
    let (whole, own) = (item.in_file(expr.span), item.in_file(open.span));
    let after = Span::new(own.end, whole.end.saturating_sub(1)).text(text);
    let next = tokens(after).into_iter().find(|token| token.kind != TokenKind::Space);
    if let Some(comma) = next.filter(|token| token.kind == TokenKind::Comma) {
        let end = own.end + comma.span.end;
        return TextEdit::replace(with_space(text, Span::new(own.start, end)), "");
    }
    let before = Span::new(whole.start, own.start).text(text);
    let trimmed = before.trim_end();
    match trimmed.ends_with(',') && !last_line(trimmed).contains("//") {
        true => TextEdit::replace(Span::new(whole.start + trimmed.len() as u32 - 1, own.end), ""),
        false => TextEdit::replace(with_space(text, own), ""),
    }
}

fn last_line(text: &str) -> &str {
    text.rsplit_once('\n').map_or(text, |(_, line)| line)
}

/// Extends a place to its whole line if nothing else is on the line, otherwise by the spaces after it.
fn with_space(text: &str, place: Span) -> Span {
    let (before, rest) = (part(text, ..place.start as usize), part(text, place.end as usize..));
    let line = last_line(before);
    let own = rest.find('\n').map_or(rest, |end| part(rest, ..=end));
    if line.trim().is_empty() && own.trim().is_empty() && own.ends_with('\n') {
        return Span::of(place.start as usize - line.len(), place.end as usize + own.len());
    }
    let spaces = rest.len() - rest.trim_start_matches(' ').len();
    Span::of(place.start as usize, place.end as usize + spaces)
}
