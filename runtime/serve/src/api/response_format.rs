//! The format that a request asks for.
//!
//! Beside those of OpenAI (`text`, `json_object`, `json_schema`) there are `ogc`, which names a format that the server knows or has
//! a text in the ogc language, and `grammar`, with a text in another language that ogc reads.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::ApiError;
use crate::compile::{FormatSource, SourceText};

/// Any text.
const TEXT: &str = "output Text = text\n";

/// Any JSON object.
pub(super) const OBJECT: &str = r#"{"type": "object"}"#;

/// The format that a request asks for.
#[derive(Debug)]
pub(super) enum ResponseFormat {
    Text,
    JsonObject,
    JsonSchema(JsonSchema),
    Ogc(Ogc),
    Grammar(Grammar),
}

/// `response_format` of a request, as it is written: what belongs to the kind stands under its name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "type")]
    kind: Kind,
    json_schema: Option<JsonSchema>,
    ogc: Option<Ogc>,
    grammar: Option<Grammar>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Text,
    JsonObject,
    JsonSchema,
    Ogc,
    Grammar,
}

/// A schema, whose text is kept as it came, so that findings have their places in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JsonSchema {
    #[serde(rename = "name")]
    _name: Option<String>,
    #[serde(rename = "description")]
    _description: Option<String>,
    schema: Box<RawValue>,
    /// Whether the format must be kept, which it always is.
    #[serde(rename = "strict")]
    _strict: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ogc {
    name: Option<String>,
    text: Option<String>,
    definition: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grammar {
    syntax: Syntax,
    text: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Syntax {
    Gbnf,
    Ebnf,
    Lark,
    Regex,
}

impl ResponseFormat {
    /// Reads the format of a request; any text if it names none.
    pub(super) fn read(written: Option<&RawValue>) -> Result<Self, ApiError> {
        let wrong = |message: String| ApiError::invalid(Some("response_format"), message);
        let Some(written) = written.filter(|written| written.get() != "null") else { return Ok(Self::Text) };
        let Written { kind, json_schema, ogc, grammar } =
            serde_json::from_str(written.get()).map_err(|error| wrong(format!("`response_format`: {error}")))?;
        match (kind, json_schema, ogc, grammar) {
            (Kind::Text, None, None, None) => Ok(Self::Text),
            (Kind::JsonObject, None, None, None) => Ok(Self::JsonObject),
            (Kind::JsonSchema, Some(schema), None, None) => Ok(Self::JsonSchema(schema)),
            (Kind::Ogc, None, Some(ogc), None) => Ok(Self::Ogc(ogc)),
            (Kind::Grammar, None, None, Some(grammar)) => Ok(Self::Grammar(grammar)),
            _ => Err(wrong(
                "`response_format` has one thing beside its `type`: `json_schema`, `ogc` or `grammar`, as the type says; `text` and \
                 `json_object` have none"
                    .to_owned(),
            )),
        }
    }

    /// Returns whether the format is any text.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text)
    }

    /// Returns whether every server of OpenAI's interface reads the format as it is written.
    pub(super) fn is_common(&self) -> bool {
        match self {
            Self::Text | Self::JsonObject | Self::JsonSchema(_) => true,
            Self::Ogc(_) | Self::Grammar(_) => false,
        }
    }

    /// Returns what the format is made from.
    pub(super) fn source(&self) -> Result<FormatSource, ApiError> {
        Ok(match self {
            Self::Text => FormatSource::text("text.ogc", TEXT),
            Self::JsonObject => FormatSource::text("object.schema.json", OBJECT),
            Self::JsonSchema(schema) => FormatSource::text("format.schema.json", schema.schema.get()),
            Self::Grammar(grammar) => {
                let ending = match grammar.syntax {
                    Syntax::Gbnf => "gbnf",
                    Syntax::Ebnf => "ebnf",
                    Syntax::Lark => "lark",
                    Syntax::Regex => "regex",
                };
                FormatSource::text(&format!("format.{ending}"), grammar.text.clone())
            }
            Self::Ogc(Ogc { name: Some(name), text: None, definition }) => {
                FormatSource::Named { name: name.clone(), definition: definition.clone() }
            }
            Self::Ogc(Ogc { name: None, text: Some(text), definition }) => {
                let texts = vec![SourceText::new("format.ogc", text.clone())];
                FormatSource::Texts { texts, definition: definition.clone() }
            }
            Self::Ogc(_) => {
                return Err(ApiError::invalid(Some("response_format"), "`ogc` has either a `name` or a `text`"));
            }
        })
    }

    /// Returns the schema, if the format is one.
    pub(super) fn schema(&self) -> Option<&str> {
        match self {
            Self::JsonSchema(schema) => Some(schema.schema.get()),
            Self::JsonObject => Some(OBJECT),
            Self::Text | Self::Ogc(_) | Self::Grammar(_) => None,
        }
    }
}
