//! Random numbers that depend only on a seed, a request and a position.

/// The random numbers of one choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Draw {
    /// Draws a chunk, or a token where there are no chunks.
    pub(super) first: u64,
    /// Draws a token within the chunk.
    pub(super) second: u64,
}

impl Draw {
    /// Returns the numbers for a position of a request.
    pub(super) fn of(seed: u64, request: u64, position: u64) -> Self {
        // The parts are added one after the other, with mixing in between: without it, two parts could cancel each
        // other out.
        let first = [request, position].iter().fold(mix(seed), |state, part| mix(state.wrapping_add(*part)));
        Self { first, second: mix(first) }
    }

    /// Returns a number from 0 to below 1 that decides whether a drafted token is kept; independent of the numbers that draw tokens.
    pub(super) fn acceptance(self) -> f64 {
        unit(mix(self.second))
    }

    /// Returns a number from 0 to below 1 that draws the token in place of a drafted one, independent of the others.
    pub(super) fn replacement(self) -> f64 {
        unit(mix(mix(self.second)))
    }
}

/// Returns the number from 0 to below 1 whose first 53 bits are the highest bits of `bits`.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
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
    fn the_random_generator_is_splitmix64() {
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn small_seeds_requests_and_positions_draw_distinct_numbers() {
        let places =
            (0..64).flat_map(|seed| (0..64).flat_map(move |request| (0..16).map(move |at| (seed, request, at))));
        let mut drawn: Vec<u64> = places
            .flat_map(|(seed, request, position)| {
                let draw = Draw::of(seed, request, position);
                [draw.first, draw.second]
            })
            .collect();
        let all = drawn.len();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), all);
    }

    /// Draws of places that differ by a step in any direction agree in a tenth of the cases, as independent ones do.
    #[test]
    fn neighbours_are_independent() {
        let steps = (0..27).map(|step| [step / 9, step / 3 % 3, step % 3]).filter(|step| *step != [0; 3]);
        for step in steps {
            let places =
                (0..20).flat_map(|seed| (0..20).flat_map(move |request| (0..20).map(move |at| [seed, request, at])));
            let digit = |[seed, request, position]: [u64; 3]| below(Draw::of(seed, request, position).first, 10);
            let moved = |place: [u64; 3]| std::array::from_fn(|part| place[part] + step[part]);
            let agree = places.filter(|place| digit(*place) == digit(moved(*place))).count();
            // 800 are expected of 8,000, with a deviation of 27.
            assert!((670..930).contains(&agree), "{step:?}: {agree}");
        }
    }

    #[test]
    fn draws_are_uniform() {
        let mut counts = [[0_u32; 10]; 2];
        for (request, position) in (0..100).flat_map(|request| (0..100).map(move |position| (request, position))) {
            let draw = Draw::of(7, request, position);
            counts[0][below(draw.first, 10) as usize] += 1;
            counts[1][below(draw.second, 10) as usize] += 1;
        }
        assert!(counts.as_flattened().iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
