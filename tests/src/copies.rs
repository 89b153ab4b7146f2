//! Checks of every format in addition to its masks: under a budget a text ends in time, and copies of a matcher give
//! the same masks.

use crate::engine::accepts;
use ogc_kit::Random;
use ogc_runtime::artifact::{Artifact, Format, write};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::TokenId;
use std::sync::Arc;

/// Takes allowed tokens at random under budgets that are just enough or greater, until the text ends. It must end in
/// time.
///
/// # Panics
/// A text does not end in time, or a mask disagrees with the matcher.
pub fn walk_under_budget(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, random: &mut Random, name: &str) {
    walk_under_budget_from(b"", automaton, store, random, name);
}

/// Like [`walk_under_budget`], from the end of a text on.
///
/// # Panics
/// The text is refused, a text does not end in time, or a mask disagrees with the matcher.
pub fn walk_under_budget_from(
    begun: &[u8],
    automaton: &Arc<Automaton>,
    store: &Arc<MaskStore>,
    random: &mut Random,
    name: &str,
) {
    for _ in 0..3 {
        let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
        matcher.accept_bytes(begun).unwrap_or_else(|error| panic!("{name}: {error}"));
        let least = matcher.least_budget().expect("a completion is known");
        let budget = least + random.below(12) as u32;
        matcher.set_budget(Some(budget)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut text = begun.to_vec();
        for at in 0..=budget {
            let mask = matcher.mask().unwrap_or_else(|error| panic!("{name}: {error} after {text:?}"));
            let tokens = mask.tokens();
            for &token in &tokens {
                let mut fork = matcher.fork();
                let accepted = fork.accept_token(token);
                assert!(accepted.is_ok(), "{name}: {token:?} is allowed and refused after {text:?}: {accepted:?}");
            }
            let end = store.vocabulary().eos()[0];
            let goes_on: Vec<TokenId> = tokens.iter().copied().filter(|token| *token != end).collect();
            if goes_on.is_empty() || at == budget {
                assert!(mask.allows_end(), "{name}: cut off after {at} of {budget} tokens, {text:?}");
                break;
            }
            let token = *random.choose(&goes_on).expect("not empty");
            matcher.accept_token(token).expect("an allowed token");
            text.extend_from_slice(store.vocabulary().text(token).expect("a text"));
        }
        assert!(accepts(automaton, &text), "{name}: {:?}", String::from_utf8_lossy(&text));
    }
}

/// Compares the masks of a matcher along a random text with the masks of copies: of an artifact with masks, of saved
/// states, of forks, and after tokens were taken back.
///
/// # Panics
/// Two masks differ.
pub fn compare_copies(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, random: &mut Random, name: &str) {
    let pack = MaskPack::build(automaton, store, &PackLimits { threads: 1, ..PackLimits::default() }, |_, _| {});
    let bytes = write(&Format::new(Arc::clone(automaton)), Some(&pack.expect("a pack")));
    let artifact = Artifact::load(bytes).expect("an artifact");
    let read = Arc::clone(&artifact.format().automaton);
    assert_eq!(read, *automaton, "{name}");
    let masks = Arc::clone(artifact.masks().expect("masks"));
    let mut packed = Matcher::with_masks(read, Arc::clone(store), masks).expect("the same vocabulary");
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    for _ in 0..30 {
        let tokens = match matcher.mask() {
            Ok(mask) => mask.tokens(),
            // The limit of a search holds for copies, too.
            Err(limit @ MatchError::Limit { .. }) => {
                assert_eq!(packed.mask().map(|mask| mask.tokens()), Err(limit), "{name}: a pack");
                break;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        assert_eq!(packed.mask().expect("few readings").tokens(), tokens, "{name}: a pack");
        let mut restored = Matcher::new(Arc::clone(automaton), Arc::clone(store));
        restored.restore(&matcher.save()).expect("a saved state");
        assert_eq!(restored.mask().expect("few readings").tokens(), tokens, "{name}: a saved state");
        let end = store.vocabulary().eos()[0];
        let goes_on: Vec<TokenId> = tokens.iter().copied().filter(|token| *token != end).collect();
        let Some(&token) = random.choose(&goes_on) else { break };
        // A detour in a fork, and a detour that is taken back, change nothing.
        let mut fork = matcher.fork();
        fork.accept_token(*random.choose(&goes_on).expect("not empty")).expect("an allowed token");
        let _ = fork.mask();
        matcher.accept_token(*random.choose(&goes_on).expect("not empty")).expect("an allowed token");
        let _ = matcher.mask();
        matcher.rollback(1).expect("one token was accepted");
        assert_eq!(matcher.mask().expect("few readings").tokens(), tokens, "{name}: taken back");
        for matcher in [&mut matcher, &mut packed] {
            matcher.set_rollback_window(Some(1));
            matcher.accept_token(token).expect("an allowed token");
        }
    }
}
