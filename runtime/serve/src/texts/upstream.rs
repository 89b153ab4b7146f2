//! The texts of one request that another server writes, from beginning to end.

mod attempts;
mod growing;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::HeaderValue;
use ogc_runtime::matcher::MatchError;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::Step;
use crate::api::{ApiError, Passed, WantedFormat, WantedTool};
use crate::compile::{CompiledFormat, FormatSource, Notation};
use crate::shared::{Shared, UpstreamWriter};
use crate::upstream::calls::{ToolRule, ToolRules};
use crate::upstream::request::Constraint;
use attempts::Writing;

/// Maximum number of steps that are buffered for a client that reads slowly; beyond it the other server waits, too.
const MAX_WAITING: usize = 64;

/// Longest constraint that is sent to another server, in bytes.
const MAX_CONSTRAINT: usize = 1 << 20;

/// State that the texts of one request share.
struct Job {
    shared: Arc<Shared>,
    writer: Arc<UpstreamWriter>,
    passed: Passed,
    key: Option<HeaderValue>,
    /// Format of the texts; `None` for any text.
    format: Option<Arc<CompiledFormat>>,
    constraint: Told,
    tools: Arc<ToolRules>,
    prompt_tokens: AtomicUsize,
    tokens: AtomicUsize,
}

/// Form in which another server gets the format.
#[derive(Debug)]
enum Told {
    /// The request has no format.
    Nothing,
    /// The request's own `response_format`, unchanged.
    AsWritten,
    /// The format in a notation that the server reads.
    Constraint(Constraint),
    /// None of the server's notations can express the format, for this reason.
    NotExpressible(String),
}

/// The texts of a request. Dropping this closes the connections.
pub(crate) struct Run {
    job: Arc<Job>,
    steps: Receiver<Result<Step, ApiError>>,
    /// Number of texts that have not ended.
    open: usize,
    deadline: Instant,
    _tasks: JoinSet<()>,
}

impl Run {
    /// Compiles the formats, and requests the texts.
    pub(crate) async fn start(
        shared: &Arc<Shared>,
        writer: &Arc<UpstreamWriter>,
        passed: Passed,
        key: Option<HeaderValue>,
    ) -> Result<Self, ApiError> {
        let deadline = Instant::now() + shared.options.timeout;
        let prepared = timeout_at(deadline, prepare(shared, writer, passed, key)).await;
        let job = Arc::new(prepared.map_err(|_| ApiError::timeout())??);
        // Permits are taken only now, so that a format that takes long to compile keeps no other text from being written.
        let places = shared.places(job.passed.choices)?;
        let (sender, steps) = channel(MAX_WAITING);
        let mut tasks = JoinSet::new();
        for (choice, place) in places.into_iter().enumerate() {
            let writing = Writing::new(Arc::clone(&job), choice, sender.clone());
            tasks.spawn(async move {
                // The deadline also holds if the client does not read.
                drop(timeout_at(deadline, writing.run()).await);
                drop(place);
            });
        }
        Ok(Self { open: job.passed.choices, job, steps, deadline, _tasks: tasks })
    }

    /// Returns the number of texts.
    pub(crate) fn len(&self) -> usize {
        self.job.passed.choices
    }

    /// Returns the number of tokens of the prompts, over all attempts.
    pub(crate) fn prompt_tokens(&self) -> usize {
        self.job.prompt_tokens.load(Ordering::Relaxed)
    }

    /// Returns the number of tokens of all texts, over all attempts.
    pub(crate) fn tokens(&self) -> usize {
        self.job.tokens.load(Ordering::Relaxed)
    }

    /// Waits for the next step; `None` when all texts have ended.
    pub(crate) async fn next(&mut self) -> Option<Result<Step, ApiError>> {
        if self.open == 0 {
            return None;
        }
        let step = match timeout_at(self.deadline, self.steps.recv()).await {
            Err(_) => Err(self.slow()),
            // The task of a text gives it up at the same deadline.
            Ok(None) if Instant::now() >= self.deadline => Err(self.slow()),
            Ok(None) => Err(ApiError::defect("a text was given up")),
            Ok(Some(step)) => step,
        };
        if step.as_ref().map_or(true, |step| step.finish.is_some()) {
            self.open -= 1;
        }
        Some(step)
    }

    /// Makes the error of a timeout.
    fn slow(&self) -> ApiError {
        ApiError::upstream_slow("write the text", self.job.shared.options.timeout)
    }
}

/// Compiles the format and the tools' formats, and chooses the constraint for the other server.
async fn prepare(
    shared: &Arc<Shared>,
    writer: &Arc<UpstreamWriter>,
    passed: Passed,
    key: Option<HeaderValue>,
) -> Result<Job, ApiError> {
    let (format, constraint) = match &passed.format {
        None => (None, Told::Nothing),
        Some(WantedFormat { source, is_common }) => {
            let format = shared.formats.get(source.clone()).await?;
            check(&format, "response_format")?;
            let told = if *is_common { Told::AsWritten } else { told(shared, writer, source).await? };
            (Some(format), told)
        }
    };
    let mut tools = ToolRules { must_call: passed.must_call, is_single: passed.is_single, ..ToolRules::default() };
    for WantedTool { name, kind, format } in &passed.tools {
        let format = shared.formats.get(format.clone()).await.map_err(|error| error.of_tool(name))?;
        tools.tools.insert(name.clone(), ToolRule { kind: *kind, format });
    }
    Ok(Job {
        shared: Arc::clone(shared),
        writer: Arc::clone(writer),
        passed,
        key,
        format,
        constraint,
        tools: Arc::new(tools),
        prompt_tokens: AtomicUsize::new(0),
        tokens: AtomicUsize::new(0),
    })
}

/// Rejects formats that cannot be verified from text alone.
fn check(format: &CompiledFormat, param: &str) -> Result<(), ApiError> {
    if !format.automaton.tokens.is_empty() {
        let names = format.automaton.tokens.join(", ");
        let message = format!(
            "the format needs special tokens, which the text of another server does not show: {names}; use characters"
        );
        return Err(ApiError::invalid(Some(param), message));
    }
    if format.automaton.rules.iter().any(|rule| rule.counts_tokens) {
        let message = "the format has a limit on tokens (`max_tokens`), which cannot be counted in the text of another server: limit characters (`max_chars`)";
        return Err(ApiError::invalid(Some(param), message));
    }
    Ok(())
}

/// Writes the format in the first notation of the other server that can express it.
async fn told(shared: &Shared, writer: &UpstreamWriter, source: &FormatSource) -> Result<Told, ApiError> {
    let mut reasons = Vec::new();
    for &notation in writer.upstream.options.dialect.notations() {
        match shared.formats.lower(source.clone(), notation).await? {
            Ok(text) if text.len() <= MAX_CONSTRAINT => {
                return Ok(Told::Constraint(Constraint::new(notation, &text)?));
            }
            Ok(text) => reasons.push(too_long(notation, text.len())),
            Err(refused) => reasons.push(format!("{}: {}", notation.name(), refused.message)),
        }
    }
    Ok(Told::NotExpressible(reasons.join("; ")))
}

fn too_long(notation: Notation, given: usize) -> String {
    format!("{}: it takes {given} bytes, more than {MAX_CONSTRAINT}", notation.name())
}

/// Makes the error of a format that is too ambiguous to be followed.
fn not_followed(error: &MatchError) -> ApiError {
    ApiError::invalid(Some("response_format"), error.to_string())
}
