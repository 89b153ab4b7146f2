//! Writes several texts that share passes. A text is shown when it and all texts before it have ended.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use always_assert::never;
use ogc_generate::{Choices, Generated, LoadedModel, Sequence, pass};
use ogc_runtime::mask::MaskStore;
use ogc_workbench::words::counted;

use super::formats::Format;
use super::page::{self, Answer};
use super::wanted::Wanted;
use super::{message, refused};
use crate::args::Generate;
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::verdict::Verdict;

/// The generated text, or the reason why there is none.
type Outcome = Result<Generated, String>;

/// Shows outcomes in the order of the requests.
struct ShownTexts<'a> {
    wanted: &'a [Wanted],
    output: &'a Output,
    waiting: BTreeMap<usize, Outcome>,
    next: usize,
    failed: usize,
    tokens: usize,
    forced: usize,
    choices: Choices,
    /// The texts shown so far, by the indices of their requests; kept only if a page needs them.
    kept: Option<Vec<(usize, Generated)>>,
}

pub(super) fn run(
    wanted: &[Wanted],
    formats: &[Format],
    args: &Generate,
    (loaded, store): (&LoadedModel, &Arc<MaskStore>),
    output: &Output,
) -> Result<Verdict, Problem> {
    let mut shown = ShownTexts {
        wanted,
        output,
        waiting: BTreeMap::new(),
        next: 0,
        failed: 0,
        tokens: 0,
        forced: 0,
        choices: Choices::default(),
        kept: args.html.as_ref().map(|_| Vec::new()),
    };
    let (start, mut passes) = (Instant::now(), 0);
    let mut waiting: VecDeque<usize> = (0..wanted.len()).collect();
    let mut running: Vec<(usize, Sequence)> = Vec::new();
    while !(waiting.is_empty() && running.is_empty()) {
        while running.len() < args.slots.get()
            && let Some(at) = waiting.pop_front()
        {
            let begun = wanted[at].request(at as u64, args, loaded).and_then(|request| {
                let matcher = formats[at].matcher(store);
                Sequence::new(loaded, matcher, request).map_err(|error| refused(&wanted[at], &error))
            });
            match begun {
                Ok(sequence) => running.push((at, sequence)),
                Err(problem) => shown.add(at, Err(problem.to_string()))?,
            }
        }
        let mut sequences: Vec<&mut Sequence> = running.iter_mut().map(|(_, sequence)| sequence).collect();
        let results = pass(loaded, &mut sequences);
        let results = results.map_err(|error| super::engine(&wanted[shown.next.min(wanted.len() - 1)], &error))?;
        passes += 1;
        let mut going_on = Vec::new();
        for ((at, sequence), result) in running.into_iter().zip(results) {
            match (result, sequence.ended()) {
                (Err(error), _) => shown.add(at, Err(refused(&wanted[at], &error).to_string()))?,
                (Ok(()), Some(_)) => shown.add(at, Ok(sequence.into_generated()))?,
                (Ok(()), None) => going_on.push((at, sequence)),
            }
        }
        running = going_on;
        if output.is_unread() {
            break;
        }
    }
    if loaded.model.is_on_device() {
        output.aside(&format!("tokens: {}", shown.choices))?;
    }
    let kept = shown.kept.take().unwrap_or_default();
    let answer = |(at, generated): (usize, Generated)| Answer::new(&wanted[at], &formats[at], generated);
    let answers: Vec<Answer<'_>> = kept.into_iter().map(answer).collect();
    let verdict = shown.finish(passes, start.elapsed())?;
    page::write(&answers, args, &loaded.vocabulary, output)?;
    Ok(verdict)
}

impl ShownTexts<'_> {
    fn add(&mut self, at: usize, outcome: Outcome) -> Result<(), Problem> {
        self.waiting.insert(at, outcome);
        while let Some(outcome) = self.waiting.remove(&self.next) {
            let line = self.wanted[self.next].line.unwrap_or_else(|| {
                never!("text {} of several was asked for by no line", self.next);
                self.next + 1
            });
            match outcome {
                Ok(generated) => {
                    self.show(line, &generated)?;
                    let at = self.next;
                    self.kept.as_mut().into_iter().for_each(|kept| kept.push((at, generated.clone())));
                }
                Err(reason) => {
                    self.failed += 1;
                    if self.output.is_json() {
                        self.output.say(&Message::NotGenerated { request: line, message: reason.clone() })?;
                    }
                    self.output.aside(&format!("error: {reason}"))?;
                }
            }
            self.next += 1;
        }
        Ok(())
    }

    fn show(&mut self, line: usize, generated: &Generated) -> Result<(), Problem> {
        self.tokens += generated.statistics.tokens;
        self.forced += generated.statistics.forced;
        self.choices.add(&generated.statistics.choices);
        match self.output.is_json() {
            true => self.output.say(&message(Some(line), generated))?,
            false => self.output.data(&format!("{}\n", generated.text))?,
        }
        Ok(())
    }

    fn finish(self, passes: usize, time: Duration) -> Result<Verdict, Problem> {
        let texts = counted(self.wanted.len() - self.failed, "text");
        let (tokens, forced, speed) = (self.tokens, self.forced, self.tokens as f64 / time.as_secs_f64().max(1e-9));
        self.output.aside(&format!(
            "{texts}: {tokens} tokens, {forced} forced, in {passes} passes, {speed:.1} tokens/s with their prompts"
        ))?;
        Ok(if self.failed == 0 { Verdict::Good } else { Verdict::Bad })
    }
}
