//! The texts of one request that another server writes, from their beginning to their end.

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

/// The most steps that wait for a client that reads slowly; then the other server waits too.
const MAX_WAITING: usize = 64;

/// The longest constraint that another server gets, in bytes.
const MAX_CONSTRAINT: usize = 1 << 20;

/// What the texts of one request share.
struct Job {
    shared: Arc<Shared>,
    writer: Arc<UpstreamWriter>,
    passed: Passed,
    key: Option<HeaderValue>,
    /// The format of the texts; nothing for any text.
    format: Option<Arc<CompiledFormat>>,
    constraint: Told,
    tools: Arc<ToolRules>,
    prompt_tokens: AtomicUsize,
    tokens: AtomicUsize,
}

/// What another server is told of the format.
#[derive(Debug)]
enum Told {
    /// There is none.
    Nothing,
    /// The request's own `response_format`.
    AsWritten,
    /// The format in a notation that it reads.
    Constraint(Constraint),
    /// None of its notations can say the format, for this reason.
    NotExpressible(String),
}

/// The texts of a request. When this is dropped, the connections are closed.
pub(crate) struct Run {
    job: Arc<Job>,
    steps: Receiver<Result<Step, ApiError>>,
    /// Texts that have not ended.
    open: usize,
    deadline: Instant,
    _tasks: JoinSet<()>,
}

impl Run {
    /// Compiles the formats, and asks for the texts.
    pub(crate) async fn start(
        shared: &Arc<Shared>,
        writer: &Arc<UpstreamWriter>,
        passed: Passed,
        key: Option<HeaderValue>,
    ) -> Result<Self, ApiError> {
        let deadline = Instant::now() + shared.options.timeout;
        let prepared = timeout_at(deadline, prepare(shared, writer, passed, key)).await;
        let job = Arc::new(prepared.map_err(|_| ApiError::timeout())??);
        // Only now: a format that takes long to compile keeps no other text from being written.
        let places = shared.places(job.passed.choices)?;
        let (sender, steps) = channel(MAX_WAITING);
        let mut tasks = JoinSet::new();
        for (choice, place) in places.into_iter().enumerate() {
            let writing = Writing::new(Arc::clone(&job), choice, sender.clone());
            tasks.spawn(async move {
                // Ends also where the client does not read what is there.
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

    /// Returns the tokens of the prompts, of all attempts.
    pub(crate) fn prompt_tokens(&self) -> usize {
        self.job.prompt_tokens.load(Ordering::Relaxed)
    }

    /// Returns the tokens of all texts, of all attempts.
    pub(crate) fn tokens(&self) -> usize {
        self.job.tokens.load(Ordering::Relaxed)
    }

    /// Waits for what comes next; nothing when all texts have ended.
    pub(crate) async fn next(&mut self) -> Option<Result<Step, ApiError>> {
        if self.open == 0 {
            return None;
        }
        let step = match timeout_at(self.deadline, self.steps.recv()).await {
            Err(_) => Err(self.slow()),
            // The task of a text gives it up at the same time.
            Ok(None) if Instant::now() >= self.deadline => Err(self.slow()),
            Ok(None) => Err(ApiError::defect("a text was given up")),
            Ok(Some(step)) => step,
        };
        if step.as_ref().map_or(true, |step| step.finish.is_some()) {
            self.open -= 1;
        }
        Some(step)
    }

    /// Time ran out.
    fn slow(&self) -> ApiError {
        ApiError::upstream_slow("write the text", self.job.shared.options.timeout)
    }
}

/// Compiles the format and those of the tools, and finds out what the other server can be told.
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

/// Refuses formats that text alone cannot be verified against.
fn check(format: &CompiledFormat, param: &str) -> Result<(), ApiError> {
    if !format.automaton.tokens.is_empty() {
        let names = format.automaton.tokens.join(", ");
        let message =
            format!("the format asks for tokens by name, which the text of another server does not have: {names}");
        return Err(ApiError::invalid(Some(param), message));
    }
    if format.automaton.rules.iter().any(|rule| rule.counts_tokens) {
        let message =
            "the format limits numbers of tokens, which another server does not tell: limit characters instead";
        return Err(ApiError::invalid(Some(param), message));
    }
    Ok(())
}

/// Writes the format in the first notation of the other server that can say it.
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

/// The format is too ambiguous to be followed.
fn not_followed(error: &MatchError) -> ApiError {
    ApiError::invalid(Some("response_format"), error.to_string())
}
