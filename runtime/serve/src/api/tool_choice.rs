//! `tool_choice` of a request: which tools may be called, and whether one must be.

use super::ApiError;
use super::fields::{Field, Object};

/// Which tools may be called, and whether one must be.
#[derive(Debug)]
pub(super) struct ToolChoice {
    pub(super) mode: ToolMode,
    /// The tools that may be called, with the paths that name them; nothing for all.
    pub(super) allowed: Option<Vec<(String, String)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToolMode {
    None,
    Auto,
    Required,
}

/// The kinds of `tool_choice` that name tools.
#[derive(Clone, Copy)]
enum ChoiceKind {
    Function,
    AllowedTools,
}

impl ToolChoice {
    /// Each tool may be called, and none must.
    pub(super) const AUTO: Self = Self { mode: ToolMode::Auto, allowed: None };

    /// Takes the choice of a request; each tool may be called, and none must, if there is none.
    pub(super) fn read(body: &mut Object<'_>) -> Result<Self, ApiError> {
        let Some(field) = body.take("tool_choice") else { return Ok(Self::AUTO) };
        if !field.is_object() {
            let modes = [("none", ToolMode::None), ("auto", ToolMode::Auto), ("required", ToolMode::Required)];
            return Ok(Self { mode: field.one_of(&modes)?, allowed: None });
        }
        let mut object = field.object()?;
        let kinds = [("function", ChoiceKind::Function), ("allowed_tools", ChoiceKind::AllowedTools)];
        let choice = match object.need("type", "`function` or `allowed_tools`")?.one_of(&kinds)? {
            ChoiceKind::Function => Self { mode: ToolMode::Required, allowed: Some(vec![named(&mut object)?]) },
            ChoiceKind::AllowedTools => allowed(&object.need("allowed_tools", "an object with `mode` and `tools`")?)?,
        };
        object.end()?;
        Ok(choice)
    }
}

/// Reads `allowed_tools`.
fn allowed(field: &Field<'_>) -> Result<ToolChoice, ApiError> {
    let mut object = field.object()?;
    let modes = [("auto", ToolMode::Auto), ("required", ToolMode::Required)];
    let mode = object.need("mode", "`auto` or `required`")?.one_of(&modes)?;
    let tools = object.need("tools", "an array of tools")?;
    object.end()?;
    let tool = |tool: &Field<'_>| {
        let mut object = tool.object()?;
        object.need("type", "`function`")?.one_of(&[("function", ())])?;
        let name = named(&mut object)?;
        object.end()?;
        Ok(name)
    };
    let allowed: Vec<(String, String)> = tools.list()?.iter().map(tool).collect::<Result<_, ApiError>>()?;
    if allowed.is_empty() {
        return Err(tools.wrong("at least one tool"));
    }
    Ok(ToolChoice { mode, allowed: Some(allowed) })
}

/// Reads the name of a function, with its path.
fn named(object: &mut Object<'_>) -> Result<(String, String), ApiError> {
    let mut function = object.need("function", "an object with a `name`")?.object()?;
    let name = function.need("name", "the name of a tool")?;
    function.end()?;
    Ok((name.text()?, name.path().to_owned()))
}
