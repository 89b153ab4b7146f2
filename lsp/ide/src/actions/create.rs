//! Creates a definition for an unknown name: a type or rule of an `.ogc` file, or a rule of a grammar. The definition
//! is placed after the one that uses the name, or at the end of the file from which the name is imported.
//!
//! Which definition fits depends on the place: the key of a map must be a set of strings, an operand of `&` an open
//! record. So a new definition has several candidate bodies ([`ogc`], [`rule`]), and the first one that causes no new
//! error is taken.

mod home;
mod imported;
mod ogc;
mod rule;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ogc_compiler::db::{Language, SourceFile};
use ogc_grammar::Diagnostic;

use super::context::Context;
use super::fix_all::found_in;
use super::{Action, ActionKind, Change, Command};
use crate::place::{FileEdits, FileSpan, TextEdit, applied};
use crate::scratch::Scratch;

/// The kind of a definition to create.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewDefinition {
    /// A set of JSON values.
    Type,
    /// A set of texts.
    Rule,
}

impl NewDefinition {
    fn keyword(self) -> &'static str {
        match self {
            NewDefinition::Type => "type",
            NewDefinition::Rule => "rule",
        }
    }
}

/// An unknown name that can be defined.
struct Wanted<'s> {
    name: &'s str,
    /// The file in which the definition would be placed.
    home: SourceFile,
    /// The kinds of definition that it can become, the likeliest first.
    kinds: &'static [NewDefinition],
}

/// An edit that defines a name, and the file that it is made in.
type Way = (SourceFile, TextEdit);

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    let mut offered: Vec<Action> = Vec::new();
    for found in context.findings().iter().filter(|found| touches(context, found)) {
        let new = offered_for(context, found).into_iter();
        // A name may be unknown at several places of the selection.
        let new: Vec<Action> = new.filter(|one| offered.iter().all(|other| other.title != one.title)).collect();
        offered.extend(new);
    }
    offered
}

/// Returns whether a finding touches the selection, with its own place or a labelled place of the same name.
fn touches(context: &Context<'_>, found: &Diagnostic) -> bool {
    context.touches(found.span) || found.labels.iter().any(|(place, _)| context.touches(*place))
}

fn offered_for(context: &Context<'_>, found: &Diagnostic) -> Vec<Action> {
    let Some(Wanted { name, home, kinds }) = wanted(context, found) else { return Vec::new() };
    let file = context.snapshot.name(home).rsplit('/').next().unwrap_or_default();
    let place = if home == context.file() { String::new() } else { format!(" in {file}") };
    let action = |kind: NewDefinition| Action {
        fixes: Some((found.code, FileSpan::new(context.file(), found.span))),
        ..Action::new(
            context,
            Command::Create(kind, found.span.start),
            ActionKind::QuickFix,
            format!("Create the {} `{name}`{place}", kind.keyword()),
        )
    };
    kinds.iter().copied().map(action).collect()
}

/// Returns the unknown name of a finding, if the name can be defined.
fn wanted<'s>(context: &Context<'s>, found: &Diagnostic) -> Option<Wanted<'s>> {
    if context.snapshot.language(context.file()) != Language::Ogc {
        return rule::wanted(context, found);
    }
    ogc::wanted(context, found).or_else(|| imported::wanted(context, found))
}

/// Returns the candidate edits that define the name of a finding, the best first.
fn ways(context: &Context<'_>, found: &Diagnostic, kind: NewDefinition) -> Vec<Way> {
    if context.snapshot.language(context.file()) != Language::Ogc {
        return rule::ways(context, found);
    }
    let own = ogc::ways(context, found, kind);
    if own.is_empty() { imported::ways(context, found, kind) } else { own }
}

/// Makes the change that defines the name whose first use starts at `at`.
pub(super) fn change(context: &Context<'_>, kind: NewDefinition, at: u32) -> Option<Change> {
    let mut found = context.findings().iter().filter(|found| found.span.start == at && touches(context, found));
    let found = found.find(|found| wanted(context, found).is_some())?;
    let (file, edit) = best(context, ways(context, found, kind))?;
    Some(Change { edits: vec![FileEdits { file, edits: vec![edit] }], ..Change::default() })
}

/// Returns the first candidate that causes no new error, otherwise the one that causes the fewest.
fn best(context: &Context<'_>, ways: Vec<Way>) -> Option<Way> {
    let mut scratch = Scratch::of(context.snapshot);
    let mut best: Option<(usize, Way)> = None;
    for (file, edit) in ways {
        let before = all_errors(context, &mut scratch, file, context.snapshot.text(file));
        let text = applied(context.snapshot.text(file), std::slice::from_ref(&edit));
        let after = all_errors(context, &mut scratch, file, &text);
        let new = after.difference(&before).count();
        if best.as_ref().is_none_or(|(least, _)| new < *least) {
            best = Some((new, (file, edit)));
        }
        if new == 0 {
            break;
        }
    }
    best.map(|(_, way)| way)
}

/// Returns the errors of the selection's file, and of another file if it has a text.
fn all_errors(
    context: &Context<'_>,
    scratch: &mut Scratch<'_>,
    file: SourceFile,
    text: &str,
) -> BTreeSet<(&'static str, String)> {
    let mut found = errors(&found_in(scratch, context.snapshot, file, text));
    if file != context.file() {
        found.extend(errors(&found_in(scratch, context.snapshot, context.file(), context.text())));
    }
    found
}

/// Returns the errors among findings without their places, which an edit moves.
fn errors(found: &[Diagnostic]) -> BTreeSet<(&'static str, String)> {
    let errors = found.iter().filter(|found| found.is_error());
    errors.map(|found| (found.code.name(), found.message.clone())).collect()
}
