//! Tests of sampling against an obvious slow implementation, on random logits.

use proptest::prelude::*;

use super::*;

/// The tokens to draw from with their probabilities, by the definition: sorted lists, one step after the other.
fn obvious(sampling: &Sampling, logits: &[f32], mask: &[u32], written: &[TokenId]) -> Vec<(u32, f64)> {
    let allowed = |id: &usize| mask.get(id / 32).is_some_and(|word| word >> (id % 32) & 1 == 1);
    let mut list: Vec<(u32, f64)> = Vec::new();
    for id in (0..logits.len()).filter(allowed) {
        let mut logit = logits[id];
        if written.contains(&TokenId(id as u32)) {
            logit = if logit > 0.0 {
                logit * (1.0 / sampling.repetition_penalty)
            } else {
                logit * sampling.repetition_penalty
            };
            let times = written.iter().filter(|token| token.index() == id).count() as f32;
            logit -= sampling.presence_penalty + sampling.frequency_penalty * times;
        }
        logit += sampling.bias.iter().filter(|(token, _)| token.index() == id).map(|(_, bias)| bias).sum::<f32>();
        list.push((id as u32, f64::from(logit)));
    }
    let most = list.iter().map(|(_, logit)| *logit).fold(f64::NEG_INFINITY, f64::max);
    list.iter_mut().for_each(|(_, logit)| *logit = ((*logit - most) / f64::from(sampling.temperature)).exp());
    list.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
    if sampling.top_k > 0 {
        list.truncate(sampling.top_k);
    }
    if sampling.top_p < 1.0 {
        let all: f64 = list.iter().map(|(_, weight)| weight).sum();
        let mut kept = 0.0;
        let count = list.iter().take_while(|(_, weight)| {
            let before = kept;
            kept += weight;
            before < f64::from(sampling.top_p) * all
        });
        let count = count.count().max(1);
        list.truncate(count);
    }
    list.retain(|(_, weight)| *weight >= f64::from(sampling.min_p) * (1.0 - 1e-6));
    let all: f64 = list.iter().map(|(_, weight)| weight).sum();
    list.into_iter().map(|(id, weight)| (id, weight / all)).collect()
}

proptest! {
    #[test]
    fn a_sampled_token_is_among_the_candidates(
        logits in proptest::collection::vec(-200_i32..200, 1..80),
        mask in proptest::collection::vec(any::<u32>(), 1..4),
        written in proptest::collection::vec(0_u32..80, 0..12),
        knobs in (0_usize..12, 0.05_f32..1.2, -0.2_f32..0.5, 1.0_f32..2.0, 0.2_f32..2.0),
        penalties in (-1.0_f32..1.0, -1.0_f32..1.0),
        place in (any::<u64>(), 0_u64..50),
    ) {
        let logits: Vec<f32> = logits.iter().map(|logit| *logit as f32 / 16.0 + 0.001).collect();
        let written: Vec<TokenId> = written.into_iter().map(TokenId).collect();
        let (top_k, top_p, min_p, repetition_penalty, temperature) = knobs;
        let min_p = min_p.max(0.0);
        let bias = vec![(TokenId(3), 1.5), (TokenId(70), -2.0)];
        let (presence_penalty, frequency_penalty) = penalties;
        let sampling = Sampling {
            temperature,
            top_k,
            top_p,
            min_p,
            repetition_penalty,
            presence_penalty,
            frequency_penalty,
            bias,
            seed: place.0,
        };
        let mut list = obvious(&sampling, &logits, &mask, &written);
        // Few tokens are one chunk, from which a token is drawn in the order of ids by the second number.
        let is_whole = top_k == 0 && top_p >= 1.0 && min_p == 0.0;
        if is_whole {
            list.sort_by_key(|(id, _)| *id);
        }
        let mut sampler = Sampler::new(sampling, 5);
        let odds = sampler.odds(&logits, &mask, &written);
        let chosen = sampler.choose(&logits, &mask, &written, place.1);
        prop_assert_eq!(odds.is_some(), chosen.is_some());
        if let (Some(odds), Some(chosen)) = (odds, chosen) {
            prop_assert!(odds.of(chosen) > 0.0);
            // If no token is cut off, rounding does not move a boundary.
            if top_k == 0 && top_p >= 1.0 && min_p == 0.0 {
                prop_assert!(list.iter().all(|(id, part)| (odds.of(TokenId(*id)) - part).abs() < 1e-5), "{odds:?} {list:?}");
            }
        }
        prop_assert_eq!(chosen.is_none(), list.is_empty());
        if let Some(chosen) = chosen {
            let draw = Draw::of(place.0, 5, place.1);
            let share = (if is_whole { draw.second } else { draw.first }) as f64 / 2.0_f64.powi(64);
            let at = list.iter().position(|(id, _)| *id == chosen.0);
            let end: f64 = list[..at.map_or(0, |at| at + 1)].iter().map(|(_, part)| part).sum();
            let own = at.map_or(0.0, |at| list[at].1);
            // Another rounding may move the boundaries of shares and of kept tokens.
            let near = share - 1e-3 < end && end - own < share + 1e-3;
            prop_assert!(near || list.iter().any(|(_, part)| *part > 0.0) && own == 0.0 && top_p < 1.0, "{chosen:?} {share} {list:?}");
        }
    }

    #[test]
    fn greedy_is_the_first_of_the_highest(logits in proptest::collection::vec(-3_i32..3, 1..80), mask in proptest::collection::vec(any::<u32>(), 1..4)) {
        let logits: Vec<f32> = logits.iter().map(|logit| *logit as f32).collect();
        let allowed = |id: &usize| mask.get(id / 32).is_some_and(|word| word >> (id % 32) & 1 == 1);
        let mut expected: Option<usize> = None;
        for id in (0..logits.len()).filter(allowed) {
            if expected.is_none_or(|best| logits[id] > logits[best]) {
                expected = Some(id);
            }
        }
        let chosen = Sampler::new(Sampling::default(), 0).choose(&logits, &mask, &[], 0);
        prop_assert_eq!(chosen.map(TokenId::index), expected);
    }
}

#[test]
fn draws_follow_the_probabilities() {
    let sampling = Sampling { temperature: 1.0, ..Sampling::default() };
    let mut sampler = Sampler::new(sampling, 0);
    let logits = [0.0, 2.0_f32.ln(), 5.0_f32.ln(), 1.0];
    let mut counts = [0.0_f64; 4];
    for position in 0..8_000 {
        let token = sampler.choose(&logits, &[0b111], &[], position).unwrap();
        counts[token.index()] += 1.0 / 1_000.0;
    }
    for (count, expected) in counts.iter().zip([1.0, 2.0, 5.0, 0.0]) {
        assert!((count - expected).abs() < 0.15, "{counts:?}");
    }
}

#[test]
fn logits_that_are_no_numbers_are_never_chosen() {
    let mut sampler = Sampler::new(Sampling::default(), 0);
    assert_eq!(sampler.choose(&[f32::NAN, f32::NEG_INFINITY, -9.0], &[0b111], &[], 0), Some(TokenId(2)));
    assert_eq!(sampler.choose(&[f32::NAN], &[1], &[], 0), None);
}
