//! Random formats with objects, strings and arrays.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]

use std::sync::Arc;

use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, KeyOrder, RuleId, UNBOUNDED};

use ogc_kit::Random;

use crate::formats::{Key, digits, nested, object, string};

/// The names of keys. Some begin others, and some can be written by tokens of several letters.
const NAMES: [&str; 14] = ["a", "ab", "abc", "b", "bb", "x", "xyz", "hello", "aa", "c", "0", "01", "10", "aab"];

/// Returns a format whose root is an object or an array, with objects inside; `None` if it has no text.
pub fn random_objects(random: &mut Random) -> Option<Arc<Automaton>> {
    let mut builder = AutomatonBuilder::new();
    let mut values = vec![
        (string(&mut builder, false), 0, 0),
        (string(&mut builder, true), random.below(3) as u32, random.below(9) as u32),
        (digits(&mut builder), 0, 0),
    ];
    if random.below(2) == 0 {
        let counted = random.below(2) == 0;
        values.push((nested(&mut builder, counted), random.below(2) as u32, [1, 3, UNBOUNDED][random.below(3)]));
    }
    for _ in 0..1 + random.below(2) {
        let made = random_object(random, &mut builder, &values);
        values.push(made);
    }
    let root = values[values.len() - 1];
    let escapes = [Escapes::Any, Escapes::Canonical][random.below(2)];
    builder.finish(root, false, escapes).ok().map(Arc::new)
}

/// Makes an object of some of the values; returns its rule and countdowns.
fn random_object(
    random: &mut Random,
    builder: &mut AutomatonBuilder,
    values: &[(RuleId, u32, u32)],
) -> (RuleId, u32, u32) {
    let skip = random.below(NAMES.len());
    let names: Vec<&str> = NAMES.iter().cycle().skip(skip).take(1 + random.below(9)).copied().collect();
    let rare = 1 + random.below(4);
    let keys: Vec<Key<'_>> =
        names.iter().map(|name| (*name, random.below(rare) == 0, values[random.below(values.len())])).collect();
    let extra = (random.below(2) == 0).then(|| values[random.below(values.len())].0);
    let order = [KeyOrder::Declared, KeyOrder::Any][random.below(2)];
    let counted = random.below(3) == 0;
    let rule = object(builder, &keys, extra, order, counted);
    let required = keys.iter().filter(|key| key.1).count() as u32;
    let (a, b) = if counted { (random.below(3) as u32, required + random.below(4) as u32) } else { (0, 0) };
    (rule, a, b)
}
