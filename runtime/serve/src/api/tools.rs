//! Tools that a text may call: the format of the calls ([`crate::call_syntax`]), and how a model is told of the tools.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::ApiError;
use super::response_format::{OBJECT, ResponseFormat};
use crate::call_syntax::{CALL_BEGINS, CALL_ENDS, CALL_MIDDLE};
use crate::compile::{FormatSource, SourceText};

/// The most calls of a text.
const MAX_CALLS: usize = 16;

/// The most tools of a request, and the most bytes of a name.
const MAX_TOOLS: (usize, usize) = (128, 64);

/// A tool, whose schema's text is kept as it came.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    #[serde(rename = "type")]
    kind: FunctionKind,
    function: Function,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FunctionKind {
    Function,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Function {
    name: String,
    description: Option<String>,
    parameters: Option<Box<RawValue>>,
    /// Whether the arguments must be of the schema, which they always are.
    #[serde(rename = "strict")]
    _strict: Option<bool>,
}

/// `tool_choice` of a request.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum ToolChoice {
    Mode(ToolMode),
    Named {
        #[serde(rename = "type")]
        _kind: FunctionKind,
        function: NamedFunction,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToolMode {
    None,
    Auto,
    Required,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedFunction {
    name: String,
}

/// The tools of a request, and whether they must be called.
#[derive(Debug)]
pub(super) struct Tools {
    tools: Vec<Tool>,
    must_call: bool,
    /// The most calls of a text.
    most: usize,
}

impl Tools {
    /// Reads the tools of a request; nothing if none may be called.
    pub(super) fn read(
        written: Option<&RawValue>,
        choice: Option<ToolChoice>,
        parallel: Option<bool>,
    ) -> Result<Option<Self>, ApiError> {
        let tools: Option<Vec<Tool>> = serde_json::from_str(written.map_or("null", RawValue::get))
            .map_err(|error| ApiError::invalid(Some("tools"), format!("`tools`: {error}")))?;
        let tools = tools.unwrap_or_default();
        let (count, len) = MAX_TOOLS;
        let is_name = |name: &str| {
            let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            (1..=len).contains(&name.len()) && name.bytes().all(is_letter)
        };
        if let Some(tool) = tools.iter().find(|tool| !is_name(&tool.function.name)) {
            let name = &tool.function.name;
            let message = format!("the tool name {name:?} must have 1 to {len} letters, digits, `_` or `-`");
            return Err(ApiError::invalid(Some("tools"), message));
        }
        if tools.len() > count {
            let message = format!("there are {} tools; {count} are the most", tools.len());
            return Err(ApiError::invalid(Some("tools"), message));
        }
        let most = if parallel.unwrap_or(true) { MAX_CALLS } else { 1 };
        match choice {
            None | Some(ToolChoice::Mode(ToolMode::Auto)) if tools.is_empty() => Ok(None),
            Some(ToolChoice::Mode(ToolMode::None)) => Ok(None),
            None | Some(ToolChoice::Mode(ToolMode::Auto)) => Ok(Some(Self { tools, must_call: false, most })),
            Some(ToolChoice::Mode(ToolMode::Required)) if !tools.is_empty() => {
                Ok(Some(Self { tools, must_call: true, most }))
            }
            Some(ToolChoice::Mode(ToolMode::Required)) => {
                Err(ApiError::invalid(Some("tool_choice"), "`tool_choice` is `required`, and there are no tools"))
            }
            Some(ToolChoice::Named { function, .. }) => {
                let tools: Vec<Tool> = tools.into_iter().filter(|tool| tool.function.name == function.name).collect();
                if tools.is_empty() {
                    let message = format!("`tool_choice` names `{}`, which is no tool", function.name);
                    return Err(ApiError::invalid(Some("tool_choice"), message));
                }
                Ok(Some(Self { tools, must_call: true, most }))
            }
        }
    }

    /// Returns the format of texts with calls, and of the answer that may stand in their place.
    pub(super) fn source(&self, answer: &ResponseFormat) -> Result<FormatSource, ApiError> {
        let mut texts = vec![SourceText::new("tools.json", self.list())];
        let (most, call) = (self.most, "any_tool<tools, call>");
        let calls = format!("({call})[1..{most}] % \"\\n\"");
        let (import, output) = match answer.schema() {
            _ if self.must_call => ("", calls),
            Some(schema) => {
                texts.push(SourceText::new("answer.schema.json", schema));
                ("import root from \"answer.schema.json\"\n", format!("json<root> | {calls}"))
            }
            None if answer.is_text() => ("", format!("mix<text, {call}, calls = 0..{most}>")),
            None => {
                let message = "beside `tools` the format can be `text`, `json_object` or `json_schema`";
                return Err(ApiError::invalid(Some("response_format"), message));
            }
        };
        let (begins, middle, ends) = (quoted(CALL_BEGINS), quoted(CALL_MIDDLE), quoted(CALL_ENDS));
        let text = format!(
            "import tools from \"tools.json\"\n{import}\
             rule call<name, Args> = {begins} name {middle} json<Args, space = \"spaced\"> {ends}\n\
             output Reply = {output}\n"
        );
        texts.insert(0, SourceText::new("reply.ogc", text));
        Ok(FormatSource::Texts { texts, definition: None })
    }

    /// Returns the name and the format of the arguments of each tool.
    pub(super) fn arguments(&self) -> Vec<(String, FormatSource)> {
        let one = |Tool { function, .. }: &Tool| {
            let schema = function.parameters.as_ref().map_or(OBJECT, |parameters| parameters.get());
            (function.name.clone(), FormatSource::text("arguments.schema.json", schema))
        };
        self.tools.iter().map(one).collect()
    }

    /// Returns whether one of them must be called.
    pub(super) fn must_call(&self) -> bool {
        self.must_call
    }

    /// Returns whether only one may be called.
    pub(super) fn is_single(&self) -> bool {
        self.most == 1
    }

    /// Returns the list of the tools, with the texts of their schemas.
    fn list(&self) -> String {
        let entry = |tool: &Tool| {
            let parameters = tool.function.parameters.as_ref().map_or("{}", |parameters| parameters.get());
            format!("{{\"name\": {}, \"parameters\": {parameters}}}", json!(tool.function.name))
        };
        format!("[{}]", self.tools.iter().map(entry).collect::<Vec<_>>().join(", "))
    }

    /// Returns the tools as templates read them.
    pub(super) fn described(&self) -> Vec<Value> {
        let value = |raw: &RawValue| serde_json::from_str(raw.get()).unwrap_or(Value::Null);
        let one = |Tool { kind: FunctionKind::Function, function }: &Tool| {
            let parameters = function.parameters.as_deref().map_or_else(|| json!({}), value);
            json!({ "type": "function", "function": {
                "name": function.name,
                "description": function.description.clone().unwrap_or_default(),
                "parameters": parameters,
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

/// Writes a text as a literal of the ogc language.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
