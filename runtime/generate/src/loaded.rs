//! A model with its vocabulary, the tokenizer of its prompts and its chat template.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, OnceLock};

use ogc_runtime::canonical::CanonicalTokens;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::{Gguf, Vocabulary};

use crate::error::GenerateError;
use crate::folder::Folder;
use crate::model::{Config, Engine, GgufTensors, Model, Name};
use crate::prompt::{ChatTemplate, PromptTokenizer, TextTokenizer};

/// A model with its vocabulary, the tokenizer of its prompts and its chat template.
///
/// ```
/// use ogc_generate::LoadedModel;
/// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
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
    /// The canonical tokens of its tokenizer, made when a text first needs them.
    canonical: OnceLock<Arc<CanonicalTokens>>,
    /// The model that writes drafts, whose tokens are the same.
    pub(crate) draft: Option<Box<Model>>,
}

impl LoadedModel {
    /// Reads a GGUF file.
    ///
    /// # Errors
    /// The file is not GGUF, or its model or its tokenizer is of a kind that is not supported.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let file = ogc_kit::model::gguf();
    /// assert!(LoadedModel::from_gguf(std::io::Cursor::new(&file[..file.len() / 2])).is_err());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn from_gguf<R: Read + Seek>(mut file: R) -> Result<Self, GenerateError> {
        let len = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let gguf = Gguf::read(&mut file, len)?;
        let vocabulary = Vocabulary::from_gguf(&gguf)?;
        let mut tensors = GgufTensors { gguf: &gguf, file, len };
        let model = Model::new(Config::from_gguf(&gguf)?, &mut tensors, vocabulary.padded_len())?;
        let vocabulary = Arc::new(vocabulary.with_padded_len(model.width())?);
        Ok(Self {
            tokenizer: PromptTokenizer::from_gguf(&gguf)?.bounded(model.context(), &vocabulary),
            template: ChatTemplate::from_gguf(&gguf)?,
            vocabulary,
            model,
            canonical: OnceLock::new(),
            draft: None,
        })
    }

    /// Reads everything but the weights of a model from its GGUF file. Another engine makes the passes, and `load` loads the weights there
    /// once the rest is known to be good. If this crate does not support the model's tokenizer, the engine's makes the tokens of prompts.
    ///
    /// # Errors
    /// The file is not GGUF, its vocabulary or template is of a kind that is not supported, or the engine does not load it.
    ///
    /// ```
    /// use ogc_generate::{GenerateError, LoadedModel};
    /// let file = std::io::Cursor::new(ogc_kit::model::gguf());
    /// let refused = LoadedModel::in_engine(file, || Err(GenerateError::Engine("there is none".to_owned())));
    /// assert!(matches!(refused, Err(GenerateError::Engine(_))));
    /// ```
    pub fn in_engine<R: Read + Seek>(
        mut file: R,
        load: impl FnOnce() -> Result<(Box<dyn Engine>, Arc<dyn TextTokenizer>), GenerateError>,
    ) -> Result<Self, GenerateError> {
        let len = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let gguf = Gguf::read(&mut file, len)?;
        let (vocabulary, template) = (Vocabulary::from_gguf(&gguf)?, ChatTemplate::from_gguf(&gguf)?);
        let (engine, tokenizer) = load()?;
        let model = Model::of_engine(engine);
        let vocabulary = Arc::new(vocabulary.with_padded_len(model.width())?);
        let tokenizer = PromptTokenizer::from_gguf_or(&gguf, tokenizer)?.bounded(model.context(), &vocabulary);
        Ok(Self { tokenizer, template, vocabulary, model, canonical: OnceLock::new(), draft: None })
    }

    /// Loads the model onto the NVIDIA device `ordinal`, counted from 0, with room for `texts` concurrent texts of
    /// `positions` positions. Longer texts are rejected, even if the model's context is longer.
    ///
    /// # Errors
    /// There is no driver or no such device, it has not enough memory, or the model has a shape that the kernels do not know.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// match loaded.on_device(0, 8, 1024) {
    ///     Ok(loaded) => assert_eq!(loaded.model.context(), 1024),
    ///     Err(error) => println!("{error}"),
    /// }
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[cfg(feature = "cuda")]
    pub fn on_device(self, ordinal: u32, texts: u32, positions: u32) -> Result<Self, GenerateError> {
        let device = ogc_cuda::Device::open(ordinal).map_err(ogc_cuda::ModelError::from)?;
        let machine = ogc_cuda::DeviceMachine::new(&device).map_err(ogc_cuda::ModelError::from)?;
        let positions = positions.min(u32::try_from(self.model.context()).unwrap_or(u32::MAX));
        let slots = ogc_cuda::SlotLimits::for_sequences(texts.max(1));
        self.on_machine_with_slots(machine, ogc_cuda::ModelLimits::for_texts(texts, positions), slots)
    }

    /// Puts the model on any machine that runs its kernels. Tokens are chosen there, under masks that the host finds.
    ///
    /// # Errors
    /// The machine has not enough memory, or the model has a shape that the kernels do not know.
    ///
    /// ```
    /// # use ogc_generate::{GenerateError, LoadedModel};
    /// fn on<M>(loaded: LoadedModel, machine: M) -> Result<LoadedModel, GenerateError>
    /// where
    ///     M: ogc_cuda::Machine + std::fmt::Debug + Send + 'static,
    /// {
    ///     loaded.on_machine(machine, ogc_cuda::ModelLimits::for_texts(1, 512))
    /// }
    /// ```
    #[cfg(feature = "cuda")]
    pub fn on_machine<M>(self, machine: M, limits: ogc_cuda::ModelLimits) -> Result<Self, GenerateError>
    where
        M: ogc_cuda::Machine + std::fmt::Debug + Send + 'static,
    {
        self.refuse_draft()?;
        let model = self.model.on_machine(machine, limits, None)?;
        Ok(Self { model, ..self })
    }

    /// Puts the model on any machine that runs its kernels, with `slots` for texts that are stepped through their formats there: the
    /// machine finds their masks, too.
    ///
    /// # Errors
    /// As for [`LoadedModel::on_machine`].
    ///
    /// ```
    /// # use ogc_cuda::{ModelLimits, SlotLimits};
    /// # use ogc_generate::{GenerateError, LoadedModel};
    /// fn on<M>(loaded: LoadedModel, machine: M) -> Result<LoadedModel, GenerateError>
    /// where
    ///     M: ogc_cuda::Machine + std::fmt::Debug + Send + 'static,
    /// {
    ///     loaded.on_machine_with_slots(machine, ModelLimits::for_texts(4, 512), SlotLimits::for_sequences(4))
    /// }
    /// ```
    #[cfg(feature = "cuda")]
    pub fn on_machine_with_slots<M>(
        self,
        machine: M,
        limits: ogc_cuda::ModelLimits,
        slots: ogc_cuda::SlotLimits,
    ) -> Result<Self, GenerateError>
    where
        M: ogc_cuda::Machine + std::fmt::Debug + Send + 'static,
    {
        self.refuse_draft()?;
        let model = self.model.on_machine(machine, limits, Some((slots, Arc::clone(&self.vocabulary))))?;
        Ok(Self { model, ..self })
    }

    /// Reads a folder in the layout of Hugging Face, whose files `open` opens by their names; `None` is a file that is not there. It
    /// needs `config.json`, `tokenizer.json` and `model.safetensors`, or the index of several such files.
    ///
    /// # Errors
    /// A file is missing or broken, or the model or its tokenizer is of a kind that is not supported.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use ogc_generate::LoadedModel;
    /// let folder = ogc_kit::model::folder();
    /// let loaded = LoadedModel::from_folder(|name| Ok(folder.get(name).map(Cursor::new)))?;
    /// assert_eq!(loaded.model.context(), 2048);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn from_folder<R: Read + Seek>(open: impl FnMut(&str) -> io::Result<Option<R>>) -> Result<Self, GenerateError> {
        let mut folder = Folder(open);
        let config = folder.text("config.json")?;
        let tokenizer = folder.text("tokenizer.json")?;
        let vocabulary = folder.vocabulary(&tokenizer)?;
        let config = Config::from_json(&config)?;
        let mut tensors = folder.tensors()?;
        if config.tied {
            tensors.leave_out(Name::Output);
        }
        let model = Model::new(config, &mut tensors, vocabulary.padded_len())?;
        tensors.refuse_others()?;
        let vocabulary = Arc::new(vocabulary.with_padded_len(model.width())?);
        Ok(Self {
            tokenizer: PromptTokenizer::from_json(&tokenizer)?.bounded(model.context(), &vocabulary),
            template: folder.template()?,
            vocabulary,
            model,
            canonical: OnceLock::new(),
            draft: None,
        })
    }

    /// Returns the canonical tokens: those that the model's tokenizer writes. They are made for the store of the first call, and later
    /// calls return the same.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ogc_generate::LoadedModel;
    /// use ogc_runtime::mask::MaskStore;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    /// assert!(Arc::ptr_eq(&loaded.canonical_tokens(&store), &loaded.canonical_tokens(&store)));
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn canonical_tokens(&self, store: &Arc<MaskStore>) -> Arc<CanonicalTokens> {
        let tokens = self.canonical.get_or_init(|| {
            let tokenizer = self.tokenizer.clone();
            Arc::new(CanonicalTokens::new(Arc::clone(store), move |text| tokenizer.text_tokens(text)))
        });
        Arc::clone(tokens)
    }
}
