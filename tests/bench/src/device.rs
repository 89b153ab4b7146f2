//! Checks, for samples of any size, that the shipped kernels agree with the matcher; see `ogc_tests::device`.

use std::io::IsTerminal;
use std::path::Path;
use std::time::Instant;

use ogc_kit::Random;
use ogc_runtime::vocabulary::TokenId;
use ogc_tests::corpus::{self, Case};
use ogc_tests::device::{self, Proof, Size, Subject, Tally};
use ogc_tests::engine::{Policy, Reading, schema};

use crate::args::Device;
use crate::tokens::Tokens;

/// Formats of a batch.
const FORMATS: usize = 4;

/// One of this many schemas has its keys in any order.
const ANY_ORDER: usize = 4;

/// Compares random formats, and schemas of the pack over each vocabulary; prints a row of a table for each.
pub(crate) fn run(args: &Device) -> Result<(), String> {
    let module = device::kernels();
    let mut rows = Vec::new();
    if args.formats > 0 {
        let proof = Proof::new(&module, device::small_vocabulary(), args.threads);
        let random = |seed: u64| proof.subject(&format!("random {seed}"), device::random_format(seed)?, Vec::new());
        let subjects = (args.seed..).filter_map(random).take(args.formats);
        rows.push((
            format!("random formats, seeds from {}", args.seed),
            compare(args, &proof, args.formats, subjects)?,
        ));
    }
    if let Some(pack) = &args.pack {
        let cases = corpus::cases(pack).map_err(|error| format!("{}: {error}", pack.display()))?;
        for vocabulary in &args.vocab {
            rows.push(over_vocabulary(args, &module, &cases, vocabulary)?);
        }
    }
    report(&rows)
}

/// Compares schemas over a vocabulary.
fn over_vocabulary(
    args: &Device,
    module: &ogc_ptx::Module,
    cases: &[Case],
    vocabulary: &Path,
) -> Result<(String, Tally), String> {
    let tokens = Tokens::read(vocabulary)?;
    let proof = Proof::new(module, std::sync::Arc::clone(&tokens.vocabulary), args.threads);
    let mut random = Random::new(args.seed);
    // In random order, so that schemas that do not compile are replaced by others.
    let mut order = random.sample(cases.len(), cases.len());
    for at in (1..order.len()).rev() {
        order.swap(at, random.below(at + 1));
    }
    let subjects = order.into_iter().filter_map(|at| subject(&proof, &tokens, &cases[at], &mut random));
    let tally = compare(args, &proof, args.schemas.min(cases.len()), subjects.take(args.schemas))?;
    Ok((tokens.vocabulary.name().to_owned(), tally))
}

/// Makes a format of a schema; `None` if it does not compile.
fn subject(proof: &Proof<'_>, tokens: &Tokens, case: &Case, random: &mut Random) -> Option<Subject> {
    let policy = Policy { any_order: random.one_in(ANY_ORDER), ..Policy::default() };
    let automaton = schema(&case.schema, &Reading::asserting(), policy).ok()?;
    let texts = case.tests.iter().filter_map(|test| tokens.encode(&test.text).ok());
    let texts = texts.map(|ids| ids.into_iter().map(TokenId).collect());
    proof.subject(&case.id, automaton, texts.collect())
}

/// Compares the formats, some at a time.
fn compare(
    args: &Device,
    proof: &Proof<'_>,
    count: usize,
    subjects: impl Iterator<Item = Subject>,
) -> Result<Tally, String> {
    let size = Size { sequences: args.sequences, steps: args.steps };
    let (mut tally, begin) = (Tally::default(), Instant::now());
    let mut subjects = subjects.peekable();
    for seed in args.seed.. {
        if subjects.peek().is_none() {
            break;
        }
        let batch: Vec<Subject> = subjects.by_ref().take(FORMATS).collect();
        proof.run(&batch, size, seed, &mut tally)?;
        if std::io::stderr().is_terminal() {
            eprint!("\r{} of {count} formats, {:.0} s ", tally.formats.len(), begin.elapsed().as_secs_f64());
        }
    }
    Ok(tally)
}

/// Prints the tables; returns an error if anything differs.
fn report(rows: &[(String, Tally)]) -> Result<(), String> {
    println!("{}", Tally::head());
    rows.iter().for_each(|(name, tally)| println!("{}", tally.row(name)));
    rows.iter().for_each(|(name, tally)| println!("\n{name}:\n{tally}"));
    let differences: usize = rows.iter().map(|(_, tally)| tally.differences.len()).sum();
    if differences == 0 { Ok(()) } else { Err(format!("{differences} sequences differ from the matcher's")) }
}
