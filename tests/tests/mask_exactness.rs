//! Tests of masks of real schemas over a real vocabulary: at sampled places of sampled instances, every bit of the mask
//! agrees with the matcher, and so do the masks of a pack, and masks under a distant budget. `OGC_SAMPLE` sets the
//! size, `OGC_SEED` chooses another sample, `OGC_VOCABULARY` names the tokenizer.

use std::sync::Arc;

use ogc_kit::{Random, first_seed, rounds, setting};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_tests::corpus::{self, Case};
use ogc_tests::engine::{Policy, Reading, schema};

/// Packs of larger formats are left to the bench, because they would make this test slow.
const PACKED_STATES: usize = 2_000;

/// A budget, in tokens, that is far from the end of every instance.
const FAR: u32 = 1_000_000;

/// Cap on the bytes of an instance along which walks and packs are compared.
const COMPARED: usize = 400;

#[test]
#[allow(clippy::print_stdout, reason = "the count is the report of the test")]
#[allow(clippy::disallowed_methods, reason = "the corpus is a file")]
fn masks_are_exact_on_real_schemas() {
    let (Some(pack), Some(store)) = (corpus::find("maskbench-dev.jsonl.zst"), store()) else { return };
    let cases = corpus::cases(&pack).expect("the pack is readable");
    let mut random = Random::new(first_seed());
    let mut places = 0;
    for index in random.sample(cases.len(), setting("OGC_SAMPLE", rounds(16, 40)) as usize) {
        let policy = Policy { any_order: random.one_in(4), ..Policy::default() };
        if let Ok(automaton) = schema(&cases[index].schema, &Reading::asserting(), policy) {
            places += check(&cases[index], &automaton, &store, &mut random);
        }
    }
    println!("{places} places, {} tokens each", store.vocabulary().len());
}

/// Returns an empty store for a vocabulary of the corpora; `None` if it is missing.
#[allow(clippy::disallowed_methods, reason = "the corpus is a file")]
fn store() -> Option<Arc<MaskStore>> {
    let name = std::env::var("OGC_VOCABULARY").unwrap_or_else(|_| "llama-3.1".to_owned());
    let bytes = std::fs::read(corpus::find(&format!("tokenizers/{name}/tokenizer.json"))?).expect("readable");
    Some(MaskStore::new(Arc::new(Vocabulary::from_tokenizer_json(&bytes).expect("a vocabulary"))))
}

/// Checks patterns with many states that read nearly the same tokens, whose rows are computed from one another.
#[test]
fn masks_of_similar_states_are_exact() {
    let Some(store) = store() else { return };
    let words = r"^(?:\\S+\\s+){0,11}\\S+$";
    let schemas = [
        format!(r#"{{"type": "string", "pattern": "{words}"}}"#),
        format!(r#"{{"type": "string", "pattern": "{words}", "maxLength": 60}}"#),
        r#"{"type": "string", "pattern": "^a.*?(no-image)?\\.(gif|jpg)$"}"#.to_owned(),
    ];
    let text = r#""a b  c d-no-image\u00e9 \u3000f\tg h no-imag .gi i no-image.gif""#.as_bytes();
    for schema_text in schemas {
        let automaton = schema(&schema_text, &Reading::asserting(), Policy::default()).expect("it compiles");
        let mut matcher = Matcher::new(automaton, Arc::clone(&store));
        for place in [1, 2, 4, 6, 17, 22, 25, 30, 33, 35, 44, 51, 55] {
            matcher.reset();
            matcher.accept_bytes(&text[..place]).expect("a beginning of a text of the pattern");
            exact(&mut matcher, &format!("{schema_text} after {place} bytes"));
        }
    }
}

/// Checks one random place of each of the first instances; returns the number of checked places.
fn check(case: &Case, automaton: &Arc<Automaton>, store: &Arc<MaskStore>, random: &mut Random) -> usize {
    let mut lazy = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    let small = automaton.states.len() <= PACKED_STATES;
    let pack = small.then(|| {
        let limits = PackLimits { threads: 1, ..PackLimits::default() };
        let pack = MaskPack::build(automaton, store, &limits, |_, _| {}).expect("a built automaton is valid");
        Matcher::with_masks(Arc::clone(automaton), Arc::clone(store), Arc::new(pack)).expect("the same vocabulary")
    });
    let mut under_budget = lazy.fork();
    under_budget.set_budget(Some(FAR)).expect("a budget that every text fits in");
    let mut matchers: Vec<Matcher> = std::iter::once(lazy.fork()).chain(pack).collect();
    let mut places = 0;
    for test in case.tests.iter().take(3) {
        let text = test.text.as_bytes();
        let longest = (0..=text.len()).rev().find(|&end| accepts(&mut lazy, &text[..end])).unwrap_or(0);
        if let [lazy, packed] = matchers.as_mut_slice() {
            same(lazy, packed, &text[..longest.min(COMPARED)], &case.id);
        }
        let place = &text[..random.below(longest + 1)];
        for matcher in matchers.iter_mut().chain([&mut under_budget]) {
            matcher.reset();
            if !place.is_empty() {
                matcher.accept_bytes(place).expect("a prefix of what was accepted");
            }
            exact(matcher, &format!("{} after {:?}", case.id, String::from_utf8_lossy(place)));
        }
        places += 1;
    }
    places
}

fn accepts(matcher: &mut Matcher, text: &[u8]) -> bool {
    matcher.reset();
    text.is_empty() || matcher.accept_bytes(text).is_ok()
}

/// Checks that after every byte, the masks of a walk and of a pack are the same.
fn same(lazy: &mut Matcher, packed: &mut Matcher, text: &[u8], name: &str) {
    let mut words = [(); 2].map(|()| vec![0; lazy.store().vocabulary().len().div_ceil(32)]);
    lazy.reset();
    packed.reset();
    for at in 0..=text.len() {
        for (matcher, words) in [&mut *lazy, &mut *packed].into_iter().zip(&mut words) {
            let mask = matcher.mask().expect("few readings");
            mask.fill(words);
            let byte = &text[at..text.len().min(at + 1)];
            if !byte.is_empty() {
                matcher.accept_bytes(byte).expect("a prefix of what was accepted");
            }
        }
        assert_eq!(words[0], words[1], "{name} after {:?}", String::from_utf8_lossy(&text[..at]));
    }
}

/// Checks that every token is in the mask if and only if the matcher accepts it.
fn exact(matcher: &mut Matcher, place: &str) {
    let mask = matcher.mask().expect("few readings");
    let mut words = vec![0; matcher.store().vocabulary().len().div_ceil(32)];
    mask.fill(&mut words);
    for id in 0..matcher.store().vocabulary().len() as u32 {
        let token = TokenId(id);
        let accepted = matcher.accept_token(token).is_ok();
        if accepted {
            matcher.rollback(1).expect("one token was accepted");
        }
        let masked = words[id as usize / 32] >> (id % 32) & 1 == 1;
        assert_eq!(masked, accepted, "{place}: token {id} {:?}", matcher.store().vocabulary().text(token));
        assert_eq!(mask.contains(token), masked, "{place}: token {id}");
    }
}
