//! The format that a request asks for, from any of the possible fields, and the source that the compiler gets.

use super::ApiError;
use super::fields::Field;
use crate::compile::{FormatSource, SchemaPolicy, SourceText};

/// Any text.
const TEXT: &str = "output Text = text\n";

/// Any JSON object.
pub(super) const OBJECT: &str = r#"{"type": "object"}"#;

/// File names of sources that the compiler sees, each with the request field that it came from.
pub(crate) type FormatFields = Vec<(String, String)>;

/// The format that a request asks for.
#[derive(Debug)]
pub(super) struct ResponseFormat {
    pub(super) kind: FormatKind,
    /// Path of the request field with the format.
    pub(super) path: String,
    /// Whether every server with OpenAI's interface understands the field as it is written.
    pub(super) is_common: bool,
    /// Policies that the request sets, if the format is a schema.
    pub(super) policies: Vec<(SchemaPolicy, String)>,
}

#[derive(Debug)]
pub(super) enum FormatKind {
    Text,
    JsonSchema(String),
    StructuralTag(String),
    Ogc { text: String, definition: Option<String> },
    Named { name: String, definition: Option<String> },
    Grammar { syntax: Syntax, text: String, start: Option<String> },
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Syntax {
    Gbnf,
    Ebnf,
    Abnf,
    Lark,
    Regex,
}

impl Syntax {
    /// File name of a text in this language.
    fn file_name(self) -> &'static str {
        match self {
            Self::Gbnf => "format.gbnf",
            Self::Ebnf => "format.ebnf",
            Self::Abnf => "format.abnf",
            Self::Lark => "format.lark",
            Self::Regex => "format.regex",
        }
    }

    /// Returns a description of the language, for people and models.
    pub(super) fn described(self) -> &'static str {
        match self {
            Self::Gbnf => "grammar in GBNF",
            Self::Ebnf => "grammar in EBNF",
            Self::Abnf => "grammar in ABNF",
            Self::Lark => "Lark grammar",
            Self::Regex => "regular expression",
        }
    }
}

impl ResponseFormat {
    /// Makes a format of a kind, from the field at `path`.
    pub(super) fn new(kind: FormatKind, path: &str) -> Self {
        Self { kind, path: path.to_owned(), is_common: false, policies: Vec::new() }
    }

    /// Makes the format of any text, for the field at `path`, which may be absent.
    pub(super) fn text(path: &str) -> Self {
        Self { is_common: true, ..Self::new(FormatKind::Text, path) }
    }

    /// Returns whether the format is any text.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, FormatKind::Text)
    }

    /// Returns the file name of the format's text that the compiler sees.
    fn file_name(&self) -> &'static str {
        match &self.kind {
            FormatKind::Text => "text.ogc",
            FormatKind::JsonSchema(_) => "format.schema.json",
            FormatKind::StructuralTag(_) => "format.json",
            FormatKind::Ogc { .. } | FormatKind::Named { .. } => "format.ogc",
            FormatKind::Grammar { syntax, .. } => syntax.file_name(),
        }
    }

    /// Returns the file names of the format's sources, with the fields that they came from.
    pub(super) fn fields(&self) -> FormatFields {
        vec![(self.file_name().to_owned(), self.path.clone())]
    }

    /// Returns the source of the format.
    pub(super) fn source(&self) -> FormatSource {
        match &self.kind {
            FormatKind::Text => FormatSource::text(self.file_name(), TEXT),
            FormatKind::JsonSchema(text) => FormatSource::Texts(vec![self.schema_text(self.file_name(), text)]),
            FormatKind::StructuralTag(text) => FormatSource::text(self.file_name(), text.clone()),
            FormatKind::Grammar { text, start: definition, .. } | FormatKind::Ogc { text, definition } => {
                let text = SourceText::new(self.file_name(), text.clone());
                FormatSource::Texts(vec![SourceText { definition: definition.clone(), ..text }])
            }
            FormatKind::Named { name, definition } => {
                FormatSource::Named { name: name.clone(), definition: definition.clone() }
            }
        }
    }

    /// Returns the text of a schema under a file name, with the policies that the request sets.
    pub(super) fn schema_text(&self, name: &str, schema: &str) -> SourceText {
        SourceText { policies: self.policies.clone(), ..SourceText::new(name, schema) }
    }

    /// Returns the schema, if the format is one.
    pub(super) fn schema(&self) -> Option<&str> {
        match &self.kind {
            FormatKind::JsonSchema(schema) => Some(schema),
            _ => None,
        }
    }
}

/// Reads a schema, whose text is kept unchanged.
pub(super) fn schema(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    if !field.is_object() && field.flag().is_err() {
        return Err(field.wrong("a JSON schema: an object, `true` or `false`"));
    }
    Ok(ResponseFormat::new(FormatKind::JsonSchema(field.json().to_owned()), field.path()))
}
