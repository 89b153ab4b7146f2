//! The slots in which texts are stepped on a device, and the formats that they are written in.
//!
//! The matcher of the host follows the tokens that come back, and its place counts. If tokens were written without the
//! device, the slot is at another place; it is then moved to the matcher's place.

use std::fmt::Debug;
use std::sync::Arc;

use always_assert::always;
use ogc_cuda::{
    AskingPart, DeviceModel, DeviceSlots, FormatId, LayerWeights, Machine, ModelError, ModelLimits, ModelPart,
    ModelShape, ModelText, ModelWeights, Outcome, RowAnswer, SharedMachine, SlotId, SlotLimits, SlotsError,
};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, PackLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;

use super::SharedTexts;
use crate::chosen::ChosenBy;
use crate::error::GenerateError;

/// Cap on the work to build the masks of a format: about a second. The host finds the masks that are left out.
const MASK_WORK: u64 = 1 << 28;

/// After the device could not go on, the host finds masks for this many tokens before the device tries again.
const PATIENCE: usize = 8;

/// The operations of a model on a machine of any type.
pub(in crate::model) trait Texts: Debug + Send {
    fn open(&mut self) -> ModelText;
    fn fork(&mut self, text: ModelText) -> Result<ModelText, ModelError>;
    fn truncate(&mut self, text: ModelText, len: usize) -> Result<(), ModelError>;
    fn close(&mut self, text: ModelText) -> Result<(), ModelError>;
    fn forward(&mut self, parts: &[ModelPart<'_>]) -> Result<Vec<Vec<f32>>, ModelError>;
    fn answer(&mut self, parts: &[AskingPart<'_>]) -> Result<Vec<Vec<RowAnswer>>, ModelError>;
    /// Returns whether a format is on the device.
    fn known(&self, automaton: &Arc<Automaton>) -> Known;
    /// Puts a format on the device, if there is room for it.
    fn add(&mut self, automaton: &Arc<Automaton>, masks: &Arc<MaskPack>) -> Option<FormatUse>;
    /// Moves a slot, or a new one, to the place of a matcher without a budget.
    fn bring(&mut self, slot: Option<SlotId>, format: FormatId, matcher: &Matcher) -> Result<SlotId, SlotsError>;
    fn close_slot(&mut self, slot: SlotId);
}

/// Whether a format is on a device.
#[derive(Clone, Debug)]
pub(in crate::model) enum Known {
    /// It was never requested.
    No,
    /// It was requested; `None` if it could not be put there.
    Yes(Option<FormatUse>),
}

/// A handle of a format on a device: the format stays there as long as a handle exists.
#[derive(Clone, Debug)]
pub(in crate::model) struct FormatUse {
    format: FormatId,
    users: Arc<()>,
}

/// A format that was requested.
#[derive(Debug)]
struct AskedFormat {
    automaton: Arc<Automaton>,
    found: Option<FormatUse>,
}

impl AskedFormat {
    /// Returns whether no text uses the format.
    fn is_idle(&self) -> bool {
        self.found.as_ref().is_none_or(|found| Arc::strong_count(&found.users) == 1)
    }
}

/// A model on a machine, and the slots of its texts, if there is room for any.
#[derive(Debug)]
pub(super) struct OnMachine<M> {
    model: DeviceModel<SharedMachine<M>>,
    slots: Option<DeviceSlots<SharedMachine<M>>>,
    /// The formats that were requested, the oldest first; at most as many as the slots have room for.
    formats: Vec<AskedFormat>,
}

impl<M: Machine> OnMachine<M> {
    /// Uploads a model.
    pub(super) fn new(
        machine: M,
        shape: ModelShape,
        limits: ModelLimits,
        weights: ModelWeights<Vec<LayerWeights>>,
        slots: Option<(SlotLimits, Arc<Vocabulary>)>,
    ) -> Result<Self, GenerateError> {
        let machine = SharedMachine::new(machine);
        let slots =
            slots.map(|(limits, vocabulary)| DeviceSlots::new(machine.clone(), vocabulary, limits)).transpose()?;
        let mut model = DeviceModel::new(machine, shape, limits, weights)?;
        slots.iter().try_for_each(|slots| model.step_slots(slots))?;
        Ok(Self { model, slots, formats: Vec::new() })
    }

    /// Removes the oldest format that no text uses; returns whether there was one.
    fn make_room(&mut self) -> bool {
        let Some(at) = self.formats.iter().position(AskedFormat::is_idle) else { return false };
        let removed = self.formats.remove(at);
        if let (Some(slots), Some(found)) = (&mut self.slots, removed.found) {
            // This fails only for formats that are in use, and this format is not.
            let _ = slots.remove_format(found.format);
        }
        true
    }

    /// Adds a format, in the place of idle ones if need be.
    fn add_format(&mut self, automaton: &Arc<Automaton>, masks: &Arc<MaskPack>) -> Option<FormatUse> {
        loop {
            match self.slots.as_mut()?.add_format(automaton, masks) {
                Ok(format) => return Some(FormatUse { format, users: Arc::new(()) }),
                Err(SlotsError::Formats { .. } | SlotsError::FormatBytes { .. }) if self.make_room() => {}
                Err(_) => return None,
            }
        }
    }
}

impl<M: Machine + Debug + Send> Texts for OnMachine<M> {
    fn open(&mut self) -> ModelText {
        self.model.open()
    }

    fn fork(&mut self, text: ModelText) -> Result<ModelText, ModelError> {
        self.model.fork(text)
    }

    fn truncate(&mut self, text: ModelText, len: usize) -> Result<(), ModelError> {
        self.model.truncate(text, len)
    }

    fn close(&mut self, text: ModelText) -> Result<(), ModelError> {
        self.model.close(text)
    }

    fn forward(&mut self, parts: &[ModelPart<'_>]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.model.forward(parts)
    }

    fn answer(&mut self, parts: &[AskingPart<'_>]) -> Result<Vec<Vec<RowAnswer>>, ModelError> {
        self.model.answer(parts)
    }

    fn known(&self, automaton: &Arc<Automaton>) -> Known {
        if self.slots.is_none() {
            return Known::Yes(None);
        }
        let asked = self.formats.iter().find(|asked| Arc::ptr_eq(&asked.automaton, automaton));
        asked.map_or(Known::No, |asked| Known::Yes(asked.found.clone()))
    }

    fn add(&mut self, automaton: &Arc<Automaton>, masks: &Arc<MaskPack>) -> Option<FormatUse> {
        // Another thread may have added it in the meantime.
        if let Known::Yes(found) = self.known(automaton) {
            return found;
        }
        let most = self.slots.as_ref()?.limits().formats as usize;
        if self.formats.len() >= most && !self.make_room() {
            return None;
        }
        let found = self.add_format(automaton, masks);
        self.formats.push(AskedFormat { automaton: Arc::clone(automaton), found: found.clone() });
        found
    }

    fn bring(&mut self, slot: Option<SlotId>, format: FormatId, matcher: &Matcher) -> Result<SlotId, SlotsError> {
        let Some(slots) = &mut self.slots else { return Err(SlotsError::Slots { limit: 0 }) };
        let brought = match slot {
            Some(slot) => slot,
            None => slots.open()?,
        };
        match slots.place(brought, format, matcher) {
            Ok(()) => Ok(brought),
            Err(error) => {
                if slot.is_none() {
                    slots.close(brought)?;
                }
                Err(error)
            }
        }
    }

    fn close_slot(&mut self, slot: SlotId) {
        // This fails only for closed slots, or if the device failed; the next pass reports that.
        let _ = self.slots.as_mut().map(|slots| slots.close(slot));
    }
}

impl SharedTexts {
    /// Puts the format of a matcher on the device, if there is room for it.
    pub(super) fn format(&self, matcher: &Matcher) -> Option<FormatUse> {
        let known = self.lock().known(matcher.automaton());
        if let Known::Yes(found) = known {
            return found;
        }
        let masks = match matcher.masks() {
            Some(masks) => Arc::clone(masks),
            None => {
                let limits = PackLimits { work: MASK_WORK, ..PackLimits::default() };
                // A format that asks for tokens which the vocabulary lacks stays on the host.
                Arc::new(MaskPack::build(matcher.automaton(), matcher.store(), &limits, |_, _| {}).ok()?)
            }
        };
        self.lock().add(matcher.automaton(), &masks)
    }
}

/// The slot of a text on a device, and the host's record of the slot's state.
#[derive(Debug, Default)]
pub(in crate::model) struct SlotPlace {
    format: Option<FormatUse>,
    slot: Option<SlotId>,
    /// The number of tokens of the text up to the slot's place; `None` if the slot has no place.
    at: Option<usize>,
    /// The host finds masks until the text has this many tokens.
    host_until: usize,
}

impl SlotPlace {
    /// Makes the record of a text of a format that has no slot yet.
    pub(super) fn of(format: Option<FormatUse>) -> Self {
        Self { format, ..Self::default() }
    }

    /// Makes the record of a text that continues from this one and has no slot yet.
    pub(super) fn elsewhere(&self) -> Self {
        Self::of(self.format.clone())
    }

    /// Returns the number of the slot, if the slot's state is that of the text.
    pub(in crate::model) fn slot(&self) -> Option<u32> {
        self.slot.filter(|_| self.at.is_some()).map(SlotId::number)
    }

    /// Brings the slot to the state of a matcher; returns the reason if that is impossible.
    pub(super) fn bring(&mut self, texts: &mut dyn Texts, matcher: &mut Matcher) -> Result<(), ChosenBy> {
        let format = self.format.as_ref().ok_or(ChosenBy::DeviceFormat)?.format;
        let len = matcher.len();
        if len < self.host_until {
            return Err(ChosenBy::DeviceHandover);
        }
        if !matcher.is_budget_far() {
            return Err(ChosenBy::DeviceBudget);
        }
        if matcher.is_canonical_here() {
            return Err(ChosenBy::DeviceCanonical);
        }
        if self.at == Some(len) {
            return Ok(());
        }
        self.at = None;
        let mut unbounded = matcher.fork();
        let lifted = unbounded.set_budget(None);
        always!(lifted.is_ok(), "a bound was not lifted: {:?}", lifted);
        match texts.bring(self.slot, format, &unbounded) {
            Ok(slot) => {
                (self.slot, self.at) = (Some(slot), Some(len));
                Ok(())
            }
            Err(SlotsError::Slots { .. }) => Err(ChosenBy::DeviceSlots),
            Err(SlotsError::OtherStops) => Err(ChosenBy::DeviceStops),
            Err(_) => {
                self.host_until = len + PATIENCE;
                Err(ChosenBy::DeviceHandover)
            }
        }
    }

    /// Updates the record of the slot's state after a pass that chose its token. If the pass failed, there are no answers and the state is
    /// unknown.
    pub(in crate::model) fn follow(&mut self, answers: &[RowAnswer]) {
        let at = self.at.take();
        match answers {
            [RowAnswer::Token { slot: Outcome::Accepted | Outcome::Ended, .. }] => self.at = at.map(|at| at + 1),
            _ => self.host_until = at.unwrap_or(0) + 1 + PATIENCE,
        }
    }

    /// Gives the slot back.
    pub(super) fn leave(&mut self, texts: &mut dyn Texts) {
        self.at = None;
        if let Some(slot) = self.slot.take() {
            texts.close_slot(slot);
        }
    }
}
