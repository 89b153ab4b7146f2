//! JSON values for writing: members in order, numbers as exact literals.

use ogc_schema::source::Value;
use std::fmt::Write;

/// Width in characters up to which an array or object stays on one line.
const WIDTH: usize = 80;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// A literal.
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub(super) fn text(text: &str) -> Json {
        Json::String(text.to_owned())
    }

    pub(super) fn number(number: impl ToString) -> Json {
        Json::Number(number.to_string())
    }

    /// Converts a value. The limit of the value's reader bounds the recursion.
    pub(super) fn value(value: &Value) -> Json {
        match value {
            Value::Null => Json::Null,
            Value::Bool(truth) => Json::Bool(*truth),
            Value::Number(number) => Json::number(number),
            Value::String(text) => Json::text(text),
            Value::Array(items) => Json::Array(items.iter().map(Json::value).collect()),
            Value::Object(members) => {
                Json::Object(members.iter().map(|(key, value)| (key.clone(), Json::value(value))).collect())
            }
        }
    }

    /// Writes the value indented by two spaces, with a final line end; short parts stay on one line.
    pub(super) fn print(&self) -> String {
        let mut out = String::new();
        self.write(0, &mut out);
        out.push('\n');
        out
    }

    fn write(&self, depth: usize, out: &mut String) {
        match self {
            Json::Array(items) if self.breaks(depth) => {
                broken(items, depth, ['[', ']'], out, |item, out| item.write(depth + 1, out));
            }
            Json::Object(members) if self.breaks(depth) => {
                broken(members, depth, ['{', '}'], out, |(key, value), out| {
                    string(key, out);
                    out.push_str(": ");
                    value.write(depth + 1, out);
                });
            }
            _ => self.flat(out),
        }
    }

    fn breaks(&self, depth: usize) -> bool {
        let whole = depth == 0 && matches!(self, Json::Object(members) if !members.is_empty());
        whole || self.width() + 2 * depth > WIDTH
    }

    /// Estimates the length on one line; stops a little above the maximal width.
    fn width(&self) -> usize {
        fn add(value: &Json, sum: &mut usize) {
            if *sum > WIDTH {
                return;
            }
            *sum += match value {
                Json::Null | Json::Bool(_) => 5,
                Json::Number(literal) => literal.len(),
                Json::String(text) => text.len() + 2,
                Json::Array(items) => {
                    items.iter().for_each(|item| add(item, sum));
                    2 * items.len() + 2
                }
                Json::Object(members) => {
                    members.iter().for_each(|(_, value)| add(value, sum));
                    members.iter().take(WIDTH).map(|(key, _)| key.len() + 6).sum::<usize>() + 2
                }
            };
        }
        let mut sum = 0;
        add(self, &mut sum);
        sum
    }

    /// Writes the value on one line.
    pub(super) fn flat(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Json::Number(literal) => out.push_str(literal),
            Json::String(text) => string(text, out),
            Json::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    item.flat(out);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    string(key, out);
                    out.push_str(": ");
                    value.flat(out);
                }
                out.push('}');
            }
        }
    }
}

fn broken<T>(parts: &[T], depth: usize, brackets: [char; 2], out: &mut String, write: impl Fn(&T, &mut String)) {
    let [open, close] = brackets;
    out.push(open);
    for (index, part) in parts.iter().enumerate() {
        out.push_str(if index > 0 { ",\n" } else { "\n" });
        out.push_str(&"  ".repeat(depth + 1));
        write(part, out);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(close);
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _infallible = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
