//! How long work of a client may take a processor like any other, before it is put behind.
//!
//! Short work is not put behind, so that a format of usual size compiles soon. But who asks for such work all the time would have a processor
//! all the time: each client has a bucket of [`MOST`], which leaks a tenth of the time that passes (a leaky bucket, as of Turner, 1986).

use std::collections::HashMap;
use std::time::{Duration, Instant};

use ogc_runtime::cache::Client;

/// The time of a processor for which work is like any other. Most formats are compiled in less.
const SHORT: Duration = Duration::from_millis(5);

/// The most time for which work of a client is like any other, where it asks for much at once.
const MOST: Duration = Duration::from_millis(50);

/// A client has this part of a processor in the long run.
const PART: u32 = 10;

/// The number of clients beyond which those are looked for whose buckets are empty.
const MANY: usize = 64;

/// What clients have in their buckets, and since when.
#[derive(Debug, Default)]
pub(super) struct FrontTime(HashMap<Client, (Duration, Instant)>);

impl FrontTime {
    /// Returns the time for which the next work of a client is like any other.
    pub(super) fn left(&self, client: Client, now: Instant) -> Duration {
        let had = self.0.get(&client).map_or(Duration::ZERO, |had| leaked(*had, now));
        MOST.saturating_sub(had).min(SHORT)
    }

    /// Counts work of a client that was like any other for so long.
    pub(super) fn count(&mut self, client: Client, time: Duration, now: Instant) {
        let had = self.0.entry(client).or_insert((Duration::ZERO, now));
        *had = (leaked(*had, now) + time, now);
        if self.0.len() > MANY {
            self.0.retain(|_, had| !leaked(*had, now).is_zero());
        }
    }
}

fn leaked((had, since): (Duration, Instant), now: Instant) -> Duration {
    had.saturating_sub(now.saturating_duration_since(since) / PART)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_all_the_time_has_a_tenth_and_who_asks_now_and_then_is_not_put_behind() {
        for (pause, part) in [(Duration::ZERO, 0.1), (Duration::from_millis(100), 0.05)] {
            let (mut front, start) = (FrontTime::default(), Instant::now());
            let (mut now, mut all) = (start, Duration::ZERO);
            while now < start + Duration::from_secs(10) {
                let left = front.left(Client(1), now);
                assert!(left == SHORT || pause.is_zero());
                all += left;
                now += left.max(Duration::from_micros(100));
                front.count(Client(1), left, now);
                now += pause;
            }
            let had = all.as_secs_f64() / 10.0;
            assert!((had - part).abs() < 0.01, "{had}");
            assert_eq!(front.left(Client(2), now), SHORT, "others have their own");
        }
    }

    #[test]
    fn nothing_is_kept_of_clients_that_are_gone() {
        let (mut front, start) = (FrontTime::default(), Instant::now());
        for client in 0..10_000 {
            front.count(Client(client), SHORT, start + Duration::from_millis(client));
        }
        assert!(front.0.len() <= MANY);
    }
}
