//! Models of the Llama family (Llama, Mistral, SmolLM, Qwen 2 and 3): from tokens to logits.
//!
//! # Steps
//!
//! 1. [`config`] reads the numbers of the model, [`weights`] its tensors, called by their [`names`]; matrices stay quantised ([`matmul`]).
//! 2. [`Model::forward`] reads tokens after those in a [`Cache`]: an embedding for each, then layer by layer attention to positions before
//!    it, rotated ([`rope`]), and a feed-forward part ([`maths`]), and the logits of the last positions. [`Model::forward_all`] does so for
//!    several texts, each with its own cache, in the same passes ([`plan`]). The passes run on the CPU ([`host`]), on a device (`device`),
//!    where a cache is a text of its own (`device_text`), or in another [`engine`], which may support any architecture.
//!
//! # What is exact
//!
//! The logits of a position do not depend on what else is read in the same pass, be it of the same text or of others, to the last
//! bit: [`matmul`] computes each product in an order that does not depend on the others, and everything else is computed position by
//! position. So a draft that is verified in one pass equals steps by one token, and a text does not depend on the texts beside it. This
//! need not hold for another engine.

mod cache;
pub(crate) mod choice;
mod config;
#[cfg(feature = "cuda")]
mod device;
#[cfg(feature = "cuda")]
mod device_text;
mod engine;
mod host;
mod maths;
mod matmul;
mod names;
mod plan;
mod prefixes;
mod rope;
mod weights;

use always_assert::never;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

pub use cache::Cache;
pub(crate) use cache::PAGE;
use choice::{Asked, RowAnswer};
pub(crate) use config::Config;
pub use engine::{Engine, EnginePart};
use host::Host;
pub use matmul::use_threads;
pub(crate) use names::Name;
pub(crate) use prefixes::BeforePage;
pub use prefixes::{PrefixCache, PrefixUsage, Prefixes};
use weights::Tensors;
pub(crate) use weights::gguf::GgufTensors;
pub(crate) use weights::safetensors::SafeTensors;

use crate::chosen::ChosenBy;
use crate::error::GenerateError;

/// Cap on the prompt tokens that a pass reads: see [`Model::most_prompt`].
pub(crate) const MAX_PROMPT: usize = 32;

/// [`MAX_PROMPT`] on a device.
#[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "only devices read as many"))]
pub(crate) const MAX_PROMPT_ON_DEVICE: usize = 64;

/// [`MAX_PROMPT`] in another engine.
pub(crate) const MAX_PROMPT_IN_ENGINE: usize = 512;

/// Tokens of one text that a model is to read, behind those in a cache.
///
/// ```
/// use ogc_generate::{LoadedModel, BatchPart};
/// use ogc_runtime::vocabulary::TokenId;
/// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
/// let mut caches = [loaded.model.cache(8), loaded.model.cache(8)];
/// let [one, two] = &mut caches;
/// let logits = loaded.model.forward_all(&mut [
///     BatchPart { cache: one, tokens: &[TokenId(1), TokenId(2)], rows: 1 },
///     BatchPart { cache: two, tokens: &[TokenId(3)], rows: 1 },
/// ])?;
/// assert_eq!(logits[1], loaded.model.forward(&mut loaded.model.cache(8), &[TokenId(3)], 1)?);
/// # Ok::<(), ogc_generate::GenerateError>(())
/// ```
#[derive(Debug)]
pub struct BatchPart<'a> {
    /// The cache of the positions that were read before.
    pub cache: &'a mut Cache,
    /// The tokens to read.
    pub tokens: &'a [TokenId],
    /// The number of last tokens whose logits are wanted.
    pub rows: usize,
}

/// A language model: from tokens to logits.
///
/// ```
/// use ogc_generate::LoadedModel;
/// use ogc_runtime::vocabulary::TokenId;
/// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
/// let model = &loaded.model;
/// let tokens = [3, 1, 4, 1, 5].map(TokenId);
/// // All logits at once are those of one token after the other.
/// let at_once = model.forward(&mut model.cache(8), &tokens, tokens.len())?;
/// let mut cache = model.cache(8);
/// for (token, expected) in tokens.iter().zip(at_once.chunks_exact(model.width())) {
///     assert_eq!(model.forward(&mut cache, &[*token], 1)?, expected);
/// }
/// # Ok::<(), ogc_generate::GenerateError>(())
/// ```
#[derive(Debug)]
pub struct Model {
    /// Cap on the positions of a text.
    context: usize,
    /// The number of different tokens that it can read.
    tokens: usize,
    /// The number of logits.
    width: usize,
    place: Place,
}

/// The place where a model computes.
#[derive(Debug)]
enum Place {
    Host(Box<Host>),
    Engine(engine::Reader),
    #[cfg(feature = "cuda")]
    Device(device::Reader),
}

impl Model {
    /// Reads the tensors of a model; `tokens` is the length of its list of tokens.
    pub(crate) fn new(config: Config, tensors: &mut impl Tensors, tokens: usize) -> Result<Self, GenerateError> {
        let host = Host::new(config, tensors, tokens)?;
        let (context, tokens, width) = (host.config.context, host.embeddings.rows, host.output.rows);
        Ok(Self { context, tokens, width, place: Place::Host(Box::new(host)) })
    }

    /// Makes a model whose passes another engine makes.
    pub(crate) fn of_engine(engine: Box<dyn Engine>) -> Self {
        let (context, width) = (engine.positions(), engine.width());
        Self { context, tokens: width, width, place: Place::Engine(engine::Reader::new(engine)) }
    }

    /// Makes an empty cache with room for `positions` positions.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert!(loaded.model.cache(100).is_empty());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn cache(&self, positions: usize) -> Cache {
        match &self.place {
            Place::Host(host) => Cache::new(&host.config, positions),
            Place::Engine(reader) => Cache::in_engine(reader.open()),
            #[cfg(feature = "cuda")]
            Place::Device(reader) => Cache::on_device(reader.open()),
        }
    }

    /// Returns the number of logits of a position.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert_eq!(loaded.model.width(), loaded.vocabulary.padded_len());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the cap on the positions that the model can read.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert_eq!(loaded.model.context(), 2048);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn context(&self) -> usize {
        self.context
    }

    /// Reads tokens behind those in the cache, and returns the logits after each of the last `rows` of them, row by row.
    ///
    /// # Errors
    /// A token that the model does not have, or more positions than its context. The cache is as it was.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// use ogc_runtime::vocabulary::TokenId;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// let mut cache = loaded.model.cache(8);
    /// let logits = loaded.model.forward(&mut cache, &[TokenId(1), TokenId(2)], 1)?;
    /// assert_eq!(logits.len(), loaded.model.width());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn forward(&self, cache: &mut Cache, tokens: &[TokenId], rows: usize) -> Result<Vec<f32>, GenerateError> {
        let mut logits = self.forward_all(&mut [BatchPart { cache, tokens, rows }])?;
        Ok(logits.pop().unwrap_or_else(|| {
            never!("the logits of one part are missing");
            Vec::new()
        }))
    }

    /// Reads tokens of several texts, each behind those in its cache, as [`Model::forward`] reads those of one; returns the logits
    /// of each.
    ///
    /// # Errors
    /// A token that the model does not have, or more positions than its context. All caches are as they were.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert!(loaded.model.forward_all(&mut [])?.is_empty());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn forward_all(&self, parts: &mut [BatchPart<'_>]) -> Result<Vec<Vec<f32>>, GenerateError> {
        self.forward_between(parts, &mut || {})
    }

    /// Reads tokens as [`Model::forward_all`] does. On the host, it calls `between_layers` repeatedly in the meantime.
    fn forward_between(
        &self,
        parts: &mut [BatchPart<'_>],
        between_layers: &mut (dyn FnMut() + Send),
    ) -> Result<Vec<Vec<f32>>, GenerateError> {
        parts.iter().try_for_each(|part| self.check(part))?;
        match &self.place {
            Place::Host(host) => Ok(host.forward_all(parts, between_layers)),
            Place::Engine(reader) => reader.forward_all(parts),
            #[cfg(feature = "cuda")]
            Place::Device(reader) => reader.forward_all(parts),
        }
    }

    /// Returns whether the model computes on a device, where it chooses tokens, too.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert!(!loaded.model.is_on_device());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn is_on_device(&self) -> bool {
        match &self.place {
            Place::Host(_) | Place::Engine(_) => false,
            #[cfg(feature = "cuda")]
            Place::Device(_) => true,
        }
    }

    /// Returns whether passes are made elsewhere than by this crate on the CPU: on a device, or by another [`Engine`]. Such a model has
    /// room for a fixed number of texts, and nothing else is done during a pass.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert!(!loaded.model.is_elsewhere());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        !matches!(self.place, Place::Host(_))
    }

    /// Returns whether positions can be rolled back without reading earlier ones again. Otherwise drafts are not worthwhile.
    pub(crate) fn takes_back(&self) -> bool {
        match &self.place {
            Place::Engine(reader) => reader.takes_back(),
            _ => true,
        }
    }

    /// Returns the cap on prompt tokens in a pass that writes no text.
    ///
    /// A greater cap would make a prompt that arrives meanwhile wait, and would hardly read faster. On a CPU 32 rows take 4.6 ms each and
    /// 64 rows 4.4 (SmolLM2); on a device rows cost less, and other engines have a batch of their own.
    pub(crate) fn most_prompt(&self) -> usize {
        match &self.place {
            Place::Host(_) => MAX_PROMPT,
            Place::Engine(_) => MAX_PROMPT_IN_ENGINE,
            #[cfg(feature = "cuda")]
            Place::Device(_) => MAX_PROMPT_ON_DEVICE,
        }
    }

    /// Puts the format of a text on the device that the model is on, if there is one and it has room.
    #[cfg_attr(not(feature = "cuda"), allow(unused_variables, reason = "only devices have places"))]
    pub(crate) fn enter(&self, cache: &mut Cache, matcher: &Matcher) {
        match &self.place {
            Place::Host(_) | Place::Engine(_) => {}
            #[cfg(feature = "cuda")]
            Place::Device(_) => cache.device.iter_mut().for_each(|text| text.enter(matcher)),
        }
    }

    /// Brings the text's slot on the device to the state of its matcher, so that the device finds the mask; returns the reason if it
    /// cannot.
    #[cfg_attr(not(feature = "cuda"), allow(unused_variables, reason = "only devices have places"))]
    pub(crate) fn bring(&self, cache: &mut Cache, matcher: &mut Matcher) -> Result<(), ChosenBy> {
        match &self.place {
            Place::Host(_) | Place::Engine(_) => Err(ChosenBy::HostModel),
            #[cfg(feature = "cuda")]
            Place::Device(_) => cache.device.as_mut().map_or(Err(ChosenBy::HostModel), |text| text.place(matcher)),
        }
    }

    /// Reads tokens of several texts as [`Model::forward_all`] does, and returns the answers to the questions after
    /// their last tokens. Where a token is requested but the model does not choose it, the logits come back. On the
    /// host, `between_layers` is called repeatedly in the meantime.
    pub(crate) fn answer(
        &self,
        asked: &mut [Asked<'_>],
        between_layers: &mut (dyn FnMut() + Send),
    ) -> Result<Vec<Vec<RowAnswer>>, GenerateError> {
        match &self.place {
            Place::Host(_) | Place::Engine(_) => {
                let mut parts: Vec<BatchPart<'_>> = asked.iter_mut().map(Asked::part).collect();
                let logits = self.forward_between(&mut parts, between_layers)?;
                Ok(logits.into_iter().map(|logits| choice::rows(logits, self.width)).collect())
            }
            #[cfg(feature = "cuda")]
            Place::Device(reader) => {
                asked.iter_mut().try_for_each(|asked| self.check(&asked.part()))?;
                reader.answer(asked)
            }
        }
    }

    /// Rejects tokens that the model does not have, and more positions than its context.
    fn check(&self, part: &BatchPart<'_>) -> Result<(), GenerateError> {
        let (given, limit) = (part.cache.len() + part.tokens.len(), self.context);
        if given > limit {
            return Err(GenerateError::Context { given, limit });
        }
        let Some(token) = part.tokens.iter().find(|token| token.index() >= self.tokens) else { return Ok(()) };
        let expected = format!("there are {}", self.tokens);
        Err(GenerateError::Shape { what: "a token".to_owned(), given: token.0.to_string(), expected })
    }

    /// Puts the model on a machine, to which its weights move.
    #[cfg(feature = "cuda")]
    pub(crate) fn on_machine<M>(
        self,
        machine: M,
        limits: ogc_cuda::ModelLimits,
        slots: Option<(ogc_cuda::SlotLimits, std::sync::Arc<ogc_runtime::vocabulary::Vocabulary>)>,
    ) -> Result<Self, GenerateError>
    where
        M: ogc_cuda::Machine + std::fmt::Debug + Send + 'static,
    {
        let Self { context, tokens, width, place } = self;
        let place = match place {
            Place::Host(host) => Place::Device(device::Reader::new(*host, machine, limits, slots)?),
            elsewhere => elsewhere,
        };
        Ok(Self { context: context.min(limits.positions as usize), tokens, width, place })
    }
}
