//! Budget of CPU time at normal priority, for each client.
//!
//! Short work keeps its priority, so that a format of usual size compiles soon. But a client that asks for short work all the time would keep a CPU
//! busy. So each client has a leaky bucket (Turner, 1986) of [`MOST`], which leaks a tenth of the time that passes.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use ogc_runtime::cache::Client;

/// CPU time at normal priority for one piece of work. Most formats compile in less.
const SHORT: Duration = Duration::from_millis(5);

/// Maximum CPU time at normal priority for one client, if it asks for much at once.
const MOST: Duration = Duration::from_millis(50);

/// One divided by a client's share of a CPU in the long run.
const PART: u32 = 10;

/// Number of clients above which clients with empty buckets are removed.
const MANY: usize = 64;

/// Level of each client's bucket, and the time at which it was measured.
#[derive(Debug, Default)]
pub(super) struct FrontTime(HashMap<Client, (Duration, Instant)>);

impl FrontTime {
    /// Returns the CPU time that the next work of a client has at normal priority.
    pub(super) fn left(&self, client: Client, now: Instant) -> Duration {
        let had = self.0.get(&client).map_or(Duration::ZERO, |had| leaked(*had, now));
        MOST.saturating_sub(had).min(SHORT)
    }

    /// Adds CPU time that a client's work had at normal priority.
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
    fn busy_clients_get_a_tenth_of_the_front_time_and_occasional_ones_are_not_delayed() {
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
