//! Lists all the ways to write a JSON value.

use crate::engine::{Policy, Space};

/// A JSON value of the oracle; numbers are whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object; the order of the members is the declared one.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Converts the value for other libraries.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Null => serde_json::Value::Null,
            Value::Bool(truth) => (*truth).into(),
            Value::Int(number) => (*number).into(),
            Value::String(text) => text.as_str().into(),
            Value::Array(items) => items.iter().map(Value::to_json).collect(),
            Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), value.to_json())).collect(),
        }
    }
}

/// Cap on the texts that are listed.
pub const MOST: usize = 40_000;

type Texts = Vec<Vec<u8>>;

/// Returns all texts of a value; `None` if there are more than [`MOST`].
#[must_use]
pub fn spell(value: &Value, policy: Policy) -> Option<Texts> {
    let speller = Speller { policy };
    let gap = speller.gap();
    speller.joined(&[gap.clone(), speller.value(value, 0)?, gap])
}

struct Speller {
    policy: Policy,
}

impl Speller {
    fn value(&self, value: &Value, depth: usize) -> Option<Texts> {
        match value {
            Value::Null => Some(vec![b"null".to_vec()]),
            Value::Bool(truth) => Some(vec![truth.to_string().into_bytes()]),
            Value::Int(number) => Some(vec![number.to_string().into_bytes()]),
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                let items: Option<Vec<Texts>> = items.iter().map(|item| self.value(item, depth + 1)).collect();
                self.bracketed(b"[", &items?, b"]", depth)
            }
            Value::Object(members) => self.object(members, depth),
        }
    }

    fn object(&self, members: &[(String, Value)], depth: usize) -> Option<Texts> {
        let written: Option<Vec<Texts>> = members.iter().map(|member| self.member(member, depth + 1)).collect();
        let written = written?;
        let orders =
            if self.policy.any_order { permutations(members.len()) } else { vec![(0..members.len()).collect()] };
        let mut all = Vec::new();
        for order in orders {
            let members: Vec<Texts> = order.iter().filter_map(|&at| written.get(at).cloned()).collect();
            all.extend(self.bracketed(b"{", &members, b"}", depth)?);
        }
        (all.len() <= MOST).then_some(all)
    }

    fn member(&self, (key, value): &(String, Value), depth: usize) -> Option<Texts> {
        let colon: &[u8] = if matches!(self.policy.space, Space::Spaced | Space::Pretty(_)) { b": " } else { b":" };
        self.joined(&[self.string(key)?, self.gap(), vec![colon.to_vec()], self.gap(), self.value(value, depth)?])
    }

    fn bracketed(&self, open: &[u8], items: &[Texts], close: &[u8], depth: usize) -> Option<Texts> {
        let mut parts = vec![vec![open.to_vec()], self.gap()];
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                parts.extend([vec![b",".to_vec()], self.gap()]);
            }
            parts.push(vec![self.before_item(at, depth + 1)]);
            parts.extend([item.clone(), self.gap()]);
        }
        if !items.is_empty() {
            parts.push(vec![self.line(depth)]);
        }
        parts.push(vec![close.to_vec()]);
        self.joined(&parts)
    }

    fn before_item(&self, at: usize, depth: usize) -> Vec<u8> {
        if self.policy.space == Space::Spaced && at > 0 { b" ".to_vec() } else { self.line(depth) }
    }

    fn line(&self, depth: usize) -> Vec<u8> {
        let Space::Pretty(indent) = self.policy.space else { return Vec::new() };
        let spaces = vec![b' '; indent as usize * depth];
        [vec![b'\n'], spaces].concat()
    }

    /// Returns all runs of white space that are allowed between two tokens.
    fn gap(&self) -> Texts {
        let longest = if let Space::Run(longest) = self.policy.space { longest } else { 0 };
        let mut runs: Texts = vec![Vec::new()];
        let mut last = runs.clone();
        for _ in 0..longest {
            last = last.iter().flat_map(|run| b" \t\n\r".map(|byte| [run.as_slice(), &[byte]].concat())).collect();
            runs.extend(last.clone());
        }
        runs
    }

    fn string(&self, text: &str) -> Option<Texts> {
        let quote = vec![b"\"".to_vec()];
        let mut parts = vec![quote.clone()];
        parts.extend(text.chars().map(|c| self.character(c)));
        parts.push(quote);
        self.joined(&parts)
    }

    /// Returns the spellings of a character, the canonical one first.
    fn character(&self, c: char) -> Texts {
        let mut all = Vec::new();
        if c >= ' ' && c != '"' && c != '\\' {
            all.push(c.to_string().into_bytes());
        }
        let letter = ['"', '\\', '\u{8}', '\u{c}', '\n', '\r', '\t', '/'].iter().position(|&special| special == c);
        all.extend(letter.map(|at| vec![b'\\', b"\"\\bfnrt/"[at]]));
        let units = c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("{unit:04x}")).collect::<Vec<_>>();
        let hex = units.iter().fold(vec![Vec::new()], |texts, unit| cross(&texts, &cased(unit)));
        all.extend(hex);
        if self.policy.plain_strings {
            all.truncate(1);
        }
        all
    }

    fn joined(&self, parts: &[Texts]) -> Option<Texts> {
        let count = parts.iter().try_fold(1usize, |count, part| count.checked_mul(part.len()))?;
        (count <= MOST).then(|| parts.iter().fold(vec![Vec::new()], |texts, part| cross(&texts, part)))
    }
}

/// Returns `\u` and the digits, with each letter in both cases.
fn cased(unit: &str) -> Texts {
    unit.bytes().fold(vec![b"\\u".to_vec()], |texts, digit| {
        let mut digits = vec![vec![digit]];
        if digit.is_ascii_alphabetic() {
            digits.push(vec![digit.to_ascii_uppercase()]);
        }
        cross(&texts, &digits)
    })
}

fn cross(left: &[Vec<u8>], right: &[Vec<u8>]) -> Texts {
    left.iter().flat_map(|l| right.iter().map(move |r| [l.as_slice(), r].concat())).collect()
}

/// Returns all orders of `0..len`.
fn permutations(len: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for next in 0..len {
        all = all.iter().flat_map(|order| (0..=next).map(|at| inserted(order, at, next))).collect();
    }
    all
}

fn inserted(order: &[usize], at: usize, item: usize) -> Vec<usize> {
    let mut order = order.to_vec();
    order.insert(at, item);
    order
}

#[cfg(test)]
mod tests {
    use super::{Value, spell};
    use crate::engine::{Policy, Space};

    fn texts(value: &Value, policy: Policy) -> Vec<String> {
        let texts = spell(value, policy).expect("few");
        texts.into_iter().map(|text| String::from_utf8(text).expect("UTF-8")).collect()
    }

    #[test]
    fn the_oracle_spells_values_under_every_policy() {
        let object = Value::Object(vec![
            ("a".into(), Value::Array(vec![Value::Int(1), Value::Null])),
            ("b".into(), Value::Int(2)),
        ]);
        let plain = Policy { plain_strings: true, space: Space::Compact, ..Policy::default() };
        assert_eq!(texts(&object, plain), [r#"{"a":[1,null],"b":2}"#]);
        assert_eq!(texts(&object, Policy { space: Space::Spaced, ..plain }), [r#"{"a": [1, null], "b": 2}"#]);
        let pretty = "{\n \"a\": [\n  1,\n  null\n ],\n \"b\": 2\n}";
        assert_eq!(texts(&object, Policy { space: Space::Pretty(1), ..plain }), [pretty]);
        assert_eq!(texts(&object, Policy { any_order: true, ..plain }).len(), 2);
        assert_eq!(texts(&Value::Array(vec![]), Policy { space: Space::Run(1), ..plain }).len(), 125);
        let escapes = Policy { plain_strings: false, ..plain };
        assert_eq!(texts(&Value::String("/".into()), escapes), [r#""/""#, r#""\/""#, r#""\u002f""#, r#""\u002F""#]);
        assert_eq!(texts(&Value::String("\u{1f600}".into()), escapes).len(), 17);
        assert_eq!(texts(&Value::String("\u{1}".into()), plain), [r#""\u0001""#]);
    }
}
