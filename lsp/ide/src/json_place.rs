//! The path to a position in a JSON text that may be unfinished: keys, items, and the token at the cursor.

use ogc_grammar::Span;

/// A token of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open(Bracket),
    Close,
    Colon,
    Comma,
    /// A string, and whether it is closed.
    String(bool),
    /// A number, `true`, `false`, `null`, or anything else.
    Word,
}

/// The kinds of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    /// `{`
    Object,
    /// `[`
    Array,
}

/// The tokens of a JSON text, and the open brackets around an offset.
#[derive(Debug)]
pub(crate) struct JsonPlace<'t> {
    text: &'t str,
    tokens: Vec<(Kind, Span)>,
    /// The open brackets, outer first.
    pub(crate) frames: Vec<Frame>,
    /// The number of tokens before the cursor.
    before: usize,
    /// The token at the cursor.
    pub(crate) at: JsonAt,
    /// Whether the cursor is at a key, a value, or neither.
    pub(crate) role: Role,
}

/// An open bracket.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) bracket: Bracket,
    /// In an object, the key of the value that contains the cursor.
    pub(crate) key: Option<String>,
    /// The token index of the bracket.
    open: usize,
    /// The index of the first token after the last comma.
    segment: usize,
}

/// The token at a cursor in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonAt {
    /// Between tokens, or directly after one.
    Space,
    /// In a string: its content, and whether it is closed.
    String(Span, bool),
    /// In a word.
    Word(Span),
}

/// The role of a token at a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A key of an object.
    Key,
    /// A value.
    Value,
    /// Neither: a separator is missing.
    Other,
}

impl<'t> JsonPlace<'t> {
    /// Reads a text, and determines the brackets around an offset.
    pub(crate) fn new(text: &'t str, offset: u32) -> JsonPlace<'t> {
        let tokens = tokens(text);
        let at = at(text, &tokens, offset);
        let start = match at {
            JsonAt::Space => offset,
            JsonAt::String(span, _) => span.start - 1,
            JsonAt::Word(span) => span.start,
        };
        let before = tokens.partition_point(|(_, span)| span.end <= start);
        let mut place = JsonPlace { text, tokens, frames: Vec::new(), before, at, role: Role::Other };
        place.read();
        place
    }

    /// Opens and closes brackets up to the cursor.
    fn read(&mut self) {
        for index in 0..self.before {
            let Some((kind, _)) = self.tokens.get(index).copied() else { break };
            match kind {
                Kind::Open(bracket) => {
                    self.frames.push(Frame { bracket, key: None, open: index, segment: index + 1 });
                }
                Kind::Close => drop(self.frames.pop()),
                Kind::Comma => {
                    if let Some(frame) = self.frames.last_mut() {
                        (frame.segment, frame.key) = (index + 1, None);
                    }
                }
                Kind::Colon => {
                    let key = index.checked_sub(1).and_then(|before| self.string(before));
                    if let Some(frame) = self.frames.last_mut() {
                        frame.key = key;
                    }
                }
                Kind::String(_) | Kind::Word => {}
            }
        }
        let segment = self.frames.last().map_or(0, |frame| frame.segment);
        let inside = self.before.saturating_sub(segment);
        self.role = match (self.frames.last().map(|frame| frame.bracket), inside) {
            (Some(Bracket::Object), 0) => Role::Key,
            (Some(Bracket::Object), 2) if self.frames.last().is_some_and(|frame| frame.key.is_some()) => Role::Value,
            (Some(Bracket::Array) | None, 0) => Role::Value,
            _ => Role::Other,
        };
    }

    /// Returns the content of a string. Escapes are not decoded, because keywords have none.
    fn string(&self, index: usize) -> Option<String> {
        let (kind, span) = self.tokens.get(index)?;
        let Kind::String(closed) = kind else { return None };
        let content = Span::new(span.start + 1, span.end - u32::from(*closed));
        Some(content.text(self.text).to_owned())
    }

    /// Returns the keys of a frame's object with the indices of their values, except the key at the cursor.
    pub(crate) fn keys(&self, frame: &Frame) -> Vec<(String, usize)> {
        self.keys_behind(frame.open)
    }

    /// Returns the keys of the object that starts at a token.
    fn keys_behind(&self, open: usize) -> Vec<(String, usize)> {
        let (mut keys, mut depth) = (Vec::new(), 0_usize);
        for (index, (kind, _)) in self.tokens.iter().enumerate().skip(open + 1) {
            match kind {
                Kind::Open(_) => depth += 1,
                Kind::Close => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break,
                },
                Kind::Colon if depth == 0 => {
                    let key = index.checked_sub(1).filter(|key| *key != self.before || self.at == JsonAt::Space);
                    keys.extend(key.and_then(|key| Some((self.string(key)?, index + 1))));
                }
                Kind::Colon | Kind::Comma | Kind::String(_) | Kind::Word => {}
            }
        }
        keys
    }

    /// Returns the keys of the object under `key` in a frame's object.
    pub(crate) fn keys_of(&self, frame: &Frame, key: &str) -> Vec<String> {
        let value = self.keys(frame).into_iter().find(|(known, _)| known == key).map(|(_, value)| value);
        let object =
            value.filter(|value| self.tokens.get(*value).is_some_and(|(kind, _)| *kind == Kind::Open(Bracket::Object)));
        object.map(|open| self.keys_behind(open).into_iter().map(|(key, _)| key).collect()).unwrap_or_default()
    }

    /// Returns the names of the keys of a frame's object, except the key at the cursor.
    pub(crate) fn key_names(&self, frame: &Frame) -> Vec<String> {
        self.keys(frame).into_iter().map(|(name, _)| name).collect()
    }

    /// Returns the strings of the array under `key` in a frame's object.
    pub(crate) fn strings_of(&self, frame: &Frame, key: &str) -> Vec<String> {
        let value = self.keys(frame).into_iter().find(|(known, _)| known == key).map(|(_, value)| value);
        let is_array = |at: &usize| matches!(self.tokens.get(*at), Some((Kind::Open(Bracket::Array), _)));
        value.filter(is_array).map(|open| self.strings_in(open)).unwrap_or_default()
    }

    /// Returns the string values of a key anywhere in the text, except the string at the cursor.
    pub(crate) fn strings_behind(&self, key: &str) -> Vec<String> {
        let colons = (1..self.tokens.len()).filter(|at| matches!(self.tokens.get(*at), Some((Kind::Colon, _))));
        let named = colons.filter(|colon| *colon + 1 != self.before && self.string(colon - 1).as_deref() == Some(key));
        named.filter_map(|colon| self.string(colon + 1)).filter(|text| !text.is_empty()).collect()
    }

    /// Returns a part of the text.
    pub(crate) fn text_of(&self, start: u32, end: u32) -> &'t str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Returns the strings of a frame's array, except the one at the cursor.
    pub(crate) fn strings(&self, frame: &Frame) -> Vec<String> {
        self.strings_in(frame.open)
    }

    /// Returns the strings of the array that starts at a token, up to the first bracket in it, except the one at the
    /// cursor.
    fn strings_in(&self, open: usize) -> Vec<String> {
        let inside = (open + 1..self.tokens.len())
            .take_while(|at| !matches!(self.tokens.get(*at), Some((Kind::Close | Kind::Open(_), _))));
        inside.filter(|at| *at != self.before).filter_map(|at| self.string(at)).collect()
    }

    /// Returns whether a colon follows the token at the cursor.
    pub(crate) fn has_colon(&self) -> bool {
        let behind = self.before + usize::from(self.at != JsonAt::Space);
        self.tokens.get(behind).is_some_and(|(kind, _)| *kind == Kind::Colon)
    }

    /// Returns the span that a completion replaces: the content of the string or the word at the cursor.
    pub(crate) fn replaced(&self, offset: u32) -> Span {
        match self.at {
            JsonAt::String(span, _) | JsonAt::Word(span) => span,
            JsonAt::Space => Span::empty(offset),
        }
    }
}

/// Returns the token at an offset.
fn at(text: &str, tokens: &[(Kind, Span)], offset: u32) -> JsonAt {
    let index = tokens.partition_point(|(_, span)| span.end < offset);
    let Some((kind, span)) = tokens.get(index).filter(|(_, span)| span.start < offset) else { return JsonAt::Space };
    match kind {
        Kind::String(true) if offset < span.end => JsonAt::String(Span::new(span.start + 1, span.end - 1), true),
        // An unclosed string extends to the end of the line, which is hardly its content.
        Kind::String(false) => JsonAt::String(Span::new(span.start + 1, offset), false),
        Kind::Word if span.text(text).starts_with(|c: char| c.is_alphabetic() || c == '$') => JsonAt::Word(*span),
        _ => JsonAt::Space,
    }
}

/// Returns the tokens of a JSON text. A string ends at the end of its line at the latest.
fn tokens(text: &str) -> Vec<(Kind, Span)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let (kind, end) = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            }
            b'{' => (Kind::Open(Bracket::Object), at + 1),
            b'[' => (Kind::Open(Bracket::Array), at + 1),
            b'}' | b']' => (Kind::Close, at + 1),
            b':' => (Kind::Colon, at + 1),
            b',' => (Kind::Comma, at + 1),
            b'"' => string_end(bytes, at),
            _ => {
                let rest = &bytes[at..];
                let len = rest.iter().position(|b| b" \t\r\n{}[]:,\"".contains(b)).unwrap_or(rest.len());
                (Kind::Word, at + len.max(1))
            }
        };
        found.push((kind, Span::of(at, end)));
        at = end;
    }
    found
}

/// Returns the end of the string that begins at a byte.
fn string_end(bytes: &[u8], start: usize) -> (Kind, usize) {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return (Kind::String(true), at + 1),
            b'\\' if bytes.get(at + 1).is_some_and(|next| *next != b'\n') => at += 2,
            b'\n' => break,
            _ => at += 1,
        }
    }
    (Kind::String(false), at.min(bytes.len()))
}
