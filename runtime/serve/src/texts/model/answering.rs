//! Makes an answer of a text of the model while it grows. Where a matcher follows the text, for stop strings or events, that happens off the
//! threads that answer.

use crate::answer::{Answer, Delta, Finish, Prefix};
use crate::api::ApiError;
use crate::texts::followed::{Followed, Followers};

/// The answer, and where stop strings may end the text.
#[derive(Debug)]
struct Made {
    answer: Answer,
    /// Nothing where a text may end anywhere.
    prefix: Option<Prefix>,
}

impl Made {
    /// Adds text; returns also whether a stop string has ended it.
    fn grow(&mut self, text: &str) -> Result<(Vec<Delta>, bool), ApiError> {
        let Self { answer, prefix } = self;
        let grown = answer.grow(text, |before| prefix.as_mut().is_none_or(|prefix| prefix.is_whole(before)));
        Ok((grown.map_err(|error| ApiError::of_events(&error))?, answer.is_stopped()))
    }
}

/// An answer that grows.
#[derive(Debug)]
pub(super) struct Answering {
    made: Followed<Made>,
    is_stopped: bool,
}

impl Answering {
    /// Begins an answer; `reads_format` says whether a matcher follows the text.
    pub(super) fn new(followers: Followers, answer: Answer, prefix: Option<Prefix>, reads_format: bool) -> Self {
        Self { made: Followed::new(followers, Made { answer, prefix }, reads_format), is_stopped: false }
    }

    /// Adds text.
    pub(super) async fn grow(&mut self, text: String) -> Result<Vec<Delta>, ApiError> {
        let (deltas, is_stopped) = self.made.with(move |made| made.grow(&text)).await??;
        self.is_stopped = is_stopped;
        Ok(deltas)
    }

    /// Returns whether a stop string has ended the text.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Ends the answer; `is_full` says that the text had no more tokens.
    pub(super) async fn end(&mut self, is_full: bool) -> Result<(Vec<Delta>, Finish), ApiError> {
        let ended = self.made.with(move |made| made.answer.end(is_full, true)).await?;
        ended.map_err(|error| ApiError::of_events(&error))
    }
}
