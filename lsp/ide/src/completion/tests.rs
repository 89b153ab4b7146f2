//! Tests of completion: the items listed at a cursor, and the text that an item writes.

mod folders;
mod lists;
mod random;
mod writes;

use super::{CompletionItem, Insert, completion};
use crate::fixture::Fixture;
use crate::place::{TextEdit, applied};

/// Returns the items at the cursor of a fixture.
fn items(text: &str) -> Vec<CompletionItem> {
    let fixture = Fixture::new(text);
    let list = completion(&fixture.snapshot, fixture.cursor(), None);
    for item in &list.items {
        let cursor = fixture.cursor().offset;
        assert!(item.replaced.start <= cursor && cursor <= item.replaced.end, "{item:?} at {cursor}");
    }
    list.items
}

/// Returns the labels at the cursor, without built-in names, in the order of the list.
fn own_labels(text: &str) -> Vec<String> {
    let mut items = items(text);
    items.sort_by(|a, b| a.sort.cmp(&b.sort));
    let own = items.into_iter().filter(|item| item.kind != super::CompletionKind::Builtin);
    own.map(|item| item.label).collect()
}

/// Checks the labels at the cursor, without built-in names.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(own_labels(text), expected, "at {text}");
}

/// Checks that these labels are at the cursor.
#[track_caller]
fn has(text: &str, expected: &[&str]) {
    let labels: Vec<String> = items(text).into_iter().map(|item| item.label).collect();
    for label in expected {
        assert!(labels.iter().any(|one| one == label), "`{label}` is not in {labels:?} at {text}");
    }
}

/// Checks that these labels are not at the cursor.
#[track_caller]
fn lacks(text: &str, wrong: &[&str]) {
    let labels: Vec<String> = items(text).into_iter().map(|item| item.label).collect();
    for label in wrong {
        assert!(labels.iter().all(|one| one != label), "`{label}` is in the list at {text}");
    }
}

/// Returns the text of the cursor's file after the item with this label is written; placeholders stay as they are.
fn written(text: &str, label: &str) -> String {
    let fixture = Fixture::new(text);
    let list = completion(&fixture.snapshot, fixture.cursor(), None);
    let item = list.items.iter().find(|item| item.label == label);
    let item = item.unwrap_or_else(|| panic!("`{label}` is not in the list at {text}"));
    after(fixture.snapshot.text(fixture.cursor().file), item)
}

/// Returns a text after an item is written.
fn after(text: &str, item: &CompletionItem) -> String {
    let (Insert::Plain(new) | Insert::Snippet(new)) = &item.insert;
    let mut edits = item.edits.clone();
    edits.push(TextEdit::replace(item.replaced, new.clone()));
    applied(text, &edits)
}

/// Checks the text after the item of a label is written.
#[track_caller]
fn writes(text: &str, label: &str, expected: &str) {
    assert_eq!(written(text, label), expected, "`{label}` at {text}");
}
