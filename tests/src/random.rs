//! Generates random numbers from a seed: every random test prints its seed and can be repeated from it.

/// A stream of numbers that its seed determines (SplitMix64, Steele et al. 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the stream of a seed.
    ///
    /// ```
    /// use ogc_tests::random::Random;
    /// assert_eq!(Random::new(7).next(), Random::new(7).next());
    /// ```
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns the next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "an endless stream is not an iterator here")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns a number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// Returns true once in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns one of `items`; `None` if there is none.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }

    /// Returns `count` different indexes below `len`, ascending; all of them if there are fewer.
    pub fn sample(&mut self, len: usize, count: usize) -> Vec<usize> {
        let mut indexes: Vec<usize> = (0..len).collect();
        for at in 0..count.min(len) {
            let other = at + self.below(len - at);
            indexes.swap(at, other);
        }
        indexes.truncate(count);
        indexes.sort_unstable();
        indexes
    }
}

/// Returns a number from the environment: `OGC_SEED`, `OGC_ROUNDS`, `OGC_SAMPLE`.
#[must_use]
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn samples_are_repeatable_and_without_duplicates() {
        let sample = Random::new(3).sample(100, 40);
        assert_eq!(sample, Random::new(3).sample(100, 40));
        assert!(sample.len() == 40 && sample.is_sorted_by(|a, b| a < b));
        assert_eq!(Random::new(3).sample(5, 40), [0, 1, 2, 3, 4]);
    }
}
