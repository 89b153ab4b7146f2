//! Tests of the kernel that chooses tokens, run by the interpreter, against the sampler of the host: the same tokens
//! for the same logits, with any grid.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

pub(crate) mod cases;
pub(crate) mod launch;

use cases::{Batch, Row};
use launch::Launched;
use ogc_cuda::{AllowedTokens, KeptTokens, LogitFormat, SampleOutcome};
use ogc_generate::weights::{Share, Softmax, least_weight};
use ogc_generate::{Sampler, Sampling};
use ogc_kit::{Random, first_seed, rounds, setting};
use ogc_runtime::vocabulary::TokenId;

/// Returns the kernels.
fn module() -> ogc_ptx::Module {
    ogc_ptx::parse(ogc_cuda::sample_ptx().to_str().unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the host's choice; there is room for `capacity` different tokens.
fn expected(row: &Row, vocabulary: usize, capacity: usize) -> SampleOutcome {
    let Some(mask) = &row.mask else {
        return if row.is_sampled { SampleOutcome::Host } else { SampleOutcome::Nothing };
    };
    if !row.is_sampled {
        return SampleOutcome::Nothing;
    }
    let mut sampler = Sampler::new(row.sampling.clone(), row.request);
    match sampler.choose(&row.logits[..vocabulary], mask, &row.written, row.position) {
        None => SampleOutcome::NoToken,
        Some(token) if different(row) == capacity && !row.written.contains(&token) => SampleOutcome::Full,
        Some(token) => SampleOutcome::Token(token.0),
    }
}

/// Returns the number of different tokens that were written.
fn different(row: &Row) -> usize {
    row.written.iter().collect::<std::collections::BTreeSet<_>>().len()
}

/// Returns the bits of the host's logarithm of a token's probability.
fn probability(row: &Row, token: u32) -> u32 {
    Softmax::of(&row.logits).logarithm(row.logits[token as usize]).to_bits()
}

/// Runs rows several times, and checks that the outcomes are the host's each time. Returns the number of chosen tokens.
fn compare(module: &ogc_ptx::Module, batch: &Batch, random: &mut Random, (times, name): (usize, &str)) -> usize {
    let mut launched = Launched::new(module, batch, random);
    let mut rows = batch.rows.clone();
    let capacities: Vec<usize> =
        rows.iter().map(|row| row.room.map_or(usize::MAX, |room| different(row) + room)).collect();
    let mut tokens = 0;
    for time in 0..times {
        let grid = (1 + random.below(5) as u32, 1 + random.below(rows.len() + 1) as u32);
        let (outcomes, _) = launched.run(grid, random.next()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let told = launched.probabilities();
        for (at, (row, (outcome, told))) in rows.iter_mut().zip(outcomes.into_iter().zip(told)).enumerate() {
            let expected = expected(row, batch.vocabulary, capacities[at]);
            let Row { sampling, allowed, .. } = row;
            assert_eq!(
                outcome, expected,
                "{name}, time {time}, row {at}, {:?}, {allowed:?}, {sampling:?}",
                batch.format
            );
            let SampleOutcome::Token(token) = outcome else { continue };
            let probability = row.tells_probability.then(|| probability(row, token));
            assert_eq!(told, probability, "{name}, time {time}, row {at}, token {token}");
            row.position += 1;
            if row.room.is_some() {
                row.written.push(TokenId(token));
            }
            tokens += 1;
        }
    }
    tokens
}

#[test]
fn tokens_of_random_rows_match_the_host() {
    let module = module();
    let (first, rounds) = (first_seed(), rounds(40, 150));
    let mut tokens = 0;
    for round in 0.. {
        if round >= rounds && tokens as u64 > 3 * rounds {
            break;
        }
        assert!(round < 10 + 2 * rounds, "{tokens}");
        let seed = first + round;
        let mut random = Random::new(seed);
        let vocabulary = [33 + random.below(300), 1000 + random.below(60), 33 + random.below(5000)][random.below(3)];
        let batch = Batch::random(&mut random, vocabulary, 4);
        tokens += compare(&module, &batch, &mut random, (2, &format!("seed {seed}")));
    }
}

#[test]
fn tokens_of_candidate_lists_of_all_lengths_match_the_host() {
    let module = module();
    // If at most 256 tokens are listed, each thread of a block has one.
    let counts = [1, 2, 3, 31, 32, 33, 64, 200, 255, 256, 257, 300];
    let (first, rounds) = (first_seed(), rounds(10, 30));
    let mut tokens = 0;
    for round in 0.. {
        if round >= rounds && tokens as u64 > 13 * rounds {
            break;
        }
        assert!(round < 10 + 2 * rounds, "{tokens}");
        let seed = first + round;
        let mut random = Random::new(seed);
        let vocabulary = [400, 3_000][random.below(2)];
        let batch = Batch::listed(&mut random, vocabulary, &counts);
        tokens += compare(&module, &batch, &mut random, (2, &format!("seed {seed}")));
    }
}

#[test]
fn tokens_of_large_vocabularies_match_the_host() {
    let module = module();
    for (seed, vocabulary) in (0..).zip([50_257, 128_256]) {
        let mut random = Random::new(seed);
        let batch = Batch::random(&mut random, vocabulary, 8);
        let tokens = compare(&module, &batch, &mut random, (2, &format!("{vocabulary} tokens")));
        assert!(tokens >= 8, "{tokens}");
    }
}

/// A row has more chunks than a block has warps, so each warp handles several.
#[test]
fn likeliest_tokens_of_many_chunks_match_the_host() {
    let module = module();
    let mut random = Random::new(7);
    for (top_k, top_p) in [(0, 0.9), (40, 1.0), (1500, 0.95)] {
        let mut batch = Batch::plain(LogitFormat::F16, 18_000, 1, 200, 1.5);
        batch.rows[0].sampling = Sampling { top_k, top_p, ..batch.rows[0].sampling.clone() };
        assert_eq!(compare(&module, &batch, &mut random, (2, "many chunks")), 2);
    }
}

#[test]
fn written_tokens_are_counted_over_many_steps() {
    let module = module();
    let mut random = Random::new(5);
    let mut batch = Batch::plain(LogitFormat::F16, 700, 3, 250, 1.5);
    for (row, room) in batch.rows.iter_mut().zip([400, 400, 3]) {
        row.written = (0..200).map(|_| TokenId(random.below(700) as u32)).collect();
        row.room = Some(room);
        row.sampling.presence_penalty = 30.0;
        row.sampling.frequency_penalty = 2.0;
        row.sampling.seed = random.next();
    }
    batch.rows[1].sampling.top_k = 20;
    batch.rows[1].tells_probability = true;
    let steps = rounds(100, 300).max(20) as usize;
    let tokens = compare(&module, &batch, &mut random, (steps, "many steps"));
    // The third row has room for few.
    assert!((2 * steps + 3..=2 * steps + 10).contains(&tokens), "{tokens}");
}

/// Returns the fewest sectors: those with a logit of an allowed token (of any token if the probability is wanted), and
/// those of the rows of bits.
fn floor(batch: &Batch, stride: usize) -> u64 {
    let size = batch.format.bytes() as usize;
    let mut sectors = std::collections::BTreeSet::new();
    for (at, row) in batch.rows.iter().enumerate() {
        let mask = row.mask.as_ref().unwrap();
        let is_read = |token: &usize| row.tells_probability || mask[token / 32] >> (token % 32) & 1 == 1;
        let allowed = (0..batch.vocabulary).filter(is_read);
        sectors.extend(allowed.map(|token| (at * stride + token) * size / 32));
    }
    let words =
        batch.rows.iter().filter(|row| matches!(row.allowed, AllowedTokens::Bits(_))).count() * batch.mask_stride;
    (sectors.len() + words.div_ceil(8)) as u64
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are what is reported of the kernel")]
fn few_more_sectors_are_moved_than_necessary() {
    let module = module();
    for format in LogitFormat::ALL {
        for (name, temperature) in [("highest", 0.0), ("drawn", 1.0)] {
            for share in [1, 128, 256] {
                for row_count in [1, 4] {
                    let batch = Batch::plain(format, 128_256, row_count, share, temperature);
                    let mut launched = Launched::aligned(&module, &batch);
                    let (outcomes, counts) =
                        launched.run((16, row_count as u32), 1).unwrap_or_else(|fault| panic!("{fault}"));
                    assert!(outcomes.iter().all(|outcome| matches!(outcome, SampleOutcome::Token(_))));
                    let (moved, floor) = (counts.sectors(), floor(&batch, batch.width));
                    let ratio = moved as f64 / floor as f64;
                    println!(
                        "{format:?} {name} B={row_count} allowed {share}/256: {moved} sectors, floor {floor}, {ratio:.3}; {:.2} instructions a logit",
                        counts.instructions() as f64 * 32.0 / (batch.vocabulary * row_count) as f64,
                    );
                    // Few tokens lie in one sector each; there are also the inputs and the results of rows and chunks.
                    assert!(ratio <= if share == 1 { 2.0 } else { 1.2 }, "{ratio}");
                }
            }
        }
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are what is reported of the kernel")]
fn few_more_sectors_are_moved_than_necessary_for_top_k_top_p_and_probabilities() {
    let module = module();
    let whole = Sampling { temperature: 1.0, ..Sampling::default() };
    let choices = [
        ("top_k=40", false, Sampling { top_k: 40, ..whole.clone() }),
        ("top_p=0.9", false, Sampling { top_p: 0.9, ..whole.clone() }),
        ("top_k=40, top_p=0.9", false, Sampling { top_k: 40, top_p: 0.9, ..whole.clone() }),
        ("min_p=0.05", false, Sampling { min_p: 0.05, ..whole.clone() }),
        ("highest with its probability", true, Sampling { temperature: 0.0, ..whole.clone() }),
        ("drawn with its probability", true, whole),
    ];
    for format in LogitFormat::ALL {
        for (name, tells_probability, sampling) in &choices {
            for share in [1, 128, 256] {
                let mut batch = Batch::plain(format, 128_256, 1, share, 1.0);
                batch.rows[0].peak(format, 1000, 8.0);
                batch.rows[0].sampling = sampling.clone();
                batch.rows[0].tells_probability = *tells_probability;
                let mut launched = Launched::aligned(&module, &batch);
                let (outcomes, counts) = launched.run((16, 1), 1).unwrap_or_else(|fault| panic!("{fault}"));
                assert_eq!(outcomes, [expected(&batch.rows[0], batch.vocabulary, usize::MAX)], "{format:?} {name}");
                let (moved, floor) = (counts.sectors(), floor(&batch, batch.width));
                let ratio = moved as f64 / floor as f64;
                println!(
                    "{format:?} {name} allowed {share}/256: {moved} sectors, floor {floor}, {ratio:.3}; {:.2} instructions a logit",
                    counts.instructions() as f64 * 32.0 / batch.vocabulary as f64,
                );
                // With few tokens, nearly all are read again.
                assert!(ratio <= if share == 1 && !tells_probability { 4.5 } else { 1.2 }, "{ratio}");
            }
        }
    }
}

#[test]
fn missing_fences_and_barriers_are_found() {
    let ptx = ogc_cuda::sample_ptx().to_str().unwrap();
    let end = ptx.find(".entry ogc_sample_f16(").unwrap();
    let (mut tried, mut survivors, mut at) = (0, Vec::new(), 0);
    for (number, line) in (1..).zip(ptx[..end].split_inclusive('\n')) {
        at += line.len();
        if !["bar.sync", "membar.gl"].iter().any(|word| line.contains(word)) {
            continue;
        }
        let module = ogc_ptx::parse(&format!("{}{}", &ptx[..at - line.len()], &ptx[at..])).unwrap();
        let is_found = |seed: u64| {
            let mut random = Random::new(seed);
            let batch = match seed {
                0..40 => Batch::random(&mut random, 2_500, 4),
                // Only with many chunks do several threads record the visited chunks.
                40..60 => Batch::random(&mut random, 40_000, 4),
                // Short lists, whose tokens are spread over several warps.
                _ => Batch::listed(&mut random, 3_000, &[130, 200, 256, 256]),
            };
            if batch.format != LogitFormat::F32 {
                return false;
            }
            let mut launched = Launched::new(&module, &batch, &mut random);
            launched.run((3, 1), seed).is_err()
        };
        tried += 1;
        if !(0..setting("OGC_TRIES", 160)).any(is_found) {
            survivors.push(format!("line {number}: {}", line.trim()));
        }
    }
    assert!(tried >= 8 && survivors.is_empty(), "{} of {tried}: {survivors:#?}", survivors.len());
}

#[test]
fn no_multiply_add_of_the_kernels_may_be_fused() {
    let module = module();
    assert!(module.fusible_lines().is_empty() && module.approximate_lines().is_empty());
}

/// Checks that the device and the host keep the same drafted tokens, with the same numbers.
#[test]
fn draft_tokens_are_kept_like_on_the_host() {
    let mut random = Random::new(setting("OGC_SEED", 1));
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        2.0,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MIN_POSITIVE,
        1.0 - f32::EPSILON / 2.0,
    ];
    let others: Vec<f32> = (0..1000).map(|_| f32::from_bits(random.next() as u32)).collect();
    let evenly = (0..1000).map(|_| random.below(1 << 24) as f32 / (1 << 24) as f32);
    for number in edges.into_iter().chain(others).chain(evenly.collect::<Vec<_>>()) {
        let kept = KeptTokens::of(0, number, number);
        let expected = (Share::of(number).map(Share::units), least_weight(number));
        assert_eq!((kept.share, kept.least_weight), expected, "{number}");
    }
}
