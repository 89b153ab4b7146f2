//! Tests that tokens written under drafts follow the odds of the model itself: counts over many seeds, by a chi-square test that finds wrong rules.

use ogc_kit::Random;
use ogc_runtime::sampling::Sampling;

use super::super::Sampler;
use super::*;

const TOKENS: usize = 6;

/// The number of draws of a case.
const DRAWS: u64 = 6_000;

/// Logits of a model and of its draft model, the mask, and the sampling parameters.
struct Case {
    own: Vec<f32>,
    drafted: Vec<f32>,
    mask: u32,
    sampling: Sampling,
}

impl Case {
    fn new(random: &mut Random) -> Self {
        let mut logits = || (0..TOKENS).map(|_| random.unit() * 4.0).collect();
        let (own, drafted) = (logits(), logits());
        let mask = 1 << random.below(TOKENS) | random.below(1 << TOKENS) as u32;
        let sampling = Sampling {
            temperature: *random.pick(&[0.7, 1.0, 1.6]),
            top_k: *random.pick(&[0, 0, 3]),
            top_p: *random.pick(&[1.0, 1.0, 0.8]),
            min_p: *random.pick(&[0.0, 0.0, 0.15]),
            repetition_penalty: *random.pick(&[1.0, 1.3]),
            bias: if random.one_in(2) { vec![(TokenId(1), 1.0)] } else { Vec::new() },
            ..Sampling::default()
        };
        Self { own, drafted, mask, sampling }
    }

    /// Counts the tokens that many requests write by a rule, and the number of drafted tokens that are kept.
    fn counts(&self, rule: impl Fn(TokenId, &Odds, &Odds, Draw) -> TokenId) -> ([f64; TOKENS], usize) {
        let (mut counts, mut kept) = ([0.0; TOKENS], 0);
        let (mask, written) = ([self.mask], [TokenId(0), TokenId(2)]);
        for request in 0..DRAWS {
            let mut sampler = Sampler::new(self.sampling.clone(), request);
            let token = sampler.choose(&self.drafted, &mask, &written, 7).unwrap();
            let drafted = sampler.odds(&self.drafted, &mask, &written).unwrap();
            let own = sampler.odds(&self.own, &mask, &written).unwrap();
            let draw = Draw::of(self.sampling.seed, request, 7);
            let found = rule(token, &own, &drafted, draw);
            kept += usize::from(found == token);
            counts[found.index()] += 1.0;
        }
        (counts, kept)
    }

    /// Returns the number of standard deviations by which the chi-square sum of counts exceeds its mean.
    fn deviations(&self, counts: &[f64; TOKENS]) -> f64 {
        let mut sampler = Sampler::new(self.sampling.clone(), 0);
        let odds = sampler.odds(&self.own, &[self.mask], &[TokenId(0), TokenId(2)]).unwrap();
        let impossible =
            (0..TOKENS as u32).map(TokenId).any(|token| odds.of(token) == 0.0 && counts[token.index()] > 0.0);
        let part = |(token, odds): &(TokenId, f64)| {
            let expected = odds * DRAWS as f64;
            (counts[token.index()] - expected).powi(2) / expected
        };
        let freedom = (odds.0.len() - 1) as f64;
        let sum: f64 = odds.0.iter().map(part).sum();
        if impossible { f64::INFINITY } else { (sum - freedom) / (2.0 * freedom).sqrt().max(1.0) }
    }
}

/// The number of deviations that counts as wrong: a sound rule reaches it in one of some millions of cases.
const WRONG: f64 = 12.0;

#[test]
fn verified_draft_tokens_follow_the_distribution_of_the_model() {
    let first = ogc_kit::first_seed();
    for seed in first..first + ogc_kit::rounds(40, 400) {
        let case = Case::new(&mut Random::new(seed));
        let (counts, kept) = case.counts(|token, own, drafted, draw| own.judge(token, drafted, draw));
        assert!(case.deviations(&counts) < WRONG, "seed {seed}: {counts:?}");
        // The number of kept tokens is the maximum: the sum of the lesser odds.
        let mut sampler = Sampler::new(case.sampling.clone(), 0);
        let [own, drafted] = [&case.own, &case.drafted]
            .map(|logits| sampler.odds(logits, &[case.mask], &[TokenId(0), TokenId(2)]).unwrap());
        let most: f64 = own.0.iter().map(|&(token, odds)| odds.min(drafted.of(token))).sum();
        let share = kept as f64 / DRAWS as f64;
        assert!((share - most).abs() < 0.04, "seed {seed}: {share} of the drafts are kept, not {most}");
    }
}

#[test]
fn wrong_verification_rules_are_detected() {
    let find = |rule: fn(TokenId, &Odds, &Odds, Draw) -> TokenId| {
        (0..40).filter(move |&seed| {
            let case = Case::new(&mut Random::new(seed));
            case.deviations(&case.counts(rule).0) >= WRONG
        })
    };
    assert!(find(|token, _, _, _| token).count() > 20, "every draft is kept");
    let own_in_place = |token: TokenId, own: &Odds, drafted: &Odds, draw: Draw| {
        let is_kept = draw.acceptance() < own.of(token) / drafted.of(token);
        if is_kept { token } else { own.drawn(draw.replacement()).unwrap() }
    };
    assert!(find(own_in_place).count() > 15, "another is drawn by the model's odds, not by what they have beyond");
    let one_number = |token: TokenId, own: &Odds, drafted: &Odds, draw: Draw| {
        let number = draw.second as f64 / 2.0_f64.powi(64);
        if number < own.of(token) / drafted.of(token) {
            token
        } else {
            own.beyond(drafted).drawn(number).unwrap_or(token)
        }
    };
    assert!(find(one_number).count() > 15, "the number that drew the draft decides on it");
}

#[test]
fn tokens_of_a_draft_model_with_equal_odds_are_always_kept() {
    for seed in 0..40 {
        let mut case = Case::new(&mut Random::new(seed));
        case.drafted = case.own.clone();
        let (_, kept) = case.counts(|token, own, drafted, draw| own.judge(token, drafted, draw));
        assert_eq!(kept as u64, DRAWS, "seed {seed}");
    }
}

#[test]
fn verified_greedy_tokens_are_the_best_of_the_model() {
    let mut sampler = Sampler::new(Sampling::default(), 3);
    let [own, drafted] = [[1.0, 3.0, 2.0], [5.0, 0.0, 1.0]].map(|logits| sampler.odds(&logits, &[0b111], &[]).unwrap());
    for position in 0..50 {
        assert_eq!(sampler.judge(TokenId(0), &own, &drafted, position), TokenId(1));
        assert_eq!(sampler.judge(TokenId(1), &own, &own, position), TokenId(1));
    }
}
