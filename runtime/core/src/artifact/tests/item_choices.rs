//! Tests of arrays with a minimum number of distinct items: their numbers in artifacts, altered or not, and budgets.

use std::sync::Arc;

use super::encode;
use super::formats;
use crate::artifact::{Artifact, Format, LoadError, write};
use crate::automaton::{Automaton, AutomatonBuilder, Call, Escapes, MAX_ITEM_CHOICES, Op, OpId, StateKind, UNBOUNDED};
use crate::container::{SectionKind, assemble};
use crate::mask::MaskStore;
use crate::matcher::Matcher;
use ogc_kit::Random;

/// Makes arrays of three or more distinct digits up to `greatest`.
fn digits(greatest: u8, choices: u32) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let (array, digit) = (builder.rule("array", 0), builder.rule("digit", 0));
    let [start, open, behind, next, end] = [0; 5].map(|_| builder.state(array, StateKind::Bytes));
    let [before, after] = [0; 2].map(|_| builder.state(digit, StateKind::Bytes));
    builder.start(array, start);
    builder.start(digit, before);
    let [comma, close] =
        [(true, u32::MAX), (false, 0)].map(|(tick, max_a)| builder.op(Op::Count { tick, max_a, min_total: 0 }));
    builder.edge(start, b'[', b'[', OpId::NONE, open);
    for from in [open, next] {
        builder.call(from, Call { rule: digit, ret: behind, op: OpId::NONE, a: 0, b: 0 });
    }
    builder.edge(behind, b',', b',', comma, next);
    builder.edge(behind, b']', b']', close, end);
    builder.edge(before, b'0', greatest, OpId::NONE, after);
    builder.accept(after);
    builder.accept(end);
    builder.distinct_items(array);
    builder.item_choices(array, choices);
    Arc::new(builder.finish((array, 2, UNBOUNDED), false, Escapes::Any).expect("a format"))
}

#[test]
fn distinct_required_items_need_enough_values() {
    assert_eq!(digits(b'2', 3).scarce_items(), None);
    let few = digits(b'1', 3);
    assert_eq!(few.scarce_items().map(|rule| few.rules[rule.index()].name.as_str()), Some("array"));
    assert_eq!(digits(b'1', 0).scarce_items(), None);
}

/// Walks under a budget; returns whether each text ended in time.
fn end_in_time(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, budget: u32) -> bool {
    (0..30).all(|seed| {
        let mut random = Random::new(seed);
        let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
        let is_set = matcher.set_budget(Some(budget)).is_ok();
        for _ in 0..budget {
            let tokens = matcher.mask().map(|mask| mask.tokens()).unwrap_or_default();
            let end = store.vocabulary().eos();
            let tokens: Vec<_> = tokens.into_iter().filter(|token| !end.contains(token)).collect();
            let is_accepted = random.choose(&tokens).is_some_and(|token| matcher.accept_token(*token).is_ok());
            if !is_accepted {
                break;
            }
        }
        is_set && matcher.is_complete()
    })
}

#[test]
fn budgets_account_for_distinct_items() {
    let store = MaskStore::new(formats::vocabulary());
    let automaton = digits(b'9', 3);
    let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
    let least = matcher.least_budget().expect("a completion");
    assert!(least <= 7, "[0,1,2]");
    assert!((least..16).all(|budget| end_in_time(&automaton, &store, budget)));
    matcher.accept_bytes(b"[1,0,2").expect("a beginning");
    assert_eq!(matcher.least_budget(), Some(1));
    matcher.accept_bytes(b",").expect("more");
    assert_eq!(matcher.least_budget(), Some(2));
}

#[test]
fn altered_item_counts_are_refused_or_bounded() {
    let store = MaskStore::new(formats::vocabulary());
    let automaton = digits(b'9', 3);
    let format = Format::new(Arc::clone(&automaton));
    let whole = Artifact::load(write(&format, None)).expect("an artifact");
    assert_eq!(whole.format().automaton, automaton);
    let load = |rule: usize, flags: u32| {
        let mut sections = encode::sections(&format);
        let rules = sections.iter_mut().find(|(kind, _)| *kind == SectionKind::Rules).expect("rules");
        rules.1[32 * rule + 28..32 * rule + 32].copy_from_slice(&flags.to_le_bytes());
        Artifact::load(assemble(&sections)).map(|artifact| Arc::clone(&artifact.format().automaton))
    };
    let array = automaton.rules.iter().position(|rule| rule.distinct_items).expect("the array");
    let refused = |what: &'static str| Some(LoadError::Invalid { section: "rules", what });
    assert_eq!(load(array, 2 + (3 << 2)).expect("as it was"), automaton);
    assert_eq!(
        load(array, 2 + ((MAX_ITEM_CHOICES + 1) << 2)).err(),
        refused("too large a number of items to choose from")
    );
    assert_eq!(load(1 - array, 3 << 2).err(), refused("a number of items to choose from"));
    for choices in [0, 1, 2, MAX_ITEM_CHOICES] {
        let altered = load(array, 2 + (choices << 2)).expect("a number that can be");
        // The number may be wrong, which must lead to an error at worst.
        for budget in 1..12 {
            let _ = end_in_time(&altered, &store, budget);
        }
    }
}
