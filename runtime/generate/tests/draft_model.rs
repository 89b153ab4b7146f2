//! Tests of drafts by a second model. At temperature 0 the texts are the same, above it they have the same
//! distribution, for any draft model. A model that is its own draft model is always right.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use ogc_generate::{
    DraftLength, Generated, Jump, LoadedModel, Recording, Request, Sampling, Sequence, Speculation, TokenSource,
    generate, pass,
};
use ogc_kit::Random;
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::canonical::TokenPolicy;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use crate::formats;

fn read(file: Vec<u8>) -> LoadedModel {
    LoadedModel::from_gguf(std::io::Cursor::new(file)).expect("a model")
}

fn alone() -> LoadedModel {
    read(ogc_kit::model::gguf())
}

/// The model with another model as its draft model.
fn drafted() -> LoadedModel {
    alone().with_draft(read(ogc_kit::model::draft_gguf())).expect("the same tokens")
}

/// The model with itself as its draft model.
fn own_draft() -> LoadedModel {
    alone().with_draft(alone()).expect("the same tokens")
}

type Asked = (Arc<Automaton>, Request);

fn sampling(random: &mut Random, temperature: f32) -> Sampling {
    Sampling {
        temperature,
        top_k: *random.pick(&[0, 0, 5]),
        top_p: *random.pick(&[1.0, 0.9]),
        min_p: *random.pick(&[0.0, 0.05]),
        repetition_penalty: *random.pick(&[1.0, 1.2]),
        presence_penalty: *random.pick(&[0.0, 0.5]),
        bias: if random.one_in(3) { vec![(TokenId(random.below(256) as u32), 3.0)] } else { Vec::new() },
        seed: random.below(99) as u64,
        ..Sampling::default()
    }
}

fn length(random: &mut Random) -> DraftLength {
    DraftLength { most: 1 + random.below(7), least_sure: *random.pick(&[0.0, 0.0, 0.02]) }
}

/// Makes random texts to write, of various formats, prompts, budgets and policies.
fn asked(random: &mut Random, temperature: f32, count: usize) -> Vec<Asked> {
    let known = formats::all();
    let one = |_| {
        let prompt = (0..1 + random.below(90)).map(|_| TokenId(random.below(256) as u32)).collect();
        let request = Request {
            sampling: sampling(random, temperature),
            number: random.below(9) as u64,
            jump: *random.pick(&[Jump::Verify, Jump::Off]),
            tokens: *random.pick(&[None, Some(TokenPolicy::Any)]),
            speculation: Speculation::Draft { length: length(random), lookup: *random.pick(&[0, 0, 4]) },
            probabilities: *random.pick(&[None, None, Some(2)]),
            recording: *random.pick(&[Recording::Off, Recording::Passes { likeliest: 2 }]),
            ..Request::new(prompt, 4 + random.below(60) as u32)
        };
        (Arc::clone(&known[random.below(known.len())].1), request)
    };
    (0..count).map(one).collect()
}

fn without_drafts((format, request): &Asked) -> Asked {
    (Arc::clone(format), Request { speculation: Speculation::Off, ..request.clone() })
}

fn begin(loaded: &LoadedModel, (format, request): &Asked) -> Option<Sequence> {
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    Sequence::new(loaded, Matcher::new(Arc::clone(format), store), request.clone()).ok()
}

/// Writes texts that share passes; `None` for a text that does not fit or that the vocabulary cannot write.
fn together(loaded: &LoadedModel, asked: &[Asked]) -> Vec<Option<Generated>> {
    let mut texts: Vec<Option<Sequence>> = asked.iter().map(|asked| begin(loaded, asked)).collect();
    loop {
        let mut going: Vec<&mut Option<Sequence>> =
            texts.iter_mut().filter(|text| text.as_ref().is_some_and(|text| text.ended().is_none())).collect();
        if going.is_empty() {
            return texts.into_iter().map(|text| text.map(Sequence::into_generated)).collect();
        }
        let mut sequences: Vec<&mut Sequence> = going.iter_mut().filter_map(|text| text.as_mut()).collect();
        let results = pass(loaded, &mut sequences).expect("a pass");
        for (text, result) in going.into_iter().zip(results) {
            if result.is_err() {
                *text = None;
            }
        }
    }
}

fn one(loaded: &LoadedModel, asked: &Asked) -> Option<Generated> {
    together(loaded, std::slice::from_ref(asked)).remove(0)
}

#[track_caller]
fn assert_same(found: &Option<Generated>, expected: &Option<Generated>, seed: u64) {
    let (Some(found), Some(expected)) = (found, expected) else {
        assert_eq!(found.is_none(), expected.is_none(), "seed {seed}");
        return;
    };
    assert_eq!(found.tokens, expected.tokens, "seed {seed}");
    assert_eq!((&found.text, found.ended), (&expected.text, expected.ended), "seed {seed}");
    assert_eq!(found.probabilities, expected.probabilities, "seed {seed}");
    let odds = |text: &Generated| text.record.iter().map(|token| token.odds.is_some()).collect::<Vec<_>>();
    assert_eq!(odds(found).len(), odds(expected).len(), "seed {seed}");
}

/// Checks that the counts and the record of a text agree.
#[track_caller]
fn assert_sums(text: &Generated, seed: u64) {
    let work = text.statistics;
    assert!(work.accepted <= work.drafted, "seed {seed}: {work:?}");
    assert!(work.draft_passes >= work.drafted, "seed {seed}: {work:?}");
    if text.record.is_empty() {
        return;
    }
    let count = |source| text.record.iter().filter(|token| token.source == source).count();
    assert_eq!(count(TokenSource::Draft), work.accepted, "seed {seed}");
    assert_eq!(count(TokenSource::Guess), work.guessed, "seed {seed}");
    assert_eq!(count(TokenSource::Only) + count(TokenSource::Run), work.forced, "seed {seed}");
}

#[test]
fn greedy_texts_are_the_same_with_drafts() {
    let (plain, drafted) = (alone(), drafted());
    let (mut texts, mut accepted, mut refused, mut guessed) = (0, 0, 0, 0);
    let first = ogc_kit::first_seed();
    for seed in first.. {
        if seed >= first + ogc_kit::rounds(10, 200) && texts > 20 && accepted > 10 && refused > 50 && guessed > 0 {
            break;
        }
        assert!(seed < first + 1_000, "{texts} {accepted} {refused} {guessed}");
        let asked = asked(&mut Random::new(seed), 0.0, 5);
        let found = together(&drafted, &asked);
        for (found, asked) in found.iter().zip(&asked) {
            assert_same(found, &one(&plain, &without_drafts(asked)), seed);
            let Some(found) = found else { continue };
            assert_sums(found, seed);
            texts += 1;
            accepted += found.statistics.accepted;
            refused += found.statistics.drafted - found.statistics.accepted;
            guessed += found.statistics.guessed;
        }
    }
}

#[test]
fn a_model_that_drafts_for_itself_is_always_accepted() {
    let (plain, own) = (alone(), own_draft());
    let (mut drafted, mut saved) = (0, 0);
    let first = ogc_kit::first_seed();
    for seed in first.. {
        if seed >= first + ogc_kit::rounds(8, 200) && drafted > 50 && saved > 30 {
            break;
        }
        assert!(seed < first + 1_000, "{drafted} drafted, {saved} passes saved");
        let mut random = Random::new(seed);
        let temperature = *random.pick(&[0.0, 0.8, 1.5]);
        for asked in asked(&mut random, temperature, 4) {
            let (found, expected) = (one(&own, &asked), one(&plain, &without_drafts(&asked)));
            // The draft model draws like the model, so the texts are the same at every temperature.
            assert_same(&found, &expected, seed);
            let (Some(found), Some(expected)) = (found, expected) else { continue };
            assert_sums(&found, seed);
            assert_eq!(found.statistics.accepted, found.statistics.drafted, "seed {seed}");
            drafted += found.statistics.drafted;
            saved += expected.statistics.passes.saturating_sub(found.statistics.passes);
        }
    }
}

#[test]
fn drawn_texts_depend_on_their_request_alone() {
    let loaded = drafted();
    let (mut accepted, mut refused) = (0, 0);
    let first = ogc_kit::first_seed();
    for seed in first.. {
        if seed >= first + ogc_kit::rounds(6, 100) && accepted > 50 && refused > 50 {
            break;
        }
        assert!(seed < first + 1_000, "{accepted} accepted, {refused} refused");
        let asked = asked(&mut Random::new(seed), 1.0, 5);
        for (found, asked) in together(&loaded, &asked).iter().zip(&asked) {
            let again = one(&loaded, asked);
            assert_same(found, &again, seed);
            let (Some(found), Some(again)) = (found, again) else { continue };
            assert_sums(found, seed);
            assert_eq!(found.record, again.record, "seed {seed}");
            assert_eq!(found.statistics.drafted, again.statistics.drafted, "seed {seed}");
            accepted += found.statistics.accepted;
            refused += found.statistics.drafted - found.statistics.accepted;
        }
    }
}

/// The format of three characters, each one of `ab1`; some can be written by several tokens.
fn three_of_few() -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("few", 0);
    let states: Vec<_> = (0..4).map(|_| builder.state(rule, StateKind::Bytes)).collect();
    builder.start(rule, states[0]);
    for step in states.windows(2) {
        for (low, high) in [(b'a', b'b'), (b'1', b'2')] {
            builder.edge(step[0], low, high, OpId::NONE, step[1]);
        }
    }
    builder.accept(states[3]);
    Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).expect("an automaton"))
}

fn few_request(temperature: f32) -> Request {
    Request {
        sampling: Sampling { temperature, ..Sampling::default() },
        tokens: Some(TokenPolicy::Any),
        ..Request::new([5, 77, 130].map(TokenId).to_vec(), 3)
    }
}

/// Returns the probability of every sequence of tokens of the format, computed token by token from the logits.
fn exact(loaded: &LoadedModel, temperature: f32) -> BTreeMap<Vec<TokenId>, f64> {
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    let mut matcher = Matcher::new(three_of_few(), store);
    matcher.set_budget(Some(3)).expect("three tokens are enough");
    let request = few_request(temperature);
    let mut texts = BTreeMap::new();
    let mut open = vec![(Vec::new(), 1.0, matcher)];
    while let Some((written, odds, mut matcher)) = open.pop() {
        let mut mask = vec![0; loaded.vocabulary.padded_len().div_ceil(32)];
        matcher.mask().expect("a mask").fill(&mut mask);
        let allowed = |id: &u32| mask[*id as usize / 32] >> (id % 32) & 1 == 1;
        let stops = matcher.stop_tokens().to_vec();
        let ids: Vec<u32> = (0..loaded.vocabulary.len() as u32).filter(allowed).collect();
        if ids.iter().all(|id| stops.contains(&TokenId(*id))) {
            texts.insert(written, odds);
            continue;
        }
        let tokens: Vec<TokenId> = request.prompt.iter().chain(&written).copied().collect();
        let logits = loaded.model.forward(&mut loaded.model.cache(8), &tokens, 1).expect("logits");
        let weight = |id: u32| (f64::from(logits[id as usize]) / f64::from(temperature)).exp();
        let all: f64 = ids.iter().map(|id| weight(*id)).sum();
        for id in ids {
            let mut next = matcher.fork();
            next.accept_token(TokenId(id)).expect("it is allowed");
            open.push(([&written[..], &[TokenId(id)]].concat(), odds * weight(id) / all, next));
        }
    }
    texts
}

/// Draws texts from `texts` seeds, and returns the number of standard deviations by which their chi-square sum exceeds
/// its mean.
fn deviations(loaded: &LoadedModel, draft: &Speculation, temperature: f32, texts: u64) -> (f64, usize, usize) {
    let exact = exact(loaded, temperature);
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    let (mut counts, mut drafted, mut accepted) = (BTreeMap::<Vec<TokenId>, f64>::new(), 0, 0);
    for seed in 0..texts {
        let mut request = Request { speculation: *draft, ..few_request(temperature) };
        request.sampling.seed = seed;
        let matcher = Matcher::new(three_of_few(), Arc::clone(&store));
        let text = generate(loaded, matcher, request, |_| ControlFlow::Continue(())).expect("a text");
        assert!(exact.contains_key(&text.tokens), "{:?}", text.tokens);
        *counts.entry(text.tokens).or_default() += 1.0;
        drafted += text.statistics.drafted;
        accepted += text.statistics.accepted;
    }
    assert!((exact.values().sum::<f64>() - 1.0).abs() < 1e-6 && exact.len() > 60, "{} texts", exact.len());
    // Rare texts are counted together.
    let (mut sum, mut cells, mut rest) = (0.0, 0.0, (0.0, 0.0));
    for (tokens, odds) in &exact {
        let (found, expected) = (counts.get(tokens).copied().unwrap_or(0.0), odds * texts as f64);
        if expected < 5.0 {
            rest = (rest.0 + found, rest.1 + expected);
        } else {
            sum += (found - expected).powi(2) / expected;
            cells += 1.0;
        }
    }
    if rest.1 >= 5.0 {
        sum += (rest.0 - rest.1).powi(2) / rest.1;
        cells += 1.0;
    }
    let freedom: f64 = cells - 1.0;
    ((sum - freedom) / (2.0 * freedom).sqrt(), drafted, accepted)
}

#[test]
fn drawn_texts_have_the_distribution_of_the_model() {
    let texts = ogc_kit::rounds(3_000, 30_000).max(500);
    for (temperature, most, least_sure, lookup) in
        [(1.0, 4, 0.0, 0), (0.5, 2, 0.0, 0), (1.0, 3, 0.0, 2), (0.3, 4, 0.3, 0)]
    {
        let length = DraftLength { most, least_sure };
        let (deviations, drafted, accepted) =
            deviations(&drafted(), &Speculation::Draft { length, lookup }, temperature, texts);
        assert!(deviations < 6.0, "{deviations} deviations at temperature {temperature}");
        assert!(accepted > 100 && drafted - accepted > 100, "{accepted} of {drafted}");
    }
}

/// Checks that the test above detects the texts of a rule that keeps every draft: those of the draft model.
#[test]
fn the_distribution_test_detects_texts_of_the_draft_model() {
    let loaded = read(ogc_kit::model::draft_gguf());
    let exact = exact(&alone(), 1.0);
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    let mut counts = BTreeMap::<Vec<TokenId>, f64>::new();
    let texts = 1_000;
    for seed in 0..texts {
        let mut request = few_request(1.0);
        request.sampling.seed = seed;
        let matcher = Matcher::new(three_of_few(), Arc::clone(&store));
        let text = generate(&loaded, matcher, request, |_| ControlFlow::Continue(())).expect("a text");
        *counts.entry(text.tokens).or_default() += 1.0;
    }
    let part = |(tokens, odds): (&Vec<TokenId>, &f64)| {
        let expected = odds * texts as f64;
        (counts.get(tokens).copied().unwrap_or(0.0) - expected).powi(2) / expected
    };
    let (sum, freedom) = (exact.iter().map(part).sum::<f64>(), exact.len() as f64 - 1.0);
    assert!((sum - freedom) / (2.0 * freedom).sqrt() > 12.0, "{sum} of {freedom}");
}

#[test]
fn a_draft_model_with_other_tokens_is_refused() {
    let mut tokenizer = ogc_kit::model::tokenizer();
    let mut tokens = ogc_kit::model::tokens();
    tokens.swap(17, 40);
    let list = ogc_kit::gguf::Value::Array(tokens.iter().map(|token| token.as_str().into()).collect());
    let entry = tokenizer.iter_mut().find(|(key, _)| *key == "tokenizer.ggml.tokens").expect("tokens");
    entry.1 = list;
    let other = read(ogc_kit::model::gguf_with(tokenizer));
    let error = alone().with_draft(other).expect_err("another vocabulary").to_string();
    assert!(error.starts_with("token 17 is `I` in the draft model and `2` in the model: "), "{error}");
}

#[test]
fn drafts_without_a_draft_model_are_refused() {
    let loaded = alone();
    let matcher = Matcher::new(three_of_few(), MaskStore::new(Arc::clone(&loaded.vocabulary)));
    let request =
        Request { speculation: Speculation::Draft { length: crate::drafts_of(4), lookup: 0 }, ..few_request(0.0) };
    let error = Sequence::new(&loaded, matcher, request).expect_err("no draft model").to_string();
    assert!(error.contains("has no draft model"), "{error}");
}
