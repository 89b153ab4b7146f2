//! Reads one value from its text, byte by byte. The automaton has accepted the text, so that it is not validated again.

use std::sync::Arc;

use super::container::{Container, Content, Earlier, Inside};
use super::encoded::{self, Tag, content, encoded};
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
    /// Whether the last byte completed a value: the whole value, an item or a member.
    has_ended_value: bool,
    /// The number of bytes read.
    len: usize,
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
        self.has_ended_value = false;
        self.len += 1;
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

    /// Returns the value if it is complete. The end of the text completes a number.
    pub(crate) fn finish(mut self) -> Option<Arc<[u8]>> {
        self.end_number();
        self.whole
    }

    /// Returns whether an object has a repeated key.
    pub(crate) fn repeats_key(&self) -> bool {
        self.repeats_key
    }

    /// Returns whether the next or current key can equal an earlier key of the object.
    pub(crate) fn may_repeat_key(&self) -> bool {
        match (self.innermost(), &self.scalar) {
            (Some(Content::Object { members, .. }), Scalar::Key(text)) => {
                members.iter().any(|member| member.0.starts_with(&text.decoded))
            }
            (Some(Content::Object { awaits_key, .. }), Scalar::None) => *awaits_key,
            _ => false,
        }
    }

    fn innermost(&self) -> Option<&Content> {
        self.open.last().map(|container| &container.content)
    }

    fn innermost_mut(&mut self) -> Option<&mut Content> {
        self.open.last_mut().map(|container| &mut container.content)
    }

    fn begin(&mut self, content: Content) {
        self.open.push(Container { start: self.len - 1, content });
    }

    /// Reads a byte between strings, numbers and literals.
    fn structure(&mut self, byte: u8) {
        match byte {
            b'[' => self.begin(Content::Array(Arc::default())),
            b'{' => self.begin(Content::Object { members: Arc::default(), key: None, awaits_key: false }),
            b']' | b'}' => {
                let value = self.open.pop().map(|container| match container.content {
                    Content::Array(items) => encoded(Tag::Array, &items),
                    Content::Object { members, .. } => encoded::object(&members),
                });
                value.into_iter().for_each(|value| self.end(value));
            }
            b',' => {
                if let Some(Content::Object { awaits_key, .. }) = self.innermost_mut() {
                    *awaits_key = true;
                }
            }
            b'"' if matches!(self.innermost(), Some(Content::Object { key: None, .. })) => {
                self.scalar = Scalar::Key(StringText::default());
            }
            b'"' => self.scalar = Scalar::Text(StringText::default()),
            // JSON's words and Python's have the same lengths.
            b'n' | b'N' => self.scalar = Scalar::Word(Tag::Null, 3),
            b't' | b'T' => self.scalar = Scalar::Word(Tag::True, 3),
            b'f' | b'F' => self.scalar = Scalar::Word(Tag::False, 4),
            b'-' | b'0'..=b'9' => {
                let mut number = NumberText::default();
                number.push(byte);
                self.scalar = Scalar::Number(number);
            }
            _ => {}
        }
    }

    fn end_key(&mut self, new: Vec<u8>) {
        let Some(Content::Object { members, key, awaits_key }) = self.innermost_mut() else { return };
        let repeats = members.iter().any(|member| member.0 == new);
        *key = Some(new);
        *awaits_key = false;
        self.repeats_key |= repeats;
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
        self.has_ended_value = true;
        match self.innermost_mut() {
            None => self.whole = Some(value.into()),
            Some(Content::Array(items)) => Arc::make_mut(items).extend(value),
            Some(Content::Object { members, key, .. }) => {
                Arc::make_mut(members).push(Arc::new((key.take().unwrap_or_default(), value)));
            }
        }
    }

    /// Returns whether the text can become this value. May return `true` wrongly.
    pub(crate) fn could_become(&self, value: &[u8]) -> bool {
        if let Some(whole) = &self.whole {
            return **whole == *value;
        }
        self.is_on_way_to(value, Earlier::Compared)
    }

    /// Returns whether the text can become this value, if it could before its last byte. May return `true` wrongly.
    ///
    /// Complete items and members are not compared again, so that the time is that of finding the part of the value that contains the last
    /// byte.
    pub(crate) fn could_still_become(&self, value: &[u8]) -> bool {
        match &self.whole {
            _ if self.has_ended_value => self.could_become(value),
            Some(_) => true,
            None => self.is_on_way_to(value, Earlier::Equal),
        }
    }

    fn is_on_way_to(&self, value: &[u8], earlier: Earlier) -> bool {
        let mut value = value;
        let key = if let Scalar::Key(text) = &self.scalar { Some(text.decoded.as_slice()) } else { None };
        for (at, container) in self.open.iter().enumerate() {
            let is_inside = at + 1 < self.open.len() || !matches!(self.scalar, Scalar::None);
            match container.content.inside(value, is_inside, key, earlier) {
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

    /// Describes the text for a search for a value that differs from some known values: texts with equal descriptions can become such a
    /// value in the same ways. Runs of zeros in numbers are cut to `zeros` digits, which must be more than the known values have. `begun`
    /// must be a prefix of the text; the description omits what they have in common.
    pub(crate) fn describe(&self, zeros: usize, begun: &Self, out: &mut Vec<u8>) {
        for (at, container) in self.open.iter().enumerate() {
            let same = begun.open.get(at).filter(|_| container.start < begun.len);
            container.content.describe(same.map(|same| &same.content), out);
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

#[cfg(test)]
mod tests {
    use ogc_kit::Random;

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
            &["false", "False"],
            &["true", "True"],
            &["null", "None"],
            &["\"null\""],
            &["\"\""],
            &["[]"],
            &["[[]]"],
            &["{\"b\": 1, \"a\": [true, null]}", "{\"b\":1,\"a\":[True,None]}"],
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

    /// Writes a random value; few values are different, so that values often begin alike.
    fn random_text(random: &mut Random, depth: usize, out: &mut String) {
        let one_of = |random: &mut Random, texts: &[&'static str]| texts[random.below(texts.len())];
        match random.below(if depth == 0 { 3 } else { 5 }) {
            0 => out.push_str(one_of(random, &["1", "10", "1.0", "0.1e2", "-2", "12"])),
            1 => out.push_str(one_of(random, &["\"\"", "\"a\"", "\"ab\"", "\"\\u0061\"", "\"a\\n\""])),
            2 => out.push_str(one_of(random, &["null", "true", "false", "None", "True", "False"])),
            3 => {
                out.push('[');
                for at in 0..random.below(4) {
                    out.push_str(if at == 0 { "" } else { one_of(random, &[",", ", "]) });
                    random_text(random, depth - 1, out);
                }
                out.push(']');
            }
            _ => {
                out.push('{');
                for at in 0..random.below(4) {
                    out.push_str(if at == 0 { "" } else { one_of(random, &[",", " , "]) });
                    out.push_str(one_of(random, &["\"a\":", "\"b\": ", "\"ab\":", "\"\\u0061\":"]));
                    random_text(random, depth - 1, out);
                }
                out.push('}');
            }
        }
    }

    #[test]
    fn values_left_byte_by_byte_are_those_of_the_whole_text() {
        let mut random = Random::new(7);
        let mut partly = 0;
        for _ in 0..2_000 {
            let mut texts = [(); 5].map(|()| String::new());
            texts.iter_mut().for_each(|text| random_text(&mut random, 2, text));
            if read(&texts[0]).repeats_key() {
                continue;
            }
            let values: Vec<_> = texts.iter().filter_map(|text| read(text).finish()).collect();
            let mut left: Vec<_> = values.iter().collect();
            let mut reader = ItemReader::default();
            for byte in texts[0].bytes() {
                reader.push(byte);
                left.retain(|value| reader.could_still_become(value));
                let expected: Vec<_> = values.iter().filter(|value| reader.could_become(value)).collect();
                assert_eq!(left, expected, "{texts:?} at {}", reader.len);
                partly += usize::from(!left.is_empty() && left.len() < values.len());
            }
        }
        assert!(partly > 1_000, "{partly}");
    }

    #[test]
    fn descriptions_leave_out_only_the_beginning() {
        let mut random = Random::new(8);
        let describe = |text: &str, begun: &ItemReader| {
            let mut out = Vec::new();
            read(text).describe(400, begun, &mut out);
            out
        };
        let mut equal = 0;
        for _ in 0..2_000 {
            let mut texts = [(); 3].map(|()| String::from("["));
            texts.iter_mut().for_each(|text| random_text(&mut random, 2, text));
            let [begun, one, other] = texts;
            let begun = &begun[..=random.below(begun.len())];
            let (one, other) = (format!("{begun}{}", &one[1..]), format!("{begun}{}", &other[1..]));
            let is_equal = describe(&one, &ItemReader::default()) == describe(&other, &ItemReader::default());
            assert_eq!(describe(&one, &read(begun)) == describe(&other, &read(begun)), is_equal, "{one} {other}");
            equal += usize::from(is_equal && one != other);
        }
        assert!(equal > 20, "{equal}");
    }
}
