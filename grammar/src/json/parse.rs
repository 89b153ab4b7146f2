//! The reader of JSON text: one pass over the bytes, an explicit stack of open arrays and objects, no recursion.

use always_assert::never;

use super::repeated::report_repeated_keys;
use super::value::{JsonKind, JsonValue, Member};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink, too_long};
use crate::pulse;
use crate::span::{Span, Spanned, part};

/// Limits of a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of levels to which arrays and objects nest; never more than [`Limits::DEPTH_CEILING`].
    pub depth: u32,
    /// Maximum length of the text, in bytes; never more than spans can address.
    pub bytes: usize,
    /// Maximum number of values of the text. Each takes some 100 bytes of memory, however short its text is.
    pub values: usize,
}

impl Limits {
    /// Maximum value of `depth`: recursive walks of a tree of this depth do not overflow the stack.
    pub const DEPTH_CEILING: u32 = 4096;
}

impl Default for Limits {
    /// Returns 512 levels, 32 MiB and two million values.
    fn default() -> Limits {
        Limits { depth: 512, bytes: 32 << 20, values: 2_000_000 }
    }
}

/// Reads one JSON text within the default [`Limits`].
///
/// The value is `None` if the text is not JSON. Repeated keys and lone surrogates are errors, but still give a value.
///
/// ```
/// let (value, diagnostics) = ogc_grammar::json::parse(r#"{"maximum": 1e400}"#);
/// assert!(diagnostics.is_empty());
/// assert_eq!(value.unwrap().get("maximum").unwrap().as_number(), Some("1e400"));
/// ```
#[must_use]
pub fn parse(text: &str) -> (Option<JsonValue>, Vec<Diagnostic>) {
    parse_with(text, Limits::default())
}

/// Reads one JSON text within `limits`.
#[must_use]
pub fn parse_with(text: &str, limits: Limits) -> (Option<JsonValue>, Vec<Diagnostic>) {
    if let Some(refusal) = too_long(text, limits.bytes.min(u32::MAX as usize)) {
        return (None, vec![refusal]);
    }
    let depth = limits.depth.min(Limits::DEPTH_CEILING);
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        depth,
        values: limits.values,
        open: Vec::new(),
        sink: Sink::default(),
        left: limits.values,
    };
    let value = reader.document().map_err(|failure| reader.sink.push(*failure.0)).ok();
    (value, reader.sink.finish())
}

/// Error that stopped the reader. It is boxed, because it is rare and results are passed often.
pub(super) struct Failure(Box<Diagnostic>);

impl Failure {
    pub(super) fn new(code: Code, span: Span, message: impl Into<String>) -> Failure {
        Failure(Box::new(Diagnostic::error(code, span, message)))
    }

    pub(super) fn help(self, help: impl Into<String>) -> Failure {
        Failure(Box::new(self.0.help(help)))
    }
}

/// Returns the literal of JSON that a word of another language means.
fn literal_meant(word: &str) -> Option<&'static str> {
    match word {
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        "None" | "NULL" | "Null" | "nil" | "undefined" => Some("null"),
        _ => None,
    }
}

/// An array or object whose end has not been read.
enum Open {
    Array { start: usize, items: Vec<JsonValue> },
    Object { start: usize, members: Vec<Member>, key: Spanned<String> },
}

/// The next step after a value or an opening bracket.
enum Step {
    /// A value begins here.
    Descend,
    /// A value is complete.
    Done(JsonValue),
}

/// The reader: the text, the place in it, and the open arrays and objects. Invariant: `at` lies on a character boundary
/// whenever a span is made.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    pub(super) at: usize,
    depth: u32,
    values: usize,
    /// Number of values that may still follow.
    left: usize,
    open: Vec<Open>,
    pub(super) sink: Sink,
}

impl<'t> Reader<'t> {
    fn document(&mut self) -> Result<JsonValue, Failure> {
        self.skip_space();
        let mut step = Step::Descend;
        loop {
            pulse::step();
            step = match step {
                Step::Descend => self.begin()?,
                Step::Done(value) => match self.open.pop() {
                    Some(open) => self.attach(open, value)?,
                    None => return self.end(value),
                },
            };
        }
    }

    fn end(&mut self, value: JsonValue) -> Result<JsonValue, Failure> {
        self.skip_space();
        if self.at == self.bytes.len() { Ok(value) } else { Err(self.unexpected("the end of the text")) }
    }

    /// Reads a scalar, an empty container, or an opening bracket and the text before its first value.
    fn begin(&mut self) -> Result<Step, Failure> {
        let start = self.at;
        self.left = self.left.checked_sub(1).ok_or_else(|| self.too_many())?;
        let kind = match self.peek() {
            Some(b'"') => JsonKind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'{') => return self.begin_object(),
            Some(b'[') => return self.begin_array(),
            Some(b't') => self.word("true", JsonKind::Bool(true))?,
            Some(b'f') => self.word("false", JsonKind::Bool(false))?,
            Some(b'n') => self.word("null", JsonKind::Null)?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Step::Done(JsonValue { span: Span::of(start, self.at), kind }))
    }

    fn too_many(&self) -> Failure {
        let message = format!("the text has more than {0} JSON values; the limit is {0}", self.values);
        Failure::new(Code::TextTooLong, Span::of(self.at, self.char_end(self.at)), message)
    }

    fn begin_array(&mut self) -> Result<Step, Failure> {
        let start = self.enter()?;
        if self.eat(b']') {
            return Ok(self.done(start, JsonKind::Array(Vec::new())));
        }
        self.open.push(Open::Array { start, items: Vec::new() });
        Ok(Step::Descend)
    }

    fn begin_object(&mut self) -> Result<Step, Failure> {
        let start = self.enter()?;
        if self.eat(b'}') {
            return Ok(self.done(start, JsonKind::Object(Vec::new())));
        }
        let key = self.key()?;
        self.open.push(Open::Object { start, members: Vec::new(), key });
        Ok(Step::Descend)
    }

    fn enter(&mut self) -> Result<usize, Failure> {
        let start = self.at;
        if self.open.len() >= self.depth as usize {
            let (given, limit) = (self.open.len() + 1, self.depth);
            let message = format!("arrays and objects nest {given} levels deep here; the limit is {limit}");
            return Err(Failure::new(Code::JsonTooDeep, Span::of(start, start + 1), message));
        }
        self.at += 1;
        self.skip_space();
        Ok(start)
    }

    fn attach(&mut self, open: Open, value: JsonValue) -> Result<Step, Failure> {
        self.skip_space();
        match open {
            Open::Array { start, items } => self.attach_item(start, items, value),
            Open::Object { start, members, key } => self.attach_member(start, members, Member { key, value }),
        }
    }

    fn attach_item(&mut self, start: usize, mut items: Vec<JsonValue>, value: JsonValue) -> Result<Step, Failure> {
        items.push(value);
        if self.eat(b',') {
            self.skip_space();
            self.refuse_trailing_comma(b']')?;
            self.open.push(Open::Array { start, items });
            return Ok(Step::Descend);
        }
        if self.eat(b']') {
            Ok(self.done(start, JsonKind::Array(items)))
        } else {
            Err(self.open_end(start, "`,` or `]`"))
        }
    }

    fn attach_member(&mut self, start: usize, mut members: Vec<Member>, member: Member) -> Result<Step, Failure> {
        members.push(member);
        if self.eat(b',') {
            self.skip_space();
            self.refuse_trailing_comma(b'}')?;
            let key = self.key()?;
            self.open.push(Open::Object { start, members, key });
            return Ok(Step::Descend);
        }
        if !self.eat(b'}') {
            return Err(self.open_end(start, "`,` or `}`"));
        }
        report_repeated_keys(&members, &mut self.sink);
        Ok(self.done(start, JsonKind::Object(members)))
    }

    fn done(&self, start: usize, kind: JsonKind) -> Step {
        Step::Done(JsonValue { span: Span::of(start, self.at), kind })
    }

    fn key(&mut self) -> Result<Spanned<String>, Failure> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        let key = Spanned::new(self.string()?, Span::of(start, self.at));
        self.skip_space();
        if !self.eat(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.skip_space();
        Ok(key)
    }

    fn word(&mut self, word: &str, kind: JsonKind) -> Result<JsonKind, Failure> {
        let end = self.at + self.word_len();
        if self.slice(self.at, end) != word {
            return Err(self.unexpected("a value"));
        }
        self.at = end;
        Ok(kind)
    }

    fn refuse_trailing_comma(&self, close: u8) -> Result<(), Failure> {
        if self.peek() != Some(close) {
            return Ok(());
        }
        let message = format!("a comma stands before `{}`", char::from(close));
        Err(Failure::new(Code::JsonSyntax, Span::of(self.at, self.at + 1), message).help("remove the comma"))
    }

    fn open_end(&self, start: usize, wanted: &str) -> Failure {
        let Failure(found) = self.unexpected(wanted);
        Failure(Box::new(found.label(Span::of(start, start + 1), "opened here")))
    }

    fn unexpected(&self, wanted: &str) -> Failure {
        let end = self.char_end(self.at).max(self.at + self.word_len());
        let span = Span::of(self.at, end);
        let found =
            if span.is_empty() { "the end of the text".to_owned() } else { format!("`{}`", span.text(self.text)) };
        let failure = Failure::new(Code::JsonSyntax, span, format!("expected {wanted}, found {found}"));
        if let Some(word) = literal_meant(span.text(self.text)) {
            return failure.help(format!("JSON writes `{word}`"));
        }
        match self.peek() {
            Some(b'\'') => failure.help("JSON has double quotes only"),
            Some(b'/' | b'#') => failure.help("JSON has no comments"),
            None => failure.help("close what is open, or write what is missing"),
            Some(b'"') if wanted.starts_with("`,`") => failure.help("write a comma between the two"),
            Some(b'a'..=b'z' | b'A'..=b'Z') if self.at == 0 => {
                failure.help("this is no JSON: YAML and other notations are to be converted before")
            }
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => failure.help("texts and keys stand in double quotes"),
            Some(0xEF) if self.at == 0 => failure.help("JSON does not begin with a byte order mark; remove it"),
            _ => failure,
        }
    }

    /// Returns the number of letters and digits from here, cut at 32 to keep messages short.
    fn word_len(&self) -> usize {
        self.rest().iter().take(32).take_while(|b| b.is_ascii_alphanumeric()).count()
    }

    pub(super) fn char_end(&self, at: usize) -> usize {
        at + part(self.text, at..).chars().next().map_or(0, char::len_utf8)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        part(self.text, start..end)
    }

    /// Returns the bytes from here to the end.
    pub(super) fn rest(&self) -> &'t [u8] {
        let Some(rest) = self.bytes.get(self.at..) else {
            never!("{} is behind the end of the text", self.at);
            return &[];
        };
        rest
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }
}
