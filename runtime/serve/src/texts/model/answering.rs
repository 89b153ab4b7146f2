//! Makes an answer of a growing text of the model. If a matcher follows the text, for stop strings or events, that happens off the threads that
//! answer.

use std::sync::Arc;

use ogc_runtime::vocabulary::{TokenId, Vocabulary};

use crate::answer::{Answer, Delta, Finish, Prefix};
use crate::api::ApiError;
use crate::texts::followed::{Followed, Followers};

/// The answer, and the matcher that decides where stop strings may end the text.
#[derive(Debug)]
pub(super) struct Made {
    answer: Answer,
    /// `None` if a text may end anywhere.
    prefix: Option<Prefix>,
    /// The vocabulary, if the format asks for tokens by name.
    by_name: Option<Arc<Vocabulary>>,
}

impl Made {
    pub(super) fn new(answer: Answer, prefix: Option<Prefix>, by_name: Option<Arc<Vocabulary>>) -> Self {
        Self { answer, prefix, by_name }
    }

    /// Adds tokens and their text; also returns whether a stop string has ended the text.
    fn grow(&mut self, text: &str, tokens: &[TokenId]) -> Result<(Vec<Delta>, bool), ApiError> {
        let Self { answer, prefix, by_name } = self;
        let grown = match by_name {
            Some(vocabulary) => answer.grow_tokens(text, vocabulary, tokens),
            None => answer.grow(text, |before| prefix.as_mut().is_none_or(|prefix| prefix.is_whole(before))),
        };
        Ok((grown.map_err(|error| ApiError::of_events(&error))?, answer.is_stopped()))
    }
}

/// A growing answer.
#[derive(Debug)]
pub(super) struct Answering {
    made: Followed<Made>,
    is_stopped: bool,
}

impl Answering {
    /// Begins an answer; `reads_format` is true if a matcher follows the text.
    pub(super) fn new(followers: Followers, made: Made, reads_format: bool) -> Self {
        Self { made: Followed::new(followers, made, reads_format), is_stopped: false }
    }

    /// Adds tokens and their text.
    pub(super) async fn grow(&mut self, text: String, tokens: Vec<TokenId>) -> Result<Vec<Delta>, ApiError> {
        let (deltas, is_stopped) = self.made.with(move |made| made.grow(&text, &tokens)).await??;
        self.is_stopped = is_stopped;
        Ok(deltas)
    }

    /// Returns whether a stop string has ended the text.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Ends the answer; `is_full` is true if the maximum number of tokens is reached.
    pub(super) async fn end(&mut self, is_full: bool) -> Result<(Vec<Delta>, Finish), ApiError> {
        let ended = self.made.with(move |made| made.answer.end(is_full, true)).await?;
        ended.map_err(|error| ApiError::of_events(&error))
    }
}
