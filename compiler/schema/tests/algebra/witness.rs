//! Values made from normal forms: a witness for each form that the algebra calls inhabited.
//!
//! The universe is too small for this purpose: `{minimum: 3, multipleOf: 2}` holds 4.

use std::collections::BTreeMap;

use ogc_regular::number::Decimal;
use ogc_schema::source::Value;
use ogc_schema::{Algebra, ArrayArm, Move, ObjectArm, Shape, StringArm, ValueId};

use crate::form::{
    Form, after, counts_hold, reached, refuses_array, refuses_object, rest_class, rest_value, string_holds,
};
use crate::universe::{distinct, number, scalars};
use ogc_kit::Random;

/// Greatest length of the arrays that are tried.
const LENGTH: usize = 9;
/// Cap on the steps to find an array.
const STEPS: usize = 3_000;

/// All texts of at most four characters over three letters; repetitions, the only texts of patterns such as `^(ab)*$`;
/// and some of a character that is longer in UTF-8.
fn texts() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut at = 0;
    while let Some(text) = all.get(at).filter(|text| text.len() < 4).cloned() {
        all.extend(["a", "b", "c"].map(|letter| format!("{text}{letter}")));
        at += 1;
    }
    all.extend(["a", "b", "ab"].iter().flat_map(|text| (5 / text.len()..=8).map(|times| text.repeat(times))));
    all.extend((1..=4).map(|length| "\u{1F600}".repeat(length)));
    all
}

/// The quarters from -10 to 10.
fn numbers() -> Vec<Decimal> {
    (-40..=40).map(|quarters| number(&(f64::from(quarters) / 4.0).to_string())).collect()
}

/// A witness for each value that has one; values that are empty, or for which none is found, are left out.
pub(crate) struct Witnesses<'m, 't> {
    algebra: &'m Algebra<'t>,
    random: &'m mut Random,
    known: BTreeMap<ValueId, Value>,
    texts: Vec<String>,
    numbers: Vec<Decimal>,
}

impl<'m, 't> Witnesses<'m, 't> {
    /// Makes witnesses for some values of a solved algebra, and for all values that their forms name.
    pub(crate) fn new(algebra: &'m Algebra<'t>, roots: &[ValueId], random: &'m mut Random) -> Self {
        let reached = reached(algebra, roots);
        let mut made = Self { algebra, random, known: BTreeMap::new(), texts: texts(), numbers: numbers() };
        loop {
            let before = made.known.len();
            for &id in &reached {
                if !made.known.contains_key(&id) {
                    let found = made.make(&algebra.shape(id));
                    made.known.extend(found.map(|value| (id, value)));
                }
            }
            if made.known.len() == before {
                return made;
            }
        }
    }

    pub(crate) fn of(&self, id: ValueId) -> Option<&Value> {
        self.known.get(&id)
    }

    /// Checks that an arm of a form is inhabited if and only if the algebra says so. The error describes the
    /// difference.
    pub(crate) fn check_arms(&mut self, id: ValueId) -> Result<(), String> {
        let algebra = self.algebra;
        let shape = algebra.shape(id);
        for arm in &shape.numbers {
            let held = self.numbers.iter().any(|number| arm.set.contains(number));
            agrees("a set of numbers", true, false, held)?;
        }
        for arm in &shape.strings {
            let held = self.string(arm).is_some();
            agrees("an arm of strings", true, false, held)?;
        }
        for arm in &shape.arrays {
            let held = self.array(arm).is_some();
            agrees("an arm of arrays", algebra.array_holds(arm), refuses_array(algebra, arm), held)?;
        }
        for arm in &shape.objects {
            let held = self.object(arm).is_some();
            agrees("an arm of objects", algebra.object_holds(arm), refuses_object(algebra, arm), held)?;
        }
        Ok(())
    }

    fn make(&mut self, shape: &Shape) -> Option<Value> {
        self.random.order(5).into_iter().find_map(|kind| match kind {
            0 => self.word(shape),
            1 => self.number(shape),
            2 => in_random_order(&shape.strings, self.random).into_iter().find_map(|arm| self.string(arm)),
            3 => in_random_order(&shape.arrays, self.random).into_iter().find_map(|arm| self.array(arm)),
            _ => in_random_order(&shape.objects, self.random).into_iter().find_map(|arm| self.object(arm)),
        })
    }

    fn word(&mut self, shape: &Shape) -> Option<Value> {
        let words = [(shape.null, Value::Null), (shape.yes, Value::Bool(true)), (shape.no, Value::Bool(false))];
        let held: Vec<Value> = words.into_iter().filter(|(held, _)| *held).map(|(_, word)| word).collect();
        (!held.is_empty()).then(|| self.random.pick(&held).clone())
    }

    fn number(&mut self, shape: &Shape) -> Option<Value> {
        let set = shape.number.as_ref()?;
        let held: Vec<&Decimal> = self.numbers.iter().filter(|number| set.contains(number)).collect();
        (!held.is_empty()).then(|| Value::Number((*self.random.pick(&held)).clone()))
    }

    fn string(&mut self, arm: &StringArm) -> Option<Value> {
        let held: Vec<&String> = self.texts.iter().filter(|text| string_holds(arm, text)).collect();
        (!held.is_empty()).then(|| Value::String((*self.random.pick(&held)).clone()))
    }

    fn array(&mut self, arm: &ArrayArm) -> Option<Value> {
        if arm.poison.is_some() {
            return None;
        }
        let length = usize::try_from(arm.min).ok()? + self.random.below(3);
        let mut steps = STEPS;
        let mut items = Vec::new();
        let found = self.items(arm, length, &mut items, &vec![0; arm.counts.len()], &mut steps)
            || (0..=LENGTH).any(|length| self.items(arm, length, &mut items, &vec![0; arm.counts.len()], &mut steps));
        found.then_some(Value::Array(items))
    }

    /// Adds items up to length `length`.
    fn items(
        &mut self,
        arm: &ArrayArm,
        length: usize,
        items: &mut Vec<Value>,
        counted: &[u64],
        steps: &mut usize,
    ) -> bool {
        if items.len() == length {
            let total = length as u64;
            return total >= arm.min && arm.max.is_none_or(|max| total <= max) && counts_hold(arm, counted);
        }
        let known = arm.prefix.get(items.len()).unwrap_or(&arm.items);
        let plain = [Move { counted: 0, value: known.value }];
        let moves = if arm.counts.is_empty() { &plain[..] } else { &known.moves };
        for way in in_random_order(moves, self.random) {
            for item in self.choices(way.value, arm.unique.is_some()) {
                *steps = steps.saturating_sub(1);
                items.push(item);
                let fits = *steps > 0 && (arm.unique.is_none() || distinct(items));
                if fits && self.items(arm, length, items, &after(counted, way.counted), steps) {
                    return true;
                }
                items.pop();
            }
        }
        false
    }

    /// The values that are tried for an item: the witness, and all scalars if no two items may be equal.
    fn choices(&self, id: ValueId, several: bool) -> Vec<Value> {
        let mut all: Vec<Value> = self.known.get(&id).cloned().into_iter().collect();
        if several {
            let form = Form { algebra: self.algebra, doubt: false };
            all.extend(scalars().into_iter().filter(|value| form.holds(id, value)));
        }
        all
    }

    fn object(&mut self, arm: &ObjectArm) -> Option<Value> {
        if arm.poison.is_some() {
            return None;
        }
        let mut members: Vec<(String, Value)> = Vec::new();
        for key in arm.keys.iter().filter(|key| key.required.is_some()) {
            members.push((key.name.clone(), self.known.get(&key.value)?.clone()));
        }
        self.exceptions(arm, &mut members)?;
        let most = arm.max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
        let least = usize::try_from(arm.min).ok()?;
        let wanted = least.max(members.len() + self.random.below(3)).min(most);
        let mut more: Vec<(String, ValueId)> = arm.keys.iter().map(|key| (key.name.clone(), key.value)).collect();
        let rest = in_random_order(&self.texts, self.random).into_iter();
        more.extend(rest.filter_map(|key| Some((key.clone(), rest_value(&arm.rest, key)?))));
        for (key, id) in more {
            let new = !members.iter().any(|(name, _)| *name == key);
            let is_named = arm.keys.iter().any(|named| named.name == key && named.value != id);
            if let Some(value) = self.known.get(&id).filter(|_| new && !is_named && members.len() < wanted) {
                members.push((key, value.clone()));
            }
        }
        (members.len() >= least && members.len() <= most).then_some(Value::Object(members))
    }

    /// Adds members that meet the demands for exceptions, those that meet most demands first.
    fn exceptions(&mut self, arm: &ObjectArm, members: &mut Vec<(String, Value)>) -> Option<()> {
        let all = (1u32 << arm.demands.all.len()) - 1;
        let mut met = 0;
        while met != all {
            let mut best: Option<(u32, String, Value)> = None;
            for key in in_random_order(&self.texts, self.random) {
                let is_known =
                    members.iter().any(|(name, _)| name == key) || arm.keys.iter().any(|named| named.name == *key);
                let moves = rest_class(&arm.rest, key).and_then(|class| arm.demands.moves.get(class));
                for way in moves.into_iter().flatten().filter(|_| !is_known) {
                    let more = (way.counted & !met).count_ones();
                    let is_better = more > best.as_ref().map_or(0, |(met_before, ..)| (met_before & !met).count_ones());
                    if let Some(value) = self.known.get(&way.value).filter(|_| is_better) {
                        best = Some((way.counted, key.clone(), value.clone()));
                    }
                }
            }
            let (counted, key, value) = best?;
            met |= counted;
            members.push((key, value));
        }
        Some(())
    }
}

/// Compares the verdict on an arm with the witness that was found.
fn agrees(part: &str, said: bool, refused: bool, found: bool) -> Result<(), String> {
    match (said, refused, found) {
        (false, _, true) => Err(format!("{part} is said to be empty, and something is made from it")),
        (true, false, false) => Err(format!("{part} is said to hold something, and nothing was found")),
        _ => Ok(()),
    }
}

fn in_random_order<'i, T>(items: &'i [T], random: &mut Random) -> Vec<&'i T> {
    random.order(items.len()).into_iter().map(|at| &items[at]).collect()
}
