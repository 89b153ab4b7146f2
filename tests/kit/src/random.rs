//! Generates random numbers from a seed: every random test names its seed, and is repeated from it.

/// A stream of numbers that its seed determines (SplitMix64; Steele, Lea and Flood, *Fast splittable pseudorandom number
/// generators*, 2014).
///
/// Neighbouring seeds have streams that share nothing, so seeds can simply be counted up. Multiplying them by the odd
/// constant of the generator would make each stream the next one's, one number later.
///
/// ```
/// use ogc_kit::Random;
/// let mut random = Random::new(7);
/// assert!(random.below(10) < 10);
/// assert_eq!(Random::new(7).next(), Random::new(7).next());
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the stream of a seed, which may be any number.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
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
    pub fn choose<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }

    /// Returns one of `items`, as [`choose`](Self::choose) does.
    ///
    /// # Panics
    /// There are no items.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }

    /// Returns a number from 0 to 1, without 1.
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// Returns `count` numbers from -1 to 1, without 1.
    pub fn numbers(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| 2.0 * self.unit() - 1.0).collect()
    }

    /// Returns `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| (self.next() >> 56) as u8).collect()
    }

    /// Returns the indexes below `len` in a random order.
    pub fn order(&mut self, len: usize) -> Vec<usize> {
        self.different(len, len)
    }

    /// Returns `count` different indexes below `len` in a random order; all of them if there are fewer.
    pub fn different(&mut self, len: usize, count: usize) -> Vec<usize> {
        let mut indexes: Vec<usize> = (0..len).collect();
        for at in 0..count.min(len) {
            let other = at + self.below(len - at);
            indexes.swap(at, other);
        }
        indexes.truncate(count);
        indexes
    }

    /// Returns `count` different indexes below `len`, ascending; all of them if there are fewer.
    pub fn sample(&mut self, len: usize, count: usize) -> Vec<usize> {
        let mut indexes = self.different(len, count);
        indexes.sort_unstable();
        indexes
    }
}

/// Returns a number from the environment, such as `OGC_SEED`, `OGC_ROUNDS` or `OGC_SAMPLE`; `default` if it is not set.
///
/// # Panics
/// The variable is set, but not to a number.
#[must_use]
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| {
        value.parse().unwrap_or_else(|_| panic!("{name} is `{value}`: set it to a number, or unset it"))
    })
}

/// Returns the first seed of a comparison with an oracle: `OGC_SEED`, or 1. If `OGC_LANDING` numbers the commits, as in
/// `.ci/run`, each landing has seeds of its own.
#[must_use]
pub fn first_seed() -> u64 {
    setting("OGC_SEED", 1 + 1_000 * setting("OGC_LANDING", 0))
}

/// Returns the number of seeds of a comparison with an oracle: `OGC_ROUNDS`; by default `full` if `OGC_FULL` is set,
/// else `landing`.
#[must_use]
pub fn rounds(landing: u64, full: u64) -> u64 {
    setting("OGC_ROUNDS", if setting("OGC_FULL", 0) > 0 { full } else { landing })
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The first numbers of the seed 1234567, as other implementations of SplitMix64 document them.
    #[test]
    fn random_numbers_match_splitmix64() {
        let mut random = Random::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([(); 3].map(|()| random.next()), expected);
    }

    #[test]
    fn samples_are_repeatable_and_without_duplicates() {
        let sample = Random::new(3).sample(100, 40);
        assert_eq!(sample, Random::new(3).sample(100, 40));
        assert!(sample.len() == 40 && sample.is_sorted_by(|a, b| a < b));
        assert_eq!(Random::new(3).sample(5, 40), [0, 1, 2, 3, 4]);
        let mut order = Random::new(3).order(9);
        assert!(!order.is_sorted());
        order.sort_unstable();
        assert!(order.into_iter().eq(0..9));
    }

    #[test]
    fn numbers_stay_within_their_bounds() {
        let mut random = Random::new(1);
        assert_eq!((random.below(0), random.below(1)), (0, 0));
        let found: std::collections::BTreeSet<usize> = (0..200).map(|_| random.below(7)).collect();
        assert!(found.into_iter().eq(0..7));
        assert!((0..1_000).all(|_| (0.0..1.0).contains(&random.unit())));
        assert!(random.numbers(1_000).iter().all(|number| (-1.0..1.0).contains(number)));
    }
}
