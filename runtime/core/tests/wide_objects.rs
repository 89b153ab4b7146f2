//! Masks of objects with many keys are exact, from a store that all formats share and from packs, which are complete.

use crate::formats;

use std::sync::Arc;

use formats::{assert_mask_is_exact, digits, object, string};
use ogc_kit::Random;
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, KeyOrder, UNBOUNDED};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

/// The kind of a random object: the order of its keys, whether undeclared ones may come, and whether members are counted.
struct Kind {
    order: KeyOrder,
    open: bool,
    counted: bool,
}

/// Random names of few letters, so that many share a beginning.
fn names(random: &mut Random, count: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    while names.len() < count {
        let len = 1 + random.below(5);
        let name: String = (0..len).map(|_| ["a", "b", "c", "x", "hello"][random.below(5)]).collect();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Makes an object of random keys, some of them required.
fn wide(random: &mut Random, kind: &Kind, count: usize, required_in: usize) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let (text, number) = (string(&mut builder, false), digits(&mut builder));
    let short = string(&mut builder, true);
    let names = names(random, count);
    let keys: Vec<_> = names
        .iter()
        .map(|name| {
            let required = required_in > 0 && random.below(required_in) == 0;
            (name.as_str(), required, [(text, 0, 0), (number, 0, 0), (short, 1, 3)][random.below(3)])
        })
        .collect();
    let required = keys.iter().filter(|key| key.1).count();
    let extra = kind.open.then(|| [text, number][random.below(2)]);
    let rule = object(&mut builder, &keys, extra, kind.order, kind.counted);
    let (a, b) = match kind.counted {
        false => (0, 0),
        true => {
            let least = random.below(if kind.open { required + 2 } else { count + 1 });
            let more = (required.saturating_sub(least) + random.below(4)) as u32;
            (least as u32, if random.below(2) == 0 { UNBOUNDED } else { more })
        }
    };
    Arc::new(builder.finish((rule, a, b), false, Escapes::Any).expect("a format"))
}

/// Chooses a token, preferably one that spells a key or an escape.
fn choose(random: &mut Random, matcher: &Matcher, tokens: &[TokenId]) -> TokenId {
    let text = |token: TokenId| matcher.store().vocabulary().text(token).unwrap_or_default().to_vec();
    let wanted: &[&[u8]] = match random.below(8) {
        0 => &[b"\\", b"\\u", b"\\u00"],
        1..4 => &[b"a", b"b", b"c", b"\"", b"0", b"6"],
        _ => &[],
    };
    let preferred: Vec<TokenId> = tokens.iter().copied().filter(|&token| wanted.contains(&&*text(token))).collect();
    let from = if preferred.is_empty() { tokens } else { &preferred };
    from[random.below(from.len())]
}

/// Walks through random texts of a random object, and compares the masks of its pack with those of a store, and with the tokens that the
/// matcher accepts. The pack must hold every row.
fn check(lazy: &Arc<MaskStore>, seed: u64, kind: &Kind, most_keys: usize) {
    let mut random = Random::new(seed);
    let count = 1 + random.below(most_keys);
    let required_in = [0, 4, 12][random.below(3)];
    let automaton = wide(&mut random, kind, count, required_in);
    let new_store = || MaskStore::new(Arc::clone(lazy.vocabulary()));
    let pack = MaskPack::build(&automaton, &new_store(), &PackLimits::default(), |_, _| {}).expect("a pack");
    assert!(pack.report().complete, "seed {seed}: {:?}", pack.report());
    let (pack, store) = (Arc::new(pack), new_store());
    for _ in 0..4 {
        let packed = Matcher::with_masks(Arc::clone(&automaton), Arc::clone(&store), Arc::clone(&pack));
        let mut matchers = [Matcher::new(Arc::clone(&automaton), Arc::clone(lazy)), packed.expect("it fits")];
        for step in 0..40 {
            let [one, other] = matchers.each_mut().map(|matcher| matcher.mask().expect("a mask").tokens());
            assert_eq!(one, other, "seed {seed}");
            if step % 3 == 0 {
                matchers.iter_mut().for_each(assert_mask_is_exact);
            }
            if one.is_empty() {
                break;
            }
            let token = choose(&mut random, &matchers[0], &one);
            matchers.iter_mut().for_each(|matcher| matcher.accept_token(token).expect("the mask allows it"));
            if matchers[0].is_terminated() {
                break;
            }
        }
    }
    let stats = store.stats();
    assert_eq!((stats.bases, stats.tails), (0, 0), "seed {seed}: all is in the pack");
}

#[test]
fn masks_of_wide_objects_are_exact() {
    // Rows of one object must not be mistaken for rows of another.
    let lazy = MaskStore::new(formats::vocabulary());
    for seed in 1..=48 {
        let order = if seed % 3 == 0 { KeyOrder::Any } else { KeyOrder::Declared };
        check(&lazy, seed, &Kind { order, open: seed % 2 == 0, counted: seed % 5 == 0 }, 60);
    }
}

#[test]
fn masks_of_wide_objects_in_any_order_are_exact() {
    let lazy = MaskStore::new(formats::vocabulary());
    for seed in 101..=148 {
        let most_keys = [12, 40, 150][seed as usize % 3];
        check(&lazy, seed, &Kind { order: KeyOrder::Any, open: seed % 2 == 0, counted: seed % 8 < 3 }, most_keys);
    }
}

/// Builds the pack of an open object of a thousand keys.
fn thousand(order: KeyOrder) -> (Arc<Automaton>, Arc<MaskStore>, MaskPack) {
    let mut builder = AutomatonBuilder::new();
    let (text, number) = (string(&mut builder, false), digits(&mut builder));
    let names: Vec<String> = (0..1_000).map(|index| format!("{}{index:03}", ["ab", "hello", "x"][index % 3])).collect();
    let keys: Vec<_> =
        (0..).zip(&names).map(|(at, name)| (name.as_str(), false, ([text, number][at % 2], 0, 0))).collect();
    let rule = object(&mut builder, &keys, Some(text), order, false);
    let automaton = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).expect("a format"));
    let store = MaskStore::new(formats::vocabulary());
    let pack = MaskPack::build(&automaton, &store, &PackLimits::default(), |_, _| {}).expect("a pack");
    (automaton, store, pack)
}

/// There are about as many rows as differences between the keys, not as many as frames.
#[test]
fn an_object_of_a_thousand_keys_has_a_complete_pack() {
    let (automaton, store, pack) = thousand(KeyOrder::Declared);
    let report = pack.report();
    assert!(report.complete, "{report:?}");
    assert!(report.rows < 100, "{report:?}");
    let stats = store.stats();
    // There are half a million pairs of a position and a state that can meet, but few runs per state.
    let runs = report.bases + report.tails;
    assert!(runs < 4 * automaton.states.len(), "{report:?}, {} states", automaton.states.len());
    assert!(stats.bases < 2 * report.bases, "{} bases were computed for {} runs", stats.bases, report.bases);
}

#[test]
fn an_object_of_a_thousand_keys_in_any_order_has_a_complete_pack() {
    let (automaton, _, pack) = thousand(KeyOrder::Any);
    let report = pack.report();
    assert!(report.complete, "{report:?}");
    assert!(report.rows < 2 * automaton.states.len(), "{report:?}");
    assert!(report.bases + report.tails < 4 * automaton.states.len(), "{report:?}");
}
