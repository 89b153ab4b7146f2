//! The few operations on sixteen numbers at once that make up products, and their implementation for every processor.
//!
//! Everything is written once, over [`Simd`]. The implementations differ in their instructions, and agree to the last bit, because sums of
//! products are rounded once ([`f32::mul_add`]).

/// Lanes of a vector: how many numbers one operation computes.
pub(super) const LANES: usize = 16;

/// Sixteen numbers in memory, which lie in one line of a cache: to read across two lines takes twice the time.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Sixteen(pub(super) [f32; LANES]);

impl Sixteen {
    pub(super) const ZERO: Self = Self([0.0; LANES]);
}

/// Sixteen bytes, the first one in the lowest bits, so that the bits of all bytes are split at once.
pub(super) type Bytes = [u64; 2];

/// Instructions of a processor. A value of such a type is the proof that the processor has them.
pub(super) trait Simd: Copy {
    /// Sixteen numbers.
    type Lanes: Copy;

    /// Returns one number sixteen times.
    fn splat(self, number: f32) -> Self::Lanes;

    /// Reads sixteen numbers.
    fn load(self, from: &Sixteen) -> Self::Lanes;

    /// Writes sixteen numbers.
    fn store(self, lanes: Self::Lanes, to: &mut Sixteen);

    /// Returns the products plus `sums`, rounded once.
    fn mul_add(self, one: Self::Lanes, two: Self::Lanes, sums: Self::Lanes) -> Self::Lanes;

    /// Converts sixteen signed bytes to floats.
    fn small(self, integers: Bytes) -> Self::Lanes;

    /// Converts the lower four bits of sixteen bytes to floats.
    fn low(self, bytes: &[u8; LANES]) -> Self::Lanes;

    /// Converts the upper four bits of sixteen bytes to floats.
    fn high(self, bytes: &[u8; LANES]) -> Self::Lanes;

    /// Converts sixteen numbers with 16 bits each to floats.
    fn halves(self, bytes: &[u8; 2 * LANES]) -> Self::Lanes;

    /// Converts a number with 16 bits to a float, in all sixteen lanes.
    fn half(self, bits: u16) -> Self::Lanes;
}

/// The operations in instructions that every processor has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Simd for Portable {
    type Lanes = [f32; LANES];

    #[inline(always)]
    fn splat(self, number: f32) -> Self::Lanes {
        [number; LANES]
    }

    #[inline(always)]
    fn load(self, from: &Sixteen) -> Self::Lanes {
        from.0
    }

    #[inline(always)]
    fn store(self, lanes: Self::Lanes, to: &mut Sixteen) {
        to.0 = lanes;
    }

    #[inline(always)]
    fn mul_add(self, one: Self::Lanes, two: Self::Lanes, mut sums: Self::Lanes) -> Self::Lanes {
        for lane in 0..LANES {
            sums[lane] = one[lane].mul_add(two[lane], sums[lane]);
        }
        sums
    }

    #[inline(always)]
    fn small(self, integers: Bytes) -> Self::Lanes {
        let mut numbers = [0.0; LANES];
        for (lane, number) in numbers.iter_mut().enumerate() {
            *number = f32::from((integers[lane / 8] >> (lane % 8 * 8)) as i8);
        }
        numbers
    }

    #[inline(always)]
    fn low(self, bytes: &[u8; LANES]) -> Self::Lanes {
        bytes.map(|byte| f32::from(byte & 0xf))
    }

    #[inline(always)]
    fn high(self, bytes: &[u8; LANES]) -> Self::Lanes {
        bytes.map(|byte| f32::from(byte >> 4))
    }

    #[inline(always)]
    fn halves(self, bytes: &[u8; 2 * LANES]) -> Self::Lanes {
        let mut numbers = [0.0; LANES];
        for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
            *number = of_half(u16::from_le_bytes(*bytes));
        }
        numbers
    }

    #[inline(always)]
    fn half(self, bits: u16) -> Self::Lanes {
        self.splat(of_half(bits))
    }
}

/// Converts a number with 16 bits to a float.
fn of_half(bits: u16) -> f32 {
    // The exponent differs from a 32-bit one by an offset, which the product adds; that is also right for subnormal
    // numbers.
    const OFFSET: f32 = f32::from_bits((127 + 112) << 23);
    let (sign, rest) = (u32::from(bits & 0x8000) << 16, u32::from(bits & 0x7fff));
    let size = if rest < 0x7c00 {
        (f32::from_bits(rest << 13) * OFFSET).to_bits()
    } else {
        f32::INFINITY.to_bits() | (rest & 0x3ff) << 13
    };
    f32::from_bits(sign | size)
}
