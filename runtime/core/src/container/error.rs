//! The error of loading an artifact.

use std::fmt;

/// A vocabulary's fingerprint; shown in hexadecimal.
///
/// ```
/// use ogc_runtime::artifact::Fingerprint;
/// assert!(Fingerprint([0xab; 32]).to_string().starts_with("abab"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The bytes cannot be used as an artifact.
///
/// ```
/// use ogc_runtime::artifact::{Artifact, LoadError};
/// assert_eq!(Artifact::load(b"{}").err(), Some(LoadError::NotAnArtifact));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The bytes do not begin with the magic number of artifacts.
    #[error("not an artifact")]
    NotAnArtifact,
    /// The artifact was written by another version of the format.
    #[error("artifact version {given}, this runtime reads {supported}; build it again")]
    Version {
        /// The artifact's version.
        given: u32,
        /// The version that this runtime reads.
        supported: u32,
    },
    /// Bytes are missing at the end.
    #[error("truncated: {given} bytes of {limit}")]
    Truncated {
        /// The number of bytes that were given.
        given: u64,
        /// The number of bytes that the artifact should have.
        limit: u64,
    },
    /// A checksum does not match: the bytes were altered after they were written.
    #[error("section `{section}` is altered: its checksum is wrong")]
    Corrupt {
        /// The section.
        section: &'static str,
    },
    /// The masks were made for another vocabulary.
    #[error("masks of vocabulary {given}, not of {expected}")]
    OtherVocabulary {
        /// The vocabulary of the artifact's masks.
        given: Fingerprint,
        /// The vocabulary that is in use.
        expected: Fingerprint,
    },
    /// The format asks for a token by a name that the vocabulary does not have.
    #[error("the vocabulary has no token {name:?}, which the format asks for")]
    MissingToken {
        /// The first missing name.
        name: String,
    },
    /// The rows of the masks are in a pool, and no pool was given.
    #[error(
        "its rows are in a pool, the file `{file}` of the folder that it was built into: load it with that, or build it with rows of its own"
    )]
    NoPool {
        /// The name of the file in which `ogc build` keeps the pool.
        file: String,
    },
    /// The pool lacks rows of the artifact.
    #[error(
        "the pool has {given} of its {limit} rows: it is of another folder, or an older one; build the format again"
    )]
    MissingRows {
        /// The number of the artifact's rows that the pool has; 0 if the digest of their names differs.
        given: usize,
        /// The number of the artifact's rows.
        limit: usize,
    },
    /// A section contradicts itself or another section.
    #[error("section `{section}` is not valid: {what}")]
    Invalid {
        /// The section.
        section: &'static str,
        /// A description of the contradiction.
        what: &'static str,
    },
}

/// Returns `Ok` if `holds`, else [`LoadError::Invalid`].
pub(crate) fn check(holds: bool, section: &'static str, what: &'static str) -> Result<(), LoadError> {
    if holds { Ok(()) } else { Err(LoadError::Invalid { section, what }) }
}
