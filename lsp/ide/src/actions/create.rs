//! Creates what an unknown name is to mean: a type or rule of an `.ogc` file, a rule of a grammar. It is placed behind the
//! definition that uses the name.
//!
//! What may stand in a place depends on much: the key of a map is a set of strings, an operand of `&` an open record. So a new
//! definition has several possible bodies ([`ogc`], [`rule`]), and the first that causes no new error is taken.

mod ogc;
mod rule;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ogc_compiler::db::Language;
use ogc_grammar::Diagnostic;

use super::context::Context;
use super::fix_all::found_in;
use super::{Action, ActionKind, Change, Command};
use crate::place::{FileSpan, TextEdit, applied};
use crate::scratch::Scratch;

/// The kind of a definition that is created.
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

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    let mut offered: Vec<Action> = Vec::new();
    for found in context.findings().iter().filter(|found| touches(context, found)) {
        let new = offered_for(context, found).into_iter();
        // A name may be unknown in several places of the selection.
        let new: Vec<Action> = new.filter(|one| offered.iter().all(|other| other.title != one.title)).collect();
        offered.extend(new);
    }
    offered
}

/// Returns whether a finding is shown at the selection, by itself or as another place of the same name.
fn touches(context: &Context<'_>, found: &Diagnostic) -> bool {
    context.touches(found.span) || found.labels.iter().any(|(place, _)| context.touches(*place))
}

fn offered_for(context: &Context<'_>, found: &Diagnostic) -> Vec<Action> {
    let is_ogc = context.snapshot.language(context.file()) == Language::Ogc;
    let kinds = if is_ogc { ogc::kinds(context, found) } else { rule::kinds(context, found) };
    let Some((name, kinds)) = kinds else { return Vec::new() };
    let action = |kind: NewDefinition| Action {
        fixes: Some((found.code, FileSpan::new(context.file(), found.span))),
        ..Action::new(
            context,
            Command::Create(kind, found.span.start),
            ActionKind::QuickFix,
            format!("Create the {} `{name}`", kind.keyword()),
        )
    };
    kinds.iter().copied().map(action).collect()
}

/// Makes the change: defines the name whose first use begins at `at`.
pub(super) fn change(context: &Context<'_>, kind: NewDefinition, at: u32) -> Option<Change> {
    let found = context.findings().iter().filter(|found| found.span.start == at && touches(context, found));
    let is_ogc = context.snapshot.language(context.file()) == Language::Ogc;
    let ways = |found| if is_ogc { ogc::ways(context, found, kind) } else { rule::ways(context, found) };
    let mut ways = found.map(ways);
    let edit = best(context, ways.find(|ways| !ways.is_empty())?)?;
    Some(Change::of(context.file(), vec![edit]))
}

/// Returns the first edit that causes no new error, or else one that causes the fewest.
fn best(context: &Context<'_>, ways: Vec<TextEdit>) -> Option<TextEdit> {
    let before = errors(context.findings());
    let mut scratch = Scratch::of(context.snapshot);
    let mut best: Option<(usize, TextEdit)> = None;
    for way in ways {
        let text = applied(context.text(), std::slice::from_ref(&way));
        let after = errors(&found_in(&mut scratch, context, &text));
        let new = after.difference(&before).count();
        if best.as_ref().is_none_or(|(least, _)| new < *least) {
            best = Some((new, way));
        }
        if new == 0 {
            break;
        }
    }
    best.map(|(_, way)| way)
}

/// Returns the errors among findings, without their places, which an edit moves.
fn errors(found: &[Diagnostic]) -> BTreeSet<(&'static str, String)> {
    let errors = found.iter().filter(|found| found.is_error());
    errors.map(|found| (found.code.name(), found.message.clone())).collect()
}
