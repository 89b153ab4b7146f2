//! Decides which clients take part in a pass: those that have had no more of the model's time than the others.
//!
//! A pass takes longer the more rows it has, and all its texts wait for all rows. So a client with many texts, or with long prompts, would slow down
//! clients with few. This is start-time fair queueing (Goyal, Vin and Cheng, 1996): each client has a virtual time, which grows by the time that its
//! rows of a pass would have taken alone. A client that is ahead of another by more than a pass of one row is left out until the other has caught up.
//! A new client begins at the time of a client that got an equal share throughout: it does not wait for the past of others, saves nothing up while it
//! is away, and does not overtake clients that wait.
//!
//! # Weights
//!
//! The time of a client with little work passes at half the speed. A client has little work if its outstanding work is at most a third of the busiest
//! client's ([`Outstanding`]). It is soon done, so it waits less than an equal share would make it wait, while the busiest clients are slowed down at
//! most twice as much as by an equal client.
//!
//! # Passes within passes
//!
//! A pass is counted when it begins. If a client would be behind all clients of the running pass even after a pass of its own, it need not wait for
//! the end: it [joins](PassShares::joining) an inner pass.
//!
//! # Example
//!
//! One client writes eight texts, another one. Alone, a pass of the first client takes [`PASS`] + 8 [`ROW`], which is
//! 42 units. A pass of the second client takes 14, which counts as 7. So the first client takes part in every sixth
//! pass, and the second writes at three quarters of the speed that it would have alone.

use std::collections::{BTreeMap, HashMap, HashSet};

use always_assert::never;
use ogc_runtime::cache::Client;

/// Cost of a pass without its rows, in quarters of a row: 1, 8 and 32 rows of SmolLM2 take 15, 49 and 148 ms on a processor.
const PASS: u64 = 10;

/// Cost of a row, in the same unit.
const ROW: u64 = 4;

/// A client has little work if another has at least this many times as much.
const LITTLE: u64 = 3;

/// Factor by which the time of a client with little work passes more slowly.
const LIGHTER: u64 = 2;

/// Outstanding work of a text beside its unread prompt, in tokens.
const TEXT: u64 = 64;

/// Outstanding work of each client, in tokens: the unread tokens of its prompts, and [`TEXT`] for each text.
#[derive(Clone, Debug, Default)]
pub(super) struct Outstanding(HashMap<Client, u64>);

impl Outstanding {
    /// Adds a text whose prompt has `unread` unread tokens.
    pub(super) fn add(&mut self, client: Client, unread: usize) {
        *self.0.entry(client).or_default() += TEXT + unread as u64;
    }

    fn has_little(&self, client: Client) -> bool {
        let own = self.0.get(&client).copied().unwrap_or(0);
        self.0.values().any(|other| own.saturating_mul(LITTLE) <= *other)
    }
}

/// A candidate for a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PassText {
    pub(super) client: Client,
    /// Number of rows that the text would have in the pass.
    pub(super) rows: usize,
}

/// Virtual times of clients whose texts share passes.
#[derive(Debug, Default)]
pub(super) struct PassShares {
    /// Only of clients that have texts, and of clients that are ahead of `now`.
    times: HashMap<Client, u64>,
    /// Virtual time of a client that got an equal share throughout.
    now: u64,
    /// Costs of the running passes; each was made during the one before it.
    under_way: Vec<u64>,
    /// Number of clients that had texts before the last pass.
    clients: u64,
    outstanding: Outstanding,
}

impl PassShares {
    /// Sets the outstanding work of clients.
    pub(super) fn set_outstanding(&mut self, outstanding: Outstanding) {
        self.outstanding = outstanding;
    }

    /// Returns for each candidate whether it joins the pass. `reading` has the clients of the running pass, if this is an inner one.
    pub(super) fn joining(&mut self, texts: &[PassText], reading: &[Client]) -> Vec<bool> {
        let costs = self.costs(texts);
        let present: HashSet<Client> =
            costs.keys().map(|client| Client(*client)).chain(reading.iter().copied()).collect();
        self.clients = present.len() as u64;
        self.times.retain(|client, time| *time > self.now || present.contains(client));
        let Some(least) = present.iter().map(|client| *self.times.entry(*client).or_insert(self.now)).min() else {
            return Vec::new();
        };
        let read = reading.iter().map(|client| self.time(*client)).min();
        let joins = |client: Client| {
            let time = self.time(client);
            time <= least + PASS + ROW && read.is_none_or(|read| time + costs[&client.0] < read)
        };
        texts.iter().map(|text| joins(text.client)).collect()
    }

    /// Returns the virtual time of a client.
    pub(super) fn time(&self, client: Client) -> u64 {
        self.times.get(&client).copied().unwrap_or(self.now)
    }

    /// Counts the texts of a pass that begins.
    pub(super) fn begin(&mut self, texts: &[PassText]) {
        let costs = self.costs(texts);
        self.under_way.push(costs.values().sum());
        for (client, cost) in costs {
            *self.times.entry(Client(client)).or_insert(self.now) += cost;
        }
    }

    /// Notes that the pass that began last has ended.
    pub(super) fn end(&mut self) {
        let Some(cost) = self.under_way.pop() else {
            never!("a pass ended that had not begun");
            return;
        };
        self.now += cost / self.clients.max(1);
    }

    /// Returns the cost of a pass with these texts for each client.
    fn costs(&self, texts: &[PassText]) -> BTreeMap<u64, u64> {
        let mut rows: BTreeMap<u64, u64> = BTreeMap::new();
        for text in texts {
            *rows.entry(text.client.0).or_default() += text.rows as u64;
        }
        let lighter = |client| if self.outstanding.has_little(Client(client)) { LIGHTER } else { 1 };
        rows.into_iter().map(|(client, rows)| (client, time_of(rows) / lighter(client))).collect()
    }
}

/// Returns the cost of a pass with `rows` rows.
fn time_of(rows: u64) -> u64 {
    if rows == 0 { 0 } else { PASS + ROW * rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(client: u64, rows: u64) -> PassText {
        PassText { client: Client(client), rows: rows as usize }
    }

    /// Makes a pass for the texts that join it; returns for each text whether it joined.
    fn pass(shares: &mut PassShares, texts: &[PassText]) -> Vec<bool> {
        let joining = shares.joining(texts, &[]);
        let part = texts.iter().zip(&joining).filter_map(|(text, joins)| joins.then_some(*text));
        shares.begin(&part.collect::<Vec<_>>());
        shares.end();
        joining
    }

    /// Makes passes for clients with these numbers of rows; returns the factor by which the passes of each client are
    /// slower than alone.
    fn slowed(shares: &mut PassShares, rows: &[u64], passes: usize) -> Vec<f64> {
        let (mut whole, mut taken) = (0, vec![0_u64; rows.len()]);
        let texts: Vec<PassText> = (0..).zip(rows).map(|(client, &rows)| text(client, rows)).collect();
        for _ in 0..passes {
            let joining = pass(shares, &texts);
            let here: Vec<usize> = (0..rows.len()).filter(|&at| joining[at]).collect();
            here.iter().for_each(|&at| taken[at] += 1);
            whole += time_of(here.iter().map(|&at| rows[at]).sum());
        }
        rows.iter().zip(taken).map(|(&rows, taken)| whole as f64 / (taken * time_of(rows)) as f64).collect()
    }

    #[test]
    fn a_client_is_slowed_at_most_by_the_number_of_clients() {
        for rows in [&[1, 8][..], &[1, 16], &[1, 64], &[1, 1], &[3, 40, 7], &[1, 1, 1, 60], &[100, 1]] {
            let slowed = slowed(&mut PassShares::default(), rows, 10_000);
            assert!(slowed.iter().all(|slowed| *slowed <= rows.len() as f64 + 0.01), "{rows:?}: {slowed:?}");
        }
    }

    #[test]
    fn light_clients_are_slowed_by_half_and_busy_ones_by_twice() {
        for (busy, rows) in [(1, 16), (1, 32), (8, 8), (6, 32)] {
            let mut outstanding = Outstanding::default();
            outstanding.add(Client(0), 30);
            (0..busy).for_each(|_| outstanding.add(Client(1), 2_000));
            let mut shares = PassShares::default();
            shares.set_outstanding(outstanding);
            let slowed = slowed(&mut shares, &[1, rows], 10_000);
            assert!(slowed[0] <= 1.51 && slowed[1] <= 3.01, "{rows}: {slowed:?}");
        }
        let mut outstanding = Outstanding::default();
        (0..2).for_each(|client| outstanding.add(Client(client), 30 * client as usize));
        assert!(!outstanding.has_little(Client(0)), "nearly equals are equals");
    }

    #[test]
    fn equal_clients_share_every_pass() {
        let mut shares = PassShares::default();
        let texts = [1, 2, 3].map(|client| text(client, 1));
        assert!((0..100).all(|_| pass(&mut shares, &texts) == [true; 3]));
    }

    #[test]
    fn a_new_client_neither_waits_nor_has_saved_credit() {
        let mut shares = PassShares::default();
        let (old, new) = (text(1, 1), text(2, 1));
        (0..1_000).for_each(|_| drop(pass(&mut shares, &[old])));
        let mut without_old = 0;
        for _ in 0..100 {
            let joining = pass(&mut shares, &[old, new]);
            assert!(joining[1]);
            without_old += u32::from(!joining[0]);
        }
        assert!(without_old <= 1, "{without_old}");
    }

    #[test]
    fn newly_arriving_clients_do_not_starve_waiting_ones() {
        let mut shares = PassShares::default();
        let taken = (0..400).filter(|at| pass(&mut shares, &[text(0, 32), text(at + 1, 32), text(at + 2, 32)])[0]);
        assert!(taken.count() >= 130);
    }

    #[test]
    fn only_clients_behind_their_share_join_a_nested_pass() {
        let mut shares = PassShares::default();
        let [old, ahead, new] = [text(1, 32), text(2, 32), text(3, 1)];
        pass(&mut shares, &[old, ahead]);
        assert_eq!(shares.joining(&[old, text(2, 40)], &[]), [true, true]);
        shares.begin(&[old, text(2, 40)]);
        let mut passes = 0;
        while shares.joining(&[ahead, new], &[old.client]) == [false, true] {
            shares.begin(&[new]);
            shares.end();
            passes += 1;
        }
        assert_eq!(passes, time_of(32) / time_of(1));
        assert_eq!(shares.joining(&[old], &[old.client]), [false], "nobody is behind itself");
        assert_eq!(shares.joining(&[text(4, 32)], &[old.client]), [false], "its pass would take as long");
        assert_eq!(shares.joining(&[text(5, 16)], &[old.client]), [true]);
        shares.end();
    }

    #[test]
    fn nothing_is_kept_of_clients_that_are_gone() {
        let mut shares = PassShares::default();
        (0..100).for_each(|client| drop(pass(&mut shares, &[text(client, 100)])));
        (0..100).for_each(|_| drop(pass(&mut shares, &[text(0, 100)])));
        shares.joining(&[text(0, 1)], &[]);
        assert_eq!(shares.times.len(), 1);
    }
}
