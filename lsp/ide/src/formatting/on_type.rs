//! Formatting after a typed character: `}` formats its item if the item is complete; a line end indents the new line
//! and continues a comment.

use ogc_compiler::db::Language;
use ogc_grammar::Span;
use ogc_grammar::ogc::token::{Token, TokenKind};
use ogc_grammar::ogc::tokens;

use super::range::item_edit;
use crate::items::item_at;
use crate::place::{FilePosition, TextEdit};
use crate::snapshot::Snapshot;

/// The characters after which an editor should request formatting.
pub const TRIGGERS: [char; 2] = ['}', '\n'];

/// Spaces per level of indentation.
const INDENT: usize = 2;

/// Returns the edits after a character was typed; the cursor is directly after it.
#[must_use]
pub fn on_type(snapshot: &Snapshot, cursor: FilePosition, typed: char) -> Vec<TextEdit> {
    if snapshot.language(cursor.file) != Language::Ogc {
        return Vec::new();
    }
    let edit = match typed {
        '}' => item_at(snapshot, cursor).and_then(|item| item_edit(snapshot, cursor.file, item.span)),
        '\n' => new_line(snapshot.text(cursor.file), cursor.offset),
        _ => None,
    };
    edit.into_iter().collect()
}

/// Indents the line of the cursor, which has just been started.
fn new_line(text: &str, cursor: u32) -> Option<TextEdit> {
    let before = text.get(..cursor as usize)?;
    let line = before.rfind('\n')? + 1;
    // The text between the line end and the cursor must be the editor's own indentation.
    if !before.get(line..)?.trim().is_empty() {
        return None;
    }
    let rest = text.get(line..)?;
    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let rest = rest.get(blank..)?.lines().next().unwrap_or_default();
    let all = tokens(text.get(..line)?);
    let wanted = format!("{}{}", " ".repeat(indent(text, &all, rest)), comment(text, &all, rest).unwrap_or_default());
    let place = Span::of(line, line + blank);
    (place.text(text) != wanted).then(|| TextEdit::replace(place, wanted))
}

/// Returns the sign that continues a comment which the line end has split, or the next line of a doc comment.
fn comment(text: &str, all: &[Token], rest: &str) -> Option<&'static str> {
    let last = all.iter().rev().find(|token| token.kind != TokenKind::Space)?;
    let behind = Span::new(last.span.end, all.last()?.span.end).text(text);
    if behind.matches('\n').count() > 1 {
        return None;
    }
    let written = last.span.text(text).trim_end();
    match last.kind {
        TokenKind::Doc if !rest.is_empty() || written.len() > "///".len() => Some("/// "),
        TokenKind::Comment if !rest.is_empty() => Some("// "),
        _ => None,
    }
}

/// Returns the spaces before a new line: one level for each open bracket, and one for an expression that continues.
fn indent(text: &str, all: &[Token], rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut significant = all.iter().filter(|token| !token.kind.is_trivia());
    for token in significant.clone() {
        // A new item resets everything that was left open before it.
        let begins_line =
            token.span.start == 0 || text.get(..token.span.start as usize).is_some_and(|it| it.ends_with('\n'));
        if token.kind.is_keyword() && begins_line {
            depth = 0;
        } else if token.kind.closer().is_some() {
            depth += 1;
        } else if token.kind.is_closer() {
            depth = depth.saturating_sub(1);
        }
    }
    let closes = rest.starts_with(['}', ']', ')', '>']);
    let continues = depth == 0 && significant.next_back().is_some_and(|token| goes_on(token.kind));
    INDENT * (depth.saturating_sub(usize::from(closes)) + usize::from(continues))
}

/// Returns whether an expression must follow.
fn goes_on(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Equals | TokenKind::Bar | TokenKind::And | TokenKind::Percent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use crate::place::applied;

    #[track_caller]
    fn check(typed: char, fixture: &str, expected: &str) {
        let read = Fixture::new(fixture);
        let edits = on_type(&read.snapshot, read.cursor(), typed);
        assert_eq!(applied(read.snapshot.text(read.cursor().file), &edits), expected);
    }

    #[test]
    fn typing_the_closing_brace_formats_the_item() {
        check('}', "type  A={a:int}$0\ntype  B=int\n", "type A = { a: int }\ntype  B=int\n");
        check('}', "type  A={a:{b:int}$0\n", "type  A={a:{b:int}\n");
        check('}', "type  A={a int}$0\n", "type  A={a int}\n");
    }

    #[test]
    fn new_lines_are_indented_by_brackets() {
        check('\n', "type A = {\n$0\n}\n", "type A = {\n  \n}\n");
        check('\n', "type A = {\n  a: {\n  $0b: int }\n}\n", "type A = {\n  a: {\n    b: int }\n}\n");
        check('\n', "type A = {\n  a: int,\n  $0}\n", "type A = {\n  a: int,\n}\n");
        check('\n', "type A = int\n  $0\n", "type A = int\n\n");
        check('\n', "rule a =\n$0\"x\"\n", "rule a =\n  \"x\"\n");
        check('\n', "type A = {\n\ntype B = int\n  $0\n", "type A = {\n\ntype B = int\n\n");
    }

    #[test]
    fn a_new_line_continues_a_comment() {
        check('\n', "/// One.\n$0\ntype A = int\n", "/// One.\n/// \ntype A = int\n");
        check('\n', "///\n$0\ntype A = int\n", "///\n\ntype A = int\n");
        check('\n', "// one\n$0two\n", "// one\n// two\n");
        check('\n', "// one\n$0\ntype A = int\n", "// one\n\ntype A = int\n");
    }

    #[test]
    fn typing_other_characters_or_in_other_files_changes_nothing() {
        check('x', "type  A=x$0\n", "type  A=x\n");
        check('\n', "//- a.gbnf\nroot ::= (\n$0\"a\")\n", "root ::= (\n\"a\")\n");
    }
}
