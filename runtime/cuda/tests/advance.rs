//! Compares the kernels that move sequences by tokens, as shipped and run by the interpreter, with the matcher: sequences of several
//! formats side by side, with tokens taken back in between.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::formats;
use crate::framed;
use crate::mirror;
use crate::random;
use crate::script;

use std::sync::Arc;

use ogc_cuda::{ADVANCE_PTX, DeviceFormat, DeviceVocabulary, Outcome, SLOT_BYTES};
use ogc_kit::Random;
use ogc_ptx::{Argument, BufferId, Device, Launch, Module};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateId, StateKind};
use ogc_runtime::mask::MaskStore;
use script::{Script, Subject, assert_agrees, decided};

/// Number of sequences in a batch.
const BATCH: usize = 12;

/// Sequences on a device, each in a slot of its own, in random order.
struct Batch<'m> {
    device: Device<'m>,
    slots: BufferId,
    slot_numbers: BufferId,
    formats: BufferId,
    vocabulary: BufferId,
    numbers: BufferId,
    outcomes: BufferId,
    seed: u64,
}

impl<'m> Batch<'m> {
    fn new(module: &'m Module, formats: &[Arc<Automaton>], format_numbers: &[u32], seed: u64) -> Self {
        let mut device = mirror::device(module);
        let addresses: Vec<u64> = formats
            .iter()
            .flat_map(|format| {
                let buffer = device.buffer("format", DeviceFormat::new(format).unwrap().bytes());
                [device.address(buffer).unwrap(), 0]
            })
            .collect();
        let formats = device.buffer("formats", &addresses);
        let vocabulary = device.buffer("vocabulary", DeviceVocabulary::new(&formats::vocabulary()).bytes());
        let slots = device.empty("slots", 2 * BATCH * SLOT_BYTES);
        let slot_numbers: Vec<u32> = (0..BATCH as u32).map(|at| (at * 7 + 3) % (2 * BATCH as u32 - 1)).collect();
        let slot_numbers = device.buffer("slot numbers", &slot_numbers);
        let numbers = device.buffer("numbers", format_numbers);
        let outcomes = device.empty("outcomes", 4 * BATCH);
        let mut batch = Self { device, slots, slot_numbers, formats, vocabulary, numbers, outcomes, seed };
        let arguments = [slots, slot_numbers, formats, numbers].map(Argument::Buffer);
        batch.launch("ogc_begin", &arguments);
        batch
    }

    /// Launches a kernel over all sequences, two warps a block.
    fn launch(&mut self, kernel: &str, arguments: &[Argument]) {
        let arguments = [arguments, &[Argument::U32(BATCH as u32)]].concat();
        let launch = Launch { seed: self.seed, ..Launch::new(kernel, BATCH.div_ceil(2) as u32, 64) };
        self.device.launch(&launch, &arguments).unwrap_or_else(|fault| panic!("{fault}"));
        self.seed += 1;
    }

    fn outcomes(&self) -> Vec<Outcome> {
        let outcomes: Vec<u32> = self.device.read(self.outcomes).unwrap();
        outcomes.into_iter().map(|number| Outcome::from_number(number).unwrap()).collect()
    }

    /// Executes one command of each sequence: tokens first, then tokens to take back.
    fn step(&mut self, commands: &[Option<i32>]) -> Vec<Outcome> {
        let tokens: Vec<i32> = commands.iter().map(|command| command.map_or(-1, |command| command.max(-1))).collect();
        let back: Vec<i32> = commands.iter().map(|command| command.map_or(0, |command| -command.min(0))).collect();
        self.device.write(self.numbers, &tokens).unwrap();
        let advance = [self.slots, self.slot_numbers, self.formats, self.vocabulary, self.numbers, self.outcomes];
        self.launch("ogc_advance", &advance.map(Argument::Buffer));
        let mut outcomes = self.outcomes();
        self.device.write(self.numbers, &back).unwrap();
        let rollback = [self.slots, self.slot_numbers, self.numbers, self.outcomes];
        self.launch("ogc_rollback", &rollback.map(Argument::Buffer));
        for (at, outcome) in self.outcomes().into_iter().enumerate().filter(|(at, _)| back[*at] > 0) {
            assert_eq!(outcomes[at], Outcome::None);
            outcomes[at] = outcome;
        }
        outcomes
    }
}

fn letter(outcome: Outcome) -> Option<char> {
    match outcome {
        Outcome::None => None,
        Outcome::Accepted => Some('a'),
        Outcome::Ended => Some('e'),
        Outcome::Refused => Some('r'),
        Outcome::Host(why) => Some((b'A' + why as u8).into()),
    }
}

/// Runs scripts side by side, each with its format, and compares the outcomes. Returns the number of commands that the device decided.
fn compare(module: &Module, formats: &[Arc<Automaton>], numbers: &[u32], scripts: &[Script], seed: u64) -> usize {
    let mut batch = Batch::new(module, formats, numbers, seed);
    let mut found = vec![String::from("a"); BATCH];
    for step in 0..scripts.iter().map(|script| script.commands.len()).max().unwrap_or(0) {
        let of = |at: usize| scripts[at].commands.get(step).copied().filter(|_| decided(&found[at]).1.is_none());
        let commands: Vec<Option<i32>> = (0..BATCH).map(of).collect();
        for (said, outcome) in found.iter_mut().zip(batch.step(&commands)) {
            said.extend(letter(outcome));
        }
    }
    for (script, found) in scripts.iter().zip(&found) {
        // In these kernels, only stop tokens tell whether a text may end.
        let script = Script { said: script.said.replace('c', "a"), ..script.clone() };
        assert_agrees(&format!("seed {seed}"), &script, found);
    }
    found.iter().map(|found| decided(found).0.len() - 1).sum()
}

#[test]
fn sequences_of_several_formats_advance_like_the_matcher() {
    let module = ogc_ptx::parse(ADVANCE_PTX.to_str().unwrap()).unwrap_or_else(|error| panic!("{error}"));
    let first = ogc_kit::setting("OGC_SEED", 1);
    let rounds = ogc_kit::setting("OGC_ROUNDS", 6);
    let mut decided = 0;
    for seed in first..first + rounds {
        let mut random = Random::new(seed);
        let known = formats::all();
        let of = |random: &mut Random| {
            random::random_format(random).unwrap_or_else(|| Arc::clone(&known[random.below(known.len())].1))
        };
        let mut all: Vec<Arc<Automaton>> = (0..3).map(|_| of(&mut random)).collect();
        all.extend((0..3).map(|_| Arc::clone(&known[random.below(known.len())].1)));
        let numbers: Vec<u32> = (0..BATCH).map(|_| random.below(all.len()) as u32).collect();
        let store = MaskStore::new(formats::vocabulary());
        let script = |number: &u32| {
            let (format, store) = (Arc::clone(&all[*number as usize]), Arc::clone(&store));
            Subject { format, store, stops: None }.random_script(&mut random, 30)
        };
        let scripts: Vec<Script> = numbers.iter().map(script).collect();
        decided += compare(&module, &all, &numbers, &scripts, seed);
    }
    assert!(decided > 100 * rounds as usize, "{decided}");
}

/// Returns a format whose texts begin with the token `x`, in two readings, or are `ab`, with each letter in a frame of its own.
fn named_or_spelled() -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rules = ["named", "one", "other", "letter", "spelled", "texts"].map(|name| builder.rule(name, 0));
    let states = rules.map(|rule| {
        let states: [StateId; 4] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
        builder.start(rule, states[0]);
        builder.accept(states[3]);
        states
    });
    let [named, one, other, letter, spelled, texts] = states;
    let marker = builder.token("x");
    let &[first, second, last] = marker.as_slice() else { panic!("the marker of `x` has {} bytes", marker.len()) };
    for (byte, from, to) in [
        (first, named[0], named[1]),
        (second, named[1], named[2]),
        (last, named[2], named[3]),
        (b'y', one[1], one[3]),
        (b'z', other[1], other[3]),
        (b'a', letter[0], letter[3]),
        (b'b', spelled[1], spelled[3]),
    ] {
        builder.edge(from, byte, byte, OpId::NONE, to);
    }
    for (from, rule, to) in [
        (one[0], rules[0], one[1]),
        (other[0], rules[0], other[1]),
        (spelled[0], rules[3], spelled[1]),
        (texts[0], rules[1], texts[3]),
        (texts[0], rules[2], texts[3]),
        (texts[0], rules[4], texts[3]),
    ] {
        builder.call(from, formats::call(rule, to, 0, 0));
    }
    Arc::new(builder.finish((rules[5], 0, 0), false, Escapes::Any).unwrap())
}

/// Frames that were pushed for the name are overwritten for the text, once all lanes have finished with them.
#[test]
fn a_token_refused_as_special_is_read_as_text() {
    let module = ogc_ptx::parse(ADVANCE_PTX.to_str().unwrap()).unwrap_or_else(|error| panic!("{error}"));
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 1));
    let store = MaskStore::new(formats::vocabulary());
    let subject = Subject { format: named_or_spelled(), store, stops: None };
    let scripts: Vec<Script> = (0..BATCH).map(|_| subject.random_script(&mut random, 6)).collect();
    compare(&module, &[Arc::clone(&subject.format)], &[0; BATCH], &scripts, 1);
}

#[test]
fn arenas_are_compacted_by_a_warp() {
    let module = ogc_ptx::parse(ADVANCE_PTX.to_str().unwrap()).unwrap_or_else(|error| panic!("{error}"));
    let seed = ogc_kit::setting("OGC_SEED", 1);
    let mut random = Random::new(seed);
    let store = MaskStore::new(formats::vocabulary());
    let subject = Subject { format: framed::framed(false), store, stops: None };
    let scripts: Vec<Script> = (0..BATCH).map(|_| framed::walk(&subject, &mut random, 300)).collect();
    let decided = compare(&module, &[subject.format], &[0; BATCH], &scripts, seed);
    assert!(decided > 100 * BATCH, "{decided}");
}
