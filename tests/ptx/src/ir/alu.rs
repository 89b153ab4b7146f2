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
    /// Two numbers in floating point in one word, each for itself.
    FloatPair(FloatOp, FloatForm),
    /// The first operand if the third, a predicate, is true, else the second.
    Select,
    /// A value of one type as another.
    Convert(Conversion),
    /// Two binary32 numbers rounded and packed: the first becomes the upper half.
    ConvertPair { to: Format, rounding: Rounding, relu: bool },
    /// An address of a space as a generic one, or back.
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
    /// The same plus `c` (`mad24.lo`).
    MultiplyAdd24,
    /// The quotient, rounded to zero.
    Divide,
    /// The rest of the division, with the sign of `a`.
    Remainder,
    /// The smaller.
    Minimum,
    /// The larger.
    Maximum,
    /// `|a|`; the least number is its own.
    Absolute,
    /// `-a`.
    Negate,
    /// `|a - b| + c`.
    SumOfDifference,
    /// Bit by bit, both.
    And,
    /// Bit by bit, either.
    Or,
    /// Bit by bit, one of them.
    Xor,
    /// Bit by bit, not.
    Not,
    /// 1 if `a` is zero, else 0 (`cnot`).
    IsZero,
    /// `a` shifted left by `b` (32 bits), at most its width.
    ShiftLeft,
    /// `a` shifted right by `b` (32 bits), at most its width, filled by its sign where it has one.
    ShiftRight,
    /// How many bits are set.
    PopulationCount,
    /// How many top bits are zero.
    LeadingZeros,
    /// The bits in the opposite order.
    Reverse,
    /// The number of the top bit that differs from the sign; all ones if there is none.
    FindTop,
    /// How far left that bit could be shifted; all ones if there is none.
    FindTopShift,
    /// `c` bits of `a` from bit `b`, extended by the sign where there is one.
    ExtractField,
}

/// An operation on bits whose operands are not all of one type.
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
    /// The smaller; a number rather than a NaN.
    Minimum,
    /// The larger; a number rather than a NaN.
    Maximum,
    /// The smaller; NaN if either is.
    MinimumOrNan,
    /// The larger; NaN if either is.
    MaximumOrNan,
    /// Without its sign.
    Absolute,
    /// With the other sign.
    Negate,
    /// `b` with the sign of `a`.
    CopySign,
}

/// How a result in floating point is rounded.
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

/// The format of an operation in floating point, and how its result is made to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloatForm {
    /// The format of operands and result.
    pub(crate) format: Format,
    /// How the result is rounded.
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
    /// Two numbers in floating point, subnormals being zero if `flush`.
    Float { relation: FloatRelation, format: Format, flush: bool },
}

/// How two values compare.
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

/// How two values compare of which either may be a NaN.
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

/// What a conversion of an address does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressOp {
    /// From the space to generic addresses.
    ToGeneric(Space),
    /// From generic addresses to the space.
    FromGeneric(Space),
    /// Whether a generic address lies in the space.
    IsIn(Space),
}
