//! Adapts a failing test case to the format: with a similar text that the format accepts, or with the opposite
//! expectation.

use ogc_grammar::Code;
use ogc_grammar::ogc::ast::Expectation;

use super::add_test::quoted;
use super::context::Context;
use super::{Action, ActionKind, Change, Command};
use crate::place::{FileSpan, TextEdit, applied};
use crate::scratch::Scratch;
use crate::tests::{CaseItem, CaseOutcome, TestItem, nearest_text, outcomes, test_items};

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    let failing = failing(context).into_iter();
    failing
        .flat_map(|(test, case)| [text_action(context, &test, &case), turn_action(context, &test, &case)])
        .flatten()
        .collect()
}

/// Returns the failing cases at the selection.
fn failing(context: &Context<'_>) -> Vec<(TestItem, CaseItem)> {
    let tests = test_items(context.snapshot, context.file()).into_iter().filter(|test| context.touches(test.span));
    let cases = tests.flat_map(|test| {
        let outcomes = outcomes(context.snapshot, context.file(), &test);
        let failed = test.cases.iter().zip(outcomes).filter(|(_, outcome)| matches!(outcome, CaseOutcome::Fails(_)));
        failed.map(|(case, _)| (test.clone(), case.clone())).collect::<Vec<_>>()
    });
    cases.filter(|(_, case)| context.touches(case.span)).collect()
}

fn action(context: &Context<'_>, case: &CaseItem, command: Command, title: String) -> Action {
    let fixes = Some((Code::Test, FileSpan::new(context.file(), case.span)));
    Action { fixes, ..Action::new(context, command, ActionKind::QuickFix, title) }
}

/// Offers another text for a case that should be accepted.
fn text_action(context: &Context<'_>, test: &TestItem, case: &CaseItem) -> Option<Action> {
    let title = format!("Write a text that `{}` accepts", test.definition);
    let is_accepted = case.expectation == Expectation::Accept;
    is_accepted.then(|| action(context, case, Command::AcceptText(case.span.start), title))
}

/// Offers the opposite expectation.
fn turn_action(context: &Context<'_>, test: &TestItem, case: &CaseItem) -> Option<Action> {
    let (title, word) = match case.expectation {
        Expectation::Accept => ("rejects", "reject"),
        Expectation::Reject => ("accepts", "accept"),
    };
    let title = format!("Expect that `{}` {title} it", test.definition);
    let written = case.span.text(context.text()).find(char::is_whitespace)?;
    let keyword = ogc_grammar::Span::of(0, written).shifted(case.span.start);
    let change = Change::of(context.file(), vec![TextEdit::replace(keyword, word)]);
    Some(action(context, case, Command::TurnCase(case.span.start), title).with(change))
}

/// Makes the change that makes the first failing case at the selection hold.
pub(super) fn accepted(context: &Context<'_>) -> Option<Change> {
    let (test, case) = failing(context).into_iter().next()?;
    let is_accepted = case.expectation == Expectation::Accept;
    let rewritten = is_accepted.then(|| change(context, case.span.start)).flatten();
    rewritten.or_else(|| turn_action(context, &test, &case)?.change)
}

/// Makes the change that gives the case at an offset an accepted text; a JSON subject stays JSON, if the text can be
/// spelled that way.
pub(super) fn change(context: &Context<'_>, at: u32) -> Option<Change> {
    let (test, case) = failing(context).into_iter().find(|(_, case)| case.span.start == at)?;
    let (_, nearest) = nearest_text(context.snapshot, context.file(), &test.definition, case.span)?;
    let is_json = case.subject.text(context.text()).starts_with(['{', '[']);
    let literals = is_json.then(|| nearest.clone()).into_iter().chain([quoted(&nearest)]);
    let mut scratch = Scratch::of(context.snapshot);
    let edit = literals.map(|literal| TextEdit::replace(case.subject, literal)).find(|edit| {
        scratch.set(context.file(), &applied(context.text(), std::slice::from_ref(edit)));
        let Some(copy) = scratch.copy(context.file()) else { return false };
        scratch.read(|snapshot| {
            let tests = test_items(snapshot, copy);
            let ends = tests.iter().filter(|one| one.span.start == test.span.start);
            let ends = ends.flat_map(|test| test.cases.iter().zip(outcomes(snapshot, copy, test)));
            ends.into_iter().any(|(case, end)| case.span.start == at && end == CaseOutcome::Holds)
        })
    })?;
    Some(Change::of(context.file(), vec![edit]))
}
