//! Writes the cases of `test` blocks as bytes.

use std::sync::Arc;

use ogc_grammar::ogc::ast::{Case, Expectation, ItemKind, Json, JsonKind, JsonMember, PieceKind, Subject};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_runtime::vocabulary::marker;

use super::Root;
use super::elaborate::module;
use super::items::{ItemId, ItemKey, item_tree};
use crate::db::{Db, JsonPolicy, SourceFile, Space};

/// A test case: a text, and whether the format accepts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// Whether the format has to accept the whole text.
    pub accept: bool,
    /// The text; tokens of the vocabulary are spelled as markers.
    pub text: Vec<u8>,
    /// The reason behind `because`.
    pub reason: Option<String>,
    /// The place of the case.
    pub span: Span,
}

/// Writes a case as bytes. `policy` spells the target's values; it is `None` if the target is a set of texts, for
/// which a case must be a string.
pub(crate) fn of(case: &Case, policy: Option<JsonPolicy>) -> Result<TestCase, Box<Diagnostic>> {
    let mut text = Vec::new();
    match (&case.subject, policy) {
        (Subject::Text(pieces), _) => {
            for piece in pieces {
                match &piece.kind {
                    PieceKind::Text(part) => text.extend_from_slice(part.as_bytes()),
                    PieceKind::Token(name) => text.extend(marker(name)),
                }
            }
        }
        (Subject::Json(json), Some(policy)) => {
            let mut written = String::new();
            write(json, policy, 0, &mut written);
            text = written.into_bytes();
        }
        (Subject::Json(json), None) => {
            let help = "write the text in quotes";
            let message = "the target is text, and a JSON value does not say how it is written";
            return Err(Box::new(Diagnostic::error(Code::TestSubject, json.span, message).help(help)));
        }
    }
    let reason = case.reason.as_ref().map(|reason| reason.value.clone());
    Ok(TestCase { accept: case.expectation == Expectation::Accept, text, reason, span: case.span })
}

/// Returns the cases of a `test` item about a definition, and findings about them; places are counted from the item's
/// beginning.
pub fn item_cases(db: &dyn Db, item: &ItemId, target: &ItemId) -> (Vec<TestCase>, Vec<Diagnostic>) {
    let ItemKind::Test(test) = &item_tree(db, item).item.kind else { return Default::default() };
    // Errors of the target are reported there.
    let Some(policy) = value_policy(db, target.file, Arc::clone(&target.key)) else { return Default::default() };
    let (mut cases, mut found) = (Vec::new(), Vec::new());
    for case in &test.cases {
        match of(case, policy) {
            Ok(case) => cases.push(case),
            Err(wrong) => found.push(*wrong),
        }
    }
    (cases, found)
}

/// Returns the policy of a definition: `Some(Some(policy))` of a set of values, `Some(None)` of a set of texts,
/// `None` beside errors. Equal after edits that leave the policy as it is.
#[salsa::tracked(returns(copy))]
fn value_policy(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Option<Option<JsonPolicy>> {
    match module(db, file, key.name.as_str().into())?.root {
        Root::Value(value) => Some(Some(value.policy)),
        Root::Text(_) => Some(None),
        Root::Nothing => None,
    }
}

/// Writes a value as the policy says; where it leaves a choice, without white space. Recursion is bounded by the
/// parser's nesting limit.
fn write(json: &Json, policy: JsonPolicy, depth: u32, out: &mut String) {
    match &json.kind {
        JsonKind::Null => out.push_str("null"),
        JsonKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        JsonKind::Number(number) => out.push_str(number),
        JsonKind::String(text) => string(text, out),
        JsonKind::Array(items) => {
            let each = |item: &Json, out: &mut String| write(item, policy, depth + 1, out);
            brackets(('[', ']'), items, each, policy, depth, out);
        }
        JsonKind::Object(members) => {
            let each = |member: &JsonMember, out: &mut String| {
                string(&member.name.text, out);
                out.push_str(if matches!(policy.space, Space::Compact | Space::Any { .. }) { ":" } else { ": " });
                write(&member.value, policy, depth + 1, out);
            };
            brackets(('{', '}'), members, each, policy, depth, out);
        }
    }
}

fn brackets<T>(
    (open, close): (char, char),
    items: &[T],
    each: impl Fn(&T, &mut String),
    policy: JsonPolicy,
    depth: u32,
    out: &mut String,
) {
    out.push(open);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(if policy.space == Space::Spaced { ", " } else { "," });
        }
        line(policy, depth + 1, out);
        each(item, out);
    }
    if !items.is_empty() {
        line(policy, depth, out);
    }
    out.push(close);
}

fn line(policy: JsonPolicy, depth: u32, out: &mut String) {
    if let Space::Pretty { indent } = policy.space {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', (indent * depth) as usize));
    }
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            char if char < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(char))),
            char => out.push(char),
        }
    }
    out.push('"');
}
