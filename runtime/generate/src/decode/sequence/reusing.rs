//! What a text reads of its prompt, and what it has from texts that began alike.

use ogc_runtime::vocabulary::TokenId;

use super::{Reading, Sequence};
use crate::model::{BeforePage, PAGE, Prefixes};

/// Where a text is among the beginnings that are known.
#[derive(Debug)]
pub(super) struct Reuse {
    prefixes: Prefixes,
    /// What stands before the next page; nothing where that is kept no longer.
    before: Option<BeforePage>,
    /// The pages of the text that are known, or were.
    pages: usize,
}

impl Reuse {
    pub(super) fn new(prefixes: Prefixes) -> Self {
        let before = Some(BeforePage::Group(prefixes.group));
        Self { prefixes, before, pages: 0 }
    }
}

impl Sequence {
    /// Gives the pages that the text has filled to others, and takes those of its prompt that others have filled.
    pub(super) fn reuse_pages(&mut self) {
        let Some(reuse) = &mut self.reuse else { return };
        let full = self.cache.full_pages();
        for page in full.iter().skip(reuse.pages) {
            let Some(before) = reuse.before else { break };
            let first = reuse.pages * PAGE;
            let Some(tokens) = self.past.get(first..first + PAGE) else { break };
            reuse.before = reuse.prefixes.cache.keep(before, tokens, page);
            reuse.pages += 1;
        }
        while let Some(before) =
            reuse.before.filter(|_| self.unread.len() >= PAGE && self.cache.len() == reuse.pages * PAGE)
        {
            let first = reuse.pages * PAGE;
            let Some((next, page)) = reuse.prefixes.cache.find(before, &self.past[first..first + PAGE]) else { return };
            if !self.cache.adopt(page) {
                return;
            }
            self.unread.drain(..PAGE);
            self.statistics.reused += PAGE;
            (reuse.before, reuse.pages) = (Some(next), reuse.pages + 1);
        }
    }

    /// Returns the page of the prompt that is to be read next, if other texts may read the same.
    pub(in crate::decode) fn next_page(&self) -> Option<(BeforePage, &[TokenId])> {
        let reuse = self.reuse.as_ref().filter(|_| self.unread.len() >= PAGE)?;
        let first = reuse.pages * PAGE;
        Some((reuse.before?, self.past.get(first..first + PAGE)?))
    }

    /// Returns whether the next pass reads for what is written.
    pub(in crate::decode) fn reads_text(&self) -> bool {
        self.ended.is_none() && matches!(self.reading, Some(Reading::Text { .. }))
    }

    /// Has the next pass read so many tokens of the prompt.
    pub(in crate::decode) fn read_prompt(&mut self, tokens: usize) {
        self.reading = Some(Reading::Prompt(self.unread.drain(..tokens).collect()));
    }
}
