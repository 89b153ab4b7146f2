//! `functions` and `function_call`, which OpenAI's interface had before `tools`: a text has one call at most.

use super::ApiError;
use super::fields::{Field, Object};
use super::tool::{MAX_TOOLS, Tool, read_function, unique};
use super::tool_choice::{ToolChoice, ToolMode};

/// Takes the functions of a request as tools, and which may be called; nothing if it has none.
pub(super) fn read(body: &mut Object<'_>) -> Result<Option<(Vec<Tool>, ToolChoice)>, ApiError> {
    let (functions, choice) = (body.take("functions"), body.take("function_call"));
    let Some(functions) = functions else {
        let without = |choice: Field<'_>| Err(choice.refused("there are no `functions`: remove it"));
        return choice.map_or(Ok(None), without);
    };
    for name in ["tools", "tool_choice", "parallel_tool_calls"] {
        if body.take(name).is_some() {
            let message = format!(
                "`functions` and `{name}` are of two versions of the interface: use `tools`, and remove `functions`"
            );
            return Err(ApiError::invalid(Some(name), message));
        }
    }
    let items = functions.list()?;
    let (limit, _) = MAX_TOOLS;
    if items.is_empty() || items.len() > limit {
        return Err(functions.refused(&format!("there are {} functions; it takes 1 to {limit}", items.len())));
    }
    let tools = unique(&items, |item| read_function(item.object()?))?;
    Ok(Some((tools, choice.as_ref().map_or(Ok(ToolChoice::AUTO), read_choice)?)))
}

/// Reads `function_call`.
fn read_choice(field: &Field<'_>) -> Result<ToolChoice, ApiError> {
    if !field.is_object() {
        let modes = [("none", ToolMode::None), ("auto", ToolMode::Auto)];
        return Ok(ToolChoice { mode: field.one_of(&modes)?, allowed: None });
    }
    let mut object = field.object()?;
    let name = object.need("name", "the name of a function")?;
    object.end()?;
    Ok(ToolChoice { mode: ToolMode::Required, allowed: Some(vec![(name.text()?, name.path().to_owned())]) })
}
