//! Reads the braces after `%json`, `%regex` and `%lark`: llguidance's embedded languages.

use super::ast::{Node, NodeKind};
use super::import::Importer;
use super::parse::Parser;
use super::{SIGNS, START, parse_from};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::json::{self, JsonValue};
use crate::rules::{Start, check_written};
use crate::span::Span;

/// Maximum nesting of grammars in grammars.
const NESTING: u32 = 8;

impl Parser<'_, '_> {
    /// Reads a block; `None` after an error, which is reported.
    pub(super) fn block(&mut self, word: &str, body: Span) -> Option<Node> {
        let kind = match word {
            "json" => self.schema(body)?,
            "regex" => NodeKind::Substring(self.substring(body)?),
            "lark" => self.nested(body)?,
            _ => {
                self.fail_unexpected();
                return None;
            }
        };
        self.at += 1;
        Some(Node::new(kind, body))
    }

    /// Reads a block as a schema. Settings for the spelling of JSON in it are rejected: options set the spelling for
    /// all values.
    fn schema(&mut self, body: Span) -> Option<NodeKind> {
        let value = self.json(body)?;
        if let Some(spelling) = value.member("x-guidance") {
            let message = "`x-guidance` says how a value is spelled, which is an option here";
            let help = "remove it; white space is chosen by `--space`, `ogc.toml` or the request, for all values";
            let place = spelling.key.span.shifted(body.start);
            self.fail(Diagnostic::error(Code::LarkEmbedded, place, message).help(help));
            return None;
        }
        Some(NodeKind::Json(body.text(self.text).to_owned()))
    }

    /// Reads a block as JSON.
    fn json(&mut self, body: Span) -> Option<JsonValue> {
        let (value, found) = json::parse(body.text(self.text));
        if let Some(error) = found.into_iter().find(Diagnostic::is_error) {
            self.fail(error.map_places(|place| place.shifted(body.start)));
            return None;
        }
        value
    }

    /// Reads `{"substring_chunks": [...]}`, `{"substring_words": "..."}` or `{"substring_chars": "..."}`.
    fn substring(&mut self, body: Span) -> Option<Vec<String>> {
        let value = self.json(body)?;
        let chunks = match value.as_object() {
            Some([only]) => match (only.key.value.as_str(), only.value.as_str(), only.value.as_array()) {
                ("substring_words", Some(text), _) => Some(words(text)),
                ("substring_chars", Some(text), _) => Some(text.chars().map(String::from).collect()),
                ("substring_chunks", _, Some(chunks)) => {
                    chunks.iter().map(|chunk| chunk.as_str().map(str::to_owned)).collect()
                }
                _ => None,
            },
            _ => None,
        };
        if chunks.is_none() {
            let message = "`%regex` holds the parts of a text";
            let help = "write {\"substring_words\": \"...\"}, {\"substring_chars\": \"...\"} or {\"substring_chunks\": [\"...\", \"...\"]}; \
                        a pattern is `/.../`";
            self.fail(Diagnostic::error(Code::LarkEmbedded, body, message).help(help));
        }
        chunks
    }

    /// Reads an inner grammar, which has its own names and its own `%ignore`.
    fn nested(&mut self, body: Span) -> Option<NodeKind> {
        if self.nesting >= NESTING {
            let message = format!("grammars stand in {} others here; the limit is {NESTING}", self.nesting + 1);
            self.fail(Diagnostic::error(Code::NestingTooDeep, body, message).help("write its rules into this grammar"));
            return None;
        }
        let written = body.text(self.text);
        let inside = written.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or_default();
        let (mut grammar, mut found) =
            parse_from(inside, Start::Named(START), self.nesting + 1, &mut Importer::without_files());
        if !found.iter().any(Diagnostic::is_error) {
            found.extend(check_written(&grammar, Start::Named(START), &SIGNS));
        }
        let by = body.start + 1;
        let errors = found.iter().any(Diagnostic::is_error);
        found.into_iter().for_each(|one| self.sink.push(one.map_places(|place| place.shifted(by))));
        if errors {
            self.failed = true;
            return None;
        }
        for rule in &mut grammar.rules {
            rule.name.span = rule.name.span.shifted(by);
            rule.body.moved(by, &str::to_owned);
        }
        Some(NodeKind::Nested(Box::new(grammar)))
    }
}

/// Splits a text into words, white space and the texts between them, as llguidance does.
fn words(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        c if c.is_whitespace() => 0,
        c if c.is_alphanumeric() || c == '_' => 1,
        _ => 2,
    };
    let chars: Vec<char> = text.chars().collect();
    chars.chunk_by(|one, other| kind(*one) == kind(*other)).map(|chunk| chunk.iter().collect()).collect()
}
