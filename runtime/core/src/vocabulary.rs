//! The vocabulary of a model: the bytes that each token id stands for.
//!
//! First stage of the runtime: the bytes of a tokenizer file, which the caller reads, become a [`Vocabulary`], from
//! which the [`TokenTrie`](crate::trie::TokenTrie) is built. Nothing here knows automata, masks or the file system.
//!
//! # The bytes of a token
//!
//! The bytes are what the token adds when it *continues a text*: the metaspace `▁` is a space, `<0x0A>` of a byte-fallback vocabulary is a
//! line feed. Some decoders drop one leading space at the very start of a text; [`Vocabulary::strips_leading_space`] tells, and the bytes
//! here never account for it: generation continues a prompt, where nothing is dropped.
//!
//! # Tokens that are never text
//!
//! A [`TokenKind::Special`] token has a name but no bytes, so no text of a grammar can ever match it, even if its name
//! reads like text that the grammar allows. A format can ask for a named token, special or not, by its [`marker()`].
//! Added tokens that the file declares *not* special (`<think>` of some models) are visible text: they are
//! [`TokenKind::Text`], their bytes are what a detokeniser writes for them, and they can also be looked up by name. A
//! [`TokenKind::Gap`] is an id below [`Vocabulary::len`] that the file does not define.

mod base64;
mod builder;
mod change;
mod ends;
mod eos;
mod error;
mod fingerprint;
mod gguf;
mod huggingface;
mod leading_space;
mod marker;
mod names;
mod sentencepiece;
mod sources;
mod tekken;
mod tiktoken;

pub use builder::VocabularyBuilder;
pub use ends::{END_CONFIGS, ends_of_config};
pub use error::VocabularyError;
pub use gguf::{Gguf, GgufError, GgufTensor, GgufValue};
pub use leading_space::without_leading_space;
pub(crate) use marker::{
    END as MARKER_END, EXTRA as MARKER_EXTRA, MarkerPart, START as MARKER_START, is_text, parts, unfinished,
};
pub use marker::{is_cut, marker, shown};
use names::Names;
pub use sentencepiece::is_sentencepiece;

/// Limit on the ids of a vocabulary: 2^22, sixteen times as many as any vocabulary in use has.
pub const MAX_IDS: u32 = 1 << 22;

/// Limit on the text or marker of one token, in bytes; the trie stores depths in 16 bits.
pub const MAX_TOKEN_BYTES: u32 = u16::MAX as u32;

/// Limit on the texts and names of all tokens together, in bytes.
pub const MAX_TEXT_BYTES: u64 = 1 << 28;

/// Limit on a tokenizer file, in bytes.
pub const MAX_SOURCE_BYTES: u64 = 1 << 28;

/// Limit on the width of a row of logits, in tokens.
pub const MAX_PADDED_LEN: usize = 1 << 24;

/// The number of a token: the index of its logit.
///
/// ```
/// use ogc_runtime::vocabulary::TokenId;
/// assert_eq!(TokenId(7).index(), 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct TokenId(pub u32);

impl TokenId {
    /// Returns the id as an index into a row.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::TokenId;
    /// assert_eq!([10, 20, 30][TokenId(1).index()], 20);
    /// ```
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of an id of a vocabulary.
///
/// ```
/// use ogc_runtime::vocabulary::{TokenId, TokenKind, Vocabulary};
/// let vocabulary = Vocabulary::from_tokens(&[Some(b"a"), None, None], &[("</s>", 2)])?;
/// assert_eq!(vocabulary.kind(TokenId(0)), TokenKind::Text);
/// assert_eq!(vocabulary.kind(TokenId(1)), TokenKind::Gap);
/// assert_eq!(vocabulary.kind(TokenId(2)), TokenKind::Special);
/// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
pub enum TokenKind {
    /// An id that is not defined; it is never allowed.
    #[default]
    Gap = 0,
    /// A token that stands for bytes of text.
    Text = 1,
    /// A control token: it has no bytes and is never matched as text.
    Special = 2,
}

/// An immutable vocabulary.
///
/// Invariants: `offsets` has `len() + 1` ascending entries, the last of which is `bytes.len()`; only the bytes of
/// `Text` ids are visible; `eos` is sorted, has no duplicates and holds only `Special` ids; `padded_len >= len()`. All
/// bytes are in one buffer, in the order of the ids: a token takes 4 bytes and its text, and no allocation.
///
/// ```
/// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
/// let vocabulary = Vocabulary::from_tokens(&[Some(b"{"), Some(b"}"), None], &[("</s>", 2)])?;
/// assert_eq!(vocabulary.len(), 3);
/// assert_eq!(vocabulary.text(TokenId(1)), Some(&b"}"[..]));
/// assert_eq!(vocabulary.text(TokenId(2)), None);
/// assert_eq!(vocabulary.eos(), [TokenId(2)]);
/// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Vocabulary {
    name: String,
    bytes: Box<[u8]>,
    offsets: Box<[u32]>,
    kinds: Box<[TokenKind]>,
    names: Names,
    eos: Box<[TokenId]>,
    padded_len: usize,
    strips_leading_space: bool,
    fingerprint: [u8; 32],
}

/// Look-ups.
impl Vocabulary {
    /// Returns the highest defined id plus one: the width of a mask in bits.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// let vocabulary = Vocabulary::from_tokens(&[Some(b"a")], &[("</s>", 9)])?;
    /// assert_eq!(vocabulary.len(), 10);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns whether no id is defined; never true, as no constructor makes an empty vocabulary.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// assert!(!Vocabulary::from_tokens(&[Some(b"a")], &[])?.is_empty());
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Returns the width of a row of logits: [`Vocabulary::len`], unless [`Vocabulary::with_padded_len`] widened it.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// assert_eq!(Vocabulary::from_tokens(&[Some(b"a")], &[])?.padded_len(), 1);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn padded_len(&self) -> usize {
        self.padded_len
    }

    /// Returns the name set with [`Vocabulary::with_name`]; empty if none was set.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// assert_eq!(Vocabulary::from_tokens(&[Some(b"a")], &[])?.name(), "");
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind of an id; an id past the end is a gap.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, TokenKind, Vocabulary};
    /// let vocabulary = Vocabulary::from_tokens(&[Some(b"a")], &[])?;
    /// assert_eq!(vocabulary.kind(TokenId(1_000_000)), TokenKind::Gap);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn kind(&self, id: TokenId) -> TokenKind {
        self.kinds.get(id.index()).copied().unwrap_or_default()
    }

    /// Returns the bytes of a text token; `None` for special tokens and gaps. The bytes may be empty; a token without
    /// bytes is never allowed.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let vocabulary = Vocabulary::from_tokens(&[Some("é")], &[("</s>", 1)])?;
    /// assert_eq!(vocabulary.text(TokenId(0)), Some("é".as_bytes()));
    /// assert_eq!(vocabulary.text(TokenId(1)), None);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn text(&self, id: TokenId) -> Option<&[u8]> {
        if self.kind(id) != TokenKind::Text {
            return None;
        }
        let start = *self.offsets.get(id.index())? as usize;
        let end = *self.offsets.get(id.index() + 1)? as usize;
        self.bytes.get(start..end)
    }

    /// Returns all text tokens with their bytes, in the order of their ids.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let vocabulary = Vocabulary::from_tokens(&[Some("b"), None, Some("a")], &[])?;
    /// let all: Vec<_> = vocabulary.texts().collect();
    /// assert_eq!(all, [(TokenId(0), &b"b"[..]), (TokenId(2), &b"a"[..])]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn texts(&self) -> impl Iterator<Item = (TokenId, &[u8])> {
        (0..self.kinds.len() as u32).map(TokenId).filter_map(|id| self.text(id).map(|bytes| (id, bytes)))
    }

    /// Returns the tokens that end a sequence, in the order of their ids.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let specials = [("<|eot_id|>", 1), ("<|end_of_text|>", 2)];
    /// let vocabulary = Vocabulary::from_tokens(&[Some("a")], &specials)?;
    /// assert_eq!(vocabulary.eos(), [TokenId(1), TokenId(2)]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn eos(&self) -> &[TokenId] {
        &self.eos
    }

    /// Returns the special token with a name.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let vocabulary = Vocabulary::from_tokens(&[Some("a")], &[("<s>", 1)])?;
    /// assert_eq!(vocabulary.special("<s>"), Some(TokenId(1)));
    /// assert_eq!(vocabulary.special("a"), None);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn special(&self, name: &str) -> Option<TokenId> {
        self.named(name).filter(|&id| self.kind(id) == TokenKind::Special)
    }

    /// Returns the added token with a name, special or text.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, VocabularyBuilder};
    /// let mut builder = VocabularyBuilder::new();
    /// builder.named_text(0, "<think>", b"<think>")?;
    /// let vocabulary = builder.build()?;
    /// assert_eq!(vocabulary.named("<think>"), Some(TokenId(0)));
    /// assert_eq!(vocabulary.special("<think>"), None);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn named(&self, name: &str) -> Option<TokenId> {
        self.names.id(name)
    }

    /// Returns the added tokens, special or text, with their names, in the order of their ids.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let vocabulary = Vocabulary::from_tokens(&[Some("a")], &[("<s>", 1)])?;
    /// assert!(vocabulary.named_tokens().eq([(TokenId(1), "<s>")]));
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn named_tokens(&self) -> impl Iterator<Item = (TokenId, &str)> {
        self.names.iter()
    }

    /// Returns the given names that no added token has, in their order. For the names that a format asks for, these are
    /// the tokens that the vocabulary lacks.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// let vocabulary = Vocabulary::from_tokens(&[Some("a")], &[("<s>", 1)])?;
    /// assert_eq!(vocabulary.missing_tokens(&["<s>".to_owned(), "a".to_owned()]), ["a"]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn missing_tokens(&self, names: &[String]) -> Vec<String> {
        names.iter().filter(|name| self.named(name).is_none()).cloned().collect()
    }

    /// Returns the name of an added token.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let vocabulary = Vocabulary::from_tokens(&[Some("a")], &[("<s>", 1)])?;
    /// assert_eq!(vocabulary.name_of(TokenId(1)), Some("<s>"));
    /// assert_eq!(vocabulary.name_of(TokenId(0)), None);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn name_of(&self, id: TokenId) -> Option<&str> {
        self.names.name(id)
    }

    /// Returns whether a detokeniser drops one leading space at the start of a text (metaspace vocabularies).
    ///
    /// ```
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// assert!(!Vocabulary::from_tokens(&[Some("a")], &[])?.strips_leading_space());
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn strips_leading_space(&self) -> bool {
        self.strips_leading_space
    }

    /// Returns the bytes that are not the whole text of any token, in ascending order. If a byte is missing, masks can
    /// lead into dead ends.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// let vocabulary = Vocabulary::from_tokens(&[Some(b"\x00"), Some(b"\x02")], &[])?;
    /// assert_eq!(vocabulary.missing_bytes().len(), 254);
    /// assert_eq!(vocabulary.missing_bytes()[..2], [1, 3]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn missing_bytes(&self) -> Vec<u8> {
        let mut present = [false; 256];
        for (_, text) in self.texts() {
            if let &[byte] = text {
                present[usize::from(byte)] = true;
            }
        }
        (0..=u8::MAX).filter(|&byte| !present[usize::from(byte)]).collect()
    }

    /// Returns a hash of the content: kinds, bytes, names and end-of-sequence tokens; not of the source format, the
    /// vocabulary's own name or the width of logits. Masks made for a vocabulary fit every vocabulary with the same
    /// fingerprint.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// let one = Vocabulary::from_tokens(&[Some("a")], &[])?;
    /// let same = Vocabulary::from_tiktoken(b"YQ== 0", &[])?.with_name("same");
    /// assert_eq!(one.fingerprint(), same.fingerprint());
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        self.fingerprint
    }
}
