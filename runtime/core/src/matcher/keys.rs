//! The declared keys of the object around a matcher's place, for messages about missing, unknown and repeated keys.

use super::Matcher;
use crate::automaton::{Automaton, KeyOrder, ObjectId, Rule, StateId, StateKind, TableRange};
use crate::completion::ended;
use crate::step::{BOTTOM, Head, extra_may_come, key_is_past, key_may_come};

/// The declared keys of the object around a matcher's place, as one reading of the text sees them.
///
/// ```
#[doc = include_str!("../example.md")]
/// // `ab+` has no objects.
/// assert_eq!(matcher.object_keys(), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectKeys {
    /// The declared keys, in declared order.
    pub keys: Vec<DeclaredKey>,
    /// The order in which the keys must be written.
    pub order: KeyOrder,
    /// Whether the object may have undeclared keys.
    pub others: bool,
    /// Whether the next key may be an undeclared one.
    pub others_now: bool,
}

/// A declared key of an open object.
///
/// ```
/// use ogc_runtime::matcher::DeclaredKey;
/// let key = DeclaredKey { name: "id".into(), required: true, allowed: true, past: false };
/// assert!(key.required && !key.past);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredKey {
    /// Its name, decoded.
    pub name: String,
    /// Whether the object is not complete without it.
    pub required: bool,
    /// Whether it may be the next key.
    pub allowed: bool,
    /// Whether it can no longer come: it or a later key was seen already.
    pub past: bool,
}

impl Matcher {
    /// Returns the keys of the innermost object around the place, for each reading of the text that has one.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(matcher.object_keys().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn object_keys(&self) -> Vec<ObjectKeys> {
        let mut found = Vec::new();
        for head in self.heads.iter().take(MOST_READINGS).filter(|head| !head.is_returned()) {
            let Some((frame, object)) = self.innermost_object(*head) else { continue };
            let keys = self.keys_of(&frame, object);
            if !found.contains(&keys) {
                found.push(keys);
            }
        }
        found
    }

    /// Finds the frame of the innermost object, as it was when the text inside it began.
    fn innermost_object(&self, mut head: Head) -> Option<(Head, ObjectId)> {
        loop {
            if let Some(object) = self.automaton.rule_of(head.state).object {
                return Some((head, object));
            }
            let mut below = None;
            if head.parent != BOTTOM {
                self.stack.frames(head.parent, |frame, parent| {
                    below.get_or_insert(frame.resume(parent));
                });
            }
            head = below?;
        }
    }

    fn keys_of(&self, frame: &Head, object: ObjectId) -> ObjectKeys {
        let shape = &self.automaton.objects[object.index()];
        let frame = &Head { memory: self.stack.registers(frame.memory), ..*frame };
        let rule = self.automaton.rule_of(frame.state);
        let named = (0..).zip(names(&self.automaton, rule, shape.keys));
        let key = |(key, name): (u32, String)| DeclaredKey {
            name,
            required: shape.required.binary_search(&key).is_ok(),
            allowed: key_may_come(shape, &self.stack, frame, key),
            past: key_is_past(shape, &self.stack, frame, key),
        };
        let mut keys: Vec<DeclaredKey> = Vec::with_capacity(shape.keys as usize);
        for key in named.map(key) {
            // Variants of a key that differ by their values are one key.
            match keys.last_mut().filter(|last| last.name == key.name) {
                Some(last) => (last.allowed, last.past) = (last.allowed || key.allowed, last.past || key.past),
                None => keys.push(key),
            }
        }
        ObjectKeys {
            keys,
            order: shape.order,
            others: shape.extra,
            others_now: extra_may_come(shape, &self.stack, frame),
        }
    }
}

/// Cap on the readings whose objects are returned.
const MOST_READINGS: usize = 32;

/// Spells the names of an object's declared keys: the paths through the trie of its rule.
fn names(automaton: &Automaton, rule: &Rule, count: u32) -> Vec<String> {
    let mut names = vec![String::new(); count as usize];
    let TableRange { first, len } = rule.states;
    let is_text = |state: StateId| automaton.states[state.index()].kind == StateKind::Text;
    let opening = rule.state_ids().filter(|&state| !is_text(state)).flat_map(|state| automaton.edges(state));
    let opening = opening.filter(|edge| is_text(edge.to));
    // Each path: its last state, the byte that led there, and the index of the path before it.
    let mut ways: Vec<(StateId, u8, Option<usize>)> = opening.map(|edge| (edge.to, 0, None)).collect();
    let mut seen = vec![false; len as usize];
    let mut next = 0;
    while let Some(&(state, ..)) = ways.get(next) {
        if !std::mem::replace(&mut seen[(state.0 - first) as usize], true) {
            let close = automaton.states[state.index()].close;
            for &key in close.map_or(&[][..], |(op, _)| ended(automaton.plain_op(op))) {
                names.get_mut(key as usize).into_iter().for_each(|slot| *slot = spelled(&ways, next));
            }
            // Paths into undeclared keys are ranges or loops; paths of declared keys are single bytes.
            let edges = automaton.edges(state).iter().filter(|edge| edge.lo == edge.hi && is_text(edge.to));
            ways.extend(edges.map(|edge| (edge.to, edge.lo, Some(next))));
        }
        next += 1;
    }
    names
}

/// Spells the bytes on the path to a state.
fn spelled(ways: &[(StateId, u8, Option<usize>)], last: usize) -> String {
    let mut bytes = Vec::new();
    let mut at = last;
    while let (_, byte, Some(before)) = ways[at] {
        bytes.push(byte);
        at = before;
    }
    bytes.reverse();
    String::from_utf8_lossy(&bytes).into_owned()
}
