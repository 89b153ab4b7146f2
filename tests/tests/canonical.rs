//! Tests that canonical tokens are the tokens that real tokenizers write: along valid instances of real schemas, and
//! for every continuation of some runs.
//!
//! A run before free text is written as if it were alone (`ogc_runtime::canonical`). With other seeds, 4 of 1,767 texts
//! were rejected, because the tokenizer joins the first character of a value with its quote.
//!
//! `OGC_SAMPLE` is the number of schemas, and `OGC_PLACES` the number of places in each vocabulary at which all
//! continuations are encoded; `OGC_SEED` chooses others.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a tokenizer is a file; see clippy.toml")]
#![allow(clippy::print_stdout, reason = "counts for who runs it on more")]

use std::collections::BTreeSet;
use std::sync::Arc;

use ogc_generate::PromptTokenizer;
use ogc_kit::{Random, rounds, setting};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::canonical::CanonicalTokens;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_tests::corpus::{self, Case};
use ogc_tests::engine::schema;
use ogc_tests::forced::{policy, reading};

const VOCABULARIES: [&str; 8] =
    ["llama-3.1", "qwen3", "gpt2", "llama-2", "mistral-tekken", "deepseek-v3", "gpt-oss-o200k-harmony", "gemma-4"];

/// A vocabulary, and its tokenizer as a judge.
struct Judge {
    name: &'static str,
    tokenizer: PromptTokenizer,
    store: Arc<MaskStore>,
    canonical: Arc<CanonicalTokens>,
}

/// The counts of a test.
#[derive(Debug, Default)]
struct Counts {
    tokens: usize,
    /// Tokens that are the only ones that a matcher allows.
    only: usize,
    /// Tokens that are the only ones that it allows without canonical tokens.
    only_of_any: usize,
    places: usize,
}

impl Judge {
    fn of(name: &'static str) -> Option<Self> {
        let path = corpus::find(&format!("tokenizers/{name}/tokenizer.json"))?;
        let json = std::fs::read(path).unwrap();
        let tokenizer = PromptTokenizer::from_json(&json).unwrap();
        let store = MaskStore::new(Arc::new(Vocabulary::from_tokenizer_json(&json).unwrap()));
        let asked = tokenizer.clone();
        let canonical = CanonicalTokens::new(Arc::clone(&store), move |text| asked.text_tokens(text));
        Some(Self { name, tokenizer, store, canonical: Arc::new(canonical) })
    }

    fn matcher(&self, format: &Arc<Automaton>) -> Matcher {
        let mut matcher = Matcher::new(Arc::clone(format), Arc::clone(&self.store));
        matcher.set_canonical_tokens(Some(Arc::clone(&self.canonical))).unwrap();
        matcher
    }

    fn text(&self, tokens: &[u32]) -> Vec<u8> {
        let text = |token: &u32| self.store.vocabulary().text(TokenId(*token)).unwrap_or_default();
        tokens.iter().flat_map(text).copied().collect()
    }

    /// Replays a text in the tokenizer's tokens: each must be allowed. Returns the places at which the next bytes are
    /// determined.
    fn replay(&self, format: &Arc<Automaton>, text: &str, counts: &mut Counts) -> Vec<(Vec<TokenId>, Matcher)> {
        let tokens = self.tokenizer.text_tokens(text.as_bytes());
        let mut matcher = self.matcher(format);
        let mut plain = Matcher::new(Arc::clone(format), Arc::clone(&self.store));
        let mut places = Vec::new();
        for (at, &token) in tokens.iter().enumerate() {
            let mask = matcher.mask().unwrap();
            let of_any = plain.mask().unwrap();
            // A special token is not a text of this format.
            if !of_any.contains(token) {
                return places;
            }
            let run = String::from_utf8_lossy(&matcher.forced_bytes()).into_owned();
            let name = self.name;
            assert!(mask.contains(token), "{name}: {token:?}, not {:?} of {run:?} in {text}", mask.tokens());
            counts.tokens += 1;
            counts.only += usize::from(mask.count() == 1);
            counts.only_of_any += usize::from(of_any.count() == 1);
            if !matcher.forced_bytes().is_empty() {
                places.push((tokens[..at].to_vec(), matcher.fork()));
            }
            matcher.accept_token(token).unwrap();
            plain.accept_token(token).unwrap();
        }
        places
    }

    /// Encodes the text so far, the run and every text of a token that can go on, and compares the tokens behind the
    /// text so far.
    fn judge(&self, so_far: &[TokenId], matcher: &mut Matcher) {
        let mut plain = matcher.fork();
        plain.set_canonical_tokens(None).unwrap();
        let allowed: BTreeSet<TokenId> = matcher.mask().unwrap().tokens().into_iter().collect();
        let bytes: Vec<u32> = so_far.iter().map(|token| token.0).collect();
        let begun = [self.text(&bytes), matcher.forced_bytes()].concat();
        let mut written: BTreeSet<TokenId> = BTreeSet::new();
        let mut write = |further: &[u8]| {
            let tokens = self.tokenizer.text_tokens(&[&begun[..], further].concat());
            if tokens.starts_with(so_far) {
                written.extend(tokens.get(so_far.len()));
            }
        };
        plain.accept_bytes(&matcher.forced_bytes()).unwrap();
        if plain.is_complete() {
            write(b"");
        }
        let next: Vec<bool> = (0..=255u8).map(|byte| plain.fork().accept_bytes(&[byte]).is_ok()).collect();
        let run = matcher.forced_bytes();
        for further in self.furthers(&run).iter().filter(|further| next[usize::from(further[0])]) {
            write(further);
        }
        let is_whole = |token: &&TokenId| std::str::from_utf8(&self.text(&[token.0])).is_ok();
        let wrong: Vec<&TokenId> = allowed.iter().filter(is_whole).filter(|token| !written.contains(token)).collect();
        let shown = String::from_utf8_lossy(&begun);
        assert!(wrong.is_empty(), "{}: {wrong:?} behind {so_far:?} of {shown}: {written:?}", self.name);
    }

    /// Returns the rests of all tokens that begin with a suffix of the run.
    fn furthers(&self, run: &[u8]) -> BTreeSet<Vec<u8>> {
        let texts = self.store.vocabulary().texts().map(|(_, text)| text);
        let ends = |text: &[u8]| (0..=run.len()).filter(|&from| text.starts_with(&run[from..])).collect::<Vec<_>>();
        let furthers = texts.flat_map(|text| ends(text).into_iter().map(|from| text[run.len() - from..].to_vec()));
        furthers.filter(|further| std::str::from_utf8(further).is_ok_and(|text| !text.is_empty())).collect()
    }
}

fn formats(cases: &[Case], random: &mut Random) -> Vec<(Arc<Automaton>, Vec<String>)> {
    let chosen = random.sample(cases.len(), setting("OGC_SAMPLE", 12) as usize);
    let cases = chosen.iter().map(|&at| &cases[at]);
    let format = |case: &Case| {
        let valid = case.tests.iter().filter(|instance| instance.valid).map(|instance| instance.text.clone());
        Some((schema(&case.schema, &reading(), policy()).ok()?, valid.collect()))
    };
    cases.filter_map(format).collect()
}

#[test]
fn canonical_masks_agree_with_real_tokenizers() {
    let Some(pack) = corpus::find("maskbench-dev.jsonl.zst") else { return };
    let cases = corpus::cases(&pack).unwrap();
    let mut random = Random::new(setting("OGC_SEED", 5));
    let formats = formats(&cases, &mut random);
    // To judge a place takes a tokenization for every token, so that each landing judges one vocabulary.
    let judged = setting("OGC_LANDING", 0) as usize % VOCABULARIES.len();
    for (at, name) in VOCABULARIES.into_iter().enumerate() {
        let Some(judge) = Judge::of(name) else { return };
        let (mut counts, mut places) = (Counts::default(), Vec::new());
        for (format, texts) in &formats {
            texts.iter().for_each(|text| places.extend(judge.replay(format, text, &mut counts)));
        }
        let most = setting("OGC_PLACES", rounds(u64::from(at == judged), 1)) as usize;
        for at in random.sample(places.len(), most.min(places.len())) {
            let (so_far, matcher) = &mut places[at];
            judge.judge(so_far, matcher);
            counts.places += 1;
        }
        println!("{name}: {counts:?}");
        assert!(counts.tokens > 200 && counts.only > counts.only_of_any, "{name}: {counts:?}");
    }
}
