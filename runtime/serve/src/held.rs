//! Counts the shares of each client in a common resource, such as connections, so that no client takes all of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ogc_runtime::cache::Client;

/// Count of each client, and their sum.
#[derive(Debug, Default)]
struct Counts {
    of_client: HashMap<Client, usize>,
    all: usize,
}

/// Counts the units that clients hold.
#[derive(Debug, Default)]
pub(crate) struct HeldByClient(Arc<Mutex<Counts>>);

/// Units that a client holds until this is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    counts: Arc<Mutex<Counts>>,
    client: Client,
    count: usize,
}

/// Error: a client would hold more than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany {
    /// Number of units that the client would hold.
    pub(crate) given: usize,
    /// Maximum number of units that the client may hold now.
    pub(crate) limit: usize,
}

impl HeldByClient {
    /// Gives a client `count` more units. `limit` returns the client's limit, given the number of units that other clients hold.
    pub(crate) fn take(
        &self,
        client: Client,
        count: usize,
        limit: impl FnOnce(usize) -> usize,
    ) -> Result<Held, TooMany> {
        let mut counts = lock(&self.0);
        let own = counts.of_client.get(&client).copied().unwrap_or(0);
        let (given, limit) = (own.saturating_add(count), limit(counts.all - own));
        if given > limit {
            return Err(TooMany { given, limit });
        }
        if count > 0 {
            counts.of_client.insert(client, given);
            counts.all += count;
        }
        Ok(Held { counts: Arc::clone(&self.0), client, count })
    }
}

impl Held {
    /// Splits this into single units, each of which can be dropped alone.
    pub(crate) fn into_single(mut self) -> Vec<Self> {
        let count = std::mem::take(&mut self.count);
        (0..count).map(|_| Self { counts: Arc::clone(&self.counts), client: self.client, count: 1 }).collect()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts);
        counts.all -= self.count;
        if let Some(count) = counts.of_client.get_mut(&self.client) {
            *count -= self.count;
            if *count == 0 {
                counts.of_client.remove(&self.client);
            }
        }
    }
}

fn lock(counts: &Mutex<Counts>) -> MutexGuard<'_, Counts> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_holds_at_most_its_own_limit() {
        let held = HeldByClient::default();
        let take = |client, count| held.take(Client(client), count, |_| 2);
        let first = take(1, 1).unwrap();
        let second = take(1, 1).unwrap();
        assert_eq!(take(1, 1).unwrap_err(), TooMany { given: 3, limit: 2 });
        assert_eq!(take(2, 2).unwrap().into_single().len(), 2);
        drop(first);
        assert!(take(1, 1).is_ok(), "the first is given back");
        drop(second);
        let counts = lock(&held.0);
        assert!(counts.of_client.is_empty() && counts.all == 0, "nothing is kept of clients that are gone: {counts:?}");
    }
}
