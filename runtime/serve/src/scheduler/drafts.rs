//! Drafts of texts, which a draft model writes before the model's pass.

use ogc_generate::{Sequence, read_drafts};

use super::Scheduler;
use crate::api::ApiError;

impl Scheduler {
    /// Runs the draft model until the drafts of all texts that are here are complete; each pass writes one token of each draft. It reads only a part
    /// of a new prompt, so that no text waits for a long one.
    pub(super) fn draft(&mut self) {
        let mut reads_prompt = true;
        while self.draft_pass(reads_prompt) {
            reads_prompt = false;
            self.prepare();
        }
    }

    /// Makes a pass of the draft model, which may read a part of one prompt; returns whether any text asked for a pass.
    fn draft_pass(&mut self, mut reads_prompt: bool) -> bool {
        let mut takes_part = |sequence: &Sequence| {
            let takes_part = sequence.reads_draft() && (!sequence.reads_prompt_for_draft() || reads_prompt);
            reads_prompt &= !(takes_part && sequence.reads_prompt_for_draft());
            takes_part
        };
        let texts = self.here.iter_mut().map(|text| &mut text.job.sequence);
        let mut sequences: Vec<&mut Sequence> = texts.filter(|sequence| takes_part(sequence)).collect();
        if sequences.is_empty() {
            return false;
        }
        if let Err(error) = read_drafts(&self.loaded, &mut sequences) {
            for mut text in self.here.extract_if(.., |text| text.job.sequence.reads_draft()) {
                text.fail(ApiError::of_model(&error), &self.metrics);
            }
            return false;
        }
        self.metrics.draft_passes.add(1);
        true
    }
}
