//! Permits for work of which little may run at a time, such as tokenising long prompts. Waiting clients take turns.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ogc_runtime::cache::{Client, FairQueue};
use tokio::sync::oneshot::{Sender, channel};

/// Limits of permits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnLimits {
    /// Maximum number of permits at a time.
    pub(crate) all: usize,
    /// Maximum number of permits of one client at a time.
    pub(crate) of_client: usize,
    /// Cap on waiting requests. Beyond it, the youngest request of the client with the most requests is rejected.
    pub(crate) waiting: usize,
}

/// Permits and their queue.
#[derive(Debug)]
pub(crate) struct Turns {
    state: Arc<Mutex<State>>,
    limits: TurnLimits,
}

#[derive(Debug, Default)]
struct State {
    /// The client of each permit in use.
    taken: Vec<Client>,
    waiting: FairQueue<Sender<Turn>>,
}

/// A permit of a client, until this is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    /// `None` if the permit was not taken.
    state: Option<Arc<Mutex<State>>>,
    client: Client,
    limits: TurnLimits,
}

impl State {
    fn may_take(&self, client: Client, limits: TurnLimits) -> bool {
        let own = self.taken.iter().filter(|taken| **taken == client).count();
        self.taken.len() < limits.all && own < limits.of_client
    }
}

impl Turns {
    pub(crate) fn new(limits: TurnLimits) -> Self {
        Self { state: Arc::default(), limits }
    }

    /// Waits for a permit; `None` if too many requests wait. Dropping the future leaves the queue.
    pub(crate) async fn turn(&self, client: Client) -> Option<Turn> {
        let (sender, receiver) = channel();
        let refused = {
            let mut state = lock(&self.state);
            // A freed permit is handed to the next waiting request, so a request that finds one free here overtakes nobody.
            if state.may_take(client, self.limits) {
                state.taken.push(client);
                return Some(Turn { state: Some(Arc::clone(&self.state)), client, limits: self.limits });
            }
            state.waiting.push(client, sender, self.limits.waiting)
        };
        drop(refused); // Whoever waits for it hears that.
        receiver.await.ok()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (Some(state), limits) = (self.state.take(), self.limits) else { return };
        let mut locked = lock(&state);
        if let Some(at) = locked.taken.iter().position(|taken| *taken == self.client) {
            locked.taken.swap_remove(at);
        }
        loop {
            let State { taken, waiting } = &mut *locked;
            let own = |client: Client| taken.iter().filter(|taken| **taken == client).count();
            if taken.len() >= limits.all {
                return;
            }
            let Some((client, sender)) = waiting.pop_where(|client| own(client) < limits.of_client) else { return };
            match sender.send(Self { state: Some(Arc::clone(&state)), client, limits }) {
                Ok(()) => locked.taken.push(client),
                // The waiting request was given up, so the permit stays unused.
                Err(mut turn) => turn.state = None,
            }
        }
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

    fn one(waiting: usize) -> TurnLimits {
        TurnLimits { all: 1, of_client: 1, waiting }
    }

    /// Returns whether a future is still pending.
    async fn waits<T>(turn: impl Future<Output = T>) -> bool {
        timeout(Duration::from_millis(20), turn).await.is_err()
    }

    #[tokio::test]
    async fn one_prompt_at_a_time_has_its_turn_and_clients_alternate() {
        let turns = Arc::new(Turns::new(one(8)));
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
    async fn a_client_that_gave_up_waiting_takes_no_turn() {
        let turns = Turns::new(one(8));
        let first = turns.turn(Client(1)).await.expect("a turn");
        assert!(waits(turns.turn(Client(2))).await);
        drop(first);
        assert!(turns.turn(Client(3)).await.is_some());
        assert!(!waits(turns.turn(Client(3))).await, "the turn before has ended");
    }

    #[tokio::test]
    async fn a_full_queue_refuses_the_client_with_most_prompts() {
        let turns = Arc::new(Turns::new(one(1)));
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

    #[tokio::test]
    async fn a_client_at_its_limit_of_turns_does_not_block_others() {
        let turns = Turns::new(TurnLimits { all: 3, of_client: 2, waiting: 8 });
        let _first = turns.turn(Client(1)).await.expect("a turn");
        let second = turns.turn(Client(1)).await.expect("a turn");
        let mut third = std::pin::pin!(turns.turn(Client(1)));
        assert!(waits(&mut third).await, "it has two");
        let _other = turns.turn(Client(2)).await.expect("a turn");
        assert!(waits(turns.turn(Client(3))).await, "there are three");
        drop(second);
        assert!(third.await.is_some(), "who waits no more is passed");
    }
}
