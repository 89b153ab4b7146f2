//! How a call of a tool is written in a text.
//!
//! Calls are written in the style that the model's chat template has ([`frame`]), or in that of Hermes and Qwen, which most models follow when they
//! are told so. The arguments are of the schema of the tool that is named. The input of a custom tool, which is a text, is the one argument of a
//! function: that is how a model writes it which is told of a function with one parameter. It is a string of JSON, or stands between the tags of
//! its style.

pub(crate) mod capture;
pub(crate) mod frame;

use ogc_generate::ToolStyle;
use serde_json::{Value, json};

/// The text before the string with the input of a custom tool.
pub(crate) const INPUT_BEGINS: &str = "{\"input\": ";

/// The text behind the string with the input of a custom tool.
pub(crate) const INPUT_ENDS: &str = "}";

/// The kind of a tool, by what it is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolKind {
    /// JSON of a schema.
    Function,
    /// A text, of a grammar or any.
    Custom,
}

impl ToolKind {
    /// Returns its name in requests and answers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Custom => "custom",
        }
    }

    /// Returns the name of the field of a call that has what the tool is called with.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Function => "arguments",
            Self::Custom => "input",
        }
    }
}

/// Returns the arguments that a custom tool's input is written as.
pub(crate) fn input_arguments(input: &str) -> String {
    [INPUT_BEGINS, &json!(input).to_string(), INPUT_ENDS].concat()
}

/// Returns the name by which a model calls a tool of a namespace: models know one name.
pub(crate) fn joined_name(namespace: &str, name: &str) -> String {
    format!("{namespace}__{name}")
}

/// Returns the schema of the arguments of the function that a model is told of in place of a custom tool. `grammar` is what its grammar is,
/// and the grammar; nothing for any text.
pub(crate) fn input_schema(grammar: Option<(&str, &str)>) -> Value {
    let mut input = json!({ "type": "string" });
    if let Some((what, grammar)) = grammar {
        input["description"] = json!(format!("A text of this {what}:\n{grammar}"));
    }
    json!({ "type": "object", "properties": { "input": input }, "required": ["input"], "additionalProperties": false })
}

/// The tools that a text may call, and how.
#[derive(Clone, Debug)]
pub(crate) struct CalledTools {
    /// The style of the calls.
    pub(crate) style: ToolStyle,
    /// The names of the custom tools, in the order of their numbers.
    pub(crate) customs: Vec<String>,
    /// Whether a text of a format of its own may stand in the place of calls.
    pub(crate) has_answer: bool,
}
