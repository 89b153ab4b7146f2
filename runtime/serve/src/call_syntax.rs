//! How a call of a tool is written in a text.
//!
//! Calls are written as Hermes and Qwen do, which most models follow when they are told so: between tags, a line with an object of
//! the name and the arguments. The arguments are of the schema of the tool that is named, and stand on one line, so that they end
//! with the line.

/// What stands before the name of a tool in a call.
pub(crate) const CALL_BEGINS: &str = "<tool_call>\n{\"name\": \"";

/// What stands between a tool's name and its arguments.
pub(crate) const CALL_MIDDLE: &str = "\", \"arguments\": ";

/// What stands behind the arguments.
pub(crate) const CALL_ENDS: &str = "}\n</tool_call>";
