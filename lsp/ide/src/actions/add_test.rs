//! Adds a case to the test of a definition, or adds a new test: its text is drawn at random from the texts that the
//! format accepts.

use ogc_compiler::hir::items::Keyword;
use ogc_compiler::pipeline::{Format, automaton, definitions};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Expr, ExprKind, ItemKind, Test};
use ogc_grammar::ogc::print_expr;
use ogc_grammar::span::part;
use ogc_workbench::sample::{SampleOptions, samples};

use super::context::Context;
use super::extract::end_of_line;
use super::{Action, ActionKind, Change, Command};
use crate::items::{PlacedItem, items};
use crate::place::TextEdit;

/// Preferred maximum length of the text, in bytes.
const LENGTH: u32 = 80;

/// Number of texts that are drawn; the first one that no case has yet is taken.
const DRAWN: usize = 8;

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    let Some(name) = target(context).map(|item| item.id.key.name.clone()) else { return Vec::new() };
    let title = format!("Add a sample to the test of `{name}`");
    vec![Action::new(context, Command::AddTest, ActionKind::Rewrite, title)]
}

/// Returns the definition whose name is at the cursor, if it has no parameters.
fn target<'s>(context: &Context<'s>) -> Option<PlacedItem<'s>> {
    let item = context.item().filter(|item| item.id.key.kind.defines())?;
    let definition = item.definition().filter(|definition| definition.parameters.is_empty())?;
    let is_test = item.id.key.kind == Keyword::Test;
    (!is_test && context.touches(item.in_file(definition.name.span))).then_some(item)
}

pub(super) fn change(context: &Context<'_>) -> Option<Change> {
    let item = target(context)?;
    let (db, name) = (&context.snapshot.db, &item.id.key.name);
    let format = Format::named(context.file(), name);
    let format = definitions(db, context.file()).into_iter().find(|one| *one == format)?;
    let automaton = automaton(db, format)?;
    let test = test_of(context, name);
    let drawn = samples(&automaton, SampleOptions { count: DRAWN, seed: 1, length: LENGTH }).ok()?;
    let written = drawn.into_iter().filter_map(|text| String::from_utf8(text).ok()).map(|text| quoted(&text));
    let is_new = |case: &String| test.is_none_or(|(_, span)| !span.text(context.text()).contains(case.as_str()));
    let case = written.into_iter().find(is_new)?;
    Some(Change::of(context.file(), vec![with_case(context, &item, &format!("accept {case}"))]))
}

/// Makes the change that adds a case with a text to the test of a definition; `None` if the file does not define it.
/// Names of tokens in the text are written as tokens.
pub(super) fn with_text(
    context: &Context<'_>,
    name: &str,
    text: &str,
    is_accepted: bool,
    tokens: &[String],
) -> Option<Change> {
    let item = items(context.snapshot, context.file()).find(|item| {
        let is_it = item.definition().is_some_and(|one| one.name.text == name && one.parameters.is_empty());
        is_it && item.id.key.kind.defines()
    })?;
    let expected = if is_accepted { "accept" } else { "reject" };
    let case = format!("{expected} {}", with_tokens(text, tokens));
    Some(Change::of(context.file(), vec![with_case(context, &item, &case)]))
}

/// Writes a text as literals, with `tok"..."` for names of tokens in it; if two names match at one place, the longer
/// one wins.
fn with_tokens(text: &str, tokens: &[String]) -> String {
    let (mut parts, mut plain, mut rest) = (Vec::new(), String::new(), text);
    while let Some(first) = rest.chars().next() {
        let named = tokens.iter().filter(|name| !name.is_empty() && rest.starts_with(name.as_str()));
        let length = match named.max_by_key(|name| name.len()) {
            Some(name) => {
                if !plain.is_empty() {
                    parts.push(quoted(&std::mem::take(&mut plain)));
                }
                parts.push(print_expr(&Expr::new(ExprKind::Token(name.clone()), Span::default())));
                name.len()
            }
            None => {
                plain.push(first);
                first.len_utf8()
            }
        };
        rest = part(rest, length..);
    }
    if !plain.is_empty() || parts.is_empty() {
        parts.push(quoted(&plain));
    }
    parts.join(" ")
}

/// Adds a case to the first test of a definition, or adds a test with the case after the definition.
fn with_case(context: &Context<'_>, item: &PlacedItem<'_>, case: &str) -> TextEdit {
    let name = &item.id.key.name;
    match test_of(context, name) {
        Some((_, span)) => in_test(context.text(), span, case),
        None => {
            let at = end_of_line(context.text(), item.span.end);
            TextEdit::insert(at, format!("\ntest {name} {{\n  {case}\n}}"))
        }
    }
}

/// Returns the first test of a definition, and its place in the file.
fn test_of<'s>(context: &Context<'s>, name: &str) -> Option<(&'s Test, Span)> {
    items(context.snapshot, context.file()).find_map(|item| match &item.tree.kind {
        ItemKind::Test(test) if test.name().is_some_and(|one| one.text == name) => Some((test, item.span)),
        _ => None,
    })
}

/// Adds a case before the closing brace of a test: on a line of its own.
fn in_test(text: &str, test: Span, case: &str) -> TextEdit {
    let brace = test.end.saturating_sub(1);
    // The brace may be missing.
    let before = text.get(..brace as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let indent = part(before, line..);
    match indent.trim().is_empty() {
        true => TextEdit::insert(line as u32, format!("{indent}  {case}\n")),
        false => TextEdit::insert(brace, format!("{case} ")),
    }
}

/// Writes a text as a literal, in single quotes if they need no escapes.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = !text.chars().any(|c| c.is_control() || matches!(c, '\'' | '\\'));
    match text.contains('"') && is_plain {
        true => format!("'{text}'"),
        false => print_expr(&Expr::new(ExprKind::String(text.to_owned()), Span::default())),
    }
}
