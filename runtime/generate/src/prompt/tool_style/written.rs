//! Writes a call in each style, with the names of tokens as text.

use serde_json::{Map, Value};

use super::ToolStyle;
use super::frame::{ArgumentFrame, CallFrame, CallPiece, FieldPiece, JsonSpace};
use crate::prompt::python_json::{python_literal, spaced};

impl ToolStyle {
    /// Writes a call with the arguments of an object, in the form of `std.tools`; tokens are written by their names.
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
        let frame = CallFrame::of(self);
        let arguments = written_arguments(frame.arguments, arguments);
        let piece = |piece: &CallPiece| match piece {
            CallPiece::Text(text) | CallPiece::Token(text) => (*text).to_owned(),
            CallPiece::Name => name.to_owned(),
            CallPiece::NameInString => in_string(name),
            CallPiece::Arguments => arguments.clone(),
            CallPiece::Number => "0".to_owned(),
            CallPiece::NineLetterId => String::new(),
        };
        [frame.begins, frame.call, frame.ends].into_iter().flatten().map(piece).collect()
    }
}

fn written_arguments(frame: ArgumentFrame, arguments: &Map<String, Value>) -> String {
    match frame {
        ArgumentFrame::Json(JsonSpace::Spaced) => spaced(&Value::Object(arguments.clone())),
        ArgumentFrame::Json(JsonSpace::Compact) => Value::Object(arguments.clone()).to_string(),
        ArgumentFrame::Fields { separator, before, behind, .. } => {
            let field = |(key, value): (&String, &Value)| {
                [&FieldPiece::written(before, key, value.is_string()), &*bare(value), behind].concat()
            };
            arguments.iter().map(field).collect::<Vec<_>>().join(separator)
        }
        ArgumentFrame::Keywords { separator, .. } => {
            let keyword = |(key, value): (&String, &Value)| format!("{key}={}", python_literal(value));
            arguments.iter().map(keyword).collect::<Vec<_>>().join(separator)
        }
    }
}

/// Writes a text in the form that it has inside the quotes of a JSON string.
fn in_string(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Writes a string as it is, and any other value as JSON.
fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| spaced(value), str::to_owned)
}
