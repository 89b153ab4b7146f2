//! One tool of a request.

use super::ApiError;
use super::fields::{Field, Object};
use super::response_format::schema;

/// The most tools of a request, and the most bytes of a name.
pub(super) const MAX_TOOLS: (usize, usize) = (128, 64);

/// A tool, whose schema's text is kept as it came.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) description: String,
    /// A schema; nothing for any object.
    pub(super) parameters: Option<String>,
}

/// Reads tools of different names.
pub(super) fn unique(
    items: &[Field<'_>],
    read: impl Fn(&Field<'_>) -> Result<Tool, ApiError>,
) -> Result<Vec<Tool>, ApiError> {
    let mut tools: Vec<Tool> = Vec::new();
    for item in items {
        let tool = read(item)?;
        if tools.iter().any(|other| other.name == tool.name) {
            return Err(item.refused(&format!("another one has the name `{}` already", tool.name)));
        }
        tools.push(tool);
    }
    Ok(tools)
}

/// Reads a function that may be called.
pub(super) fn read_function(mut function: Object<'_>) -> Result<Tool, ApiError> {
    let name_field = function.need("name", "a name")?;
    let (name, (_, limit)) = (name_field.text()?, MAX_TOOLS);
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !(1..=limit).contains(&name.len()) || !name.bytes().all(is_letter) {
        return Err(name_field.wrong(&format!("1 to {limit} letters, digits, `_` or `-`")));
    }
    let description = function.take("description").map(|field| field.text()).transpose()?.unwrap_or_default();
    let parameters = function.take("parameters");
    parameters.as_ref().map(schema).transpose()?;
    // Says whether the arguments must be of the schema, which they always are.
    function.take("strict").map(|field| field.flag()).transpose()?;
    function.end()?;
    Ok(Tool { name, description, parameters: parameters.map(|field| field.json().to_owned()) })
}
