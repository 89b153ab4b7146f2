//! Tools that a text may call, and their description for the model. [`mod@format`] writes the format of texts with calls.

mod call_text;
mod format;

use ogc_generate::ToolStyle;
use serde_json::{Map, Value, json};

use super::fields::{Field, Object};
use super::response_format::OBJECT;
use super::tool::{MAX_TOOLS, Nesting, Tool, ToolInput, read_listed, unique};
use super::tool_choice::{NamedTool, ToolChoice, ToolMode};
use super::{ApiError, functions};
use crate::call_syntax::ToolKind;
use crate::compile::FormatSource;

/// Maximum number of calls of a text.
const MAX_CALLS: usize = 16;

/// The tools of a request, and whether they must be called.
#[derive(Debug)]
pub(super) struct Tools {
    tools: Vec<Tool>,
    must_call: bool,
    /// Maximum number of calls of a text.
    most: usize,
    form: CallForm,
}

/// A tool that may be called, and the format of its arguments or input.
#[derive(Clone, Debug)]
pub(crate) struct WantedTool {
    pub(crate) name: String,
    pub(crate) kind: ToolKind,
    pub(crate) format: FormatSource,
}

/// Form in which an answer writes its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CallForm {
    /// A list, `tool_calls`.
    #[default]
    Tools,
    /// A single `function_call`, for requests with `functions`.
    Function,
}

/// Reads the list of tools.
fn tools(field: &Field<'_>, nesting: Nesting) -> Result<Vec<Tool>, ApiError> {
    let items = field.list()?;
    let (limit, _) = MAX_TOOLS;
    let too_many = |given| field.refused(&format!("there are {given} tools; {limit} are the most"));
    if items.len() > limit {
        return Err(too_many(items.len()));
    }
    let tools = unique(&items, |item| read_listed(item, nesting))?;
    if tools.len() > limit { Err(too_many(tools.len())) } else { Ok(tools) }
}

/// Rejects choices of tools that the request does not have.
fn check_allowed(allowed: &[NamedTool], tools: &[Tool]) -> Result<(), ApiError> {
    for NamedTool { kind, name, path } in allowed {
        let message = match tools.iter().find(|tool| tool.name == *name) {
            None => format!("`{path}` is `{name}`, which is no tool of the request"),
            Some(tool) if tool.kind() != *kind => {
                format!("`{path}` is `{name}`, which is a tool of the type `{}`", tool.kind().name())
            }
            Some(_) => continue,
        };
        return Err(ApiError::invalid(Some(path), message));
    }
    Ok(())
}

impl Tools {
    /// Takes the tools of a request; `None` if no tool may be called.
    pub(super) fn read(body: &mut Object<'_>, nesting: Nesting) -> Result<Option<Self>, ApiError> {
        let old = if nesting == Nesting::Inner { functions::read(body)? } else { None };
        let (mut tools, ToolChoice { mode, allowed }, parallel, form) = match old {
            Some((tools, choice)) => (tools, choice, false, CallForm::Function),
            None => {
                let read = |field: Field<'_>| tools(&field, nesting);
                let tools = body.take("tools").map(read).transpose()?.unwrap_or_default();
                let choice = ToolChoice::read(body, nesting)?;
                let parallel = body.take("parallel_tool_calls").map_or(Ok(true), |field| field.flag())?;
                (tools, choice, parallel, CallForm::Tools)
            }
        };
        if let Some(allowed) = allowed {
            check_allowed(&allowed, &tools)?;
            tools.retain(|tool| allowed.iter().any(|allowed| allowed.name == tool.name));
        }
        if mode == ToolMode::Required && tools.is_empty() {
            let message = "`tool_choice` is `required`, and there are no tools";
            return Err(ApiError::invalid(Some("tool_choice"), message));
        }
        let most = if parallel { MAX_CALLS } else { 1 };
        let may_call = mode != ToolMode::None && !tools.is_empty();
        Ok(may_call.then_some(Self { tools, must_call: mode == ToolMode::Required, most, form }))
    }

    /// Returns each tool with the format of its arguments or input.
    pub(super) fn arguments(&self) -> Vec<WantedTool> {
        let one = |tool: &Tool| {
            let format = match &tool.input {
                ToolInput::Arguments(schema) => {
                    FormatSource::text("arguments.schema.json", schema.as_deref().unwrap_or(OBJECT))
                }
                ToolInput::Text(None) => FormatSource::text("input.ogc", "output Input = text\n"),
                ToolInput::Text(Some(grammar)) => FormatSource::Texts(vec![grammar.source("input")]),
            };
            WantedTool { name: tool.name.clone(), kind: tool.kind(), format }
        };
        self.tools.iter().map(one).collect()
    }

    /// Returns whether a tool must be called.
    pub(super) fn must_call(&self) -> bool {
        self.must_call
    }

    /// Returns the form in which an answer writes its calls.
    pub(super) fn form(&self) -> CallForm {
        self.form
    }

    /// Returns whether only one tool may be called.
    pub(super) fn is_single(&self) -> bool {
        self.most == 1
    }

    /// Returns the request field that has the tools.
    fn path(&self) -> &'static str {
        match self.form {
            CallForm::Tools => "tools",
            CallForm::Function => "functions",
        }
    }

    /// Returns the tools in the form of templates.
    pub(super) fn described(&self) -> Vec<Value> {
        self.tools.iter().map(Tool::described).collect()
    }

    /// Returns instructions about the tools, for a model whose template does not know tools.
    pub(super) fn instructions(&self, style: ToolStyle) -> String {
        let tools: Vec<String> = self.described().iter().map(Value::to_string).collect();
        let must = if self.must_call { "Call" } else { "You may call" };
        let example: Map<String, Value> = [("PARAMETER".to_owned(), json!("VALUE"))].into_iter().collect();
        format!(
            "{must} one or more of these functions, described by JSON:\n{}\n\nA call of the function NAME is written so:\n{}",
            tools.join("\n"),
            style.written("NAME", &example)
        )
    }
}

#[cfg(test)]
mod tests;
