//! The texts of one request while they grow, written by the model or by another server.

mod followed;
pub(crate) mod logprobs;
pub(crate) mod model;
pub(crate) mod upstream;

use serde_json::Value;

use crate::answer::{Delta, Finish};
use crate::api::ApiError;

/// A step of one text.
#[derive(Debug)]
pub(crate) struct Step {
    /// Index of the text within its request.
    pub(crate) choice: usize,
    pub(crate) deltas: Vec<Delta>,
    /// The probabilities of the tokens that were written, if the request asked for them.
    pub(crate) logprobs: Option<Value>,
    /// Reason why the text ended, if it has.
    pub(crate) finish: Option<Finish>,
    /// Verification report of another server's text, once the text has ended.
    pub(crate) report: Option<Value>,
}

impl Step {
    fn of(choice: usize) -> Self {
        Self { choice, deltas: Vec::new(), logprobs: None, finish: None, report: None }
    }
}

/// The texts of a request. Dropping this gives them up.
pub(crate) enum Texts {
    /// This server's model writes them.
    Model(model::Run),
    /// Another server writes them.
    Upstream(upstream::Run),
}

impl Texts {
    /// Returns the number of texts.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Model(run) => run.len(),
            Self::Upstream(run) => run.len(),
        }
    }

    /// Returns the number of tokens of the prompts.
    pub(crate) fn prompt_tokens(&self) -> usize {
        match self {
            Self::Model(run) => run.prompt_tokens(),
            Self::Upstream(run) => run.prompt_tokens(),
        }
    }

    /// Returns the number of prompt tokens that came from the cache; `None` if another server reads the prompts.
    pub(crate) fn cached_tokens(&self) -> Option<usize> {
        match self {
            Self::Model(run) => Some(run.cached_tokens()),
            Self::Upstream(_) => None,
        }
    }

    /// Returns the number of tokens of all texts.
    pub(crate) fn tokens(&self) -> usize {
        match self {
            Self::Model(run) => run.tokens(),
            Self::Upstream(run) => run.tokens(),
        }
    }

    /// Waits for the next step; `None` when all texts have ended.
    pub(crate) async fn next(&mut self) -> Option<Result<Step, ApiError>> {
        match self {
            Self::Model(run) => run.next().await,
            Self::Upstream(run) => run.next().await,
        }
    }
}
