//! Any bytes as a pool of rows, and an artifact whose rows are in it: refused by name, or masks; no panic.
//!
//! Inputs are taken as they are, or as changes to a good pool.

#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_runtime::artifact::{Artifact, Format, write_pooled};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits, RowPool, RowPoolBuilder};
use ogc_runtime::vocabulary::Vocabulary;

struct Good {
    artifact: Vec<u8>,
    pool: Vec<u8>,
    store: Arc<MaskStore>,
}

fn good() -> &'static Good {
    static GOOD: OnceLock<Good> = OnceLock::new();
    GOOD.get_or_init(|| {
        let grammar = r#"root ::= "[" (root ("," root)*)? "]" | [0-9]+"#;
        let automaton = compile_grammar(grammar, Dialect::Gbnf, &Limits::default()).0.expect("a good grammar");
        let automaton = Arc::new(automaton);
        let tokens: Vec<Option<Vec<u8>>> = (0..=255u8).map(|byte| Some(vec![byte])).collect();
        let vocabulary = Arc::new(Vocabulary::from_tokens(&tokens, &[("</s>", 256)]).expect("256 tokens"));
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let limits = PackLimits { threads: 1, ..PackLimits::default() };
        let masks = MaskPack::build(&automaton, &store, &limits, |_, _| ()).expect("a good format");
        let mut pool = RowPoolBuilder::new(&vocabulary);
        pool.add(&masks).expect("rows of the vocabulary");
        Good { artifact: write_pooled(&Format::new(automaton), &masks), pool: pool.finish(), store }
    })
}

fn load(bytes: Vec<u8>) {
    let Ok(pool) = RowPool::open(bytes) else { return };
    let Ok(artifact) = Artifact::load_with(good().artifact.clone(), &Arc::new(pool)) else { return };
    let Ok(mut matcher) = artifact.matcher(Arc::clone(&good().store)) else { return };
    for _ in 0..8 {
        let Ok(mask) = matcher.mask() else { return };
        let Some(&token) = mask.tokens().first() else { return };
        // Rows of a forged pool may allow anything; stepping must then refuse, not fail.
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
    let mut pool = good().pool.clone();
    for (at, value) in changes {
        let at = usize::from(at) % pool.len();
        pool[at] = value;
    }
    load(pool);
});
