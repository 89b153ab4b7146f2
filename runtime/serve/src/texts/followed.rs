//! Follows a text with matchers, off the threads that answer, because an ambiguous format takes a while.
//!
//! The total time is limited by `MaskLimits`, and the work ends when the request does. If the last part took long, the next one waits for a thread of
//! the workers, of which one client has half.

use std::sync::{Arc, Weak};
use std::time::Duration;

use ogc_runtime::cache::Client;
use tokio::sync::oneshot;

use crate::api::ApiError;
use crate::peer;
use crate::scheduler::{Bounded, MaskLimits, Workers, bounded};

/// Settings for following texts: the workers, the limits, and the client.
#[derive(Clone, Debug)]
pub(super) struct Followers {
    workers: Arc<Workers>,
    limits: MaskLimits,
    client: Client,
}

impl Followers {
    /// Makes the settings for texts of the current client.
    pub(super) fn new(workers: &Arc<Workers>, limits: MaskLimits) -> Self {
        Self { workers: Arc::clone(workers), limits, client: peer::current() }
    }
}

/// State that follows a text with matchers.
#[derive(Debug)]
pub(super) struct Followed<T> {
    followers: Followers,
    /// `None` after a failure.
    state: Option<Box<T>>,
    /// Time spent so far.
    spent: Duration,
    /// Whether the last part took long; the next one probably does, too.
    is_slow: bool,
    has_matchers: bool,
}

impl<T: Send + 'static> Followed<T> {
    /// Follows a text. Without matchers the work is short, and runs on the calling thread.
    pub(super) fn new(followers: Followers, state: T, has_matchers: bool) -> Self {
        Self { followers, state: Some(Box::new(state)), spent: Duration::ZERO, is_slow: false, has_matchers }
    }

    /// Returns the state.
    pub(super) fn get(&mut self) -> Result<&mut T, ApiError> {
        self.state.as_deref_mut().ok_or_else(failed)
    }

    /// Replaces the state; the time spent so far still counts.
    pub(super) fn set(&mut self, state: T) {
        self.state = Some(Box::new(state));
    }

    /// Runs work that steps matchers. After an error the text must be given up.
    pub(super) async fn with<R: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> Result<R, ApiError> {
        if !self.has_matchers {
            return self.get().map(work);
        }
        let Followers { workers, limits, client } = &self.followers;
        let mut state = self.state.take().ok_or_else(failed)?;
        let (limit, left) = (limits.text, limits.text.saturating_sub(self.spent));
        // The waiting task owns this; when the request is given up, it is dropped.
        let waits = Arc::new(());
        let waiting: Weak<()> = Arc::downgrade(&waits);
        let follow = move || {
            let done = bounded(left, move || waiting.strong_count() == 0, || work(&mut state));
            (state, done)
        };
        let followed = if self.is_slow {
            let (tell, told) = oneshot::channel();
            // The waiting task may be gone by then.
            workers.submit(*client, self.spent, move || drop(tell.send(follow())));
            told.await.map_err(|_| failed())?
        } else {
            tokio::task::spawn_blocking(follow).await.map_err(|_| failed())?
        };
        drop(waits);
        let (state, (done, took)) = followed;
        self.spent += took;
        self.is_slow = took > limits.quick;
        match done {
            Bounded::Done(done) => {
                self.state = Some(state);
                Ok(done)
            }
            Bounded::Stopped => Err(ApiError::slow_masks(self.spent, limit)),
            Bounded::Panicked => Err(failed()),
        }
    }
}

fn failed() -> ApiError {
    ApiError::defect("the text could not be followed: please report this format")
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::mpsc::channel;

    use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
    use ogc_runtime::mask::MaskStore;
    use ogc_runtime::matcher::Matcher;
    use ogc_runtime::vocabulary::Vocabulary;

    use super::*;

    fn followed(limit: Duration) -> Followed<u32> {
        let limits = MaskLimits { quick: Duration::from_millis(2), text: limit };
        Followed::new(Followers::new(&Workers::new(NonZeroUsize::MIN), limits), 0, true)
    }

    /// Steps a matcher until it is stopped.
    fn endless(_: &mut u32) {
        let mut builder = AutomatonBuilder::new();
        let rule = builder.rule("text", 0);
        let [start, end] = [(); 2].map(|()| builder.state(rule, StateKind::Bytes));
        builder.start(rule, start);
        [start, end].into_iter().for_each(|from| builder.edge(from, b'a', b'a', OpId::NONE, end));
        builder.accept(end);
        let automaton = builder.finish((rule, 0, 0), false, Escapes::Any).unwrap();
        let vocabulary = Vocabulary::from_tokens(&[Some([b'a'])], &[]).unwrap();
        let mut matcher = Matcher::new(Arc::new(automaton), MaskStore::new(Arc::new(vocabulary)));
        while matcher.accept_bytes(&[b'a'; 64]).is_ok() {}
    }

    #[tokio::test]
    async fn parts_are_followed_one_after_another() {
        let mut text = followed(Duration::from_secs(60));
        for part in 0..4 {
            let before = text.with(move |count| {
                // Every other part is slow, so that the next one goes to the workers.
                std::thread::sleep(Duration::from_millis(part % 2 * 5));
                *count += 1;
                *count
            });
            assert_eq!(u64::from(before.await.unwrap()), part + 1);
        }
        assert_eq!(*text.get().unwrap(), 4);
    }

    #[tokio::test]
    async fn parts_of_a_followed_text_share_one_time_limit() {
        let mut text = followed(Duration::from_millis(300));
        let sleep = |_: &mut u32| std::thread::sleep(Duration::from_millis(200));
        text.with(sleep).await.unwrap();
        let error = text.with(endless).await.unwrap_err();
        assert!(error.body().to_string().contains("the limit is 0.3 s"), "{error:?}");
        assert!(text.with(sleep).await.is_err(), "it is given up");
    }

    #[tokio::test]
    async fn work_ends_with_its_request() {
        for is_slow in [false, true] {
            let mut text = followed(Duration::from_secs(600));
            text.is_slow = is_slow;
            let (began, begun) = channel();
            let (ends, ended) = channel();
            let request = tokio::spawn(async move {
                let work = move |count: &mut u32| {
                    began.send(()).unwrap();
                    endless(count);
                    ends.send(()).unwrap();
                };
                text.with(work).await
            });
            tokio::task::spawn_blocking(move || begun.recv().unwrap()).await.unwrap();
            request.abort();
            tokio::task::spawn_blocking(move || ended.recv_timeout(Duration::from_secs(60)).unwrap()).await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_panic_while_following_a_text_is_an_error() {
        let mut text = followed(Duration::from_secs(60));
        let work = |_: &mut u32| std::panic::resume_unwind(Box::new("a panic"));
        assert!(text.with::<()>(work).await.is_err());
        assert!(text.get().is_err());
    }
}
