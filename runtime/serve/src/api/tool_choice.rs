//! `tool_choice` of a request: the tools that may be called, and whether one must be.

use super::ApiError;
use super::fields::{Field, Object};
use super::tool::{Nesting, typed};
use crate::call_syntax::ToolKind;

/// The tools that may be called, and whether one must be.
#[derive(Debug)]
pub(super) struct ToolChoice {
    pub(super) mode: ToolMode,
    /// The tools that may be called; `None` allows all.
    pub(super) allowed: Option<Vec<NamedTool>>,
}

/// A tool that a choice names.
#[derive(Debug)]
pub(super) struct NamedTool {
    pub(super) kind: ToolKind,
    pub(super) name: String,
    /// Path of the request field with the name.
    pub(super) path: String,
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
    One(ToolKind),
    AllowedTools,
}

/// The kinds of `tool_choice` that name tools, as requests name them.
const KINDS: [(&str, ChoiceKind); 3] = [
    ("function", ChoiceKind::One(ToolKind::Function)),
    ("custom", ChoiceKind::One(ToolKind::Custom)),
    ("allowed_tools", ChoiceKind::AllowedTools),
];

impl ToolChoice {
    /// Every tool may be called, and none must be.
    pub(super) const AUTO: Self = Self { mode: ToolMode::Auto, allowed: None };

    /// Takes the choice of a request; without one, every tool may be called, and none must be.
    pub(super) fn read(body: &mut Object<'_>, nesting: Nesting) -> Result<Self, ApiError> {
        let Some(field) = body.take("tool_choice") else { return Ok(Self::AUTO) };
        if !field.is_object() {
            let modes = [("none", ToolMode::None), ("auto", ToolMode::Auto), ("required", ToolMode::Required)];
            return Ok(Self { mode: field.one_of(&modes)?, allowed: None });
        }
        let mut object = field.object()?;
        match object.need("type", "`function`, `custom` or `allowed_tools`")?.one_of(&KINDS)? {
            ChoiceKind::One(kind) => {
                let named = named(kind, nesting.open(object, kind.name(), "an object with a `name`")?)?;
                Ok(Self { mode: ToolMode::Required, allowed: Some(vec![named]) })
            }
            ChoiceKind::AllowedTools => {
                allowed(nesting.open(object, "allowed_tools", "an object with `mode` and `tools`")?, nesting)
            }
        }
    }
}

/// Reads `allowed_tools`.
fn allowed(mut object: Object<'_>, nesting: Nesting) -> Result<ToolChoice, ApiError> {
    let modes = [("auto", ToolMode::Auto), ("required", ToolMode::Required)];
    let mode = object.need("mode", "`auto` or `required`")?.one_of(&modes)?;
    let tools = object.need("tools", "an array of tools")?;
    object.end()?;
    let tool = |tool: &Field<'_>| {
        let (kind, object) = typed(tool.object()?, nesting)?;
        named(kind, object)
    };
    let allowed: Vec<NamedTool> = tools.list()?.iter().map(tool).collect::<Result<_, ApiError>>()?;
    if allowed.is_empty() {
        return Err(tools.wrong("at least one tool"));
    }
    Ok(ToolChoice { mode, allowed: Some(allowed) })
}

/// Reads the name of a tool, with its path.
fn named(kind: ToolKind, mut object: Object<'_>) -> Result<NamedTool, ApiError> {
    let name = object.need("name", "the name of a tool")?;
    object.end()?;
    Ok(NamedTool { kind, name: name.text()?, path: name.path().to_owned() })
}
