//! Writes texts with a model of libllama under a sampler, and measures the steps.

use std::time::{Duration, Instant};

use super::formats::{Case, judge};
use super::library::{Candidate, Chain, Llama};

/// The order of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// All tokens that may not come are excluded, then one is chosen, as in a chain of samplers.
    MaskFirst,
    /// A token is chosen; only if it may not come are all others checked, as in the programs of llama.cpp.
    SampleFirst,
}

/// The work of an arm.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    pub(super) texts: u32,
    pub(super) valid: u32,
    pub(super) cut_off: u32,
    pub(super) tokens: u32,
    /// The number of times that the first choice was rejected.
    pub(super) refused: u32,
    pub(super) making: Duration,
    pub(super) model: Duration,
    /// The time to choose without the format.
    pub(super) choosing: Duration,
    pub(super) sampler: Duration,
    pub(super) slowest: Duration,
}

/// The parameters for writing texts.
pub(super) struct Texts<'a> {
    /// The tokens of the prompt, which were read.
    pub(super) prompt: &'a [i32],
    pub(super) max_tokens: u32,
    pub(super) temperature: f32,
    pub(super) seed: usize,
}

impl Texts<'_> {
    /// Writes a text, judges it, and adds it to the work.
    pub(super) fn write(&self, llama: &mut Llama, sampler: Chain, order: Order, case: &Case, work: &mut Work) {
        let plain = llama.chain(None, self.temperature, self.seed as u32);
        let mut step = Step { sampler, plain, all: Vec::new() };
        let Some((&last, before)) = self.prompt.split_last() else { return };
        llama.forget_from(before.len());
        let (mut next, mut text, mut has_ended) = (last, Vec::new(), false);
        for _ in 0..=self.max_tokens {
            let begin = Instant::now();
            llama.read(&[next], false);
            work.model += begin.elapsed();
            next = step.take(llama, order, work);
            work.tokens += 1;
            has_ended = llama.is_end(next);
            if has_ended {
                break;
            }
            text.extend(llama.piece(next));
        }
        work.texts += 1;
        work.cut_off += u32::from(!has_ended);
        let is_valid = has_ended && judge(case, &String::from_utf8_lossy(&text)).is_ok();
        work.valid += u32::from(is_valid);
        if has_ended && !is_valid {
            println!("not valid: {}: {:?}", case.name, String::from_utf8_lossy(&text));
        }
    }
}

/// The data that a step needs.
struct Step {
    sampler: Chain,
    plain: Chain,
    /// All tokens; a buffer.
    all: Vec<Candidate>,
}

impl Step {
    /// Chooses a token by the last logits, and accepts it.
    fn take(&mut self, llama: &Llama, order: Order, work: &mut Work) -> i32 {
        let begin = Instant::now();
        llama.candidates(&mut self.all);
        work.choosing += begin.elapsed();
        let mut own = Duration::ZERO;
        if order == Order::MaskFirst {
            own += timed(|| self.sampler.apply(&mut self.all)).1;
        }
        let (mut token, choosing) = timed(|| self.choose());
        work.choosing += choosing;
        if order == Order::SampleFirst {
            own += timed(|| {
                if !self.may_come(token) {
                    work.refused += 1;
                    llama.candidates(&mut self.all);
                    self.sampler.apply(&mut self.all);
                    token = self.choose();
                }
            })
            .1;
        }
        own += timed(|| self.sampler.accept(token)).1;
        work.sampler += own;
        work.slowest = work.slowest.max(own);
        token
    }

    fn choose(&mut self) -> i32 {
        self.plain.apply(&mut self.all).unwrap_or(-1)
    }

    fn may_come(&mut self, token: i32) -> bool {
        let mut only = [Candidate::new(token, 1.0)];
        self.sampler.apply(&mut only);
        only[0].logit > f32::NEG_INFINITY
    }
}

fn timed<T>(act: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let done = act();
    (done, begin.elapsed())
}
