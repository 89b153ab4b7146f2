//! Where sequences are, and what becomes of their tokens.

use std::collections::BTreeMap;
use std::fmt;

use ogc_runtime::matcher::MatchError;

use crate::outcome::Handover;

/// Why the host steps a sequence.
///
/// ```
/// use ogc_cuda::{Handover, HostReason};
/// assert_eq!(HostReason::Step(Handover::Heads).to_string(), "the text has more readings than a slot holds");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostReason {
    /// The device could not read a token.
    Step(Handover),
    /// The device does not find the mask of the next token: it has too many rows, or was left out when masks were built.
    Mask,
    /// More tokens were taken back than a slot remembers.
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

/// Who steps a sequence.
///
/// ```
/// use ogc_cuda::{HostReason, SequencePlace};
/// assert_ne!(SequencePlace::Device, SequencePlace::Host(HostReason::Mask));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequencePlace {
    /// The device.
    Device,
    /// A matcher.
    Host(HostReason),
}

/// What became of a token.
///
/// ```
/// use ogc_cuda::TokenOutcome;
/// assert_ne!(TokenOutcome::Accepted, TokenOutcome::Ended);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenOutcome {
    /// It was accepted.
    Accepted,
    /// It ended the text.
    Ended,
    /// It is not allowed: the text is as it was.
    Refused,
    /// The matcher gives up, for it would take too much memory: the text is as it was.
    Failed(MatchError),
}

/// What became of a run of tokens.
///
/// ```
/// use ogc_cuda::{SequenceRun, TokenOutcome};
/// let run = SequenceRun { accepted: 2, last: Some(TokenOutcome::Refused) };
/// assert_ne!(run, SequenceRun::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SequenceRun {
    /// How many tokens were accepted, with the one that ended the text.
    pub accepted: usize,
    /// What became of the last token that was tried; `None` of a run without tokens.
    pub last: Option<TokenOutcome>,
}

/// How many tokens were accepted where, and how often sequences changed their place.
///
/// ```
/// let counts = ogc_cuda::PlaceCounts::default();
/// assert_eq!(counts.device_tokens + counts.host_tokens, 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceCounts {
    /// The tokens that were accepted on the device.
    pub device_tokens: u64,
    /// Those that matchers accepted.
    pub host_tokens: u64,
    /// How often a sequence left the device, by the reason.
    pub left: BTreeMap<HostReason, u64>,
    /// How often one came back.
    pub returned: u64,
}
