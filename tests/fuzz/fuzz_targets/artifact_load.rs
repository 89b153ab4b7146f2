//! Any bytes as an artifact: refused by name, or a format that can be stepped; no panic.
//!
//! Inputs are taken as they are, or as changes to a good artifact.

#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_runtime::artifact::{Artifact, Format, write};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::vocabulary::Vocabulary;

struct Good {
    artifact: Vec<u8>,
    store: Arc<MaskStore>,
}

fn good() -> &'static Good {
    static GOOD: OnceLock<Good> = OnceLock::new();
    GOOD.get_or_init(|| {
        let grammar = r#"root ::= "[" (root ("," root)*)? "]" | [0-9]+"#;
        let automaton = compile_grammar(grammar, Dialect::Gbnf, &Limits::default()).0.expect("a good grammar");
        let automaton = Arc::new(automaton);
        let tokens: Vec<Option<Vec<u8>>> = (0..=255u8).map(|byte| Some(vec![byte])).collect();
        let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&tokens, &[("</s>", 256)]).expect("256 tokens")));
        let limits = PackLimits { threads: 1, ..PackLimits::default() };
        let masks = MaskPack::build(&automaton, &store, &limits, |_, _| ()).expect("a good format");
        Good { artifact: write(&Format::new(automaton), Some(&masks)), store }
    })
}

fn load(bytes: Vec<u8>) {
    let Ok(artifact) = Artifact::load(bytes) else { return };
    let Ok(mut matcher) = artifact.matcher(Arc::clone(&good().store)) else { return };
    for _ in 0..8 {
        let Ok(mask) = matcher.mask() else { return };
        let Some(&token) = mask.tokens().first() else { return };
        // Rows of a forged artifact may allow anything; stepping must then refuse, not fail.
        if matcher.accept_token(token).is_err() {
            return;
        }
    }
}

fuzz_target!(|input: (bool, Vec<(u16, u8)>, Vec<u8>)| {
    let (fresh, changes, bytes) = input;
    if fresh {
        return load(bytes);
    }
    let mut artifact = good().artifact.clone();
    for (at, value) in changes {
        let at = usize::from(at) % artifact.len();
        artifact[at] = value;
    }
    load(artifact);
});
