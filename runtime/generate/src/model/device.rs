//! A model on a device: its weights are laid out for the kernels of `ogc-cuda`, and texts are read there.
//!
//! Logits differ from those of the CPU in their last bits, as sums have another order. Like those of the CPU, they do not depend on the
//! texts beside them.
//!
//! Tokens that are asked for are chosen on the device. The same launch steps a text through its format in a slot, so that the device finds
//! the masks, too; where it cannot, the host finds them.

mod rows;
mod weights;

use std::fmt::Debug;
use std::sync::Arc;

use ogc_cuda::{Machine, ModelLimits, ModelPart, SlotLimits};
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

use super::choice::{Asked, RowAnswer};
use super::device_text::{DeviceText, SharedTexts};
use super::host::Host;
use super::{BatchPart, Cache};
use crate::error::GenerateError;

/// The reader of the texts of a model on a machine.
#[derive(Clone, Debug)]
pub(super) struct Reader(SharedTexts);

impl Reader {
    /// Uploads a model, and makes room for slots of texts of its vocabulary, if any are requested.
    pub(super) fn new<M>(
        host: Host,
        machine: M,
        limits: ModelLimits,
        slots: Option<(SlotLimits, Arc<Vocabulary>)>,
    ) -> Result<Self, GenerateError>
    where
        M: Machine + Debug + Send + 'static,
    {
        let limits = ModelLimits { positions: limits.positions.min(host.config.context as u32), ..limits };
        let (shape, weights) = (weights::shape(&host.config), weights::weights(host, limits.positions as usize)?);
        Ok(Self(SharedTexts::new(machine, shape, limits, weights, slots)?))
    }

    /// Opens an empty text.
    pub(super) fn open(&self) -> DeviceText {
        self.0.open()
    }

    /// Reads tokens of several texts of this model; returns the logits of each.
    pub(super) fn forward_all(&self, parts: &mut [BatchPart<'_>]) -> Result<Vec<Vec<f32>>, GenerateError> {
        let tokens: Vec<Vec<u32>> = parts.iter().map(|part| numbers(part.tokens)).collect();
        let texts = parts.iter().zip(&tokens).map(|(part, tokens)| {
            let text = self.text(part.cache)?.text;
            Ok(ModelPart { text, tokens, wanted: part.rows })
        });
        let texts = texts.collect::<Result<Vec<_>, GenerateError>>()?;
        let logits = self.0.lock().forward(&texts)?;
        parts.iter_mut().for_each(|part| part.cache.grow(part.tokens.len()));
        Ok(logits)
    }

    /// Reads tokens of several texts of this model; returns the answers of each.
    pub(super) fn answer(&self, asked: &mut [Asked<'_>]) -> Result<Vec<Vec<RowAnswer>>, GenerateError> {
        let answers = self.ask(asked);
        for (at, asked) in asked.iter_mut().enumerate() {
            let own = answers.as_ref().map_or(&[][..], |answers| &answers[at]);
            if let Some(text) = asked.cache.device.as_mut().filter(|_| asked.rows.iter().any(rows::is_by_slot)) {
                text.place.follow(own);
            }
        }
        let answers = answers?;
        asked.iter_mut().for_each(|asked| asked.cache.grow(asked.tokens.len()));
        Ok(answers.into_iter().map(rows::answers).collect())
    }

    fn ask(&self, asked: &[Asked<'_>]) -> Result<Vec<Vec<ogc_cuda::RowAnswer>>, GenerateError> {
        let texts = asked.iter().map(|asked| self.text(asked.cache)).collect::<Result<Vec<_>, GenerateError>>()?;
        let tokens: Vec<Vec<u32>> = asked.iter().map(|asked| numbers(asked.tokens)).collect();
        let biases: Vec<Vec<(u32, f32)>> = asked.iter().map(|asked| rows::biases(asked.sampler)).collect();
        let rows = asked.iter().zip(&texts).zip(&biases);
        let rows: Vec<Vec<_>> = rows.map(|((asked, text), biases)| rows::asks(asked, &text.place, biases)).collect();
        let parts = texts.iter().zip(&tokens).zip(&rows);
        let parts = parts.map(|((text, tokens), rows)| ogc_cuda::AskingPart { text: text.text, tokens, rows });
        Ok(self.0.lock().answer(&parts.collect::<Vec<_>>())?)
    }

    /// Returns the text of a cache, if it belongs to this model.
    fn text<'c>(&self, cache: &'c Cache) -> Result<&'c DeviceText, GenerateError> {
        cache.device.as_ref().filter(|text| self.0.have(text)).ok_or_else(foreign)
    }
}

fn numbers(tokens: &[TokenId]) -> Vec<u32> {
    tokens.iter().map(|token| token.0).collect()
}

/// Makes the error for a cache of another model.
fn foreign() -> GenerateError {
    let expected = "it must be of the model that uses it".to_owned();
    GenerateError::Shape { what: "a cache".to_owned(), given: "that of another model".to_owned(), expected }
}
