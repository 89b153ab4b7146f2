//! Tests of drafts that the kernels mask, sample and verify, run by the interpreter one after another, against the
//! sampler and the matcher of the host. The tokens are the same for the same logits, text by text, for several rounds.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::formats;
use crate::interpreter;
use crate::objects;
mod writer;

use std::sync::Arc;

use ogc_cuda::{ADVANCE_PTX, DraftLaunch};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use writer::{Tally, Writer};

/// Returns formats of two kinds.
fn formats(random: &mut Random) -> Vec<Arc<Automaton>> {
    let known = formats::all();
    let mut all: Vec<Arc<Automaton>> = (0..3).map(|_| Arc::clone(&known[random.below(known.len())].1)).collect();
    all.extend((0..2).filter_map(|_| objects::random_objects(random)));
    all
}

#[test]
fn drafts_are_sampled_and_verified_like_on_the_host() {
    let [draft, verify] = DraftLaunch::ptx().map(|(_, ptx)| ptx);
    let module =
        interpreter::module(&[ADVANCE_PTX, draft, verify, ogc_cuda::sample_ptx()].map(|ptx| ptx.to_str().unwrap()));
    let first = ogc_kit::setting("OGC_SEED", 1);
    let mut tally = Tally::default();
    for seed in first.. {
        if seed >= first + ogc_kit::setting("OGC_ROUNDS", 8) && tally.rounds > 100 && tally.whole > 10 {
            break;
        }
        assert!(seed < first + 100, "{tally:?}");
        let mut random = Random::new(seed);
        let most = [15, random.below(16), random.below(6), 0][seed as usize % 4] as u32;
        let mut writer = Writer::new(&module, &formats(&mut random), most, seed);
        for _ in 0..5 {
            writer.round(&mut tally);
        }
    }
    // Most drafts are right up to a random place.
    assert!(tally.tokens > 2 * tally.rounds, "{tally:?}");
    assert!(tally.over > 5 && tally.penalised > 10, "{tally:?}");
}
