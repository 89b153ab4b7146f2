//! Turns of long prompts: the tokens of one are made at a time, as they take much memory and a processor. Clients take turns.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ogc_runtime::cache::{Client, FairQueue};
use tokio::sync::oneshot::{Sender, channel};

/// Prompts that wait for their turn.
#[derive(Debug)]
pub(crate) struct Turns {
    state: Arc<Mutex<State>>,
    /// Cap on waiting prompts; beyond it the youngest of the client with most is refused.
    limit: usize,
}

#[derive(Debug, Default)]
struct State {
    is_taken: bool,
    waiting: FairQueue<Sender<Turn>>,
}

/// The turn of a prompt, until this is dropped.
#[derive(Debug)]
pub(crate) struct Turn(Option<Arc<Mutex<State>>>);

impl Turns {
    pub(crate) fn new(limit: usize) -> Self {
        Self { state: Arc::default(), limit }
    }

    /// Waits for the turn of a client's prompt; nothing if too many wait. Who waits no more leaves the queue.
    pub(crate) async fn turn(&self, client: Client) -> Option<Turn> {
        let (sender, receiver) = channel();
        let refused = {
            let mut state = lock(&self.state);
            if !state.is_taken {
                state.is_taken = true;
                return Some(Turn(Some(Arc::clone(&self.state))));
            }
            state.waiting.push(client, sender, self.limit)
        };
        drop(refused); // Whoever waits for it hears that.
        receiver.await.ok()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(state) = self.0.take() else { return };
        let mut locked = lock(&state);
        while let Some((_, sender)) = locked.waiting.pop() {
            match sender.send(Self(Some(Arc::clone(&state)))) {
                Ok(()) => return,
                // Nobody waits for it any more: it is nobody's turn.
                Err(mut turn) => turn.0 = None,
            }
        }
        locked.is_taken = false;
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    /// Returns whether something has to wait.
    async fn waits<T>(turn: impl Future<Output = T>) -> bool {
        timeout(Duration::from_millis(20), turn).await.is_err()
    }

    #[tokio::test]
    async fn one_prompt_has_its_turn_and_clients_alternate() {
        let turns = Arc::new(Turns::new(8));
        let first = turns.turn(Client(1)).await.expect("a turn");
        let (order, mut waiting) = (Arc::new(Mutex::new(Vec::new())), Vec::new());
        for (client, name) in [(1, "a"), (1, "b"), (2, "c")] {
            let (turns, order) = (Arc::clone(&turns), Arc::clone(&order));
            waiting.push(tokio::spawn(async move {
                let turn = turns.turn(Client(client)).await.expect("a turn");
                order.lock().expect("no panic").push(name);
                drop(turn);
            }));
            tokio::task::yield_now().await;
        }
        assert!(order.lock().expect("no panic").is_empty(), "the first has its turn");
        drop(first);
        for task in waiting {
            task.await.expect("no panic");
        }
        assert_eq!(*order.lock().expect("no panic"), ["a", "c", "b"]);
    }

    #[tokio::test]
    async fn who_waits_no_more_gets_no_turn_and_keeps_none_from_others() {
        let turns = Turns::new(8);
        let first = turns.turn(Client(1)).await.expect("a turn");
        assert!(waits(turns.turn(Client(2))).await);
        drop(first);
        assert!(turns.turn(Client(3)).await.is_some());
        assert!(!waits(turns.turn(Client(3))).await, "the turn before has ended");
    }

    #[tokio::test]
    async fn a_full_queue_refuses_the_client_with_most_prompts() {
        let turns = Arc::new(Turns::new(1));
        let first = turns.turn(Client(1)).await.expect("a turn");
        let spawned = |client| {
            let turns = Arc::clone(&turns);
            tokio::spawn(async move { turns.turn(Client(client)).await.is_some() })
        };
        let waiting = spawned(2);
        tokio::task::yield_now().await;
        assert!(turns.turn(Client(2)).await.is_none(), "one may wait");
        drop(first);
        assert!(waiting.await.expect("no panic"));
    }
}
