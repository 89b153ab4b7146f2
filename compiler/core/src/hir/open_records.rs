//! Opens closed records: the fix for a type that is empty because records exclude each other's keys.

use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_grammar::{Fix, Span};
use ogc_schema::source::Origin;

use super::items::{ItemId, item_start, item_tree};
use crate::db::Db;

/// Converts a fix whose places are closed records into a fix that writes `...` after the last member of each. Returns
/// `None` if any of them is not written in the file. `place` maps an origin to an item of the file and a place in it.
pub(super) fn opened<'m>(
    db: &dyn Db,
    fix: &Fix<Origin>,
    place: impl Fn(Origin) -> Option<(&'m ItemId, Span)>,
) -> Option<Fix> {
    let edit = |(origin, text): &(Origin, String)| {
        let (item, span) = place(*origin)?;
        let (end, is_first) = end_of_members(db, item, span)?;
        Some((end, if is_first { format!(" {text} ") } else { format!(", {text}") }))
    };
    let edits = fix.edits.iter().map(edit).collect::<Option<Vec<_>>>()?;
    Some(Fix { label: fix.label.clone(), edits })
}

/// Returns the place after the last member of a record, and whether the record has no members.
fn end_of_members(db: &dyn Db, item: &ItemId, place: Span) -> Option<(Span, bool)> {
    let mut end = None;
    item_tree(db, item).item.definition()?.body.walk(&mut |expr: &Expr| {
        if let ExprKind::Record(record) = &expr.kind
            && expr.span == place
        {
            let last = record.members.last().map(|member| member.span.end);
            end = Some((Span::empty(last.unwrap_or(expr.span.start + 1)), last.is_none()));
        }
    });
    end.map(|(span, is_first)| (span.shifted(item_start(db, item)), is_first))
}
