//! A model with all that belongs to it: its vocabulary, the tokenizer of its prompts, its chat template.

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use ogc_runtime::vocabulary::{Gguf, Vocabulary};

use crate::error::GenerateError;
use crate::model::Model;
use crate::prompt::{ChatTemplate, PromptTokenizer};

/// A model with its vocabulary, the tokenizer of its prompts and its chat template.
///
/// ```
/// use ogc_generate::LoadedModel;
/// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_generate::tiny::gguf()?))?;
/// assert!(loaded.template.is_some());
/// # Ok::<(), ogc_generate::GenerateError>(())
/// ```
#[derive(Debug)]
pub struct LoadedModel {
    /// The weights.
    pub model: Model,
    /// The texts of the tokens; as wide as the model's logits.
    pub vocabulary: Arc<Vocabulary>,
    /// The tokenizer of prompts.
    pub tokenizer: PromptTokenizer,
    /// The template that makes a prompt of messages, if the file has one.
    pub template: Option<ChatTemplate>,
}

impl LoadedModel {
    /// Reads a GGUF file.
    ///
    /// # Errors
    /// The file is none, or its model or its tokenizer is of a kind that is not supported.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let file = ogc_generate::tiny::gguf()?;
    /// assert!(LoadedModel::from_gguf(std::io::Cursor::new(&file[..file.len() / 2])).is_err());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn from_gguf<R: Read + Seek>(mut file: R) -> Result<Self, GenerateError> {
        let len = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let gguf = Gguf::read(&mut file, len)?;
        let vocabulary = Vocabulary::from_gguf(&gguf)?;
        let model = Model::from_gguf(&gguf, file, len, vocabulary.padded_len())?;
        let vocabulary = vocabulary.with_padded_len(model.width())?;
        Ok(Self {
            tokenizer: PromptTokenizer::from_gguf(&gguf)?,
            template: ChatTemplate::from_gguf(&gguf)?,
            vocabulary: Arc::new(vocabulary),
            model,
        })
    }
}
