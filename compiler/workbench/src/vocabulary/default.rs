//! Reads the default vocabulary, `o200k_base`, which is embedded in the program.
//!
//! The embedded form is packed: a magic of eight bytes, the number of entries (32 bits, little-endian), and for each
//! entry its rank and length as LEB128 numbers, followed by its bytes.

use ogc_runtime::vocabulary::{Vocabulary, VocabularyBuilder, VocabularyError};
use splintr_vocab_o200k::O200K_BASE_VOCAB_PACKED;

/// The name under which the default vocabulary is shown.
pub const NAME: &str = "o200k_base";

/// The special tokens that go with the ranks; the first one ends a text.
const SPECIALS: [(&str, u64); 2] = [("<|endoftext|>", 199_999), ("<|endofprompt|>", 200_018)];

const MAGIC: &[u8] = b"SPLNTRV1";

/// The error for an embedded vocabulary that cannot be read, because the program was built with another form of it.
#[derive(Debug, thiserror::Error)]
pub enum DefaultVocabularyError {
    /// The bytes are not in the packed form; the place is counted from the end.
    #[error("the embedded vocabulary is malformed, {bytes_left} bytes before its end")]
    Malformed {
        /// Number of bytes after the place.
        bytes_left: usize,
    },
    /// The entries make no vocabulary.
    #[error("the embedded vocabulary cannot be used: {0}")]
    Vocabulary(#[from] VocabularyError),
}

/// Returns the default vocabulary: 199,998 texts and two special tokens, in 200,019 ids with gaps.
pub fn default_vocabulary() -> Result<Vocabulary, DefaultVocabularyError> {
    let mut builder = VocabularyBuilder::new();
    let mut packed = O200K_BASE_VOCAB_PACKED;
    let count = header(&mut packed).ok_or(malformed(packed))?;
    for _ in 0..count {
        let (rank, bytes) = entry(&mut packed).ok_or(malformed(packed))?;
        builder.text(rank, bytes)?;
    }
    if !packed.is_empty() {
        return Err(malformed(packed));
    }
    SPECIALS.iter().try_for_each(|&(name, id)| builder.special(id, name))?;
    Ok(builder.build()?.with_name(NAME))
}

fn malformed(rest: &[u8]) -> DefaultVocabularyError {
    DefaultVocabularyError::Malformed { bytes_left: rest.len() }
}

/// Reads the magic and the number of entries.
fn header(packed: &mut &[u8]) -> Option<u32> {
    let (count, entries) = packed.strip_prefix(MAGIC)?.split_first_chunk()?;
    *packed = entries;
    Some(u32::from_le_bytes(*count))
}

/// Reads the next entry: rank and bytes.
fn entry<'a>(packed: &mut &'a [u8]) -> Option<(u64, &'a [u8])> {
    let rank = number(packed)?;
    let len = usize::try_from(number(packed)?).ok()?;
    let (bytes, rest) = packed.split_at_checked(len)?;
    *packed = rest;
    Some((rank, bytes))
}

/// Reads a LEB128 number of at most 35 bits.
fn number(packed: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = packed.split_first()?;
        *packed = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use ogc_runtime::vocabulary::TokenId;

    use super::*;

    #[test]
    fn the_default_vocabulary_is_complete() {
        let vocabulary = default_vocabulary().unwrap();
        assert_eq!(vocabulary.len(), 200_019);
        assert_eq!(vocabulary.texts().count(), 199_998);
        assert!(vocabulary.missing_bytes().is_empty());
        assert_eq!(vocabulary.eos(), [TokenId(199_999)]);
        assert_eq!(vocabulary.special("<|endofprompt|>"), Some(TokenId(200_018)));
    }

    #[test]
    fn truncated_numbers_are_refused() {
        assert_eq!(number(&mut &[0x80][..]), None);
        assert_eq!(number(&mut &[0xac, 0x02][..]), Some(300));
        assert_eq!(number(&mut &[0xff; 9][..]), None);
    }
}
