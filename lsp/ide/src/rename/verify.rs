//! Makes the edits in a copy, and compares the meanings of all names in the changed files.

use always_assert::never;
use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::foreign::{foreign_error, foreign_schema, read_rules};
use ogc_compiler::hir::names::{self, Symbol};
use ogc_grammar::rules::{Expr, ExprKind, Grammar};
use rustc_hash::FxHashMap;

use super::target::RenameTarget;
use super::{Line, RenameError};
use crate::items::items;
use crate::place::{FileEdits, FileSpan};
use crate::scratch::Scratch;
use crate::snapshot::Snapshot;

/// Checks that the edits only change names.
pub(super) fn verify(
    snapshot: &Snapshot,
    edits: &[FileEdits],
    found: &RenameTarget,
    new: &str,
) -> Result<(), RenameError> {
    let mut scratch = Scratch::of(snapshot);
    scratch.edit(edits);
    for FileEdits { file, .. } in edits {
        let Some(copy) = scratch.copy(*file) else {
            never!("{} was not copied", snapshot.name(*file));
            continue;
        };
        scratch.read(|after| match snapshot.language(*file) {
            Language::Ogc => same_names(snapshot, after, *file, copy, edits),
            Language::JsonSchema => same_schema(snapshot, after, *file, copy, new),
            Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
                same_rules(snapshot, after, *file, copy, found, new)
            }
            Language::Regex => Ok(()),
        })?;
    }
    Ok(())
}

/// The meaning of a name, comparable between the databases: a place in the old texts, or something without a place.
#[derive(Debug, PartialEq)]
enum Meaning {
    At(String, u32),
    Without(Symbol),
}

fn meaning(snapshot: &Snapshot, symbol: &Symbol, moved: impl Fn(&str, u32) -> u32) -> Meaning {
    match names::definition_of(&snapshot.db, symbol) {
        Some((file, span)) => {
            let name = snapshot.name(file);
            Meaning::At(name.to_owned(), moved(name, span.start))
        }
        None => match symbol {
            Symbol::Foreign { file, .. } => Meaning::At(snapshot.name(*file).to_owned(), u32::MAX),
            other => Meaning::Without(other.clone()),
        },
    }
}

/// Compares the names of an `.ogc` file one by one.
fn same_names(
    before: &Snapshot,
    after: &Snapshot,
    file: SourceFile,
    copy: SourceFile,
    edits: &[FileEdits],
) -> Result<(), RenameError> {
    let moved = |name: &str, at: u32| {
        let own = edits.iter().find(|one| before.name(one.file) == name);
        own.map_or(at, |own| shifted(own, at))
    };
    let same = |_: &str, at: u32| at;
    let all = |snapshot: &Snapshot, file: SourceFile, moved: &dyn Fn(&str, u32) -> u32| {
        let mut all = Vec::new();
        for item in items(snapshot, file) {
            for name in names::names(&snapshot.db, item.id) {
                let span = item.in_file(name.span);
                all.push((moved(snapshot.name(file), span.start), span, meaning(snapshot, &name.symbol, moved)));
            }
        }
        all
    };
    let (old, new) = (all(before, file, &moved), all(after, copy, &same));
    for (at, one) in old.iter().enumerate() {
        let other = new.get(at);
        if other.is_none_or(|other| (other.0, &other.2) != (one.0, &one.2)) {
            let place = FileSpan::new(file, one.1);
            return Err(RenameError::Changes(before.slice(file, one.1).to_owned(), Line::of(before, place)));
        }
    }
    match new.get(old.len()) {
        None => Ok(()),
        Some((_, span, _)) => {
            let line = Line::of(after, FileSpan::new(copy, *span));
            Err(RenameError::Changes(after.slice(copy, *span).to_owned(), line))
        }
    }
}

/// Returns where a place moves when its file is edited.
fn shifted(edits: &FileEdits, at: u32) -> u32 {
    let before = edits.edits.iter().filter(|edit| edit.span.end <= at && edit.span.start < at);
    let moved = before.fold(i64::from(at), |at, edit| at + edit.text.len() as i64 - i64::from(edit.span.len()));
    u32::try_from(moved).unwrap_or_else(|_| {
        never!("the place {} moved to {}", at, moved);
        at
    })
}

fn refused(snapshot: &Snapshot, file: SourceFile, why: impl Into<String>) -> RenameError {
    RenameError::Foreign(snapshot.name(file).to_owned(), why.into())
}

const ELSEWHERE: &str = "a name in it would mean something else";

/// Compares the graphs of a schema.
fn same_schema(
    before: &Snapshot,
    after: &Snapshot,
    file: SourceFile,
    copy: SourceFile,
    new: &str,
) -> Result<(), RenameError> {
    if let Some(why) = foreign_error(&after.db, copy) {
        return Err(refused(before, file, why));
    }
    let (old, now) = (&foreign_schema(&before.db, file).0, &foreign_schema(&after.db, copy).0);
    let has_new = now.definitions.iter().filter(|one| one.name == new).count() == 1;
    match has_new && old.schemas == now.schemas && old.definitions.len() == now.definitions.len() {
        true => Ok(()),
        false => Err(refused(before, file, ELSEWHERE)),
    }
}

/// Compares the rules of a grammar, up to names.
fn same_rules(
    before: &Snapshot,
    after: &Snapshot,
    file: SourceFile,
    copy: SourceFile,
    found: &RenameTarget,
    new: &str,
) -> Result<(), RenameError> {
    if let Some(why) = foreign_error(&after.db, copy) {
        return Err(refused(before, file, why));
    }
    let (old, now) = (&read_rules(&before.db, file).0, &read_rules(&after.db, copy).0);
    let mut alike = Alike::default();
    let begins = |grammar: &Grammar| grammar.rules.first().map(|rule| rule.name.value.clone());
    let is_first = snapshot_starts_first(before, file) && begins(old).as_ref() == Some(&found.name);
    match alike.grammars(old, now) && (!is_first || begins(now).as_deref() == Some(new)) {
        true => Ok(()),
        false => Err(refused(before, file, ELSEWHERE)),
    }
}

/// Returns whether the start rule of a file is its first rule, whatever its name is.
fn snapshot_starts_first(snapshot: &Snapshot, file: SourceFile) -> bool {
    matches!(snapshot.language(file), Language::Ebnf | Language::Abnf)
}

/// Maps names of one grammar to the names at the same places of another.
#[derive(Default)]
struct Alike<'g> {
    there: FxHashMap<&'g str, &'g str>,
    back: FxHashMap<&'g str, &'g str>,
}

impl<'g> Alike<'g> {
    fn grammars(&mut self, one: &'g Grammar, other: &'g Grammar) -> bool {
        one.rules.len() == other.rules.len()
            && one.rules.iter().zip(&other.rules).all(|(one, other)| {
                self.names(&one.name.value, &other.name.value) && self.exprs(&one.body, &other.body)
            })
    }

    fn names(&mut self, one: &'g str, other: &'g str) -> bool {
        *self.there.entry(one).or_insert(other) == other && *self.back.entry(other).or_insert(one) == one
    }

    /// Compares expressions. The reader's nesting limit bounds the recursion.
    fn exprs(&mut self, one: &'g Expr, other: &'g Expr) -> bool {
        let same = match (&one.kind, &other.kind) {
            (ExprKind::Name(one), ExprKind::Name(other)) => self.names(one, other),
            (ExprKind::Sequence(_), ExprKind::Sequence(_))
            | (ExprKind::Alternation(_), ExprKind::Alternation(_))
            | (ExprKind::Exception(..), ExprKind::Exception(..))
            | (ExprKind::Lazy(_), ExprKind::Lazy(_)) => true,
            (ExprKind::Repeat { min, max, .. }, ExprKind::Repeat { min: least, max: most, .. }) => {
                (min, max) == (least, most)
            }
            (
                ExprKind::Captured { name: one, part: of_one, .. },
                ExprKind::Captured { name: other, part: of_other, .. },
            ) => (&one.value, of_one) == (&other.value, of_other),
            (ExprKind::Limited(_, one), ExprKind::Limited(_, other)) => one == other,
            (one, other) => one == other,
        };
        same && one.children().count() == other.children().count()
            && one.children().zip(other.children()).all(|(one, other)| self.exprs(one, other))
    }
}
