//! A good format with masks, changes to the bytes of its files, and steps of the loaded result.

use std::sync::Arc;

use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_runtime::artifact::{Artifact, Format};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::vocabulary::Vocabulary;

/// Unchanged bytes, if the first field is set, or changes to good bytes.
pub(crate) type Input = (bool, Vec<(u16, u8)>, Vec<u8>);

/// Returns a format, its masks, and the store of its vocabulary of bytes.
pub(crate) fn format() -> (Format, MaskPack, Arc<MaskStore>) {
    let grammar = r#"root ::= "[" (root ("," root)*)? "]" | [0-9]+"#;
    let automaton = compile_grammar(grammar, Dialect::Gbnf, &Limits::default()).0.expect("a good grammar");
    let automaton = Arc::new(automaton);
    let tokens: Vec<Option<Vec<u8>>> = (0..=255u8).map(|byte| Some(vec![byte])).collect();
    let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&tokens, &[("</s>", 256)]).expect("256 tokens")));
    let limits = PackLimits { threads: 1, ..PackLimits::default() };
    let masks = MaskPack::build(&automaton, &store, &limits, |_, _| ()).expect("a good format");
    (Format::new(automaton), masks, store)
}

/// Returns the bytes of an input; `good` are the bytes that it may change.
pub(crate) fn bytes((fresh, changes, bytes): Input, good: &[u8]) -> Vec<u8> {
    if fresh {
        return bytes;
    }
    let mut changed = good.to_vec();
    for (at, value) in changes {
        let at = usize::from(at) % changed.len();
        changed[at] = value;
    }
    changed
}

/// Steps a matcher of a loaded artifact by some tokens that its masks allow.
pub(crate) fn step(artifact: &Artifact, store: &Arc<MaskStore>) {
    let Ok(mut matcher) = artifact.matcher(Arc::clone(store)) else { return };
    for _ in 0..8 {
        let Ok(mask) = matcher.mask() else { return };
        let Some(&token) = mask.tokens().first() else { return };
        // Forged rows may allow anything; stepping must then reject the token, not fail.
        if matcher.accept_token(token).is_err() {
            return;
        }
    }
}
