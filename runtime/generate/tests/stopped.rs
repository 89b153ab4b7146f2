//! Tests of texts whose masks are stopped at any place and continued later, among other texts. They equal texts that
//! are written at once: the same tokens, the same probabilities, the same counts.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use ogc_generate::{Generated, LoadedModel, Request, Sampling, Sequence, Speculation, generate, read};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;
use ogc_runtime::watch::watched;

use crate::formats;

fn model() -> LoadedModel {
    let [own, draft] = [ogc_kit::model::gguf(), ogc_kit::model::draft_gguf()]
        .map(|file| LoadedModel::from_gguf(std::io::Cursor::new(file)).expect("a model"));
    own.with_draft(draft).expect("the same tokens")
}

/// A matcher with a store of its own, which knows no mask.
fn matcher(loaded: &LoadedModel, automaton: &Arc<Automaton>) -> Matcher {
    Matcher::new(Arc::clone(automaton), MaskStore::new(Arc::clone(&loaded.vocabulary)))
}

fn request(random: &mut Random) -> Request {
    let prompt = (0..1 + random.below(200)).map(|_| TokenId(random.below(256) as u32)).collect();
    let sampling =
        Sampling { temperature: [0.0, 1.5][random.below(2)], seed: random.below(99) as u64, ..Sampling::default() };
    Request {
        sampling,
        number: random.below(9) as u64,
        speculation: *random.pick(&[
            Speculation::Off,
            Speculation::Lookup { most: 6 },
            Speculation::Draft { length: crate::drafts_of(3), lookup: 0 },
            Speculation::Draft { length: crate::drafts_of(5), lookup: 6 },
        ]),
        probabilities: [None, Some(2)][random.below(2)],
        ..Request::new(prompt, 4 + random.below(60) as u32)
    }
}

/// Prepares a text, unless the work is stopped at a random call of the watch; the range of calls grows with the stops.
fn prepare(sequence: &mut Sequence, loaded: &LoadedModel, random: &mut Random, stops: &mut usize) -> bool {
    let left = Cell::new(random.below(8 + *stops / 4));
    let may_go_on = move || {
        left.set(left.get().saturating_sub(1));
        left.get() > 0
    };
    let Ok(prepared) = watched(may_go_on, || sequence.prepare(loaded)) else {
        *stops += 1;
        return false;
    };
    prepared.expect("the format allows a token");
    true
}

/// Writes texts side by side: those that are prepared share a pass.
fn written(loaded: &LoadedModel, mut texts: Vec<Sequence>, random: &mut Random, stops: &mut usize) -> Vec<Generated> {
    while texts.iter().any(|text| text.ended().is_none()) {
        let mut ready: Vec<&mut Sequence> =
            texts.iter_mut().filter_map(|text| prepare(text, loaded, random, stops).then_some(text)).collect();
        assert!(ready.iter().all(|text| text.is_prepared()));
        read(loaded, &mut ready).expect("a pass");
    }
    texts.into_iter().map(Sequence::into_generated).collect()
}

#[test]
fn stopping_masks_does_not_change_texts() {
    let loaded = model();
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 5));
    let (mut stops, mut compared, mut guessed, mut accepted) = (0, 0, 0, 0);
    for round in 0.. {
        if round >= ogc_kit::setting("OGC_ROUNDS", 12) && compared > 20 && stops > 100 && guessed > 0 && accepted > 5 {
            break;
        }
        assert!(round < 100, "{compared} texts, {stops} stops, {guessed} guessed, {accepted} accepted");
        let all = formats::all();
        let (mut expected, mut texts) = (Vec::new(), Vec::new());
        for _ in 0..4 {
            let (_, automaton) = &all[random.below(all.len())];
            let request = request(&mut random);
            let alone = generate(&loaded, matcher(&loaded, automaton), request.clone(), |_| ControlFlow::Continue(()));
            // A budget may be too small for the format.
            let Ok(alone) = alone else { continue };
            texts.push(Sequence::new(&loaded, matcher(&loaded, automaton), request).expect("it was written alone"));
            expected.push(alone);
        }
        let mut own = 0;
        let found = written(&loaded, texts, &mut random, &mut own);
        stops += own;
        for (found, expected) in found.into_iter().zip(expected) {
            assert_eq!((found.tokens, found.text, found.ended), (expected.tokens, expected.text, expected.ended));
            assert_eq!(found.probabilities, expected.probabilities);
            let counts =
                |work: ogc_generate::Statistics| (work.tokens, work.forced, work.guessed, work.passes, work.choices);
            assert_eq!(counts(found.statistics), counts(expected.statistics));
            let drafts = |work: ogc_generate::Statistics| (work.drafted, work.accepted, work.draft_passes);
            assert_eq!(drafts(found.statistics), drafts(expected.statistics));
            compared += 1;
            guessed += expected.statistics.guessed;
            accepted += expected.statistics.accepted;
        }
    }
}
