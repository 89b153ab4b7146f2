//! Adds a draft model to a model, and checks that the two fit together.

use ogc_runtime::vocabulary::{TokenId, Vocabulary, shown};

use crate::error::GenerateError;
use crate::loaded::LoadedModel;
use crate::model::Model;

impl LoadedModel {
    /// Adds a smaller model that writes drafts, for texts that ask for them ([`Speculation::Draft`](crate::Speculation::Draft)). It must
    /// have the same tokens; the number of its logits beyond them does not matter.
    ///
    /// # Errors
    /// A token differs, one of the models is on a device, where no drafts are judged, or one is in an engine that
    /// cannot roll positions back.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let load = || LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()));
    /// assert!(load()?.with_draft(load()?)?.draft().is_some());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn with_draft(mut self, draft: Self) -> Result<Self, GenerateError> {
        if self.model.is_on_device() || draft.model.is_on_device() {
            return Err(on_device());
        }
        for (what, model) in [("model", &self.model), ("draft model", &draft.model)] {
            if !model.takes_back() {
                let message = format!(
                    "the engine of the {what} cannot take tokens back, as drafts need: choose a {what} that is not recurrent"
                );
                return Err(GenerateError::Draft(message));
            }
        }
        check_tokens(&self.vocabulary, &draft.vocabulary)?;
        self.draft = Some(Box::new(draft.model));
        Ok(self)
    }

    /// Returns the model that writes drafts, if there is one.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert!(loaded.draft().is_none());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn draft(&self) -> Option<&Model> {
        self.draft.as_deref()
    }

    /// Returns an error if the model has a draft model: such a model cannot be put on a device.
    #[cfg(feature = "cuda")]
    pub(crate) fn refuse_draft(&self) -> Result<(), GenerateError> {
        if self.draft.is_some() { Err(on_device()) } else { Ok(()) }
    }
}

fn on_device() -> GenerateError {
    let message =
        "drafts by a model are not supported on a device: run both models on the processor, or ask for no drafts";
    GenerateError::Draft(message.to_owned())
}

/// Rejects a draft model with other tokens; the error names the first token that differs.
fn check_tokens(own: &Vocabulary, draft: &Vocabulary) -> Result<(), GenerateError> {
    let ids = (0..own.len().max(draft.len()) as u32).map(TokenId);
    let same = |id: &TokenId| {
        own.kind(*id) == draft.kind(*id) && own.text(*id) == draft.text(*id) && own.name_of(*id) == draft.name_of(*id)
    };
    let Some(id) = ids.into_iter().find(|id| !same(id)) else { return Ok(()) };
    Err(GenerateError::Draft(format!(
        "token {} is {} in the draft model and {} in the model: choose a draft model with the same tokens",
        id.0,
        name(draft, id),
        name(own, id)
    )))
}

/// Describes a token for an error.
fn name(vocabulary: &Vocabulary, id: TokenId) -> String {
    match (vocabulary.text(id), vocabulary.name_of(id)) {
        (Some(text), _) => format!("`{}`", shown(text).escape_debug()),
        (None, Some(name)) => format!("the special token `{}`", name.escape_debug()),
        (None, None) => "no text".to_owned(),
    }
}
