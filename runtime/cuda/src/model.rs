//! A language model of the Llama family on a device: from tokens to logits.
//!
//! # Steps
//! 1. [`weights`] lays out matrices for the kernels, [`shape`] checks the numbers of the model, [`memory`] reserves device memory,
//!    [`upload`] copies the weights there.
//! 2. [`DeviceModel::forward`] divides the tokens into passes, makes room in [`pages`], and writes rows: each has a token, its position, and the page
//!    table of its text.
//! 3. [`pass`] does a pass: [`plan`] determines the kernels that run on the rows, and a [`Machine`] runs them. The machine is a device,
//!    which captures each plan as a graph, or the interpreter of the tests. If tokens are requested instead of logits, the kernel that
//!    chooses tokens is the last of the plan ([`choice`]).
//!
//! # Exactness
//!
//! The logits of a position do not depend, to the last bit, on other rows of the same pass, whether of the same text or of others: each
//! kernel states the order of its sums, and that order depends on nothing but the row. Compared with the same weights on a CPU, only the
//! order of sums differs.
//!
//! # Rejected designs
//!
//! A MatMul of more than 8 rows reads the weights once for every 8 rows. Matrix instructions would read long prompts faster, but their
//! order of sums is not documented. Keys and values are cached in 32 bits.

pub(crate) mod choice;
pub(crate) mod error;
mod memory;
pub(crate) mod pages;
pub(crate) mod part;
mod pass;
mod plan;
pub(crate) mod records;
pub(crate) mod shape;
pub(crate) mod upload;
pub(crate) mod weights;

use std::collections::BTreeMap;

use crate::machine::Machine;
use crate::machine::launch::Plan;
use crate::machine::shared::SharedMachine;
use crate::slots::DeviceSlots;
use choice::{ChoiceMask, Chooser, RowAnswer, RowAsk, RowChoice};
use error::ModelError;
use memory::{Layer, Rows, padded, upload_matrix, upload_row};
use pages::{ModelText, Pages};
use part::{AskingPart, ModelPart};
use pass::PassRow;
use plan::{PassSize, Placed};
use shape::{ModelLimits, ModelShape};
use upload::{LayerWeights, ModelWeights, check_columns, check_len, upload_layer};

/// A language model in the memory of a machine.
///
/// ```
/// # use ogc_cuda::{DeviceModel, LayerWeights, Machine, ModelError, ModelLimits, ModelPart, ModelShape, ModelWeights};
/// /// Returns the logits after some tokens.
/// fn logits<M: Machine>(
///     machine: M,
///     shape: ModelShape,
///     weights: ModelWeights<Vec<LayerWeights>>,
///     tokens: &[u32],
/// ) -> Result<Vec<f32>, ModelError> {
///     let mut model = DeviceModel::new(machine, shape, ModelLimits::for_texts(1, 1024), weights)?;
///     let text = model.open();
///     let mut logits = model.forward(&[ModelPart { text, tokens, wanted: 1 }])?;
///     Ok(logits.remove(0))
/// }
/// ```
#[derive(Debug)]
pub struct DeviceModel<M> {
    machine: M,
    placed: Placed,
    pages: Pages,
    plans: BTreeMap<PassSize, Plan>,
    chooser: Chooser,
}

impl<M: Machine> DeviceModel<M> {
    /// Uploads a model.
    ///
    /// # Errors
    /// Shape, limits or weights do not fit one another or the kernels, or the machine has too little memory.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceModel, LayerWeights, Machine, ModelError, ModelLimits, ModelShape, ModelWeights};
    /// # fn upload<M: Machine>(
    /// #     machine: M, shape: ModelShape, weights: ModelWeights<Vec<LayerWeights>>,
    /// # ) -> Result<DeviceModel<M>, ModelError> {
    /// // Room for 16 texts of 4096 positions.
    /// DeviceModel::new(machine, shape, ModelLimits::for_texts(16, 4096), weights)
    /// # }
    /// ```
    pub fn new(
        mut machine: M,
        shape: ModelShape,
        limits: ModelLimits,
        weights: ModelWeights<impl IntoIterator<Item = LayerWeights>>,
    ) -> Result<Self, ModelError> {
        shape.check()?;
        limits.check()?;
        let machine_ref = &mut machine;
        let ModelWeights { embeddings, layers, norm, output, angles } = weights;
        check_columns("the length of an embedding", &embeddings, shape.width)?;
        check_len("the number of weights of the last normalisation", norm.len(), u64::from(shape.width))?;
        check_len("the number of angles", angles.len(), u64::from(limits.positions) * u64::from(shape.head / 2))?;
        let embeddings = upload_matrix(machine_ref, "embeddings", &embeddings)?;
        let output = match output {
            None => embeddings,
            Some(output) => {
                check_columns("the length of a row of the output", &output, shape.width)?;
                upload_matrix(machine_ref, "output", &output)?
            }
        };
        let layers: Vec<Layer> =
            layers.into_iter().map(|layer| upload_layer(machine_ref, &shape, layer)).collect::<Result<_, _>>()?;
        let page_stride = shape.page_stride(layers.len() as u32)?;
        let placed = Placed {
            shape,
            limits,
            embeddings,
            norm: upload_row(machine_ref, "norm", Some(&norm))?,
            output,
            angles: upload_row(machine_ref, "angles", Some(angles.as_flattened()))?,
            pool: machine_ref.reserve("pages", u64::from(limits.pages) * u64::from(page_stride) * 4)?,
            page_stride,
            rows: Rows::reserve(machine_ref, &shape, &limits, output.outputs)?,
            layers,
        };
        let pages = Pages::new(limits.pages, limits.positions);
        let (rows, logits) = (padded(limits.rows), placed.rows.logits);
        let chooser = Chooser::reserve(machine_ref, rows, logits, placed.output.outputs)?;
        Ok(Self { machine, placed, pages, plans: BTreeMap::new(), chooser })
    }

    /// Returns the machine.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceModel, Machine};
    /// fn machine<M: Machine>(model: &DeviceModel<M>) -> &M {
    ///     model.machine()
    /// }
    /// ```
    #[must_use]
    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// Returns the number of logits of a position.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceModel, Machine};
    /// fn has_logits<M: Machine>(model: &DeviceModel<M>) -> bool {
    ///     model.width() > 0
    /// }
    /// ```
    #[must_use]
    pub fn width(&self) -> usize {
        self.placed.output.outputs as usize
    }

    /// Opens an empty text.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceModel, Machine, ModelError};
    /// fn is_empty<M: Machine>(model: &mut DeviceModel<M>) -> Result<bool, ModelError> {
    ///     let text = model.open();
    ///     Ok(model.len(text)? == 0)
    /// }
    /// ```
    pub fn open(&mut self) -> ModelText {
        self.pages.open()
    }

    /// Forks a text: the new text has read the same tokens. No page is copied before one of the two continues.
    ///
    /// # Errors
    /// The other text is not open.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceModel, Machine, ModelError, ModelText};
    /// fn twice<M: Machine>(model: &mut DeviceModel<M>, text: ModelText) -> Result<[ModelText; 2], ModelError> {
    ///     Ok([text, model.fork(text)?])
    /// }
    /// ```
    pub fn fork(&mut self, text: ModelText) -> Result<ModelText, ModelError> {
        self.pages.fork(text)
    }

    /// Truncates a text: takes back all positions from `len` on.
    ///
    /// # Errors
    /// The text is not open.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceModel, Machine, ModelError, ModelText};
    /// fn forget_last<M: Machine>(model: &mut DeviceModel<M>, text: ModelText) -> Result<(), ModelError> {
    ///     let len = model.len(text)?;
    ///     model.truncate(text, len.saturating_sub(1))
    /// }
    /// ```
    pub fn truncate(&mut self, text: ModelText, len: usize) -> Result<(), ModelError> {
        self.pages.truncate(text, u32::try_from(len).unwrap_or(u32::MAX))
    }

    /// Closes a text, and frees its pages for other texts.
    ///
    /// # Errors
    /// The text is not open.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceModel, Machine, ModelError};
    /// fn open_and_close<M: Machine>(model: &mut DeviceModel<M>) -> Result<(), ModelError> {
    ///     let text = model.open();
    ///     model.close(text)
    /// }
    /// ```
    pub fn close(&mut self, text: ModelText) -> Result<(), ModelError> {
        self.pages.close(text)
    }

    /// Returns the number of positions that a text has read.
    ///
    /// # Errors
    /// The text is not open.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceModel, Machine, ModelError, ModelText};
    /// fn is_begun<M: Machine>(model: &DeviceModel<M>, text: ModelText) -> Result<bool, ModelError> {
    ///     Ok(model.len(text)? > 0)
    /// }
    /// ```
    pub fn len(&self, text: ModelText) -> Result<usize, ModelError> {
        self.pages.len(text).map(|len| len as usize)
    }

    /// Reads tokens of several texts, each after the tokens that its text has read. Returns for each part the logits after each of its last
    /// `wanted` tokens, row by row.
    ///
    /// # Errors
    /// A token or text does not exist, or there is no room; then all texts are unchanged. Or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceModel, Machine, ModelError, ModelPart};
    /// fn logits<M: Machine>(model: &mut DeviceModel<M>) -> Result<Vec<Vec<f32>>, ModelError> {
    ///     let text = model.open();
    ///     model.forward(&[ModelPart { text, tokens: &[1, 2], wanted: 2 }])
    /// }
    /// ```
    pub fn forward(&mut self, parts: &[ModelPart<'_>]) -> Result<Vec<Vec<f32>>, ModelError> {
        let most = parts.iter().map(|part| part.wanted.min(part.tokens.len())).max().unwrap_or(0);
        let rows = vec![RowAsk::Logits; most];
        let asking = parts.iter().map(|&ModelPart { text, tokens, wanted }| {
            let rows = &rows[..wanted.min(tokens.len())];
            AskingPart { text, tokens, rows }
        });
        let answers = self.answer(&asking.collect::<Vec<_>>())?;
        Ok(answers.into_iter().map(joined).collect())
    }

    /// Reads tokens of several texts, each after the tokens that its text has read. Returns for each part the answers after each of its
    /// last tokens. Only requested logits are copied to the host; tokens are chosen on the device, as part of the pass.
    ///
    /// # Errors
    /// As for [`DeviceModel::forward`], or a row requests something that the kernels do not support; then, too, all texts are unchanged.
    ///
    /// ```
    /// # use ogc_cuda::{AskingPart, ChoiceMask, DeviceModel, Machine, ModelError, ModelText, RowAnswer, RowAsk, RowChoice};
    /// # use ogc_cuda::{RowSampling, TokenChoice};
    /// /// Returns the likeliest of the first two tokens.
    /// fn next<M: Machine>(model: &mut DeviceModel<M>, text: ModelText) -> Result<Vec<Vec<RowAnswer>>, ModelError> {
    ///     let mut mask = vec![0; model.width().div_ceil(32)];
    ///     mask[0] = 0b11;
    ///     let sampling = RowSampling { choice: TokenChoice::Highest, ..RowSampling::default() };
    ///     let choice = RowChoice { sampling, mask: ChoiceMask::Bits(&mask), written: &[], biases: &[] };
    ///     model.answer(&[AskingPart { text, tokens: &[3], rows: &[RowAsk::Token(choice)] }])
    /// }
    /// ```
    pub fn answer(&mut self, parts: &[AskingPart<'_>]) -> Result<Vec<Vec<RowAnswer>>, ModelError> {
        parts.iter().try_for_each(|part| self.check(part))?;
        Self::check_slots(parts)?;
        let firsts = parts.iter().map(|part| self.pages.len(part.text)).collect::<Result<Vec<u32>, _>>()?;
        let growing: Vec<(ModelText, usize)> = parts.iter().map(|part| (part.text, part.tokens.len())).collect();
        let copies = self.pages.grow(&growing)?;
        copies.chunks(self.placed.limits.rows as usize).try_for_each(|copies| self.copy(copies))?;
        let rows: Vec<PassRow> = parts
            .iter()
            .enumerate()
            .flat_map(|(part, of)| (0..of.tokens.len()).map(move |token| PassRow { part, token }))
            .collect();
        let mut answers: Vec<Vec<RowAnswer>> =
            parts.iter().map(|part| vec![RowAnswer::Nothing; part.rows.len()]).collect();
        for rows in rows.chunks(self.placed.limits.rows as usize) {
            self.pass(parts, &firsts, rows, &mut answers)?;
        }
        Ok(answers)
    }

    /// Rejects unknown tokens, and requests that the kernels do not support.
    fn check(&self, part: &AskingPart<'_>) -> Result<(), ModelError> {
        let limit = self.placed.embeddings.outputs;
        if let Some(&given) = part.tokens.iter().find(|token| **token >= limit) {
            return Err(ModelError::Token { given, limit });
        }
        if part.rows.len() > part.tokens.len() {
            let expected = format!("it must be at most {}, as many as tokens", part.tokens.len());
            return Err(ModelError::shape("the number of rows that are asked", part.rows.len(), expected));
        }
        part.rows.iter().try_for_each(|row| match row {
            RowAsk::Nothing | RowAsk::Logits => Ok(()),
            RowAsk::Token(choice) => self.chooser.check(choice),
        })
    }

    /// Rejects a slot that several rows have.
    fn check_slots(parts: &[AskingPart<'_>]) -> Result<(), ModelError> {
        let slot = |row: &RowAsk<'_>| match row {
            RowAsk::Token(RowChoice { mask: ChoiceMask::Slot(slot), .. }) => Some(*slot),
            RowAsk::Nothing | RowAsk::Logits | RowAsk::Token(_) => None,
        };
        let mut slots: Vec<u32> = parts.iter().flat_map(|part| part.rows).filter_map(slot).collect();
        slots.sort_unstable();
        match slots.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                let expected = "several rows have it, and each moves it: ask of one".to_owned();
                Err(ModelError::shape("the number of a slot", pair[0] as usize, expected))
            }
            None => Ok(()),
        }
    }
}

/// Returns the logits of all rows, one after another.
fn joined(mut answers: Vec<RowAnswer>) -> Vec<f32> {
    if let [RowAnswer::Logits(_)] = &answers[..]
        && let Some(RowAnswer::Logits(logits)) = answers.pop()
    {
        return logits;
    }
    let logits = |answer| match answer {
        RowAnswer::Logits(logits) => logits,
        RowAnswer::Nothing | RowAnswer::Token { .. } | RowAnswer::NoToken => Vec::new(),
    };
    answers.into_iter().flat_map(logits).collect()
}

impl<M: Machine> DeviceModel<SharedMachine<M>> {
    /// Connects slots: from now on rows can choose tokens under the masks of slots ([`ChoiceMask::Slot`]), and passes move the slots by
    /// these tokens.
    ///
    /// # Errors
    /// The slots are on another machine.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceModel, DeviceSlots, Machine, ModelError, SharedMachine};
    /// fn join<M: Machine>(
    ///     model: &mut DeviceModel<SharedMachine<M>>,
    ///     slots: &DeviceSlots<SharedMachine<M>>,
    /// ) -> Result<(), ModelError> {
    ///     model.step_slots(slots)
    /// }
    /// ```
    pub fn step_slots(&mut self, slots: &DeviceSlots<SharedMachine<M>>) -> Result<(), ModelError> {
        if !self.machine.is(slots.shared_machine()) {
            let expected = "they must be of the machine that the model is on".to_owned();
            return Err(ModelError::shape(
                "the number of slots of another machine",
                slots.tables().count as usize,
                expected,
            ));
        }
        self.chooser.step_slots(slots.tables());
        self.plans.retain(|size, _| !size.chooses);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
