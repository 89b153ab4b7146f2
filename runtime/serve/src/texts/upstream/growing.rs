//! The text of another server since it was last begun; matchers follow it to the first byte that violates its format.

use std::sync::Arc;

use ogc_runtime::captures::Content;
use ogc_runtime::events::{EventError, EventReader};
use ogc_runtime::matcher::MatchError;

use super::{Job, not_followed};
use crate::answer::{Answer, Beyond, Delta, Prefix};
use crate::api::ApiError;
use crate::upstream::calls::Calls;
use crate::upstream::piece::CallPiece;
use crate::upstream::verify::{Verifier, Violation};

/// The text since it was last begun. All its methods step matchers.
pub(super) struct Growing {
    /// Verifies the text; `None` if any text is valid.
    verifier: Option<Verifier>,
    calls: Calls,
    answer: Answer,
    /// The part of the text that matches the format.
    pub(super) good: String,
    /// Decides where a stop string may end the text.
    prefix: Option<Prefix>,
    /// Text that violates the format, unless it turns out to be a stop string.
    refused: Option<Violation>,
}

/// Result of reading a piece.
pub(super) struct Followup {
    /// Changes that may be passed on.
    pub(super) deltas: Vec<Delta>,
    /// Whether these are all of the content.
    pub(super) is_all: bool,
    /// Violation that ends the valid part, if there is one.
    pub(super) violation: Option<Violation>,
    /// Whether a stop string has ended the text.
    pub(super) is_stopped: bool,
}

/// Reason why a text cannot be followed further.
pub(super) struct Unfollowed(pub(super) ApiError);

impl From<EventError> for Unfollowed {
    fn from(error: EventError) -> Self {
        Self(ApiError::of_events(&error))
    }
}

impl From<MatchError> for Unfollowed {
    fn from(error: MatchError) -> Self {
        Self(not_followed(&error))
    }
}

impl Growing {
    pub(super) fn begin(job: &Job) -> Self {
        let store = &job.writer.store;
        let content = job.format.as_ref().map_or(&Content::Text, |format| &format.content);
        let events = job.passed.stream_events.then(|| EventReader::new(content));
        let verifier = |format| Verifier::new(format, store, "content".to_owned());
        Self {
            prefix: job.format.as_deref().map(|format| Prefix::new(format.matcher(store))),
            refused: None,
            verifier: job.format.as_deref().map(verifier),
            calls: Calls::new(Arc::clone(&job.tools), Arc::clone(store)),
            answer: Answer::new(job.passed.stop.clone(), None, events),
            good: String::new(),
        }
    }

    /// Reads a piece of the answer.
    pub(super) fn read(&mut self, content: &str, calls: Vec<CallPiece>) -> Result<Followup, Unfollowed> {
        let (mut deltas, is_all, mut violation) = self.content(content)?;
        for call in calls {
            if violation.is_none() {
                let (more, found) = self.calls.grow(call)?;
                deltas.extend(more);
                violation = found;
            }
        }
        Ok(Followup { deltas, is_all, violation, is_stopped: self.answer.is_stopped() })
    }

    /// Reads more of the content; returns the changes that may be passed on, whether they are all of it, and the violation if there is one.
    fn content(&mut self, text: &str) -> Result<(Vec<Delta>, bool, Option<Violation>), Unfollowed> {
        if let Some(violation) = self.refused.take() {
            return self.beyond(text, violation);
        }
        let Some(verifier) = &mut self.verifier else { return Ok((self.add(text)?, true, None)) };
        let verified = verifier.grow(text)?;
        let is_all = verified.text == text;
        let mut deltas = self.add(&verified.text)?;
        match verified.refused.filter(|_| !self.answer.is_stopped()) {
            None => Ok((deltas, is_all, None)),
            Some((rest, violation)) => {
                let (more, _, violation) = self.beyond(&rest, violation)?;
                deltas.extend(more);
                Ok((deltas, false, violation))
            }
        }
    }

    /// Reads text that violates the format: a stop string may end the text before it.
    fn beyond(
        &mut self,
        text: &str,
        violation: Violation,
    ) -> Result<(Vec<Delta>, bool, Option<Violation>), Unfollowed> {
        let prefix = &mut self.prefix;
        match self.answer.grow_beyond(text, |before| prefix.as_mut().is_none_or(|prefix| prefix.is_whole(before)))? {
            Beyond::Stopped(deltas) => Ok((deltas, false, None)),
            Beyond::Waiting(deltas) => {
                self.refused = Some(violation);
                Ok((deltas, false, None))
            }
            Beyond::NoStop => Ok((Vec::new(), false, Some(violation))),
        }
    }

    /// Adds text that matches the format; a stop string ends it where the format allows an end.
    fn add(&mut self, text: &str) -> Result<Vec<Delta>, Unfollowed> {
        self.good.push_str(text);
        let prefix = &mut self.prefix;
        Ok(self.answer.grow(text, |before| prefix.as_mut().is_none_or(|prefix| prefix.is_whole(before)))?)
    }

    /// Ends the text; returns the changes that were held back, and the violation if the text is incomplete.
    /// `is_refusal` is true if the other server refused to answer.
    pub(super) fn end(&mut self, is_refusal: bool) -> Result<(Vec<Delta>, Option<Violation>), Unfollowed> {
        if is_refusal && !self.has_text() {
            return Ok((Vec::new(), None));
        }
        if let Some(violation) = self.refused.take() {
            return Ok((Vec::new(), Some(violation)));
        }
        let (mut deltas, violation) = self.calls.end()?;
        let must_have_text = self.has_text() || self.calls.len() == 0;
        match self.verifier.as_mut().filter(|_| violation.is_none() && must_have_text) {
            None => Ok((deltas, violation)),
            Some(verifier) => {
                let (added, violation) = verifier.end()?;
                deltas.extend(self.add(&added)?);
                Ok((deltas, violation))
            }
        }
    }

    /// Ends the answer; returns the changes that were held back.
    pub(super) fn finish(&mut self, is_cut: bool) -> Result<Vec<Delta>, Unfollowed> {
        Ok(self.answer.end(is_cut, self.has_text())?.0)
    }

    /// Reads the text that the format forces next; returns the changes that may be passed on, and whether there is any
    /// text now.
    pub(super) fn read_forced(&mut self) -> Result<(Vec<Delta>, bool), Unfollowed> {
        let forced = match &mut self.verifier {
            Some(verifier) => verifier.read_forced()?,
            None => String::new(),
        };
        Ok((self.add(&forced)?, self.has_text()))
    }

    /// Returns the number of calls that began.
    pub(super) fn calls(&self) -> usize {
        self.calls.len()
    }

    /// Returns whether there is text, and nothing may follow it.
    pub(super) fn is_over(&mut self) -> bool {
        self.has_text() && self.verifier.as_mut().is_some_and(Verifier::is_over)
    }

    /// Returns whether there is text. If there is none, calls may take its place.
    fn has_text(&self) -> bool {
        !self.good.is_empty()
    }

    /// Returns whether the answer is complete.
    pub(super) fn is_whole(&self) -> bool {
        let may_lack_text = self.calls.len() > 0 && !self.has_text();
        let is_text = may_lack_text || self.verifier.as_ref().is_none_or(Verifier::is_whole);
        self.calls.is_whole() && is_text
    }
}
