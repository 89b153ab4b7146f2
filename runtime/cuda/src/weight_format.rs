//! Storage formats of weights; the names of MatMul kernels contain them.

/// Storage format of weights. Quantised formats have blocks of numbers with a factor. Products are computed from the dequantised numbers, without
/// further rounding.
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
    /// Q4_0 of ggml: a factor of binary16, then 32 integers of 4 bits, stored with an offset of 8.
    Q4_0,
    /// Q4_1 of ggml: a factor and an offset of binary16, then 32 integers of 4 bits.
    Q4_1,
    /// A factor and an offset of 32 bits, then 16 integers of 8 bits: a form to which all other formats can be converted.
    Groups,
}

impl WeightFormat {
    /// All formats.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::ALL.len(), 7);
    /// ```
    pub const ALL: [Self; 7] = [Self::F32, Self::F16, Self::Bf16, Self::Q8_0, Self::Q4_0, Self::Q4_1, Self::Groups];

    /// Returns the number of weights in a block.
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

    /// Returns the size of a block, in bytes.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::Q8_0.bytes(), 34);
    /// ```
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.factor_bytes() + self.number_bytes()
    }

    /// Returns the size of the factors at the beginning of a block, in bytes.
    pub(crate) const fn factor_bytes(self) -> usize {
        match self {
            Self::F32 | Self::F16 | Self::Bf16 => 0,
            Self::Q8_0 | Self::Q4_0 => 2,
            Self::Q4_1 => 4,
            Self::Groups => 8,
        }
    }

    /// Returns the size of the weights in a block, in bytes.
    const fn number_bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::Q8_0 => 32,
            Self::Q4_0 | Self::Q4_1 | Self::Groups => 16,
        }
    }

    /// Returns the number of which the length of a row must be a multiple, so that a row has whole blocks, and whole vectors of 16 bytes.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::WeightFormat::F16.row_multiple(), 8);
    /// ```
    #[must_use]
    pub const fn row_multiple(self) -> usize {
        let vector = 16 * self.numbers() / self.number_bytes();
        if vector > self.numbers() { vector } else { self.numbers() }
    }

    /// Returns the spelling of this format in kernels' names, such as `f16`.
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
