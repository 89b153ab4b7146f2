//! Texts of a model on a device: the memory of each there, and the slot in which it is stepped through its format ([`places`]).

mod places;

use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use always_assert::{always, never};
use ogc_cuda::{LayerWeights, Machine, ModelLimits, ModelShape, ModelText, ModelWeights, SlotLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;

use crate::chosen::ChosenBy;
use crate::error::GenerateError;
pub(super) use places::SlotPlace;
use places::{OnMachine, Texts};

/// A model on a machine, which all its texts share.
#[derive(Clone, Debug)]
pub(super) struct SharedTexts(Arc<Mutex<dyn Texts>>);

/// A text on a device: its clone goes on independently, and its memory is freed when it is dropped.
#[derive(Debug)]
pub(super) struct DeviceText {
    texts: SharedTexts,
    pub(super) text: ModelText,
    pub(super) place: SlotPlace,
}

impl SharedTexts {
    /// Uploads a model, and makes room for slots of texts of its vocabulary, if any are requested.
    pub(super) fn new<M>(
        machine: M,
        shape: ModelShape,
        limits: ModelLimits,
        weights: ModelWeights<Vec<LayerWeights>>,
        slots: Option<(SlotLimits, Arc<Vocabulary>)>,
    ) -> Result<Self, GenerateError>
    where
        M: Machine + Debug + Send + 'static,
    {
        Ok(Self(Arc::new(Mutex::new(OnMachine::new(machine, shape, limits, weights, slots)?))))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, dyn Texts + 'static> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens an empty text.
    pub(super) fn open(&self) -> DeviceText {
        DeviceText { texts: self.clone(), text: self.lock().open(), place: SlotPlace::default() }
    }

    /// Returns whether a text belongs to this model.
    pub(super) fn have(&self, text: &DeviceText) -> bool {
        Arc::ptr_eq(&text.texts.0, &self.0)
    }
}

impl DeviceText {
    /// Rolls back all positions from the `len`th on.
    pub(super) fn truncate(&self, len: usize) {
        let truncated = self.texts.lock().truncate(self.text, len);
        // This fails only for closed texts, and this text is open until it is dropped.
        always!(truncated.is_ok(), "{:?} is not open: {:?}", self.text, truncated);
    }

    /// Puts the format of a matcher on the device, if there is room for it. Builds the masks if the matcher has none ahead of time.
    pub(super) fn enter(&mut self, matcher: &Matcher) {
        self.place = SlotPlace::of(self.texts.format(matcher));
    }

    /// Brings the text's slot to the state of its matcher, so that the device finds the mask; returns the reason if it cannot.
    pub(super) fn place(&mut self, matcher: &mut Matcher) -> Result<(), ChosenBy> {
        self.place.bring(&mut *self.texts.lock(), matcher)
    }
}

impl Clone for DeviceText {
    fn clone(&self) -> Self {
        let mut texts = self.texts.lock();
        // As in `truncate`, this cannot fail; if it did, the next pass would reject the clone.
        let text = texts.fork(self.text).unwrap_or_else(|error| {
            never!("{:?} is not open: {}", self.text, error);
            self.text
        });
        drop(texts);
        Self { texts: self.texts.clone(), text, place: self.place.elsewhere() }
    }
}

impl Drop for DeviceText {
    fn drop(&mut self) {
        let mut texts = self.texts.lock();
        self.place.leave(&mut *texts);
        // As in `truncate`.
        let _ = texts.close(self.text);
    }
}
