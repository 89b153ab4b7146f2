//! One text of another server: requests it, follows it, and retries or continues it where it violates its format.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use always_assert::never;
use ogc_runtime::cache::Client;
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use super::growing::{Followup, Growing, Unfollowed};
use super::{Job, Told};
use crate::answer::{Delta, Finish};
use crate::api::ApiError;
use crate::peer;
use crate::texts::followed::{Followed, Followers};
use crate::texts::{Step, logprobs};
use crate::upstream::piece::{End, Piece};
use crate::upstream::request::{Ask, body, goes_on};
use crate::upstream::verify::Violation;

/// Longest answer of another server, in bytes of its stream.
const MAX_TEXT: usize = 64 << 20;

/// A text that another server writes.
pub(super) struct Writing {
    job: Arc<Job>,
    choice: usize,
    client: Client,
    steps: Sender<Result<Step, ApiError>>,
    /// Violations of the earlier attempts.
    violations: Vec<Violation>,
    /// Number of times that the text was begun again.
    begun_before: usize,
    /// Whether text was sent to the client; it cannot be taken back.
    is_sent: bool,
    text: Followed<Growing>,
    attempt: Attempt,
}

/// State of the current attempt, including the attempts that it continues.
#[derive(Default)]
struct Attempt {
    /// Number of pieces received, which is about the number of tokens.
    pieces: usize,
    /// Size of the pieces in the stream, in bytes.
    bytes: usize,
    /// Whether the other server refused to answer.
    is_refusal: bool,
    /// Whether a stop string has ended the text.
    is_stopped: bool,
    /// Steps that are held back, if the answer is not streamed.
    held: Vec<Step>,
}

impl Attempt {
    /// Holds a step back until the text has ended; merges it into the previous step if it continues that text.
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
}

/// Outcome of an attempt.
enum Outcome {
    Ended(Finish),
    Violated(Violation),
}

/// Reason why a text is given up.
enum Stopped {
    /// The client is gone.
    Gone,
    Failed(ApiError),
}

impl From<ApiError> for Stopped {
    fn from(error: ApiError) -> Self {
        Self::Failed(error)
    }
}

impl From<Unfollowed> for Stopped {
    fn from(Unfollowed(error): Unfollowed) -> Self {
        Self::Failed(error)
    }
}

impl Writing {
    pub(super) fn new(job: Arc<Job>, choice: usize, steps: Sender<Result<Step, ApiError>>) -> Self {
        let has_matchers = job.format.is_some() || !job.tools.tools.is_empty() || job.passed.stream_events;
        let followers = Followers::new(&job.writer.workers, job.writer.limits);
        let text = Followed::new(followers, Growing::begin(&job), has_matchers);
        let (client, violations, attempt) = (peer::current(), Vec::new(), Attempt::default());
        Self { job, choice, client, steps, violations, begun_before: 0, is_sent: false, text, attempt }
    }

    /// Writes the text, and sends its steps.
    pub(super) async fn run(mut self) {
        let slot = self.job.writer.slots.turn(self.client).await;
        never!(slot.is_none(), "as many texts wait as there are places");
        if let Err(Stopped::Failed(error)) = self.write().await {
            // If this fails, nobody listens any more.
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
                    // Forced text may have completed it.
                    if self.text.with(Growing::is_over).await? {
                        return self.finish(Finish::Stop).await;
                    }
                }
            }
        }
    }

    /// Requests the text, and follows it to its end or to the first byte that violates the format.
    async fn attempt(&mut self) -> Result<Outcome, Stopped> {
        let job = Arc::clone(&self.job);
        let (passed, upstream) = (&job.passed, &job.writer.upstream);
        let constraint = match &job.constraint {
            Told::Constraint(constraint) => Some(constraint),
            Told::Nothing | Told::AsWritten | Told::NotExpressible(_) => None,
        };
        let (choice, begun_before) = (self.choice, self.begun_before);
        let ask = Ask { choice, begun_before, so_far: &self.text.get()?.good, spent: self.attempt.pieces };
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
            outcome =
                self.attempt.is_stopped.then_some(Outcome::Ended(Finish::Stop)).or(violation.map(Outcome::Violated));
            if outcome.is_some() {
                break;
            }
        }
        self.attempt.pieces += pieces;
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

    /// Reads a piece of the answer, and passes on the part that matches the format; returns the violation, if there is one.
    async fn read(&mut self, piece: Piece) -> Result<Option<Violation>, Stopped> {
        let Piece { content, beside, calls, logprobs, bytes, .. } = piece;
        self.attempt.bytes += bytes;
        if self.attempt.bytes > MAX_TEXT {
            return Err(ApiError::upstream(None, &format!("its answer has more than {MAX_TEXT} bytes")).into());
        }
        self.attempt.is_refusal |= beside.iter().any(|(field, _)| *field == "refusal");
        let mut step = Step::of(self.choice);
        // The client already has the reasoning of the first attempt.
        if self.violations.is_empty() || !self.job.passed.stream {
            step.deltas.extend(beside.into_iter().map(|(field, text)| Delta::OtherField { field, text }));
        }
        let followed = self.text.with(move |text| text.read(&content, calls)).await??;
        let Followup { deltas, is_all, violation, is_stopped } = followed;
        step.deltas.extend(deltas);
        self.attempt.is_stopped = is_stopped;
        // Probabilities would show tokens that are not passed on.
        step.logprobs = logprobs.filter(|_| is_all && violation.is_none() && !is_stopped);
        self.pass(step).await?;
        Ok(violation)
    }

    /// Decides how a text ends when the other server has ended it.
    async fn end(&mut self, end: End) -> Result<Outcome, Stopped> {
        let cut = match end {
            End::Length => Some(Finish::Length),
            End::Filter => Some(Finish::Filter),
            End::Whole => None,
        };
        let is_refusal = self.attempt.is_refusal;
        let (deltas, violation) = match cut {
            Some(_) => (Vec::new(), None),
            None => self.text.with(move |text| text.end(is_refusal)).await??,
        };
        if let Some(violation) = violation {
            return Ok(Outcome::Violated(violation));
        }
        self.pass(Step { deltas, ..Step::of(self.choice) }).await?;
        let whole = if self.text.get()?.calls() > 0 { Finish::ToolCalls } else { Finish::Stop };
        Ok(Outcome::Ended(cut.unwrap_or(whole)))
    }

    /// Begins the text again or continues it, if that may help; otherwise gives it up.
    ///
    /// A text cannot be begun again if the client has received a part of it, or if decoding is greedy: then the same text would come again.
    async fn prepare_next(&mut self) -> Result<(), Stopped> {
        let (passed, dialect) = (&self.job.passed, self.job.writer.upstream.options.dialect);
        let attempts = self.violations.len();
        let may_try = attempts <= self.job.writer.upstream.options.retries;
        let has_calls =
            self.text.get()?.calls() > 0 || self.violations.last().is_some_and(|last| last.part != "content");
        if may_try && !self.is_sent && !passed.is_greedy {
            self.begun_before += 1;
            self.text.set(Growing::begin(&self.job));
            self.attempt = Attempt::default();
            return Ok(());
        }
        if may_try && goes_on(passed.shape, dialect) && !has_calls {
            let (deltas, has_text) = self.text.with(Growing::read_forced).await??;
            self.pass(Step { deltas, ..Step::of(self.choice) }).await?;
            if has_text {
                return Ok(());
            }
        }
        let Some(last) = self.violations.last() else {
            never!("text {} is given up without a violation", self.choice);
            return Err(ApiError::defect("no violation").into());
        };
        Err(ApiError::violation(json!(last), &last.message(), attempts).into())
    }

    /// Sends the end of the text, and its verification report.
    async fn finish(&mut self, finish: Finish) -> Result<(), Stopped> {
        let is_cut = matches!(finish, Finish::Length | Finish::Filter);
        let rest = self.text.with(move |text| text.finish(is_cut)).await??;
        let has_rules = self.job.format.is_some() || !self.job.tools.tools.is_empty();
        let report = if has_rules { Some(self.report(finish).await?) } else { None };
        for step in std::mem::take(&mut self.attempt.held) {
            self.send(step).await?;
        }
        self.send(Step { deltas: rest, finish: Some(finish), report, ..Step::of(self.choice) }).await
    }

    /// Returns the verification report of the text.
    async fn report(&mut self, finish: Finish) -> Result<Value, Stopped> {
        let is_whole = match finish {
            _ if self.attempt.is_refusal => false,
            Finish::Stop | Finish::ToolCalls => true,
            Finish::Length | Finish::Filter => self.text.with(|text| text.is_whole()).await?,
        };
        let (constraint, reason) = match &self.job.constraint {
            Told::Nothing => (None, None),
            Told::AsWritten => (Some("response_format"), None),
            Told::Constraint(constraint) => (Some(constraint.notation.name()), None),
            Told::NotExpressible(reason) => (None, Some(reason)),
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
        Ok(report)
    }

    /// Passes a step on at once, or holds it back if the answer is not streamed.
    async fn pass(&mut self, step: Step) -> Result<(), Stopped> {
        if step.deltas.is_empty() && step.logprobs.is_none() {
            return Ok(());
        }
        if !self.job.passed.stream {
            self.attempt.hold(step);
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
