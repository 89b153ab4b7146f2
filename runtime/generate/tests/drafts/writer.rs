//! Texts that are written with drafts: on the host as in `ogc_generate`, and on the interpreter's device.

use std::sync::Arc;

use crate::drafted::{Drafted, Stage, Table, Text, Whose};
use ogc_kit::Random;

use crate::formats;
use crate::located::Bench;
use ogc_cuda::{
    Adjustments, AllowedTokens, DraftEnd, LogitFormat, MaskState, RowSampling, SampleLaunch, SampleOutcome, TokenChoice,
};
use ogc_generate::weights::Scale;
use ogc_generate::{Sampler, Sampling};
use ogc_ptx::{Argument, Launch, Module};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::PackLimits;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

/// The number of sequences in a batch.
const BATCH: usize = 5;

/// Counts over all rounds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) rounds: usize,
    pub(crate) tokens: usize,
    /// Drafts whose tokens were all chosen.
    pub(crate) whole: usize,
    /// Texts that ended.
    pub(crate) over: usize,
    /// Rows of a draft, other than the first, whose logits were penalised.
    pub(crate) penalised: usize,
}

/// The result for a text, as in `choose_all` of `ogc_generate`.
#[derive(Debug)]
struct Chosen {
    tokens: Vec<TokenId>,
    end: DraftEnd,
}

/// Sequences, their samplers, and the launches.
pub(crate) struct Writer<'m> {
    bench: Bench,
    stage: Stage<'m>,
    texts: Vec<Text>,
    samplings: Vec<Sampling>,
    numbers: Vec<u32>,
    random: Random,
    name: String,
}

impl<'m> Writer<'m> {
    pub(crate) fn new(module: &'m Module, formats: &[Arc<Automaton>], most: u32, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut bench = Bench::new(String::new(), formats::vocabulary());
        let table = Table::new(&mut bench, formats, &PackLimits { threads: 1, ..PackLimits::default() });
        let sequences: Vec<i32> = (0..BATCH as i32).map(|at| (at * 3 + 1) % 7).collect();
        let mut stage = Stage::new(module, &bench, &table, &sequences, most, seed);
        let numbers: Vec<u32> = (0..BATCH).map(|_| random.below(table.formats.len()) as u32).collect();
        let mut texts = Vec::new();
        for (number, slot) in numbers.iter().zip(&sequences) {
            let format = Arc::clone(&table.formats[*number as usize].0);
            let mut text = Text::new(Matcher::new(format, Arc::clone(&bench.store)));
            stage.put_slot(*slot as usize, &text.begin(&mut random, *number, &[], 0).unwrap());
            texts.push(text);
        }
        let vocabulary = bench.store.vocabulary().len();
        let samplings = (0..BATCH).map(|_| sampling(&mut random, vocabulary)).collect();
        Self { bench, stage, texts, samplings, numbers, random, name: format!("seed {seed}, {most} places") }
    }

    /// Returns the logits of all rows.
    fn logits(&mut self) -> Vec<Vec<f32>> {
        let (rows, width) = (BATCH * (1 + self.stage.launch.most as usize), self.bench.store.vocabulary().len());
        let mut logit = || self.random.below(4000) as f32 / 100.0 - 20.0;
        (0..rows).map(|_| (0..width).map(|_| logit()).collect()).collect()
    }

    /// Chooses tokens by rows of logits on the host, as long as they equal the draft; without a draft, one for each
    /// row. The matcher returns to its place.
    fn choose(&mut self, at: usize, rows: &[Vec<f32>], draft: Option<&[TokenId]>) -> Chosen {
        let text = &mut self.texts[at];
        let mut sampler = Sampler::new(self.samplings[at].clone(), at as u64);
        let mut written = text.written.clone();
        let (mut tokens, mut end) = (Vec::new(), DraftEnd::GoesOn);
        for (row, logits) in rows.iter().enumerate() {
            let mask = text.matcher.mask().unwrap();
            let stops = text.matcher.stop_tokens();
            if mask.allows_end() && mask.tokens().len() == stops.len() {
                end = DraftEnd::Complete;
                break;
            }
            let bits = text.bits(self.bench.words);
            let Some(token) = sampler.choose(logits, &bits, &written, written.len() as u64) else {
                end = DraftEnd::NoToken;
                break;
            };
            text.matcher.accept_token(token).unwrap();
            tokens.push(token);
            written.push(token);
            if text.matcher.is_terminated() {
                end = DraftEnd::Ended;
                break;
            }
            if draft.is_some_and(|draft| draft.get(row) != Some(&token)) {
                break;
            }
        }
        text.matcher.rollback(tokens.len()).unwrap();
        Chosen { tokens, end }
    }

    /// Returns a draft of tokens that the host would choose, some of them replaced by others.
    fn draft(&mut self, at: usize, rows: &[Vec<f32>]) -> Vec<TokenId> {
        let len = self.random.below(rows.len());
        let mut draft = self.choose(at, &rows[..len], None).tokens;
        if self.random.below(3) == 0 && !draft.is_empty() {
            let (wrong, width) = (self.random.below(draft.len()), rows[0].len());
            draft[wrong] = TokenId(self.random.below(width) as u32);
        }
        draft
    }

    /// Writes the sampling of rows: the tokens of a draft count as written before the rows behind them.
    fn write_rows(&mut self, drafts: &[Vec<TokenId>], tally: &mut Tally) {
        let most = self.stage.launch.most as usize;
        let mut rows = Vec::new();
        for (at, draft) in drafts.iter().enumerate() {
            let sampling = &self.samplings[at];
            let choice = match sampling.temperature {
                0.0 => TokenChoice::Highest,
                temperature => TokenChoice::Drawn { scale: Scale::of(temperature).factor() },
            };
            let biases: Vec<u32> = sampling.bias.iter().flat_map(|(token, bias)| [token.0, bias.to_bits()]).collect();
            let biases = list(&mut self.stage, "biases", &biases);
            for row in 0..=most {
                let mut written: Vec<TokenId> = self.texts[at].written.clone();
                written.extend(&draft[..row.min(draft.len())]);
                written.sort_unstable();
                let counts: Vec<u32> =
                    written.chunk_by(TokenId::eq).flat_map(|same| [same[0].0, same.len() as u32]).collect();
                let is_penalised = sampling.repetition_penalty != 1.0 && row > 0 && row <= draft.len();
                tally.penalised += usize::from(is_penalised);
                rows.push(RowSampling {
                    seed: sampling.seed,
                    request: at as u64,
                    // For rows other than the first, the kernel that finds masks writes it.
                    position: if row == 0 { self.texts[at].written.len() as u64 } else { u64::MAX },
                    choice,
                    adjustments: Adjustments {
                        repetition_penalty: sampling.repetition_penalty,
                        presence_penalty: sampling.presence_penalty,
                        frequency_penalty: sampling.frequency_penalty,
                        written: list(&mut self.stage, "counts", &counts),
                        written_capacity: 0,
                        biases,
                    },
                    allowed: AllowedTokens::Located((at * (1 + most) + row) as u32),
                    tells_probability: false,
                });
            }
        }
        self.stage.put_samplings(&rows);
    }

    /// Launches the kernel that samples.
    fn sample(&mut self, logits: &[Vec<f32>]) {
        let width = self.bench.store.vocabulary().len() as u32;
        let draft = self.stage.launch;
        let mut launch = SampleLaunch {
            stride: width.into(),
            rows: draft.samplings,
            outcomes: draft.sampled,
            located: draft.masks,
            pool: draft.pool,
            stops: draft.stops,
            row_count: draft.rows().unwrap(),
            vocabulary: width,
            width,
            ..SampleLaunch::default()
        };
        let device = &mut self.stage.device;
        let mut put = |name: &str, bytes: &[u8]| {
            let buffer = device.buffer(name, bytes);
            device.address(buffer).unwrap()
        };
        launch.scratch = put("scratch", &vec![0; launch.scratch_bytes().unwrap() as usize]);
        launch.logits =
            put("logits", &logits.concat().iter().flat_map(|logit| logit.to_le_bytes()).collect::<Vec<u8>>());
        let kernel = SampleLaunch::kernel(LogitFormat::F32).to_str().unwrap();
        let run = Launch { seed: self.stage.seed, ..Launch::new(kernel, launch.blocks(), SampleLaunch::THREADS) };
        let report = device.launch(&run, &[Argument::Bytes(launch.parameters())]);
        report.unwrap_or_else(|fault| panic!("{}: {fault}", self.name));
    }

    /// Drafts, samples and verifies, and compares the chosen tokens with the host's choices.
    pub(crate) fn round(&mut self, tally: &mut Tally) {
        let logits = self.logits();
        let each = 1 + self.stage.launch.most as usize;
        let rows: Vec<&[Vec<f32>]> = logits.chunks_exact(each).collect();
        let drafts: Vec<Vec<TokenId>> = (0..BATCH).map(|at| self.draft(at, rows[at])).collect();
        let chosen: Vec<Chosen> =
            (0..BATCH).map(|at| self.choose(at, &rows[at][..1 + drafts[at].len()], Some(&drafts[at]))).collect();
        self.write_rows(&drafts, tally);
        let drafted = self.stage.draft(&drafts.iter().map(Vec::as_slice).collect::<Vec<_>>());
        self.sample(&logits);
        let sampled = self.stage.sampled();
        let verified = self.stage.verify();
        let positions = self.stage.positions();
        for (at, own) in sampled.chunks_exact(each).enumerate() {
            let name = format!("{}, sequence {at}, draft {:?}, {:?}", self.name, drafts[at], self.samplings[at]);
            assert_sampled(&drafted[at], own, &name);
            if self.texts[at].whose == Whose::Devices {
                let Chosen { tokens, end } = &chosen[at];
                assert_eq!((verified[at].end, verified[at].tokens as usize), (*end, tokens.len()), "{name}");
                let own: Vec<SampleOutcome> = own[..tokens.len()].to_vec();
                let tokens: Vec<SampleOutcome> = tokens.iter().map(|token| SampleOutcome::Token(token.0)).collect();
                assert_eq!(own, tokens, "{name}");
                assert_eq!(positions[at * each], (self.texts[at].written.len() + tokens.len()) as u64, "{name}");
                tally.rounds += 1;
                tally.tokens += tokens.len();
                tally.whole += usize::from(drafts[at].len() > 1 && tokens.len() > drafts[at].len());
            }
            self.texts[at].assert_drafted(&self.bench, &drafts[at], &drafted[at], &name);
            self.texts[at].assert_verified(&drafts[at], drafted[at].moved, own, verified[at], &name);
            if self.texts[at].whose != Whose::Devices || verified[at].end != DraftEnd::GoesOn {
                tally.over += 1;
                let slot = self.texts[at].begin(&mut self.random, self.numbers[at], &[], 0).unwrap();
                self.stage.put_slot((at * 3 + 1) % 7, &slot);
            }
        }
    }
}

/// Checks that all rows with a mask are sampled, and no others.
fn assert_sampled(drafted: &Drafted, sampled: &[SampleOutcome], name: &str) {
    for (mask, outcome) in drafted.masks.iter().zip(sampled) {
        let is_so = match mask {
            MaskState::Located { .. } => matches!(outcome, SampleOutcome::Token(_) | SampleOutcome::NoToken),
            MaskState::Missing => *outcome == SampleOutcome::Nothing,
            MaskState::Host => *outcome == SampleOutcome::Host,
        };
        assert!(is_so, "{name}: {mask:?} {outcome:?}");
    }
}

/// Puts a list into memory; returns its address, and the number of its entries of two words.
fn list(stage: &mut Stage<'_>, name: &str, words: &[u32]) -> (u64, u32) {
    let buffer = stage.device.buffer(name, words);
    (stage.device.address(buffer).unwrap(), words.len() as u32 / 2)
}

/// Returns random sampling parameters.
fn sampling(random: &mut Random, vocabulary: usize) -> Sampling {
    let mut sampling = Sampling { seed: random.below(1 << 30) as u64, ..Sampling::default() };
    sampling.temperature = [0.0, 0.5, 5.0][random.below(3)];
    if random.below(2) == 0 {
        sampling.repetition_penalty = 1.0 + random.below(100) as f32 / 50.0 + 0.01;
        sampling.presence_penalty = random.below(100) as f32 / 50.0 - 1.0;
        sampling.frequency_penalty = random.below(100) as f32 / 50.0 - 1.0;
    }
    if random.below(2) == 0 {
        let mut tokens: Vec<u32> = (0..8).map(|_| random.below(vocabulary) as u32).collect();
        tokens.sort_unstable();
        tokens.dedup();
        sampling.bias = tokens.iter().map(|token| (TokenId(*token), random.below(40) as f32 - 20.0)).collect();
    }
    sampling
}
