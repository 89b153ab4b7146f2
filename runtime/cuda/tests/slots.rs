//! Slots with the interpreter as the machine, in lockstep with matchers: batches of mixed formats that come and go while others are
//! stepped, tokens that are taken back, masks as bits, and tokens that are chosen on the device.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(unsafe_code, reason = "launches on the interpreter, which checks every access")]

use crate::formats;
use crate::interpreter;
use crate::objects;
use crate::random;

use std::sync::{Arc, LazyLock};

use interpreter::Interpreter;
use ogc_cuda::{
    ADVANCE_PTX, AllowedTokens, DeviceSlots, FILL_PTX, FormatId, LOCATE_PTX, LogitFormat, Logits, Machine, Outcome,
    PoolLimits, RowOutcome, RowSampling, SampleOutcome, SharedMachine, SlotId, SlotLimits, SlotStatus, SlotsError,
    TokenChoice, fused_ptx, sample_ptx,
};
use ogc_kit::Random;
use ogc_ptx::Module;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::TokenId;

/// Number of concurrent sequences.
const SLOTS: u32 = 9;

/// Capacity of a slot's log in tokens.
const MOST_LOG: usize = 16;

static MODULE: LazyLock<Module> = LazyLock::new(|| {
    let texts = [ADVANCE_PTX, LOCATE_PTX, FILL_PTX, sample_ptx(), fused_ptx()];
    interpreter::module(&texts.map(|text| text.to_str().unwrap()))
});

fn limits() -> SlotLimits {
    let pool = PoolLimits { rows: 20_000, blocks: 30_000 };
    SlotLimits {
        slots: SLOTS,
        formats: 6,
        format_bytes: 1 << 20,
        pool,
        logits: 1 << 10,
        run_tokens: 16,
        draft_tokens: 0,
    }
}

/// A format with its masks.
#[derive(Clone)]
struct Built {
    format: Arc<Automaton>,
    masks: Arc<MaskPack>,
}

fn built(format: Arc<Automaton>, store: &Arc<MaskStore>) -> Option<Built> {
    let limits = PackLimits { threads: 1, ..PackLimits::default() };
    let masks = Arc::new(MaskPack::build(&format, store, &limits, |_, _| {}).ok()?);
    Some(Built { format, masks })
}

/// Returns a known or random format.
fn any_format(random: &mut Random, store: &Arc<MaskStore>) -> Built {
    let known = formats::all();
    loop {
        let format = match random.below(3) {
            0 => random::random_format(random),
            1 => objects::random_objects(random),
            _ => Some(Arc::clone(&known[random.below(known.len())].1)),
        };
        if let Some(built) = format.and_then(|format| built(format, store)) {
            return built;
        }
    }
}

/// A sequence and its matcher.
struct Sequence {
    slot: SlotId,
    format: FormatId,
    matcher: Matcher,
    /// The number of tokens that the slot can take back.
    log: usize,
}

/// A command to a sequence.
#[derive(Clone, Copy, Debug)]
enum Command {
    Token(TokenId),
    Back(u32),
}

/// Sequences on the device, each with its matcher.
struct Batch {
    slots: DeviceSlots<Interpreter>,
    store: Arc<MaskStore>,
    formats: Vec<(FormatId, Built)>,
    sequences: Vec<Sequence>,
    random: Random,
    /// Counts of compared commands, of compared masks, of sequences that the device could not continue, and of added formats.
    counts: [usize; 4],
}

impl Batch {
    fn new(seed: u64) -> Self {
        let store = MaskStore::new(formats::vocabulary());
        let mut machine = Interpreter::new(&MODULE);
        machine.seed = seed << 32;
        let slots = DeviceSlots::new(machine, formats::vocabulary(), limits()).unwrap();
        let random = Random::new(seed);
        let mut batch = Self { slots, store, formats: Vec::new(), sequences: Vec::new(), random, counts: [0; 4] };
        while batch.formats.is_empty() {
            batch.add_format();
        }
        (0..SLOTS).for_each(|_| batch.open());
        batch
    }

    /// Adds a format. If there is no room, removes one that no sequence has.
    fn add_format(&mut self) {
        let built = any_format(&mut self.random, &self.store);
        if self.formats.len() == limits().formats as usize {
            let refused = self.slots.add_format(&built.format, &built.masks).unwrap_err();
            assert_eq!(refused, SlotsError::Formats { limit: limits().formats });
            let first = self.random.below(self.formats.len());
            let free = |format: FormatId| self.sequences.iter().all(|sequence| sequence.format != format);
            let count = self.formats.len();
            let Some(at) = (0..count).map(|at| (at + first) % count).find(|at| free(self.formats[*at].0)) else {
                return;
            };
            self.slots.remove_format(self.formats.swap_remove(at).0).unwrap();
        }
        match self.slots.add_format(&built.format, &built.masks) {
            Ok(format) => {
                self.formats.push((format, built));
                self.counts[3] += 1;
            }
            // Some formats have tables of 20 MB.
            Err(SlotsError::FormatBytes { given, limit }) => assert!(given > limit),
            Err(error) => panic!("{error}"),
        }
    }

    /// Opens a sequence of any format.
    fn open(&mut self) {
        let (format, Built { format: automaton, masks }) = &self.formats[self.random.below(self.formats.len())];
        let (automaton, masks) = (Arc::clone(automaton), Arc::clone(masks));
        let matcher = Matcher::with_masks(automaton, Arc::clone(&self.store), masks).unwrap();
        let slot = self.slots.open().unwrap();
        self.slots.begin(&[(slot, *format)]).unwrap();
        self.sequences.push(Sequence { slot, format: *format, matcher, log: 0 });
    }

    /// Replaces a sequence by another one.
    fn replace(&mut self, at: usize) {
        let slot = self.sequences.swap_remove(at).slot;
        self.slots.close(slot).unwrap();
        assert_eq!(self.slots.statuses(&[slot]), Err(SlotsError::Closed { given: slot.number() }));
        self.open();
    }

    /// Gives a command to most sequences; compares the outcomes, and the masks afterwards.
    fn step(&mut self) {
        let mut told: Vec<(usize, Command)> = Vec::new();
        for at in 0..self.sequences.len() {
            if self.random.below(8) > 0 {
                told.push((at, command(&mut self.random, &mut self.sequences[at].matcher)));
            }
        }
        let (mut tokens, mut counts) = (Vec::new(), Vec::new());
        for (at, command) in &told {
            match command {
                Command::Token(token) => tokens.push((*at, *token)),
                Command::Back(count) => counts.push((*at, *count)),
            }
        }
        let slot = |at: usize| self.sequences[at].slot;
        let of_tokens: Vec<(SlotId, TokenId)> = tokens.iter().map(|(at, token)| (slot(*at), *token)).collect();
        let of_counts: Vec<(SlotId, u32)> = counts.iter().map(|(at, count)| (slot(*at), *count)).collect();
        self.slots.advance(&of_tokens).unwrap();
        let mut outcomes = self.slots.outcomes().unwrap();
        self.slots.roll_back(&of_counts).unwrap();
        outcomes.extend(self.slots.outcomes().unwrap());
        let order = tokens.iter().map(|(at, token)| (*at, Command::Token(*token)));
        let order: Vec<_> = order.chain(counts.iter().map(|(at, count)| (*at, Command::Back(*count)))).collect();
        let mut left = Vec::new();
        for ((at, command), outcome) in order.into_iter().zip(outcomes) {
            if matches!(outcome, Outcome::Host(_)) {
                left.push(at);
                continue;
            }
            self.counts[0] += 1;
            let expected = self.sequences[at].follow(command);
            assert_eq!(Some(outcome), expected, "{command:?}");
        }
        left.extend(self.compare_masks());
        left.sort_unstable();
        left.dedup();
        for at in left.into_iter().rev() {
            self.counts[2] += 1;
            self.replace(at);
        }
        for at in (0..self.sequences.len()).rev() {
            if self.sequences[at].matcher.is_terminated() && self.random.below(3) == 0 {
                self.replace(at);
            }
        }
    }

    /// Compares the masks of all sequences; returns those whose mask the device does not find.
    fn compare_masks(&mut self) -> Vec<usize> {
        let slots: Vec<SlotId> = self.sequences.iter().map(|sequence| sequence.slot).collect();
        self.slots.fill(&slots).unwrap();
        let masks = self.slots.read_masks(slots.len()).unwrap();
        let statuses = self.slots.statuses(&slots).unwrap();
        let mut left = Vec::new();
        for (at, (mask, status)) in masks.into_iter().zip(statuses).enumerate() {
            if status == SlotStatus::Host {
                left.push(at);
                continue;
            }
            let mut expected = vec![0; mask.len()];
            self.sequences[at].matcher.fill_mask(&mut expected).unwrap();
            assert_eq!(mask, expected, "sequence {at}");
            self.counts[1] += 1;
        }
        left
    }
}

impl Sequence {
    /// Executes a command with the matcher; returns the outcome expected from the device. `None` if the matcher exceeds a limit.
    fn follow(&mut self, command: Command) -> Option<Outcome> {
        match command {
            Command::Token(token) => match self.matcher.accept_token(token) {
                Ok(()) => {
                    self.log = MOST_LOG.min(self.log + 1);
                    Some(if self.matcher.is_terminated() { Outcome::Ended } else { Outcome::Accepted })
                }
                Err(MatchError::NotAllowed { .. } | MatchError::TokenNotAllowed { .. } | MatchError::Terminated) => {
                    Some(Outcome::Refused)
                }
                Err(_) => None,
            },
            Command::Back(count) if count as usize > self.log => Some(Outcome::Refused),
            Command::Back(count) => {
                self.matcher.rollback(count as usize).unwrap();
                self.log -= count as usize;
                Some(Outcome::Accepted)
            }
        }
    }
}

/// Returns a command, which is usually allowed.
fn command(random: &mut Random, matcher: &mut Matcher) -> Command {
    let any = random.below(matcher.store().vocabulary().len() + 3) as u32;
    match random.below(30) {
        0 => Command::Back(1 + random.below(20) as u32),
        1 => Command::Back(1 + random.below(4) as u32),
        2 => Command::Token(TokenId(any)),
        3 => Command::Token(matcher.stop_tokens()[0]),
        4 => Command::Token(TokenId(u32::MAX - any)),
        _ => {
            let allowed = matcher.mask().unwrap().tokens();
            Command::Token(allowed.get(random.below(allowed.len().max(1))).copied().unwrap_or(TokenId(any)))
        }
    }
}

#[test]
fn sequences_match_their_matchers_while_formats_are_added_and_removed() {
    let first = ogc_kit::setting("OGC_SEED", 1);
    let mut counts = [0; 4];
    for seed in first..first + ogc_kit::setting("OGC_ROUNDS", 3) {
        let mut batch = Batch::new(seed);
        for step in 0..60 {
            if step % 4 == 0 {
                batch.add_format();
            }
            batch.step();
        }
        counts = std::array::from_fn(|at| counts[at] + batch.counts[at]);
    }
    let [commands, masks, left, added] = counts;
    assert!(commands > 1200 && masks > 1200 && left * 10 < commands && added > 30, "{counts:?}");
}

#[test]
fn slots_and_formats_over_the_limits_are_refused() {
    let store = MaskStore::new(formats::vocabulary());
    let known = |name: &str| formats::all().into_iter().find(|(other, _)| *other == name).unwrap().1;
    let (arrays, keys) = (built(known("arrays"), &store).unwrap(), built(known("any order, open"), &store).unwrap());
    let slots = |limits| DeviceSlots::new(Interpreter::new(&MODULE), formats::vocabulary(), limits);
    for (given, what) in [(0, "slots"), (1 << 21, "slots"), (0, "formats")] {
        let limits = if what == "slots" {
            SlotLimits { slots: given, ..limits() }
        } else {
            SlotLimits { formats: given, ..limits() }
        };
        assert_eq!(slots(limits).err(), Some(SlotsError::Limit { what, given, limit: 1 << 20 }));
    }
    let mut small = slots(SlotLimits { format_bytes: 1024, ..limits() }).unwrap();
    let error = small.add_format(&arrays.format, &arrays.masks).unwrap_err();
    assert!(matches!(error, SlotsError::FormatBytes { given: 1025.., limit: 1024 }), "{error}");
    let mut slots = slots(limits()).unwrap();
    let other = slots.add_format(&arrays.format, &keys.masks).unwrap_err();
    assert_eq!(other.to_string(), "the masks are of another format: build them for this one");
    let format = slots.add_format(&arrays.format, &arrays.masks).unwrap();
    let open: Vec<SlotId> = (0..SLOTS).map(|_| slots.open().unwrap()).collect();
    assert_eq!(slots.open(), Err(SlotsError::Slots { limit: SLOTS }));
    slots.begin(&[(open[0], format), (open[1], format)]).unwrap();
    assert_eq!(slots.remove_format(format), Err(SlotsError::FormatInUse { given: 0, slots: 2 }));
    let twice = slots.advance(&[(open[2], TokenId(0)), (open[2], TokenId(1))]);
    assert_eq!(twice, Err(SlotsError::Closed { given: 2 }));
    open[..2].iter().for_each(|slot| slots.close(*slot).unwrap());
    slots.remove_format(format).unwrap();
    assert_eq!(slots.begin(&[(open[3], format)]), Err(SlotsError::UnknownFormat { given: 0 }));
    assert_eq!(slots.remove_format(format), Err(SlotsError::UnknownFormat { given: 0 }));
    assert_eq!(slots.fill(&[open[0]]), Err(SlotsError::Closed { given: 0 }));
    let rows = SLOTS as usize + 1;
    assert_eq!(slots.read_masks(rows), Err(SlotsError::Rows { given: rows, limit: SLOTS }));
    let words = formats::vocabulary().len().div_ceil(32);
    let error = slots.write_mask(0, &vec![0; words + 1]).unwrap_err();
    assert_eq!(error, SlotsError::MaskWords { given: words + 1, limit: words as u32 });
    // Slots that are not begun stay unchanged.
    slots.advance(&[(open[5], TokenId(0))]).unwrap();
    assert_eq!(slots.outcomes(), Ok(vec![Outcome::None]));
}

#[test]
fn a_slot_continues_from_the_state_of_a_matcher() {
    let store = MaskStore::new(formats::vocabulary());
    let known = |name: &str| formats::all().into_iter().find(|(other, _)| *other == name).unwrap().1;
    let (arrays, keys) = (built(known("arrays"), &store).unwrap(), built(known("any order, open"), &store).unwrap());
    let mut slots = DeviceSlots::new(Interpreter::new(&MODULE), formats::vocabulary(), limits()).unwrap();
    let formats = [&arrays, &keys].map(|built| slots.add_format(&built.format, &built.masks).unwrap());
    let slot = slots.open().unwrap();
    let matcher =
        |built: &Built| Matcher::with_masks(Arc::clone(&built.format), Arc::clone(&store), Arc::clone(&built.masks));
    let mut matcher = matcher(&arrays).unwrap();
    matcher.accept_bytes(b"[[[]").unwrap();
    slots.place(slot, formats[0], &matcher).unwrap();
    slots.fill(&[slot]).unwrap();
    let mut expected = vec![0; formats::vocabulary().len().div_ceil(32)];
    matcher.fill_mask(&mut expected).unwrap();
    assert_eq!(slots.read_masks(1).unwrap(), [expected]);
    slots.roll_back(&[(slot, 1)]).unwrap();
    assert_eq!(slots.outcomes(), Ok(vec![Outcome::Refused]), "nothing before can be taken back");
    assert_eq!(slots.place(slot, formats[1], &matcher), Err(SlotsError::OtherFormat { given: 1 }));
    matcher.set_stop_tokens(Some(&[TokenId(1)]));
    assert_eq!(slots.place(slot, formats[0], &matcher), Err(SlotsError::OtherStops));
    let ends = matcher.store().vocabulary().eos().to_vec();
    matcher.set_stop_tokens(Some(&ends));
    assert_eq!(slots.place(slot, formats[0], &matcher), Err(SlotsError::OtherStops), "they are nothing else here");
    matcher.set_stop_tokens(None);
    matcher.set_budget(Some(100)).unwrap();
    let error = slots.place(slot, formats[0], &matcher).unwrap_err();
    assert_eq!(error.to_string(), "the matcher has a budget, which only the host keeps: mask it there");
    assert_eq!(slots.statuses(&[slot]).unwrap(), [SlotStatus::Device], "the slot is as it was");
}

#[test]
fn chosen_tokens_respect_masks() {
    let mut random = Random::new(7);
    let store = MaskStore::new(formats::vocabulary());
    let machine = SharedMachine::new(Interpreter::new(&MODULE));
    let mut slots = DeviceSlots::new(machine.clone(), formats::vocabulary(), limits()).unwrap();
    let tokens = formats::vocabulary().len();
    let (width, stride) = (tokens + 5, tokens + 11);
    // Another number of rows each time: no row may have its ticket where other rows left data.
    for (round, count) in [1, 6, 3, SLOTS as usize, 2].into_iter().enumerate() {
        let mut matchers = Vec::new();
        for at in 0..count {
            let built = any_format(&mut random, &store);
            let format =
                slots.add_format(&built.format, &built.masks).unwrap_or_else(|_| panic!("round {round}, {at}"));
            let slot = slots.open().unwrap();
            slots.begin(&[(slot, format)]).unwrap();
            let matcher = Matcher::with_masks(built.format, Arc::clone(&store), built.masks).unwrap();
            matchers.push((slot, format, matcher));
            if at >= limits().formats as usize - 1 {
                break;
            }
        }
        // The last row is masked by bits.
        let bits = random.below(SLOTS as usize) as u32;
        let mut rows: Vec<RowSampling> =
            matchers.iter().map(|(slot, ..)| greedy(AllowedTokens::Slot(slot.number()))).collect();
        rows.extend((rows.len() < SLOTS as usize).then(|| greedy(AllowedTokens::Bits(bits))));
        slots.set_rows(&rows).unwrap();
        let mask: Vec<u32> = (0..tokens.div_ceil(32)).map(|_| random.below(1 << 32) as u32).collect();
        slots.write_mask(bits as usize, &mask).unwrap();
        for _ in 0..3 {
            let numbers: Vec<f32> = (0..rows.len() * stride).map(|_| random.below(1 << 20) as f32).collect();
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            let address = machine.lock().put("logits of the test", &bytes);
            let logits = Logits {
                format: LogitFormat::F32,
                address,
                len: numbers.len() as u64,
                rows: rows.len() as u32,
                width: width as u32,
                stride: stride as u64,
            };
            let short = Logits { len: logits.len - stride as u64, ..logits };
            assert!(matches!(slots.sample_launch(&short), Err(SlotsError::Memory(_))));
            let wide = Logits { width: 1025, stride: 1025, len: 1 << 20, ..logits };
            assert_eq!(slots.sample_launch(&wide), Err(SlotsError::Width { given: 1025, limit: 1024 }));
            // SAFETY: the interpreter checks every access.
            unsafe { slots.sample(&logits) }.unwrap();
            let sampled = slots.sampled().unwrap();
            assert_eq!(sampled.len(), rows.len());
            let mut chosen = Vec::new();
            for ((row, sampled), logits) in (0..).zip(&sampled).zip(numbers.chunks_exact(stride)) {
                let allowed: Vec<TokenId> = match matchers.get_mut(row) {
                    Some((_, _, matcher)) => matcher.mask().unwrap().tokens(),
                    None => (0..tokens as u32)
                        .filter(|token| mask[*token as usize / 32] >> (token % 32) & 1 == 1)
                        .map(TokenId)
                        .collect(),
                };
                let best = allowed
                    .into_iter()
                    .reduce(|best, token| if logits[token.index()] > logits[best.index()] { token } else { best });
                let expected = best.map_or(SampleOutcome::NoToken, |token| SampleOutcome::Token(token.0));
                assert_eq!(*sampled, expected, "round {round}, row {row}");
                if let (Some((slot, _, matcher)), Some(token)) = (matchers.get_mut(row), best) {
                    matcher.accept_token(token).unwrap();
                    chosen.push((*slot, token));
                }
            }
            slots.advance(&chosen).unwrap();
            let is_done = |outcome: &Outcome| matches!(outcome, Outcome::Accepted | Outcome::Ended);
            assert!(slots.outcomes().unwrap().iter().all(is_done), "round {round}");
        }
        for (slot, format, _) in matchers {
            slots.close(slot).unwrap();
            slots.remove_format(format).unwrap();
        }
    }
}

fn greedy(allowed: AllowedTokens) -> RowSampling {
    RowSampling { choice: TokenChoice::Highest, allowed, ..RowSampling::default() }
}

/// A step is one launch, for all kinds of masks; the next step continues from there without the host.
#[test]
fn a_step_is_one_launch() {
    let mut random = Random::new(11);
    let store = MaskStore::new(formats::vocabulary());
    let machine = SharedMachine::new(Interpreter::new(&MODULE));
    let mut slots = DeviceSlots::new(machine.clone(), formats::vocabulary(), limits()).unwrap();
    let tokens = formats::vocabulary().len();
    let mut matchers = Vec::new();
    while matchers.len() < limits().formats as usize {
        let built = any_format(&mut random, &store);
        let Ok(format) = slots.add_format(&built.format, &built.masks) else { continue };
        let slot = slots.open().unwrap();
        slots.begin(&[(slot, format)]).unwrap();
        matchers.push((slot, slots.matcher(format, &store).unwrap()));
    }
    let row = |(slot, _): &(SlotId, Matcher)| (greedy(AllowedTokens::Slot(slot.number())), Some(*slot));
    let mut rows: Vec<(RowSampling, Option<SlotId>)> = matchers.iter().map(row).collect();
    // A row without a slot, and one whose slot is masked by bits of the host: the bits refuse no token, but the slot does.
    rows.push((greedy(AllowedTokens::All), None));
    rows[2].0.allowed = AllowedTokens::Bits(4);
    slots.write_mask(4, &vec![u32::MAX; tokens.div_ceil(32)]).unwrap();
    let logits =
        |random: &mut Random| -> Vec<f32> { (0..rows.len() * tokens).map(|_| random.below(1 << 20) as f32).collect() };
    let address = machine.lock().put("logits of the test", &vec![0; 4 * rows.len() * tokens]);
    let [width, stride] = [tokens as u32, tokens as u32];
    let place = Logits {
        format: LogitFormat::F32,
        address,
        len: (rows.len() * tokens) as u64,
        rows: rows.len() as u32,
        width,
        stride: stride.into(),
    };
    let shared = [rows[0], rows[0]];
    slots.set_rows_of_slots(&shared).unwrap();
    let two = Logits { rows: 2, ..place };
    assert_eq!(slots.step_launch(&two), Err(SlotsError::Closed { given: matchers[0].0.number() }));
    assert_eq!(slots.step_launch(&place), Err(SlotsError::OtherRows { given: rows.len() as u32, expected: 2 }));
    slots.set_rows_of_slots(&rows).unwrap();
    let (mut refused, mut accepted) = (0, 0);
    for step in 0..20 {
        let numbers = logits(&mut random);
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        machine.clone().write(address, &bytes).unwrap();
        let before = machine.lock().counts.len();
        // SAFETY: the interpreter checks every access.
        unsafe { slots.step(&place) }.unwrap();
        let names: Vec<String> = machine.lock().counts[before..].iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(names, ["ogc_step_f32"]);
        let best = |allowed: &mut dyn Iterator<Item = TokenId>, logits: &[f32]| {
            allowed.reduce(|best, token| if logits[token.index()] > logits[best.index()] { token } else { best })
        };
        for (at, (found, logits)) in slots.stepped().unwrap().into_iter().zip(numbers.chunks_exact(tokens)).enumerate()
        {
            let by_mask = matches!(rows[at].0.allowed, AllowedTokens::Slot(_));
            let chosen = if by_mask {
                best(&mut matchers[at].1.mask().unwrap().tokens().into_iter(), logits)
            } else {
                best(&mut (0..tokens as u32).map(TokenId), logits)
            };
            let sampled = chosen.map_or(SampleOutcome::NoToken, |token| SampleOutcome::Token(token.0));
            let moved = match (chosen, matchers.get_mut(at)) {
                (Some(token), Some((_, matcher))) => match matcher.accept_token(token) {
                    Ok(()) if matcher.is_terminated() => Outcome::Ended,
                    Ok(()) => Outcome::Accepted,
                    Err(_) => Outcome::Refused,
                },
                _ => Outcome::None,
            };
            assert_eq!(found, RowOutcome { sampled, moved }, "step {step}, row {at}");
            refused += usize::from(moved == Outcome::Refused);
            accepted += usize::from(moved == Outcome::Accepted);
            if let Some(token) = chosen {
                let mut next = [0; 4];
                machine.clone().read(slots.addresses().next_tokens + 4 * at as u64, &mut next).unwrap();
                assert_eq!(u32::from_le_bytes(next), token.0);
            }
        }
    }
    assert!(refused > 5 && accepted > 20, "{refused} {accepted}");
}
