//! Reuse of prompts: a text gives the pages that it has filled to others, and takes pages from texts that begin alike.

use ogc_runtime::vocabulary::TokenId;

use super::{Reading, Sequence};
use crate::model::{BeforePage, Cache, PAGE, Prefixes};

/// The position of a text in the prefix cache.
#[derive(Debug)]
pub(super) struct Reuse {
    prefixes: Prefixes,
    /// The page before the next one, or the beginning of the text; `None` if that page is no longer kept.
    before: Option<BeforePage>,
    /// The number of pages of the text that are known, or were.
    pages: usize,
}

impl Reuse {
    pub(super) fn new(prefixes: Prefixes) -> Self {
        let before = Some(BeforePage::Group(prefixes.group));
        Self { prefixes, before, pages: 0 }
    }

    /// Makes the position for a draft model, whose pages are kept apart from those of the main model.
    pub(super) fn of_draft(prefixes: Prefixes) -> Self {
        let before = Some(BeforePage::DraftGroup(prefixes.group));
        Self { prefixes, before, pages: 0 }
    }

    /// Shares the full pages of a KV cache with other texts, and adopts pages of the prompt that other texts have filled, never the page
    /// with the prompt's last token. Returns the number of tokens adopted. The cache must hold no unverified draft.
    pub(super) fn exchange(&mut self, cache: &mut Cache, past: &[TokenId], prompt: usize) -> usize {
        for page in cache.full_pages().iter().skip(self.pages) {
            let Some(before) = self.before else { break };
            let first = self.pages * PAGE;
            let Some(tokens) = past.get(first..first + PAGE) else { break };
            self.before = self.prefixes.cache.keep(before, tokens, page);
            self.pages += 1;
        }
        let mut taken = 0;
        while cache.len() == self.pages * PAGE && cache.len() + PAGE < prompt {
            let Some(before) = self.before else { break };
            let Some(tokens) = past.get(cache.len()..cache.len() + PAGE) else { break };
            let Some((next, page)) = self.prefixes.cache.find(before, tokens) else { break };
            if !cache.adopt(page) {
                break;
            }
            (self.before, self.pages) = (Some(next), self.pages + 1);
            taken += PAGE;
        }
        taken
    }
}

impl Sequence {
    /// Shares the pages that the text has filled with other texts, and adopts pages of its prompt that other texts have filled.
    pub(super) fn reuse_pages(&mut self) {
        let Some(reuse) = &mut self.reuse else { return };
        let taken = reuse.exchange(&mut self.cache, &self.past, self.prompt);
        self.unread.drain(..taken.min(self.unread.len()));
        self.statistics.reused += taken;
    }

    /// Returns the page of the prompt that is to be read next, with the page before it, if other texts may read the
    /// same page.
    pub(in crate::decode) fn next_page(&self) -> Option<(BeforePage, &[TokenId])> {
        let reuse = self.reuse.as_ref().filter(|_| self.unread.len() >= PAGE)?;
        let first = reuse.pages * PAGE;
        Some((reuse.before?, self.past.get(first..first + PAGE)?))
    }

    /// Returns whether the next pass reads tokens that were written.
    pub(in crate::decode) fn reads_text(&self) -> bool {
        self.ended.is_none() && matches!(self.reading, Some(Reading::Text { .. }))
    }

    /// Makes the next pass read `tokens` tokens of the prompt.
    pub(in crate::decode) fn read_prompt(&mut self, tokens: usize) {
        self.reading = Some(Reading::Prompt(self.unread.drain(..tokens).collect()));
    }
}
