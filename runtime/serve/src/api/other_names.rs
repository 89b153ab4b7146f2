//! The field names under which requests to llama.cpp, vLLM, SGLang and mistral.rs have a format.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::ApiError;
use super::fields::Field;
use super::ogc_text::quoted;
use super::response_format::{FormatKind, OBJECT, ResponseFormat, Syntax, schema};

/// The reader of a field.
type Reader = fn(&Field<'_>) -> Result<ResponseFormat, ApiError>;

/// All field names, with their readers.
pub(super) const ALL: [(&str, Reader); 10] = [
    // llama.cpp: a grammar in GBNF; mistral.rs: an object.
    ("grammar", gbnf_or_tagged),
    // llama.cpp: a schema; SGLang: its text.
    ("json_schema", schema_or_text),
    // vLLM.
    ("structured_outputs", structured_outputs),
    ("guided_json", schema_or_text),
    ("guided_regex", |field| grammar(field, Syntax::Regex)),
    ("guided_choice", choice),
    ("guided_grammar", gbnf_or_lark),
    // SGLang.
    ("regex", |field| grammar(field, Syntax::Regex)),
    ("ebnf", |field| grammar(field, Syntax::Gbnf)),
    ("structural_tag", structural_tag),
];

/// The fields of vLLM's `structured_outputs` that have a format.
const STRUCTURED: [(&str, Reader); 6] = [
    ("json", schema_or_text),
    ("regex", |field| grammar(field, Syntax::Regex)),
    ("choice", choice),
    ("grammar", gbnf_or_lark),
    ("json_object", any_object),
    ("structural_tag", structural_tag),
];

fn structured_outputs(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    let mut object = field.object()?;
    let mut found: Option<ResponseFormat> = None;
    for (name, read) in STRUCTURED {
        let Some(field) = object.take(name) else { continue };
        let format = read(&field)?;
        if let Some(before) = found.replace(format) {
            let message = format!("`{}` and `{}` are two formats: remove one", before.path, field.path());
            return Err(ApiError::invalid(Some(field.path()), message));
        }
    }
    object.end()?;
    found.ok_or_else(|| {
        field.refused("it has no format: give `json`, `regex`, `choice`, `grammar`, `json_object` or `structural_tag`")
    })
}

fn grammar(field: &Field<'_>, syntax: Syntax) -> Result<ResponseFormat, ApiError> {
    Ok(ResponseFormat::new(FormatKind::Grammar { syntax, text: field.text()?, start: None }, field.path()))
}

/// Reads a grammar in GBNF, or an object that names the language of its value.
fn gbnf_or_tagged(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    if !field.is_object() {
        return grammar(field, Syntax::Gbnf);
    }
    let mut object = field.object()?;
    let readers: [(&str, Reader); 3] = [
        ("regex", |field| grammar(field, Syntax::Regex)),
        ("lark", |field| grammar(field, Syntax::Lark)),
        ("json_schema", schema_or_text),
    ];
    let read = object.need("type", "`regex`, `lark` or `json_schema`")?.one_of(&readers)?;
    let value = object.need("value", "a text, or a JSON schema")?;
    object.end()?;
    read(&value)
}

/// Reads a grammar of vLLM: it is GBNF if it defines rules with `::=`, and Lark otherwise.
fn gbnf_or_lark(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    let syntax = if field.text()?.contains("::=") { Syntax::Gbnf } else { Syntax::Lark };
    grammar(field, syntax)
}

fn schema_or_text(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    if !field.is_text() {
        return schema(field);
    }
    Ok(ResponseFormat::new(FormatKind::JsonSchema(field.text()?), field.path()))
}

/// Reads a structural tag, given as an object or as its text.
fn structural_tag(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    let text = if field.is_text() { field.text()? } else { field.json().to_owned() };
    let is_tag = serde_json::from_str::<TagHead>(&text).is_ok_and(|head| head.is_tag());
    if !is_tag {
        return Err(field.wrong("a structural tag: `{\"type\": \"structural_tag\", \"format\": ...}`"));
    }
    Ok(ResponseFormat::new(FormatKind::StructuralTag(text), field.path()))
}

/// The fields that distinguish a structural tag from other JSON, which would be read as a schema.
#[derive(Deserialize)]
struct TagHead {
    #[serde(rename = "type")]
    kind: Option<String>,
    structures: Option<Vec<IgnoredAny>>,
    triggers: Option<Vec<IgnoredAny>>,
}

impl TagHead {
    fn is_tag(&self) -> bool {
        self.kind.as_deref() == Some("structural_tag") || self.structures.is_some() && self.triggers.is_some()
    }
}

fn any_object(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    if !field.flag()? {
        return Err(field.wrong("`true`"));
    }
    Ok(ResponseFormat::new(FormatKind::JsonSchema(OBJECT.to_owned()), field.path()))
}

fn choice(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    let texts: Vec<String> = field.list()?.iter().map(Field::text).collect::<Result<_, _>>()?;
    if texts.is_empty() {
        return Err(field.wrong("at least one string"));
    }
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    let text = format!("output Choice = {}\n", texts.join(" | "));
    Ok(ResponseFormat::new(FormatKind::Ogc { text, definition: None }, field.path()))
}
