//! The texts of one request that this server's model writes, from beginning to end.

mod answering;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ogc_generate::{CallFrame, GenerateError, Prefixes, Request, Sequence, Speculation, ToolStyle};
use ogc_runtime::events::EventReader;
use ogc_runtime::vocabulary::TokenId;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use super::followed::Followers;
use super::{Step, logprobs};
use crate::answer::{Answer, Finish, Prefix};
use crate::api::{ApiError, Plan, Shape};
use crate::compile::CompiledFormat;
use crate::peer;
use crate::scheduler::{Bounded, Job, News, Update, bounded};
use crate::shared::{ModelWriter, Shared};
use answering::{Answering, Made};

/// Maximum number of updates of each text that are buffered for a client that reads slowly; beyond it the texts are given up. The buffers of the
/// connection come on top.
const MAX_UNREAD: usize = 1_024;

/// One text of a request.
#[derive(Debug)]
struct Choice {
    answering: Answering,
    tokens: usize,
    /// Number of tokens of its prompt that came from the prefix cache.
    reused: usize,
    /// Number of characters of its tokens whose probabilities were sent.
    offset: usize,
    finish: Option<Finish>,
    is_enough: Arc<AtomicBool>,
}

/// The texts of a request. Dropping this gives them up.
pub(crate) struct Run {
    shape: Shape,
    writer: Arc<ModelWriter>,
    choices: Vec<Choice>,
    updates: Receiver<Update>,
    /// Set when too many updates are unread.
    is_unread: Arc<AtomicBool>,
    deadline: Instant,
    is_free: bool,
    max_tokens: usize,
    prompt_tokens: usize,
    /// Number of texts of each prompt.
    choices_of_prompt: usize,
}

impl Run {
    /// Compiles the format, and starts the texts.
    pub(crate) async fn start(
        shared: &Arc<Shared>,
        writer: &Arc<ModelWriter>,
        shape: Shape,
        plan: &Plan,
        deadline: Instant,
    ) -> Result<Self, ApiError> {
        let count = plan.prompts.len() * plan.choices;
        let format = timeout_at(deadline, shared.formats.get(plan.format.clone())).await;
        let format = format.map_err(|_| ApiError::timeout())??;
        check(writer, plan, &format)?;
        // Permits are taken only now, so that a format that takes long to compile keeps no other text from being written.
        let places = shared.places(count)?;
        let sequences = sequences(shared, writer, plan, &format).await?;
        let (sender, updates) = channel(MAX_UNREAD * count.max(1));
        let is_unread = Arc::new(AtomicBool::new(false));
        let mut choices = Vec::new();
        for (choice, (sequence, place)) in sequences.into_iter().zip(places).enumerate() {
            let is_enough = Arc::new(AtomicBool::new(false));
            let job = Job {
                choice,
                sequence,
                updates: sender.clone(),
                is_enough: Arc::clone(&is_enough),
                is_unread: Arc::clone(&is_unread),
                client: peer::current(),
                _place: place,
            };
            writer.jobs.send(job)?;
            let events = plan.stream_events.then(|| EventReader::new(&format.content));
            let prefix = (!plan.is_free && !plan.stop.is_empty()).then(|| Prefix::new(format.matcher(&writer.store)));
            let reads_format = prefix.is_some() || events.is_some() || plan.calls.is_some();
            let calls = plan.calls.clone().map(|calls| (calls, &format.content));
            let answer = Answer::new(plan.stop.clone(), calls, events);
            let followers = Followers::new(&writer.workers, writer.limits);
            let by_name = (!format.automaton.tokens.is_empty()).then(|| Arc::clone(&writer.loaded.vocabulary));
            let answering = Answering::new(followers, Made::new(answer, prefix, by_name), reads_format);
            choices.push(Choice { answering, tokens: 0, reused: 0, offset: 0, finish: None, is_enough });
        }
        Ok(Self {
            shape,
            writer: Arc::clone(writer),
            choices,
            updates,
            is_unread,
            deadline,
            is_free: plan.is_free,
            max_tokens: plan.max_tokens as usize,
            prompt_tokens: plan.prompts.iter().map(Vec::len).sum(),
            choices_of_prompt: plan.choices.max(1),
        })
    }

    /// Returns the number of texts.
    pub(crate) fn len(&self) -> usize {
        self.choices.len()
    }

    /// Returns the number of tokens of the prompts.
    pub(crate) fn prompt_tokens(&self) -> usize {
        self.prompt_tokens
    }

    /// Returns the number of prompt tokens that no text of the request had to read, because they came from the prefix cache.
    pub(crate) fn cached_tokens(&self) -> usize {
        let least = |texts: &[Choice]| texts.iter().map(|text| text.reused).min().unwrap_or(0);
        self.choices.chunks(self.choices_of_prompt).map(least).sum()
    }

    /// Returns the number of tokens of all texts.
    pub(crate) fn tokens(&self) -> usize {
        self.choices.iter().map(|choice| choice.tokens).sum()
    }

    /// Waits for the next step; `None` when all texts have ended.
    pub(crate) async fn next(&mut self) -> Option<Result<Step, ApiError>> {
        while self.choices.iter().any(|choice| choice.finish.is_none()) {
            if self.is_unread.load(Ordering::Relaxed) {
                let message = format!("more than {MAX_UNREAD} tokens of a text were not read: read the stream faster");
                return Some(Err(ApiError::invalid(Some("stream"), message)));
            }
            let update = match timeout_at(self.deadline, self.updates.recv()).await {
                Err(_) => return Some(Err(ApiError::timeout())),
                Ok(None) => return Some(Err(ApiError::defect("the model has stopped"))),
                Ok(Some(update)) => update,
            };
            if self.choices[update.choice].finish.is_none() {
                return Some(self.step(update).await);
            }
        }
        None
    }

    async fn step(&mut self, update: Update) -> Result<Step, ApiError> {
        let mut step = Step::of(update.choice);
        match update.news {
            News::Failed(error) => return Err(error),
            News::Grown { text, tokens, reused, probabilities } => {
                let choice = &mut self.choices[update.choice];
                choice.tokens += tokens.len();
                choice.reused = reused;
                step.logprobs = (!probabilities.is_empty())
                    .then(|| logprobs::written(self.shape, &self.writer.loaded, &probabilities, &mut choice.offset));
                step.deltas = choice.answering.grow(text, tokens).await?;
                if !choice.answering.is_stopped() {
                    return Ok(step);
                }
                choice.is_enough.store(true, Ordering::Relaxed);
            }
            News::Ended => {}
        }
        let choice = &mut self.choices[update.choice];
        let (rest, finish) = choice.answering.end(self.is_free && choice.tokens >= self.max_tokens).await?;
        step.deltas.extend(rest);
        choice.finish = Some(finish);
        step.finish = Some(finish);
        Ok(step)
    }
}

/// Rejects a format that needs tokens which the model lacks, or whose texts do not allow stop strings.
fn check(writer: &ModelWriter, plan: &Plan, format: &CompiledFormat) -> Result<(), ApiError> {
    let tokens = &format.automaton.tokens;
    let missing = writer.loaded.vocabulary.missing_tokens(tokens);
    let calls = plan.calls.as_ref();
    if let Some(calls) = calls.filter(|calls| !missing.is_empty() && CallFrame::of(calls.style).has_tokens()) {
        return Err(ApiError::invalid(Some("tools"), without_tokens(calls.style, &missing)));
    }
    if calls.is_some_and(|calls| !tokens.is_empty() && !CallFrame::of(calls.style).has_tokens()) {
        let message = "calls and answers beside them are text, and the formats ask for tokens by name: use characters";
        return Err(ApiError::invalid(Some("tools"), message));
    }
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

/// Makes the error that a model lacks the tokens of a style.
fn without_tokens(style: ToolStyle, missing: &[String]) -> String {
    let missing = missing.join(", ");
    format!(
        "calls of the style `{}` have tokens that the model does not have: {missing}; the server's operator chooses another with `--tool-style`",
        style.name()
    )
}

/// Input with which the texts of a request begin.
struct Beginning {
    writer: Arc<ModelWriter>,
    format: Arc<CompiledFormat>,
    prompts: Vec<Vec<TokenId>>,
    choices: usize,
    request: Request,
}

impl Beginning {
    /// Begins the texts: computes the first mask and the costs of completion.
    fn begin(&self) -> Result<Vec<Sequence>, GenerateError> {
        let mut matcher = self.format.matcher(&self.writer.store);
        matcher.mask()?;
        let each = self.prompts.iter().flat_map(|prompt| std::iter::repeat_n(prompt, self.choices)).zip(0..);
        let one = |(prompt, number): (&Vec<_>, u64)| {
            let request = Request { prompt: prompt.clone(), number, ..self.request.clone() };
            Sequence::new(&self.writer.loaded, matcher.fork(), request)
        };
        each.map(one).collect()
    }
}

/// Begins the texts of a request, off the model's thread. If that takes long, it waits for a worker thread, as other masks do.
async fn sequences(
    shared: &Shared,
    writer: &Arc<ModelWriter>,
    plan: &Plan,
    format: &Arc<CompiledFormat>,
) -> Result<Vec<Sequence>, ApiError> {
    let request = Request {
        sampling: plan.sampling.clone(),
        tokens: shared.options.tokens,
        speculation: Speculation::of(shared.options.draft, shared.options.speculate),
        probabilities: plan.probabilities,
        // Prefixes are cached by client, so that the timing of a client's texts tells nothing about prompts of others.
        prefixes: (shared.options.prefix_cache > 0)
            .then(|| Prefixes { cache: Arc::clone(&writer.prefixes), group: peer::current().0 }),
        ..Request::new(Vec::new(), plan.max_tokens)
    };
    let (writer, format) = (Arc::clone(writer), Arc::clone(format));
    let beginning = Beginning { writer, format, prompts: plan.prompts.clone(), choices: plan.choices, request };
    let (workers, limits) = (Arc::clone(&beginning.writer.workers), beginning.writer.limits);
    let soon = tokio::task::spawn_blocking(move || {
        let (begun, took) = bounded(limits.quick, || false, || beginning.begin());
        (begun, took, beginning)
    });
    let failed = |_| ApiError::defect("a text could not be begun");
    let (mut begun, mut took, beginning) = soon.await.map_err(failed)?;
    if matches!(begun, Bounded::Stopped) {
        let (tell, told) = oneshot::channel();
        workers.submit(peer::current(), Duration::ZERO, move || {
            let tell = Arc::new(tell);
            let waits = Arc::clone(&tell);
            let done = bounded(limits.text, move || waits.is_closed(), || beginning.begin());
            // By now nothing else owns the sender; the receiver may be gone.
            let _ = Arc::into_inner(tell).map(|tell| tell.send(done));
        });
        (begun, took) = told.await.map_err(|_| ApiError::defect("a text could not be begun"))?;
    }
    match begun {
        Bounded::Done(begun) => begun.map_err(|error| ApiError::of_model(&error)),
        Bounded::Stopped => Err(ApiError::slow_masks(took, limits.text)),
        Bounded::Panicked => Err(ApiError::defect("a text could not be begun: please report this format")),
    }
}
