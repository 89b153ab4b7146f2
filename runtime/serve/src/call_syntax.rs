//! How a call of a tool is written in a text.
//!
//! Calls are written as Hermes and Qwen do, which most models follow when they are told so: between tags, a line with an object of
//! the name and the arguments. The arguments are of the schema of the tool that is named, and stand on one line, so that they end
//! with the line. The input of a custom tool, which is a text, is a string in the arguments: that is how a model writes it which is
//! told of a function with one parameter, and the string ends at its quote whatever the text has in it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// What stands before the name of a tool in a call.
pub(crate) const CALL_BEGINS: &str = "<tool_call>\n{\"name\": \"";

/// What stands between a tool's name and its arguments.
pub(crate) const CALL_MIDDLE: &str = "\", \"arguments\": ";

/// What stands behind the arguments.
pub(crate) const CALL_ENDS: &str = "}\n</tool_call>";

/// What stands before the string with the input of a custom tool.
pub(crate) const INPUT_BEGINS: &str = "{\"input\": ";

/// What stands behind the string with the input of a custom tool.
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

/// The tools that a text may call.
#[derive(Clone, Debug, Default)]
pub(crate) struct CalledTools {
    /// The names of the custom ones.
    pub(crate) customs: BTreeSet<String>,
}

impl CalledTools {
    /// Returns the kind of the tool of a name.
    pub(crate) fn kind(&self, name: &str) -> ToolKind {
        if self.customs.contains(name) { ToolKind::Custom } else { ToolKind::Function }
    }
}
