//! Measures the number of tokens of a corpus that the formats force, so that they take no pass of a model of their own.
//!
//! The valid instances of each schema are written with `", "` and `": "`, each character in one spelling, and encoded
//! in their canonical tokens; `ogc_tests::forced` replays them.

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_kit::Random;
use ogc_runtime::canonical::CanonicalTokens;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;
use ogc_tests::corpus::{self, Case};
use ogc_tests::engine::schema;
use ogc_tests::forced::{self, Counts};

use crate::args::Forced;
use crate::tokens::Tokens;

/// The counts of one corpus.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    schemas: usize,
    texts: usize,
    /// Texts that the format does not allow in this spelling.
    left_out: usize,
    counts: Counts,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.schemas += other.schemas;
        self.texts += other.texts;
        self.left_out += other.left_out;
        self.counts.add(other.counts);
    }
}

/// Measures a sample of the pack and prints a row for each corpus in it.
pub(crate) fn run(args: &Forced) -> Result<(), String> {
    let tokens = Arc::new(Tokens::read(&args.vocab)?);
    let cases = corpus::cases(&args.pack).map_err(|error| format!("{}: {error}", args.pack.display()))?;
    let chosen = Random::new(args.seed).sample(cases.len(), args.limit.min(cases.len()));
    let store = MaskStore::new(Arc::clone(&tokens.vocabulary));
    let asked = Arc::clone(&tokens);
    let canonical = Arc::new(CanonicalTokens::new(Arc::clone(&store), move |text| encode(&asked, text)));
    let mut corpora: BTreeMap<String, Tally> = BTreeMap::new();
    for case in chosen.into_iter().map(|at| &cases[at]) {
        corpora.entry(corpus_of(&case.id).to_owned()).or_default().add(measure(case, &tokens, &canonical));
    }
    print(&corpora);
    Ok(())
}

/// Returns the corpus of a schema: `Github_easy` of `Github_easy---o123`, `BFCL_java` of `BFCL_java_10---0`.
fn corpus_of(id: &str) -> &str {
    let name = id.split("---").next().unwrap_or_default();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    stem.strip_suffix('_').unwrap_or(name)
}

/// Measures the valid instances of a schema; nothing if it does not compile.
fn measure(case: &Case, tokens: &Tokens, canonical: &Arc<CanonicalTokens>) -> Tally {
    let Ok(automaton) = schema(&case.schema, &forced::reading(), forced::policy()) else { return Tally::default() };
    let mut tally = Tally { schemas: 1, ..Tally::default() };
    for instance in case.tests.iter().filter(|instance| instance.valid) {
        let matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(canonical.store()));
        let mut writing = matcher.fork();
        if writing.set_canonical_tokens(Some(Arc::clone(canonical))).is_err() {
            continue;
        }
        let ids = encode(tokens, instance.text.as_bytes());
        match forced::replay(matcher, &ids, |text| encode(tokens, text)) {
            Some(counts) => {
                // If a token of the text is rejected, the format and the tokenizer differ; that counts as one
                // difference.
                let only = forced::only(writing, &ids);
                let different = counts.different + usize::from(only.is_none());
                let counts = Counts { only: only.unwrap_or_default(), different, ..counts };
                tally.add(Tally { texts: 1, counts, ..Tally::default() });
            }
            None => tally.left_out += 1,
        }
    }
    tally
}

fn encode(tokens: &Tokens, text: &[u8]) -> Vec<TokenId> {
    let ids = std::str::from_utf8(text).ok().and_then(|text| tokens.encode(text).ok()).unwrap_or_default();
    ids.into_iter().map(TokenId).collect()
}

fn print(corpora: &BTreeMap<String, Tally>) {
    println!(
        "| corpus | schemas | texts (left out) | tokens | forced | passes saved | alone canonical | passes saved | ceiling | passes saved | different |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let mut all = Tally::default();
    corpora.values().for_each(|tally| all.add(*tally));
    for (name, tally) in corpora.iter().map(|(name, tally)| (name.as_str(), tally)).chain([("all", &all)]) {
        let Counts { tokens, forced, ceiling, only, different } = tally.counts;
        let times = |saved: usize| tokens as f64 / (tokens - saved).max(1) as f64;
        let percent = |part: usize| 100.0 * part as f64 / tokens.max(1) as f64;
        println!(
            "| {name} | {} | {} ({}) | {tokens} | {:.0}% | {:.2}x | {:.0}% | {:.2}x | {:.0}% | {:.2}x | {different} |",
            tally.schemas,
            tally.texts,
            tally.left_out,
            percent(forced),
            times(forced),
            percent(only),
            times(only),
            percent(ceiling),
            times(ceiling),
        );
    }
}
