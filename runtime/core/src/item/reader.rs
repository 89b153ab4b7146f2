//! Reads one value from its text, byte by byte. The automaton has read the text, so it is not validated again.

use std::sync::Arc;

use super::encoded::{self, Tag, content, encoded, members, split_first};
use super::number::NumberText;
use super::text::StringText;

/// The text of an item so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct ItemReader {
    /// The arrays and objects that are not closed, outermost first.
    open: Vec<Container>,
    scalar: Scalar,
    /// The value, once it is complete.
    whole: Option<Arc<[u8]>>,
    repeats_key: bool,
}

/// An array or object that is not closed.
#[derive(Clone, Debug)]
enum Container {
    /// The complete items, encoded.
    Array(Arc<Vec<u8>>),
    Object {
        /// The complete members: keys and encoded values.
        members: Arc<Vec<(Vec<u8>, Vec<u8>)>>,
        /// The key of the current member, once the key is complete.
        key: Option<Vec<u8>>,
        /// Whether a comma has been read, so that a member must follow.
        awaits_key: bool,
    },
}

/// The string, number or literal that is being read.
#[derive(Clone, Debug, Default)]
enum Scalar {
    #[default]
    None,
    Key(StringText),
    Text(StringText),
    Number(NumberText),
    /// A literal, and the number of its bytes that are still missing.
    Word(Tag, u8),
}

impl ItemReader {
    /// Reads a byte.
    pub(crate) fn push(&mut self, byte: u8) {
        match &mut self.scalar {
            Scalar::Key(text) => {
                if text.push(byte) {
                    let key = std::mem::take(&mut text.decoded);
                    self.scalar = Scalar::None;
                    self.end_key(key);
                }
            }
            Scalar::Text(text) => {
                if text.push(byte) {
                    let value = encoded(Tag::Text, &text.decoded);
                    self.end_scalar(value);
                }
            }
            Scalar::Number(number) => {
                if !number.push(byte) {
                    self.end_number();
                    self.structure(byte);
                }
            }
            Scalar::Word(_, left) if *left > 1 => *left -= 1,
            &mut Scalar::Word(tag, _) => self.end_scalar(encoded(tag, b"")),
            Scalar::None => self.structure(byte),
        }
    }

    /// Returns the value if it is complete; ends a number at the end of the text.
    pub(crate) fn finish(mut self) -> Option<Arc<[u8]>> {
        self.end_number();
        self.whole
    }

    /// Returns whether an object has a key twice.
    pub(crate) fn repeats_key(&self) -> bool {
        self.repeats_key
    }

    /// Returns whether the key that comes next, or is being read, can equal an earlier key of the object.
    pub(crate) fn may_repeat_key(&self) -> bool {
        match (self.open.last(), &self.scalar) {
            (Some(Container::Object { members, .. }), Scalar::Key(text)) => {
                members.iter().any(|(key, _)| key.starts_with(&text.decoded))
            }
            (Some(Container::Object { awaits_key, .. }), Scalar::None) => *awaits_key,
            _ => false,
        }
    }

    /// Reads a byte between strings, numbers and literals.
    fn structure(&mut self, byte: u8) {
        match byte {
            b'[' => self.open.push(Container::Array(Arc::default())),
            b'{' => self.open.push(Container::Object { members: Arc::default(), key: None, awaits_key: false }),
            b']' | b'}' => {
                let value = self.open.pop().map(|container| match container {
                    Container::Array(items) => encoded(Tag::Array, &items),
                    Container::Object { members, .. } => encoded::object(&members),
                });
                value.into_iter().for_each(|value| self.end(value));
            }
            b',' => {
                if let Some(Container::Object { awaits_key, .. }) = self.open.last_mut() {
                    *awaits_key = true;
                }
            }
            b'"' if matches!(self.open.last(), Some(Container::Object { key: None, .. })) => {
                self.scalar = Scalar::Key(StringText::default());
            }
            b'"' => self.scalar = Scalar::Text(StringText::default()),
            b'n' => self.scalar = Scalar::Word(Tag::Null, 3),
            b't' => self.scalar = Scalar::Word(Tag::True, 3),
            b'f' => self.scalar = Scalar::Word(Tag::False, 4),
            b'-' | b'0'..=b'9' => {
                let mut number = NumberText::default();
                number.push(byte);
                self.scalar = Scalar::Number(number);
            }
            _ => {}
        }
    }

    fn end_key(&mut self, new: Vec<u8>) {
        if let Some(Container::Object { members, key, awaits_key }) = self.open.last_mut() {
            self.repeats_key |= members.iter().any(|(known, _)| *known == new);
            *key = Some(new);
            *awaits_key = false;
        }
    }

    fn end_number(&mut self) {
        if let Scalar::Number(number) = &self.scalar {
            let value = encoded(Tag::Number, &number.value());
            self.end_scalar(value);
        }
    }

    fn end_scalar(&mut self, value: Vec<u8>) {
        self.scalar = Scalar::None;
        self.end(value);
    }

    /// Adds a complete value to the innermost open array or object, or makes it the whole value.
    fn end(&mut self, value: Vec<u8>) {
        match self.open.last_mut() {
            None => self.whole = Some(value.into()),
            Some(Container::Array(items)) => Arc::make_mut(items).extend(value),
            Some(Container::Object { members, key, .. }) => {
                Arc::make_mut(members).push((key.take().unwrap_or_default(), value));
            }
        }
    }

    /// Returns whether the text can become this value; may wrongly return `true`.
    pub(crate) fn could_become(&self, value: &[u8]) -> bool {
        if let Some(whole) = &self.whole {
            return **whole == *value;
        }
        let mut value = value;
        for (at, container) in self.open.iter().enumerate() {
            let is_inside = at + 1 < self.open.len() || !matches!(self.scalar, Scalar::None);
            match container.inside(value, is_inside, &self.scalar) {
                Inside::Value(inner) => value = inner,
                Inside::Answer(answer) => return answer,
            }
        }
        match &self.scalar {
            Scalar::None => true,
            Scalar::Key(_) => false,
            Scalar::Text(text) => content(value, Tag::Text).is_some_and(|known| known.starts_with(&text.decoded)),
            Scalar::Number(number) => content(value, Tag::Number).is_some_and(|known| number.could_become(known)),
            Scalar::Word(tag, _) => content(value, *tag).is_some(),
        }
    }

    /// Describes the text for a search for a value that differs from some known values: texts with equal descriptions
    /// can become such a value in the same ways. Runs of zeros in numbers are cut to `zeros` digits, which must be more
    /// than the known values have.
    pub(crate) fn describe(&self, zeros: usize, out: &mut Vec<u8>) {
        for container in &self.open {
            match container {
                Container::Array(items) => out.extend(encoded(Tag::Array, items)),
                Container::Object { members, key, awaits_key } => {
                    out.extend(encoded::object(members));
                    out.push(u8::from(*awaits_key));
                    out.extend(key.iter().flat_map(|key| encoded(Tag::Text, key)));
                }
            }
        }
        let mut own = Vec::new();
        let tag = match &self.scalar {
            Scalar::None => b'0',
            Scalar::Key(text) => {
                text.describe(&mut own);
                b'k'
            }
            Scalar::Text(text) => {
                text.describe(&mut own);
                b'"'
            }
            Scalar::Number(number) => {
                number.describe(zeros, &mut own);
                b'1'
            }
            Scalar::Word(tag, left) => {
                own.push(*left);
                *tag as u8
            }
        };
        out.push(tag);
        out.extend(own);
        out.extend(self.whole.iter().flat_map(|whole| whole.iter()));
    }
}

/// The part of a value that corresponds to the unfinished part of the text.
enum Inside<'v> {
    Value(&'v [u8]),
    /// The answer whether the text can become the value, if it is already known.
    Answer(bool),
}

impl Container {
    /// Returns the part of a value that the text inside of the container must become; `is_inside` says whether some of
    /// that text has been read.
    fn inside<'v>(&self, value: &'v [u8], is_inside: bool, scalar: &Scalar) -> Inside<'v> {
        let found = match self {
            Self::Array(items) => content(value, Tag::Array).and_then(|known| known.strip_prefix(items.as_slice())),
            Self::Object { members: own, .. } => content(value, Tag::Object).filter(|known| contains(known, own)),
        };
        let Some(known) = found else { return Inside::Answer(false) };
        match self {
            _ if !is_inside && !matches!(self, Self::Object { key: Some(_), .. }) => Inside::Answer(true),
            Self::Array(_) => split_first(known).map_or(Inside::Answer(false), |(next, _)| Inside::Value(next)),
            Self::Object { key: Some(key), .. } => {
                let member = members(known).find(|(known, _)| *known == key.as_slice());
                member.map_or(Inside::Answer(false), |(_, value)| Inside::Value(value))
            }
            Self::Object { members: own, key: None, .. } => {
                let Scalar::Key(text) = scalar else { return Inside::Answer(true) };
                let is_new = |key: &[u8]| own.iter().all(|(known, _)| known.as_slice() != key);
                Inside::Answer(members(known).any(|(key, _)| key.starts_with(&text.decoded) && is_new(key)))
            }
        }
    }
}

/// Returns whether an object, given by its content, has all these members.
fn contains(known: &[u8], own: &[(Vec<u8>, Vec<u8>)]) -> bool {
    let has = |(key, value): &(Vec<u8>, Vec<u8>)| {
        members(known).any(|(known, other)| known == key.as_slice() && other == value.as_slice())
    };
    own.iter().all(has)
}

#[cfg(test)]
mod tests {
    use super::ItemReader;

    fn read(text: &str) -> ItemReader {
        let mut reader = ItemReader::default();
        text.bytes().for_each(|byte| reader.push(byte));
        reader
    }

    #[test]
    fn texts_of_one_value_are_equal() {
        let groups = [
            &["\"a\\u00e9\\ud83d\\ude00\\n\"", "\"a\u{e9}\u{1f600}\\u000a\""][..],
            &["[1, [], {}]", " [1.0 ,[ ] , { }]\n"],
            &["{\"a\": 1, \"b\": [true, null]}", "{\"b\":[true,null],\"\\u0061\":10e-1}"],
            &["false"],
            &["null"],
            &["\"null\""],
            &["\"\""],
            &["[]"],
            &["[[]]"],
            &["{\"b\": 1, \"a\": [true, null]}"],
        ];
        let value = |text: &str| read(text).finish().unwrap_or_else(|| panic!("{text} is whole"));
        for (at, group) in groups.iter().enumerate() {
            assert!(group.iter().all(|text| value(text) == value(group[0])), "{group:?}");
            assert!(groups[..at].iter().all(|other| value(other[0]) != value(group[0])), "{group:?}");
            for text in *group {
                for end in 0..text.len() {
                    let mut reader = ItemReader::default();
                    text.bytes().take(end).for_each(|byte| reader.push(byte));
                    assert!(reader.could_become(&value(text)), "{end} bytes of {text}");
                }
            }
        }
    }

    #[test]
    fn diverging_prefixes_cannot_become_the_value() {
        let value = read("{\"a\": [1, \"xy\"], \"b\": null}").finish().expect("a whole value");
        for text in [
            "[",
            "\"",
            "{\"c",
            "{\"a\": [2",
            "{\"a\": [1, \"y",
            "{\"b\": t",
            "{\"a\": [1, \"xy\", ",
            "{\"b\": null, \"b",
        ] {
            let could = read(text).could_become(&value);
            assert_eq!(could, text.ends_with(' '), "{text}");
        }
        assert!(read("{\"b\": null, \"").could_become(&value) && read("{\"b\": null, \"").may_repeat_key());
        assert!(read("{\"b\": 1, \"b\"").repeats_key() && !read("{\"b\": {\"b\"").repeats_key());
        assert!(!read("{\"b\": 1").may_repeat_key() && !read("{\"b\": 1, \"c").may_repeat_key());
    }
}
