//! The cost of a part of a format in states, bytes and time: figures that accompany a finding about the part. The stage
//! that computes them knows what they count.

use std::fmt;
use std::time::Duration;

/// The cost of a part of a format.
///
/// Written as `1200 states (37 KiB)`, with masks as `1200 states (37 KiB) and 80 mask rows (2.1 MiB)`, which are the
/// same in every run. [`Times`] writes the times.
///
/// ```
/// use ogc_grammar::Cost;
/// assert_eq!(Cost { states: 12, bytes: 640, masks: None }.to_string(), "12 states (640 bytes)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Number of states of the automaton.
    pub states: usize,
    /// Size of the states' tables, in bytes.
    pub bytes: usize,
    /// The cost in masks, if a vocabulary is known.
    pub masks: Option<MaskCost>,
}

/// The cost of a part of a format in masks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaskCost {
    /// Number of mask rows that the part uses.
    pub rows: usize,
    /// Size of the rows, in bytes.
    pub row_bytes: usize,
    /// Times that the rows took to build; zero if they were not built in this run.
    pub times: Times,
}

/// Build times of the masks of a part. Two values always compare equal, because times differ from run to run and must
/// not make results differ.
///
/// ```
/// use std::time::Duration;
/// let times = ogc_grammar::Times { build: Duration::from_millis(84), slowest: Duration::from_micros(3_100) };
/// assert_eq!(times.to_string(), "its masks took 84 ms of the build, the slowest row 3.1 ms");
/// assert_eq!(times, ogc_grammar::Times::default());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Share of the part in the time that the masks of the format took to build.
    pub build: Duration,
    /// Longest time of a row that is built on demand: without an artifact, a step can wait that long.
    pub slowest: Duration,
}

impl PartialEq for Times {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Times {}

impl Cost {
    /// Returns the number of rows; 0 without a vocabulary.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.masks.map_or(0, |masks| masks.rows)
    }

    /// Returns the size of the rows in bytes; 0 without a vocabulary.
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        self.masks.map_or(0, |masks| masks.row_bytes)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} states ({})", self.states, size(self.bytes))?;
        match self.masks {
            Some(masks) => write!(f, " and {masks}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for MaskCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} mask rows ({})", self.rows, size(self.row_bytes))
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its masks took {} of the build, the slowest row {}", millis(self.build), millis(self.slowest))
    }
}

/// Formats a size in bytes for people.
#[must_use]
pub fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// Formats a time for people, with two or a few more digits.
fn millis(time: Duration) -> String {
    match time.as_secs_f64() * 1e3 {
        millis @ 0.0..10.0 => format!("{millis:.1} ms"),
        millis @ 10.0..10_000.0 => format!("{millis:.0} ms"),
        millis => format!("{:.1} s", millis / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_display_with_readable_units() {
        let masks = MaskCost { rows: 3, row_bytes: 2_200_000, times: Times::default() };
        let cost = Cost { states: 1200, bytes: 37_000, masks: Some(masks) };
        assert_eq!(cost.to_string(), "1200 states (37 KiB) and 3 mask rows (2.1 MiB)");
        assert_eq!(Cost { masks: None, bytes: 64, ..cost }.to_string(), "1200 states (64 bytes)");
    }

    #[test]
    fn times_display_with_units_and_are_ignored_by_equality() {
        let times =
            |build, slowest| Times { build: Duration::from_micros(build), slowest: Duration::from_micros(slowest) };
        assert_eq!(times(84_200, 3_140).to_string(), "its masks took 84 ms of the build, the slowest row 3.1 ms");
        assert_eq!(times(12_340_000, 40).to_string(), "its masks took 12.3 s of the build, the slowest row 0.0 ms");
        assert_eq!(times(1, 2), times(3, 4));
    }
}
