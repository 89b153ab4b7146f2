//! One text of another server: asks for it, follows it, and has it begun again or gone on with where it leaves its format.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use always_assert::never;
use ogc_runtime::cache::Client;
use ogc_runtime::captures::Content;
use ogc_runtime::events::{EventError, EventReader};
use ogc_runtime::matcher::MatchError;
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use super::{Job, Told, not_followed};
use crate::answer::{Answer, Beyond, Delta, Finish, Prefix};
use crate::api::ApiError;
use crate::peer;
use crate::texts::{Step, logprobs};
use crate::upstream::calls::Calls;
use crate::upstream::piece::{End, Piece};
use crate::upstream::request::{Ask, body, goes_on};
use crate::upstream::verify::{Verifier, Violation};

/// The longest answer of another server, in bytes of its stream.
const MAX_TEXT: usize = 64 << 20;

/// A text that another server writes.
pub(super) struct Writing {
    job: Arc<Job>,
    choice: usize,
    client: Client,
    steps: Sender<Result<Step, ApiError>>,
    /// The violations of the attempts before this one.
    violations: Vec<Violation>,
    /// How often the text was begun again.
    begun_before: usize,
    /// Whether the client has got text that cannot be taken back.
    is_sent: bool,
    text: Growing,
}

/// The text since it was begun last.
struct Growing {
    /// Follows the text; nothing where any text is right.
    verifier: Option<Verifier>,
    calls: Calls,
    answer: Answer,
    /// What is of the format.
    good: String,
    /// The pieces that came, about as many as tokens.
    pieces: usize,
    /// Their bytes in the stream.
    bytes: usize,
    /// Says where a stop string may end the text.
    prefix: Option<Prefix>,
    /// Text that is not of the format, and may yet be a stop string.
    refused: Option<Violation>,
    /// Whether the other server refused to answer.
    is_refusal: bool,
    /// What an answer that is sent at once has so far.
    held: Vec<Step>,
}

/// How an attempt ended.
enum Outcome {
    Ended(Finish),
    Violated(Violation),
}

/// The reason why a text is given up.
enum Stopped {
    /// Nobody listens any more.
    Gone,
    Failed(ApiError),
}

impl From<ApiError> for Stopped {
    fn from(error: ApiError) -> Self {
        Self::Failed(error)
    }
}

impl From<EventError> for Stopped {
    fn from(error: EventError) -> Self {
        Self::Failed(ApiError::of_events(&error))
    }
}

impl From<MatchError> for Stopped {
    fn from(error: MatchError) -> Self {
        Self::Failed(not_followed(&error))
    }
}

impl Growing {
    fn begin(job: &Job) -> Self {
        let store = &job.writer.store;
        let content = job.format.as_ref().map_or(&Content::Text, |format| &format.content);
        let events = job.passed.stream_events.then(|| EventReader::new(content));
        let verifier = |format| Verifier::new(format, store, "content".to_owned());
        Self {
            prefix: job.format.as_deref().map(|format| Prefix::new(format.matcher(store))),
            refused: None,
            is_refusal: false,
            verifier: job.format.as_deref().map(verifier),
            calls: Calls::new(Arc::clone(&job.tools), Arc::clone(store)),
            answer: Answer::new(job.passed.stop.clone(), None, events),
            good: String::new(),
            pieces: 0,
            bytes: 0,
            held: Vec::new(),
        }
    }

    /// Reads more of the content; returns what may be passed on, whether it is all of it, and why the rest may not.
    fn content(&mut self, text: &str) -> Result<(Vec<Delta>, bool, Option<Violation>), Stopped> {
        if let Some(violation) = self.refused.take() {
            return self.beyond(text, violation);
        }
        let Some(verifier) = &mut self.verifier else { return Ok((self.add(text)?, true, None)) };
        let verified = verifier.grow(text)?;
        let is_all = verified.text == text;
        let mut deltas = self.add(&verified.text)?;
        match verified.refused.filter(|_| !self.answer.is_stopped()) {
            None => Ok((deltas, is_all, None)),
            Some((rest, violation)) => {
                let (more, _, violation) = self.beyond(&rest, violation)?;
                deltas.extend(more);
                Ok((deltas, false, violation))
            }
        }
    }

    /// Reads text that is not of the format: a stop string may end the text before it.
    fn beyond(&mut self, text: &str, violation: Violation) -> Result<(Vec<Delta>, bool, Option<Violation>), Stopped> {
        let prefix = &mut self.prefix;
        match self.answer.grow_beyond(text, |before| prefix.as_mut().is_none_or(|prefix| prefix.is_whole(before)))? {
            Beyond::Stopped(deltas) => Ok((deltas, false, None)),
            Beyond::Waiting(deltas) => {
                self.refused = Some(violation);
                Ok((deltas, false, None))
            }
            Beyond::NoStop => Ok((Vec::new(), false, Some(violation))),
        }
    }

    /// Adds text that is of the format; a stop string ends it where the format lets it end.
    fn add(&mut self, text: &str) -> Result<Vec<Delta>, Stopped> {
        self.good.push_str(text);
        let prefix = &mut self.prefix;
        Ok(self.answer.grow(text, |before| prefix.as_mut().is_none_or(|prefix| prefix.is_whole(before)))?)
    }

    /// Ends the text; returns what was kept back, and what is missing.
    fn end(&mut self) -> Result<(Vec<Delta>, Option<Violation>), Stopped> {
        if self.is_refusal && !self.has_text() {
            return Ok((Vec::new(), None));
        }
        if let Some(violation) = self.refused.take() {
            return Ok((Vec::new(), Some(violation)));
        }
        let (mut deltas, violation) = self.calls.end()?;
        let must_have_text = self.has_text() || self.calls.len() == 0;
        match self.verifier.as_mut().filter(|_| violation.is_none() && must_have_text) {
            None => Ok((deltas, violation)),
            Some(verifier) => {
                let (added, violation) = verifier.end()?;
                deltas.extend(self.add(&added)?);
                Ok((deltas, violation))
            }
        }
    }

    /// Keeps a step until the text has ended; one that goes on with the text before it becomes a part of it.
    fn hold(&mut self, mut step: Step) {
        if let Some(last) = self.held.last_mut()
            && let (Some(Delta::Content(text)), [Delta::Content(more)]) = (last.deltas.last_mut(), &step.deltas[..])
        {
            text.push_str(more);
            step.deltas.clear();
            if let Some(more) = step.logprobs.take() {
                logprobs::append(&mut last.logprobs, more);
            }
            return;
        }
        self.held.push(step);
    }

    /// Returns whether there is text, in whose place calls may stand.
    fn has_text(&self) -> bool {
        !self.good.is_empty()
    }

    /// Returns whether the answer is whole.
    fn is_whole(&self) -> bool {
        let may_lack_text = self.calls.len() > 0 && !self.has_text();
        let is_text = may_lack_text || self.verifier.as_ref().is_none_or(Verifier::is_whole);
        !self.is_refusal && self.calls.is_whole() && is_text
    }
}

impl Writing {
    pub(super) fn new(job: Arc<Job>, choice: usize, steps: Sender<Result<Step, ApiError>>) -> Self {
        let text = Growing::begin(&job);
        Self { job, choice, client: peer::current(), steps, violations: Vec::new(), begun_before: 0, is_sent: false, text }
    }

    /// Writes the text, and tells of it.
    pub(super) async fn run(mut self) {
        let slot = self.job.writer.slots.turn(self.client).await;
        never!(slot.is_none(), "as many texts wait as there are places");
        if let Err(Stopped::Failed(error)) = self.write().await {
            // Nobody listens where this fails.
            drop(self.steps.send(Err(error)).await);
        }
        drop(slot);
    }

    async fn write(&mut self) -> Result<(), Stopped> {
        loop {
            self.job.shared.metrics.upstream_requests.add(1);
            match self.attempt().await? {
                Outcome::Ended(finish) => return self.finish(finish).await,
                Outcome::Violated(violation) => {
                    self.job.shared.metrics.violations.add(1);
                    self.violations.push(violation);
                    self.prepare_next().await?;
                    // What the format forces may have made it whole.
                    if self.text.has_text() && self.text.verifier.as_mut().is_some_and(Verifier::is_over) {
                        return self.finish(Finish::Stop).await;
                    }
                }
            }
        }
    }

    /// Asks for the text, and follows it to its end or to the first byte that is not of the format.
    async fn attempt(&mut self) -> Result<Outcome, Stopped> {
        let job = Arc::clone(&self.job);
        let (passed, upstream) = (&job.passed, &job.writer.upstream);
        let constraint = match &job.constraint {
            Told::Constraint(constraint) => Some(constraint),
            Told::Nothing | Told::AsWritten | Told::NotExpressible(_) => None,
        };
        let (choice, begun_before) = (self.choice, self.begun_before);
        let ask = Ask { choice, begun_before, so_far: &self.text.good, spent: self.text.pieces };
        let body = body(passed, upstream.options.dialect, constraint, ask);
        let path = passed.shape.path().trim_start_matches("/v1");
        let mut stream = upstream.ask(path, job.key.as_ref(), &body).await?;
        let (mut end, mut usage, mut pieces) = (None, None, 0);
        let mut outcome = None;
        while let Some(piece) = stream.next().await? {
            usage = piece.usage.or(usage);
            end = piece.end.or(end);
            pieces += usize::from(!piece.content.is_empty() || !piece.calls.is_empty());
            let violation = self.read(piece).await?;
            let is_stopped = self.text.answer.is_stopped();
            outcome = is_stopped.then_some(Outcome::Ended(Finish::Stop)).or(violation.map(Outcome::Violated));
            if outcome.is_some() {
                break;
            }
        }
        self.text.pieces += pieces;
        let (prompt, written) = usage.map_or((0, pieces), |usage| (usage.prompt_tokens, usage.completion_tokens));
        job.prompt_tokens.fetch_add(prompt, Ordering::Relaxed);
        job.tokens.fetch_add(written, Ordering::Relaxed);
        job.shared.metrics.tokens.add(written as u64);
        match (outcome, end) {
            (Some(outcome), _) => Ok(outcome),
            (None, None) => Err(ApiError::upstream(None, "its answer broke off").into()),
            (None, Some(end)) => self.end(end).await,
        }
    }

    /// Reads a piece of the answer, and passes on what is of the format; returns why the rest is not.
    async fn read(&mut self, piece: Piece) -> Result<Option<Violation>, Stopped> {
        let Piece { content, beside, calls, logprobs, bytes, .. } = piece;
        self.text.bytes += bytes;
        if self.text.bytes > MAX_TEXT {
            return Err(ApiError::upstream(None, &format!("its answer has more than {MAX_TEXT} bytes")).into());
        }
        self.text.is_refusal |= beside.iter().any(|(field, _)| *field == "refusal");
        let mut step = Step::of(self.choice);
        // The client has the reasoning of the first attempt already.
        if self.violations.is_empty() || !self.job.passed.stream {
            step.deltas.extend(beside.into_iter().map(|(field, text)| Delta::OtherField { field, text }));
        }
        let (deltas, is_all, mut violation) = self.text.content(&content)?;
        step.deltas.extend(deltas);
        for call in calls {
            if violation.is_none() {
                let (deltas, found) = self.text.calls.grow(call)?;
                step.deltas.extend(deltas);
                violation = found;
            }
        }
        // Probabilities would show tokens that are not passed on.
        step.logprobs = logprobs.filter(|_| is_all && violation.is_none() && !self.text.answer.is_stopped());
        self.pass(step).await?;
        Ok(violation)
    }

    /// Decides about a text that the other server has ended.
    async fn end(&mut self, end: End) -> Result<Outcome, Stopped> {
        let cut = match end {
            End::Length => Some(Finish::Length),
            End::Filter => Some(Finish::Filter),
            End::Whole => None,
        };
        let (deltas, violation) = if cut.is_some() { (Vec::new(), None) } else { self.text.end()? };
        if let Some(violation) = violation {
            return Ok(Outcome::Violated(violation));
        }
        self.pass(Step { deltas, ..Step::of(self.choice) }).await?;
        let whole = if self.text.calls.len() > 0 { Finish::ToolCalls } else { Finish::Stop };
        Ok(Outcome::Ended(cut.unwrap_or(whole)))
    }

    /// Begins the text again or has it gone on with, if that may help; otherwise gives it up.
    ///
    /// A text of which the client has something cannot be begun again, and greedy decoding would repeat the same text.
    async fn prepare_next(&mut self) -> Result<(), Stopped> {
        let (passed, dialect) = (&self.job.passed, self.job.writer.upstream.options.dialect);
        let attempts = self.violations.len();
        let may_try = attempts <= self.job.writer.upstream.options.retries;
        let has_calls = self.text.calls.len() > 0 || self.violations.last().is_some_and(|last| last.part != "content");
        if may_try && !self.is_sent && !passed.is_greedy {
            self.begun_before += 1;
            self.text = Growing::begin(&self.job);
            return Ok(());
        }
        if may_try && goes_on(passed.shape, dialect) && !has_calls {
            let forced = match &mut self.text.verifier {
                Some(verifier) => verifier.read_forced()?,
                None => String::new(),
            };
            let deltas = self.text.add(&forced)?;
            self.pass(Step { deltas, ..Step::of(self.choice) }).await?;
            if !self.text.good.is_empty() {
                return Ok(());
            }
        }
        let Some(last) = self.violations.last() else {
            never!("text {} is given up without a violation", self.choice);
            return Err(ApiError::defect("no violation").into());
        };
        Err(ApiError::violation(json!(last), &last.message(), attempts).into())
    }

    /// Tells the end of the text, and how it was verified.
    async fn finish(&mut self, finish: Finish) -> Result<(), Stopped> {
        let is_cut = matches!(finish, Finish::Length | Finish::Filter);
        let (rest, _) = self.text.answer.end(is_cut, self.text.has_text())?;
        let has_rules = self.job.format.is_some() || !self.job.tools.tools.is_empty();
        let report = has_rules.then(|| self.report(finish));
        for step in std::mem::take(&mut self.text.held) {
            self.send(step).await?;
        }
        self.send(Step { deltas: rest, finish: Some(finish), report, ..Step::of(self.choice) }).await
    }

    /// Describes how the text was verified.
    fn report(&self, finish: Finish) -> Value {
        let (constraint, reason) = match &self.job.constraint {
            Told::Nothing => (None, None),
            Told::AsWritten => (Some("response_format"), None),
            Told::Constraint(constraint) => (Some(constraint.notation.name()), None),
            Told::NotExpressible(reason) => (None, Some(reason)),
        };
        let is_whole = match finish {
            Finish::Stop | Finish::ToolCalls => !self.text.is_refusal,
            Finish::Length | Finish::Filter => self.text.is_whole(),
        };
        let mut report = json!({
            "attempts": self.violations.len() + 1,
            "constraint": constraint,
            "whole": is_whole,
            "violations": self.violations,
        });
        if let Some(reason) = reason {
            report["unconstrained"] = json!(reason);
        }
        report
    }

    /// Passes on a step at once, or keeps it until the text has ended.
    async fn pass(&mut self, step: Step) -> Result<(), Stopped> {
        if step.deltas.is_empty() && step.logprobs.is_none() {
            return Ok(());
        }
        if !self.job.passed.stream {
            self.text.hold(step);
            return Ok(());
        }
        let is_text = |delta: &Delta| !matches!(delta, Delta::OtherField { .. });
        self.is_sent |= step.logprobs.is_some() || step.deltas.iter().any(is_text);
        self.send(step).await
    }

    async fn send(&mut self, step: Step) -> Result<(), Stopped> {
        self.steps.send(Ok(step)).await.map_err(|_| Stopped::Gone)
    }
}
