//! The verdicts of the normal forms about a value, and the parts of them that the compiler would reject.

use std::collections::VecDeque;

use ogc_schema::source::Value;
use ogc_schema::{Algebra, ArrayArm, Move, ObjectArm, Rest, Shape, StringArm, StringLanguage, ValueId};

use crate::universe::distinct;

/// Reads the normal forms of a solved algebra.
#[derive(Clone, Copy)]
pub(crate) struct Form<'a, 't> {
    pub(crate) algebra: &'a Algebra<'t>,
    /// Whether inexpressible parts count as holding (`true`) or as failing.
    pub(crate) doubt: bool,
}

impl Form<'_, '_> {
    /// Whether a value is in a normal form.
    pub(crate) fn holds(self, id: ValueId, value: &Value) -> bool {
        let shape = self.algebra.shape(id);
        if self.doubt && !shape.errors.is_empty() {
            return true;
        }
        match value {
            Value::Null => shape.null,
            Value::Bool(true) => shape.yes,
            Value::Bool(false) => shape.no,
            Value::Number(number) => shape.numbers.iter().any(|arm| arm.set.contains(number)),
            Value::String(text) => shape.strings.iter().any(|arm| string_holds(arm, text)),
            Value::Array(items) => shape.arrays.iter().any(|arm| self.array_holds(arm, items)),
            Value::Object(members) => shape.objects.iter().any(|arm| self.object_holds(arm, members)),
        }
    }

    fn array_holds(self, arm: &ArrayArm, items: &[Value]) -> bool {
        let length = items.len() as u64;
        (self.doubt || arm.poison.is_none())
            && length >= arm.min
            && arm.max.is_none_or(|max| length <= max)
            && (arm.unique.is_none() || distinct(items))
            && self.items_hold(arm, items, 0, &vec![0; arm.counts.len()])
    }

    /// Whether the items from `position` on can be read, given the counts so far.
    fn items_hold(self, arm: &ArrayArm, items: &[Value], position: usize, counted: &[u64]) -> bool {
        let Some(item) = items.get(position) else { return counts_hold(arm, counted) };
        let known = arm.prefix.get(position).unwrap_or(&arm.items);
        let plain = [Move { counted: 0, value: known.value }];
        let moves = if arm.counts.is_empty() { &plain[..] } else { &known.moves };
        moves.iter().any(|way| {
            self.holds(way.value, item) && self.items_hold(arm, items, position + 1, &after(counted, way.counted))
        })
    }

    fn object_holds(self, arm: &ObjectArm, members: &[(String, Value)]) -> bool {
        let count = members.len() as u64;
        (self.doubt || arm.poison.is_none())
            && self.exceptions_hold(arm, members)
            && count >= arm.min
            && arm.max.is_none_or(|max| count <= max)
            && arm.keys.iter().all(|key| key.required.is_none() || members.iter().any(|(name, _)| *name == key.name))
            && members.iter().all(|(key, value)| value_of(arm, key).is_some_and(|id| self.holds(id, value)))
    }

    /// Whether unnamed keys meet all demands for exceptions; each is read in one way.
    fn exceptions_hold(self, arm: &ObjectArm, members: &[(String, Value)]) -> bool {
        let mut met = 0;
        for (key, value) in members.iter().filter(|(key, _)| !arm.keys.iter().any(|named| named.name == *key)) {
            let moves = rest_class(&arm.rest, key).and_then(|class| arm.demands.moves.get(class));
            let ways = moves.into_iter().flatten().filter(|way| self.holds(way.value, value));
            met |= ways.fold(0, |met, way| met | way.counted);
        }
        met == (1 << arm.demands.all.len()) - 1
    }
}

/// The counts after an item.
pub(crate) fn after(counted: &[u64], way: u32) -> Vec<u64> {
    counted.iter().enumerate().map(|(at, count)| count + u64::from(way >> at & 1)).collect()
}

pub(crate) fn counts_hold(arm: &ArrayArm, counted: &[u64]) -> bool {
    let holds =
        |(have, count): (&u64, &ogc_schema::Count)| *have >= count.min && count.max.is_none_or(|max| *have <= max);
    counted.iter().zip(&arm.counts).all(holds)
}

pub(crate) fn string_holds(arm: &StringArm, text: &str) -> bool {
    let length = text.chars().count() as u64;
    let spelled = match &arm.language {
        StringLanguage::Any => true,
        StringLanguage::Finite(texts) => texts.iter().any(|known| known == text),
        StringLanguage::Dfa(dfa) => dfa.contains(text.as_bytes()),
    };
    spelled && length >= arm.min && arm.max.is_none_or(|max| length <= max)
}

/// The value of a key; `None` where the key is not possible.
pub(crate) fn value_of(arm: &ObjectArm, key: &str) -> Option<ValueId> {
    let named = arm.keys.iter().find(|known| known.name == key);
    named.map(|known| known.value).or_else(|| rest_value(&arm.rest, key))
}

/// The value of a key that is not named.
pub(crate) fn rest_value(rest: &Rest, key: &str) -> Option<ValueId> {
    rest.classes.get(rest_class(rest, key)?).copied()
}

/// The class of a key that is not named.
pub(crate) fn rest_class(rest: &Rest, key: &str) -> Option<usize> {
    let Some(keys) = &rest.keys else { return Some(0) };
    let step = |state: usize, byte: u8| {
        let edge = keys.edges[state].iter().find(|edge| edge.lo <= byte && byte <= edge.hi);
        edge.map(|edge| edge.to.0 as usize)
    };
    let end = key.bytes().try_fold(0, step)?;
    keys.class[end].map(|class| class as usize)
}

/// All values that the forms of `roots` name, the roots first.
pub(crate) fn reached(algebra: &Algebra<'_>, roots: &[ValueId]) -> Vec<ValueId> {
    let mut all: Vec<ValueId> = Vec::new();
    let mut open = VecDeque::from(roots.to_vec());
    while let Some(id) = open.pop_front() {
        if !all.contains(&id) {
            all.push(id);
            open.extend(inner(&algebra.shape(id)));
        }
    }
    all
}

fn inner(shape: &Shape) -> Vec<ValueId> {
    let items = shape.arrays.iter().flat_map(array_values);
    items.chain(shape.objects.iter().flat_map(object_values)).collect()
}

fn array_values(arm: &ArrayArm) -> Vec<ValueId> {
    let items = arm.prefix.iter().chain([&arm.items]);
    items.flat_map(|item| item.moves.iter().map(|way| way.value).chain([item.value])).collect()
}

fn object_values(arm: &ObjectArm) -> Vec<ValueId> {
    let moves = arm.demands.moves.iter().flatten().map(|way| way.value);
    arm.keys.iter().map(|key| key.value).chain(arm.rest.classes.iter().copied()).chain(moves).collect()
}

/// Returns the reason why the compiler would reject one of the values: an inhabited part that is not expressed. `None`
/// if it would not.
pub(crate) fn refusal(algebra: &Algebra<'_>, roots: &[ValueId]) -> Option<String> {
    let mut known: Vec<ValueId> = Vec::new();
    let mut open = roots.to_vec();
    while let Some(id) = open.pop() {
        if known.contains(&id) || !algebra.holds_something(id) {
            continue;
        }
        known.push(id);
        let shape = algebra.shape(id);
        if let Some(error) = shape.errors.first() {
            return Some(error.to_string());
        }
        for arm in shape.arrays.iter().filter(|arm| algebra.array_holds(arm)) {
            if let Some(code) = array_refusal(algebra, arm) {
                return Some(code);
            }
            open.extend(array_values(arm));
        }
        for arm in shape.objects.iter().filter(|arm| algebra.object_holds(arm)) {
            if let Some(poison) = &arm.poison {
                return Some(poison.to_string());
            }
            open.extend(object_values(arm));
        }
    }
    None
}

/// Whether the compiler would reject an inhabited array arm, or something in it.
pub(crate) fn refuses_array(algebra: &Algebra<'_>, arm: &ArrayArm) -> bool {
    array_refusal(algebra, arm).is_some() || refusal(algebra, &array_values(arm)).is_some()
}

/// Whether the compiler would reject an inhabited object arm, or something in it.
pub(crate) fn refuses_object(algebra: &Algebra<'_>, arm: &ObjectArm) -> bool {
    arm.poison.is_some() || refusal(algebra, &object_values(arm)).is_some()
}

/// Returns the reason why the compiler would reject an array arm with any items.
fn array_refusal(algebra: &Algebra<'_>, arm: &ArrayArm) -> Option<String> {
    if let Some(poison) = &arm.poison {
        return Some(poison.to_string());
    }
    let several = algebra.longest(arm).is_none_or(|most| most > 1);
    if arm.unique.is_some() && several && !is_list_of_texts(algebra, arm) {
        return Some("unique items".to_owned());
    }
    let bounded = arm.min > 0 && arm.counts.iter().any(|count| count.max.is_some());
    (algebra.needs(arm).is_err() || bounded && !can_pad(algebra, arm)).then(|| "counts of items".to_owned())
}

/// Whether every position has an item that counts for nothing.
fn can_pad(algebra: &Algebra<'_>, arm: &ArrayArm) -> bool {
    let free = |way: &Move| way.counted == 0 && algebra.holds_something(way.value);
    arm.prefix.iter().chain([&arm.items]).all(|item| item.moves.iter().any(free))
}

/// Whether the items are listed strings and nothing else.
fn is_list_of_texts(algebra: &Algebra<'_>, arm: &ArrayArm) -> bool {
    let shape = algebra.shape(arm.items.value);
    let scalars = shape.null || shape.yes || shape.no || shape.number.is_some();
    let composed = !shape.arrays.is_empty() || !shape.objects.is_empty();
    let listed = matches!(shape.strings.as_slice(), [StringArm { language: StringLanguage::Finite(_), .. }]);
    listed && !scalars && !composed && arm.prefix.is_empty() && arm.counts.is_empty()
}
