//! JSON as Python's `json.dumps` writes it, with unescaped characters and a space after each comma and colon: models
//! were trained on this spelling. As the filter `tojson`, it replaces the filter of the template engine, which writes
//! for web pages: without spaces, and with `<` as an escape.

use std::io;

use always_assert::never;
use minijinja::value::{Kwargs, from_args};
use minijinja::{Error, ErrorKind, Value};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// The words of JSON for null, false and true.
const JSON: [&str; 3] = ["null", "false", "true"];

/// Cap on the bytes of a separator, on which the meter relies.
const SEPARATOR: usize = 8;

/// Writes a value: the arguments are the value, perhaps the indentation, and Python's arguments by their names.
pub(super) fn dumps(args: &[Value]) -> Result<Value, Error> {
    let (value, indent, named): (Value, Option<Value>, Kwargs) = from_args(args)?;
    let indent = indent.or(named.get("indent")?);
    let is_ascii = named.get::<Option<bool>>("ensure_ascii")?.unwrap_or(false);
    let is_sorted = named.get::<Option<bool>>("sort_keys")?.unwrap_or(false);
    let separators = separators(named.get("separators")?, indent.is_some())?;
    named.assert_all_used()?;
    let indent = indent.map(columns).transpose()?;
    let spelling = Spelling { separators, indent, is_ascii, words: JSON, depth: 0, is_empty: true };
    let failed = |error: serde_json::Error| Error::new(ErrorKind::InvalidOperation, error.to_string());
    let mut value = serde_json::to_value(&value).map_err(failed)?;
    if is_sorted {
        value.sort_all_objects();
    }
    written(&value, spelling).map(Value::from).map_err(failed)
}

/// Writes a value on one line.
pub(super) fn spaced(value: &serde_json::Value) -> String {
    on_one_line(value, JSON)
}

/// Writes a value as a literal of Python on one line.
pub(super) fn python_literal(value: &serde_json::Value) -> String {
    on_one_line(value, ["None", "False", "True"])
}

fn on_one_line(value: &serde_json::Value, words: [&'static str; 3]) -> String {
    let separators = [", ", ": "].map(str::to_owned);
    let spelling = Spelling { separators, indent: None, is_ascii: false, words, depth: 0, is_empty: true };
    let text = written(value, spelling);
    never!(text.is_err(), "{} is written to memory", value);
    text.unwrap_or_default()
}

fn written(value: &serde_json::Value, spelling: Spelling) -> serde_json::Result<String> {
    let mut text = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut text, spelling))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns the columns of a level; in Python, `True` is 1.
fn columns(indent: Value) -> Result<usize, Error> {
    match bool::try_from(indent.clone()) {
        Ok(flag) => Ok(usize::from(flag)),
        Err(_) => usize::try_from(indent),
    }
}

/// Returns the separator of items, and the separator between a key and its value.
fn separators(given: Option<Vec<String>>, is_indented: bool) -> Result<[String; 2], Error> {
    let usual = [if is_indented { "," } else { ", " }, ": "].map(str::to_owned);
    let Some(given) = given else { return Ok(usual) };
    let wrong = "`separators` of `tojson` takes two strings of at most 8 bytes";
    let pair: [String; 2] = given.try_into().map_err(|_| Error::new(ErrorKind::InvalidOperation, wrong))?;
    match pair.iter().all(|one| one.len() <= SEPARATOR) {
        true => Ok(pair),
        false => Err(Error::new(ErrorKind::InvalidOperation, wrong)),
    }
}

/// The spelling of JSON: separators, line ends and escapes.
struct Spelling {
    separators: [String; 2],
    /// The columns of a level; `None` for one line.
    indent: Option<usize>,
    is_ascii: bool,
    /// The words for null, false and true.
    words: [&'static str; 3],
    depth: usize,
    /// Whether the innermost array or object is still empty.
    is_empty: bool,
}

impl Spelling {
    fn open<W: io::Write + ?Sized>(&mut self, writer: &mut W, bracket: &str) -> io::Result<()> {
        (self.depth, self.is_empty) = (self.depth + 1, true);
        writer.write_all(bracket.as_bytes())
    }

    fn close<W: io::Write + ?Sized>(&mut self, writer: &mut W, bracket: &str) -> io::Result<()> {
        self.depth -= 1;
        if !self.is_empty {
            self.line(writer)?;
        }
        self.is_empty = false;
        writer.write_all(bracket.as_bytes())
    }

    fn item<W: io::Write + ?Sized>(&mut self, writer: &mut W, is_first: bool) -> io::Result<()> {
        if !is_first {
            writer.write_all(self.separators[0].as_bytes())?;
        }
        self.is_empty = false;
        self.line(writer)
    }

    /// Begins a line, if values have lines of their own.
    fn line<W: io::Write + ?Sized>(&self, writer: &mut W) -> io::Result<()> {
        let Some(columns) = self.indent else { return Ok(()) };
        writer.write_all(b"\n")?;
        writer.write_all(" ".repeat(columns * self.depth).as_bytes())
    }
}

impl Formatter for Spelling {
    fn write_null<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(self.words[0].as_bytes())
    }

    fn write_bool<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: bool) -> io::Result<()> {
        writer.write_all(self.words[1 + usize::from(value)].as_bytes())
    }

    fn begin_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, "[")
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, "]")
    }

    fn begin_array_value<W: io::Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.item(writer, first)
    }

    fn begin_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, "{")
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, "}")
    }

    fn begin_object_key<W: io::Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.item(writer, first)
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(self.separators[1].as_bytes())
    }

    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        if !self.is_ascii {
            return writer.write_all(fragment.as_bytes());
        }
        for character in fragment.chars() {
            match character.is_ascii() {
                true => write!(writer, "{character}")?,
                false => {
                    character.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(writer, "\\u{unit:04x}"))?
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use minijinja::context;

    #[test]
    fn literals_of_python_have_its_words() {
        let value = serde_json::json!({ "null": [null, true, false, "true\n", -1.5] });
        assert_eq!(super::python_literal(&value), "{\"null\": [None, True, False, \"true\\n\", -1.5]}");
    }

    /// The expectations are the output of `json.dumps` of Python 3.
    #[test]
    fn json_is_written_like_python() {
        let value = serde_json::json!({ "z": [1, -2.5, "h\u{e9} <b>'&\u{1f600}\u{1}\n"], "a": {}, "l": [], "n": null, "t": true });
        let plain =
            "{\"z\": [1, -2.5, \"h\u{e9} <b>'&\u{1f600}\\u0001\\n\"], \"a\": {}, \"l\": [], \"n\": null, \"t\": true}";
        let ascii = plain.replace('\u{e9}', "\\u00e9").replace('\u{1f600}', "\\ud83d\\ude00");
        let sorted =
            "{\"a\": {}, \"l\": [], \"n\": null, \"t\": true, \"z\": [1, -2.5, \"h\u{e9} <b>'&\u{1f600}\\u0001\\n\"]}";
        let compact = plain.replace("\": ", "\":").replace(", ", ",");
        let lines = "{\n  \"z\": [\n    1,\n    -2.5,\n    \"h\u{e9} <b>'&\u{1f600}\\u0001\\n\"\n  ],\n  \"a\": {},\n  \"l\": [],\n  \"n\": null,\n  \"t\": true\n}";
        let cases = [
            ("", plain),
            ("ensure_ascii=False", plain),
            ("ensure_ascii=true", &ascii),
            ("sort_keys=true", sorted),
            ("separators=(',', ':')", &compact),
            ("indent=2", lines),
            ("2", lines),
            ("indent=none", plain),
        ];
        for (arguments, expected) in cases {
            let source = format!("{{{{ value | tojson({arguments}) }}}}");
            let template = crate::ChatTemplate::new(source.replace("value", "messages"), "", "").unwrap();
            assert_eq!(template.render(&value, None::<&()>).unwrap(), expected, "{source}");
        }
        let refused = |source: &str| {
            let template = crate::ChatTemplate::new(source.to_owned(), "", "").unwrap();
            template.render(&context! { a => 1 }, None::<&()>).unwrap_err().to_string()
        };
        assert!(refused("{{ messages | tojson(separators=(',,,,,,,,,', ':')) }}").contains("at most 8 bytes"));
        assert!(refused("{{ messages | tojson(width=3) }}").contains("width"));
    }
}
