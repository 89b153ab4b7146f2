//! The runtime's matcher on compiled automata: equal verdicts, and masks that agree with stepping.

use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::{TokenId, VocabularyBuilder};

const TOKENS: [&str; 9] = ["a", "b", "c", "d", "ab", "bc", "aab", "cab", "bbbb"];

/// Makes a store with tokens over the letters of random grammars.
pub(crate) fn store() -> Arc<MaskStore> {
    let mut builder = VocabularyBuilder::new();
    for (text, id) in TOKENS.iter().zip(0..) {
        builder.text(id, text.as_bytes()).unwrap();
    }
    MaskStore::new(Arc::new(builder.build().unwrap()))
}

/// Steps through `text`; `None` if the grammar is too ambiguous to decide.
pub(crate) fn accepts(matcher: &mut Matcher, text: &str) -> Option<bool> {
    matcher.reset();
    match matcher.accept_bytes(text.as_bytes()) {
        Ok(()) => Some(matcher.is_complete()),
        Err(MatchError::Limit { .. }) => None,
        Err(_) => Some(false),
    }
}

/// Makes a matcher for an automaton.
pub(crate) fn matcher(automaton: Automaton, store: &Arc<MaskStore>) -> Matcher {
    Matcher::new(Arc::new(automaton), Arc::clone(store))
}

/// Returns the tokens on which the mask after `text` and stepping disagree.
pub(crate) fn disagreements(matcher: &mut Matcher, text: &str) -> Vec<&'static str> {
    matcher.reset();
    if matcher.accept_bytes(text.as_bytes()).is_err() {
        return Vec::new();
    }
    let Ok(mask) = matcher.mask() else { return Vec::new() };
    let wrong = |(token, id): (&&'static str, u32)| {
        let stepped = match matcher.fork().accept_bytes(token.as_bytes()) {
            Err(MatchError::Limit { .. }) => return None,
            stepped => stepped.is_ok(),
        };
        (mask.contains(TokenId(id)) != stepped).then_some(*token)
    };
    TOKENS.iter().zip(0..).filter_map(wrong).collect()
}
