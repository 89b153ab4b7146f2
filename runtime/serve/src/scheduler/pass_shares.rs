//! Which clients take part in a pass: those who have had no more of the model's time than the others.
//!
//! A pass takes longer the more rows it has, and all texts in it wait for that. So a client with many texts, or with long prompts, would slow
//! down those with few. This is start-time fair queueing (Goyal, Vin and Cheng, 1996) with equal weights: each client has a time, which grows by
//! what its rows of a pass would have taken alone. Who is ahead of another by more than a pass of one row is left out until the other has caught up.
//! Who comes anew begins at the time of the client that has had least: it saves nothing up while it is away.
//!
//! # Example
//!
//! One client writes eight texts, another one. Alone, a pass of the first takes [`PASS`] + 8 [`ROW`], which is 21, one of the other 7: the
//! first takes part in every third pass, and both write at more than half the speed that they would have alone.

use std::collections::{BTreeMap, HashMap};

use ogc_runtime::cache::Client;

/// Cost of a pass without its rows, in halves of a row: 1, 8 and 32 rows of SmolLM2 take 15, 49 and 148 ms on a processor.
const PASS: u64 = 5;

/// Cost of a row, in the same unit.
const ROW: u64 = 2;

/// The times of clients whose texts share passes.
#[derive(Debug, Default)]
pub(super) struct PassShares {
    /// Of clients that have texts, and of those that are ahead of `now`.
    times: HashMap<Client, u64>,
    /// The time of the client that has had least.
    now: u64,
}

impl PassShares {
    /// Returns for each of the clients whose texts could be in a pass whether they are.
    pub(super) fn joining(&mut self, clients: &[Client]) -> Vec<bool> {
        let Self { times, now } = self;
        let here: Vec<u64> = clients.iter().map(|client| *times.entry(*client).or_insert(*now)).collect();
        let Some(&least) = here.iter().min() else { return Vec::new() };
        *now = least.max(*now);
        times.retain(|client, time| *time > *now || clients.contains(client));
        here.into_iter().map(|time| time <= least + PASS + ROW).collect()
    }

    /// Counts the rows that a pass has had for clients.
    pub(super) fn count(&mut self, rows: &[(Client, usize)]) {
        let mut all: BTreeMap<u64, u64> = BTreeMap::new();
        rows.iter().for_each(|(client, rows)| *all.entry(client.0).or_default() += *rows as u64);
        for (client, rows) in all {
            *self.times.entry(Client(client)).or_insert(self.now) += PASS + ROW * rows;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time of a pass of so many rows.
    fn time(rows: u64) -> u64 {
        if rows == 0 { 0 } else { PASS + ROW * rows }
    }

    /// Makes passes for clients with so many rows each; returns how many times as long as alone a pass of each takes.
    fn slowed(rows: &[u64], passes: usize) -> Vec<f64> {
        let (mut shares, mut whole, mut taken) = (PassShares::default(), 0, vec![0_u64; rows.len()]);
        let clients: Vec<Client> = (0..rows.len()).map(|at| Client(at as u64)).collect();
        for _ in 0..passes {
            let joining = shares.joining(&clients);
            let here: Vec<usize> = (0..rows.len()).filter(|&at| joining[at]).collect();
            shares.count(&here.iter().map(|&at| (clients[at], rows[at] as usize)).collect::<Vec<_>>());
            here.iter().for_each(|&at| taken[at] += 1);
            whole += time(here.iter().map(|&at| rows[at]).sum());
        }
        rows.iter().zip(taken).map(|(&rows, taken)| whole as f64 / (taken * time(rows)) as f64).collect()
    }

    #[test]
    fn no_client_is_slowed_down_more_than_by_as_many_of_its_own_kind() {
        for rows in [&[1, 8][..], &[1, 16], &[1, 64], &[1, 1], &[3, 40, 7], &[1, 1, 1, 60], &[100, 1]] {
            let slowed = slowed(rows, 10_000);
            assert!(slowed.iter().all(|slowed| *slowed <= rows.len() as f64 + 0.01), "{rows:?}: {slowed:?}");
        }
    }

    #[test]
    fn equal_clients_share_every_pass() {
        let mut shares = PassShares::default();
        let clients = [1, 2, 3].map(Client);
        for _ in 0..100 {
            assert_eq!(shares.joining(&clients), [true; 3]);
            shares.count(&clients.map(|client| (client, 1)));
        }
    }

    #[test]
    fn who_comes_anew_waits_for_nobody_and_has_saved_nothing_up() {
        let mut shares = PassShares::default();
        let (old, new) = (Client(1), Client(2));
        for _ in 0..1_000 {
            shares.joining(&[old]);
            shares.count(&[(old, 1)]);
        }
        let mut without_old = 0;
        for _ in 0..100 {
            let joining = shares.joining(&[old, new]);
            assert!(joining[1]);
            without_old += u32::from(!joining[0]);
            let rows = [(old, 1), (new, 1)];
            shares.count(&rows[usize::from(!joining[0])..]);
        }
        assert!(without_old <= 1, "{without_old}");
    }

    #[test]
    fn nothing_is_kept_of_clients_that_are_gone() {
        let mut shares = PassShares::default();
        for client in (0..100).map(Client) {
            shares.joining(&[client]);
            shares.count(&[(client, 100)]);
        }
        for _ in 0..100 {
            shares.count(&[(Client(0), 100)]);
        }
        shares.joining(&[Client(0)]);
        assert_eq!(shares.times.len(), 1);
    }
}
