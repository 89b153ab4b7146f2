//! The kinds in which files keep numbers: how many make a block, and how many bytes it takes.

/// A kind in which the numbers of a matrix are kept, as ggml names them; blocks follow one another without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    F32,
    F16,
    BF16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2K,
    Q3K,
    Q4K,
    Q5K,
    Q6K,
}

impl Kind {
    /// Returns the kind with such a number in GGUF files.
    pub(crate) fn of_gguf(number: u32) -> Option<Self> {
        Some(match number {
            0 => Kind::F32,
            1 => Kind::F16,
            2 => Kind::Q4_0,
            3 => Kind::Q4_1,
            6 => Kind::Q5_0,
            7 => Kind::Q5_1,
            8 => Kind::Q8_0,
            10 => Kind::Q2K,
            11 => Kind::Q3K,
            12 => Kind::Q4K,
            13 => Kind::Q5K,
            14 => Kind::Q6K,
            30 => Kind::BF16,
            _ => return None,
        })
    }

    /// Returns the number of numbers in a block.
    pub(crate) fn block(self) -> usize {
        match self {
            Kind::F32 | Kind::F16 | Kind::BF16 => 1,
            Kind::Q4_0 | Kind::Q4_1 | Kind::Q5_0 | Kind::Q5_1 | Kind::Q8_0 => 32,
            Kind::Q2K | Kind::Q3K | Kind::Q4K | Kind::Q5K | Kind::Q6K => 256,
        }
    }

    /// Returns the number of bytes of a block.
    pub(crate) fn block_bytes(self) -> usize {
        match self {
            Kind::F32 => 4,
            Kind::F16 | Kind::BF16 => 2,
            Kind::Q4_0 => 18,
            Kind::Q4_1 => 20,
            Kind::Q5_0 => 22,
            Kind::Q5_1 => 24,
            Kind::Q8_0 => 34,
            Kind::Q2K => 84,
            Kind::Q3K => 110,
            Kind::Q4K => 144,
            Kind::Q5K => 176,
            Kind::Q6K => 210,
        }
    }

    /// Returns the number of bytes that so many numbers take; they must be whole blocks.
    pub(crate) fn bytes(self, numbers: usize) -> usize {
        numbers / self.block() * self.block_bytes()
    }
}
