//! Compares the kernels that mask and verify drafts and append runs, as shipped and run by the interpreter, with the matcher: sequences of
//! several formats side by side, several rounds one after another, with tokens taken back in between. The sampled tokens are chosen here;
//! `runtime/generate/tests/drafts` samples them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::drafted;
use crate::formats;
use crate::interpreter;
use crate::kinds;
use crate::located;
use crate::rows;
use crate::sets;

use std::sync::Arc;

use drafted::{Drafted, Stage, Table, Text, Whose};
use located::Bench;
use ogc_cuda::{
    ADVANCE_PTX, DraftEnd, DraftLaunch, Handover, MaskState, Outcome, RunLaunch, SampleOutcome, SlotImage, SlotStatus,
    VerifiedDraft,
};
use ogc_kit::Random;
use ogc_ptx::Module;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::PackLimits;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;
use sets::{Sets, TOKENS};

/// Number of sequences in a batch; one of them has no slot, and one a free slot.
const BATCH: usize = 8;

/// Returns the module of the kernels.
fn module() -> Module {
    let [draft, verify] = DraftLaunch::ptx().map(|(_, ptx)| ptx);
    interpreter::module(&[ADVANCE_PTX, draft, verify, RunLaunch::ptx()].map(|ptx| ptx.to_str().unwrap()))
}

/// Counts of events over all rounds.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    rounds: usize,
    tokens: usize,
    drafted: usize,
    ended: usize,
    complete: usize,
    refused: usize,
    /// Texts that the host had to continue, for a token or for a mask.
    handed_over: usize,
    masks: usize,
    taken_back: usize,
}

/// Sequences beside their matchers.
struct Batch<'m> {
    bench: Bench,
    stage: Stage<'m>,
    texts: Vec<Text>,
    numbers: Vec<u32>,
    sequences: Vec<i32>,
    /// The tokens at the beginning of all texts.
    prefix: Vec<TokenId>,
    random: Random,
    name: String,
}

impl<'m> Batch<'m> {
    fn new(module: &'m Module, formats: &[Arc<Automaton>], limits: &PackLimits, most: u32, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut bench = Bench::new(String::new(), formats::vocabulary());
        let table = Table::new(&mut bench, formats, limits);
        let sequences: Vec<i32> = (0..BATCH as i32).map(|at| if at == 0 { -1 } else { (at * 5) % 11 }).collect();
        let stage = Stage::new(module, &bench, &table, &sequences, most, seed);
        let numbers: Vec<u32> = (0..BATCH).map(|_| random.below(table.formats.len()) as u32).collect();
        let matcher =
            |number: &u32| Matcher::new(Arc::clone(&table.formats[*number as usize].0), Arc::clone(&bench.store));
        let texts = numbers.iter().map(|number| Text::new(matcher(number))).collect();
        let name = format!("seed {seed}, {most} places");
        Self { bench, stage, texts, numbers, sequences, prefix: Vec::new(), random, name }
    }

    fn begin_all(&mut self) {
        (2..BATCH).for_each(|at| self.begin(at));
    }

    /// Replaces a text by a new one.
    fn begin(&mut self, at: usize) {
        let len = self.random.below(6);
        for len in [len, 0] {
            if let Some(slot) = self.texts[at].begin(&mut self.random, self.numbers[at], &self.prefix, len) {
                self.stage.put_slot(self.sequences[at] as usize, &slot);
                return;
            }
        }
        panic!("{}: no slot holds an empty text", self.name);
    }

    /// Writes the positions of next tokens to memory.
    fn place(&mut self) {
        let rows = 1 + self.stage.launch.most as usize;
        // Positions of other rows are unused until a draft.
        let positions = self.texts.iter().flat_map(|text| {
            let position = text.written.len() as u64;
            std::iter::once(position).chain(std::iter::repeat_n(u64::MAX, rows - 1))
        });
        self.stage.put_positions(&positions.collect::<Vec<u64>>());
    }

    /// Chooses the sampled tokens of a sequence's rows: mostly the drafted ones, otherwise any token of the mask.
    fn sample(&mut self, draft: &[TokenId], drafted: &Drafted) -> Vec<SampleOutcome> {
        let choose = |(row, mask): (usize, &MaskState)| {
            let located = match mask.clone() {
                MaskState::Located { may_end, is_dense, rows } => rows::Located { may_end, is_dense, rows },
                MaskState::Missing => return SampleOutcome::Nothing,
                MaskState::Host => return SampleOutcome::Host,
            };
            let bits = self.bench.buffers.bits(&located, &self.bench.stops, self.bench.words);
            let allows = |token: &u32| bits.get(*token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1);
            let drafted = draft.get(row).map(|token| token.0).filter(allows).filter(|_| self.random.below(12) > 0);
            let allowed: Vec<u32> = (0..self.bench.words as u32 * 32).filter(allows).collect();
            match allowed.len() {
                0 => SampleOutcome::NoToken,
                _ if self.random.below(60) == 0 => SampleOutcome::NoToken,
                len => SampleOutcome::Token(drafted.unwrap_or(allowed[self.random.below(len)])),
            }
        };
        drafted.masks.iter().enumerate().map(choose).collect()
    }

    /// Drafts, samples, verifies, and takes some tokens back.
    fn round(&mut self, tally: &mut Tally) {
        self.place();
        let most = self.stage.launch.most as usize;
        let drafts: Vec<Vec<TokenId>> =
            (0..BATCH).map(|at| self.texts[at].random_draft(&mut self.random, most)).collect();
        let lists: Vec<&[TokenId]> = drafts.iter().map(Vec::as_slice).collect();
        let drafted = self.stage.draft(&lists);
        let places: Vec<u64> = self.stage.positions();
        let mut sampled = Vec::new();
        for (at, drafted) in drafted.iter().enumerate() {
            let name = format!("{}, sequence {at}", self.name);
            self.texts[at].assert_drafted(&self.bench, &drafts[at], drafted, &name);
            let first = self.texts[at].written.len() as u64;
            let own = &places[at * (1 + most)..][..1 + most];
            assert!(own.iter().copied().eq(first..=first + most as u64), "{name}: {own:?}");
            sampled.push(self.sample(&drafts[at], drafted));
            tally.drafted += drafted.moved.accepted as usize;
            tally.refused += usize::from(drafted.moved.last == Outcome::Refused);
        }
        self.stage.put_sampled(&sampled.concat());
        let verified = self.stage.verify();
        let (slots, places) = (self.stage.slots(), self.stage.positions());
        for at in 0..BATCH {
            let name = format!("{}, sequence {at}", self.name);
            let (whose, before) = (self.texts[at].whose, self.texts[at].written.len() as u64);
            self.texts[at].assert_verified(&drafts[at], drafted[at].moved, &sampled[at], verified[at], &name);
            if whose == Whose::Devices {
                let first = before + u64::from(verified[at].tokens);
                assert_eq!(places[at * (1 + most)], first, "{name}");
                self.assert_slot(at, &slots[self.sequences[at] as usize], &name);
                tally.rounds += 1;
                tally.tokens += verified[at].tokens as usize;
                tally.ended += usize::from(verified[at].end == DraftEnd::Ended);
                tally.complete += usize::from(verified[at].end == DraftEnd::Complete);
                let host = |is_mask: bool| matches!(verified[at].end, DraftEnd::Host(why) if is_mask == (why == Handover::Before));
                tally.handed_over += usize::from(host(false));
                tally.masks += usize::from(host(true));
            }
            self.go_on(at, whose, verified[at]);
        }
        self.roll_back(tally);
    }

    /// Compares a slot with the matcher.
    fn assert_slot(&mut self, at: usize, slot: &SlotImage, name: &str) {
        let whose = self.texts[at].whose;
        let status = if whose == Whose::Hosts { SlotStatus::Host } else { SlotStatus::Device };
        assert_eq!(slot.status(), Some(status), "{name}");
        if whose == Whose::Devices {
            let bits = self.bench.buffers.bits(&rows::Located::of(slot), &self.bench.stops, self.bench.words);
            assert!(bits == self.texts[at].bits(self.bench.words), "{name}: the mask behind the draft");
        }
    }

    /// Replaces texts that have ended or belong to the host. Some of the host's texts are given back to the device as they were: their next
    /// draft shows that they are still in the state before the token.
    fn go_on(&mut self, at: usize, whose: Whose, verified: VerifiedDraft) {
        let is_over = match self.texts[at].whose {
            Whose::Nobodys => return,
            Whose::Devices => matches!(verified.end, DraftEnd::Complete | DraftEnd::NoToken),
            // They are drafted once more in this state.
            Whose::Ended => whose == Whose::Ended,
            Whose::Hosts => whose != Whose::Devices || self.random.below(2) == 0,
        };
        if is_over {
            self.begin(at);
        } else if self.texts[at].whose == Whose::Hosts && self.random.below(2) == 0 {
            self.stage.put_status(self.sequences[at] as usize, SlotStatus::Device);
            self.texts[at].whose = Whose::Devices;
        }
    }

    /// Appends runs of tokens; some runs contain a wrong token.
    fn append(&mut self, most: usize, tally: &mut Tally) {
        let runs: Vec<Vec<TokenId>> =
            self.texts.iter_mut().map(|text| text.random_draft(&mut self.random, most)).collect();
        let lists: Vec<&[TokenId]> = runs.iter().map(Vec::as_slice).collect();
        let moved = self.stage.append(&lists, most as u32);
        let slots = self.stage.slots();
        for at in 0..BATCH {
            let name = format!("{}, sequence {at}", self.name);
            let (before, slot) = (self.texts[at].whose, slots.get(self.sequences[at] as usize));
            let is_hosts = slot.is_some_and(|slot| slot.status() == Some(SlotStatus::Host));
            self.texts[at].assert_appended(&runs[at], moved[at], is_hosts, &name);
            tally.refused += usize::from(moved[at].last == Outcome::Refused);
            tally.ended += usize::from(moved[at].last == Outcome::Ended);
            tally.handed_over += usize::from(matches!(moved[at].last, Outcome::Host(why) if why != Handover::Before));
            tally.masks += usize::from(is_hosts && moved[at].last == Outcome::Accepted);
            tally.tokens += moved[at].accepted as usize;
            match slot.filter(|_| before == Whose::Devices) {
                Some(slot) if !runs[at].is_empty() => self.assert_slot(at, slot, &name),
                _ if matches!(before, Whose::Ended | Whose::Hosts) => self.begin(at),
                _ => {}
            }
        }
        self.roll_back(tally);
    }

    fn roll_back(&mut self, tally: &mut Tally) {
        let back = |text: &Text| match (text.whose, self.random.below(6)) {
            (Whose::Devices | Whose::Hosts, 0) => 1 + self.random.below(3),
            (Whose::Devices | Whose::Hosts, 1) => 1 + self.random.below(20),
            _ => 0,
        };
        let back: Vec<usize> = self.texts.iter().map(back).collect();
        let tokens: Vec<i32> = back.iter().map(|tokens| *tokens as i32).collect();
        let outcomes = self.stage.roll_back(&tokens);
        for ((text, tokens), outcome) in self.texts.iter_mut().zip(back).zip(outcomes) {
            tally.taken_back += usize::from(outcome == Outcome::Accepted) * tokens;
            text.roll_back(tokens, outcome, &self.name);
        }
    }
}

#[test]
fn drafts_of_several_formats_are_verified_like_the_matcher() {
    let module = module();
    let first = ogc_kit::setting("OGC_SEED", 1);
    let mut tally = Tally::default();
    for seed in first..first + ogc_kit::setting("OGC_ROUNDS", 12) {
        let mut random = Random::new(seed);
        let most = [0, 15, random.below(16), random.below(16), 15, 1][seed as usize % 6] as u32;
        // Some masks are left to the host.
        let work = if seed % 3 == 0 { 1 << (9 + random.below(7)) } else { PackLimits::default().work };
        let limits = PackLimits { work, threads: 1, ..PackLimits::default() };
        let mut batch = Batch::new(&module, &kinds::of_all_kinds(&mut random), &limits, most, seed);
        batch.begin_all();
        for _ in 0..8 {
            batch.round(&mut tally);
        }
    }
    assert!(tally.rounds > 300 && 2 * tally.tokens > 3 * tally.rounds && tally.drafted > tally.rounds, "{tally:?}");
    // The number of masks left to the host depends on the formats; the tests below check them.
    assert!([tally.ended, tally.complete, tally.refused].iter().all(|count| *count > 0), "{tally:?}");
    assert!(tally.taken_back > 100, "{tally:?}");
}

#[test]
fn drafts_that_overflow_a_slot_are_left_to_the_host() {
    let module = module();
    let arrays = formats::all().into_iter().find(|(name, _)| *name == "arrays").unwrap().1;
    let limits = PackLimits { threads: 1, ..PackLimits::default() };
    let first = ogc_kit::setting("OGC_SEED", 1);
    let mut tally = Tally::default();
    for seed in first..first + ogc_kit::setting("OGC_ROUNDS", 3) {
        let mut batch = Batch::new(&module, &[Arc::clone(&arrays)], &limits, 7, seed);
        // A slot has room for 256 frames below the top one.
        batch.prefix = vec![TokenId(b'['.into()); 255];
        batch.begin_all();
        for _ in 0..8 {
            batch.round(&mut tally);
        }
    }
    assert!(tally.handed_over > 10 && tally.tokens > tally.rounds, "{tally:?}");
}

#[test]
fn forced_runs_are_appended_like_the_matcher() {
    let module = module();
    let first = ogc_kit::setting("OGC_SEED", 1);
    let mut tally = Tally::default();
    for seed in first..first + ogc_kit::setting("OGC_ROUNDS", 6) {
        let mut random = Random::new(seed);
        let work = if seed % 2 == 0 { 1 << random.below(16) } else { PackLimits::default().work };
        let limits = PackLimits { work, threads: 1, ..PackLimits::default() };
        let mut batch = Batch::new(&module, &kinds::of_all_kinds(&mut random), &limits, 0, seed);
        batch.begin_all();
        // Runs may be longer than the log.
        for most in [8, 1, 40, 8] {
            batch.append(most, &mut tally);
        }
    }
    assert!(tally.tokens > 200 && tally.taken_back > 20, "{tally:?}");
    assert!([tally.ended, tally.refused, tally.masks].iter().all(|count| *count > 2), "{tally:?}");
}

#[test]
fn a_text_is_complete_if_its_mask_has_only_stop_tokens() {
    let module = module();
    let first = ogc_kit::setting("OGC_SEED", 1);
    let arrays = formats::all().into_iter().find(|(name, _)| *name == "arrays").unwrap().1;
    let limits = PackLimits { threads: 1, ..PackLimits::default() };
    let mut found = [0; 2];
    for seed in first..first + ogc_kit::setting("OGC_ROUNDS", 20) {
        let mut batch = Batch::new(&module, &[Arc::clone(&arrays)], &limits, 0, seed);
        batch.begin_all();
        batch.stage.draft(&[&[][..]; BATCH]);
        let random = &mut batch.random;
        let stops: Vec<u32> = (0..TOKENS).filter(|_| random.below(16) == 0).collect();
        let stops = if seed % 8 == 0 { Vec::new() } else { stops };
        let (mut sets, mut masks, mut expected) = (Sets::default(), Vec::new(), Vec::new());
        for _ in 0..BATCH {
            let (mut rows, mut is_complete) = (Vec::new(), !stops.is_empty());
            for _ in 0..random.below(4) {
                let mut set: Vec<u32> = stops.iter().copied().filter(|_| random.below(2) == 0).collect();
                if random.below(6) == 0 {
                    set.push(random.below(TOKENS as usize) as u32);
                    set.sort_unstable();
                    set.dedup();
                }
                is_complete &= set.iter().all(|token| stops.contains(token));
                let form = random.below(3);
                sets.add(set, form, random);
                rows.push(sets.sets.len() as u32 - 1);
            }
            let may_end = u32::from(random.below(4) > 0);
            masks.push((may_end, rows));
            expected.push(is_complete && may_end == 1);
        }
        let stage = &mut batch.stage;
        let mut put = |name: &str, words: &[u32]| {
            let buffer = stage.device.buffer(name, words);
            stage.device.address(buffer).unwrap()
        };
        stage.launch.pool = (put("other table", &sets.table), put("other contents", &sets.contents));
        stage.launch.stops = (put("other stops", &stops), stops.len() as u32);
        stage.put_masks(&masks);
        stage.put_sampled(&[SampleOutcome::Nothing; BATCH]);
        let verified = stage.verify();
        // The first two sequences have no text.
        for (at, verified) in verified.into_iter().enumerate().skip(2) {
            let end = if expected[at] { DraftEnd::Complete } else { DraftEnd::GoesOn };
            assert_eq!(verified, VerifiedDraft { end, tokens: 0, moved: 0 }, "seed {seed}, sequence {at}");
            found[usize::from(expected[at])] += 1;
        }
    }
    assert!(found.iter().all(|count| *count > 20), "{found:?}");
}
