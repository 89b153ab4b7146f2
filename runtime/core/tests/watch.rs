//! Work that its watch stops, when tried again, gives the same result as undisturbed work: no memo keeps incomplete results.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_runtime::watch::watched;

use crate::formats;

/// Does work that is stopped at the first call of the watch, then at the second, and so on, until it completes; counts the stops.
fn insist<T>(stops: &mut usize, mut work: impl FnMut() -> T) -> T {
    for questions in 0.. {
        let asked = Rc::new(Cell::new(0));
        let may_go_on = move || asked.replace(asked.get() + 1) < questions;
        if let Ok(done) = watched(may_go_on, &mut work) {
            return done;
        }
        *stops += 1;
    }
    unreachable!("work has an end")
}

fn masked(matcher: &mut Matcher) -> Result<Vec<TokenId>, MatchError> {
    matcher.mask().map(|mask| mask.tokens())
}

/// Writes a random text twice, once undisturbed and once with stops, each with a store of its own. Returns the number of stops.
fn compare(name: &str, automaton: &Arc<Automaton>, vocabulary: &Arc<Vocabulary>, budget: u32) -> usize {
    let mut random = Random::new(u64::from(budget) + name.len() as u64);
    let [mut plain, mut stopped] =
        [(); 2].map(|()| Matcher::new(Arc::clone(automaton), MaskStore::new(Arc::clone(vocabulary))));
    let mut stops = 0;
    let set = plain.set_budget(Some(budget));
    assert_eq!(insist(&mut stops, || stopped.set_budget(Some(budget))), set, "{name}: a budget of {budget}");
    for at in 0..30 {
        let allowed = masked(&mut plain);
        assert_eq!(insist(&mut stops, || masked(&mut stopped)), allowed, "{name}: {budget} tokens, at {at}");
        let Ok(allowed) = allowed else { break };
        let token = match allowed.len() {
            0 => break,
            len => allowed[random.below(len)],
        };
        let accepted = plain.accept_token(token);
        assert_eq!(insist(&mut stops, || stopped.accept_token(token)), accepted, "{name}: {budget} tokens, at {at}");
        assert_eq!((plain.len(), plain.is_complete()), (stopped.len(), stopped.is_complete()));
    }
    stops
}

#[test]
fn repeating_a_stopped_operation_gives_the_same_result() {
    let vocabulary = formats::vocabulary();
    let mut stops = 0;
    for (name, automaton) in formats::all() {
        for budget in [6, 12, 20, 40, 2_000] {
            stops += compare(name, &automaton, &vocabulary, budget);
        }
    }
    assert!(stops > 1_000, "{stops} stops");
}

#[test]
fn a_stopped_operation_leaves_the_matcher_unchanged() {
    let vocabulary = formats::vocabulary();
    for (name, automaton) in formats::all() {
        let mut matcher = Matcher::new(Arc::clone(&automaton), MaskStore::new(Arc::clone(&vocabulary)));
        assert!(watched(|| false, || matcher.mask().map(drop)).is_err(), "{name}");
        let first = matcher.mask().expect("a mask").tokens()[0];
        assert!(watched(|| false, || matcher.accept_token(first)).is_err(), "{name}");
        assert!(matcher.is_empty() && matcher.mask().expect("a mask").contains(first), "{name}");
        let mut rows = vec![0; vocabulary.len().div_ceil(32)];
        assert!(watched(|| false, || matcher.fill_mask(&mut rows)).is_err(), "{name}");
    }
}
