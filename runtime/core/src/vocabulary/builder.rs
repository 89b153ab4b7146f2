//! Builds a vocabulary from tokens in any order. Every constructor of [`Vocabulary`] uses this builder.

use super::change::sorted;
use super::names::Names;
use super::{
    MARKER_EXTRA, MAX_IDS, MAX_SOURCE_BYTES, MAX_TEXT_BYTES, MAX_TOKEN_BYTES, TokenId, TokenKind, Vocabulary,
    VocabularyError, eos, fingerprint,
};

/// The range of one id's bytes in the builder's buffer, and the id's kind.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    start: u32,
    len: u32,
    kind: TokenKind,
}

/// Collects tokens in any order, each id once.
///
/// Ids are `u64`, as in files; the builder checks limits before it allocates anything of that size.
///
/// ```
/// use ogc_runtime::vocabulary::{TokenId, VocabularyBuilder};
/// let mut builder = VocabularyBuilder::new();
/// builder.special(2, "</s>")?;
/// builder.text(0, b"a")?;
/// assert!(builder.text(0, b"b").is_err());
/// let vocabulary = builder.build()?;
/// assert_eq!(vocabulary.len(), 3);
/// assert_eq!(vocabulary.eos(), [TokenId(2)]);
/// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct VocabularyBuilder {
    bytes: Vec<u8>,
    slots: Vec<Slot>,
    names: Vec<(TokenId, String)>,
    name_bytes: usize,
    strips_leading_space: bool,
}

impl VocabularyBuilder {
    /// Makes a builder without tokens.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::VocabularyBuilder;
    /// assert!(VocabularyBuilder::new().build().is_err());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reserves capacity for a number of tokens and of bytes.
    pub(super) fn reserve(&mut self, tokens: usize, bytes: usize) {
        self.slots.reserve(tokens.min(MAX_IDS as usize));
        self.bytes.reserve(bytes.min(MAX_TEXT_BYTES as usize));
    }

    /// Defines a text token by its bytes.
    ///
    /// # Errors
    /// The id is already defined, or a limit is exceeded.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::VocabularyBuilder;
    /// let mut builder = VocabularyBuilder::new();
    /// assert!(builder.text(u64::MAX, b"a").is_err());
    /// ```
    pub fn text(&mut self, id: u64, bytes: &[u8]) -> Result<(), VocabularyError> {
        let slot = self.room(id, bytes.len())?;
        self.define(id, slot)?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Defines a text token that also has a name: an added token that is not special.
    ///
    /// # Errors
    /// The id is already defined, or a limit is exceeded.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, VocabularyBuilder};
    /// let mut builder = VocabularyBuilder::new();
    /// builder.named_text(0, "<tool_call>", b"<tool_call>")?;
    /// let vocabulary = builder.build()?;
    /// assert_eq!(vocabulary.text(TokenId(0)), Some(&b"<tool_call>"[..]));
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn named_text(&mut self, id: u64, name: &str, bytes: &[u8]) -> Result<(), VocabularyError> {
        self.check_name(id, name)?;
        self.text(id, bytes)?;
        self.name(id, name);
        Ok(())
    }

    /// Defines a special token by its name.
    ///
    /// # Errors
    /// The id is already defined, or a limit is exceeded.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, TokenKind, VocabularyBuilder};
    /// let mut builder = VocabularyBuilder::new();
    /// builder.special(0, "<s>")?;
    /// assert_eq!(builder.build()?.kind(TokenId(0)), TokenKind::Special);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn special(&mut self, id: u64, name: &str) -> Result<(), VocabularyError> {
        self.check_name(id, name)?;
        self.unnamed_special(id)?;
        self.name(id, name);
        Ok(())
    }

    /// Defines several special tokens.
    pub(super) fn specials(&mut self, specials: &[(&str, u32)]) -> Result<(), VocabularyError> {
        specials.iter().try_for_each(|&(name, id)| self.special(id.into(), name))
    }

    /// Defines a special token without a name, so that no format can ask for it.
    ///
    /// # Errors
    /// The id is already defined, or a limit is exceeded.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, TokenKind, VocabularyBuilder};
    /// let mut builder = VocabularyBuilder::new();
    /// builder.unnamed_special(0)?;
    /// assert_eq!(builder.build()?.kind(TokenId(0)), TokenKind::Special);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn unnamed_special(&mut self, id: u64) -> Result<(), VocabularyError> {
        self.define(id, Slot { kind: TokenKind::Special, ..Slot::default() })
    }

    /// Sets whether a detokeniser drops a leading space at the start of a text.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::VocabularyBuilder;
    /// let mut builder = VocabularyBuilder::new();
    /// builder.text(0, b" a")?;
    /// builder.strips_leading_space(true);
    /// assert!(builder.build()?.strips_leading_space());
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn strips_leading_space(&mut self, strips: bool) {
        self.strips_leading_space = strips;
    }

    /// Finishes the vocabulary; guesses the end-of-sequence tokens from well-known names.
    ///
    /// # Errors
    /// No token is defined, or two tokens have one name.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::VocabularyBuilder;
    /// let mut builder = VocabularyBuilder::new();
    /// builder.special(0, "<s>")?;
    /// builder.special(1, "<s>")?;
    /// assert_eq!(builder.build().unwrap_err().to_string(), "tokens 0 and 1 are both named \"<s>\"");
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn build(self) -> Result<Vocabulary, VocabularyError> {
        if self.slots.is_empty() {
            return Err(VocabularyError::Empty);
        }
        let (bytes, offsets) = self.in_order();
        let kinds: Box<[TokenKind]> = self.slots.iter().map(|slot| slot.kind).collect();
        let mut vocabulary = Vocabulary {
            name: String::new(),
            bytes,
            offsets,
            padded_len: kinds.len(),
            kinds,
            names: Names::new(self.names)?,
            eos: Box::default(),
            strips_leading_space: self.strips_leading_space,
            fingerprint: [0; 32],
        };
        vocabulary.eos = sorted(&eos::guess(&vocabulary));
        vocabulary.fingerprint = fingerprint::of(&vocabulary);
        Ok(vocabulary)
    }

    /// Returns the texts in the order of the ids, concatenated, and the offsets of the texts.
    fn in_order(&self) -> (Box<[u8]>, Box<[u32]>) {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut offsets = Vec::with_capacity(self.slots.len() + 1);
        offsets.push(0);
        for slot in &self.slots {
            bytes.extend_from_slice(&self.bytes[slot.start as usize..][..slot.len as usize]);
            offsets.push(bytes.len() as u32);
        }
        (bytes.into(), offsets.into())
    }

    /// Checks that the name's marker can be a path of the token trie.
    fn check_name(&self, id: u64, name: &str) -> Result<(), VocabularyError> {
        self.check_room(id, name.len() + MARKER_EXTRA)
    }

    fn name(&mut self, id: u64, name: &str) {
        self.name_bytes += name.len() + MARKER_EXTRA;
        self.names.push((TokenId(id as u32), name.to_owned()));
    }

    /// Checks limits, and returns the slot of the next `len` bytes of the buffer.
    fn room(&self, id: u64, len: usize) -> Result<Slot, VocabularyError> {
        self.check_room(id, len)?;
        Ok(Slot { start: self.bytes.len() as u32, len: len as u32, kind: TokenKind::Text })
    }

    fn check_room(&self, id: u64, len: usize) -> Result<(), VocabularyError> {
        check_id(id)?;
        if len > MAX_TOKEN_BYTES as usize {
            let (given, limit) = (len as u64, MAX_TOKEN_BYTES);
            return Err(VocabularyError::TokenTooLong { id: id as u32, given, limit });
        }
        let given = self.bytes.len() as u64 + self.name_bytes as u64 + len as u64;
        if given > MAX_TEXT_BYTES {
            return Err(VocabularyError::TooMuchText { given, limit: MAX_TEXT_BYTES });
        }
        Ok(())
    }

    fn define(&mut self, id: u64, slot: Slot) -> Result<(), VocabularyError> {
        let index = check_id(id)?;
        if index >= self.slots.len() {
            self.slots.resize(index + 1, Slot::default());
        }
        if self.slots[index].kind != TokenKind::Gap {
            return Err(VocabularyError::DuplicateId { id: id as u32 });
        }
        self.slots[index] = slot;
        Ok(())
    }
}

/// Returns the id as an index below [`MAX_IDS`].
fn check_id(id: u64) -> Result<usize, VocabularyError> {
    if id >= u64::from(MAX_IDS) {
        return Err(VocabularyError::TooManyIds { given: id.saturating_add(1), limit: MAX_IDS });
    }
    Ok(id as usize)
}

/// Refuses a file longer than [`MAX_SOURCE_BYTES`]; offsets into it then fit 32 bits.
pub(super) fn check_source(source: &[u8]) -> Result<(), VocabularyError> {
    let given = source.len() as u64;
    if given > MAX_SOURCE_BYTES {
        return Err(VocabularyError::SourceTooLong { given, limit: MAX_SOURCE_BYTES });
    }
    Ok(())
}
