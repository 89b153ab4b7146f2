//! The bounds on the reading of one prompt: the room for tokens in the model's context, and a callback that may stop
//! the reading.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use ogc_runtime::watch::Stopped;

use crate::error::GenerateError;

/// A callback that decides whether to stop reading prompts.
#[derive(Clone, Default)]
pub(super) struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    pub(super) fn when(is_stopped: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_stopped)))
    }

    /// Returns [`GenerateError::Stopped`] if the reading of prompts should stop.
    pub(super) fn check(&self) -> Result<(), GenerateError> {
        match &self.0 {
            Some(is_stopped) if is_stopped() => Err(GenerateError::Stopped(Stopped)),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.0.is_some()).finish()
    }
}

/// The room for the tokens of one prompt.
#[derive(Debug)]
pub(super) struct Room<'a> {
    stop: &'a Stop,
    limit: usize,
    taken: Cell<usize>,
}

impl<'a> Room<'a> {
    pub(super) fn new(limit: usize, stop: &'a Stop) -> Self {
        Self { stop, limit, taken: Cell::new(0) }
    }

    /// Returns whether a text of `bytes` bytes fits, whatever its tokens are.
    pub(super) fn holds_bytes(&self, bytes: usize) -> bool {
        self.check_more(bytes).is_ok()
    }

    /// Rejects tokens that do not fit after the tokens that were taken; also fails if the reading was stopped.
    pub(super) fn check_more(&self, tokens: usize) -> Result<(), GenerateError> {
        self.stop.check()?;
        let (given, limit) = (self.taken.get().saturating_add(tokens), self.limit);
        if given > limit { Err(GenerateError::PromptTokens { given, limit }) } else { Ok(()) }
    }

    /// Reserves room for tokens.
    pub(super) fn take(&self, tokens: usize) -> Result<(), GenerateError> {
        self.check_more(tokens)?;
        self.taken.set(self.taken.get() + tokens);
        Ok(())
    }
}
