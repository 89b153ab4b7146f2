//! Reads the input of a custom tool from the growing arguments of its call: `{"input": "..."}`, with optional JSON white space.

/// The characters before the input. White space may come before each of [`GAPS`].
const BEFORE: &[u8] = b"{\"input\":\"";

/// The positions in [`BEFORE`] at which a token begins.
const GAPS: [usize; 4] = [0, 1, 8, 9];

/// The part of the arguments that is read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// The text before the input, from this index of [`BEFORE`] on.
    Before(usize),
    Input,
    /// The bracket behind the input.
    Bracket,
    /// Only white space.
    Behind,
}

/// The reader of one input.
#[derive(Clone, Debug)]
pub(crate) struct InputReader {
    reading: Reading,
    /// An incomplete escape.
    escape: String,
}

/// Error: the arguments are not an object with a single string, `input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoInput;

impl Default for InputReader {
    fn default() -> Self {
        Self { reading: Reading::Before(0), escape: String::new() }
    }
}

impl InputReader {
    /// Reads more of the arguments; returns the text that this adds to the input.
    pub(crate) fn grow(&mut self, text: &str) -> Result<String, NoInput> {
        let mut input = String::new();
        for character in text.chars() {
            self.character(character, &mut input)?;
        }
        Ok(input)
    }

    /// Returns whether the arguments are complete.
    pub(crate) fn is_whole(&self) -> bool {
        self.reading == Reading::Behind
    }

    fn character(&mut self, character: char, input: &mut String) -> Result<(), NoInput> {
        let is_space = matches!(character, ' ' | '\t' | '\n' | '\r');
        self.reading = match self.reading {
            Reading::Before(at) if is_space && GAPS.contains(&at) => Reading::Before(at),
            Reading::Before(at) if BEFORE.get(at).copied().map(char::from) == Some(character) => {
                if at + 1 < BEFORE.len() { Reading::Before(at + 1) } else { Reading::Input }
            }
            Reading::Input => return self.inside(character, input),
            Reading::Bracket | Reading::Behind if is_space => self.reading,
            Reading::Bracket if character == '}' => Reading::Behind,
            Reading::Before(_) | Reading::Bracket | Reading::Behind => return Err(NoInput),
        };
        Ok(())
    }

    /// Reads a character of the string.
    fn inside(&mut self, character: char, input: &mut String) -> Result<(), NoInput> {
        match character {
            _ if !self.escape.is_empty() => {
                self.escape.push(character);
                self.end_escape(input)?;
            }
            '\\' => self.escape.push(character),
            '"' => self.reading = Reading::Bracket,
            character if character < ' ' => return Err(NoInput),
            character => input.push(character),
        }
        Ok(())
    }

    /// Decodes the escape if it is complete. The two escapes of a surrogate pair count as one.
    fn end_escape(&mut self, input: &mut String) -> Result<(), NoInput> {
        let bytes = self.escape.as_bytes();
        let whole = match bytes.get(1) {
            Some(b'u') if bytes.get(2).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'd')) => {
                // The first half of a pair is D800 to DBFF.
                let is_first = bytes.get(3).is_none_or(|byte| matches!(byte, b'8' | b'9' | b'a' | b'b' | b'A' | b'B'));
                if is_first { 12 } else { 6 }
            }
            Some(b'u') => 6,
            _ => 2,
        };
        if bytes.len() < whole {
            return Ok(());
        }
        let decoded: String = serde_json::from_str(&format!("\"{}\"", self.escape)).map_err(|_| NoInput)?;
        self.escape.clear();
        input.push_str(&decoded);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the arguments in pieces of each length, which must all give the same result.
    fn read(arguments: &str) -> Option<String> {
        let all: Vec<Option<String>> = (1..=arguments.len().max(1)).map(|len| in_parts(arguments, len)).collect();
        assert!(all.iter().all(|one| *one == all[0]), "{arguments}: {all:?}");
        all[0].clone()
    }

    fn in_parts(arguments: &str, len: usize) -> Option<String> {
        let characters: Vec<char> = arguments.chars().collect();
        let mut reader = InputReader::default();
        let mut input = String::new();
        for part in characters.chunks(len) {
            input += &reader.grow(&part.iter().collect::<String>()).ok()?;
        }
        reader.is_whole().then_some(input)
    }

    #[test]
    fn custom_tool_inputs_are_decoded() {
        for input in
            ["", "a", "\"}\n</tool_call>", "\\n\n\t\u{1}\u{7f}", "h\u{e9} \u{10348} \u{2028}", "{\"input\": \"\"}"]
        {
            let written = serde_json::json!({ "input": input }).to_string();
            assert_eq!(read(&written).as_deref(), Some(input), "{written}");
            let spaced = format!(" {{\n \"input\" :\t{} }}\r\n", serde_json::json!(input));
            assert_eq!(read(&spaced).as_deref(), Some(input), "{spaced}");
        }
        assert_eq!(read(r#"{"input":"\u00e9\ud800\udf48\/\uD7FF"}"#).as_deref(), Some("\u{e9}\u{10348}/\u{d7ff}"));
    }

    #[test]
    fn arguments_of_another_shape_are_no_custom_tool_input() {
        let others = [
            "",
            "{}",
            r#"{"input":1}"#,
            r#"{"inputs":"a"}"#,
            r#"{"input":"a","b":1}"#,
            r#"{"input":"a""#,
            r#"{"input":"a"}}"#,
            "{\"input\":\"\n\"}",
            r#"{"input":"\x"}"#,
            r#"{"input":"\ud800"}"#,
            r#"{"input":"\ud800\u0041"}"#,
            r#"{"input":"\udc00"}"#,
            r#"{"in put":"a"}"#,
            r#""a""#,
        ];
        for arguments in others {
            assert_eq!(read(arguments), None, "{arguments}");
        }
    }
}
