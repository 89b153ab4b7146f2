//! The state of a sampler: a matcher, and the first error. It knows no pointers.
//!
//! llama.cpp cannot receive errors: its functions to accept a token and to filter candidates return nothing. So every error closes the sampler: until
//! it is reset, it allows only the tokens that end the text. A panic is caught, and closes it too.

use std::ffi::{CStr, CString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::TokenId;

use super::interface::Candidate;
use crate::status::Failure;
use crate::text::c_text;

/// The message of a panic.
const DEFECT: &str = "a defect of ogc: please report it";

/// A sampler.
#[derive(Debug)]
pub(super) struct Sampler {
    /// A matcher that never moves; a reset forks it.
    start: Arc<Matcher>,
    matcher: Matcher,
    /// The tokens that end the text, ascending. Invariant: not empty.
    ends: Arc<[TokenId]>,
    /// Whether only `ends` are allowed, because of an error.
    is_closed: bool,
    fault: Option<CString>,
    /// A buffer for a mask.
    words: Vec<u32>,
}

impl Sampler {
    /// Makes a sampler that begins at the matcher's position.
    pub(super) fn new(mut matcher: Matcher) -> Result<Self, Failure> {
        let ends: Arc<[TokenId]> = matcher.stop_tokens().into();
        if ends.is_empty() {
            let message = "no token of the vocabulary ends a text, so that none would be left after a mistake: set options.stop_tokens";
            return Err(Failure::argument(message));
        }
        matcher.set_rollback_window(Some(0));
        let words = vec![0; matcher.store().vocabulary().len().div_ceil(32)];
        Ok(Self { matcher: matcher.fork(), start: Arc::new(matcher), ends, is_closed: false, fault: None, words })
    }

    /// Returns the first error.
    pub(super) fn fault(&self) -> Option<&CStr> {
        self.fault.as_deref()
    }

    /// Accepts the chosen token; a token that the format refuses closes the sampler.
    pub(super) fn accept(&mut self, token: i32) {
        if self.is_closed || (self.matcher.is_terminated() && self.is_end(token)) {
            return;
        }
        let matcher = &mut self.matcher;
        let accept = || match u32::try_from(token) {
            Ok(token) => matcher.accept_token(TokenId(token)),
            Err(_) => Err(MatchError::TokenNotAllowed { token: token as u32 }),
        };
        match catch_unwind(AssertUnwindSafe(accept)) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                let place = self.matcher.len();
                self.close(&format!("token {token} was given after {place} tokens of the text, and refused: {error}"));
            }
            Err(_) => self.close(DEFECT),
        }
    }

    /// Withholds the candidates that may not come next; returns whether any was withheld.
    pub(super) fn apply(&mut self, candidates: &mut [Candidate]) -> bool {
        if !self.is_closed && !self.matcher.is_terminated() {
            match catch_unwind(AssertUnwindSafe(|| self.restrict(candidates))) {
                Ok(Ok(withheld)) => return withheld,
                Ok(Err(message)) => self.close(&message),
                Err(_) => self.close(DEFECT),
            }
        }
        withhold(candidates, |id| self.is_end(id))
    }

    /// Withholds the candidates that the format does not allow.
    fn restrict(&mut self, candidates: &mut [Candidate]) -> Result<bool, String> {
        // llama.cpp often asks about a single token first, and about all tokens only if that one is not allowed.
        if let [only] = candidates {
            let allowed = match u32::try_from(only.id) {
                Ok(id) => self.matcher.allows(TokenId(id)).map_err(|error| error.to_string())?,
                Err(_) => false,
            };
            return Ok(withhold(candidates, |_| allowed));
        }
        self.matcher.fill_mask(&mut self.words).map_err(|error| error.to_string())?;
        let words = &self.words;
        if words.iter().all(|&word| word == 0) {
            return Err("the vocabulary has no token with which the text could go on".to_owned());
        }
        let withheld = withhold(candidates, |id| is_set(words, id));
        if !candidates.is_empty() && candidates.iter().all(|candidate| candidate.logit == f32::NEG_INFINITY) {
            let message =
                "none of the {} candidates is allowed: the sampler belongs in front of those that drop candidates";
            self.note(&message.replace("{}", &candidates.len().to_string()));
        }
        Ok(withheld)
    }

    /// Resets the sampler to its beginning.
    pub(super) fn reset(&mut self) {
        match catch_unwind(AssertUnwindSafe(|| self.start.fork())) {
            Ok(matcher) => (self.matcher, self.is_closed, self.fault) = (matcher, false, None),
            Err(_) => self.close(DEFECT),
        }
    }

    /// Makes a copy of the sampler at the same position; `None` after a panic.
    pub(super) fn copy(&self) -> Option<Self> {
        let copy = || Self {
            start: Arc::clone(&self.start),
            matcher: self.matcher.fork(),
            ends: Arc::clone(&self.ends),
            is_closed: self.is_closed,
            fault: self.fault.clone(),
            words: self.words.clone(),
        };
        catch_unwind(AssertUnwindSafe(copy)).ok()
    }

    fn is_end(&self, id: i32) -> bool {
        u32::try_from(id).is_ok_and(|id| self.ends.binary_search(&TokenId(id)).is_ok())
    }

    fn close(&mut self, message: &str) {
        self.is_closed = true;
        self.note(message);
    }

    /// Stores the first error.
    fn note(&mut self, message: &str) {
        self.fault.get_or_insert_with(|| c_text(message, "\\0"));
    }
}

fn is_set(words: &[u32], id: i32) -> bool {
    let word = usize::try_from(id).ok().and_then(|id| words.get(id / 32));
    word.is_some_and(|word| word & (1 << (id % 32)) != 0)
}

/// Sets the logits of candidates that are not allowed to minus infinity; returns whether any logit changed.
fn withhold(candidates: &mut [Candidate], is_allowed: impl Fn(i32) -> bool) -> bool {
    let mut withheld = false;
    for candidate in candidates.iter_mut().filter(|candidate| !is_allowed(candidate.id)) {
        withheld |= candidate.logit != f32::NEG_INFINITY;
        candidate.logit = f32::NEG_INFINITY;
    }
    withheld
}

#[cfg(test)]
mod tests {
    use super::Sampler;

    #[test]
    fn samplers_can_move_to_other_threads() {
        fn check<T: Send + Sync>() {}
        check::<Sampler>();
    }
}
