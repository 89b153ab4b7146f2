//! Random numbers that depend on a seed, a request and a position, and on nothing else.

/// The random numbers of one choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Draw {
    /// What is drawn first.
    pub(super) first: u64,
    /// What is drawn within what was drawn first.
    pub(super) second: u64,
}

impl Draw {
    /// Returns the numbers for a position of a request.
    pub(super) fn of(seed: u64, request: u64, position: u64) -> Self {
        let first = [request, position].iter().fold(mix(seed), |state, part| mix(state ^ mix(*part)));
        Self { first, second: mix(first) }
    }
}

/// Mixes the bits of a number: the step of SplitMix64 (Steele, Lea and Flood 2014).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::super::weights::below;
    use super::*;

    #[test]
    fn the_step_is_that_of_splitmix() {
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn draws_are_even() {
        let mut counts = [[0_u32; 10]; 2];
        for (request, position) in (0..100).flat_map(|request| (0..100).map(move |position| (request, position))) {
            let draw = Draw::of(7, request, position);
            counts[0][below(draw.first, 10) as usize] += 1;
            counts[1][below(draw.second, 10) as usize] += 1;
        }
        assert!(counts.as_flattened().iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
