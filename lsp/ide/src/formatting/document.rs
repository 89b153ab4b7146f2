//! The layout of a whole file, as edits of the lines that change.

use std::time::{Duration, Instant};

use ogc_compiler::db::{Language, SourceFile};
use ogc_grammar::span::part;
use ogc_grammar::{Span, ogc};
use similar::algorithms::{Capture, Replace, diff_slices_deadline};
use similar::{Algorithm, DiffOp};

use crate::place::TextEdit;
use crate::snapshot::Snapshot;

/// Time limit for comparing lines; after it, more lines may be replaced than have changed.
const COMPARING: Duration = Duration::from_millis(300);

/// Returns the edits that format a file, by whole lines; none for files in languages other than `.ogc`. Items with
/// errors stay as they are, as with `ogc fmt`.
#[must_use]
pub fn document(snapshot: &Snapshot, file: SourceFile) -> Vec<TextEdit> {
    match snapshot.language(file) {
        Language::Ogc => line_edits(snapshot.text(file), &ogc::format(snapshot.text(file))),
        Language::JsonSchema | Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex => {
            Vec::new()
        }
    }
}

/// Returns edits of whole lines that turn one text into another.
#[must_use]
pub fn line_edits(old: &str, new: &str) -> Vec<TextEdit> {
    let (old_lines, new_lines) = (lines(old), lines(new));
    let deadline = Some(Instant::now() + COMPARING);
    // Not `capture_diff_slices`: its clean-up moves an insertion past a deletion to the wrong line.
    let mut found = Replace::new(Capture::new());
    let Ok(()) = diff_slices_deadline(Algorithm::Myers, &mut found, &old_lines, &new_lines, deadline);
    let changes = found.into_inner();
    let changes = changes.ops();
    let (from, to) = (starts(&old_lines), starts(&new_lines));
    let changes = changes.iter().filter(|change| !matches!(change, DiffOp::Equal { .. }));
    let edits = changes.map(|change| {
        let (lines, text) = (change.old_range(), change.new_range());
        let text = part(new, to[text.start]..to[text.end]);
        TextEdit::replace(Span::of(from[lines.start], from[lines.end]), text)
    });
    edits.collect()
}

/// Returns the lines of a text with their line ends.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Returns the offsets where lines begin, and the end of the text.
fn starts(lines: &[&str]) -> Vec<usize> {
    let ends = lines.iter().scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    });
    std::iter::once(0).chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixture::Fixture;
    use crate::place::applied;

    /// Formats a file, and checks that the edits give the same text as `ogc fmt`. Returns the numbers of replaced and
    /// written lines.
    fn check(text: &str) -> Vec<(usize, usize)> {
        let fixture = Fixture::new(text);
        let file = fixture.snapshot.files()[0];
        let edits = document(&fixture.snapshot, file);
        assert_eq!(applied(text, &edits), ogc::format(text), "{text:?}");
        edits.iter().map(|edit| (lines(edit.span.text(text)).len(), lines(&edit.text).len())).collect()
    }

    #[test]
    fn formatting_replaces_only_changed_lines() {
        assert_eq!(check("type A = int\ntype  B=int\ntype C = int\n"), [(1, 1)]);
        assert_eq!(check("type A = int\n\n\n\ntype C = int\n"), [(2, 0)]);
        assert_eq!(check("type A = {x:int,\ny:int}\ntype C = int"), [(3, 2)]);
    }

    #[test]
    fn formatted_documents_have_no_edits() {
        for text in ["", "type A = int\n", "// a\n\ntype A = int  // b\n"] {
            assert_eq!(check(text), [], "{text:?}");
        }
    }

    #[test]
    fn items_with_errors_are_not_formatted() {
        assert_eq!(check("type  A = = {\n  ( x\n\ntype  B=int\n"), [(1, 1)]);
    }

    #[test]
    fn other_languages_have_no_layout() {
        let fixture = Fixture::new("//- a.gbnf\nroot   ::=   \"a\"\n");
        assert_eq!(document(&fixture.snapshot, fixture.snapshot.files()[0]), []);
    }

    proptest! {
        #[test]
        fn line_edits_produce_the_new_text(old in "(a|b|é|\r?\n){0,20}", new in "(a|b|é|\r?\n){0,20}") {
            prop_assert_eq!(applied(&old, &line_edits(&old, &new)), new);
        }
    }
}
