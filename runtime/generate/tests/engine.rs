//! Tests of a model whose passes another engine makes. The texts are those of the model itself, even if the engine
//! cannot roll positions back, fails now and then, or is shared by several texts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ogc_generate::{
    Cache, Engine, EnginePart, GenerateError, Generated, Jump, LoadedModel, Request, Sampling, Sequence, Speculation,
    TextTokenizer, pass,
};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use crate::formats;

/// The places of an engine.
const PLACES: usize = 3;

/// Makes passes with the model of this crate.
#[derive(Debug)]
struct Lent {
    loaded: LoadedModel,
    caches: Vec<Cache>,
    takes_back: bool,
    /// One of this many reads fails; none if it is 0.
    fails_each: usize,
    reads: Arc<AtomicUsize>,
}

impl Engine for Lent {
    fn width(&self) -> usize {
        self.loaded.model.width()
    }

    fn texts(&self) -> usize {
        PLACES
    }

    fn positions(&self) -> usize {
        self.loaded.model.context()
    }

    fn takes_back(&self) -> bool {
        self.takes_back
    }

    fn read(&mut self, parts: &[EnginePart]) -> Result<Vec<Vec<f32>>, GenerateError> {
        let reads = self.reads.fetch_add(1, Ordering::Relaxed) + 1;
        let fails = self.fails_each > 0 && reads.is_multiple_of(self.fails_each);
        let mut logits = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let cache = &mut self.caches[part.place];
            assert_eq!(cache.len(), part.position, "what stands before a part");
            if fails && at + 1 == parts.len() {
                // The parts before were read.
                return Err(GenerateError::Engine("on purpose".to_owned()));
            }
            logits.push(self.loaded.model.forward(cache, &part.tokens, part.rows)?);
        }
        Ok(logits)
    }

    fn truncate(&mut self, place: usize, len: usize) -> bool {
        let cache = &mut self.caches[place];
        let takes = self.takes_back || len == 0 || len >= cache.len();
        if takes {
            cache.truncate(len);
        }
        takes
    }
}

/// Makes no tokens: it must not be called.
#[derive(Debug)]
struct Silent;

impl TextTokenizer for Silent {
    fn tokens(&self, text: &str, _names: bool) -> Result<Vec<TokenId>, String> {
        Err(format!("{text:?} is known how to cut"))
    }
}

fn own() -> LoadedModel {
    LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf())).expect("a model")
}

fn lent(takes_back: bool, fails_each: usize) -> LoadedModel {
    lent_of(&ogc_kit::model::gguf(), takes_back, fails_each)
}

fn lent_of(file: &[u8], takes_back: bool, fails_each: usize) -> LoadedModel {
    let loaded = LoadedModel::in_engine(std::io::Cursor::new(file), || {
        let loaded = LoadedModel::from_gguf(std::io::Cursor::new(file))?;
        let caches = (0..PLACES).map(|_| loaded.model.cache(64)).collect();
        Ok((Box::new(Lent { loaded, caches, takes_back, fails_each, reads: Arc::default() }), Arc::new(Silent)))
    });
    loaded.expect("a model")
}

/// A text to write: its format and its request.
type Asked = (Arc<Automaton>, Request);

fn asked(random: &mut Random, count: usize) -> Vec<Asked> {
    let known = formats::all();
    let one = |_| {
        let prompt = (0..1 + random.below(90)).map(|_| TokenId(random.below(256) as u32)).collect();
        let request = Request {
            sampling: Sampling { temperature: 1.2, seed: random.below(99) as u64, ..Sampling::default() },
            speculation: [Speculation::Off, Speculation::Lookup { most: 5 }][random.below(2)],
            jump: [Jump::Verify, Jump::Off][random.below(2)],
            ..Request::new(prompt, 60)
        };
        (Arc::clone(&known[random.below(known.len())].1), request)
    };
    (0..count).map(one).collect()
}

/// Writes texts, as many at a time as an engine has places; `None` for a text whose format has no text that short.
fn written(loaded: &LoadedModel, asked: &[Asked]) -> Vec<Option<Generated>> {
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    let mut written: Vec<Option<Generated>> = vec![None; asked.len()];
    let (mut running, mut next) = (Vec::<(usize, Sequence)>::new(), 0);
    while next < asked.len() || !running.is_empty() {
        while running.len() < PLACES && next < asked.len() {
            let (format, request) = &asked[next];
            let matcher = Matcher::new(Arc::clone(format), Arc::clone(&store));
            running.extend(Sequence::new(loaded, matcher, request.clone()).ok().map(|text| (next, text)));
            next += 1;
        }
        match pass(loaded, &mut running.iter_mut().map(|(_, text)| text).collect::<Vec<_>>()) {
            Ok(results) => {
                let mut results = results.into_iter();
                // A text that the vocabulary has no token for ends here.
                running.retain(|_| results.next().is_some_and(|result| result.is_ok()));
            }
            // The pass is made again.
            Err(error) => assert!(error.to_string().contains("on purpose"), "{error}"),
        }
        for (at, text) in running.extract_if(.., |(_, text)| text.ended().is_some()) {
            written[at] = Some(text.into_generated());
        }
    }
    written
}

#[test]
fn texts_through_an_engine_match_the_model_itself() {
    let own = own();
    let first = ogc_kit::first_seed();
    let (mut texts, mut drafted) = (0, 0);
    for seed in first.. {
        if seed >= first + ogc_kit::rounds(3, 60) && texts > 30 && drafted > 2 {
            break;
        }
        assert!(seed < first + 100, "{texts} texts, {drafted} with drafts");
        let asked = asked(&mut Random::new(seed), 8);
        let expected = written(&own, &asked);
        for (takes_back, fails_each) in [(true, 0), (false, 0), (true, 5), (false, 7)] {
            let lent = lent(takes_back, fails_each);
            assert!(lent.model.is_elsewhere() && !lent.model.is_on_device());
            for (at, (ours, theirs)) in expected.iter().zip(written(&lent, &asked)).enumerate() {
                let tokens = |text: &Option<Generated>| text.as_ref().map(|text| (text.tokens.clone(), text.ended));
                assert_eq!(tokens(ours), tokens(&theirs), "seed {seed}, text {at}, {takes_back}, {fails_each}");
                texts += usize::from(theirs.is_some());
                drafted += theirs.map_or(0, |text| usize::from(text.statistics.passes < text.tokens.len()));
            }
        }
    }
}

fn draft() -> LoadedModel {
    LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::draft_gguf())).expect("a model")
}

#[test]
fn drafts_through_an_engine_match_the_model_itself() {
    let own = own().with_draft(draft()).expect("the same tokens");
    let lent_draft = |fails_each| lent_of(&ogc_kit::model::draft_gguf(), true, fails_each);
    let lent = [
        lent(true, 0).with_draft(draft()),
        lent(true, 5).with_draft(draft()),
        lent(true, 0).with_draft(lent_draft(0)),
        lent(true, 7).with_draft(lent_draft(6)),
    ];
    let lent = lent.map(|lent| lent.expect("the same tokens"));
    let first = ogc_kit::first_seed();
    let (mut drafted, mut accepted) = (0, 0);
    for seed in first..first + ogc_kit::rounds(3, 60) {
        let mut asked = asked(&mut Random::new(seed), 8);
        for (_, request) in &mut asked {
            request.speculation = Speculation::Draft { length: crate::drafts_of(4), lookup: 2 };
        }
        let expected = written(&own, &asked);
        for (lender, lent) in lent.iter().enumerate() {
            for (at, (ours, theirs)) in expected.iter().zip(written(lent, &asked)).enumerate() {
                let tokens = |text: &Option<Generated>| text.as_ref().map(|text| (text.tokens.clone(), text.ended));
                assert_eq!(tokens(ours), tokens(&theirs), "seed {seed}, text {at}, lender {lender}");
                let work = theirs.map(|text| text.statistics).unwrap_or_default();
                (drafted, accepted) = (drafted + work.drafted, accepted + work.accepted);
            }
        }
    }
    assert!(accepted > 100 && drafted > accepted, "{accepted} of {drafted}");
}

#[test]
fn an_engine_that_cannot_roll_back_cannot_draft_or_verify() {
    for refused in [lent(false, 0).with_draft(own()), own().with_draft(lent(false, 0))] {
        let error = refused.expect_err("tokens cannot be taken back").to_string();
        assert!(error.contains("cannot take tokens back"), "{error}");
    }
}

#[test]
fn an_engine_that_returns_too_few_logits_is_an_error() {
    /// Returns no logits.
    #[derive(Debug)]
    struct Mute;
    impl Engine for Mute {
        fn width(&self) -> usize {
            267
        }
        fn texts(&self) -> usize {
            1
        }
        fn positions(&self) -> usize {
            100
        }
        fn takes_back(&self) -> bool {
            true
        }
        fn read(&mut self, _parts: &[EnginePart]) -> Result<Vec<Vec<f32>>, GenerateError> {
            Ok(Vec::new())
        }
        fn truncate(&mut self, _place: usize, _len: usize) -> bool {
            true
        }
    }
    let file = std::io::Cursor::new(ogc_kit::model::gguf());
    let loaded = LoadedModel::in_engine(file, || Ok((Box::new(Mute), Arc::new(Silent)))).expect("a model");
    let error = loaded.model.forward(&mut loaded.model.cache(4), &[TokenId(1)], 1).expect_err("no logits");
    assert!(error.to_string().contains("other logits"), "{error}");
    // A cache of another model, and one of the model on the processor.
    for mut other in [own().model.cache(4), lent(true, 0).model.cache(4)] {
        assert!(matches!(loaded.model.forward(&mut other, &[TokenId(1)], 1), Err(GenerateError::Shape { .. })));
    }
}
