//! Permits for texts that are written or wait, and how clients share them.
//!
//! There are twice as many permits as one client may hold, and a client may hold half of the permits that others leave.
//! So a client that is alone gets all that the options allow. Any number of other clients still leaves it some, and no
//! client loses texts.

use ogc_runtime::cache::Client;

use crate::held::{Held, HeldByClient, TooMany};

/// Permits for texts.
#[derive(Debug)]
pub(crate) struct TextPlaces {
    held: HeldByClient,
    /// Maximum number of permits of one client.
    of_client: usize,
}

impl TextPlaces {
    pub(crate) fn new(of_client: usize) -> Self {
        Self { held: HeldByClient::default(), of_client }
    }

    /// Takes permits for all texts of a request, or none.
    pub(crate) fn take(&self, client: Client, count: usize) -> Result<Vec<Held>, TooMany> {
        let all = self.of_client.saturating_mul(2);
        let held = self.held.take(client, count, |others| all.saturating_sub(others).div_ceil(2))?;
        Ok(held.into_single())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes as many permits as a client gets.
    fn all(places: &TextPlaces, client: u64) -> Vec<Held> {
        std::iter::from_fn(|| places.take(Client(client), 1).ok()).flatten().collect()
    }

    #[test]
    fn a_lone_client_can_take_all_places_of_its_limit() {
        for of_client in [1, 2, 72] {
            let places = TextPlaces::new(of_client);
            assert_eq!(all(&places, 1).len(), of_client);
            assert_eq!(places.take(Client(1), of_client).unwrap().len(), of_client, "they were given back");
        }
    }

    #[test]
    fn busy_clients_leave_places_to_others() {
        let places = TextPlaces::new(72);
        let taken: Vec<Vec<Held>> = (1..=8).map(|client| all(&places, client)).collect();
        assert_eq!(taken.iter().map(Vec::len).collect::<Vec<_>>(), [72, 36, 18, 9, 5, 2, 1, 1]);
        assert_eq!(places.take(Client(9), 1).unwrap_err(), TooMany { given: 1, limit: 0 });
        assert_eq!(places.take(Client(1), 1).unwrap_err(), TooMany { given: 73, limit: 36 });
        drop(taken);
        assert_eq!(all(&places, 9).len(), 72);
    }

    #[test]
    fn one_client_leaves_a_place_even_if_there_are_few() {
        let places = TextPlaces::new(1);
        let (_first, second) = (all(&places, 1), all(&places, 2));
        assert_eq!(second.len(), 1);
    }

    #[test]
    fn a_request_gets_all_its_places_or_none() {
        let places = TextPlaces::new(4);
        assert_eq!(places.take(Client(1), 5).unwrap_err(), TooMany { given: 5, limit: 4 });
        assert_eq!(all(&places, 1).len(), 4);
    }
}
