//! Masks are exact: looked up in a pack or computed at first use, they agree with the matcher about every token.

use crate::formats;

use std::sync::Arc;
use std::time::Duration;

use formats::assert_mask_is_exact;
use ogc_kit::Random;
use ogc_runtime::artifact::{Artifact, Format, LoadError, write};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateId, StateKind};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::{TokenId, Vocabulary, shown};

fn pack(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, limits: PackLimits) -> Arc<MaskPack> {
    Arc::new(MaskPack::build(automaton, store, &limits, |_, _| {}).expect("a pack"))
}

/// Walks at random, and checks every mask on the way. Some walks prefer tokens that do not end the text.
fn walk(matchers: &mut [Matcher], random: &mut Random, steps: usize) {
    for step in 0..steps {
        let tokens: Vec<Vec<TokenId>> =
            matchers.iter_mut().map(|matcher| matcher.mask().expect("a mask").tokens()).collect();
        assert!(tokens.windows(2).all(|pair| pair[0] == pair[1]), "all masks are equal");
        if step % 4 == 0 {
            assert_mask_is_exact(&mut matchers[0]);
        }
        let choices = &tokens[0];
        let token = choices[random.below(choices.len())];
        for matcher in matchers.iter_mut() {
            matcher.accept_token(token).expect("the mask allows it");
        }
        if matchers[0].is_terminated() {
            return;
        }
    }
}

#[test]
fn a_stopped_build_leaves_the_store_exact() {
    let vocabulary = formats::vocabulary();
    for (name, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let stop = |_, _| std::panic::resume_unwind(Box::new("stop"));
            MaskPack::build(&automaton, &store, &PackLimits::default(), stop).is_ok()
        }));
        assert!(stopped.is_err(), "{name}");
        let full = pack(&automaton, &store, PackLimits::default());
        let with = Matcher::with_masks(Arc::clone(&automaton), Arc::clone(&store), full).expect("it fits");
        let fresh = Matcher::new(Arc::clone(&automaton), MaskStore::new(Arc::clone(&vocabulary)));
        walk(&mut [with, fresh], &mut Random::new(3), 40);
    }
}

#[test]
fn packed_and_lazy_masks_are_equal_and_exact() {
    let vocabulary = formats::vocabulary();
    for (name, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let full = pack(&automaton, &store, PackLimits::default());
        let few = PackLimits { bases: 4, tails: 3, ..PackLimits::default() };
        let part = pack(&automaton, &store, few);
        assert!(!part.report().complete || full.report().bases <= 4, "{name}");
        let mut random = Random::new(1 + name.len() as u64);
        for _ in 0..12 {
            let lazy = MaskStore::new(Arc::clone(&vocabulary));
            let with = |pack: &Arc<MaskPack>| {
                Matcher::with_masks(Arc::clone(&automaton), Arc::clone(&store), Arc::clone(pack))
            };
            let mut matchers = [
                Matcher::new(Arc::clone(&automaton), lazy),
                with(&full).expect("it fits"),
                with(&part).expect("it fits"),
            ];
            walk(&mut matchers, &mut random, 40);
        }
    }
}

/// A store that has computed nothing since the pack was built proves that every mask came from the pack.
#[test]
fn a_complete_pack_needs_no_row_of_the_store() {
    let vocabulary = formats::vocabulary();
    let formats = formats::all();
    for (name, automaton) in formats.iter().filter(|(name, _)| !name.starts_with("any order")) {
        let full = pack(automaton, &MaskStore::new(Arc::clone(&vocabulary)), PackLimits::default());
        assert!(full.report().complete, "{name}: {:?}", full.report());
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let mut random = Random::new(3);
        for _ in 0..20 {
            let mut matcher =
                Matcher::with_masks(Arc::clone(automaton), Arc::clone(&store), Arc::clone(&full)).expect("it fits");
            for _ in 0..30 {
                let tokens = matcher.mask().expect("a mask").tokens();
                // Escape sequences are left to the store.
                let plain = |token: &TokenId| vocabulary.text(*token).is_none_or(|text| !text.contains(&b'\\'));
                let tokens: Vec<TokenId> = tokens.into_iter().filter(plain).collect();
                let Some(&token) = tokens.get(random.below(tokens.len())) else { break };
                matcher.accept_token(token).expect("the mask allows it");
                if matcher.is_terminated() {
                    break;
                }
            }
        }
        assert_eq!(store.stats().bases, 0, "{name}");
        assert_eq!(store.stats().tails, 0, "{name}");
    }
}

#[test]
fn a_pack_does_not_depend_on_threads_or_the_store() {
    let vocabulary = formats::vocabulary();
    for (name, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let write = |store: &Arc<MaskStore>, threads| {
            let limits = PackLimits { threads, ..PackLimits::default() };
            let format = ogc_runtime::artifact::Format::new(Arc::clone(&automaton));
            ogc_runtime::artifact::write(&format, Some(&pack(&automaton, store, limits)))
        };
        let one = write(&store, 1);
        assert!(one == write(&store, 3), "{name}: a store that knows all");
        assert!(one == write(&MaskStore::new(Arc::clone(&vocabulary)), 3), "{name}: a new store");
    }
}

/// All measured time is attributed to some state, and a row that is known already keeps the time that it once took.
#[test]
fn the_build_time_is_attributed_to_states() {
    let vocabulary = formats::vocabulary();
    for (name, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let part = |pack: &MaskPack, states| pack.part_time(states).expect("it was built here");
        let all = || (0..automaton.states.len() as u32).map(StateId).collect::<Vec<_>>();
        let (new, known) = [(); 2].map(|()| pack(&automaton, &store, PackLimits::default())).into();
        let whole = new.build_time().expect("it was built here");
        let shared = part(&new, all()).build;
        assert!(whole.abs_diff(shared) < whole / 10, "{name}: {whole:?} {shared:?}");
        let singles: Duration = all().into_iter().map(|state| part(&new, vec![state]).build).sum();
        assert_eq!(shared, singles, "{name}");
        for state in all() {
            let [new, known] = [&new, &known].map(|pack| part(pack, vec![state]).slowest);
            assert_eq!(new.is_zero(), known.is_zero(), "{name}: {state:?}");
        }
        let artifact = write(&Format::new(Arc::clone(&automaton)), Some(&new));
        let read = Artifact::load(artifact).expect("an artifact");
        assert!(read.masks().is_some_and(|masks| masks.build_time().is_none()), "{name}: nothing was built");
    }
}

/// Whatever is chosen from masks under a budget, the text is complete in time, and the masks agree with the matcher.
#[test]
fn a_budget_never_cuts_a_text_off() {
    let vocabulary = formats::vocabulary();
    for (name, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let mut first = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
        let error = first.set_budget(Some(0)).expect_err("nothing is complete at once");
        let ogc_runtime::matcher::MatchError::Budget { given: 0, limit } = error else {
            panic!("{name}: {error}");
        };
        assert!(limit < 100, "{name}: {limit}");
        let mut random = Random::new(17 + name.len() as u64);
        for round in 0..30 {
            let budget = limit as usize + random.below(if round % 2 == 0 { 3 } else { 30 });
            let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
            matcher.set_budget(Some(budget as u32)).expect("it was enough before");
            for step in 0.. {
                let mask = matcher.mask().expect("a completion is always left");
                if round % 5 == 0 && step % 2 == 0 {
                    assert_mask_is_exact(&mut matcher);
                }
                let mut tokens = mask.tokens();
                // Where an end-of-sequence token does not end the text, it is read by its name.
                tokens.retain(|token| !mask.allows_end() || !vocabulary.eos().contains(token));
                let Some(&token) = tokens.get(random.below(tokens.len())) else {
                    assert!(mask.allows_end(), "{name}: a dead end");
                    break;
                };
                assert!(step < budget, "{name}: {step} tokens were written of {budget}");
                matcher.accept_token(token).expect("the mask allows it");
                if random.below(6) == 0 {
                    matcher.rollback(1).expect("one was accepted");
                    matcher.accept_token(token).expect("it was allowed before");
                }
            }
            assert!(matcher.is_complete(), "{name}");
        }
    }
}

/// A vocabulary without a token that the format asks for is refused with the token's name, wherever the vocabulary is checked.
#[test]
fn a_missing_token_is_named() {
    let missing =
        |error: Option<LoadError>| assert_eq!(error, Some(LoadError::MissingToken { name: "<t>".to_owned() }));
    let (_, automaton) = formats::all().into_iter().find(|(name, _)| *name == "thoughts").expect("it is there");
    assert_eq!(automaton.tokens, ["<t", "<t>"]);
    let full = MaskStore::new(formats::vocabulary());
    let masks = pack(&automaton, &full, PackLimits::default());
    let lacking = Vocabulary::from_tokens(&[Some("<"), Some("a"), Some(",")], &[("<t", 3)]).expect("a vocabulary");
    assert_eq!(lacking.missing_tokens(&automaton.tokens), ["<t>"]);
    let store = MaskStore::new(Arc::new(lacking));
    missing(MaskPack::build(&automaton, &store, &PackLimits::default(), |_, _| {}).err());
    missing(Matcher::with_masks(Arc::clone(&automaton), Arc::clone(&store), Arc::clone(&masks)).err());
    for masks in [None, Some(&*masks)] {
        let artifact = Artifact::load(write(&Format::new(Arc::clone(&automaton)), masks)).expect("an artifact");
        missing(artifact.masks_for(&store).err());
        missing(artifact.matcher(Arc::clone(&store)).err());
    }
    // Without a check of the vocabulary, the token is never allowed.
    let mut matcher = Matcher::new(automaton, store);
    assert_eq!(matcher.mask().expect("a mask").tokens(), [TokenId(0)]);
}

/// A named token that must come is returned as itself, and the text before it is encoded separately.
#[test]
fn forced_special_tokens_are_returned_as_tokens() {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("forced", 0);
    let mut at = builder.state(rule, StateKind::Bytes);
    builder.start(rule, at);
    let [begin, end] = ["<t>", "ab"].map(|name| builder.token(name));
    for byte in [&b"xyab"[..], &begin, &end, b"[[]"].concat() {
        let next = builder.state(rule, StateKind::Bytes);
        builder.edge(at, byte, byte, OpId::NONE, next);
        at = next;
    }
    builder.accept(at);
    let automaton = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).expect("a format"));
    let vocabulary = formats::vocabulary();
    let store = MaskStore::new(Arc::clone(&vocabulary));
    let mut matcher = Matcher::new(automaton, Arc::clone(&store));
    assert_eq!(shown(&matcher.forced_bytes()), r#"xyabtok"<t>"tok"ab"[[]"#);
    let mut encoded = Vec::new();
    let forced = matcher.forced_tokens(|text| {
        encoded.push(text.to_vec());
        text.iter().map(|&byte| TokenId(byte.into())).collect()
    });
    assert_eq!(encoded, [&b"xyab"[..], b"[[]"]);
    let named = |name| vocabulary.named(name).expect("a token");
    let text = b"xyab".map(|byte| TokenId(byte.into()));
    assert_eq!(forced[..6], [&text[..], &[named("<t>"), named("ab")]].concat());
    assert_eq!(matcher.validate_tokens(&forced), forced.len());
    // A matcher cannot stop inside a marker.
    assert_eq!(matcher.accept_bytes(b"xyab\xFF<"), Err(MatchError::NotAllowed { at: 4 }));
    matcher.accept_bytes(b"xyab").expect("it is forced");
    let position = matcher.position();
    assert_eq!((position.expected, position.tokens), (vec![], vec!["<t>".to_owned()]));
    let explanation = matcher.explain(named("<t"));
    assert_eq!((explanation.allowed, explanation.accepted_bytes), (false, 3));
}

/// Masks beyond a small budget are left to their first use: the same masks for any threads and store, and all exact.
#[test]
fn a_small_build_budget_omits_the_same_masks_in_every_run() {
    let vocabulary = formats::vocabulary();
    let mut stopped = 0;
    for (name, automaton) in formats::all() {
        let known = MaskStore::new(Arc::clone(&vocabulary));
        for (work, memory) in
            [(1, 1 << 29), (20_000, 1 << 29), (200_000, 1 << 29), (1 << 31, 1 << 10), (1 << 31, 1 << 14)]
        {
            let limits = |threads| PackLimits { work, memory, threads, ..PackLimits::default() };
            let one = pack(&automaton, &MaskStore::new(Arc::clone(&vocabulary)), limits(1));
            let many = pack(&automaton, &known, limits(3));
            assert_eq!((one.report(), one.stopped_by()), (many.report(), many.stopped_by()), "{name}: {work} {memory}");
            let left_out = one.report().frames_left_out + one.report().tails_left_out;
            assert!(one.stopped_by().is_none() || left_out > 0, "{name}");
            stopped += usize::from(one.stopped_by().is_some());
            let packed = Matcher::with_masks(Arc::clone(&automaton), Arc::clone(&known), one).expect("a matcher");
            let lazy = Matcher::new(Arc::clone(&automaton), MaskStore::new(Arc::clone(&vocabulary)));
            walk(&mut [packed, lazy], &mut Random::new(5), 12);
        }
    }
    assert!(stopped > 10, "{stopped}");
}
