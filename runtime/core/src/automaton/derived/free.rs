//! The way in which a state reads free text.

/// The way in which a state reads free text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Free {
    /// The state does not read free text.
    #[default]
    No,
    /// Any text, without limit.
    Plain,
    /// Any text of bounded length: each character ticks the countdown, and no other guard is checked.
    Counted,
}
