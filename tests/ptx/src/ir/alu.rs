//! Functions of one lane's operands: integer and float arithmetic, comparisons, conversions, selections.

use super::types::{Format, IntegerType, Space, Width};

/// A function from up to four values of a lane to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alu {
    /// Whole numbers and bits.
    Integer(IntegerOp, IntegerType),
    /// Bits without a type that do not fit [`Alu::Integer`].
    Bits(BitsOp),
    /// One number in floating point.
    Float(FloatOp, FloatForm),
    /// Two numbers in floating point in one word, each computed by itself.
    FloatPair(FloatOp, FloatForm),
    /// The first operand if the third, a predicate, is true, else the second.
    Select,
    /// Converts a value to another type.
    Convert(Conversion),
    /// Two binary32 numbers rounded and packed: the first becomes the upper half.
    ConvertPair { to: Format, rounding: Rounding, relu: bool },
    /// Converts an address of a space to a generic address, or back.
    Address(AddressOp),
}

/// An operation on whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntegerOp {
    /// `a + b`, the low bits.
    Add,
    /// `a + b`, saturated (`add.sat.s32`).
    AddSaturated,
    /// `a - b`, the low bits.
    Subtract,
    /// `a - b`, saturated (`sub.sat.s32`).
    SubtractSaturated,
    /// The low half of the product.
    MultiplyLow,
    /// The high half of the product.
    MultiplyHigh,
    /// The product, twice as wide.
    MultiplyWide,
    /// The low half of `a * b`, plus `c`.
    MultiplyAddLow,
    /// The high half of `a * b`, plus `c`.
    MultiplyAddHigh,
    /// `a * b + c`, twice as wide as `a` and `b`.
    MultiplyAddWide,
    /// The low 32 bits of the product of the low 24 bits (`mul24.lo`).
    Multiply24,
    /// The product of [`IntegerOp::Multiply24`] plus `c` (`mad24.lo`).
    MultiplyAdd24,
    /// The quotient, rounded to zero.
    Divide,
    /// The rest of the division, with the sign of `a`.
    Remainder,
    /// The smaller.
    Minimum,
    /// The larger.
    Maximum,
    /// `|a|`; the absolute value of the least number is itself.
    Absolute,
    /// `-a`.
    Negate,
    /// `|a - b| + c`.
    SumOfDifference,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Bitwise complement.
    Not,
    /// 1 if `a` is zero, else 0 (`cnot`).
    IsZero,
    /// `a` shifted left by `b` (32 bits); the distance is at most the width.
    ShiftLeft,
    /// `a` shifted right by `b` (32 bits); the distance is at most the width. The sign fills signed numbers.
    ShiftRight,
    /// The number of set bits.
    PopulationCount,
    /// The number of leading zero bits.
    LeadingZeros,
    /// The bits in the opposite order.
    Reverse,
    /// The number of the top bit that differs from the sign; all ones if there is none.
    FindTop,
    /// The distance by which that bit could be shifted left; all ones if there is none.
    FindTopShift,
    /// `c` bits of `a` from bit `b`, extended by the sign if the type is signed.
    ExtractField,
}

/// An operation on bits; its operands have different types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitsOp {
    /// The low `d` bits of `a` put into `b` from bit `c`.
    InsertField(Width),
    /// Bytes of `a` and `b` by the selectors in `c`.
    Permute,
    /// Three words by a table of eight bits.
    Table(u8),
    /// The pair `b:a` shifted by `c`: its upper word after a shift left, its lower after one right.
    Funnel { left: bool, wrap: bool },
    /// Four products of bytes, summed with `c`.
    DotBytes { first_signed: bool, second_signed: bool },
}

/// An operation on floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatOp {
    /// `a + b`.
    Add,
    /// `a - b`.
    Subtract,
    /// `a * b`.
    Multiply,
    /// `a * b + c`, rounded once.
    FusedMultiplyAdd,
    /// `a / b`.
    Divide,
    /// `1 / a`.
    Reciprocal,
    /// The square root.
    SquareRoot,
    /// `1 / sqrt(a)`.
    ReciprocalSquareRoot,
    /// `2^a`.
    PowerOfTwo,
    /// The logarithm to base 2.
    LogarithmOfTwo,
    /// The sine.
    Sine,
    /// The cosine.
    Cosine,
    /// The hyperbolic tangent.
    HyperbolicTangent,
    /// The smaller; a number is preferred to a NaN.
    Minimum,
    /// The larger; a number is preferred to a NaN.
    Maximum,
    /// The smaller; NaN if either is.
    MinimumOrNan,
    /// The larger; NaN if either is.
    MaximumOrNan,
    /// The absolute value.
    Absolute,
    /// The negative.
    Negate,
    /// `b` with the sign of `a`.
    CopySign,
}

/// The rounding of a result in floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To the nearest, ties to even.
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
}

/// The format of an operation in floating point, and the treatment of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloatForm {
    /// The format of operands and result.
    pub(crate) format: Format,
    /// The rounding of the result.
    pub(crate) rounding: Rounding,
    /// Whether subnormal operands and results become zero.
    pub(crate) flush: bool,
    /// Whether the result is bounded by 0 and 1, NaN being 0.
    pub(crate) saturate: bool,
}

/// A test of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// Two whole numbers.
    Integer(Relation, IntegerType),
    /// Two numbers in floating point; with `flush`, subnormal numbers count as zero.
    Float { relation: FloatRelation, format: Format, flush: bool },
}

/// A relation of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessOrEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterOrEqual,
}

/// A relation of two values that may be NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatRelation {
    /// False if either is NaN.
    Ordered(Relation),
    /// True if either is NaN.
    Unordered(Relation),
    /// Whether both are numbers.
    BothNumbers,
    /// Whether either is NaN.
    EitherNan,
}

/// A change of type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversion {
    /// Between whole numbers: the low bits, or the nearest that fits.
    IntegerToInteger { from: IntegerType, to: IntegerType, saturate: bool },
    /// To floating point.
    IntegerToFloat { from: IntegerType, to: Format, rounding: Rounding },
    /// To the nearest whole number that fits.
    FloatToInteger { from: Format, to: IntegerType, rounding: Rounding, flush: bool },
    /// Between formats.
    FloatToFloat { from: Format, to: FloatForm },
    /// To a whole number of the same format.
    FloatToIntegral { to: FloatForm },
}

/// An operation on an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressOp {
    /// From the space to generic addresses.
    ToGeneric(Space),
    /// From generic addresses to the space.
    FromGeneric(Space),
    /// Whether a generic address lies in the space.
    IsIn(Space),
}
