//! Operands on which instructions are tried.

use ogc_kit::Random;

/// Numbers at the edges of types, as bits of all widths: whole numbers, and floating point with zeros, infinities, NaN
/// and subnormal numbers.
const EDGES: &[u64] = &[
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    24,
    31,
    32,
    33,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
    // binary32
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0001,
    0x007f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x3f00_0000,
    0x3fc0_0000,
    0x4f00_0000,
    0xcf00_0000,
    0x4f80_0000,
    0x5f00_0000,
    0x3380_0000,
    0x3f80_0001,
    0x477f_e000,
    0x477f_f000,
    0x3880_0000,
    0x3300_0000,
    // binary16 and bfloat16
    0x3c00,
    0xbc00,
    0x7c00,
    0xfc00,
    0x7e00,
    0x03ff,
    0x0400,
    0x7bff,
    0x3f80,
    0x7f80,
    0xff80,
    0x7fc0,
    0x007f,
    0x0080,
    0x7f7f,
    // binary64
    0x3ff0_0000_0000_0000,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x47ef_ffff_f000_0000,
    0x36a0_0000_0000_0000,
    0x3fe0_0000_0000_0000,
];

fn pick(random: &mut Random, from: &[u64]) -> u64 {
    from[(random.next() % from.len() as u64) as usize]
}

/// Returns mixed operands: random bits, small numbers, edges, and floating point with similar exponents.
pub(crate) fn mixed(count: usize) -> Vec<[u64; 4]> {
    let mut random = Random::new(1);
    let mut operands = Vec::new();
    for _ in 0..count {
        operands.push([(); 4].map(|()| match random.next() % 6 {
            0 => random.next(),
            1 => random.next() % 100,
            2 => (random.next() % 100).wrapping_neg(),
            // binary32 near 1, so that sums and products are inexact in every way.
            3 => 0x3f00_0000 ^ random.next() & 0x80ff_ffff,
            4 => random.next() & 0xffff_ffff,
            _ => pick(&mut random, EDGES),
        }));
    }
    for a in EDGES {
        for b in EDGES {
            operands.push([*a, *b, pick(&mut random, EDGES), pick(&mut random, EDGES)]);
        }
    }
    operands
}

/// Returns [`mixed`] operands without zero in the low bits of the second operands.
pub(crate) fn with_divisors(count: usize, mask: u64) -> Vec<[u64; 4]> {
    let mut operands = mixed(count);
    operands.retain(|operands| operands[1] & mask != 0);
    operands
}
