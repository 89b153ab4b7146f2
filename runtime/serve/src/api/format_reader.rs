//! Reads the format that a request asks for.
//!
//! Beside OpenAI's types (`text`, `json_object`, `json_schema`), `response_format` has three more. `ogc` names a format
//! that the server knows, or has a text in the ogc language. `grammar` has a text in another language that ogc reads,
//! and the name of its start rule if it is not the notation's default. `structural_tag` is the type of xgrammar, in the
//! form that vLLM and SGLang accept. The field names of other servers are read too ([`other_names`]).

use super::fields::{Field, Object};
use super::response_format::{FormatKind, OBJECT, ResponseFormat, Syntax, schema};
use super::{ApiError, other_names};
use crate::compile::SchemaPolicy;

/// Takes the format of a request, which may have one at most; any text if there is none.
pub(super) fn read_format(body: &mut Object<'_>) -> Result<ResponseFormat, ApiError> {
    let mut found = match body.take("response_format") {
        Some(field) => response_format(&field)?,
        None => ResponseFormat::text("response_format"),
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

/// Reader of the fields of one type of `response_format`.
type Reader = fn(&Field<'_>, Object<'_>) -> Result<ResponseFormat, ApiError>;

/// The types of `response_format`.
const TYPES: [(&str, Reader); 6] = [
    ("text", text),
    ("json_object", json_object),
    ("json_schema", json_schema),
    ("ogc", ogc),
    ("grammar", grammar),
    ("structural_tag", structural_tag),
];

/// Types of `text.format` in requests for responses. They are the same, except that the fields of a schema are beside
/// the type.
const TEXT_TYPES: [(&str, Reader); 6] = [
    ("text", text),
    ("json_object", json_object),
    ("json_schema", flat_schema),
    ("ogc", ogc),
    ("grammar", grammar),
    ("structural_tag", structural_tag),
];

fn response_format(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    of_type(field, &TYPES)
}

/// Reads `text.format` of a request for a response.
pub(super) fn text_format(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    of_type(field, &TEXT_TYPES)
}

fn of_type(field: &Field<'_>, types: &[(&str, Reader)]) -> Result<ResponseFormat, ApiError> {
    let mut object = field.object()?;
    let read = object.need("type", "the name of a type of format")?.one_of(types)?;
    read(field, object)
}

fn text(field: &Field<'_>, object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    object.end()?;
    Ok(ResponseFormat::text(field.path()))
}

/// Reads any object, or an object of a schema, as llama.cpp and others have it.
fn json_object(field: &Field<'_>, mut object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    let format = match object.take("schema") {
        Some(field) => schema(&field)?,
        None => {
            let kind = FormatKind::JsonSchema(OBJECT.to_owned());
            ResponseFormat { is_common: true, ..ResponseFormat::new(kind, field.path()) }
        }
    };
    with_policies(format, object)
}

/// Takes the policies that a request sets, an addition to OpenAI's interface, and finishes the object.
fn with_policies(format: ResponseFormat, mut object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    let mut policies = Vec::new();
    for policy in SchemaPolicy::ALL {
        let Some(field) = object.take(policy.name()) else { continue };
        // `annotate` has several keywords.
        let texts = || field.list()?.iter().map(Field::text).collect::<Result<Vec<_>, _>>();
        let value = if field.is_list() { texts()?.join(",") } else { field.text()? };
        policies.push((policy, value));
    }
    object.end()?;
    Ok(ResponseFormat { is_common: format.is_common && policies.is_empty(), policies, ..format })
}

fn json_schema(_: &Field<'_>, mut object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    let mut inner = object.need("json_schema", "an object with a `schema`")?.object()?;
    let format = named_schema(&mut inner)?;
    inner.end()?;
    with_policies(format, object)
}

fn flat_schema(_: &Field<'_>, mut object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    let format = named_schema(&mut object)?;
    with_policies(format, object)
}

/// Takes a schema, with its name and description.
fn named_schema(object: &mut Object<'_>) -> Result<ResponseFormat, ApiError> {
    let format = schema(&object.need("schema", "a JSON schema")?)?;
    for name in ["name", "description"] {
        object.take(name).map(|field| field.text()).transpose()?;
    }
    // `strict` asks that the format is enforced, which it always is.
    object.take("strict").map(|field| field.flag()).transpose()?;
    Ok(ResponseFormat { is_common: true, ..format })
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

/// The tag is the whole object; the compiler reads it.
fn structural_tag(field: &Field<'_>, _: Object<'_>) -> Result<ResponseFormat, ApiError> {
    Ok(ResponseFormat::new(FormatKind::StructuralTag(field.json().to_owned()), field.path()))
}

fn grammar(_: &Field<'_>, mut object: Object<'_>) -> Result<ResponseFormat, ApiError> {
    let mut inner = object.need("grammar", "an object with a `syntax` and a `text`")?.object()?;
    object.end()?;
    let words = [
        ("gbnf", Syntax::Gbnf),
        ("ebnf", Syntax::Ebnf),
        ("abnf", Syntax::Abnf),
        ("lark", Syntax::Lark),
        ("regex", Syntax::Regex),
    ];
    let syntax = inner.need("syntax", "the name of a language")?.one_of(&words)?;
    let text = inner.need("text", "a string")?;
    let start = inner.take("start").map(|field| field.text()).transpose()?;
    inner.end()?;
    Ok(ResponseFormat::new(FormatKind::Grammar { syntax, text: text.text()?, start }, text.path()))
}
