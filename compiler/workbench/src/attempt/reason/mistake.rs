//! The kinds of mistakes in texts, by the names that machines read.

/// Names the kind of mistake that a [`Reason`](super::Reason) explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A colon is missing after a key.
    Colon,
    /// A comma is missing after a value.
    Comma,
    /// A key is written twice.
    DuplicateKey,
    /// The text ends too early.
    EndsEarly,
    /// The text continues where it must end.
    GoesOn,
    /// Something else stands where a key should be.
    KeyExpected,
    /// A key of the format cannot come here.
    KeyNotAllowed,
    /// A key comes after one that is declared later.
    KeyOrder,
    /// A required key is missing.
    MissingKey,
    /// The text cannot continue with this.
    NotAllowed,
    /// The text is not JSON from here on.
    NotJson,
    /// A string is none of the listed ones.
    NotListed,
    /// An array ends too early.
    TooFewItems,
    /// A text has more tokens than allowed.
    TokenBound,
    /// A string continues where it must end.
    TooLong,
    /// An array continues where it must end.
    TooManyItems,
    /// An object continues where it must end.
    TooManyKeys,
    /// A string ends too early.
    TooShort,
    /// A comma stands before a closing bracket.
    TrailingComma,
    /// The format has no such key.
    UnknownKey,
    /// White space that the policy of the format does not allow.
    WhiteSpace,
    /// A value is of another type.
    WrongType,
}

impl Mistake {
    /// Returns the name in messages for machines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Colon => "colon",
            Self::Comma => "comma",
            Self::DuplicateKey => "duplicate-key",
            Self::EndsEarly => "ends-early",
            Self::GoesOn => "goes-on",
            Self::KeyExpected => "key-expected",
            Self::KeyNotAllowed => "key-not-allowed",
            Self::KeyOrder => "key-order",
            Self::MissingKey => "missing-key",
            Self::NotAllowed => "not-allowed",
            Self::NotJson => "not-json",
            Self::NotListed => "not-listed",
            Self::TooFewItems => "too-few-items",
            Self::TokenBound => "token-bound",
            Self::TooLong => "too-long",
            Self::TooManyItems => "too-many-items",
            Self::TooManyKeys => "too-many-keys",
            Self::TooShort => "too-short",
            Self::TrailingComma => "trailing-comma",
            Self::UnknownKey => "unknown-key",
            Self::WhiteSpace => "white-space",
            Self::WrongType => "wrong-type",
        }
    }
}
