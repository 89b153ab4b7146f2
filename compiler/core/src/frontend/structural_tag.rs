//! The front end of structural tags: xgrammar's JSON format for texts with tagged parts, by which vLLM and SGLang
//! describe the syntax of tool calls and reasoning. A tag is translated to `.ogc`, and its schemas, grammars and
//! patterns to files that the `.ogc` text imports.
//!
//! Its meaning is that of xgrammar 0.2.8 (`cpp/structural_tag.cc`) except for the differences in the section
//! "Structural tags" of `docs/reference/tools.md`.

mod members;
mod places;
mod read;
mod style;
mod tree;
mod write;

use std::collections::BTreeMap;

use ogc_grammar::json::{self, JsonValue};
use ogc_grammar::{Diagnostic, Span};
use ogc_runtime::vocabulary::{TokenKind, Vocabulary};

pub use places::PartPlaces;

use crate::lower::json::JsonPolicy;
use read::Reader;
use write::Writer;

/// The special tokens of a vocabulary, by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpecialTokens(pub BTreeMap<u32, String>);

impl SpecialTokens {
    /// Returns the special tokens of a vocabulary.
    ///
    /// ```
    /// use ogc_compiler::db::SpecialTokens;
    /// use ogc_runtime::vocabulary::VocabularyBuilder;
    /// let mut builder = VocabularyBuilder::new();
    /// builder.special(0, "<think>")?;
    /// builder.text(1, b"a")?;
    /// assert_eq!(SpecialTokens::of(&builder.build()?).0, [(0, "<think>".to_owned())].into());
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn of(vocabulary: &Vocabulary) -> Self {
        let special = vocabulary.named_tokens().filter(|(id, _)| vocabulary.kind(*id) == TokenKind::Special);
        Self(special.map(|(id, name)| (id.0, name.to_owned())).collect())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(String::as_str).filter(|name| !name.is_empty())
    }

    /// Returns the name of the token with this id.
    pub(crate) fn name(&self, id: u32) -> Option<&str> {
        self.0.get(&id).map(String::as_str).filter(|name| !name.is_empty())
    }
}

/// A structural tag as `.ogc`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translated {
    /// The `.ogc` text; its output `root` is the tag. Empty if there are errors.
    pub text: String,
    /// The files that it imports.
    pub parts: Vec<Part>,
    /// Pairs of a rule's span in the text and the span of its node in the tag.
    pub places: Vec<(Span, Span)>,
    /// The findings of reading the tag.
    pub findings: Vec<Diagnostic>,
}

/// A schema, a grammar or a pattern in a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name by which the text imports it.
    pub name: String,
    /// The language of its text.
    pub kind: PartKind,
    /// Its text.
    pub text: String,
    /// Maps places in the part's text to the tag.
    pub places: PartPlaces,
}

/// The kinds of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A JSON Schema.
    Schema,
    /// A grammar in GBNF.
    Grammar,
    /// A regular expression.
    Regex,
}

impl PartKind {
    /// Returns the file extension of this kind.
    fn ending(self) -> &'static str {
        match self {
            Self::Schema => "schema.json",
            Self::Grammar => "gbnf",
            Self::Regex => "regex",
        }
    }
}

impl Translated {
    /// Returns the span in the tag for a span in the text: the span of its node, or of the outermost node if it belongs
    /// to none.
    #[must_use]
    pub fn outside(&self, span: Span) -> Span {
        let around = |(inside, _): &&(Span, Span)| inside.start <= span.start && span.start < inside.end;
        let found = self.places.iter().find(around).or(self.places.last());
        found.map_or(Span::default(), |(_, outside)| *outside)
    }
}

/// Translates a structural tag; `None` if the text is not one. A tag is an object with `type` `structural_tag`, or with
/// the lists `structures` and `triggers`; it may also be the `response_format` of a request.
///
/// ```
/// use ogc_compiler::frontend::structural_tag::translate;
/// use ogc_compiler::lower::json::JsonPolicy;
/// use ogc_grammar::json::Limits;
/// let tag = r#"{"type": "structural_tag", "format": {"type": "const_string", "value": "yes"}}"#;
/// let translated = translate(tag, JsonPolicy::default(), None, Limits::default()).expect("it is a tag");
/// assert!(translated.text.ends_with("rule n1 = \"yes\"\noutput root = n1\n"));
/// assert!(translate("{}", JsonPolicy::default(), None, Limits::default()).is_none());
/// ```
#[must_use]
pub fn translate(
    text: &str,
    policy: JsonPolicy,
    special: Option<&SpecialTokens>,
    limits: json::Limits,
) -> Option<Translated> {
    if !may_be_tag(text) {
        return None;
    }
    let (value, found) = json::parse_with(text, limits);
    let value = value?;
    let root = root(&value)?;
    let mut reader = Reader { findings: found, depth: 0, special };
    let node = match root {
        Root::Tag(tag) => reader.root(tag),
        Root::Legacy(tag) => reader.legacy(tag),
    };
    let refused = reader.findings.iter().any(Diagnostic::is_error);
    let mut translated = match node {
        Ok(node) if !refused => Writer::new(text, policy, special).translate(&node),
        _ => Translated::default(),
    };
    translated.findings.splice(0..0, reader.findings);
    if translated.findings.iter().any(Diagnostic::is_error) {
        translated.text = String::new();
    }
    Some(translated)
}

/// Returns whether a text contains a word that occurs in every structural tag.
#[must_use]
pub fn may_be_tag(text: &str) -> bool {
    text.contains("structural_tag") || text.contains("structures")
}

/// The two forms of a tag.
enum Root<'a> {
    Tag(&'a JsonValue),
    Legacy(&'a JsonValue),
}

/// Returns the tag in a text, which may be the `response_format` of a request.
fn root(value: &JsonValue) -> Option<Root<'_>> {
    let asked = value.get("response_format").or_else(|| value.get("structured_outputs")?.get("structural_tag"));
    [Some(value), asked].into_iter().flatten().find_map(|value| {
        let is_array = |key| value.get(key).is_some_and(|member| member.as_array().is_some());
        let is_named = value.get("type").and_then(JsonValue::as_str) == Some("structural_tag");
        match () {
            () if is_array("structures") && is_array("triggers") => Some(Root::Legacy(value)),
            () if is_named => Some(Root::Tag(value)),
            () => None,
        }
    })
}
