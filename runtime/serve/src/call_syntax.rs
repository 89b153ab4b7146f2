//! The syntax of tool calls in a text.
//!
//! Calls are written in the style of the model's chat template ([`ogc_generate::CallFrame`]), or in the style of Hermes
//! and Qwen, which most models follow if the prompt asks for it. The arguments match the schema of the named tool. The
//! input of a custom tool is a text, which is written as the only argument of a function, because the model is told of
//! such a function. It is a JSON string, or text between the tags of the style.

pub(crate) mod capture;

use ogc_generate::ToolStyle;
use serde_json::{Value, json};

/// The text before the string with the input of a custom tool.
pub(crate) const INPUT_BEGINS: &str = "{\"input\": ";

/// The text behind the string with the input of a custom tool.
pub(crate) const INPUT_ENDS: &str = "}";

/// Kind of a tool, by its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolKind {
    /// JSON of a schema.
    Function,
    /// A text: any, or one of a grammar.
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

    /// Returns the name of the field of a call that has the input.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Function => "arguments",
            Self::Custom => "input",
        }
    }
}

/// Returns the arguments that stand for a custom tool's input.
pub(crate) fn input_arguments(input: &str) -> String {
    [INPUT_BEGINS, &json!(input).to_string(), INPUT_ENDS].concat()
}

/// Returns the name by which a model calls a tool of a namespace: a model sees a single name.
pub(crate) fn joined_name(namespace: &str, name: &str) -> String {
    format!("{namespace}__{name}")
}

/// Returns the schema of the arguments of the function that stands for a custom tool. `grammar` is a description of the grammar's language, and the
/// grammar; `None` allows any text.
pub(crate) fn input_schema(grammar: Option<(&str, &str)>) -> Value {
    let mut input = json!({ "type": "string" });
    if let Some((what, grammar)) = grammar {
        input["description"] = json!(format!("A text of this {what}:\n{grammar}"));
    }
    json!({ "type": "object", "properties": { "input": input }, "required": ["input"], "additionalProperties": false })
}

/// The tools that a text may call, and the style of the calls.
#[derive(Clone, Debug)]
pub(crate) struct CalledTools {
    /// The style of the calls.
    pub(crate) style: ToolStyle,
    /// Names of the custom tools, in the order of their numbers.
    pub(crate) customs: Vec<String>,
    /// Whether a text of another format may take the place of calls.
    pub(crate) has_answer: bool,
}
