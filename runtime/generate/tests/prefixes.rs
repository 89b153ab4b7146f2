//! Tests of texts that begin alike and share the pages of a model: each is the same, to the bit, as a text that is
//! written alone and reads the whole prompt.

use std::ops::ControlFlow;
use std::sync::Arc;

use ogc_generate::{
    Generated, LoadedModel, PrefixCache, Prefixes, Request, Sampling, Sequence, Speculation, generate, pass, read,
};
use ogc_kit::Random;
use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

/// The bytes of a page of the model: 16 positions of two layers, each with 32 keys and 32 values.
const PAGE_BYTES: usize = 16 * 2 * 64 * 4;

fn model() -> LoadedModel {
    let [own, draft] = [ogc_kit::model::gguf(), ogc_kit::model::draft_gguf()]
        .map(|file| LoadedModel::from_gguf(std::io::Cursor::new(file)).expect("a model"));
    own.with_draft(draft).expect("the same tokens")
}

/// Any text of letters.
fn matcher(loaded: &LoadedModel) -> Matcher {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("letters", 0);
    let [start, end] = [(); 2].map(|()| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    [start, end].into_iter().for_each(|from| builder.edge(from, b'a', b'z', OpId::NONE, end));
    builder.accept(end);
    let automaton = builder.finish((rule, 0, 0), false, Escapes::Any).expect("an automaton");
    Matcher::new(Arc::new(automaton), MaskStore::new(Arc::clone(&loaded.vocabulary)))
}

fn shared(bytes: usize) -> Prefixes {
    Prefixes { cache: Arc::new(PrefixCache::new(bytes)), group: 0 }
}

/// Makes prompts that begin alike: each continues from a place of an earlier one.
fn prompts(random: &mut Random, count: usize) -> Vec<Vec<TokenId>> {
    let mut all: Vec<Vec<TokenId>> = vec![Vec::new()];
    while all.len() <= count {
        let before = &all[random.below(all.len())];
        let mut prompt = before[..random.below(before.len() + 1)].to_vec();
        prompt.extend((0..1 + random.below(90)).map(|_| TokenId(random.below(256) as u32)));
        all.push(prompt);
    }
    all.split_off(1)
}

fn request(random: &mut Random, prompt: &[TokenId]) -> Request {
    let sampling = Sampling { temperature: 1.2, seed: random.below(99) as u64, ..Sampling::default() };
    Request {
        sampling,
        speculation: *random.pick(&[
            Speculation::Off,
            Speculation::Lookup { most: 5 },
            Speculation::Draft { length: crate::drafts_of(3), lookup: 0 },
        ]),
        probabilities: [None, Some(1)][random.below(2)],
        ..Request::new(prompt.to_vec(), 3 + random.below(40) as u32)
    }
}

/// Writes texts side by side; each joins when another ends or after some passes.
fn written(loaded: &LoadedModel, requests: &[Request], random: &mut Random) -> Vec<Generated> {
    let mut texts: Vec<Sequence> = Vec::new();
    let mut next = requests.iter();
    loop {
        let mut running: Vec<&mut Sequence> = texts.iter_mut().filter(|text| text.ended().is_none()).collect();
        if running.len() < 4 && (running.is_empty() || random.below(3) == 0) {
            match next.next() {
                Some(request) => {
                    let text = Sequence::new(loaded, matcher(loaded), request.clone()).expect("a text");
                    texts.push(text);
                    continue;
                }
                None if running.is_empty() => return texts.into_iter().map(Sequence::into_generated).collect(),
                None => {}
            }
        }
        pass(loaded, &mut running).expect("a pass").into_iter().for_each(|result| result.expect("a token"));
    }
}

#[test]
fn texts_are_equal_with_and_without_the_prefix_cache() {
    let loaded = model();
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 3));
    let (mut reused, mut dropped) = (0, 0);
    for round in 0.. {
        if round >= ogc_kit::setting("OGC_ROUNDS", 8) && reused > 500 && dropped > 20 {
            break;
        }
        assert!(round < 100, "{reused} tokens, {dropped} pages");
        // Room for all pages, for a few, or for none.
        let prefixes = shared([1 << 30, 6 * PAGE_BYTES, PAGE_BYTES / 2][round as usize % 3]);
        let requests: Vec<Request> =
            prompts(&mut random, 12).iter().map(|prompt| request(&mut random, prompt)).collect();
        let with = |request: &Request| Request { prefixes: Some(prefixes.clone()), ..request.clone() };
        let found = written(&loaded, &requests.iter().map(with).collect::<Vec<_>>(), &mut random);
        for (found, request) in found.into_iter().zip(requests) {
            let alone = generate(&loaded, matcher(&loaded), request, |_| ControlFlow::Continue(())).expect("a text");
            assert_eq!((found.tokens, found.text, found.ended), (alone.tokens, alone.text, alone.ended));
            assert_eq!(found.probabilities, alone.probabilities);
            assert_eq!(alone.statistics.reused, 0);
            reused += found.statistics.reused;
        }
        let usage = prefixes.cache.usage();
        // The draft model has half of the layers.
        assert!(usage.bytes <= usage.pages * PAGE_BYTES && usage.bytes * 2 >= usage.pages * PAGE_BYTES, "{usage:?}");
        assert!(usage.bytes <= [1 << 30, 6 * PAGE_BYTES, PAGE_BYTES / 2][round as usize % 3], "{usage:?}");
        dropped += usage.dropped;
    }
}

#[test]
fn several_choices_of_a_request_share_its_prompt() {
    let loaded = model();
    let prefixes = shared(1 << 20);
    let prompt: Vec<TokenId> = (0..100).map(TokenId).collect();
    let request = |number| Request { number, prefixes: Some(prefixes.clone()), ..Request::new(prompt.clone(), 4) };
    let mut texts: Vec<Sequence> =
        (0..5).map(|number| Sequence::new(&loaded, matcher(&loaded), request(number)).expect("a text")).collect();
    while texts.iter().any(|text| text.ended().is_none()) {
        pass(&loaded, &mut texts.iter_mut().collect::<Vec<_>>())
            .expect("a pass")
            .into_iter()
            .for_each(|result| result.expect("a token"));
    }
    // 99 tokens are read before the last; 96 of them are six pages.
    let reused: Vec<usize> = texts.iter().map(|text| text.statistics().reused).collect();
    assert_eq!(reused, [0, 96, 96, 96, 96]);
}

#[test]
fn prefix_groups_do_not_share_pages() {
    let loaded = model();
    let prefixes = shared(1 << 20);
    let prompt: Vec<TokenId> = (0..50).map(TokenId).collect();
    let reused = [0, 1, 0].map(|group| {
        let prefixes = Some(Prefixes { group, ..prefixes.clone() });
        let request = Request { prefixes, ..Request::new(prompt.clone(), 2) };
        let text = generate(&loaded, matcher(&loaded), request, |_| ControlFlow::Continue(())).expect("a text");
        text.statistics.reused
    });
    assert_eq!(reused, [0, 0, 48]);
}

#[test]
fn a_draft_model_reads_a_prompt_once() {
    let loaded = model();
    let prefixes = shared(1 << 20);
    let prompt: Vec<TokenId> = (0..100).map(TokenId).collect();
    let mut reads = [0, 0];
    for reads in &mut reads {
        let speculation = Speculation::Draft { length: crate::drafts_of(3), lookup: 0 };
        let request = Request { prefixes: Some(prefixes.clone()), speculation, ..Request::new(prompt.clone(), 4) };
        let mut text = Sequence::new(&loaded, matcher(&loaded), request).expect("a text");
        while text.ended().is_none() {
            text.prepare(&loaded).expect("a token");
            *reads += usize::from(text.reads_prompt_for_draft());
            read(&loaded, &mut [&mut text]).expect("a pass");
        }
    }
    assert_eq!(reads, [3, 0], "32 tokens at a time, and the last ones with what is written behind them");
    let usage = prefixes.cache.usage();
    assert_eq!((usage.pages, usage.bytes), (12, 6 * PAGE_BYTES + 6 * PAGE_BYTES / 2), "the pages of both models");
}

#[test]
fn long_prompts_do_not_delay_texts_under_way() {
    let loaded = model();
    let request = |len: u32, most| Request::new((0..len).map(|at| TokenId(at % 256)).collect(), most);
    let begin = |request| Sequence::new(&loaded, matcher(&loaded), request).expect("a text");
    let mut one = begin(request(1, 30));
    let mut prompts: Vec<Sequence> = (0..10).map(|at| begin(request(200 + at, 1))).collect();
    let mut passes = 0;
    while one.ended().is_none() || prompts.iter().any(|text| text.ended().is_none()) {
        let tokens = one.tokens().len();
        let mut all: Vec<&mut Sequence> = std::iter::once(&mut one).chain(&mut prompts).collect();
        pass(&loaded, &mut all).expect("a pass").into_iter().for_each(|result| result.expect("a token"));
        passes += 1;
        assert!(one.ended().is_some() || one.tokens().len() > tokens, "the text goes on in each pass");
        // In the meantime, each pass reads one page of the 13 or 14 of a prompt, in their order.
        let read = prompts.iter().take_while(|text| text.unread() == 0).count();
        assert!(
            prompts[read..].iter().skip(1).all(|text| text.unread() >= 199),
            "no prompt goes before those before it"
        );
    }
    assert!((20..90).contains(&passes), "{passes} passes");
}
