//! Generates pseudo-random numbers (SplitMix64): the same seed gives the same samples everywhere.

/// A generator of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Makes a generator.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.number().checked_rem(bound).unwrap_or(0)
    }

    /// Returns an index with a probability proportional to its weight; `None` if all weights are 0.
    pub fn weighted(&mut self, weights: &[u64]) -> Option<usize> {
        let all: u64 = weights.iter().sum();
        let mut left = self.below(all);
        if all == 0 {
            return None;
        }
        weights.iter().position(|&weight| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn weighted_choices_follow_their_weights() {
        let mut random = Random::new(1);
        let counts = (0..1_000).fold([0; 3], |mut counts, _| {
            counts[random.weighted(&[1, 0, 9]).unwrap()] += 1;
            counts
        });
        assert!(counts[0] > 50 && counts[1] == 0 && counts[2] > 800, "{counts:?}");
        assert_eq!(random.weighted(&[0, 0]), None);
    }
}
