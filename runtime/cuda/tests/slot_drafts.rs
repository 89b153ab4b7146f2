//! Drafts and runs of slots with the interpreter as the machine, in lockstep with matchers: some slots of a batch at a time, of mixed
//! formats, whose rows are sampled by the kernels. Texts leave the device in the middle of a draft, come back, end, and are taken back.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(unsafe_code, reason = "launches on the interpreter, which checks every access")]

use crate::drafted;
use crate::formats;
use crate::interpreter;
use crate::kinds;
use crate::located;

use std::sync::{Arc, LazyLock};

use drafted::{Text, Whose};
use interpreter::Interpreter;
use ogc_cuda::{
    ADVANCE_PTX, AllowedTokens, DeviceSlots, DraftEnd, DraftLaunch, FILL_PTX, FormatId, Handover, LOCATE_PTX,
    LogitFormat, Logits, MovedTokens, Outcome, PoolLimits, RowSampling, RunLaunch, SampleOutcome, SharedMachine,
    SlotId, SlotLimits, SlotStatus, SlotsError, TokenChoice, TokenRowsError, VerifiedDraft, fused_ptx, sample_ptx,
};
use ogc_kit::Random;
use ogc_ptx::Module;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

/// Number of slots, the last of which is never begun.
const SLOTS: usize = 7;

/// Cap on the tokens of a run.
const RUN: u32 = 24;

static MODULE: LazyLock<Module> = LazyLock::new(|| {
    let [draft, verify] = DraftLaunch::ptx().map(|(_, ptx)| ptx);
    let others = [draft, verify, RunLaunch::ptx(), sample_ptx(), fused_ptx()];
    let texts: Vec<&str> =
        [ADVANCE_PTX, LOCATE_PTX, FILL_PTX].iter().chain(&others).map(|text| text.to_str().unwrap()).collect();
    interpreter::module(&texts)
});

fn limits(draft_tokens: u32) -> SlotLimits {
    let pool = PoolLimits { rows: 40_000, blocks: 60_000 };
    let slots = SLOTS as u32;
    SlotLimits { slots, formats: 8, format_bytes: 1 << 24, pool, logits: 0, run_tokens: RUN, draft_tokens }
}

fn greedy(allowed: AllowedTokens) -> RowSampling {
    RowSampling { choice: TokenChoice::Highest, allowed, ..RowSampling::default() }
}

/// Counts of events over all rounds.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    drafts: usize,
    /// Drafts without tokens, and drafts all of whose tokens were chosen.
    empty: usize,
    whole: usize,
    tokens: usize,
    ran: usize,
    ended: usize,
    refused: usize,
    /// Texts that the host had to continue, for a token or for a mask, and texts that came back.
    handed_over: usize,
    masks: usize,
    returned: usize,
    taken_back: usize,
    /// Slots that got another text while they had a draft.
    left: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.drafts += other.drafts;
        self.empty += other.empty;
        self.whole += other.whole;
        self.tokens += other.tokens;
        self.ran += other.ran;
        self.ended += other.ended;
        self.refused += other.refused;
        self.handed_over += other.handed_over;
        self.masks += other.masks;
        self.returned += other.returned;
        self.taken_back += other.taken_back;
        self.left += other.left;
    }

    /// Returns whether all events occurred, and enough drafts and runs.
    fn has_all(&self) -> bool {
        let some = [self.empty, self.whole, self.ended, self.refused, self.masks, self.returned, self.taken_back];
        let is_enough = self.drafts > 120 && self.ran > 50 && 2 * self.tokens > 3 * self.drafts;
        is_enough && self.left > 0 && some.iter().all(|count| *count > 0)
    }
}

/// Slots beside the matchers of their texts.
struct Batch {
    machine: SharedMachine<Interpreter>,
    slots: DeviceSlots<SharedMachine<Interpreter>>,
    formats: Vec<FormatId>,
    ids: Vec<SlotId>,
    texts: Vec<Text>,
    /// The format of each slot.
    numbers: Vec<usize>,
    /// The tokens at the beginning of all texts.
    prefix: Vec<TokenId>,
    random: Random,
    name: String,
    tally: Tally,
}

impl Batch {
    fn new(automata: &[Arc<Automaton>], pack: &PackLimits, prefix: Vec<TokenId>, most: u32, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut interpreter = Interpreter::new(&MODULE);
        interpreter.seed = seed << 32;
        let machine = SharedMachine::new(interpreter);
        let mut slots = DeviceSlots::new(machine.clone(), formats::vocabulary(), limits(most)).unwrap();
        let store = MaskStore::new(formats::vocabulary());
        let (mut formats, mut matchers) = (Vec::new(), Vec::new());
        for automaton in automata {
            let Some(built) = located::built_with(automaton, &store, pack) else { continue };
            formats.push(slots.add_format(automaton, &built.pack).unwrap());
            matchers.push(Matcher::new(Arc::clone(automaton), Arc::clone(&store)));
        }
        let ids = (0..SLOTS).map(|_| slots.open().unwrap()).collect();
        let numbers: Vec<usize> = (0..SLOTS).map(|_| random.below(formats.len())).collect();
        let texts = numbers.iter().map(|number| Text::new(matchers[*number].fork())).collect();
        let (name, tally) = (format!("seed {seed}, {most} places"), Tally::default());
        let mut batch = Self { machine, slots, formats, ids, texts, numbers, prefix, random, name, tally };
        (0..SLOTS - 1).for_each(|at| batch.begin(at));
        batch
    }

    /// Replaces a text: at the beginning of its format, or some tokens after it.
    fn begin(&mut self, at: usize) {
        let len = if self.prefix.is_empty() { self.random.below(2) * self.random.below(6) } else { 1 };
        let (slot, format, text) = (self.ids[at], self.formats[self.numbers[at]], &mut self.texts[at]);
        if len > 0 {
            text.begin(&mut self.random, format.number(), &self.prefix, len - 1);
            if self.slots.place(slot, format, &text.matcher).is_ok() {
                return;
            }
        }
        text.begin(&mut self.random, format.number(), &[], 0).unwrap();
        self.slots.begin(&[(slot, format)]).unwrap();
    }

    /// Returns some of the slots, in any order.
    fn some(&mut self) -> Vec<usize> {
        let mut some: Vec<usize> = (0..SLOTS).filter(|_| self.random.below(8) > 0).collect();
        for last in (1..some.len()).rev() {
            some.swap(last, self.random.below(last + 1));
        }
        some
    }

    /// Sets the sampling settings of rows: those of drafts, and sometimes one more.
    fn set_rows(&mut self, drafts: usize) -> usize {
        let count = drafts * (1 + self.slots.limits().draft_tokens as usize);
        let located = (0..count).map(|row| greedy(AllowedTokens::Located(row as u32)));
        let other = (drafts < SLOTS && self.random.below(3) == 0).then(|| greedy(AllowedTokens::All));
        let rows: Vec<RowSampling> = located.chain(other).collect();
        self.slots.set_rows(&rows).unwrap();
        rows.len()
    }

    /// Samples `rows` rows. Rows of drafts prefer the drafted tokens. Returns their logits.
    fn sample(&mut self, rows: usize, drafts: &[Vec<TokenId>]) -> Vec<Vec<u32>> {
        let (width, each) = (formats::vocabulary().len(), 1 + self.slots.limits().draft_tokens as usize);
        let mut logits: Vec<Vec<u32>> =
            (0..rows).map(|_| (0..width).map(|_| self.random.below(1 << 20) as u32).collect()).collect();
        for (draft, own) in drafts.iter().zip(logits.chunks_mut(each)) {
            for (token, row) in draft.iter().zip(own) {
                if let Some(logit) = row.get_mut(token.index()).filter(|_| self.random.below(8) > 0) {
                    *logit = 1 << 21;
                }
            }
        }
        let bytes: Vec<u8> = logits.concat().iter().flat_map(|logit| (*logit as f32).to_le_bytes()).collect();
        let address = self.machine.lock().put("logits of the test", &bytes);
        let len = (rows * width) as u64;
        let (rows, width, stride) = (rows as u32, width as u32, width as u64);
        let logits_there = Logits { format: LogitFormat::F32, address, len, rows, width, stride };
        // A step of rows without slots only samples them.
        let by_step = self.random.below(2) == 0;
        // SAFETY: the interpreter checks every access.
        unsafe { if by_step { self.slots.step(&logits_there) } else { self.slots.sample(&logits_there) } }.unwrap();
        logits
    }

    /// Drafts, samples and verifies. Sometimes a slot is begun again in between.
    fn draft(&mut self) {
        let some = self.some();
        let each = 1 + self.slots.limits().draft_tokens as usize;
        let drafts: Vec<Vec<TokenId>> =
            some.iter().map(|at| self.texts[*at].random_draft(&mut self.random, each - 1)).collect();
        let rows = self.set_rows(some.len());
        let pairs: Vec<(SlotId, &[TokenId])> =
            some.iter().zip(&drafts).map(|(at, draft)| (self.ids[*at], draft.as_slice())).collect();
        self.slots.draft(&pairs).unwrap();
        let drafted = self.slots.drafted().unwrap();
        let logits = self.sample(rows, &drafts);
        let left = Some(self.random.below(20)).filter(|left| *left < some.len() && some[*left] < SLOTS - 1);
        if let Some(left) = left {
            self.begin(some[left]);
        }
        let sampled = self.slots.sampled().unwrap();
        self.slots.verify().unwrap();
        let verified = self.slots.verified().unwrap();
        assert_eq!([drafted.len(), verified.len()], [some.len(); 2]);
        for (entry, at) in some.into_iter().enumerate() {
            if left == Some(entry) {
                assert_eq!(verified[entry], VerifiedDraft { end: DraftEnd::Nothing, tokens: 0, moved: 0 });
                self.tally.left += 1;
                continue;
            }
            let own = entry * each..(entry + 1) * each;
            let (sampled, logits) = (&sampled[own.clone()], &logits[own]);
            self.compare_draft(at, &drafts[entry], drafted[entry], sampled, logits, verified[entry]);
        }
    }

    /// Compares the result of a draft with the matcher, and continues from there.
    fn compare_draft(
        &mut self,
        at: usize,
        draft: &[TokenId],
        moved: MovedTokens,
        sampled: &[SampleOutcome],
        logits: &[Vec<u32>],
        verified: VerifiedDraft,
    ) {
        let (name, text) = (format!("{}, slot {at}", self.name), &mut self.texts[at]);
        assert_eq!(sampled, best_of_rows(text, draft, moved, logits), "{name}, {draft:?}, {moved:?}");
        text.assert_moved(draft, moved, &name);
        let before = text.whose;
        text.assert_verified(draft, moved, sampled, verified, &name);
        if before != Whose::Devices {
            return self.go_on(at, before, None);
        }
        self.tally.drafts += 1;
        self.tally.empty += usize::from(draft.is_empty());
        self.tally.whole += usize::from(!draft.is_empty() && verified.tokens as usize > draft.len());
        self.tally.tokens += verified.tokens as usize;
        self.tally.ended += usize::from(verified.end == DraftEnd::Ended);
        self.tally.refused += usize::from(moved.last == Outcome::Refused);
        let left = match verified.end {
            DraftEnd::Host(Handover::Before) => {
                self.tally.masks += 1;
                None
            }
            DraftEnd::Host(_) => {
                self.tally.handed_over += 1;
                let SampleOutcome::Token(token) = sampled[verified.moved as usize] else { panic!("{name}") };
                Some(TokenId(token))
            }
            DraftEnd::Complete => return self.begin(at),
            _ => None,
        };
        self.go_on(at, before, left);
    }

    /// Moves slots by runs.
    fn run(&mut self) {
        let some = self.some();
        let most = [1, 5, RUN as usize][self.random.below(3)];
        let runs: Vec<Vec<TokenId>> =
            some.iter().map(|at| self.texts[*at].random_draft(&mut self.random, most)).collect();
        let pairs: Vec<(SlotId, &[TokenId])> =
            some.iter().zip(&runs).map(|(at, run)| (self.ids[*at], run.as_slice())).collect();
        self.slots.run(&pairs).unwrap();
        let moved = self.slots.moved().unwrap();
        assert_eq!(moved.len(), some.len());
        for ((at, run), moved) in some.into_iter().zip(&runs).zip(moved) {
            let (name, before) = (format!("{}, slot {at}", self.name), self.texts[at].whose);
            let is_hosts = self.slots.statuses(&[self.ids[at]]).unwrap() == [SlotStatus::Host];
            self.texts[at].assert_appended(run, moved, is_hosts, &name);
            self.tally.ran += moved.accepted as usize;
            let left = match moved.last {
                Outcome::Host(why) if why != Handover::Before => Some(run[moved.accepted as usize]),
                _ => None,
            };
            self.go_on(at, before, left);
        }
    }

    /// Continues a text of the host: reads the token that was left to it, and tries to come back. Replaces texts that have ended.
    fn go_on(&mut self, at: usize, before: Whose, left: Option<TokenId>) {
        let whose = self.texts[at].whose;
        match whose {
            Whose::Nobodys | Whose::Devices => {}
            // They are drafted once more in this state.
            Whose::Ended if before == Whose::Ended => self.begin(at),
            Whose::Ended => {}
            Whose::Hosts if left.is_none() && self.random.below(3) == 0 => {}
            Whose::Hosts if !self.come_back(at, left) => self.begin(at),
            Whose::Hosts => {}
        }
    }

    /// Reads tokens on the host, first the one that was left to it, until the text fits in its slot. Returns whether it soon does.
    fn come_back(&mut self, at: usize, left: Option<TokenId>) -> bool {
        let (slot, format, text) = (self.ids[at], self.formats[self.numbers[at]], &mut self.texts[at]);
        let mut next = left;
        for _ in 0..6 {
            let Some(token) = next.or_else(|| text.pick(&mut self.random)) else { return false };
            if !text.accept_on_host(token) {
                return false;
            }
            next = None;
            if self.slots.place(slot, format, &text.matcher).is_ok() {
                text.place();
                self.tally.returned += 1;
                return true;
            }
        }
        false
    }

    /// Takes tokens of some slots back.
    fn roll_back(&mut self) {
        let mut counts = Vec::new();
        for at in self.some() {
            let count = [0, 1 + self.random.below(3), 1 + self.random.below(20)][self.random.below(3)];
            if matches!(self.texts[at].whose, Whose::Devices | Whose::Hosts) && count > 0 {
                counts.push((at, count));
            }
        }
        let told: Vec<(SlotId, u32)> = counts.iter().map(|(at, count)| (self.ids[*at], *count as u32)).collect();
        self.slots.roll_back(&told).unwrap();
        for ((at, count), outcome) in counts.into_iter().zip(self.slots.outcomes().unwrap()) {
            self.tally.taken_back += usize::from(outcome == Outcome::Accepted) * count;
            self.texts[at].roll_back(count, outcome, &self.name);
        }
    }

    /// Compares who steps each slot, and the masks of slots that the device steps.
    fn compare(&mut self) {
        self.slots.fill(&self.ids.clone()).unwrap();
        let masks = self.slots.read_masks(SLOTS).unwrap();
        let statuses = self.slots.statuses(&self.ids.clone()).unwrap();
        for (at, (mask, status)) in masks.into_iter().zip(statuses).enumerate() {
            let (name, text) = (format!("{}, slot {at}", self.name), &mut self.texts[at]);
            if status == SlotStatus::Host && text.whose == Whose::Devices {
                // Its mask is left to the host since it was begun, or since tokens were taken back.
                text.whose = Whose::Hosts;
                self.tally.masks += 1;
            }
            let expected = match text.whose {
                Whose::Nobodys => SlotStatus::Free,
                Whose::Hosts => SlotStatus::Host,
                Whose::Devices | Whose::Ended => SlotStatus::Device,
            };
            assert_eq!(status, expected, "{name}");
            if status == SlotStatus::Device {
                assert!(mask == text.bits(mask.len()), "{name}: the mask of the next token");
            }
        }
    }

    /// Does a round of any kind.
    fn round(&mut self) {
        match self.random.below(4) {
            0 => self.run(),
            _ => self.draft(),
        }
        self.compare();
        self.roll_back();
        self.compare();
    }
}

/// Returns the expected samples of a draft's rows: the highest logit that the matcher allows after each drafted token.
fn best_of_rows(text: &mut Text, draft: &[TokenId], moved: MovedTokens, logits: &[Vec<u32>]) -> Vec<SampleOutcome> {
    let mut expected = vec![SampleOutcome::Nothing; logits.len()];
    match text.whose {
        Whose::Nobodys | Whose::Ended => return expected,
        Whose::Hosts => {
            expected[0] = SampleOutcome::Host;
            return expected;
        }
        Whose::Devices => {}
    }
    let count = moved.accepted as usize;
    for (at, logits) in logits[..=count].iter().enumerate() {
        let tokens = text.matcher.mask().unwrap().tokens();
        let best = tokens
            .into_iter()
            .reduce(|best, next| if logits[next.index()] > logits[best.index()] { next } else { best });
        let is_hosts = at == count && moved.last == Outcome::Host(Handover::Before);
        expected[at] = match best {
            _ if is_hosts => SampleOutcome::Host,
            Some(token) => SampleOutcome::Token(token.0),
            None => SampleOutcome::NoToken,
        };
        if at < count {
            text.matcher.accept_token(draft[at]).unwrap();
        }
    }
    text.matcher.rollback(count).unwrap();
    expected
}

#[test]
fn drafts_and_runs_of_slots_match_their_matchers() {
    let first = ogc_kit::first_seed();
    let mut tally = Tally::default();
    for round in 0.. {
        if round >= ogc_kit::rounds(3, 8) && tally.has_all() {
            break;
        }
        assert!(round < 80, "{tally:?}");
        let seed = first + round;
        let mut random = Random::new(seed);
        let most = [5, 15, 0, 1 + random.below(15) as u32][seed as usize % 4];
        // Some masks are left to the host.
        let work = if seed.is_multiple_of(3) { 1 << (9 + random.below(7)) } else { PackLimits::default().work };
        let pack = PackLimits { work, threads: 1, ..PackLimits::default() };
        let mut batch = Batch::new(&kinds::of_all_kinds(&mut random), &pack, Vec::new(), most, seed);
        batch.compare();
        (0..10).for_each(|_| batch.round());
        tally.add(&batch.tally);
    }
}

#[test]
fn a_slot_can_leave_the_device_in_the_middle_of_a_draft_and_return() {
    let arrays = formats::all().into_iter().find(|(name, _)| *name == "arrays").unwrap().1;
    let pack = PackLimits { threads: 1, ..PackLimits::default() };
    let first = ogc_kit::setting("OGC_SEED", 1);
    let mut tally = Tally::default();
    for seed in first..first + ogc_kit::setting("OGC_ROUNDS", 2) {
        // A slot has room for 256 frames below the top one.
        let prefix = vec![TokenId(b'['.into()); 254];
        let mut batch = Batch::new(&[Arc::clone(&arrays)], &pack, prefix, 7, seed);
        (0..10).for_each(|_| batch.round());
        tally.handed_over += batch.tally.handed_over;
        tally.returned += batch.tally.returned;
        tally.tokens += batch.tally.tokens;
        tally.drafts += batch.tally.drafts;
    }
    assert!(tally.handed_over > 1 && tally.returned > 1 && tally.tokens > tally.drafts, "{tally:?}");
}

#[test]
fn drafts_over_the_limits_are_refused() {
    let too_many = DeviceSlots::new(Interpreter::new(&MODULE), formats::vocabulary(), limits(16)).err();
    assert_eq!(too_many, Some(SlotsError::Limit { what: "tokens of a draft", given: 16, limit: 15 }));
    let arrays = formats::all().into_iter().find(|(name, _)| *name == "arrays").unwrap().1;
    let pack = PackLimits { threads: 1, ..PackLimits::default() };
    let mut batch = Batch::new(&[arrays], &pack, Vec::new(), 2, 1);
    let (ids, format, slots) = (batch.ids.clone(), batch.formats[0], &mut batch.slots);
    slots.begin(&[(ids[0], format), (ids[1], format)]).unwrap();
    let token = TokenId(b'['.into());
    let long = |limit| SlotsError::Tokens(TokenRowsError::TooLong { row: 1, given: limit as usize + 1, limit });
    assert_eq!(slots.draft(&[(ids[0], &[]), (ids[1], &[token; 3])]), Err(long(2)));
    assert_eq!(slots.run(&[(ids[0], &[]), (ids[1], &[token; RUN as usize + 1])]), Err(long(RUN)));
    assert_eq!(slots.run(&[(ids[1], &[token]), (ids[1], &[])]), Err(SlotsError::Closed { given: 1 }));
    let rows = |count: u32| -> Vec<RowSampling> { (0..count).map(|row| greedy(AllowedTokens::Located(row))).collect() };
    slots.set_rows(&rows(5)).unwrap();
    assert_eq!(slots.draft(&[(ids[0], &[]), (ids[1], &[])]), Err(SlotsError::DraftRows { given: 5, limit: 6 }));
    let limit = 3 * SLOTS as u32;
    let beyond = [greedy(AllowedTokens::Located(limit))];
    assert_eq!(slots.set_rows(&beyond), Err(SlotsError::Rows { given: limit as usize + 1, limit }));
    // Nothing has moved, and no draft is unverified.
    slots.verify().unwrap();
    assert_eq!(slots.verified(), Ok(Vec::new()));
    slots.set_rows(&rows(6)).unwrap();
    slots.draft(&[(ids[0], &[token]), (ids[1], &[token, token])]).unwrap();
    let drafted = |given: usize| Err(SlotsError::Drafted { given: given as u32 });
    assert_eq!(slots.advance(&[(ids[2], token), (ids[1], token)]), drafted(1));
    assert_eq!(slots.roll_back(&[(ids[0], 1)]), drafted(0));
    assert_eq!(slots.run(&[(ids[0], &[token])]), drafted(0));
    assert_eq!(slots.draft(&[(ids[2], &[])]), drafted(0));
    assert_eq!(slots.remove_format(format), Err(SlotsError::FormatInUse { given: format.number(), slots: SLOTS - 1 }));
    // Another sequence gets the slot of the closed one.
    slots.close(ids[0]).unwrap();
    assert_eq!(slots.open(), Ok(ids[0]));
    slots.begin(&[(ids[0], format)]).unwrap();
    slots.advance(&[(ids[0], token)]).unwrap();
    let width = formats::vocabulary().len() as u32;
    let address = batch.machine.lock().put("logits of the test", &vec![0; 4 * 6 * width as usize]);
    let len = u64::from(6 * width);
    let logits = Logits { format: LogitFormat::F32, address, len, rows: 6, width, stride: width.into() };
    // A step that moves a slot with a draft is refused, a step of other slots is not.
    let by_slot = |slot: SlotId| vec![(greedy(AllowedTokens::Slot(slot.number())), Some(slot))];
    slots.set_rows_of_slots(&by_slot(ids[1])).unwrap();
    // SAFETY: the interpreter checks every access.
    assert_eq!(unsafe { slots.step(&Logits { rows: 1, ..logits }) }, drafted(1));
    assert_eq!(slots.verify(), Err(SlotsError::DraftRows { given: 1, limit: 6 }));
    slots.set_rows(&rows(6)).unwrap();
    // SAFETY: as above.
    unsafe { slots.sample(&logits) }.unwrap();
    slots.verify().unwrap();
    let verified = slots.verified().unwrap();
    assert_eq!(verified[0].end, DraftEnd::Nothing);
    assert!(verified[1].tokens >= 1, "{verified:?}");
    slots.roll_back(&[(ids[0], 1), (ids[1], verified[1].moved)]).unwrap();
    assert_eq!(slots.outcomes(), Ok(vec![Outcome::Accepted; 2]));
}
