//! The values on which schemas are compared: few, so that every combination of keywords meets all of them.

use ogc_regular::number::Decimal;
use ogc_schema::source::Value;

use ogc_kit::Random;

/// The keys of objects. Schemas name only some of them, so each is sometimes an unnamed key.
pub(crate) const KEYS: &[&str] = &["a", "b", "ab"];

const NUMBERS: &[&str] = &["-1", "0", "1", "2", "3", "0.5"];
/// All texts over `a` and `b` of two characters at most, and one character of two UTF-16 units.
const TEXTS: &[&str] = &["", "a", "b", "aa", "ab", "ba", "bb", "\u{1F600}"];

pub(crate) fn number(text: &str) -> Decimal {
    Decimal::parse(text).expect("a number")
}

pub(crate) fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn object(members: &[(&str, &Value)]) -> Value {
    Value::Object(members.iter().map(|(key, value)| ((*key).to_owned(), (*value).clone())).collect())
}

/// All values but arrays and objects.
pub(crate) fn scalars() -> Vec<Value> {
    let mut all = vec![Value::Null, Value::Bool(true), Value::Bool(false)];
    all.extend(NUMBERS.iter().map(|literal| Value::Number(number(literal))));
    all.extend(TEXTS.iter().map(|known| text(known)));
    all
}

/// The items of arrays, and the values of members.
fn inner() -> Vec<Value> {
    let one = Value::Number(number("1"));
    let mut all = vec![Value::Null, Value::Bool(true), one.clone(), Value::Number(number("2"))];
    all.extend([Value::Number(number("0.5")), text(""), text("a"), text("ab")]);
    all.extend([Value::Array(Vec::new()), object(&[])]);
    all.extend([Value::Array(vec![one.clone()]), object(&[("a", &one)])]);
    all
}

/// All arrays of two items at most, and all objects of two members at most.
fn composed() -> Vec<Value> {
    let inner = inner();
    let mut all = vec![Value::Array(Vec::new()), object(&[])];
    for first in &inner {
        all.push(Value::Array(vec![first.clone()]));
        all.extend(KEYS.iter().map(|key| object(&[(key, first)])));
        for second in &inner {
            all.push(Value::Array(vec![first.clone(), second.clone()]));
            for (at, key) in KEYS.iter().enumerate() {
                all.extend(KEYS[..at].iter().map(|other| object(&[(key, first), (other, second)])));
            }
        }
    }
    all
}

/// All values of the universe.
pub(crate) struct Universe {
    scalars: Vec<Value>,
    composed: Vec<Value>,
}

impl Universe {
    pub(crate) fn new() -> Self {
        Self { scalars: scalars(), composed: composed() }
    }

    /// All scalars, some of the composed values, and some larger ones.
    pub(crate) fn sample(&self, random: &mut Random) -> Vec<Value> {
        let mut all = self.scalars.clone();
        all.extend((0..60).map(|_| random.pick(&self.composed).clone()));
        all.extend((0..20).map(|_| instance(random, 3)));
        all
    }
}

/// A random value of at most the given depth.
pub(crate) fn instance(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 5 } else { 10 }) {
        0 => Value::Null,
        1 => Value::Bool(random.one_in(2)),
        2 | 3 => Value::Number(number(random.pick::<&str>(NUMBERS))),
        4 => text(random.pick::<&str>(TEXTS)),
        5 | 6 => Value::Array((0..random.below(4)).map(|_| instance(random, depth - 1)).collect()),
        _ => {
            let order = random.order(KEYS.len());
            let kept: Vec<usize> = order.into_iter().filter(|_| random.one_in(2)).collect();
            let members = kept.into_iter().map(|at| (KEYS[at].to_owned(), instance(random, depth - 1)));
            Value::Object(members.collect())
        }
    }
}

/// Equality of JSON values; the order of keys does not matter.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let within =
                |(key, value): &(String, Value)| right.iter().any(|(other, found)| other == key && same(value, found));
            left.len() == right.len() && left.iter().all(within)
        }
        _ => left == right,
    }
}

/// No two of the values are equal.
pub(crate) fn distinct(items: &[Value]) -> bool {
    items.iter().enumerate().all(|(at, item)| !items[..at].iter().any(|before| same(before, item)))
}
