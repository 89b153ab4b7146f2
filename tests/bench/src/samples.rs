//! Collects durations and sums them up for reports.

use serde::Serialize;

/// Durations in nanoseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    nanos: Vec<u64>,
    sum: u64,
}

/// The figures of many durations, in microseconds.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Summary {
    pub(crate) count: usize,
    pub(crate) mean: f64,
    pub(crate) p50: f64,
    pub(crate) p90: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
    pub(crate) max: f64,
}

impl Samples {
    /// Adds a duration.
    pub(crate) fn push(&mut self, nanos: u64) {
        self.nanos.push(nanos);
        self.sum += nanos;
    }

    /// Returns the number of durations, and their sum in nanoseconds.
    pub(crate) fn totals(&self) -> (u64, u64) {
        (self.nanos.len() as u64, self.sum)
    }

    /// Sorts the durations and sums them up.
    pub(crate) fn summary(&mut self) -> Summary {
        self.nanos.sort_unstable();
        Summary {
            count: self.nanos.len(),
            mean: self.sum as f64 / self.nanos.len().max(1) as f64 / 1e3,
            p50: self.percentile(500),
            p90: self.percentile(900),
            p99: self.percentile(990),
            p999: self.percentile(999),
            max: self.percentile(1000),
        }
    }

    /// Returns the least duration that is not exceeded by this many in a thousand (nearest rank).
    fn percentile(&self, thousandths: usize) -> f64 {
        let rank = (self.nanos.len() * thousandths).div_ceil(1000).saturating_sub(1);
        self.nanos.get(rank).map_or(0.0, |&nanos| nanos as f64 / 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::Samples;

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let mut samples = Samples::default();
        (1..=1000).rev().for_each(|n| samples.push(n * 1000));
        let summary = samples.summary();
        assert_eq!((summary.p50, summary.p99, summary.p999, summary.max), (500.0, 990.0, 999.0, 1000.0));
        assert_eq!(Samples::default().summary().p50, 0.0);
        let mut long = Samples::default();
        [9, 10].iter().for_each(|seconds| long.push(seconds * 1_000_000_000));
        let summary = long.summary();
        assert_eq!((summary.p50, summary.max), (9e6, 1e7), "no duration is cut");
    }
}
