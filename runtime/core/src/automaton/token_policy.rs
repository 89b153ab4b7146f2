//! Token policies: the tokens that may spell the bytes that a format determines.

use std::fmt;
use std::str::FromStr;

/// The tokens that may spell the bytes that a format determines. The policy is for generating texts; matchers that only verify texts accept
/// any token.
///
/// ```
/// use ogc_runtime::automaton::TokenPolicy;
/// assert_eq!("any".parse(), Ok(TokenPolicy::Any));
/// assert_eq!(TokenPolicy::default().to_string(), "canonical");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TokenPolicy {
    /// Only the tokens that the tokenizer itself would produce.
    #[default]
    Canonical,
    /// Any tokens with the same bytes.
    Any,
}

/// Error: no policy has this name.
///
/// ```
/// use ogc_runtime::automaton::TokenPolicy;
/// let error = "some".parse::<TokenPolicy>().unwrap_err();
/// assert_eq!(error.to_string(), "no policy for tokens is named `some`: `canonical` and `any` are");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no policy for tokens is named `{0}`: `canonical` and `any` are")]
pub struct UnknownTokenPolicy(String);

impl TokenPolicy {
    fn name(self) -> &'static str {
        match self {
            Self::Canonical => "canonical",
            Self::Any => "any",
        }
    }
}

impl fmt::Display for TokenPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TokenPolicy {
    type Err = UnknownTokenPolicy;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = [Self::Canonical, Self::Any].into_iter().find(|policy| policy.name() == name);
        known.ok_or_else(|| UnknownTokenPolicy(name.to_owned()))
    }
}
