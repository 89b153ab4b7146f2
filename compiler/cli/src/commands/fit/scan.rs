//! Tracks the position of a text inside a JSON value: in its structure, in a string, in a number or word. The scanner
//! takes any text and never fails: formats only let JSON through, and of the text that a model wants instead, only the
//! beginning is examined.

/// The kinds of positions in JSON, by what may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum JsonPlace {
    /// A value comes next.
    Value,
    /// A key, or the end of the object, comes next.
    Key,
    /// Inside a key.
    KeyString,
    /// The colon after a key comes next.
    Colon,
    /// A comma or the end comes next, after a value.
    After,
    /// Inside a string value.
    String,
    /// Inside or after a number or word.
    Scalar,
}

/// An open object or array.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Open {
    /// An object, and its latest key.
    Object(String),
    Array,
}

/// Follows a JSON value byte by byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scanner {
    open: Vec<Open>,
    pub(super) place: JsonPlace,
    /// The bytes of the current string (without the quote), number or word.
    pub(super) written: Vec<u8>,
    /// Number of bytes that the current escape still needs.
    escape: usize,
}

impl Scanner {
    pub(super) fn new() -> Self {
        Self { open: Vec::new(), place: JsonPlace::Value, written: Vec::new(), escape: 0 }
    }

    pub(super) fn read(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.step(*byte));
    }

    /// Returns whether the position is inside an escape.
    pub(super) fn is_in_escape(&self) -> bool {
        self.escape > 0
    }

    /// Returns whether the innermost open value is an object.
    pub(super) fn is_in_object(&self) -> bool {
        matches!(self.open.last(), Some(Open::Object(_)))
    }

    /// Returns whether no object or array is open.
    pub(super) fn is_outermost(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the current key of the innermost object around this position.
    pub(super) fn key(&self) -> Option<&str> {
        self.open.iter().rev().find_map(|open| match open {
            Open::Object(key) => Some(key.as_str()),
            Open::Array => None,
        })
    }

    /// Returns the path of the value at this position, such as `/people/*/name`; inside a key, the path of its object.
    pub(super) fn path(&self) -> String {
        match self.place {
            JsonPlace::Key | JsonPlace::KeyString => self.path_around(),
            _ => self.path_of(self.open.len()),
        }
    }

    /// Returns the path of the innermost open object or array.
    pub(super) fn path_around(&self) -> String {
        self.path_of(self.open.len().saturating_sub(1))
    }

    fn path_of(&self, open: usize) -> String {
        let step = |open: &Open| match open {
            Open::Object(key) => format!("/{key}"),
            Open::Array => "/*".to_owned(),
        };
        self.open[..open].iter().map(step).collect()
    }

    fn step(&mut self, byte: u8) {
        match (self.place, byte) {
            (JsonPlace::String | JsonPlace::KeyString, _) => self.step_string(byte),
            (_, b' ' | b'\t' | b'\n' | b'\r') if self.place != JsonPlace::Scalar => {}
            (JsonPlace::Value, b'{') => self.begin(Open::Object(String::new()), JsonPlace::Key),
            (JsonPlace::Value, b'[') => self.begin(Open::Array, JsonPlace::Value),
            (JsonPlace::Value, b'"') => self.begin_string(JsonPlace::String),
            (JsonPlace::Key, b'"') => self.begin_string(JsonPlace::KeyString),
            (JsonPlace::Colon, b':') => self.place = JsonPlace::Value,
            (JsonPlace::After | JsonPlace::Scalar, b',') => {
                self.place = if self.is_in_object() { JsonPlace::Key } else { JsonPlace::Value };
            }
            (_, b'}' | b']') => {
                self.open.pop();
                self.place = JsonPlace::After;
            }
            (JsonPlace::Scalar, b' ' | b'\t' | b'\n' | b'\r') => self.place = JsonPlace::After,
            (JsonPlace::Value, _) => {
                self.place = JsonPlace::Scalar;
                self.written = vec![byte];
            }
            (JsonPlace::Scalar, _) => self.written.push(byte),
            (JsonPlace::Key | JsonPlace::Colon | JsonPlace::After, _) => {}
        }
    }

    fn begin(&mut self, open: Open, place: JsonPlace) {
        self.open.push(open);
        self.place = place;
    }

    fn begin_string(&mut self, place: JsonPlace) {
        self.written.clear();
        self.escape = 0;
        self.place = place;
    }

    fn step_string(&mut self, byte: u8) {
        match (self.escape, byte) {
            (0, b'"') => return self.end_string(),
            (0, b'\\') => self.escape = 5,
            // The first byte of the escape tells whether four digits follow.
            (5, b'u') => self.escape = 4,
            (5, _) => self.escape = 0,
            (more, _) => self.escape = more.saturating_sub(1),
        }
        self.written.push(byte);
    }

    fn end_string(&mut self) {
        if self.place == JsonPlace::String {
            self.place = JsonPlace::After;
            return;
        }
        let key = String::from_utf8_lossy(&self.written).into_owned();
        if let Some(Open::Object(last)) = self.open.last_mut() {
            *last = key;
        }
        self.place = JsonPlace::Colon;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, place: JsonPlace, path: &str, written: &str) {
        let mut scanner = Scanner::new();
        scanner.read(text.as_bytes());
        let written_so_far = match scanner.place {
            JsonPlace::String | JsonPlace::KeyString | JsonPlace::Scalar => scanner.written.as_slice(),
            _ => b"",
        };
        assert_eq!(
            (scanner.place, scanner.path().as_str(), written_so_far),
            (place, path, written.as_bytes()),
            "{text}"
        );
    }

    #[test]
    fn the_json_position_is_known_after_every_prefix() {
        check("", JsonPlace::Value, "", "");
        check("{", JsonPlace::Key, "", "");
        check("{ \"a", JsonPlace::KeyString, "", "a");
        check("{\"a\" ", JsonPlace::Colon, "/a", "");
        check("{\"a\": ", JsonPlace::Value, "/a", "");
        check("{\"a\": \"x\\\"y", JsonPlace::String, "/a", "x\\\"y");
        check("{\"a\": \"x\\u00e", JsonPlace::String, "/a", "x\\u00e");
        check("{\"a\": \"x\\u0022\"", JsonPlace::After, "/a", "");
        check("{\"a\":12", JsonPlace::Scalar, "/a", "12");
        check("{\"a\":12\n", JsonPlace::After, "/a", "");
        check("{\"a\":12,", JsonPlace::Key, "", "");
        check("{\"a\":[{\"b\":tr", JsonPlace::Scalar, "/a/*/b", "tr");
        check("{\"a\":[{\"b\":true}", JsonPlace::After, "/a/*", "");
        check("{\"a\":[],\"c", JsonPlace::KeyString, "", "c");
        check("[1,[2]", JsonPlace::After, "/*", "");
        check("[1]", JsonPlace::After, "", "");
    }

    #[test]
    fn malformed_json_does_not_panic_the_scanner() {
        for text in ["}}]]", "\"\\", "a\"b", "{]:,\"", "{\"a\":}"] {
            Scanner::new().read(text.as_bytes());
        }
    }
}
