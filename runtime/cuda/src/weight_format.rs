//! The formats in which weights are kept; kernels that multiply have one of them in their names.

/// How weights are kept. Quantised formats have blocks of numbers with a factor; products are made of the numbers that they stand for,
/// rounded no further.
///
/// ```
/// use ogc_cuda::WeightFormat;
/// // 32 integers of 4 bits and a factor of 16.
/// assert_eq!((WeightFormat::Q4_0.numbers(), WeightFormat::Q4_0.bytes()), (32, 18));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WeightFormat {
    /// Numbers of 32 bits.
    F32,
    /// Numbers of IEEE binary16.
    F16,
    /// Numbers of bfloat16.
    Bf16,
    /// Q8_0 of ggml: a factor of binary16, then 32 integers of 8 bits.
    Q8_0,
    /// Q4_0 of ggml: a factor of binary16, then 32 integers of 4 bits, 8 above the true ones.
    Q4_0,
    /// Q4_1 of ggml: a factor and an offset of binary16, then 32 integers of 4 bits.
    Q4_1,
    /// A factor and an offset of 32 bits, then 16 integers of 8 bits: what all other formats come down to.
    Groups,
}

impl WeightFormat {
    /// All formats.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::ALL.len(), 7);
    /// ```
    pub const ALL: [Self; 7] = [Self::F32, Self::F16, Self::Bf16, Self::Q8_0, Self::Q4_0, Self::Q4_1, Self::Groups];

    /// Returns how many numbers a block has.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::F16.numbers(), 1);
    /// ```
    #[must_use]
    pub const fn numbers(self) -> usize {
        match self {
            Self::F32 | Self::F16 | Self::Bf16 => 1,
            Self::Groups => 16,
            Self::Q8_0 | Self::Q4_0 | Self::Q4_1 => 32,
        }
    }

    /// Returns how many bytes a block has.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::Q8_0.bytes(), 34);
    /// ```
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.factor_bytes() + self.number_bytes()
    }

    /// Returns how many bytes of a block, its first ones, its numbers are multiplied with.
    pub(crate) const fn factor_bytes(self) -> usize {
        match self {
            Self::F32 | Self::F16 | Self::Bf16 => 0,
            Self::Q8_0 | Self::Q4_0 => 2,
            Self::Q4_1 => 4,
            Self::Groups => 8,
        }
    }

    /// Returns how many bytes the numbers of a block take.
    const fn number_bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::Q8_0 => 32,
            Self::Q4_0 | Self::Q4_1 | Self::Groups => 16,
        }
    }

    /// Returns what the length of a row must be a multiple of: whole blocks, and whole vectors of 16 bytes.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::F16.row_multiple(), 8);
    /// ```
    #[must_use]
    pub const fn row_multiple(self) -> usize {
        let vector = 16 * self.numbers() / self.number_bytes();
        if vector > self.numbers() { vector } else { self.numbers() }
    }

    /// Returns its name in the names of kernels.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::Q8_0 => "q8_0",
            Self::Q4_0 => "q4_0",
            Self::Q4_1 => "q4_1",
            Self::Groups => "groups",
        }
    }
}
