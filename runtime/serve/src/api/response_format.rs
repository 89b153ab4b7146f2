//! The format that a request asks for.
//!
//! `response_format` has, beside the types of OpenAI (`text`, `json_object`, `json_schema`), `ogc`, which names a format that the server
//! knows or has a text in the ogc language, and `grammar`, with a text in another language that ogc reads. The names of other servers
//! are read too ([`super::other_names`]).

use super::ApiError;
use super::fields::{Field, Object};
use super::other_names;
use crate::compile::{FormatSource, JsonSpace, SourceText};

/// Any text.
const TEXT: &str = "output Text = text\n";

/// Any JSON object.
pub(super) const OBJECT: &str = r#"{"type": "object"}"#;

/// A file name that a source has for the compiler, and the field of the request that it came from.
pub(crate) type FormatFields = Vec<(&'static str, String)>;

/// The format that a request asks for.
#[derive(Debug)]
pub(super) struct ResponseFormat {
    pub(super) kind: FormatKind,
    /// The path of the field that has it.
    pub(super) path: String,
    /// Whether every server of OpenAI's interface reads it as it is written.
    pub(super) is_common: bool,
    /// The white space of its JSON, if the request asks for one.
    pub(super) space: Option<JsonSpace>,
}

#[derive(Debug)]
pub(super) enum FormatKind {
    Text,
    JsonSchema(String),
    Ogc { text: String, definition: Option<String> },
    Named { name: String, definition: Option<String> },
    Grammar(Syntax, String),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Syntax {
    Gbnf,
    Ebnf,
    Lark,
    Regex,
}

impl Syntax {
    /// The name of a text in this language.
    fn file_name(self) -> &'static str {
        match self {
            Self::Gbnf => "format.gbnf",
            Self::Ebnf => "format.ebnf",
            Self::Lark => "format.lark",
            Self::Regex => "format.regex",
        }
    }
}

impl ResponseFormat {
    /// Takes the format of a request, which has one name at most; any text if it has none.
    pub(super) fn read(body: &mut Object<'_>) -> Result<Self, ApiError> {
        let mut found = match body.take("response_format") {
            Some(field) => response_format(&field)?,
            None => Self::text(),
        };
        for (name, read) in other_names::ALL {
            let Some(field) = body.take(name) else { continue };
            let format = read(&field)?;
            if !found.is_text() {
                let message = format!("`{}` and `{}` are two formats: remove one", found.path, format.path);
                return Err(ApiError::invalid(Some(name), message));
            }
            found = format;
        }
        Ok(found)
    }

    /// Makes a format of a kind that the field of a path has.
    pub(super) fn new(kind: FormatKind, path: &str) -> Self {
        Self { kind, path: path.to_owned(), is_common: false, space: None }
    }

    fn text() -> Self {
        Self { is_common: true, ..Self::new(FormatKind::Text, "response_format") }
    }

    /// Returns whether the format is any text.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, FormatKind::Text)
    }

    /// Returns the name that its text has for the compiler.
    fn file_name(&self) -> &'static str {
        match &self.kind {
            FormatKind::Text => "text.ogc",
            FormatKind::JsonSchema(_) => "format.schema.json",
            FormatKind::Ogc { .. } | FormatKind::Named { .. } => "format.ogc",
            FormatKind::Grammar(syntax, _) => syntax.file_name(),
        }
    }

    /// Returns where what the format is made from came from.
    pub(super) fn fields(&self) -> FormatFields {
        vec![(self.file_name(), self.path.clone())]
    }

    /// Returns what the format is made from.
    pub(super) fn source(&self) -> FormatSource {
        match &self.kind {
            FormatKind::Text => FormatSource::text(self.file_name(), TEXT),
            FormatKind::JsonSchema(text) => {
                let text = SourceText { space: self.space, ..SourceText::new(self.file_name(), text.clone()) };
                FormatSource::Texts { texts: vec![text], definition: None }
            }
            FormatKind::Grammar(_, text) => FormatSource::text(self.file_name(), text.clone()),
            FormatKind::Named { name, definition } => {
                FormatSource::Named { name: name.clone(), definition: definition.clone() }
            }
            FormatKind::Ogc { text, definition } => {
                let texts = vec![SourceText::new(self.file_name(), text.clone())];
                FormatSource::Texts { texts, definition: definition.clone() }
            }
        }
    }

    /// Returns the schema, if the format is one.
    pub(super) fn schema(&self) -> Option<&str> {
        match &self.kind {
            FormatKind::JsonSchema(schema) => Some(schema),
            _ => None,
        }
    }
}

/// The reader of what belongs to a type of `response_format`.
type Reader = fn(&Field<'_>, Object<'_>) -> Result<ResponseFormat, ApiError>;

/// The types of `response_format`.
const TYPES: [(&str, Reader); 5] = [
    ("text", |_, object| object.end().map(|()| ResponseFormat::text())),
    ("json_object", json_object),
    ("json_schema", json_schema),
    ("ogc", ogc),
    ("grammar", grammar),
];

fn response_format(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    let mut object = field.object()?;
    let read = object.need("type", "the name of a type of format")?.one_of(&TYPES)?;
    read(field, object)
}

/// Any object, or one of a schema, as llama.cpp and others have it.
fn json_object(field: &Field<'_>, mut object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    let format = match object.take("schema") {
        Some(schema) => self::schema(&schema)?,
        None => {
            let kind = FormatKind::JsonSchema(OBJECT.to_owned());
            ResponseFormat { is_common: true, ..ResponseFormat::new(kind, field.path()) }
        }
    };
    with_space(format, object)
}

/// Takes the white space that a request asks for, an addition to OpenAI's interface, and ends the object.
fn with_space(format: ResponseFormat, mut object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    let words = JsonSpace::ALL.map(|space| (space.name(), space));
    let space = object.take("space").map(|field| field.one_of(&words)).transpose()?;
    object.end()?;
    Ok(ResponseFormat { is_common: format.is_common && space.is_none(), space, ..format })
}

fn json_schema(_: &Field<'_>, mut object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    let mut inner = object.need("json_schema", "an object with a `schema`")?.object()?;
    let schema = self::schema(&inner.need("schema", "a JSON schema")?)?;
    for name in ["name", "description"] {
        inner.take(name).map(|field| field.text()).transpose()?;
    }
    // Says whether the format must be kept, which it always is.
    inner.take("strict").map(|field| field.flag()).transpose()?;
    inner.end()?;
    with_space(ResponseFormat { is_common: true, ..schema }, object)
}

fn ogc(_: &Field<'_>, mut object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    let field = object.need("ogc", "an object with a `name` or a `text`")?;
    object.end()?;
    let mut inner = field.object()?;
    let (name, text) = (inner.take("name"), inner.take("text"));
    let definition = inner.take("definition").map(|field| field.text()).transpose()?;
    inner.end()?;
    match (name, text) {
        (Some(name), None) => {
            let path = name.path().to_owned();
            Ok(ResponseFormat::new(FormatKind::Named { name: name.text()?, definition }, &path))
        }
        (None, Some(text)) => {
            let path = text.path().to_owned();
            Ok(ResponseFormat::new(FormatKind::Ogc { text: text.text()?, definition }, &path))
        }
        _ => Err(field.refused("it has either a `name` or a `text`")),
    }
}

fn grammar(_: &Field<'_>, mut object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    let mut inner = object.need("grammar", "an object with a `syntax` and a `text`")?.object()?;
    object.end()?;
    let words = [("gbnf", Syntax::Gbnf), ("ebnf", Syntax::Ebnf), ("lark", Syntax::Lark), ("regex", Syntax::Regex)];
    let syntax = inner.need("syntax", "the name of a language")?.one_of(&words)?;
    let text = inner.need("text", "a string")?;
    inner.end()?;
    Ok(ResponseFormat::new(FormatKind::Grammar(syntax, text.text()?), text.path()))
}

/// Reads a schema, whose text is kept as it came.
pub(super) fn schema(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    if !field.is_object() && field.flag().is_err() {
        return Err(field.wrong("a JSON schema: an object, `true` or `false`"));
    }
    Ok(ResponseFormat::new(FormatKind::JsonSchema(field.json().to_owned()), field.path()))
}
