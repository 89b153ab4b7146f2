//! Tools that a text may call: the format of the calls ([`crate::call_syntax`]), and how a model is told of the tools.

use serde_json::{Value, json};

use super::fields::{Field, Object};
use super::ogc_text::quoted;
use super::response_format::{FormatFields, OBJECT, ResponseFormat};
use super::tool::{MAX_TOOLS, Tool, read_function, unique};
use super::tool_choice::{ToolChoice, ToolMode};
use super::{ApiError, functions};
use crate::call_syntax::{CALL_BEGINS, CALL_ENDS, CALL_MIDDLE};
use crate::compile::{FormatSource, SourceText};

/// The most calls of a text.
const MAX_CALLS: usize = 16;

/// The tools of a request, and whether they must be called.
#[derive(Debug)]
pub(super) struct Tools {
    tools: Vec<Tool>,
    must_call: bool,
    /// The most calls of a text.
    most: usize,
    form: CallForm,
}

/// How an answer writes its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CallForm {
    /// As a list, `tool_calls`.
    #[default]
    Tools,
    /// As one, `function_call`, for requests with `functions`.
    Function,
}

/// Reads the list of tools.
fn tools(field: &Field<'_>) -> Result<Vec<Tool>, ApiError> {
    let items = field.list()?;
    let (limit, _) = MAX_TOOLS;
    if items.len() > limit {
        return Err(field.refused(&format!("there are {} tools; {limit} are the most", items.len())));
    }
    unique(&items, tool)
}

fn tool(field: &Field<'_>) -> Result<Tool, ApiError> {
    let mut object = field.object()?;
    object.need("type", "`function`")?.one_of(&[("function", ())])?;
    let function = object.need("function", "an object with a `name`")?.object()?;
    object.end()?;
    read_function(function)
}

impl Tools {
    /// Takes the tools of a request; nothing if none may be called.
    pub(super) fn read(body: &mut Object<'_>) -> Result<Option<Self>, ApiError> {
        let (mut tools, ToolChoice { mode, allowed }, parallel, form) = match functions::read(body)? {
            Some((tools, choice)) => (tools, choice, false, CallForm::Function),
            None => {
                let tools = body.take("tools").as_ref().map(tools).transpose()?.unwrap_or_default();
                let choice = ToolChoice::read(body)?;
                let parallel = body.take("parallel_tool_calls").map_or(Ok(true), |field| field.flag())?;
                (tools, choice, parallel, CallForm::Tools)
            }
        };
        if let Some(allowed) = allowed {
            if let Some((name, path)) = allowed.iter().find(|(name, _)| tools.iter().all(|tool| tool.name != *name)) {
                return Err(ApiError::invalid(
                    Some(path),
                    format!("`{path}` is `{name}`, which is no tool of the request"),
                ));
            }
            tools.retain(|tool| allowed.iter().any(|(name, _)| *name == tool.name));
        }
        if mode == ToolMode::Required && tools.is_empty() {
            let message = "`tool_choice` is `required`, and there are no tools";
            return Err(ApiError::invalid(Some("tool_choice"), message));
        }
        let most = if parallel { MAX_CALLS } else { 1 };
        let may_call = mode != ToolMode::None && !tools.is_empty();
        Ok(may_call.then_some(Self { tools, must_call: mode == ToolMode::Required, most, form }))
    }

    /// Returns the format of texts with calls, and of the answer that may stand in their place.
    pub(super) fn source(&self, answer: &ResponseFormat) -> Result<(FormatSource, FormatFields), ApiError> {
        let mut texts = vec![SourceText::new("tools.json", self.list())];
        let mut fields = vec![(
            "tools.json",
            match self.form {
                CallForm::Tools => "tools".to_owned(),
                CallForm::Function => "functions".to_owned(),
            },
        )];
        let (most, call) = (self.most, "any_tool<tools, call>");
        let calls = format!("({call})[1..{most}] % \"\\n\"");
        let (import, output) = match answer.schema() {
            _ if self.must_call => ("", calls),
            Some(schema) => {
                texts.push(SourceText::new("answer.schema.json", schema));
                let space = answer.space.map_or(String::new(), |space| format!(", space = \"{}\"", space.name()));
                fields.push(("answer.schema.json", answer.path.clone()));
                ("import root from \"answer.schema.json\"\n", format!("json<root{space}> | {calls}"))
            }
            None if answer.is_text() => ("", format!("mix<text, {call}, calls = 0..{most}>")),
            None => {
                let message = format!(
                    "`{}` is no schema: beside `tools`, without a tool that must be called, the format can be any text or a JSON schema",
                    answer.path
                );
                return Err(ApiError::invalid(Some(&answer.path), message));
            }
        };
        let (begins, middle, ends) = (quoted(CALL_BEGINS), quoted(CALL_MIDDLE), quoted(CALL_ENDS));
        let text = format!(
            "import tools from \"tools.json\"\n{import}\
             rule call<name, Args> = {begins} name {middle} json<Args, space = \"spaced\"> {ends}\n\
             output Reply = {output}\n"
        );
        texts.insert(0, SourceText::new("reply.ogc", text));
        Ok((FormatSource::Texts { texts, definition: None }, fields))
    }

    /// Returns the name and the format of the arguments of each tool.
    pub(super) fn arguments(&self) -> Vec<(String, FormatSource)> {
        let one = |tool: &Tool| {
            let schema = tool.parameters.as_deref().unwrap_or(OBJECT);
            (tool.name.clone(), FormatSource::text("arguments.schema.json", schema))
        };
        self.tools.iter().map(one).collect()
    }

    /// Returns whether one of them must be called.
    pub(super) fn must_call(&self) -> bool {
        self.must_call
    }

    /// Returns how an answer writes its calls.
    pub(super) fn form(&self) -> CallForm {
        self.form
    }

    /// Returns whether only one may be called.
    pub(super) fn is_single(&self) -> bool {
        self.most == 1
    }

    /// Returns the list of the tools, with the texts of their schemas.
    fn list(&self) -> String {
        let entry = |tool: &Tool| {
            let parameters = tool.parameters.as_deref().unwrap_or("{}");
            format!("{{\"name\": {}, \"parameters\": {parameters}}}", json!(tool.name))
        };
        format!("[{}]", self.tools.iter().map(entry).collect::<Vec<_>>().join(", "))
    }

    /// Returns the tools as templates read them.
    pub(super) fn described(&self) -> Vec<Value> {
        let one = |tool: &Tool| {
            let schema = tool.parameters.as_deref().and_then(|text| serde_json::from_str(text).ok());
            json!({ "type": "function", "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": schema.unwrap_or_else(|| json!({})),
            } })
        };
        self.tools.iter().map(one).collect()
    }

    /// Returns what a model is told of the tools whose template knows nothing of them.
    pub(super) fn instructions(&self) -> String {
        let tools: Vec<String> = self.described().iter().map(Value::to_string).collect();
        let must = if self.must_call { "Call" } else { "You may call" };
        format!(
            "{must} one or more of these functions, described by JSON:\n{}\n\nA call is a line between tags:\n{CALL_BEGINS}NAME\
             {CALL_MIDDLE}ARGUMENTS{CALL_ENDS}",
            tools.join("\n")
        )
    }
}
