//! Drops the automata that all compilations of a process share.

use crate::leaf::{COMBINATIONS, PATTERNS};
use crate::shape::LANGUAGES;

/// Drops the automata of patterns and numbers that compilations of this process share, 48 MiB at most. Later
/// compilations make them again.
///
/// ```
/// ogc_schema::forget_shared();
/// ```
pub fn forget_shared() {
    PATTERNS.clear();
    COMBINATIONS.clear();
    LANGUAGES.clear();
}
