//! Follow sets: the bytes that can come next when a text of a rule has ended, whoever called the rule.

use crate::automaton::byte_set::{ByteSet, add_range};
use crate::automaton::{Automaton, StateId, StateKind};

const ALL: ByteSet = [u64::MAX; 4];

/// Computes each rule's follow set from the first sets, which must be there. A set never lacks a byte; it may have too many, as guards on
/// registers are not checked.
pub(super) fn follow(automaton: &Automaton) -> Vec<ByteSet> {
    let mut sets = vec![[0; 4]; automaton.rules.len()];
    // For each rule: the rules whose texts can end one of its texts.
    let mut ends: Vec<Vec<u32>> = vec![Vec::new(); automaton.rules.len()];
    for call in &automaton.calls {
        let spent = automaton.derived.twin(call.ret);
        for ret in [Some(call.ret), spent].into_iter().flatten() {
            add(&mut sets[call.rule.index()], &beginnings(automaton, ret));
            let state = &automaton.states[ret.index()];
            if state.accept {
                ends[state.rule.index()].push(call.rule.0);
            }
        }
    }
    let mut open: Vec<usize> = (0..sets.len()).collect();
    while let Some(rule) = open.pop() {
        let behind = sets[rule];
        for &end in &ends[rule] {
            if add(&mut sets[end as usize], &behind) {
                open.push(end as usize);
            }
        }
    }
    sets
}

/// Returns the bytes that a state reads within its rule; in a string every byte may be part of a character's spelling.
fn beginnings(automaton: &Automaton, state: StateId) -> ByteSet {
    if automaton.states[state.index()].kind == StateKind::Text {
        return ALL;
    }
    let mut set = [0; 4];
    automaton.edges(state).iter().for_each(|edge| add_range(&mut set, edge.lo, edge.hi));
    for call in automaton.calls(state) {
        add(&mut set, &automaton.rules[call.rule.index()].first);
    }
    set
}

/// Adds the bytes of another set; returns whether one of them is new.
fn add(set: &mut ByteSet, more: &ByteSet) -> bool {
    let before = *set;
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
    *set != before
}

#[cfg(test)]
mod tests {
    use crate::automaton::byte_set::has;
    use crate::automaton::{AutomatonBuilder, Call, Escapes, OpId, RuleId, StateId, StateKind};

    #[test]
    fn bytes_after_the_end_of_a_caller_follow_its_callee() {
        let mut builder = AutomatonBuilder::new();
        let [top, middle, leaf] = ["top", "middle", "leaf"].map(|name| builder.rule(name, 0));
        let state = |builder: &mut AutomatonBuilder, rule: RuleId| builder.state(rule, StateKind::Bytes);
        let call = |rule: RuleId, ret: StateId| Call { rule, ret, op: OpId::NONE, a: 0, b: 0 };
        // top = middle "z"; middle = leaf "y"?; leaf = "x"
        let states = [top, top, top, middle, middle, middle, leaf, leaf].map(|rule| state(&mut builder, rule));
        let [a, b, c, d, e, f, g, h] = states;
        builder.call(a, call(middle, b));
        builder.edge(b, b'z', b'z', OpId::NONE, c);
        builder.call(d, call(leaf, e));
        builder.edge(e, b'y', b'y', OpId::NONE, f);
        builder.edge(g, b'x', b'x', OpId::NONE, h);
        [c, e, f, h].into_iter().for_each(|state| builder.accept(state));
        [(top, a), (middle, d), (leaf, g)].into_iter().for_each(|(rule, start)| builder.start(rule, start));
        let automaton = builder.finish((top, 0, 0), false, Escapes::Any).unwrap();
        let of = |name: &str| {
            let rule = automaton.rules.iter().position(|rule| rule.name == name).unwrap();
            let set = automaton.derived.follow(RuleId(rule as u32));
            (0..=u8::MAX).filter(|&byte| has(set, byte)).map(char::from).collect::<String>()
        };
        assert_eq!([of("top"), of("middle"), of("leaf")], ["", "z", "yz"]);
    }
}
