//! Any bytes as the saved state of a matcher: an error with a reason, or a matcher that steps; no panic.
//!
//! Inputs are used unchanged, or as changes to a good state.

#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

fn fresh_matcher() -> Matcher {
    static GOOD: OnceLock<(Arc<Automaton>, Arc<MaskStore>)> = OnceLock::new();
    let (automaton, store) = GOOD.get_or_init(|| {
        let grammar = r#"root ::= "[" (root ("," root)*)? "]" | [0-9]{1,20}"#;
        let automaton = compile_grammar(grammar, Dialect::Gbnf, &Limits::default()).0.expect("a good grammar");
        let tokens: Vec<Option<Vec<u8>>> = (0..=255u8).map(|byte| Some(vec![byte])).collect();
        let vocabulary = Arc::new(Vocabulary::from_tokens(&tokens, &[("</s>", 256)]).expect("256 tokens"));
        (Arc::new(automaton), MaskStore::new(vocabulary))
    });
    Matcher::new(Arc::clone(automaton), Arc::clone(store))
}

fuzz_target!(|input: (&[u8], Vec<(u16, u8)>, Option<&[u8]>)| {
    let (text, changes, fresh) = input;
    let mut matcher = fresh_matcher();
    for byte in text.iter().take(64) {
        if matcher.accept_token(TokenId(u32::from(*byte))).is_err() {
            break;
        }
    }
    let mut saved = fresh.map_or_else(|| matcher.save(), <[u8]>::to_vec);
    for (at, value) in changes {
        let at = usize::from(at) % saved.len().max(1);
        if let Some(byte) = saved.get_mut(at) {
            *byte = value;
        }
    }
    let mut restored = fresh_matcher();
    if restored.restore(&saved).is_err() {
        return;
    }
    for _ in 0..8 {
        let Ok(mask) = restored.mask() else { return };
        let Some(&token) = mask.tokens().first() else { return };
        assert!(restored.accept_token(token).is_ok(), "a token of the mask is refused");
    }
});
