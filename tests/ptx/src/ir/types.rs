//! The types of registers and of values in memory.

/// The number of bits of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    /// One bit: a predicate.
    Bit,
    /// 8 bits.
    Byte,
    /// 16 bits.
    Half,
    /// 32 bits.
    Word,
    /// 64 bits.
    Double,
}

impl Width {
    /// Returns the number of bits.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Width::Bit => 1,
            Width::Byte => 8,
            Width::Half => 16,
            Width::Word => 32,
            Width::Double => 64,
        }
    }

    /// Returns the number of bytes that a value takes in memory.
    pub(crate) fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Returns `value` with only the low bits that fit.
    pub(crate) fn truncate(self, value: u64) -> u64 {
        value & (u64::MAX >> (64 - self.bits()))
    }

    /// Returns the value of the low bits as a signed number.
    pub(crate) fn sign_extend(self, value: u64) -> i64 {
        let unused = 64 - self.bits();
        ((value << unused).cast_signed()) >> unused
    }

    /// Returns the width twice as large, if there is one.
    pub(crate) fn doubled(self) -> Option<Width> {
        match self {
            Width::Byte => Some(Width::Half),
            Width::Half => Some(Width::Word),
            Width::Word => Some(Width::Double),
            Width::Bit | Width::Double => None,
        }
    }
}

/// A type of whole numbers; untyped bits are unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntegerType {
    /// Whether the top bit is a sign.
    pub(crate) signed: bool,
    /// The number of bits of a number.
    pub(crate) width: Width,
}

/// A format of floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// IEEE binary16.
    F16,
    /// The upper half of binary32.
    Bf16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
}

impl Format {
    /// Returns the number of bits of a number.
    pub(crate) fn width(self) -> Width {
        match self {
            Format::F16 | Format::Bf16 => Width::Half,
            Format::F32 => Width::Word,
            Format::F64 => Width::Double,
        }
    }
}

/// The type of an instruction's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataType {
    /// A predicate.
    Predicate,
    /// A whole number, or bits without a type.
    Integer(IntegerType),
    /// A number in floating point.
    Float(Format),
    /// Two numbers in floating point in one word, the first in the low half.
    Pair(Format),
}

impl DataType {
    /// Returns the number of bits of a value.
    pub(crate) fn width(self) -> Width {
        match self {
            DataType::Predicate => Width::Bit,
            DataType::Integer(integer) => integer.width,
            DataType::Float(format) => format.width(),
            DataType::Pair(_) => Width::Word,
        }
    }

    /// Returns the value of this type in `bits`, extended to 64 bits: by its sign if the type is signed.
    pub(crate) fn extend(self, bits: u64) -> u64 {
        match self {
            DataType::Integer(IntegerType { signed: true, width }) => width.sign_extend(bits).cast_unsigned(),
            DataType::Predicate | DataType::Integer(_) | DataType::Float(_) | DataType::Pair(_) => {
                self.width().truncate(bits)
            }
        }
    }
}

/// A kind of memory, with addresses of its own. Generic addresses cover all spaces but parameters and constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Space {
    /// Global, shared or local memory, by the address.
    Generic,
    /// Memory that the whole grid sees.
    Global,
    /// Memory that one block sees.
    Shared,
    /// Memory of one thread.
    Local,
    /// Constants of the module.
    Constant,
    /// Parameters of the kernel, or of a call.
    Parameter,
}

impl Space {
    /// Returns its name in PTX.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Constant => "const",
            Space::Parameter => "param",
        }
    }
}
