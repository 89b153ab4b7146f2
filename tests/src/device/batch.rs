//! Steps a batch on the device and on the host, and compares each step.

use ogc_cuda::{DeviceFormat, DeviceMasks, DevicePool, Handover, Outcome, SampleOutcome};
use ogc_runtime::vocabulary::TokenId;

use super::logits::Logits;
use super::machine::{Begin, Machine, Tables, logit_count};
use super::sequence::{Command, Sequence};
use super::tally::Tally;
use super::{Proof, Size, Subject};
use ogc_kit::Random;

/// A batch while it runs.
struct Batch<'b, 'm> {
    proof: &'b Proof<'m>,
    subjects: &'b [Subject],
    machine: Machine<'m>,
    sequences: Vec<Sequence>,
    words: usize,
    tally: &'b mut Tally,
}

/// Compares a batch of sequences of formats; the rows of the formats go to the pool.
pub(super) fn run(
    proof: &Proof<'_>,
    subjects: &[Subject],
    pool: &mut DevicePool,
    size: Size,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let formats: Result<Vec<_>, String> = subjects.iter().map(|subject| tables(subject, pool)).collect();
    let mut sequences: Vec<Sequence> = (0..subjects.len() * size.sequences)
        .map(|at| Sequence::new(proof, subjects, at % subjects.len(), random))
        .collect();
    let begin = if random.one_in(2) { Begin::ByKernel } else { placed(proof, subjects, &mut sequences, random, tally) };
    if sequences.is_empty() {
        return Ok(());
    }
    let vocabulary = proof.store.vocabulary();
    let tables = Tables {
        vocabulary: &proof.on_device,
        tokens: vocabulary.len(),
        stops: vocabulary.eos().iter().map(|stop| stop.0).collect(),
        formats: formats?,
        numbers: sequences.iter().map(|sequence| sequence.subject as u32).collect(),
    };
    let logits = Logits::random(random, logit_count(sequences.len(), tables.tokens));
    let words = tables.tokens.div_ceil(32);
    tally.begin(subjects.iter().map(|subject| subject.name.as_str()), sequences.len());
    let machine = Machine::new(proof.module, &tables, pool, begin, logits, random.next() >> 1)?;
    let mut batch = Batch { proof, subjects, machine, sequences, words, tally };
    for _ in 0..size.steps {
        if batch.sequences.iter().all(|sequence| sequence.is_over) {
            break;
        }
        batch.step(random)?;
    }
    Ok(())
}

/// Lays a format and its masks out for a device.
fn tables(subject: &Subject, pool: &mut DevicePool) -> Result<(DeviceFormat, DeviceMasks), String> {
    let said = |error: String| format!("{}: {error}", subject.name);
    let format = DeviceFormat::new(&subject.automaton).map_err(|error| said(error.to_string()))?;
    let masks = DeviceMasks::new(&subject.automaton, &subject.pack, pool).map_err(|error| said(error.to_string()))?;
    Ok((format, masks))
}

/// Moves sequences to places in their texts; sequences that no slot can hold there are left out.
fn placed(
    proof: &Proof<'_>,
    subjects: &[Subject],
    sequences: &mut Vec<Sequence>,
    random: &mut Random,
    tally: &mut Tally,
) -> Begin {
    let mut images = Vec::new();
    sequences.retain_mut(|sequence| match sequence.placed(proof, random) {
        Ok(image) => {
            images.push(image);
            true
        }
        Err(error) => {
            tally.hand_over(&format!("no slot: {error}"), &subjects[sequence.subject].name);
            false
        }
    });
    Begin::At(images)
}

impl Batch<'_, '_> {
    /// Runs a command of each sequence.
    fn step(&mut self, random: &mut Random) -> Result<(), String> {
        let masks = self.masks()?;
        let mut commands: Vec<Command> = Vec::new();
        for (sequence, mask) in self.sequences.iter_mut().zip(&masks) {
            let next = mask.as_ref().map_or(Command::Nothing, |mask| sequence.next(self.proof, mask, random));
            // If the device has no mask, nothing is chosen there.
            commands.push(match next {
                Command::Sample if !sequence.is_masked => {
                    let highest = mask.as_ref().and_then(|mask| self.machine.highest(0, mask));
                    highest.map_or(Command::Nothing, |token| Command::Token(TokenId(token)))
                }
                command => command,
            });
        }
        self.sample(&mut commands, &masks)?;
        let found = self.machine.step(&commands)?;
        for (at, (command, found)) in commands.into_iter().zip(found).enumerate() {
            self.compare(at, command, found);
        }
        Ok(())
    }

    /// Compares the masks of all sequences; returns the masks of the matchers that go on.
    fn masks(&mut self) -> Result<Vec<Option<Vec<u32>>>, String> {
        let mut expected = Vec::new();
        for sequence in &mut self.sequences {
            let mask = if sequence.is_over { None } else { sequence.mask(self.words) };
            if mask.is_none() && !sequence.is_over {
                sequence.is_over = true;
                self.tally.given_up += 1;
            }
            expected.push(mask);
        }
        let is_asked: Vec<bool> =
            self.sequences.iter().map(|sequence| sequence.is_masked && !sequence.is_over).collect();
        let found = self.machine.masks(&is_asked)?;
        for (at, (expected, found)) in expected.iter_mut().zip(found).enumerate() {
            if !is_asked[at] {
                continue;
            }
            match found {
                None => self.leave(at, "mask"),
                Some(found) if Some(&found) == expected.as_ref() => {
                    self.tally.masks += 1;
                    continue;
                }
                Some(_) => self.differ(at, "its mask differs"),
            }
            *expected = None;
        }
        Ok(expected)
    }

    /// Lets the device choose tokens, which replace the commands.
    fn sample(&mut self, commands: &mut [Command], masks: &[Option<Vec<u32>>]) -> Result<(), String> {
        if !commands.contains(&Command::Sample) {
            return Ok(());
        }
        let sampled = self.machine.sample(commands)?;
        for (at, (outcome, first)) in sampled.into_iter().enumerate() {
            let expected = match (&commands[at], &masks[at]) {
                (Command::Sample, Some(mask)) => self.machine.highest(first, mask).map(SampleOutcome::Token),
                _ => Some(SampleOutcome::Nothing),
            };
            let expected = expected.unwrap_or(SampleOutcome::NoToken);
            if outcome != expected {
                self.differ(at, &format!("{outcome:?} was chosen instead of {expected:?}"));
                commands[at] = Command::Nothing;
            } else if let SampleOutcome::Token(token) = outcome {
                self.tally.chosen += 1;
                commands[at] = Command::Token(TokenId(token));
            }
        }
        Ok(())
    }

    /// Compares the outcome of a command.
    fn compare(&mut self, at: usize, command: Command, found: Outcome) {
        if let Outcome::Host(why) = found
            && why != Handover::Before
            && matches!(command, Command::Token(_))
        {
            return self.leave(at, &format!("{why:?}"));
        }
        match self.sequences[at].follow(command) {
            Some(expected) if expected == found => self.tally.add(matches!(command, Command::Back(_)), found),
            Some(expected) => self.differ(at, &format!("{found:?} instead of {expected:?}")),
            None => {
                self.sequences[at].is_over = true;
                self.tally.given_up += 1;
            }
        }
    }

    /// Leaves a sequence to the host.
    fn leave(&mut self, at: usize, why: &str) {
        let sequence = &mut self.sequences[at];
        sequence.is_over = true;
        self.tally.hand_over(why, &self.subjects[sequence.subject].name);
    }

    /// Notes a difference, which ends a sequence.
    fn differ(&mut self, at: usize, what: &str) {
        let sequence = &mut self.sequences[at];
        sequence.is_over = true;
        let name = &self.subjects[sequence.subject].name;
        self.tally.differences.push(format!("{name}: {what} after {}", sequence.history()));
    }
}
