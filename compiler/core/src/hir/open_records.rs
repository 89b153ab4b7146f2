//! Opens closed records: the correction of a type in which nothing is because records exclude each other's keys.

use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_grammar::{Fix, Span};
use ogc_schema::source::Origin;

use super::items::{ItemId, file_items, item_start, item_tree};
use super::uses::used_names;
use crate::db::Db;

/// Turns a correction whose places are closed records into one that writes `...` behind the last member of each; `None` if one of them
/// is not written in the file. `place` says where in which item of the file an origin is.
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

/// Returns whether one of the records is the body of a definition that several items use: each of them would get the open record.
pub(super) fn is_shared<'m>(
    db: &dyn Db,
    fix: &Fix<Origin>,
    place: impl Fn(Origin) -> Option<(&'m ItemId, Span)>,
) -> bool {
    fix.edits.iter().filter_map(|(origin, _)| place(*origin)).any(|(item, _)| {
        let others = file_items(db, item.file).items.iter().map(|(other, _)| other);
        let users = others.filter(|other| used_names(db, other).any(|name| name == item.key.name));
        users.take(2).count() > 1
    })
}

/// Returns where the members of a record end, and whether it has none.
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
