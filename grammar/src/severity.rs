//! The severities of diagnostics.

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The input has no meaning; nothing may be built from it.
    Error,
    /// The input has a meaning, but probably not the intended one.
    Warning,
    /// Further information.
    Note,
}
