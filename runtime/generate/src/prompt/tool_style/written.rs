//! Writes a call in each style, with the names of tokens as text.

use serde_json::{Map, Value};

use super::ToolStyle;
use crate::prompt::python_json::spaced;

impl ToolStyle {
    /// Writes a call with the arguments of an object, as `std.tools` has it; tokens are written by their names.
    ///
    /// ```
    /// use ogc_generate::ToolStyle;
    /// let arguments = serde_json::json!({ "city": "Oslo", "days": 2 });
    /// let arguments = arguments.as_object().ok_or("an object")?;
    /// assert_eq!(ToolStyle::MistralArgs.written("get", arguments), "[TOOL_CALLS]get[ARGS]{\"city\": \"Oslo\", \"days\": 2}");
    /// # Ok::<(), &'static str>(())
    /// ```
    #[must_use]
    pub fn written(self, name: &str, arguments: &Map<String, Value>) -> String {
        let json = || spaced(&Value::Object(arguments.clone()));
        let quoted = || Value::from(name).to_string();
        match self {
            Self::Bare => format!("{{\"name\": {}, \"arguments\": {}}}", quoted(), json()),
            Self::Hermes => {
                format!("<tool_call>\n{{\"name\": {}, \"arguments\": {}}}\n</tool_call>", quoted(), json())
            }
            Self::Llama3 => format!("{{\"name\": {}, \"parameters\": {}}}", quoted(), json()),
            Self::Llama3Python => format!("<|python_tag|>{}", Self::Llama3.written(name, arguments)),
            Self::Mistral => format!("[TOOL_CALLS][{}]", Self::Bare.written(name, arguments)),
            Self::MistralArgs => format!("[TOOL_CALLS]{name}[ARGS]{}", json()),
            Self::Harmony => format!(
                "<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{}<|call|>",
                Value::Object(arguments.clone())
            ),
            Self::DeepseekV3 => format!(
                "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
                json()
            ),
            Self::DeepseekV31 => format!(
                "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
                json()
            ),
            Self::DeepseekV32 => markup(name, arguments, "function_calls"),
            Self::DeepseekV4 => markup(name, arguments, "tool_calls"),
            Self::QwenCoder => {
                let fields = fields(arguments, |key, value| format!("<parameter={key}>\n{value}\n</parameter>\n"));
                format!("<tool_call>\n<function={name}>\n{fields}</function>\n</tool_call>")
            }
            Self::Glm => {
                let write =
                    |key: &str, value: &str| format!("<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n");
                format!("<tool_call>{name}\n{}</tool_call>", fields(arguments, write))
            }
            Self::Glm47 => {
                let write = |key: &str, value: &str| format!("<arg_key>{key}</arg_key><arg_value>{value}</arg_value>");
                format!("<tool_call>{name}{}</tool_call>", fields(arguments, write))
            }
            Self::Minimax => {
                let fields = fields(arguments, |key, value| format!("<parameter name=\"{key}\">{value}</parameter>\n"));
                format!("<minimax:tool_call>\n<invoke name=\"{name}\">\n{fields}</invoke>\n</minimax:tool_call>")
            }
            Self::Kimi => format!(
                "<|tool_calls_section_begin|><|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
                json()
            ),
            Self::CommandR => format!(
                "<|START_ACTION|>[\n    {{\"tool_call_id\": \"0\", \"tool_name\": {}, \"parameters\": {}}}\n]<|END_ACTION|>",
                quoted(),
                json()
            ),
            Self::Granite => format!("<|tool_call|>[{}]", Self::Bare.written(name, arguments)),
            Self::Phi4Mini => format!("{}<|/tool_call|>", Self::Granite.written(name, arguments)),
        }
    }
}

/// Writes the markup of DeepSeek: each parameter says whether it is a string.
fn markup(name: &str, arguments: &Map<String, Value>, block: &str) -> String {
    let parameter = |(key, value): (&String, &Value)| {
        let is_string = value.is_string();
        format!("<｜DSML｜parameter name=\"{key}\" string=\"{is_string}\">{}</｜DSML｜parameter>", bare(value))
    };
    let parameters: Vec<String> = arguments.iter().map(parameter).collect();
    let invoke = format!("<｜DSML｜invoke name=\"{name}\">\n{}\n</｜DSML｜invoke>", parameters.join("\n"));
    format!("<｜DSML｜{block}>\n{invoke}\n</｜DSML｜{block}>")
}

fn fields(arguments: &Map<String, Value>, write: impl Fn(&str, &str) -> String) -> String {
    arguments.iter().map(|(key, value)| write(key, &bare(value))).collect()
}

/// Writes a string as it is, and any other value as JSON.
fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| spaced(value), str::to_owned)
}
