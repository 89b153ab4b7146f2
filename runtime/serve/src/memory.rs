//! Returns freed memory to the system: soon after a burst of requests, and now and then while requests go on.

use std::sync::Arc;
use std::time::Duration;

use crate::metrics::Metrics;
use crate::system::{give_back_memory, share_arenas};

/// Time between two checks whether there were requests.
const LOOK: Duration = Duration::from_secs(1);

/// Number of checks after which memory is returned in any case. A return stops threads that allocate, for some milliseconds.
const MOST_LOOKS: u32 = 10;

/// Decides at each check whether to return memory, by the work that was done.
#[derive(Debug, Default)]
struct Looks {
    /// Work that was done until the last check.
    done: u64,
    /// Whether work was done since memory was returned.
    is_used: bool,
    since: u32,
}

impl Looks {
    fn is_time(&mut self, done: u64) -> bool {
        let is_quiet = std::mem::replace(&mut self.done, done) == done;
        self.is_used |= !is_quiet;
        self.since += 1;
        let is_time = (is_quiet && self.is_used) || self.since >= MOST_LOOKS;
        if is_time {
            *self = Self { done, ..Self::default() };
        }
        is_time
    }
}

/// Returns memory to the system, as long as the server runs.
pub(crate) async fn keep_small(metrics: Arc<Metrics>) {
    share_arenas();
    let mut looks = Looks::default();
    loop {
        tokio::time::sleep(LOOK).await;
        if looks.is_time(metrics.work()) {
            // This fails only by a panic; then the next return must suffice.
            drop(tokio::task::spawn_blocking(give_back_memory).await);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_released_when_idle_and_occasionally_under_load() {
        let mut looks = Looks::default();
        let times = |looks: &mut Looks, done: [u64; 10]| done.map(|done| looks.is_time(done));
        let after_burst = times(&mut looks, [1, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
        assert_eq!(after_burst.map(u8::from), [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        let busy = times(&mut looks, [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
        assert_eq!(busy.iter().filter(|is_time| **is_time).count(), 1);
    }
}
