//! The tokens of a vocabulary in device memory; kernels read them by `kernels/vocabulary.cuh`.
//!
//! A vocabulary is one block of words of 32 bits: a header, a record for each token, and the tokens' bytes. Tokens that a format can ask for by name
//! also have a marker there.

use ogc_runtime::vocabulary::{TokenId, Vocabulary, marker};
use zerocopy::IntoBytes;

use crate::record::shared;

/// First byte of a marker; a text that contains it is never read.
const MARKER_START: u8 = 0xFF;

shared! {
    header "vocabulary";

    /// The first word of every vocabulary, and the layout version in the second.
    const VOCABULARY_MAGIC: u32 = u32::from_le_bytes(*b"ogcv");
    const VOCABULARY_VERSION: u32 = 1;

    /// The bit of a vocabulary whose stop tokens only end texts: they are read neither as text nor by name.
    const OWN_STOPS: u32 = 1;

    /// Bits of a token: its bytes are text; it ends the text; it has a name, and its marker follows its text.
    const TOKEN_TEXT: u32 = 1;
    const TOKEN_STOP: u32 = 2;
    const TOKEN_NAMED: u32 = 4;

    /// The last byte of a marker, which occurs in no name.
    extern const MARKER_END: u32 = 0xFE;

    /// Header of a vocabulary: the first word of the records, their number, and the first word of the bytes.
    struct VocabularyHeader {
        magic: u32,
        version: u32,
        bits: u32,
        first_token: u32,
        token_count: u32,
        first_byte_word: u32,
    }

    /// A token: bits (`TOKEN_TEXT` etc.), and the offset and length of its text among the bytes.
    struct Token { bits: u32, at: u32, length: u32 }
}

/// A stop token is not in the vocabulary.
///
/// ```
/// let error = ogc_cuda::UnknownStop { given: 9, limit: 5 };
/// assert_eq!(error.to_string(), "stop token 9 is not in the vocabulary, which has 5 tokens: leave it out");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stop token {given} is not in the vocabulary, which has {limit} tokens: leave it out")]
pub struct UnknownStop {
    /// The token.
    pub given: u32,
    /// Number of tokens of the vocabulary.
    pub limit: u32,
}

/// A vocabulary in its device layout.
///
/// ```
/// use ogc_runtime::vocabulary::Vocabulary;
/// let vocabulary = Vocabulary::from_tokens(&[Some("a"), Some("b")], &[("</s>", 2)])?;
/// assert!(ogc_cuda::DeviceVocabulary::new(&vocabulary).bytes().starts_with(b"ogcv"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceVocabulary {
    bytes: Vec<u8>,
}

impl DeviceVocabulary {
    /// Lays out the tokens of a vocabulary, whose end-of-sequence tokens end a text.
    ///
    /// ```
    /// # use ogc_runtime::vocabulary::Vocabulary;
    /// let vocabulary = Vocabulary::from_tokens(&[Some("abc")], &[])?;
    /// assert!(ogc_cuda::DeviceVocabulary::new(&vocabulary).bytes().windows(3).any(|bytes| bytes == b"abc"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        Self::lay_out(vocabulary, vocabulary.eos(), 0)
    }

    /// Lays out the tokens of a vocabulary with other stop tokens. They only end texts, and are never read as text or by name; see
    /// [`set_stop_tokens`](ogc_runtime::matcher::Matcher::set_stop_tokens).
    ///
    /// # Errors
    /// The vocabulary lacks one of the stop tokens.
    ///
    /// ```
    /// # use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// use ogc_cuda::{DeviceVocabulary, UnknownStop};
    /// let vocabulary = Vocabulary::from_tokens(&[Some("a"), Some("b")], &[("</s>", 2)])?;
    /// assert!(DeviceVocabulary::with_stop_tokens(&vocabulary, &[TokenId(1)]).is_ok());
    /// let unknown = DeviceVocabulary::with_stop_tokens(&vocabulary, &[TokenId(7)]);
    /// assert_eq!(unknown, Err(UnknownStop { given: 7, limit: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_stop_tokens(vocabulary: &Vocabulary, stops: &[TokenId]) -> Result<Self, UnknownStop> {
        match stops.iter().find(|stop| stop.index() >= vocabulary.len()) {
            Some(stop) => Err(UnknownStop { given: stop.0, limit: vocabulary.len() as u32 }),
            None => Ok(Self::lay_out(vocabulary, stops, OWN_STOPS)),
        }
    }

    /// Lays out tokens. A vocabulary has at most 2^22 tokens, and 2^28 bytes.
    fn lay_out(vocabulary: &Vocabulary, stops: &[TokenId], bits: u32) -> Self {
        let mut texts = Vec::new();
        let mut tokens: Vec<Token> =
            (0..vocabulary.len() as u32).map(|id| token(vocabulary, TokenId(id), &mut texts)).collect();
        for stop in stops {
            tokens[stop.index()].bits |= TOKEN_STOP;
        }
        texts.resize(texts.len().next_multiple_of(4), 0);
        let first_token = size_of::<VocabularyHeader>() / 4;
        let header = VocabularyHeader {
            magic: VOCABULARY_MAGIC,
            version: VOCABULARY_VERSION,
            bits,
            first_token: first_token as u32,
            token_count: tokens.len() as u32,
            first_byte_word: (first_token + tokens.len() * size_of::<Token>() / 4) as u32,
        };
        Self { bytes: [header.as_bytes(), tokens.as_bytes(), &texts].concat() }
    }

    /// Returns the bytes. Copy them to an address that is a multiple of 4.
    ///
    /// ```
    /// # use ogc_runtime::vocabulary::Vocabulary;
    /// # let vocabulary = Vocabulary::from_tokens(&[Some("abc")], &[])?;
    /// assert_eq!(ogc_cuda::DeviceVocabulary::new(&vocabulary).bytes().len() % 4, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Returns the record of a token, and appends its bytes to `texts`: its text if it can be read as text, and its marker.
fn token(vocabulary: &Vocabulary, id: TokenId, texts: &mut Vec<u8>) -> Token {
    let text = vocabulary.text(id).filter(|text| !text.is_empty() && !text.contains(&MARKER_START));
    let name = vocabulary.name_of(id);
    let at = texts.len() as u32;
    texts.extend(text.unwrap_or_default());
    texts.extend(name.map(marker).unwrap_or_default());
    let bits = text.map_or(0, |_| TOKEN_TEXT) | name.map_or(0, |_| TOKEN_NAMED);
    Token { bits, at, length: text.unwrap_or_default().len() as u32 }
}
