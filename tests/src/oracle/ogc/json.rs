//! Reads JSON values in the spelling of a policy.

use super::number::Number;
use super::{Policy, Space, char_at};

/// A JSON value as written: members in their order; keys may be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Returns the nesting of arrays and objects.
    pub(super) fn depth(&self) -> usize {
        match self {
            Value::Array(items) => 1 + items.iter().map(Value::depth).max().unwrap_or(0),
            Value::Object(members) => 1 + members.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns whether two values are equal: numbers by value, members in any order.
    pub(super) fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(one), Value::Number(other)) => one.compare(other).is_eq(),
            (Value::Array(one), Value::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.same(other))
            }
            (Value::Object(one), Value::Object(other)) => {
                let has = |(key, value): &(String, Value)| other.iter().any(|(k, v)| k == key && v.same(value));
                one.len() == other.len() && one.iter().all(has)
            }
            (Value::Array(_) | Value::Object(_) | Value::Number(_), _) => false,
            _ => self == other,
        }
    }
}

/// Returns the values that begin at a place, with their ends.
pub(super) fn values(text: &[u8], from: usize, policy: Policy) -> Vec<(Value, usize)> {
    let reader = Reader { text, policy };
    let start = if policy.around { reader.over(from) } else { from };
    let Some((value, end)) = reader.value(start, 0) else { return Vec::new() };
    let shorter = match &value {
        Value::Number(number) => (1..number.written.len()).rev().collect(),
        _ => Vec::new(),
    };
    let shorter = shorter.into_iter().filter_map(|len| {
        let number = Number::read(&text[start..start + len]).filter(|number| number.written.len() == len)?;
        Some((Value::Number(number), start + len))
    });
    let mut all: Vec<(Value, usize)> = shorter.collect();
    let behind = if policy.around { reader.gap(end) } else { vec![end] };
    all.extend(behind.into_iter().map(|end| (value.clone(), end)));
    all
}

struct Reader<'t> {
    text: &'t [u8],
    policy: Policy,
}

impl Reader<'_> {
    /// Returns the ends of the runs of white space of policy `any`; the longest comes last.
    fn gap(&self, from: usize) -> Vec<usize> {
        let longest = if self.policy.space == Space::Any { self.policy.run } else { 0 };
        let blank = |at: &usize| self.text.get(*at).is_some_and(|byte| b" \t\n\r".contains(byte));
        let run = (from..).take_while(blank).count();
        (from..=from + run.min(longest)).collect()
    }

    /// Returns the end of the longest run of white space that is allowed here.
    fn over(&self, from: usize) -> usize {
        self.gap(from).last().copied().unwrap_or(from)
    }

    fn fixed(&self, literal: &[u8], at: usize) -> Option<usize> {
        self.text.get(at..)?.starts_with(literal).then_some(at + literal.len())
    }

    fn value(&self, at: usize, level: usize) -> Option<(Value, usize)> {
        let words = [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))];
        for (word, value) in words {
            if let Some(end) = self.fixed(self.policy.word(word), at) {
                return Some((value, end));
            }
        }
        match self.text.get(at)? {
            b'"' => self.string(at + 1).map(|(string, end)| (Value::String(string), end)),
            b'[' => {
                let (items, end) = self.listed(at + 1, level, b"]", |at| self.value(at, level + 1))?;
                Some((Value::Array(items), end))
            }
            b'{' => {
                let (members, end) = self.listed(at + 1, level, b"}", |at| self.member(at, level + 1))?;
                Some((Value::Object(members), end))
            }
            _ => {
                let number = Number::read(self.text.get(at..)?)?;
                let end = at + number.written.len();
                Some((Value::Number(number), end))
            }
        }
    }

    fn member(&self, at: usize, level: usize) -> Option<((String, Value), usize)> {
        let (key, at) = self.string(self.fixed(b"\"", at)?)?;
        let wide = matches!(self.policy.space, Space::Spaced | Space::Pretty);
        let at = self.over(self.fixed(if wide { b": " } else { b":" }, self.over(at))?);
        let (value, end) = self.value(at, level)?;
        Some(((key, value), end))
    }

    /// Reads the items between brackets.
    fn listed<T>(
        &self,
        at: usize,
        level: usize,
        close: &[u8],
        item: impl Fn(usize) -> Option<(T, usize)>,
    ) -> Option<(Vec<T>, usize)> {
        let mut at = self.over(at);
        if let Some(end) = self.fixed(close, at) {
            return Some((Vec::new(), end));
        }
        let mut all = Vec::new();
        loop {
            at = self.line(at, level + 1)?;
            let (read, end) = item(at)?;
            all.push(read);
            at = self.over(end);
            let Some(behind) = self.fixed(b",", at) else { break };
            at = self.over(behind);
            if self.policy.space == Space::Spaced {
                at = self.fixed(b" ", at)?;
            }
        }
        Some((all, self.fixed(close, self.line(at, level)?)?))
    }

    /// Reads the line break of policy `pretty`; other policies have none.
    fn line(&self, at: usize, level: usize) -> Option<usize> {
        if self.policy.space != Space::Pretty {
            return Some(at);
        }
        let blanks = " ".repeat(self.policy.indent * level);
        self.fixed(format!("\n{blanks}").as_bytes(), at)
    }

    /// Reads the string behind a quote.
    fn string(&self, mut at: usize) -> Option<(String, usize)> {
        let mut string = String::new();
        loop {
            let (c, next) = char_at(self.text, at)?;
            let (c, end) = match c {
                '"' => return Some((string, next)),
                '\\' => self.escape(next)?,
                c if c < ' ' => return None,
                c => (c, next),
            };
            if self.policy.canonical && canonical(c).as_bytes() != &self.text[at..end] {
                return None;
            }
            string.push(c);
            at = end;
        }
    }

    /// Reads the escaped character behind a backslash.
    fn escape(&self, at: usize) -> Option<(char, usize)> {
        let letter = *self.text.get(at)?;
        if let Some(known) = b"\"\\/bfnrt".iter().position(|&known| known == letter) {
            return Some((['"', '\\', '/', '\u{8}', '\u{c}', '\n', '\r', '\t'][known], at + 1));
        }
        let unit = self.unit(at)?;
        if let Some(c) = char::from_u32(unit) {
            return Some((c, at + 5));
        }
        let low = self.unit(self.fixed(b"\\", at + 5)?)?;
        let c = char::decode_utf16([unit as u16, low as u16]).next()?.ok()?;
        (low >= 0xdc00).then_some((c, at + 11))
    }

    /// Reads the hexadecimal number behind `u`.
    fn unit(&self, at: usize) -> Option<u32> {
        let digits = std::str::from_utf8(self.text.get(self.fixed(b"u", at)?..at + 5)?).ok()?;
        let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| hex)
    }
}

/// Returns the canonical spelling of a character.
fn canonical(c: char) -> String {
    match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c if c < ' ' => format!("\\u{:04x}", c as u32),
        c => c.to_string(),
    }
}
