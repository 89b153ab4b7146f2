//! The texts of one request, from their beginning to their end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ogc_generate::{GenerateError, Probabilities, Request, Sequence, Speculation};
use ogc_runtime::matcher::Matcher;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, timeout_at};

use crate::answer::{Answer, Delta, Finish};
use crate::api::{ApiError, Plan};
use crate::formats::CompiledFormat;
use crate::scheduler::{Job, News, Update};
use crate::server::Shared;

/// One text of a request.
#[derive(Debug)]
struct Choice {
    answer: Answer,
    tokens: usize,
    finish: Option<Finish>,
    is_enough: Arc<AtomicBool>,
}

/// What has become of one text.
#[derive(Debug)]
pub(super) struct Step {
    /// The number of the text.
    pub(super) choice: usize,
    pub(super) deltas: Vec<Delta>,
    /// The probabilities of the tokens that were written, if the request asked for them.
    pub(super) probabilities: Vec<Probabilities>,
    /// Why the text ended, if it has.
    pub(super) finish: Option<Finish>,
}

/// The texts of a request. When this is dropped, they are given up.
pub(super) struct Run {
    shared: Arc<Shared>,
    format: Arc<CompiledFormat>,
    choices: Vec<Choice>,
    updates: UnboundedReceiver<Update>,
    deadline: Instant,
    is_free: bool,
    max_tokens: usize,
    prompt_tokens: usize,
}

impl Run {
    /// Compiles the format, and has the texts begun.
    pub(super) async fn start(shared: &Arc<Shared>, plan: &Plan) -> Result<Self, ApiError> {
        let deadline = Instant::now() + shared.options.timeout;
        let count = plan.prompts.len() * plan.choices;
        let places: Result<Vec<_>, _> = (0..count).map(|_| Arc::clone(&shared.places).try_acquire_owned()).collect();
        let places = places.map_err(|_| ApiError::busy("too many texts are being written"))?;
        let format = timeout_at(deadline, shared.formats.get(plan.format.clone())).await;
        let format = format.map_err(|_| ApiError::timeout())??;
        check(shared, plan, &format)?;
        let sequences = sequences(shared, plan, &format).await?;
        let (sender, updates) = unbounded_channel();
        let mut choices = Vec::new();
        for (choice, (sequence, permit)) in sequences.into_iter().zip(places).enumerate() {
            let is_enough = Arc::new(AtomicBool::new(false));
            let job =
                Job { choice, sequence, updates: sender.clone(), is_enough: Arc::clone(&is_enough), _permit: permit };
            shared.jobs.send(job).map_err(|_| ApiError::defect("the model has stopped"))?;
            let answer = Answer::new(plan.stop.clone(), plan.has_calls);
            choices.push(Choice { answer, tokens: 0, finish: None, is_enough });
        }
        Ok(Self {
            shared: Arc::clone(shared),
            format,
            choices,
            updates,
            deadline,
            is_free: plan.is_free,
            max_tokens: plan.max_tokens as usize,
            prompt_tokens: plan.prompts.iter().map(Vec::len).sum(),
        })
    }

    /// Returns the number of texts.
    pub(super) fn len(&self) -> usize {
        self.choices.len()
    }

    /// Returns the tokens of the prompts.
    pub(super) fn prompt_tokens(&self) -> usize {
        self.prompt_tokens
    }

    /// Returns the tokens of all texts.
    pub(super) fn tokens(&self) -> usize {
        self.choices.iter().map(|choice| choice.tokens).sum()
    }

    /// Returns the server.
    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Waits for what comes next; nothing when all texts have ended.
    pub(super) async fn next(&mut self) -> Option<Result<Step, ApiError>> {
        while self.choices.iter().any(|choice| choice.finish.is_none()) {
            let update = match timeout_at(self.deadline, self.updates.recv()).await {
                Err(_) => return Some(Err(ApiError::timeout())),
                Ok(None) => return Some(Err(ApiError::defect("the model has stopped"))),
                Ok(Some(update)) => update,
            };
            if self.choices[update.choice].finish.is_none() {
                return Some(self.step(update));
            }
        }
        None
    }

    fn step(&mut self, update: Update) -> Result<Step, ApiError> {
        let choice = &mut self.choices[update.choice];
        let mut step = Step { choice: update.choice, deltas: Vec::new(), probabilities: Vec::new(), finish: None };
        match update.news {
            News::Failed(error) => return Err(error),
            News::Grown { text, tokens, probabilities } => {
                choice.tokens += tokens;
                step.probabilities = probabilities;
                let (shared, format, is_free) = (&self.shared, &self.format, self.is_free);
                step.deltas = choice.answer.grow(&text, |before| is_free || is_whole(shared, format, before));
                if !choice.answer.is_stopped() {
                    return Ok(step);
                }
                choice.is_enough.store(true, Ordering::Relaxed);
            }
            News::Ended => {}
        }
        let (rest, finish) = choice.answer.end(self.is_free && choice.tokens >= self.max_tokens);
        step.deltas.extend(rest);
        choice.finish = Some(finish);
        step.finish = Some(finish);
        Ok(step)
    }
}

/// Refuses a format that asks for tokens which the model does not have, or in whose texts stop strings cannot be judged.
fn check(shared: &Shared, plan: &Plan, format: &CompiledFormat) -> Result<(), ApiError> {
    let tokens = &format.automaton.tokens;
    let missing = shared.loaded.vocabulary.missing_tokens(tokens);
    if !missing.is_empty() {
        let message = format!("the format asks for tokens that the model does not have: {}", missing.join(", "));
        return Err(ApiError::invalid(Some("response_format"), message));
    }
    if !tokens.is_empty() && !plan.stop.is_empty() {
        let message = "`stop` is not supported beside a format that asks for tokens by name: remove it";
        return Err(ApiError::invalid(Some("stop"), message));
    }
    Ok(())
}

/// Begins the texts of a request. The first mask and the costs of completion are computed here, not on the model's thread.
async fn sequences(shared: &Arc<Shared>, plan: &Plan, format: &Arc<CompiledFormat>) -> Result<Vec<Sequence>, ApiError> {
    let speculate = shared.options.speculate;
    let request = Request {
        sampling: plan.sampling.clone(),
        speculation: if speculate == 0 { Speculation::Off } else { Speculation::Lookup { most: speculate } },
        probabilities: plan.probabilities,
        ..Request::new(Vec::new(), plan.max_tokens)
    };
    let (prompts, choices) = (plan.prompts.clone(), plan.choices);
    let (shared, format) = (Arc::clone(shared), Arc::clone(format));
    let begin = move || -> Result<Vec<Sequence>, GenerateError> {
        let mut matcher = Matcher::new(Arc::clone(&format.automaton), Arc::clone(&shared.store));
        matcher.mask()?;
        let each = prompts.iter().flat_map(|prompt| std::iter::repeat_n(prompt, choices)).zip(0..);
        let one = |(prompt, number): (&Vec<_>, u64)| {
            let request = Request { prompt: prompt.clone(), number, ..request.clone() };
            Sequence::new(&shared.loaded, matcher.fork(), request)
        };
        each.map(one).collect()
    };
    let begun = tokio::task::spawn_blocking(begin).await;
    let begun = begun.map_err(|_| ApiError::defect("a text could not be begun"))?;
    begun.map_err(|error| ApiError::of_model(&error))
}

/// Returns whether a text is a whole one of the format.
fn is_whole(shared: &Shared, format: &CompiledFormat, text: &str) -> bool {
    let mut matcher = Matcher::new(Arc::clone(&format.automaton), Arc::clone(&shared.store));
    matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete()
}
