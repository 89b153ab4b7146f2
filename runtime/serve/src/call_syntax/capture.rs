//! The captures of a format with calls, by which an answer is read.
//!
//! `any_tool` names the called function; captures with a number name the custom tool. `std.tools` has its own captures in arguments with tags.

/// A region with calls.
pub(crate) const CALLS: &str = "calls";

/// The text that takes the place of calls, unless the format is any text.
pub(crate) const ANSWER: &str = "answer";

/// The input of a custom tool with a grammar.
pub(crate) const INPUT: &str = "input";

/// The name of an argument with tags.
pub(crate) const KEY: &str = "key";

/// An argument that is a string without quotes.
pub(crate) const TEXT: &str = "text";

/// An argument that is JSON.
pub(crate) const JSON: &str = "json";

/// Prefix of the captures of custom tools.
const CUSTOM: &str = "custom";

/// Returns the capture of the calls of the custom tool with a number.
pub(crate) fn custom(number: usize) -> String {
    format!("{CUSTOM}{number}")
}

/// Returns the number of the custom tool whose calls have this capture.
pub(crate) fn custom_number(capture: &str) -> Option<usize> {
    capture.strip_prefix(CUSTOM)?.parse().ok()
}
