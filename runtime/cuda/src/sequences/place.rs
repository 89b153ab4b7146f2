//! Places where sequences are stepped, and the outcomes of their tokens.

use std::collections::BTreeMap;
use std::fmt;

use ogc_runtime::matcher::MatchError;

use crate::outcome::Handover;

/// Reason why the host steps a sequence.
///
/// ```
/// use ogc_cuda::{Handover, HostReason};
/// assert_eq!(HostReason::Step(Handover::Heads).to_string(), "the text has more readings than a slot holds");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostReason {
    /// The device could not read a token.
    Step(Handover),
    /// The device cannot find the mask of the next token: it has too many rows, or was left out when masks were built.
    Mask,
    /// More tokens were taken back than a slot logs.
    RollBack,
}

impl fmt::Display for HostReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Step(Handover::Before) => "the host stepped the slot before",
            Self::Step(Handover::Heads) => "the text has more readings than a slot holds",
            Self::Step(Handover::Nodes) => "the text has more frames than a slot holds",
            Self::Step(Handover::Sets) => "the text has more sets of keys than a slot holds",
            Self::Step(Handover::Looks) => "a byte takes too much work",
            Self::Step(Handover::Keys) => "an object has too many keys in any order, or conditions on its keys",
            Self::Mask => "the mask has too many rows, or was left out when masks were built",
            Self::RollBack => "more tokens were taken back than a slot remembers",
        })
    }
}

/// The place where a sequence is stepped.
///
/// ```
/// use ogc_cuda::{HostReason, SequencePlace};
/// assert_ne!(SequencePlace::Device, SequencePlace::Host(HostReason::Mask));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequencePlace {
    /// On the device.
    Device,
    /// By a matcher on the host.
    Host(HostReason),
}

/// Outcome of a token.
///
/// ```
/// use ogc_cuda::TokenOutcome;
/// assert_ne!(TokenOutcome::Accepted, TokenOutcome::Ended);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenOutcome {
    /// The token was accepted.
    Accepted,
    /// The token ended the text.
    Ended,
    /// The token is not allowed: the text is unchanged.
    Refused,
    /// The matcher exceeds a limit, because the token would take too much memory; the text is unchanged.
    Failed(MatchError),
}

/// Outcome of a run of tokens.
///
/// ```
/// use ogc_cuda::{SequenceRun, TokenOutcome};
/// let run = SequenceRun { accepted: 2, last: Some(TokenOutcome::Refused) };
/// assert_ne!(run, SequenceRun::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SequenceRun {
    /// Number of accepted tokens, including one that ended the text.
    pub accepted: usize,
    /// Outcome of the last token that was tried; `None` for a run without tokens.
    pub last: Option<TokenOutcome>,
}

/// Counts of accepted tokens by place, and of moves of sequences between the places.
///
/// ```
/// let counts = ogc_cuda::PlaceCounts::default();
/// assert_eq!(counts.device_tokens + counts.host_tokens, 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceCounts {
    /// Tokens that the device accepted.
    pub device_tokens: u64,
    /// Tokens that matchers accepted.
    pub host_tokens: u64,
    /// Number of moves from the device to the host, by reason.
    pub left: BTreeMap<HostReason, u64>,
    /// Number of returns from the host to the device.
    pub returned: u64,
}
