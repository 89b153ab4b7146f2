//! Constructors of a [`Vocabulary`], one for each file format.

use super::{Gguf, Vocabulary, VocabularyBuilder, VocabularyError, gguf, huggingface, sentencepiece, tekken, tiktoken};

/// Constructors, all over bytes in memory.
impl Vocabulary {
    /// Makes a vocabulary from the bytes of each id and the names of its special tokens.
    ///
    /// The entry of a special token must be `None`. The end of a sequence is guessed from well-known names.
    ///
    /// # Errors
    /// An id defined twice, or a limit exceeded.
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
    /// What a token's bytes are follows from the file's `decoder` (from `pre_tokenizer` and `normalizer` where it has
    /// none). The end of a sequence is guessed from the names of the special tokens, as the file does not say:
    /// see [`Vocabulary::with_eos`].
    ///
    /// # Errors
    /// The file is no JSON of that shape, contradicts itself, exceeds a limit, or uses a model or decoder whose tokens
    /// have no fixed bytes (WordPiece, CTC, end-of-word suffixes).
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

    /// Reads tiktoken ranks, lines of `base64(token) rank`; the file does not hold the special tokens.
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

    /// Reads Mistral's `tekken.json`: ranks in base64, moved up by the number of special tokens.
    ///
    /// # Errors
    /// The file is no JSON of that shape, contradicts itself, or exceeds a limit.
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
    /// The end of a sequence is the piece that the file numbers, and special ones with well-known names.
    ///
    /// # Errors
    /// The file is none, contradicts itself, or exceeds a limit.
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

    /// Reads the vocabulary of a model of llama.cpp from the metadata of its file.
    ///
    /// The ends of a sequence are those that the file names (of a text, a turn, a message), and special tokens with well-known
    /// names. The width of logits is the length of the file's list of tokens; see [`Vocabulary::with_padded_len`] for a model
    /// that is wider.
    ///
    /// # Errors
    /// The metadata has no vocabulary, one of a kind that is not known, contradicts itself, or exceeds a limit.
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
