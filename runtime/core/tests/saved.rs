//! A matcher that was saved anywhere and restored behaves as the original, wherever both go from there: forward, back, and to the end.

use crate::formats;

use std::sync::Arc;

use formats::assert_mask_is_exact;
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher, RestoreError};
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

/// An action on a matcher.
#[derive(Clone, Debug)]
enum Act {
    Accept(TokenId),
    Read(Vec<u8>),
    Back(usize),
    Budget(Option<u32>),
    Stops(Option<Vec<TokenId>>),
    Window(Option<usize>),
    Mask,
}

impl Act {
    /// A random action. Half of them accept a token of the mask.
    fn random(matcher: &Matcher, random: &mut Random) -> Self {
        let tokens = matcher.fork().mask().map(|mask| mask.tokens()).unwrap_or_default();
        let vocabulary = matcher.store().vocabulary();
        let token = tokens.get(random.below(tokens.len())).copied();
        match (random.below(24), token) {
            (0..16, Some(token)) => Self::Accept(token),
            (16, Some(token)) => Self::Read(vocabulary.text(token).unwrap_or_default().to_vec()),
            (17 | 18, _) => Self::Back(random.below(5)),
            (19, _) => Self::Budget(Some(random.below(200) as u32).filter(|&tokens| tokens > 1)),
            (20, _) if random.below(3) == 0 => {
                let stop = || TokenId(random.below(vocabulary.len()) as u32);
                Self::Stops(Some(std::iter::repeat_with(stop).take(3).collect()))
            }
            (20, _) => Self::Stops(None),
            (21, _) => Self::Window([None, Some(0), Some(3)][random.below(3)]),
            _ => Self::Mask,
        }
    }

    fn on(&self, matcher: &mut Matcher) -> Result<(), MatchError> {
        match self {
            Self::Accept(token) => matcher.accept_token(*token),
            Self::Read(bytes) => matcher.accept_bytes(bytes),
            Self::Back(tokens) => matcher.rollback(*tokens),
            Self::Budget(tokens) => matcher.set_budget(*tokens),
            Self::Stops(stops) => {
                matcher.set_stop_tokens(stops.as_deref());
                Ok(())
            }
            Self::Window(window) => {
                matcher.set_rollback_window(*window);
                Ok(())
            }
            Self::Mask => matcher.mask().map(|_| ()),
        }
    }
}

/// Everything that a matcher can be asked.
fn said(matcher: &mut Matcher) -> impl PartialEq + std::fmt::Debug {
    let mut words = vec![0; matcher.store().vocabulary().len().div_ceil(32)];
    let mask = matcher.fill_mask(&mut words);
    let counts = (matcher.len(), matcher.is_complete(), matcher.is_terminated());
    (mask, words, counts, matcher.stop_tokens().to_vec(), matcher.rollback(usize::MAX))
}

/// Does the same with both, and compares all their answers.
fn walk_together(one: &mut Matcher, other: &mut Matcher, random: &mut Random, steps: usize) {
    for _ in 0..steps {
        let act = Act::random(one, random);
        assert_eq!(act.on(one), act.on(other), "{act:?}");
        assert_eq!(said(one), said(other), "after {act:?}");
    }
}

fn restored(saved: &[u8], automaton: &Arc<Automaton>, store: &Arc<MaskStore>) -> Result<Matcher, RestoreError> {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    matcher.restore(saved).map(|()| matcher)
}

#[test]
fn a_restored_matcher_continues_like_the_original() {
    let vocabulary = formats::vocabulary();
    let mut random = Random::new(21);
    let [mut ended, mut bounded, mut gone_back] = [0; 3];
    for (name, automaton) in formats::all() {
        let stores = [0; 2].map(|_| MaskStore::new(Arc::clone(&vocabulary)));
        for _ in 0..12 {
            let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&stores[0]));
            for _ in 0..random.below(60) {
                let act = Act::random(&matcher, &mut random);
                let done = act.on(&mut matcher);
                bounded += usize::from(matches!((act, done), (Act::Budget(Some(_)), Ok(()))));
            }
            let saved = matcher.save();
            let mut other = restored(&saved, &automaton, &stores[1]).expect(name);
            assert!(other.save() == saved, "{name}: what was restored is saved as the same");
            assert_eq!(said(&mut matcher), said(&mut other), "{name}");
            ended += usize::from(matcher.is_terminated());
            for back in 0..=matcher.len() {
                let [mut one, mut other] = [&matcher, &other].map(Matcher::fork);
                let done = one.rollback(back);
                assert_eq!(done, other.rollback(back), "{name}");
                assert_eq!(said(&mut one), said(&mut other), "{name}, {back} back");
                gone_back += usize::from(done.is_ok());
            }
            walk_together(&mut matcher, &mut other, &mut random, 20);
        }
    }
    assert!(ended > 10 && bounded > 50 && gone_back > 1_000, "{ended} ended, {bounded} bounded, {gone_back} back");
}

/// Long texts, most of which is forgotten.
#[test]
fn a_restored_matcher_agrees_after_its_window_dropped_history() {
    let vocabulary = formats::vocabulary();
    let mut random = Random::new(4);
    let mut forgot = 0;
    for (name, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
        matcher.set_rollback_window(Some(7));
        for _ in 0..3_000 {
            let tokens = matcher.mask().expect("a mask").tokens();
            let going_on = |token: &TokenId| !matcher.stop_tokens().contains(token);
            let tokens: Vec<TokenId> = tokens.into_iter().filter(going_on).collect();
            let Some(&token) = tokens.get(random.below(tokens.len())) else { break };
            matcher.accept_token(token).expect("the mask allows it");
        }
        let mut other = restored(&matcher.save(), &automaton, &store).expect(name);
        forgot += usize::from(matcher.fork().rollback(matcher.len()).is_err());
        assert_eq!(said(&mut matcher), said(&mut other), "{name}");
        walk_together(&mut matcher, &mut other, &mut random, 60);
    }
    assert!(forgot >= 2, "{forgot} texts were long enough");
}

#[test]
fn states_of_other_formats_and_vocabularies_are_refused() {
    let store = MaskStore::new(formats::vocabulary());
    let all = formats::all();
    for (at, (name, automaton)) in all.iter().enumerate() {
        let saved = Matcher::new(Arc::clone(automaton), Arc::clone(&store)).save();
        for (other, (_, automaton)) in all.iter().enumerate() {
            let refused = restored(&saved, automaton, &store).err();
            match at == other {
                true => assert_eq!(refused, None, "{name}"),
                false => assert!(matches!(refused, Some(RestoreError::OtherFormat { .. })), "{name}: {refused:?}"),
            }
        }
        let other = Vocabulary::from_tokens(&[Some("a")], &[]).expect("a vocabulary");
        let refused = restored(&saved, automaton, &MaskStore::new(Arc::new(other))).err();
        assert!(matches!(refused, Some(RestoreError::OtherVocabulary { .. })), "{name}: {refused:?}");
    }
}

#[test]
fn refusing_a_state_leaves_the_matcher_unchanged() {
    let store = MaskStore::new(formats::vocabulary());
    let (_, automaton) = formats::all().swap_remove(0);
    let mut matcher = Matcher::new(automaton, store);
    let mut random = Random::new(8);
    for _ in 0..20 {
        let _ = Act::random(&matcher, &mut random).on(&mut matcher);
    }
    let before = matcher.save();
    let mut altered = before.clone();
    let last = altered.len() - 1;
    altered[last] ^= 1;
    assert_eq!(matcher.restore(&altered), Err(RestoreError::Corrupt));
    assert!(matcher.save() == before);
    if !matcher.is_terminated() {
        assert_mask_is_exact(&mut matcher);
    }
}
