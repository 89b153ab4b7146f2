//! Constructors of a [`Vocabulary`], one for each file format.

use super::{Gguf, Vocabulary, VocabularyBuilder, VocabularyError, gguf, huggingface, sentencepiece, tekken, tiktoken};

/// Constructors from bytes in memory.
impl Vocabulary {
    /// Makes a vocabulary from the bytes of each id and the names of its special tokens.
    ///
    /// The entry of a special token must be `None`. The end-of-sequence tokens are guessed from well-known names.
    ///
    /// # Errors
    /// An id is defined twice, or a limit is exceeded.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let vocabulary = Vocabulary::from_tokens(&[Some("yes"), Some("no")], &[("<eos>", 5)])?;
    /// assert_eq!(vocabulary.len(), 6);
    /// assert_eq!(vocabulary.special("<eos>"), Some(TokenId(5)));
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn from_tokens<T: AsRef<[u8]>>(
        tokens: &[Option<T>],
        specials: &[(&str, u32)],
    ) -> Result<Self, VocabularyError> {
        let mut builder = VocabularyBuilder::new();
        for (id, token) in tokens.iter().enumerate() {
            if let Some(bytes) = token {
                builder.text(id as u64, bytes.as_ref())?;
            }
        }
        builder.specials(specials)?;
        builder.build()
    }

    /// Reads a Hugging Face `tokenizer.json`: byte-level BPE, byte-fallback BPE with metaspace, Unigram.
    ///
    /// The bytes of a token follow from the file's `decoder`, or from `pre_tokenizer` and `normalizer` if it has none.
    /// The end-of-sequence tokens are guessed from the names of the special tokens, as the file does not list them: see
    /// [`Vocabulary::with_eos`].
    ///
    /// # Errors
    /// The file is not JSON of that structure, contradicts itself, exceeds a limit, or uses a model or decoder whose
    /// tokens have no fixed bytes (WordPiece, CTC, end-of-word suffixes).
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let json = r#"{
    ///   "added_tokens": [{"id": 2, "content": "</s>", "special": true}],
    ///   "decoder": {"type": "ByteLevel"},
    ///   "model": {"type": "BPE", "vocab": {"Ġa": 0, "Ċ": 1}, "merges": []}
    /// }"#;
    /// let vocabulary = Vocabulary::from_tokenizer_json(json.as_bytes())?;
    /// assert_eq!(vocabulary.text(TokenId(0)), Some(&b" a"[..]));
    /// assert_eq!(vocabulary.text(TokenId(1)), Some(&b"\n"[..]));
    /// assert_eq!(vocabulary.eos(), [TokenId(2)]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn from_tokenizer_json(json: &[u8]) -> Result<Self, VocabularyError> {
        huggingface::read(json)
    }

    /// Reads tiktoken ranks, lines of `base64(token) rank`; the file does not have the special tokens.
    ///
    /// # Errors
    /// A line is not of that form, an id is defined twice, or a limit is exceeded.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let vocabulary = Vocabulary::from_tiktoken(b"YQ== 0\nYWI= 1\n", &[("<|endoftext|>", 2)])?;
    /// assert_eq!(vocabulary.text(TokenId(1)), Some(&b"ab"[..]));
    /// assert_eq!(vocabulary.eos(), [TokenId(2)]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn from_tiktoken(ranks: &[u8], specials: &[(&str, u32)]) -> Result<Self, VocabularyError> {
        tiktoken::read(ranks, specials)
    }

    /// Reads Mistral's `tekken.json`: ranks in base64; ids are ranks plus the number of special tokens.
    ///
    /// # Errors
    /// The file is not JSON of that structure, contradicts itself, or exceeds a limit.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let json = r#"{
    ///   "config": {"default_vocab_size": 4, "default_num_special_tokens": 3},
    ///   "vocab": [{"rank": 0, "token_bytes": "YQ==", "token_str": "a"}]
    /// }"#;
    /// let vocabulary = Vocabulary::from_tekken_json(json.as_bytes())?;
    /// assert_eq!(vocabulary.text(TokenId(3)), Some(&b"a"[..]));
    /// assert_eq!(vocabulary.special("</s>"), Some(TokenId(2)));
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn from_tekken_json(json: &[u8]) -> Result<Self, VocabularyError> {
        tekken::read(json)
    }

    /// Reads a model of SentencePiece (`tokenizer.model`).
    ///
    /// The end-of-sequence tokens are the piece that the file's settings give, and special pieces with well-known
    /// names.
    ///
    /// # Errors
    /// The file is not a SentencePiece model, contradicts itself, or exceeds a limit.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary, is_sentencepiece};
    /// // Two messages: the normal piece `▁a`, and the control piece `</s>`.
    /// let model = b"\x0a\x06\x0a\x04\xe2\x96\x81a\x0a\x08\x0a\x04</s>\x18\x03";
    /// assert!(is_sentencepiece(model));
    /// let vocabulary = Vocabulary::from_sentencepiece(model)?;
    /// assert_eq!((vocabulary.text(TokenId(0)), vocabulary.eos()), (Some(&b" a"[..]), &[TokenId(1)][..]));
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn from_sentencepiece(model: &[u8]) -> Result<Self, VocabularyError> {
        sentencepiece::read(model)
    }

    /// Reads the vocabulary of a llama.cpp model from the metadata of its file.
    ///
    /// The end-of-sequence tokens are those that the file gives (for the end of a text, a turn or a message), and
    /// special tokens with well-known names. The width of logits is the length of the file's list of tokens; for a
    /// wider model see [`Vocabulary::with_padded_len`].
    ///
    /// # Errors
    /// The metadata has no vocabulary, its kind is unknown, or it contradicts itself or exceeds a limit.
    ///
    /// ```
    #[doc = include_str!("gguf/example.md")]
    /// use ogc_runtime::vocabulary::TokenId;
    /// let vocabulary = Vocabulary::from_gguf(&gguf)?;
    /// assert_eq!(vocabulary.text(TokenId(1)), Some(&b" b"[..]));
    /// assert_eq!(vocabulary.eos(), [TokenId(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_gguf(gguf: &Gguf) -> Result<Self, VocabularyError> {
        gguf::read(gguf)
    }
}
