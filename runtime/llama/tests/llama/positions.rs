//! Positions are taken back, caches are cloned, and texts are closed.

use ogc_generate::{BatchPart, Cache, GenerateError, LoadedModel};
use ogc_kit::Random;
use ogc_runtime::vocabulary::TokenId;

use super::smollm;

/// Cap on the difference between logits of the same text when other passes read it.
const NEAR: f32 = 1.0;

#[track_caller]
fn check_near(one: &[f32], two: &[f32], what: &str) {
    let widest = one.iter().zip(two).map(|(one, two)| (one - two).abs()).fold(0.0, f32::max);
    assert!(one.len() == two.len() && widest < NEAR, "{what}: {widest}");
}

/// Reads a whole text again from the beginning.
fn anew(llama: &LoadedModel, tokens: &[TokenId]) -> Vec<f32> {
    llama.model.forward(&mut llama.model.cache(tokens.len()), tokens, 1).expect("logits")
}

#[test]
fn texts_that_grow_and_shrink_give_the_logits_of_fresh_texts() {
    // One place stays free for texts that are read again.
    let Some((llama, _)) = smollm(4) else { return };
    let mut random = Random::new(ogc_kit::first_seed());
    let mut texts: Vec<(Cache, Vec<TokenId>)> = (0..3).map(|_| (llama.model.cache(64), Vec::new())).collect();
    for round in 0..ogc_kit::rounds(40, 400) {
        let at = random.below(3);
        let (cache, past) = &mut texts[at];
        match random.below(4) {
            0 => {
                let len = random.below(past.len() + 1);
                cache.truncate(len);
                past.truncate(len);
            }
            1 => *cache = cache.clone(),
            _ => {
                let more: Vec<TokenId> =
                    (0..=random.below(12)).map(|_| TokenId(1000 + random.below(9000) as u32)).collect();
                past.extend(&more);
                let logits = llama.model.forward(cache, &more, 1).expect("logits");
                check_near(&logits, &anew(&llama, past), &format!("round {round}"));
            }
        }
        assert_eq!(texts[at].0.len(), texts[at].1.len());
    }
}

#[test]
fn texts_longer_than_a_batch_are_read_in_several_calls() {
    let Some((llama, _)) = smollm(2) else { return };
    let tokens: Vec<TokenId> = (0..700).map(|at| TokenId(1000 + at * 7)).collect();
    let mut caches = [llama.model.cache(700), llama.model.cache(700)];
    let [one, two] = &mut caches;
    let logits = llama.model.forward_all(&mut [
        BatchPart { cache: one, tokens: &tokens, rows: 300 },
        BatchPart { cache: two, tokens: &tokens[..650], rows: 2 },
    ]);
    let logits = logits.expect("logits");
    let width = llama.model.width();
    assert_eq!([logits[0].len(), logits[1].len()], [300 * width, 2 * width]);
    check_near(&logits[0][249 * width..250 * width], &logits[1][width..], "the 650th position of both");
    let error = llama.model.forward(&mut caches[0], &tokens, 1);
    assert!(matches!(error, Err(GenerateError::Context { given: 1400, limit: 1024 })));
}

#[test]
fn sequence_slots_are_freed() {
    let Some((llama, _)) = smollm(2) else { return };
    let tokens = [TokenId(1000), TokenId(2000)];
    let open = || {
        let mut cache = llama.model.cache(8);
        llama.model.forward(&mut cache, &tokens, 1).map(|_| cache)
    };
    let (one, two) = (open().expect("a place"), open().expect("a place"));
    let error = open().expect_err("there are two places").to_string();
    assert!(error.contains("2 texts at a time"), "{error}");
    drop(one);
    let mut three = open().expect("the place that was given back");
    assert!(open().is_err());
    drop(two);
    // The texts that continue are unchanged.
    let logits = llama.model.forward(&mut three, &[TokenId(3000)], 1).expect("logits");
    check_near(&logits, &anew(&llama, &[1000, 2000, 3000].map(TokenId)), "a text that goes on");
}
