//! Sequences that leave the device and come back, in lockstep with matchers, by the interpreter: formats with many readings and with
//! omitted masks, and tokens that are taken back further than a slot logs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::formats;
use crate::interpreter;
use crate::objects;
use crate::random;

use std::sync::{Arc, LazyLock};

use interpreter::Interpreter;
use ogc_cuda::{
    ADVANCE_PTX, DeviceSequences, DeviceSlots, FILL_PTX, FormatId, HostReason, LOCATE_PTX, PlaceCounts, PoolLimits,
    RunLaunch, SequencePlace, SequenceRun, SlotId, SlotLimits, SlotsError, TokenOutcome,
};
use ogc_kit::Random;
use ogc_ptx::Module;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

static MODULE: LazyLock<Module> = LazyLock::new(|| {
    let texts = [ADVANCE_PTX, LOCATE_PTX, FILL_PTX, RunLaunch::ptx()];
    interpreter::module(&texts.map(|text| text.to_str().unwrap()))
});

/// Number of concurrent sequences.
const SEQUENCES: u32 = 6;

fn sequences(stops: Option<&[TokenId]>) -> DeviceSequences<Interpreter> {
    let pool = PoolLimits { rows: 20_000, blocks: 60_000 };
    let limits = SlotLimits {
        slots: SEQUENCES,
        formats: 8,
        format_bytes: 1 << 22,
        pool,
        logits: 1 << 10,
        run_tokens: 16,
        draft_tokens: 0,
    };
    let (machine, vocabulary) = (Interpreter::new(&MODULE), formats::vocabulary());
    let slots = match stops {
        None => DeviceSlots::new(machine, vocabulary, limits),
        Some(stops) => DeviceSlots::with_stop_tokens(machine, vocabulary, stops, limits),
    };
    DeviceSequences::new(slots.unwrap(), MaskStore::new(formats::vocabulary())).unwrap()
}

/// Adds random formats, some of which have only some of their masks.
fn formats_at_random(
    sequences: &mut DeviceSequences<Interpreter>,
    random: &mut Random,
) -> Vec<(FormatId, Arc<Automaton>)> {
    let store = MaskStore::new(formats::vocabulary());
    let mut added = Vec::new();
    while added.len() < 8 {
        let kind = random.below(3);
        let format = if kind == 0 { random::random_format(random) } else { objects::random_objects(random) };
        let work = if kind == 2 { 1 << random.below(16) } else { PackLimits::default().work };
        let limits = PackLimits { work, threads: 1, ..PackLimits::default() };
        let Some(format) = format else { continue };
        let Ok(masks) = MaskPack::build(&format, &store, &limits, |_, _| {}) else { continue };
        match sequences.slots().add_format(&format, &Arc::new(masks)) {
            Ok(id) => added.push((id, format)),
            Err(SlotsError::FormatBytes { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    added
}

/// A sequence, and the matcher whose answers it should give.
struct Followed {
    id: SlotId,
    matcher: Matcher,
}

fn opened(
    sequences: &mut DeviceSequences<Interpreter>,
    formats: &[(FormatId, Arc<Automaton>)],
    stops: Option<&[TokenId]>,
    random: &mut Random,
) -> Followed {
    let (format, automaton) = &formats[random.below(formats.len())];
    let id = sequences.open(*format).unwrap();
    let mut matcher = Matcher::new(Arc::clone(automaton), MaskStore::new(formats::vocabulary()));
    matcher.set_stop_tokens(stops);
    Followed { id, matcher }
}

/// Returns the matcher's outcome of a token.
fn expected(matcher: &mut Matcher, token: TokenId) -> TokenOutcome {
    match matcher.accept_token(token) {
        Ok(()) if matcher.is_terminated() => TokenOutcome::Ended,
        Ok(()) => TokenOutcome::Accepted,
        Err(MatchError::NotAllowed { .. } | MatchError::TokenNotAllowed { .. } | MatchError::Terminated) => {
            TokenOutcome::Refused
        }
        Err(error) => TokenOutcome::Failed(error),
    }
}

/// Returns the matcher's outcome of a run.
fn expected_run(matcher: &mut Matcher, run: &[TokenId]) -> SequenceRun {
    let mut expected_run = SequenceRun::default();
    for token in run {
        let found = expected(matcher, *token);
        expected_run.last = Some(found);
        expected_run.accepted += usize::from(matches!(found, TokenOutcome::Accepted | TokenOutcome::Ended));
        if found != TokenOutcome::Accepted {
            break;
        }
    }
    expected_run
}

/// Returns a run, most tokens of which are allowed. It may be longer than slots have room for.
fn random_run(matcher: &Matcher, random: &mut Random) -> Vec<TokenId> {
    let mut matcher = matcher.fork();
    let len = [0, 3, 40][random.below(3)];
    let mut run = Vec::new();
    for _ in 0..len {
        let allowed = matcher.mask().unwrap().tokens();
        let any = TokenId(random.below(formats::vocabulary().len() + 2) as u32);
        let is_any = allowed.is_empty() || random.below(60) == 0;
        run.push(if is_any { any } else { allowed[random.below(allowed.len())] });
        // Tokens after a refused one do not matter.
        matcher.accept_token(run[run.len() - 1]).ok();
    }
    run
}

/// Compares `steps` steps of sequences of random formats; returns the counts.
fn compare(seed: u64, steps: usize, stops: Option<&[TokenId]>) -> PlaceCounts {
    let mut random = Random::new(seed);
    let mut sequences = sequences(stops);
    let formats = formats_at_random(&mut sequences, &mut random);
    let mut all: Vec<Followed> = (0..SEQUENCES).map(|_| opened(&mut sequences, &formats, stops, &mut random)).collect();
    for step in 0..steps {
        let ids: Vec<SlotId> = all.iter().map(|one| one.id).collect();
        sequences.fill(&ids).unwrap();
        let masks = sequences.slots().read_masks(ids.len()).unwrap();
        for (one, mask) in all.iter_mut().zip(masks) {
            let mut words = vec![0; mask.len()];
            one.matcher.fill_mask(&mut words).unwrap();
            assert_eq!(mask, words, "seed {seed}, step {step}, {:?}", sequences.place(one.id));
        }
        if random.below(10) == 0 {
            let counts: Vec<(SlotId, u32)> = ids.iter().map(|id| (*id, random.below(30) as u32)).collect();
            let done = sequences.roll_back(&counts).unwrap();
            for ((one, (_, count)), done) in all.iter_mut().zip(counts).zip(done) {
                assert_eq!(done, one.matcher.rollback(count as usize).is_ok(), "seed {seed}, step {step}");
            }
            continue;
        }
        if random.below(5) == 0 {
            let runs: Vec<Vec<TokenId>> = all.iter().map(|one| random_run(&one.matcher, &mut random)).collect();
            let told: Vec<(SlotId, &[TokenId])> = ids.iter().copied().zip(runs.iter().map(Vec::as_slice)).collect();
            let found = sequences.run(&told).unwrap();
            for ((one, run), found) in all.iter_mut().zip(&runs).zip(found) {
                assert_eq!(found, expected_run(&mut one.matcher, run), "seed {seed}, step {step}, {run:?}");
            }
            continue;
        }
        let tokens: Vec<(SlotId, TokenId)> = all
            .iter_mut()
            .map(|one| {
                let allowed = one.matcher.mask().unwrap().tokens();
                let any = TokenId(random.below(formats::vocabulary().len() + 2) as u32);
                let is_any = allowed.is_empty() || random.below(20) == 0;
                (one.id, if is_any { any } else { allowed[random.below(allowed.len())] })
            })
            .collect();
        let found = sequences.advance(&tokens).unwrap();
        for ((one, (_, token)), found) in all.iter_mut().zip(tokens).zip(found) {
            let place = sequences.place(one.id);
            assert_eq!(found, expected(&mut one.matcher, token), "seed {seed}, step {step}, {token:?}, {place:?}");
        }
        for one in &mut all {
            if one.matcher.is_terminated() && random.below(2) == 0 {
                sequences.close(one.id).unwrap();
                *one = opened(&mut sequences, &formats, stops, &mut random);
            }
        }
    }
    sequences.counts().clone()
}

#[test]
fn sequences_are_like_their_matchers_on_host_and_device() {
    let first = ogc_kit::setting("OGC_SEED", 1);
    let mut sum = PlaceCounts::default();
    for round in 0.. {
        let reasons = [HostReason::Mask, HostReason::RollBack];
        let is_enough = sum.device_tokens > 600 && sum.host_tokens > 30 && sum.returned > 10;
        if round >= ogc_kit::setting("OGC_ROUNDS", 5)
            && is_enough
            && reasons.iter().all(|why| sum.left.contains_key(why))
        {
            break;
        }
        assert!(round < 50, "{sum:?}");
        let seed = first + round;
        // Every third comparison has stop tokens of its own.
        let stops = [TokenId(b'b'.into()), TokenId(b'"'.into())];
        let counts = compare(seed, 60, seed.is_multiple_of(3).then_some(&stops[..]));
        sum.device_tokens += counts.device_tokens;
        sum.host_tokens += counts.host_tokens;
        sum.returned += counts.returned;
        counts.left.into_iter().for_each(|(why, count)| *sum.left.entry(why).or_default() += count);
    }
}

/// A run with more nesting than a slot holds leaves the device in the middle, and is read to its end.
#[test]
fn a_run_can_leave_the_device_in_its_middle() {
    let store = MaskStore::new(formats::vocabulary());
    let format = formats::all().into_iter().find(|(name, _)| *name == "arrays").unwrap().1;
    let limits = PackLimits { threads: 1, ..PackLimits::default() };
    let masks = Arc::new(MaskPack::build(&format, &store, &limits, |_, _| {}).unwrap());
    let mut sequences = sequences(None);
    let format = sequences.slots().add_format(&format, &masks).unwrap();
    let id = sequences.open(format).unwrap();
    let run: Vec<TokenId> = [[b'['; 300], [b']'; 300]].concat().into_iter().map(|byte| TokenId(byte.into())).collect();
    let found = sequences.run(&[(id, &run)]).unwrap();
    assert_eq!(found, [SequenceRun { accepted: 600, last: Some(TokenOutcome::Accepted) }]);
    assert_eq!(sequences.place(id), Ok(SequencePlace::Host(HostReason::Step(ogc_cuda::Handover::Nodes))));
    let counts = sequences.counts();
    assert_eq!(counts.device_tokens + counts.host_tokens, 600);
    assert!(counts.device_tokens > 200 && counts.host_tokens >= 300, "{counts:?}");
    assert_eq!(sequences.tokens(id).unwrap(), run);
}

/// More frames than a slot holds are pushed, and popped again.
#[test]
fn a_deeply_nested_text_leaves_the_device_and_returns() {
    let store = MaskStore::new(formats::vocabulary());
    let format = formats::all().into_iter().find(|(name, _)| *name == "arrays").unwrap().1;
    let limits = PackLimits { threads: 1, ..PackLimits::default() };
    let masks = Arc::new(MaskPack::build(&format, &store, &limits, |_, _| {}).unwrap());
    let mut sequences = sequences(None);
    let format = sequences.slots().add_format(&format, &masks).unwrap();
    let id = sequences.open(format).unwrap();
    let mut places = Vec::new();
    for (at, byte) in [[b'['; 300], [b']'; 300]].concat().into_iter().enumerate() {
        assert_eq!(sequences.advance(&[(id, TokenId(byte.into()))]).unwrap(), [TokenOutcome::Accepted], "byte {at}");
        if at % 16 == 0 {
            sequences.fill(&[id]).unwrap();
        }
        places.push(sequences.place(id).unwrap());
    }
    let host = SequencePlace::Host(HostReason::Step(ogc_cuda::Handover::Nodes));
    assert_eq!((places[200], places[290], places[599]), (SequencePlace::Device, host, SequencePlace::Device));
    assert_eq!(sequences.counts().returned, 1);
    assert_eq!(sequences.counts().left.values().sum::<u64>(), 1);
    assert_eq!(sequences.tokens(id).unwrap().len(), 600);
}

#[test]
fn sequences_that_are_not_open_are_refused() {
    let mut sequences = sequences(None);
    let formats = formats_at_random(&mut sequences, &mut Random::new(5));
    let id = sequences.open(formats[0].0).unwrap();
    assert_eq!(sequences.advance(&[(id, TokenId(0)), (id, TokenId(0))]), Err(SlotsError::Closed { given: 0 }));
    assert_eq!(sequences.roll_back(&[(id, 1)]), Ok(vec![false]));
    assert_eq!(sequences.tokens(id), Ok(&[][..]));
    sequences.close(id).unwrap();
    assert_eq!(sequences.fill(&[id]), Err(SlotsError::Closed { given: 0 }));
    assert_eq!(sequences.close(id), Err(SlotsError::Closed { given: 0 }));
    let other = Arc::new(Vocabulary::from_tokens(&[Some("a")], &[]).unwrap());
    let pool = PoolLimits { rows: 1, blocks: 1 };
    let limits =
        SlotLimits { slots: 1, formats: 1, format_bytes: 256, pool, logits: 0, run_tokens: 16, draft_tokens: 0 };
    let slots = DeviceSlots::new(Interpreter::new(&MODULE), other, limits).unwrap();
    let error = DeviceSequences::new(slots, MaskStore::new(formats::vocabulary())).unwrap_err();
    assert!(error.to_string().contains("make a pool for each"), "{error}");
}
