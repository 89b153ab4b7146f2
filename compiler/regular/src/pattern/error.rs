//! Errors of patterns.

use super::ast::Span;
use crate::limits::LimitError;

/// The name of the counted things in limit errors on instructions.
pub(super) const INSTRUCTIONS: &str = "instructions of a pattern";

/// The error of a pattern that was not compiled, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct PatternError {
    /// The kind of error.
    pub kind: PatternErrorKind,
    /// Byte offsets into the pattern.
    pub span: Span,
}

/// Reasons why a pattern is not compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternErrorKind {
    /// A group is not closed.
    #[error("this group is not closed")]
    UnclosedGroup,
    /// A `)` without a group.
    #[error("this `)` closes no group; write `\\)` for the character")]
    UnopenedGroup,
    /// A class is not closed.
    #[error("the `[` at character {at} is not closed; write `\\[` for the character")]
    UnclosedClass {
        /// The position in the pattern (in characters, from 1) at which the class opens.
        at: usize,
    },
    /// A quantifier that follows nothing it could repeat.
    #[error("there is nothing to repeat here")]
    NothingToRepeat,
    /// `a++`, a possessive quantifier in other dialects: a repetition that does not backtrack.
    #[error("`{0}+` is not of ECMA-262: a quantifier does not repeat another")]
    Possessive(char),
    /// `{n,m}` with n over m.
    #[error("the least count {min} is over the greatest {max}")]
    CountOrder {
        /// The least count.
        min: u32,
        /// The greatest count.
        max: u32,
    },
    /// `b-a` in a class.
    #[error("this range is upside down")]
    RangeOrder,
    /// `\\\\xff` as the end of a range that ends before it begins.
    #[error("the backslash is doubled: two are the character `\\`; write one for an escape")]
    DoubledBackslash,
    /// The pattern ends with a backslash.
    #[error("the pattern ends within an escape")]
    EscapeAtEnd,
    /// A letter or digit that has no meaning after a backslash.
    #[error("`\\{0}` has no meaning in ECMA-262 with the `u` flag")]
    UnknownEscape(char),
    /// An escape of another dialect whose meaning differs between engines.
    #[error("`\\{escape}` is not of ECMA-262; write `{instead}`")]
    ForeignEscape {
        /// The letter.
        escape: char,
        /// The spelling to use instead.
        instead: &'static str,
    },
    /// An anchor of another dialect.
    #[error("`\\{0}` is not of ECMA-262, which writes `^` for `\\A` and `$` for `\\Z` and `\\z`")]
    ForeignAnchor(char),
    /// `\x`, `\u`, `\c` or `\0` followed by the wrong characters.
    #[error("this escape is incomplete or out of range")]
    BadEscape,
    /// `\p{...}` with an unknown name.
    #[error("this is no Unicode general category, script or binary property")]
    UnknownProperty,
    /// `(?` followed by something ECMA-262 does not know.
    #[error("this kind of group is not of ECMA-262")]
    UnknownGroup,
    /// A group name that is not an identifier, or is used twice.
    #[error("this group name is not an identifier, or is used twice")]
    GroupName,
    /// Valid, but engines disagree about its meaning, so it is rejected.
    #[error("{what} is read differently by different engines; write {instead}")]
    Ambiguous {
        /// The construct.
        what: &'static str,
        /// The spelling to use instead.
        instead: &'static str,
    },
    /// Valid, but not supported.
    #[error("{0} is not supported")]
    Unsupported(&'static str),
    /// The pattern needs more than the limits allow.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

impl PatternErrorKind {
    /// Returns advice for correcting the pattern, if there is any.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        Some(match self {
            Self::UnclosedGroup => "close it with `)`; write `\\(` for the character",
            Self::NothingToRepeat => {
                "before a quantifier stands what it repeats: `.*` is any text; the character itself is `\\*`, `\\+`, `\\?`"
            }
            Self::Possessive(_) => "remove the second sign; for a repetition of the repetition write `(?:a+)+`",
            Self::CountOrder { .. } => "write the lesser count first",
            Self::RangeOrder => "write the lesser character first; a hyphen itself is `\\-`",
            Self::EscapeAtEnd => "write `\\\\` for a backslash",
            Self::UnknownEscape(_) => "leave the backslash out, or write `\\\\` for a backslash",
            Self::BadEscape => "write `\\xHH`, `\\uHHHH` or `\\u{H...}` with hexadecimal digits",
            Self::UnknownProperty => "write for example `\\p{L}`, `\\p{Lu}` or `\\p{Script=Greek}`",
            Self::UnknownGroup => {
                "groups are `(...)`, `(?:...)` and `(?<name>...)`, lookarounds `(?=...)`, `(?!...)`, `(?<=...)`, `(?<!...)`"
            }
            Self::GroupName => "write `(?:...)`: names of groups have no effect",
            Self::Unsupported(what) if what.starts_with("a backreference") => {
                "write the cases out: `aa|bb` for `(a|b)\\1`"
            }
            Self::UnopenedGroup => "remove it, or open the group before it with `(`",
            Self::UnclosedClass { .. } => "close it with `]`",
            Self::DoubledBackslash => "write one backslash for an escape",
            Self::ForeignAnchor(_) => {
                "write `^` at the beginning and `$` at the end, or no anchor where the whole text is meant"
            }
            Self::ForeignEscape { .. } | Self::Ambiguous { .. } => "write it so that all engines read it alike",
            Self::Limit(limit) if limit.what == INSTRUCTIONS => {
                "the pattern is too large: counted parts are written out; lower the greatest count, or write `*` for no limit"
            }
            Self::Unsupported(_) | Self::Limit(_) => return None,
        })
    }

    /// Returns the error at `span`.
    pub(crate) fn at(self, span: Span) -> PatternError {
        PatternError { kind: self, span }
    }
}
