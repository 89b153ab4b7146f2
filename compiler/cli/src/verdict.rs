//! The result of a command, which determines its exit code.

/// The result of a command; of several results, the worst counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// Success.
    Good,
    /// A format has errors or a text is not accepted.
    Bad,
    /// The command line is wrong.
    Misused,
    /// A file, a vocabulary or the terminal failed.
    Broken,
}

impl Verdict {
    /// Returns the exit code of the program.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Bad => 1,
            Self::Misused => 2,
            Self::Broken => 3,
        }
    }
}
