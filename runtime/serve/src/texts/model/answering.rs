//! Makes an answer of a text of the model while it grows. Where a matcher follows the text, for stop strings or events, that happens off the
//! threads that answer: an ambiguous format takes a while.

use std::sync::Arc;
use std::time::Duration;

use crate::answer::{Answer, Delta, Finish, Prefix};
use crate::api::ApiError;
use crate::scheduler::{Bounded, bounded};

/// The answer, and where stop strings may end the text.
#[derive(Debug)]
struct Made {
    answer: Answer,
    /// Nothing where a text may end anywhere.
    prefix: Option<Prefix>,
}

impl Made {
    fn grow(&mut self, text: &str) -> Result<Vec<Delta>, ApiError> {
        let Self { answer, prefix } = self;
        let grown = answer.grow(text, |before| prefix.as_mut().is_none_or(|prefix| prefix.is_whole(before)));
        grown.map_err(|error| ApiError::of_events(&error))
    }
}

/// An answer that grows.
#[derive(Debug)]
pub(super) struct Answering {
    /// Nothing after it could not grow.
    made: Option<Box<Made>>,
    is_stopped: bool,
    reads_format: bool,
}

impl Answering {
    /// Begins an answer; `reads_format` says whether a matcher follows the text.
    pub(super) fn new(answer: Answer, prefix: Option<Prefix>, reads_format: bool) -> Self {
        Self { made: Some(Box::new(Made { answer, prefix })), is_stopped: false, reads_format }
    }

    /// Adds text; following it may take so long.
    pub(super) async fn grow(&mut self, text: String, limit: Duration) -> Result<Vec<Delta>, ApiError> {
        let mut made = self.made.take().ok_or_else(failed)?;
        let grown = if self.reads_format {
            // Whoever waits has it; when the request is given up, it is gone.
            let waits = Arc::new(());
            let waiting = Arc::downgrade(&waits);
            let follow = move || {
                let grown = bounded(limit, move || waiting.strong_count() == 0, || made.grow(&text));
                (made, grown)
            };
            let (followed, (grown, took)) = tokio::task::spawn_blocking(follow).await.map_err(|_| failed())?;
            drop(waits);
            made = followed;
            match grown {
                Bounded::Done(grown) => grown?,
                Bounded::Stopped => return Err(ApiError::slow_masks(took, limit)),
                Bounded::Panicked => return Err(failed()),
            }
        } else {
            made.grow(&text)?
        };
        self.is_stopped = made.answer.is_stopped();
        self.made = Some(made);
        Ok(grown)
    }

    /// Returns whether a stop string has ended the text.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Ends the answer; `is_full` says that the text had no more tokens.
    pub(super) fn end(&mut self, is_full: bool) -> Result<(Vec<Delta>, Finish), ApiError> {
        let mut made = self.made.take().ok_or_else(failed)?;
        made.answer.end(is_full, true).map_err(|error| ApiError::of_events(&error))
    }
}

fn failed() -> ApiError {
    ApiError::defect("the text could not be followed: please report this format")
}
