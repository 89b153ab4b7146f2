//! The error of building an automaton.

/// The rules do not make an automaton.
///
/// ```
/// use ogc_runtime::automaton::*;
/// let mut builder = AutomatonBuilder::new();
/// let rule = builder.rule("nothing", 0);
/// let start = builder.state(rule, StateKind::Bytes);
/// builder.start(rule, start);
/// let error = builder.finish((rule, 0, 0), false, Escapes::Any).err();
/// assert_eq!(error, Some(BuildError::Empty { rule: "nothing".to_owned() }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The root rule accepts nothing at all.
    #[error("the format is empty: no text matches rule `{rule}`")]
    Empty {
        /// The root's name.
        rule: String,
    },
    /// A rule reaches itself before it reads a byte.
    #[error("rule `{rule}` is left-recursive")]
    LeftRecursion {
        /// The rule's name.
        rule: String,
    },
    /// A rule that is called accepts the empty text.
    #[error("rule `{rule}` accepts the empty text but is called")]
    Nullable {
        /// The rule's name.
        rule: String,
    },
    /// A token-counted rule breaks one of its invariants.
    #[error("rule `{rule}` cannot count tokens: {what}")]
    TokenCount {
        /// The rule's name.
        rule: String,
        /// The broken invariant.
        what: &'static str,
    },
    /// First calls nest too deeply for a bounded step. An engine links this crate without the compiler, so that this is not the compiler's
    /// `LimitError`, but its wording is the same.
    #[error("{what}: {given}; the limit is {limit}")]
    Limit {
        /// The resource that exceeds its limit, such as `nested first calls`.
        what: &'static str,
        /// The counted amount.
        given: u64,
        /// The limit.
        limit: u64,
    },
}
