//! The order in which texts begin: first the client with the fewest begun texts; among equals, the client whose last turn is longest ago.

use std::collections::HashMap;

use ogc_runtime::cache::Client;

/// For each client, the number of its last turn.
#[derive(Debug, Default)]
pub(super) struct BeginOrder {
    /// Only of clients that have texts.
    turns: HashMap<Client, u64>,
    /// Number of texts that have begun.
    count: u64,
}

impl BeginOrder {
    /// Notes that a text of a client begins.
    pub(super) fn begins(&mut self, client: Client) {
        self.count += 1;
        self.turns.insert(client, self.count);
    }

    /// Forgets clients that have no more texts.
    pub(super) fn keep(&mut self, has_texts: impl Fn(Client) -> bool) {
        self.turns.retain(|client, _| has_texts(*client));
    }

    /// Returns the index of the text that begins next; `waiting` has the clients of the waiting texts, in order of arrival.
    pub(super) fn next(&self, waiting: &[Client], begun_of: impl Fn(Client) -> usize) -> Option<usize> {
        (0..waiting.len()).min_by_key(|&at| {
            let client = waiting[at];
            (begun_of(client), self.turns.get(&client).copied().unwrap_or(0), at)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Begins all texts, one after the other; returns their clients in that order.
    fn order(mut waiting: Vec<Client>) -> Vec<u64> {
        let mut order = BeginOrder::default();
        let mut begun = Vec::new();
        while let Some(at) = order.next(&waiting, |_| 0) {
            let client = waiting.remove(at);
            order.begins(client);
            begun.push(client.0);
        }
        begun
    }

    #[test]
    fn texts_of_clients_begin_in_turn() {
        assert_eq!(order([1, 1, 1, 2, 2, 3].map(Client).to_vec()), [1, 2, 3, 1, 2, 1]);
    }

    #[test]
    fn the_client_with_the_fewest_texts_goes_first() {
        let mut order = BeginOrder::default();
        order.begins(Client(2));
        let begun_of = |client: Client| usize::from(client == Client(1));
        assert_eq!(order.next(&[Client(1), Client(2)], begun_of), Some(1));
        assert_eq!(order.next(&[Client(1), Client(2)], |_| 0), Some(0));
        assert_eq!(order.next(&[], |_| 0), None);
    }

    #[test]
    fn a_client_without_texts_is_forgotten() {
        let mut order = BeginOrder::default();
        order.begins(Client(1));
        order.begins(Client(2));
        order.keep(|client| client == Client(2));
        assert_eq!(order.next(&[Client(2), Client(1)], |_| 0), Some(1), "who comes anew has the first turn");
    }
}
