//! The formats in which weights are kept; kernels that multiply have one of them in their names.

/// How weights are kept. Quantised formats have blocks of numbers with a factor; products are made of the numbers that they stand for,
/// rounded no further.
///
/// ```
/// use ogc_cuda::WeightFormat;
/// // 32 integers of 4 bits and a factor of 16.
/// assert_eq!((WeightFormat::Nibbles.numbers(), WeightFormat::Nibbles.bytes()), (32, 18));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WeightFormat {
    /// Numbers of 32 bits.
    Single,
    /// Numbers of IEEE binary16.
    Half,
    /// Numbers of bfloat16.
    Brain,
    /// Q8_0 of ggml: a factor of binary16, then 32 integers of 8 bits.
    Bytes,
    /// Q4_0 of ggml: a factor of binary16, then 32 integers of 4 bits, 8 above the true ones.
    Nibbles,
    /// Q4_1 of ggml: a factor and an offset of binary16, then 32 integers of 4 bits.
    OffsetNibbles,
    /// A factor and an offset of 32 bits, then 16 integers of 8 bits: what all other formats come down to.
    Groups,
}

impl WeightFormat {
    /// All formats.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::ALL.len(), 7);
    /// ```
    pub const ALL: [Self; 7] =
        [Self::Single, Self::Half, Self::Brain, Self::Bytes, Self::Nibbles, Self::OffsetNibbles, Self::Groups];

    /// Returns how many numbers a block has.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::Half.numbers(), 1);
    /// ```
    #[must_use]
    pub const fn numbers(self) -> usize {
        match self {
            Self::Single | Self::Half | Self::Brain => 1,
            Self::Groups => 16,
            Self::Bytes | Self::Nibbles | Self::OffsetNibbles => 32,
        }
    }

    /// Returns how many bytes a block has.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::Bytes.bytes(), 34);
    /// ```
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.factor_bytes() + self.number_bytes()
    }

    /// Returns how many bytes of a block, its first ones, its numbers are multiplied with.
    pub(crate) const fn factor_bytes(self) -> usize {
        match self {
            Self::Single | Self::Half | Self::Brain => 0,
            Self::Bytes | Self::Nibbles => 2,
            Self::OffsetNibbles => 4,
            Self::Groups => 8,
        }
    }

    /// Returns how many bytes the numbers of a block take.
    const fn number_bytes(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Half | Self::Brain => 2,
            Self::Bytes => 32,
            Self::Nibbles | Self::OffsetNibbles | Self::Groups => 16,
        }
    }

    /// Returns what the length of a row must be a multiple of: whole blocks, and whole vectors of 16 bytes.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::Half.row_multiple(), 8);
    /// ```
    #[must_use]
    pub const fn row_multiple(self) -> usize {
        let vector = 16 * self.numbers() / self.number_bytes();
        if vector > self.numbers() { vector } else { self.numbers() }
    }

    /// Returns its name in the names of kernels.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Half => "half",
            Self::Brain => "brain",
            Self::Bytes => "bytes",
            Self::Nibbles => "nibbles",
            Self::OffsetNibbles => "offset_nibbles",
            Self::Groups => "groups",
        }
    }
}
