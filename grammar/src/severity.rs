//! The severities of diagnostics: how grave a finding is.

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The input has no meaning; nothing may be built from it.
    Error,
    /// The input has a meaning, probably not the one intended.
    Warning,
    /// Further information.
    Note,
}
