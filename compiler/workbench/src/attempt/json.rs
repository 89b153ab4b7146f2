//! Reads the prefix of a JSON value to locate its end: the path, the keys so far, and the unfinished part.

/// The prefix of a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Json {
    /// Offset of its first byte.
    pub(super) start: usize,
    /// The objects and arrays that are open, outermost first.
    pub(super) levels: Vec<Level>,
    pub(super) place: JsonPlace,
}

/// An object or array that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// The keys so far; the last one belongs to the member at the end of the text.
    Object(Vec<String>),
    /// The number of complete items before the end of the text.
    Array(usize),
}

/// The JSON part that comes next, or that is unfinished at the end of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonPlace {
    Value,
    /// After `[`.
    ItemOrEnd,
    String(usize),
    /// Inside a number or a word such as `true` or `True`; holds its start.
    Scalar(usize),
    /// After `{`.
    KeyOrEnd,
    /// After `,`.
    Key,
    InKey(usize),
    Colon,
    AfterValue,
}

/// Returns the unclosed JSON value at the end of `text`, if it starts at byte 0 or at a bracket.
pub(super) fn open_value(text: &[u8], is_value: bool) -> Option<Json> {
    let first = text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len());
    let begins = |at: usize| matches!(text.get(at), Some(b'{' | b'['));
    if let Some(json) = read(text, first).filter(|_| is_value || begins(first)) {
        return Some(json);
    }
    let starts = (MOST_WORK / text.len().max(1)).clamp(1, MOST_STARTS);
    let later = (first..text.len()).filter(|&at| begins(at)).take(starts);
    later.filter_map(|at| read(text, at)).find(|json| !json.levels.is_empty())
}

/// Maximum number of brackets that are tried as the start of a value.
const MOST_STARTS: usize = 1_000;

/// Maximum total number of bytes read for these attempts.
const MOST_WORK: usize = 50_000_000;

/// Reads the prefix of a value; `None` if the text is no such prefix.
fn read(text: &[u8], start: usize) -> Option<Json> {
    let mut json = Json { start, levels: Vec::new(), place: JsonPlace::Value };
    let mut at = start;
    while let Some(&byte) = text.get(at) {
        if is_space(byte) {
            at += 1;
            continue;
        }
        match json.read_one(text, at, byte)? {
            Some(next) => at = next,
            None => return Some(json),
        }
    }
    Some(json)
}

impl Json {
    /// Reads a bracket, comma, colon, string or scalar. Returns the offset after it, or `Some(None)` if the text ends
    /// inside it.
    fn read_one(&mut self, text: &[u8], at: usize, byte: u8) -> Option<Option<usize>> {
        match (self.place, byte) {
            (JsonPlace::Value | JsonPlace::ItemOrEnd, b'{') => {
                self.levels.push(Level::Object(Vec::new()));
                self.place = JsonPlace::KeyOrEnd;
            }
            (JsonPlace::Value | JsonPlace::ItemOrEnd, b'[') => {
                self.levels.push(Level::Array(0));
                self.place = JsonPlace::ItemOrEnd;
            }
            (JsonPlace::ItemOrEnd | JsonPlace::AfterValue, b']') => {
                self.close(|level| matches!(level, Level::Array(_)))?
            }
            (JsonPlace::KeyOrEnd | JsonPlace::AfterValue, b'}') => {
                self.close(|level| matches!(level, Level::Object(_)))?
            }
            (JsonPlace::Value | JsonPlace::ItemOrEnd, _) => return self.leaf(text, at, byte),
            (JsonPlace::KeyOrEnd | JsonPlace::Key, b'"') => return self.key(text, at),
            (JsonPlace::Colon, b':') => self.place = JsonPlace::Value,
            (JsonPlace::AfterValue, b',') => match self.levels.last_mut()? {
                Level::Object(_) => self.place = JsonPlace::Key,
                Level::Array(items) => {
                    *items += 1;
                    self.place = JsonPlace::Value;
                }
            },
            _ => return None,
        }
        Some(Some(at + 1))
    }

    fn close(&mut self, is_right: impl Fn(&Level) -> bool) -> Option<()> {
        self.levels.pop().filter(is_right)?;
        self.place = JsonPlace::AfterValue;
        Some(())
    }

    fn leaf(&mut self, text: &[u8], at: usize, byte: u8) -> Option<Option<usize>> {
        let end = match byte {
            b'"' => string_end(text, at),
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' | b'T' | b'F' | b'N' => {
                Some(scalar_end(text, at)).filter(|&end| end < text.len())
            }
            _ => return None,
        };
        self.place = match (end, byte) {
            (Some(_), _) => JsonPlace::AfterValue,
            (None, b'"') => JsonPlace::String(at),
            (None, _) => JsonPlace::Scalar(at),
        };
        Some(end)
    }

    fn key(&mut self, text: &[u8], at: usize) -> Option<Option<usize>> {
        let Some(end) = string_end(text, at) else {
            self.place = JsonPlace::InKey(at);
            return Some(None);
        };
        if let Some(Level::Object(keys)) = self.levels.last_mut() {
            keys.push(decoded(text, at)?);
        }
        self.place = JsonPlace::Colon;
        Some(Some(end))
    }

    /// Returns the path to the innermost open object or array.
    pub(super) fn container(&self) -> String {
        path(self.levels.get(..self.levels.len().saturating_sub(1)).unwrap_or_default())
    }

    /// Returns the path to the value at the end of the text.
    pub(super) fn path(&self) -> String {
        path(&self.levels)
    }

    /// Returns the keys of the innermost open object.
    pub(super) fn keys(&self) -> &[String] {
        match self.levels.last() {
            Some(Level::Object(keys)) => keys,
            Some(Level::Array(_)) | None => &[],
        }
    }
}

/// Number of levels shown at each end of the path to a deep value.
const SHOWN_LEVELS: usize = 16;

fn path(levels: &[Level]) -> String {
    let is_word = |key: &str| {
        key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let step = |level: &Level| match level {
        Level::Array(items) => format!("[{items}]"),
        Level::Object(keys) => match keys.last() {
            Some(key) if is_word(key) => format!(".{key}"),
            Some(key) => format!("[{}]", serde_json::Value::from(key.as_str())),
            None => String::new(),
        },
    };
    let steps = |levels: &[Level]| levels.iter().map(step).collect::<String>();
    match levels.len().checked_sub(2 * SHOWN_LEVELS).filter(|hidden| *hidden > 0) {
        Some(hidden) => {
            let (outer, inner) = (&levels[..SHOWN_LEVELS], &levels[SHOWN_LEVELS + hidden..]);
            format!("${} … {hidden} levels … {}", steps(outer), steps(inner))
        }
        None => format!("${}", steps(levels)),
    }
}

/// Returns whether a byte is white space of JSON.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Returns the offset after a string that starts at `at`; `None` if the string is not closed.
pub(super) fn string_end(text: &[u8], at: usize) -> Option<usize> {
    let mut next = at + 1;
    loop {
        match text.get(next)? {
            b'"' => return Some(next + 1),
            b'\\' => next += 2,
            _ => next += 1,
        }
    }
}

/// Returns the offset after a number or literal.
pub(super) fn scalar_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    at + rest.iter().position(|&byte| !is_part(byte)).unwrap_or(rest.len())
}

/// Decodes the string that starts at `at`; `None` if it is not valid JSON.
pub(super) fn decoded(text: &[u8], at: usize) -> Option<String> {
    serde_json::from_slice(text.get(at..string_end(text, at)?)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<(String, JsonPlace)> {
        open_value(text.as_bytes(), true).map(|json| (json.path(), json.place))
    }

    #[test]
    fn every_prefix_of_json_has_a_path_and_position() {
        let cases = [
            ("", "$", JsonPlace::Value),
            (" {", "$", JsonPlace::KeyOrEnd),
            (r#"{"a": [1, {"b c": "x"#, r#"$.a[1]["b c"]"#, JsonPlace::String(18)),
            (r#"{"a": 12"#, "$.a", JsonPlace::Scalar(6)),
            (r#"{"a": 12, "#, "$.a", JsonPlace::Key),
            (r#"{"a\n""#, r#"$["a\n"]"#, JsonPlace::Colon),
            ("[[],", "$[1]", JsonPlace::Value),
            ("[", "$[0]", JsonPlace::ItemOrEnd),
            (r#"see {x} and [{"k": tr"#, "$[0].k", JsonPlace::Scalar(19)),
        ];
        for (text, path, place) in cases {
            assert_eq!(at(text), Some((path.to_owned(), place)), "{text}");
        }
        assert_eq!(open_value(b"no [brackets]", false), None);
    }
}
