//! Lowers the conditions on the keys of an object: from indices of an arm's keys to declared indexes, which only keys
//! with values have.

use ogc_runtime::automaton::{KeyChoice, KeyConditions, KeyDiagram};
use ogc_schema::{KeyWay, ObjectArm};

/// The declared indexes of an arm's keys.
pub(super) struct Declared {
    /// For each key of the arm, its index; `None` for a key without values.
    pub(super) indexes: Vec<Option<u32>>,
    /// For each index, the name of the key.
    pub(super) names: Vec<String>,
}

impl Declared {
    /// Numbers the possible keys of an arm.
    pub(super) fn of(arm: &ObjectArm, possible: &[bool]) -> Self {
        let mut declared = Self { indexes: Vec::with_capacity(arm.keys.len()), names: Vec::new() };
        for (key, &possible) in arm.keys.iter().zip(possible) {
            declared.indexes.push(possible.then_some(declared.names.len() as u32));
            declared.names.extend(possible.then(|| key.name.clone()));
        }
        declared
    }

    /// Returns how many consecutive indexes from `first` on have the same name.
    pub(super) fn group(&self, first: u32) -> u32 {
        let name = self.names.get(first as usize);
        let rivals = self.names.iter().skip(first as usize).take_while(|other| Some(*other) == name);
        rivals.count() as u32
    }
}

/// Returns the conditions on an arm's keys, by their indexes among the declared ones. Keys that can have no value are left out.
pub(super) fn conditions(arm: &ObjectArm, declared: &Declared, has_others: bool) -> KeyConditions {
    let diagrams = arm.conditions.iter().filter_map(|diagram| lowered(arm, diagram, declared, has_others));
    let mut diagrams: Vec<KeyDiagram> = diagrams.collect();
    let mut first = 0;
    while (first as usize) < declared.names.len() {
        let options = declared.group(first);
        let is_known = || diagrams.iter().flat_map(|diagram| &diagram.choices).any(|choice| choice.first == first);
        // Keys with the same name always exclude each other, whatever the other conditions are.
        if options > 1 && !is_known() {
            let next = vec![KeyDiagram::HOLDS; options as usize + 1].into();
            diagrams.push(KeyDiagram { choices: [KeyChoice { first, next }].into() });
        }
        first += options.max(1);
    }
    KeyConditions::new(diagrams.into())
}

/// Converts a diagram to declared indexes and drops unreachable choices; `None` if the diagram always holds.
fn lowered(
    arm: &ObjectArm,
    diagram: &ogc_schema::KeyDiagram,
    declared: &Declared,
    has_others: bool,
) -> Option<KeyDiagram> {
    // For each choice: the target of ways that lead to it (the choice itself, or a later one if it decides nothing),
    // and the choice over declared indexes.
    let mut targets = vec![KeyWay::Fails; diagram.choices.len()];
    let mut choices: Vec<Option<(u32, Vec<KeyWay>)>> = vec![None; diagram.choices.len()];
    for (at, choice) in diagram.choices.iter().enumerate().rev() {
        let index = |option: usize| match choice.first + option == arm.keys.len() {
            true => has_others.then_some(declared.names.len() as u32),
            false => declared.indexes.get(choice.first + option).copied().flatten(),
        };
        let way = |way: &KeyWay| match *way {
            KeyWay::To(next) => targets[next],
            end => end,
        };
        let absent = choice.next.first().map_or(KeyWay::Fails, way);
        let values: Vec<(u32, KeyWay)> =
            choice.next.iter().skip(1).enumerate().filter_map(|(at, next)| Some((index(at)?, way(next)))).collect();
        let is_open = values.len() > 1 || values.iter().any(|(_, next)| *next != absent);
        let dead = absent == KeyWay::Fails && values.iter().all(|(_, next)| *next == KeyWay::Fails);
        match values.first().filter(|_| is_open && !dead) {
            Some(&(first, _)) => {
                let next = [absent].into_iter().chain(values.into_iter().map(|(_, next)| next)).collect();
                choices[at] = Some((first, next));
                targets[at] = KeyWay::To(at);
            }
            None => targets[at] = if dead { KeyWay::Fails } else { absent },
        }
    }
    let KeyWay::To(root) = targets.first().copied()? else { return None };
    Some(KeyDiagram { choices: reached(root, &choices).into() })
}

/// Returns the choices that are reachable from the first, renumbered.
fn reached(root: usize, choices: &[Option<(u32, Vec<KeyWay>)>]) -> Vec<KeyChoice> {
    let mut seen = vec![false; choices.len()];
    seen[root] = true;
    let mut number = vec![0u32; choices.len()];
    let mut count = 0;
    for (at, choice) in choices.iter().enumerate() {
        let Some((_, next)) = choice.as_ref().filter(|_| seen[at]) else { continue };
        number[at] = count;
        count += 1;
        for way in next {
            if let KeyWay::To(to) = way {
                seen[*to] = true;
            }
        }
    }
    let way = |way: &KeyWay| match *way {
        KeyWay::Fails => KeyDiagram::FAILS,
        KeyWay::Holds => KeyDiagram::HOLDS,
        KeyWay::To(to) => number[to],
    };
    let kept = choices.iter().zip(seen).filter_map(|(choice, seen)| choice.as_ref().filter(|_| seen));
    kept.map(|(first, next)| KeyChoice { first: *first, next: next.iter().map(way).collect() }).collect()
}
