//! Formatting of a selection: the items in it, whole.

use ogc_compiler::db::{Language, SourceFile};
use ogc_grammar::ogc::format_item;
use ogc_grammar::span::part;
use ogc_grammar::{LineEnds, Span};

use crate::changes::least;
use crate::items::items;
use crate::place::{FileSpan, TextEdit};
use crate::snapshot::Snapshot;

/// Returns the edits that format the items touched by a selection. Items with errors and the text between items stay as
/// they are.
#[must_use]
pub fn range(snapshot: &Snapshot, selection: FileSpan) -> Vec<TextEdit> {
    if snapshot.language(selection.file) != Language::Ogc {
        return Vec::new();
    }
    let Span { start, end } = selection.span;
    let touched = items(snapshot, selection.file).filter(|item| item.span.start <= end && start <= item.span.end);
    touched.filter_map(|item| item_edit(snapshot, selection.file, item.span)).collect()
}

/// Returns the edit that formats the item at a place; `None` if the item is formatted already, or has errors.
pub(super) fn item_edit(snapshot: &Snapshot, file: SourceFile, item: Span) -> Option<TextEdit> {
    let written = snapshot.slice(file, item);
    let formatted = format_item(written);
    let formatted = LineEnds::of(snapshot.text(file)).written(&formatted);
    let place = with_indent(snapshot.text(file), item);
    least(place.text(snapshot.text(file)), &formatted, place.start as usize)
}

/// Returns the place of an item including the white space before it on its line, if nothing else is on that part of the
/// line. If the item is left as it is, so is that white space.
fn with_indent(text: &str, item: Span) -> Span {
    let written = item.text(text);
    let before = part(text, ..item.start as usize);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let is_blank = before.get(line..).is_some_and(|indent| indent.chars().all(|c| c == ' ' || c == '\t'));
    let is_broken = ogc_grammar::ogc::parse_item(written, 0).1.iter().any(|found| found.is_error());
    if is_blank && !is_broken { Span::of(line, item.end as usize) } else { item }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use crate::place::applied;

    #[track_caller]
    fn check(fixture: &str, expected: &str) {
        let read = Fixture::new(fixture);
        let edits = range(&read.snapshot, read.selection());
        let after = applied(read.snapshot.text(read.cursor().file), &edits);
        assert_eq!(after, expected);
        let again = Fixture::new(&after);
        let file = *again.snapshot.files().first().unwrap();
        assert_eq!(range(&again.snapshot, FileSpan::new(file, read.selection().span)), [], "{after}");
    }

    #[test]
    fn selected_items_are_formatted() {
        check(
            "type  A=int\n type  $0B=int\n\n\ntype  C$0={a:int}\ntype  D=int\n",
            "type  A=int\ntype B = int\n\n\ntype C = { a: int }\ntype  D=int\n",
        );
        check("/// docs\ntype  A$0=int // why\n", "/// docs\ntype A = int // why\n");
        check("type  A={ // one\n  a:int}$0\n", "type A = {  // one\n  a: int,\n}\n");
    }

    #[test]
    fn line_ends_are_kept() {
        check(
            "type A=int\r\ntype  $0B={ // one\r\n  a:int}\r\n",
            "type A=int\r\ntype B = {  // one\r\n  a: int,\r\n}\r\n",
        );
    }

    #[test]
    fn broken_items_and_text_outside_of_items_are_not_formatted() {
        check("type  A={a int$0}\n", "type  A={a int}\n");
        check("  type  A={a int$0}\n", "  type  A={a int}\n");
        check("type  A=int\n\n$0\n\ntype  B=int\n", "type  A=int\n\n\n\ntype  B=int\n");
        check("//- a.gbnf\nroot  ::=  $0\"a\"\n", "root  ::=  \"a\"\n");
    }
}
