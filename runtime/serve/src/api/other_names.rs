//! The names under which requests to other servers have a format: those of llama.cpp, vLLM, SGLang
//! and mistral.rs.

use super::ApiError;
use super::fields::Field;
use super::ogc_text::quoted;
use super::response_format::{FormatKind, OBJECT, ResponseFormat, Syntax, schema};

/// The reader of a field.
type Reader = fn(&Field<'_>) -> Result<ResponseFormat, ApiError>;

/// All names, and how their fields are read.
pub(super) const ALL: [(&str, Reader); 9] = [
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
];

/// The fields of vLLM's `structured_outputs` that have a format.
const STRUCTURED: [(&str, Reader); 5] = [
    ("json", schema_or_text),
    ("regex", |field| grammar(field, Syntax::Regex)),
    ("choice", choice),
    ("grammar", gbnf_or_lark),
    ("json_object", any_object),
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
    found.ok_or_else(|| field.refused("it has no format: give `json`, `regex`, `choice`, `grammar` or `json_object`"))
}

fn grammar(field: &Field<'_>, syntax: Syntax) -> Result<ResponseFormat, ApiError> {
    Ok(ResponseFormat::new(FormatKind::Grammar { syntax, text: field.text()?, start: None }, field.path()))
}

/// Reads a grammar in GBNF, or an object that says the language of its value.
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

/// A grammar of vLLM is GBNF where it defines rules as that does, and Lark otherwise.
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
