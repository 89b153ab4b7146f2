//! Finishing within a token budget: withhold tokens after which the text could not be completed in time.

use super::{MatchError, Matcher};
use crate::mask::Mask;

/// Placeholder until costs are wired.
pub(super) fn restrict(_matcher: &mut Matcher, mask: Mask, _left: u32) -> Result<Mask, MatchError> {
    Ok(mask)
}
