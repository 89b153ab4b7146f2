//! Lowers `uniqueItems` over listed strings. The items of such an array are like the keys of an object: each occurs at
//! most once, in any order. So the array's rule counts and remembers its items in the same registers as keys.

use ogc_runtime::automaton::{KeyConditions, KeyOrder, ObjectId, ObjectShape, Op, OpId, RuleId, StateId, StateKind};
use ogc_schema::{ArrayArm, Shape, StringLanguage};

use super::lowering::Lowering;
use super::trie::{Base, Keys, Name};

impl Lowering<'_, '_> {
    /// Returns the strings of an array whose items are listed strings, each at most once; `None` for other arrays.
    pub(super) fn unique_texts(&self, arm: &ArrayArm) -> Option<Vec<String>> {
        if arm.unique.is_none() || !arm.prefix.is_empty() || !arm.counts.is_empty() {
            return None;
        }
        let shape = self.algebra.shape(arm.items.value);
        match (only_strings(&shape), shape.strings.as_slice()) {
            (true, [only]) => match &only.language {
                StringLanguage::Finite(texts) => Some(texts.clone()),
                StringLanguage::Any | StringLanguage::Dfa(_) => None,
            },
            _ => None,
        }
    }

    pub(super) fn write_unique(&mut self, rule: RuleId, arm: &ArrayArm, texts: &[String], depth: u32) {
        let counted = arm.min > 0 || arm.max.is_some();
        let keys = texts.len() as u32;
        let shape = ObjectShape {
            keys,
            required: Box::default(),
            order: KeyOrder::Any,
            extra: false,
            counted,
            conditions: KeyConditions::default(),
        };
        let object = self.builder.object(rule, shape);
        let names = (0..).zip(texts).map(|(at, text)| (text.as_str(), Name::Declared(at, 1)));
        let keys = Keys::new(names, Base::closed());
        let [start, end] = [(); 2].map(|()| self.builder.state(rule, StateKind::Bytes));
        self.builder.start(rule, start);
        self.builder.accept(end);
        let open = self.gap_after_open(rule, depth);
        self.builder.edge(start, b'[', b'[', OpId::NONE, open.enter);
        let close = self.builder.op(Op::ObjectClose { object });
        let next = self.builder.op(Op::KeyNext { object });
        self.close_empty(open, close, b']', end);
        let behind = self.gap(rule);
        let again = self.gap_after_comma(rule, depth);
        let root = self.write_texts(rule, object, &keys, behind.enter);
        for state in open.states() {
            self.builder.edge(state, b'"', b'"', next, root);
        }
        for state in again.states() {
            self.builder.edge(state, b'"', b'"', OpId::NONE, root);
        }
        for state in behind.states() {
            self.builder.edge(state, b',', b',', next, again.enter);
            self.close(rule, state, close, b']', end, depth);
        }
    }

    /// Writes the trie of the strings; a complete string leads to `behind`.
    fn write_texts(&mut self, rule: RuleId, object: ObjectId, keys: &Keys<'_>, behind: StateId) -> StateId {
        let states = self.states(rule, StateKind::Text, keys.nodes.len());
        for (node, &from) in keys.nodes.iter().zip(&states) {
            for &(byte, child) in &node.children {
                let op = if keys.nodes[child as usize].below == node.below {
                    OpId::NONE
                } else {
                    let declared = keys.declared_below(child).into_boxed_slice();
                    self.builder.op(Op::KeyAlive { object, keys: declared, extra: false })
                };
                self.builder.edge(from, byte, byte, op, states[child as usize]);
            }
            if let Name::Declared(key, _) = node.name {
                let take = self.builder.op(Op::KeyTake { object, key });
                self.builder.close(from, take, behind);
            }
        }
        states[0]
    }
}

fn only_strings(shape: &Shape) -> bool {
    let scalars = shape.null || shape.yes || shape.no || shape.number.is_some();
    !scalars && shape.arrays.is_empty() && shape.objects.is_empty() && shape.errors.is_empty()
}
