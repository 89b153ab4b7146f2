//! Classes of states by how they read free text.

/// Class of a state by how it reads free text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Free {
    /// Does not read free text.
    #[default]
    No,
    /// Reads any text, without limit.
    Plain,
    /// Reads any text of bounded length: each character ticks the countdown, and no other guard is checked.
    Counted,
}
