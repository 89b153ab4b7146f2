//! Random numbers that depend on a seed, a request and a position, and on nothing else.

/// Returns a number from 0 to below 1.
pub(super) fn share(seed: u64, request: u64, position: u64) -> f64 {
    let mixed = [request, position].iter().fold(mix(seed), |state, part| mix(state ^ mix(*part)));
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
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
    use super::*;

    #[test]
    fn the_step_is_that_of_splitmix() {
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn shares_are_even() {
        let mut counts = [0_u32; 10];
        for (request, position) in (0..100).flat_map(|request| (0..100).map(move |position| (request, position))) {
            counts[(share(7, request, position) * 10.0) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
