//! Fields of a request: each knows its path, so that an error names the field, the expected value, and the given one.
//!
//! A field that is `null` counts as absent, because clients write it so. The text of a field is kept unchanged, because findings have positions in
//! it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::ApiError;

/// Maximum number of characters of a name or a value that an error repeats.
const MAX_SHOWN: usize = 64;

/// A field that is present.
#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    path: String,
    /// The value, as JSON text.
    text: &'a str,
}

/// The fields of an object that were not taken yet.
#[derive(Debug)]
pub(super) struct Object<'a> {
    /// Path of the object; empty for the body.
    path: String,
    fields: Vec<(Cow<'a, str>, &'a RawValue)>,
    /// Names that were asked for.
    known: Vec<&'static str>,
}

impl<'a> Field<'a> {
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the value as JSON text.
    pub(super) fn json(&self) -> &'a str {
        self.text
    }

    /// Makes an error that names the values that the field expects.
    pub(super) fn wrong(&self, takes: &str) -> ApiError {
        self.error(&format!("it takes {takes}"), true)
    }

    /// Makes an error about the field.
    pub(super) fn refused(&self, reason: &str) -> ApiError {
        self.error(reason, false)
    }

    fn error(&self, reason: &str, says_value: bool) -> ApiError {
        let what = if self.path.is_empty() { "the body".to_owned() } else { format!("`{}`", self.path) };
        let message = match says_value {
            true => format!("{what} is {}; {reason}", self.shown()),
            false => format!("{what}: {reason}"),
        };
        ApiError::invalid(Some(self.path.as_str()).filter(|path| !path.is_empty()), message)
    }

    /// Describes the value: a short one as it is written, others by their kind.
    fn shown(&self) -> String {
        match self.text.as_bytes().first() {
            Some(b'{') => "an object".to_owned(),
            Some(b'[') => "an array".to_owned(),
            Some(b'"') if self.text.chars().nth(MAX_SHOWN).is_some() => "a long string".to_owned(),
            _ => self.text.chars().take(MAX_SHOWN).collect(),
        }
    }

    /// Reads a value of any kind.
    pub(super) fn value(&self) -> Result<Value, ApiError> {
        // The text is valid JSON; only its depth can be an error.
        serde_json::from_str(self.text).map_err(|error| self.refused(&error.to_string()))
    }

    pub(super) fn is_object(&self) -> bool {
        self.text.starts_with('{')
    }

    pub(super) fn is_list(&self) -> bool {
        self.text.starts_with('[')
    }

    pub(super) fn is_text(&self) -> bool {
        self.text.starts_with('"')
    }

    /// Reads an object, whose fields are taken one by one.
    pub(super) fn object(&self) -> Result<Object<'a>, ApiError> {
        if !self.is_object() {
            return Err(self.wrong("an object"));
        }
        let Members(fields) = serde_json::from_str(self.text).map_err(|error| self.refused(&error.to_string()))?;
        let mut names: Vec<&str> = fields.iter().map(|(name, _)| name.as_ref()).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let path = inside(&self.path, twice[0]);
            return Err(ApiError::invalid(Some(&path), format!("`{path}` stands twice in its object: remove one")));
        }
        Ok(Object { path: self.path.clone(), fields, known: Vec::new() })
    }

    /// Reads a list.
    pub(super) fn list(&self) -> Result<Vec<Field<'a>>, ApiError> {
        if !self.is_list() {
            return Err(self.wrong("an array"));
        }
        let items: Vec<&RawValue> =
            serde_json::from_str(self.text).map_err(|error| self.refused(&error.to_string()))?;
        let path = &self.path;
        Ok(items
            .into_iter()
            .enumerate()
            .map(|(at, item)| Field { path: format!("{path}[{at}]"), text: item.get() })
            .collect())
    }

    /// Reads a text.
    pub(super) fn text(&self) -> Result<String, ApiError> {
        if !self.is_text() {
            return Err(self.wrong("a string"));
        }
        serde_json::from_str(self.text).map_err(|error| self.refused(&error.to_string()))
    }

    /// Reads `true` or `false`.
    pub(super) fn flag(&self) -> Result<bool, ApiError> {
        match self.text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.wrong("`true` or `false`")),
        }
    }

    /// Reads a number.
    pub(super) fn number(&self) -> Result<f64, ApiError> {
        serde_json::from_str(self.text).map_err(|_| self.wrong("a number"))
    }

    /// Reads a whole number of a range.
    pub(super) fn whole(&self, least: i64, most: i64) -> Result<i64, ApiError> {
        let number = serde_json::from_str::<i64>(self.text).ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| match (least, most) {
            (i64::MIN, i64::MAX) => self.wrong("a whole number"),
            (least, i64::MAX) => self.wrong(&format!("a whole number of at least {least}")),
            (least, most) => self.wrong(&format!("a whole number from {least} to {most}")),
        })
    }

    /// Reads one of several words.
    pub(super) fn one_of<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, ApiError> {
        let given = if self.is_text() { self.text().ok() } else { None };
        let found = given.and_then(|given| words.iter().find(|(word, _)| *word == given));
        found.map(|(_, means)| *means).ok_or_else(|| {
            let words: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            self.wrong(&words.join(" or "))
        })
    }
}

impl<'a> Object<'a> {
    /// Reads the body of a request.
    pub(super) fn of_body(body: &'a [u8]) -> Result<Self, ApiError> {
        let read: Result<&RawValue, serde_json::Error> = serde_json::from_slice(body);
        let text = read.map_err(|error| ApiError::invalid(None, format!("the body is no JSON: {error}")))?.get();
        Field { path: String::new(), text }.object()
    }

    /// Takes a field, if it is given.
    pub(super) fn take(&mut self, name: &'static str) -> Option<Field<'a>> {
        self.known.push(name);
        let at = self.fields.iter().position(|(found, _)| found == name)?;
        let (_, value) = self.fields.remove(at);
        (value.get() != "null").then(|| Field { path: inside(&self.path, name), text: value.get() })
    }

    /// Returns whether a field is given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(found, value)| found == name && value.get() != "null")
    }

    /// Takes a field that must be present.
    pub(super) fn need(&mut self, name: &'static str, takes: &str) -> Result<Field<'a>, ApiError> {
        let path = inside(&self.path, name);
        self.take(name).ok_or_else(|| ApiError::invalid(Some(&path), format!("`{path}` is missing; it takes {takes}")))
    }

    /// Returns the values of all fields that were not taken.
    pub(super) fn values(&self) -> Result<Map<String, Value>, ApiError> {
        let value = |(name, value): &(Cow<'_, str>, &RawValue)| {
            let field = Field { path: inside(&self.path, name), text: value.get() };
            Ok((name.to_string(), field.value()?))
        };
        self.fields.iter().map(value).collect()
    }

    /// Returns all fields that are present and not taken, with their names.
    pub(super) fn members(self) -> Vec<(String, Field<'a>)> {
        let path = self.path;
        let given = self.fields.into_iter().filter(|(_, value)| value.get() != "null");
        given.map(|(name, value)| (name.to_string(), Field { path: inside(&path, &name), text: value.get() })).collect()
    }

    /// Finishes the object: a field that is left is an error.
    pub(super) fn end(self) -> Result<(), ApiError> {
        let Some((name, _)) = self.fields.iter().find(|(_, value)| value.get() != "null") else { return Ok(()) };
        let path = inside(&self.path, name);
        let message = match self.path.is_empty() {
            true => format!("the parameter `{path}` is not supported: remove it"),
            false => {
                let known: Vec<String> = self.known.iter().map(|name| format!("`{name}`")).collect();
                format!("`{path}` is not supported: remove it; `{}` takes {}", self.path, known.join(", "))
            }
        };
        Err(ApiError::invalid(Some(&path), message))
    }
}

/// Returns the path of a field of an object.
fn inside(path: &str, name: &str) -> String {
    let is_plain =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let name: Cow<'_, str> = match name.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}\u{2026}", &name[..end]).into(),
        None => name.into(),
    };
    match (path, is_plain) {
        ("", true) => name.into_owned(),
        (path, true) => format!("{path}.{name}"),
        (path, false) => format!("{path}[{name:?}]"),
    }
}

/// The fields of an object, in their order.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    members.push((Cow::Owned(name), map.next_value()?));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: &str, read: impl FnOnce(&mut Object<'_>) -> Result<(), ApiError>) -> String {
        let read = Object::of_body(body.as_bytes()).and_then(|mut body| {
            read(&mut body)?;
            body.end()
        });
        read.err()
            .map_or_else(String::new, |error| error.body()["error"]["message"].as_str().unwrap_or_default().to_owned())
    }

    #[test]
    fn errors_name_the_path_what_is_given_and_what_it_takes() {
        let first = |body: &str| {
            message(body, |body| {
                let list = body.need("a", "an array")?.list()?;
                let mut inner = list[0].object()?;
                inner.need("b", "a word")?.one_of(&[("x", 1), ("y", 2)])?;
                inner.end()
            })
        };
        assert_eq!(first(r#"{"a": [{"b": "x"}], "c": null}"#), "");
        assert_eq!(first(r#"{"a": [{"b": "z"}]}"#), "`a[0].b` is \"z\"; it takes `x` or `y`");
        assert_eq!(first(r#"{"a": [{"b": 1.5}]}"#), "`a[0].b` is 1.5; it takes `x` or `y`");
        assert_eq!(first(r#"{"a": [{}]}"#), "`a[0].b` is missing; it takes a word");
        assert_eq!(first(r#"{"a": [{"b": null}]}"#), "`a[0].b` is missing; it takes a word");
        assert_eq!(first(r#"{"a": [[]]}"#), "`a[0]` is an array; it takes an object");
        assert_eq!(
            first(r#"{"a": [{"b": "x", "c d": 1}]}"#),
            "`a[0][\"c d\"]` is not supported: remove it; `a[0]` takes `b`"
        );
        assert_eq!(first(r#"{"a": [{"b": "x"}], "e": 0}"#), "the parameter `e` is not supported: remove it");
        assert_eq!(first(r#"{"a": [{"b": "x", "b": "y"}]}"#), "`a[0].b` stands twice in its object: remove one");
        assert_eq!(first("[1]"), "the body is an array; it takes an object");
        assert!(first("").starts_with("the body is no JSON: EOF"));
        assert!(first("{} x").starts_with("the body is no JSON: trailing"));
    }

    #[test]
    fn numbers_are_read_in_their_range() {
        let whole =
            |text: &str| message(&format!("{{\"n\": {text}}}"), |body| body.need("n", "")?.whole(1, 8).map(drop));
        assert_eq!(whole("8"), "");
        for wrong in ["0", "9", "1.5", "1e30", "99999999999999999999", "true"] {
            assert_eq!(whole(wrong), format!("`n` is {wrong}; it takes a whole number from 1 to 8"));
        }
        assert_eq!(
            whole(&format!("\"{}\"", "x".repeat(100))),
            "`n` is a long string; it takes a whole number from 1 to 8"
        );
    }
}
