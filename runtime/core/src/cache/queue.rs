//! The queue of compilations that have not begun. Clients take turns, and a full queue refuses a job of the client with the most jobs.

use std::collections::VecDeque;

/// Identifies a client that requests formats, such as by a hash of its network address. Clients share the compiler fairly.
///
/// ```
/// use ogc_runtime::cache::Client;
/// assert_eq!(Client::default(), Client(0), "who is not known is one client");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Client(pub u64);

/// A queue of jobs by client. Clients take turns, and a full queue refuses a job of the client with the most jobs.
///
/// ```
/// use ogc_runtime::cache::{Client, FairQueue};
/// let mut queue = FairQueue::default();
/// for (client, job) in [(1, "a"), (1, "b"), (2, "c")] {
///     assert_eq!(queue.push(Client(client), job, 8), None);
/// }
/// let order: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|(_, job)| job).collect();
/// assert_eq!(order, ["a", "c", "b"]);
/// ```
#[derive(Debug)]
pub struct FairQueue<T> {
    /// The clients with their jobs, next client first; every client has a job.
    clients: VecDeque<(Client, VecDeque<T>)>,
    count: usize,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self { clients: VecDeque::new(), count: 0 }
    }
}

impl<T> FairQueue<T> {
    /// Returns the number of jobs.
    ///
    /// ```
    /// # use ogc_runtime::cache::FairQueue;
    /// assert_eq!(FairQueue::<u32>::default().len(), 0);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether no job waits.
    ///
    /// ```
    /// # use ogc_runtime::cache::FairQueue;
    /// assert!(FairQueue::<u32>::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the clients with jobs, next client first.
    ///
    /// ```
    /// # use ogc_runtime::cache::{Client, FairQueue};
    /// let mut queue = FairQueue::default();
    /// queue.push(Client(1), "a", 8);
    /// queue.push(Client(1), "b", 8);
    /// assert_eq!(queue.clients().collect::<Vec<_>>(), [Client(1)]);
    /// ```
    pub fn clients(&self) -> impl Iterator<Item = Client> {
        self.clients.iter().map(|(client, _)| *client)
    }

    /// Adds a job. If the queue then has more than `limit` jobs, removes and returns the youngest job of the client with the most jobs.
    ///
    /// ```
    /// # use ogc_runtime::cache::{Client, FairQueue};
    /// let mut queue = FairQueue::default();
    /// assert_eq!(queue.push(Client(1), "a", 1), None);
    /// assert_eq!(queue.push(Client(1), "b", 1), Some("b"));
    /// ```
    pub fn push(&mut self, client: Client, job: T, limit: usize) -> Option<T> {
        self.count += 1;
        match self.clients.iter_mut().find(|(known, _)| *known == client) {
            Some((_, jobs)) => jobs.push_back(job),
            None => self.clients.push_back((client, VecDeque::from([job]))),
        }
        if self.count <= limit { None } else { self.drop_one(client) }
    }

    /// Removes the youngest job of the client with the most jobs; prefers `newcomer` among equals.
    fn drop_one(&mut self, newcomer: Client) -> Option<T> {
        let most = (0..self.clients.len()).max_by_key(|&at| {
            let (client, jobs) = &self.clients[at];
            (jobs.len(), *client == newcomer)
        })?;
        let job = self.clients[most].1.pop_back();
        if self.clients[most].1.is_empty() {
            self.clients.remove(most);
        }
        self.count -= 1;
        job
    }

    /// Takes the oldest job of the client whose turn it is.
    ///
    /// ```
    /// # use ogc_runtime::cache::{Client, FairQueue};
    /// let mut queue = FairQueue::default();
    /// queue.push(Client(1), "a", 8);
    /// assert_eq!(queue.pop(), Some((Client(1), "a")));
    /// assert_eq!(queue.pop(), None);
    /// ```
    pub fn pop(&mut self) -> Option<(Client, T)> {
        self.pop_where(|_| true)
    }

    /// Takes the oldest job of the first client for which `may` holds; clients that are skipped keep their turn.
    ///
    /// ```
    /// # use ogc_runtime::cache::{Client, FairQueue};
    /// let mut queue = FairQueue::default();
    /// queue.push(Client(1), "a", 8);
    /// queue.push(Client(2), "b", 8);
    /// assert_eq!(queue.pop_where(|client| client != Client(1)), Some((Client(2), "b")));
    /// assert_eq!(queue.pop_where(|client| client != Client(1)), None);
    /// ```
    pub fn pop_where(&mut self, may: impl Fn(Client) -> bool) -> Option<(Client, T)> {
        let at = self.clients.iter().position(|(client, _)| may(*client))?;
        let (client, mut jobs) = self.clients.remove(at)?;
        let job = jobs.pop_front()?;
        self.count -= 1;
        if !jobs.is_empty() {
            self.clients.push_back((client, jobs));
        }
        Some((client, job))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queued_jobs_of_clients_alternate() {
        let mut queue = FairQueue::default();
        for (client, job) in [(1, 10), (1, 11), (1, 12), (2, 20), (3, 30), (2, 21)] {
            assert_eq!(queue.push(Client(client), job, 9), None);
        }
        let jobs: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|(_, job)| job).collect();
        assert_eq!((jobs, queue.len()), (vec![10, 20, 30, 11, 21, 12], 0));
    }

    #[test]
    fn a_full_queue_refuses_the_client_with_most_jobs() {
        let mut queue = FairQueue::default();
        for job in 0..4 {
            assert_eq!(queue.push(Client(1), job, 4), None);
        }
        assert_eq!(queue.push(Client(1), 4, 4), Some(4));
        assert_eq!(queue.push(Client(2), 20, 4), Some(3), "the other client gets the place");
        assert_eq!(queue.push(Client(2), 21, 4), Some(2));
        assert_eq!(queue.push(Client(2), 22, 4), Some(22), "among equals the newcomer is refused");
        assert_eq!(queue.len(), 4);
        assert_eq!(FairQueue::default().push(Client(1), 1, 0), Some(1));
    }
}
