//! Classifies refused tokens by what the model would have written.

use super::scan::{JsonPlace, Scanner};

/// Number of allowed bytes from which the inside of a string counts as free text, not as a choice among words.
const FREE: usize = 64;

/// A kind of disagreement: what the model would do and the format refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Write white space between the tokens of JSON.
    Space,
    /// Write no white space where the format requires some.
    NoSpace,
    /// Begin with other text than a JSON value.
    Preface,
    /// End the text before it is complete.
    End,
    /// Continue after the end of the text.
    Onward,
    /// Write another key.
    Key,
    /// Write a key of the record too early or again.
    Order,
    /// Write a further key where the object must close.
    MoreKeys,
    /// Close an object that lacks keys.
    CloseObject,
    /// Write a further item where the array must close.
    MoreItems,
    /// Close an array that lacks items.
    FewerItems,
    /// Close a string of free text that is too short.
    ShortString,
    /// Continue a string of free text that is at its maximum length.
    LongString,
    /// Write an escape.
    Escape,
    /// Write a control character, such as a line break, in a string.
    Control,
    /// Write another value.
    Value,
    /// Write other text, outside of JSON.
    Text,
}

impl Kind {
    /// Returns whether the disagreement is about the object or array around the place.
    pub(super) fn is_about_around(self) -> bool {
        matches!(
            self,
            Self::Key | Self::Order | Self::MoreKeys | Self::CloseObject | Self::MoreItems | Self::FewerItems
        )
    }

    /// Returns whether the disagreement is about the format as a whole.
    pub(super) fn is_about_whole(self) -> bool {
        matches!(self, Self::Space | Self::NoSpace | Self::Preface | Self::Onward | Self::Escape | Self::Control)
    }

    /// Returns whether only the first of several adjacent places shows the model's preference. At the others, the format
    /// has already excluded the preferred text, so the model writes another one.
    pub(super) fn is_told_at_first(self) -> bool {
        matches!(self, Self::Key | Self::Order | Self::MoreKeys | Self::Value | Self::Text)
    }
}

/// The place inside a refused token: after those of its bytes that the format accepts.
#[derive(Clone, Copy, Debug)]
pub(super) struct RefusedAt<'a> {
    /// The position in a JSON value, if the place is inside one.
    pub(super) json: Option<&'a Scanner>,
    /// The bytes that are allowed there.
    pub(super) expected: &'a [u8],
    /// Whether the place is at the start of the text.
    pub(super) is_start: bool,
    /// Maximum number of allowed bytes seen inside the current string.
    pub(super) widest: usize,
}

impl RefusedAt<'_> {
    fn may_come(&self, byte: u8) -> bool {
        self.expected.contains(&byte)
    }
}

/// Returns the kind for a token whose bytes from `rest` on are refused; `rest` is empty for an end-of-sequence token.
pub(super) fn kind(place: RefusedAt<'_>, rest: &[u8]) -> Kind {
    let Some(&next) = rest.first() else { return Kind::End };
    if place.expected.is_empty() {
        return Kind::Onward;
    }
    let Some(json) = place.json else { return Kind::Text };
    match json.place {
        JsonPlace::String | JsonPlace::KeyString => in_string(place, json, next),
        JsonPlace::Value | JsonPlace::Key | JsonPlace::Colon | JsonPlace::After | JsonPlace::Scalar => {
            in_structure(place, json, next)
        }
    }
}

fn in_string(place: RefusedAt<'_>, json: &Scanner, next: u8) -> Kind {
    let is_free = place.widest >= FREE;
    match next {
        _ if json.is_in_escape() => Kind::Escape,
        b'\\' => Kind::Escape,
        _ if json.place == JsonPlace::KeyString => Kind::Key,
        0..0x20 => Kind::Control,
        b'"' if is_free => Kind::ShortString,
        _ if is_free && place.expected == b"\"" => Kind::LongString,
        _ => Kind::Value,
    }
}

fn in_structure(place: RefusedAt<'_>, json: &Scanner, next: u8) -> Kind {
    if place.is_start {
        return Kind::Preface;
    }
    if is_space(next) {
        return Kind::Space;
    }
    if place.expected.iter().copied().all(is_space) {
        return Kind::NoSpace;
    }
    match (json.place, next) {
        (JsonPlace::Key | JsonPlace::After | JsonPlace::Scalar, b'}') if json.is_in_object() => Kind::CloseObject,
        (JsonPlace::Value | JsonPlace::After | JsonPlace::Scalar, b']') if !json.is_in_object() => Kind::FewerItems,
        (JsonPlace::Key, b'"') => Kind::MoreKeys,
        (JsonPlace::Key, _) => Kind::Key,
        (JsonPlace::After, b',') | (JsonPlace::Scalar, b',') if place.may_come(b'}') => Kind::MoreKeys,
        (JsonPlace::After, b',') | (JsonPlace::Scalar, b',') if place.may_come(b']') => Kind::MoreItems,
        (JsonPlace::After, _) if json.is_outermost() => Kind::Onward,
        (JsonPlace::Value | JsonPlace::Scalar, _) => Kind::Value,
        (JsonPlace::Colon | JsonPlace::After | JsonPlace::String | JsonPlace::KeyString, _) => Kind::Text,
    }
}

/// Returns whether a byte is white space of JSON.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the kind of a token that continues `text` with `rest` where the format expects `expected`.
    #[track_caller]
    fn check(text: &str, expected: &str, rest: &str, is: Kind) {
        let mut json = Scanner::new();
        json.read(text.as_bytes());
        let widest = if expected.len() > 1 || text.contains("free") { 200 } else { 3 };
        let place = RefusedAt { json: Some(&json), expected: expected.as_bytes(), is_start: text.is_empty(), widest };
        assert_eq!(kind(place, rest.as_bytes()), is, "{text} {rest}");
    }

    #[test]
    fn refused_json_structure_and_values_get_different_kinds() {
        check("", "{", "```json", Kind::Preface);
        check("", "{", "\n", Kind::Preface);
        check("{", "\"", "\n", Kind::Space);
        check("{\"a\":", "\"", " \"", Kind::Space);
        check("{\"a\":", " ", "\"", Kind::NoSpace);
        check("{\"a\":1", "0123,", " ", Kind::Space);
        check("{\"a\":", "123", "\"x", Kind::Value);
        check("{\"a\":1", "0,", ".5", Kind::Value);
        check("{\"a\":1", ",", "}", Kind::CloseObject);
        check("{\"a\":1", "}", ",", Kind::MoreKeys);
        check("{\"a\":\"x\"", "}", ",", Kind::MoreKeys);
        check("{\"a\":1,", "}", "\"b", Kind::MoreKeys);
        check("[1", "]", ",", Kind::MoreItems);
        check("[1", ",", "]", Kind::FewerItems);
        check("[", "1", "]", Kind::FewerItems);
        check("{\"a", "b", "c", Kind::Key);
        check("[1]", "\n", ".", Kind::NoSpace);
        check("[1]", ".", ",", Kind::Onward);
        check("{\"a\":1}", "", "\n", Kind::Onward);
        check("{\"a\":1", ",", "", Kind::End);
    }

    #[test]
    fn refused_free_text_and_enum_words_get_different_kinds() {
        check("{\"a\":\"free text", "abc\\", "\"", Kind::ShortString);
        check("{\"a\":\"free text", "\"", "s", Kind::LongString);
        check("{\"a\":\"free text", "abc", "\n", Kind::Control);
        check("{\"a\":\"free text", "abc", "\\u00e9", Kind::Escape);
        check("{\"a\":\"free text\\", "\"\\", "/", Kind::Escape);
        check("{\"a\":\"ha", "p", "s", Kind::Value);
        check("{\"a\":\"happy", "\"", " and", Kind::Value);
        check("{\"a\":\"h", "a", "\"", Kind::Value);
    }

    #[test]
    fn text_refused_outside_of_json_gets_the_text_kinds() {
        let place = RefusedAt { json: None, expected: b"<", is_start: true, widest: 0 };
        assert_eq!(kind(place, b"Sure"), Kind::Text);
        assert_eq!(kind(RefusedAt { expected: b"", ..place }, b"Sure"), Kind::Onward);
        assert_eq!(kind(place, b""), Kind::End);
    }
}
