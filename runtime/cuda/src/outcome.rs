//! Outcomes that `kernels/advance.cu` writes for each sequence: whether a token was accepted, or why the host must continue.

use crate::record::shared;

/// Outcome of a token of a sequence, or of taking tokens back.
///
/// ```
/// use ogc_cuda::{Handover, Outcome};
/// assert_eq!(Outcome::from_number(3), Some(Outcome::Refused));
/// assert_eq!(Outcome::from_number(4 | 1 << 8), Some(Outcome::Host(Handover::Heads)));
/// assert_eq!(Outcome::from_number(9), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There was no token, or the slot is free.
    None,
    /// The token was accepted, or the tokens were taken back.
    Accepted,
    /// The token ended the text.
    Ended,
    /// The token is not allowed, or there are fewer tokens than should be taken back; the state is unchanged.
    Refused,
    /// The host must continue from the state before the token; the slot accepts no more tokens.
    Host(Handover),
}

/// Reason for the host to continue a sequence.
///
/// ```
/// assert_eq!(ogc_cuda::Outcome::from_number(4), Some(ogc_cuda::Outcome::Host(ogc_cuda::Handover::Before)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Handover {
    /// The host has stepped the sequence since an earlier token.
    Before = 0,
    /// The text has more readings than a slot has heads.
    Heads = 1,
    /// A slot has no room for more frames.
    Nodes = 2,
    /// A slot has no room for more sets of seen keys.
    Sets = 3,
    /// A byte takes more work than the kernel allows.
    Looks = 4,
    /// An object has too many keys in any order, or has conditions on its keys.
    Keys = 5,
}

shared! {
    header "outcome";

    /// Outcomes of a token: it was none, or the slot is free; it was accepted; it ended the text; it was refused; the host must continue from the
    /// state before it, for the `Trouble` above the lowest bits, or because it did so before.
    const OUTCOME_NONE: u32 = 0;
    const OUTCOME_ACCEPTED: u32 = 1;
    const OUTCOME_ENDED: u32 = 2;
    const OUTCOME_REFUSED: u32 = 3;
    const OUTCOME_HOST: u32 = 4;
    const OUTCOME_BITS: u32 = 8;

    /// The reason why a step cannot continue: too many heads, no room for a node or for a set, too much work, or too many keys in any order.
    enum Trouble = Handover::ALL.map(|why| (why.name(), why as u32));
}

impl Outcome {
    /// Returns the outcome for a number that a kernel wrote; `None` if no kernel writes that number.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::Outcome::from_number(1), Some(ogc_cuda::Outcome::Accepted));
    /// ```
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        let (outcome, reason) = (number & ((1 << OUTCOME_BITS) - 1), number >> OUTCOME_BITS);
        match (outcome, reason) {
            (OUTCOME_NONE, 0) => Some(Self::None),
            (OUTCOME_ACCEPTED, 0) => Some(Self::Accepted),
            (OUTCOME_ENDED, 0) => Some(Self::Ended),
            (OUTCOME_REFUSED, 0) => Some(Self::Refused),
            (OUTCOME_HOST, reason) => Handover::from_number(reason).map(Self::Host),
            _ => None,
        }
    }
}

impl Handover {
    const ALL: [Self; 6] = [Self::Before, Self::Heads, Self::Nodes, Self::Sets, Self::Looks, Self::Keys];

    /// Returns the reason with a number; `None` if no reason has it.
    pub(crate) fn from_number(reason: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|why| *why as u32 == reason)
    }

    /// Returns the reason's name as a `Trouble` of kernels.
    #[cfg(test)]
    fn name(self) -> &'static str {
        match self {
            Self::Before => "None",
            Self::Heads => "Heads",
            Self::Nodes => "Nodes",
            Self::Sets => "Sets",
            Self::Looks => "Looks",
            Self::Keys => "Keys",
        }
    }
}
