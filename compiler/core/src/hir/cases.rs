//! Writes the cases of `test` blocks as bytes.

use std::sync::Arc;

use always_assert::never;
use ogc_grammar::ogc::ast::{Case, Expectation, ItemKind, Json, JsonKind, JsonMember, PieceKind, Subject, Test};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_runtime::vocabulary::marker;

use super::Root;
use super::elaborate::{elaborate_alone, elaborate_test_alone};
use super::items::{ItemId, ItemKey, Keyword, item_tree};
use super::scope::item_named;
use crate::db::{Db, JsonPolicy, SourceFile, Space};

/// A test case: a text, and whether the format accepts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// Whether the format has to accept the whole text.
    pub accept: bool,
    /// The text; tokens of the vocabulary are spelled as markers.
    pub text: Vec<u8>,
    /// The captures that the text must have.
    pub captures: Vec<ExpectedCapture>,
    /// The reason after `because`.
    pub reason: Option<String>,
    /// The place of the case.
    pub span: Span,
    /// The parts of the text in ascending order; they map each byte to the source.
    pub parts: Vec<CasePart>,
}

/// A capture that a text must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedCapture {
    /// The name of the capture.
    pub name: String,
    /// The texts of its spans, ordered by where they start; empty if the capture must have no span.
    pub texts: Vec<String>,
    /// Place of the name and the texts.
    pub span: Span,
}

/// A part of the text of a case, up to the next part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CasePart {
    /// Offset of its first byte in the text.
    pub start: usize,
    /// Relation between the part's bytes and the source.
    pub kind: CasePartKind,
    /// Place of the part in the source.
    pub span: Span,
}

/// The kinds of parts of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CasePartKind {
    /// The text of a string literal, without quotes.
    Text,
    /// A token of the vocabulary.
    Token,
    /// A JSON string with its quotes, which the source may spell differently.
    String,
    /// A number, a word or a bracket, as in the source.
    Same,
    /// A separator or white space that the format's policy adds; its span is empty, at the end of the preceding part.
    Added,
}

impl TestCase {
    /// Returns the case with its places shifted by `base`, from places in an item to places in its file.
    #[must_use]
    pub fn shifted(self, base: u32) -> Self {
        let parts = self.parts.into_iter().map(|part| CasePart { span: part.span.shifted(base), ..part }).collect();
        let captures = self.captures.into_iter();
        let captures = captures.map(|one| ExpectedCapture { span: one.span.shifted(base), ..one }).collect();
        Self { span: self.span.shifted(base), parts, captures, ..self }
    }
}

/// Writes a case as bytes. `policy` spells the target's values. It is `None` if the target is a set of texts; the case
/// must be a string then.
pub(crate) fn of(case: &Case, policy: Option<JsonPolicy>) -> Result<TestCase, Box<Diagnostic>> {
    let mut written = Written::default();
    match (&case.subject, policy) {
        (Subject::Text(pieces), _) => {
            for piece in pieces {
                match &piece.kind {
                    PieceKind::Text(part) => written.add(CasePartKind::Text, piece.span, part.as_bytes()),
                    PieceKind::Token(name) => written.add(CasePartKind::Token, piece.span, &marker(name)),
                }
            }
        }
        (Subject::Json(json), Some(policy)) => write(json, policy, 0, &mut written),
        (Subject::Json(json), None) => {
            let help = "write the text in quotes";
            let message = "the target is text, and a JSON value does not say how it is written";
            return Err(Box::new(Diagnostic::error(Code::TestSubject, json.span, message).help(help)));
        }
    }
    let reason = case.reason.as_ref().map(|reason| reason.value.clone());
    let Written { text, parts } = written;
    let accept = case.expectation == Expectation::Accept;
    let captures = case.captures.iter().map(|one| expected(one, accept)).collect::<Result<_, _>>()?;
    Ok(TestCase { accept, text, captures, reason, span: case.span, parts })
}

/// Reads the expectation about a capture: one text, or the list of the texts of all its spans.
fn expected(member: &JsonMember, accept: bool) -> Result<ExpectedCapture, Box<Diagnostic>> {
    let wrong = |span: Span, message: &str, help: &str| {
        Box::new(Diagnostic::error(Code::TestSubject, span, message).help(help))
    };
    let span = member.name.span.merge(member.value.span);
    if !accept {
        return Err(wrong(span, "a text that is refused has no captures", "write `accept`, or leave `with` out"));
    }
    let text = |json: &Json| match &json.kind {
        JsonKind::String(text) => Ok(text.clone()),
        _ => {
            let help = "write `name: \"text\"`, or `name: [\"one\", \"two\"]` for a capture that is there twice";
            Err(wrong(json.span, "a capture is a text", help))
        }
    };
    let texts = match &member.value.kind {
        JsonKind::Array(texts) => texts.iter().map(text).collect::<Result<_, _>>()?,
        _ => vec![text(&member.value)?],
    };
    Ok(ExpectedCapture { name: member.name.text.clone(), texts, span })
}

/// The text of a case as written so far, with its parts.
#[derive(Default)]
struct Written {
    text: Vec<u8>,
    parts: Vec<CasePart>,
}

impl Written {
    fn add(&mut self, kind: CasePartKind, span: Span, text: &[u8]) {
        self.parts.push(CasePart { start: self.text.len(), kind, span });
        self.text.extend_from_slice(text);
    }
}

/// Returns the definition that a test is about, if it is in the same file and has no arguments.
fn own_target(db: &dyn Db, item: &ItemId, test: &Test) -> Option<ItemId> {
    test.name().and_then(|name| item_named(db, item.file, &name.text))
}

/// Returns the cases of a `test` item, and findings about them. Places are relative to the item's start.
pub fn item_cases(db: &dyn Db, item: &ItemId) -> (Vec<TestCase>, Vec<Diagnostic>) {
    let ItemKind::Test(test) = &item_tree(db, item).item.kind else {
        never!("{:?} is no test", item.key);
        return Default::default();
    };
    let target = own_target(db, item, test).unwrap_or_else(|| item.clone());
    // Errors of the target are reported at the target.
    let Some(policy) = value_policy(db, target.file, target.key) else { return Default::default() };
    let (mut cases, mut found) = (Vec::new(), Vec::new());
    for case in &test.cases {
        match of(case, policy) {
            Ok(case) => cases.push(case),
            Err(wrong) => found.push(*wrong),
        }
    }
    (cases, found)
}

/// Returns the policy of a definition or of a test's target: `Some(Some(policy))` for a set of values, `Some(None)` for
/// a set of texts, `None` if it has errors. Equal after edits that leave the policy as it is.
#[salsa::tracked(returns(copy))]
fn value_policy(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Option<Option<JsonPolicy>> {
    // The target is elaborated alone: if a file tests each definition, the database would otherwise keep each with all
    // that it uses.
    let item = ItemId { file, key };
    let module = match item.key.kind {
        Keyword::Test => elaborate_test_alone(db, &item),
        _ => elaborate_alone(db, &item),
    };
    match module.root {
        Root::Value(value) => Some(Some(value.policy)),
        Root::Text(_) => Some(None),
        Root::Nothing => None,
    }
}

/// Writes a value as the policy says; where the policy leaves a choice, without white space. The parser's nesting limit
/// bounds the recursion.
fn write(json: &Json, policy: JsonPolicy, depth: u32, out: &mut Written) {
    match &json.kind {
        JsonKind::Null => out.add(CasePartKind::Same, json.span, policy.words.null().as_bytes()),
        JsonKind::Bool(value) => out.add(CasePartKind::Same, json.span, policy.words.truth(*value).as_bytes()),
        JsonKind::Number(number) => out.add(CasePartKind::Same, json.span, number.as_bytes()),
        JsonKind::String(text) => out.add(CasePartKind::String, json.span, string(text).as_bytes()),
        JsonKind::Array(items) => {
            let each = |item: &Json, out: &mut Written| {
                write(item, policy, depth + 1, out);
                item.span
            };
            brackets((b"[", b"]"), json.span, items, each, policy, depth, out);
        }
        JsonKind::Object(members) => {
            let each = |member: &JsonMember, out: &mut Written| {
                out.add(CasePartKind::String, member.name.span, string(&member.name.text).as_bytes());
                let colon: &[u8] =
                    if matches!(policy.space, Space::Compact | Space::Any { .. }) { b":" } else { b": " };
                out.add(CasePartKind::Added, behind(member.name.span), colon);
                write(&member.value, policy, depth + 1, out);
                member.value.span
            };
            brackets((b"{", b"}"), json.span, members, each, policy, depth, out);
        }
    }
}

/// Writes brackets around items; `each` writes one item and returns its place.
fn brackets<T>(
    (open, close): (&[u8], &[u8]),
    span: Span,
    items: &[T],
    each: impl Fn(&T, &mut Written) -> Span,
    policy: JsonPolicy,
    depth: u32,
    out: &mut Written,
) {
    out.add(CasePartKind::Same, Span { end: span.start + 1, ..span }, open);
    for (at, item) in items.iter().enumerate() {
        line(policy, depth + 1, out);
        let place = behind(each(item, out));
        if at + 1 < items.len() {
            out.add(CasePartKind::Added, place, if policy.space == Space::Spaced { b", " } else { b"," });
        }
    }
    if !items.is_empty() {
        line(policy, depth, out);
    }
    out.add(CasePartKind::Same, Span { start: span.end.saturating_sub(1).max(span.start), ..span }, close);
}

/// Returns the empty span at the end of `span`.
fn behind(span: Span) -> Span {
    Span { start: span.end, ..span }
}

/// Starts a new line, if the policy puts each member on a line of its own.
fn line(policy: JsonPolicy, depth: u32, out: &mut Written) {
    if let Space::Pretty { indent } = policy.space {
        let place = out.parts.last().map_or(Span::default(), |part| behind(part.span));
        let spaces = " ".repeat((indent * depth) as usize);
        out.add(CasePartKind::Added, place, format!("\n{spaces}").as_bytes());
    }
}

/// Returns `text` as a JSON string with quotes.
fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
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
    out
}
