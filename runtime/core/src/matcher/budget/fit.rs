//! Checks in three ways, one after another, whether a completion fits into the tokens that are left.
//!
//! 1. The completion with the fewest bytes has at most as many bytes as there are tokens left.
//! 2. Cut by longest match, frame by frame or as a whole, that completion has at most as many tokens as are left.
//! 3. A search ([`Search`]) finds another completion, which may have more bytes but has fewer tokens.

use super::asked::Asked;
use super::search::{Search, is_hopeful};
use crate::completion::{Below, Costs, MAX_TEXT, NEVER};
use crate::mask::Walker;
use crate::step::{Head, Stack};
use crate::vocabulary::TokenId;

/// The inputs of a check whether a completion fits, except the heads and their stack.
#[derive(Clone, Copy)]
pub(super) struct Fit<'a> {
    pub(super) asked: Asked<'a>,
    /// The number of tokens left for the completion.
    pub(super) left: usize,
}

impl Fit<'_> {
    /// Returns whether a completion from one of these heads fits.
    pub(super) fn fits(&self, walker: &mut Walker, costs: &mut Costs<'_>, stack: &Stack, heads: &[Head]) -> bool {
        // Check each head separately, so that one head does not hide the completion of another.
        heads.iter().any(|head| self.fits_one(walker, costs, stack, std::slice::from_ref(head)))
    }

    fn fits_one(&self, walker: &mut Walker, costs: &mut Costs<'_>, stack: &Stack, head: &[Head]) -> bool {
        let bytes = costs.cheapest(stack, head, &mut Below::bytes()).map(|found| found.cost as usize);
        if self.asked.completions.all_bytes && bytes.is_some_and(|bytes| bytes <= self.left) {
            return true;
        }
        let by_frame = costs.tokens_of(stack, head, self.asked.cutter());
        if by_frame as usize <= self.left {
            return true;
        }
        is_hopeful(by_frame, self.left)
            && (self.whole(costs, stack, head).is_some_and(|tokens| tokens.len() <= self.left)
                || self.search(walker, costs, stack, head).is_some())
    }

    /// Returns the tokens of a completion that fits, or `None` if the completion that was found has at least `have` tokens. If none was
    /// found, the error is the number of tokens of the shortest known completion, if there is one.
    pub(super) fn plan(
        &self,
        walker: &mut Walker,
        costs: &mut Costs<'_>,
        (stack, heads): (&Stack, &[Head]),
        have: usize,
    ) -> Result<Option<Vec<TokenId>>, Option<u32>> {
        let mut least = NEVER;
        for head in heads.iter().map(std::slice::from_ref) {
            let by_frame = costs.tokens_of(stack, head, self.asked.cutter());
            // Where items must be chosen, the number of tokens can be known without the completion.
            if by_frame as usize <= self.left && by_frame as usize >= have && !stack.keeps_text() {
                return Ok(None);
            }
            if by_frame as usize <= self.left
                && let Some(tokens) = costs.completion(stack, head, self.asked.cutter())
            {
                return Ok(Some(tokens));
            }
            let hopeful = by_frame == NEVER || is_hopeful(by_frame, self.left);
            let whole = hopeful.then(|| self.whole(costs, stack, head)).flatten();
            least = whole.iter().fold(least.min(by_frame), |least, tokens| least.min(tokens.len() as u32));
            if let Some(tokens) = whole.filter(|tokens| tokens.len() <= self.left) {
                return Ok(Some(tokens));
            }
        }
        let found = heads.iter().find_map(|head| self.search(walker, costs, stack, std::slice::from_ref(head)));
        found.map(Some).ok_or((least != NEVER).then_some(least))
    }

    /// Cuts the completion with the fewest bytes as a whole into tokens; `None` also if it has too many bytes to fit.
    fn whole(&self, costs: &mut Costs<'_>, stack: &Stack, heads: &[Head]) -> Option<Vec<TokenId>> {
        let mut below = Below::bytes();
        let found = costs.cheapest(stack, heads, &mut below)?;
        // No token is longer than the trie is deep.
        let most = self.left.saturating_mul(self.asked.store.trie().max_depth());
        let text = (found.cost <= MAX_TEXT && found.cost as usize <= most).then(|| costs.text(found, &below))??;
        self.asked.cutter().tokens(&text)
    }

    fn search(&self, walker: &mut Walker, costs: &mut Costs<'_>, stack: &Stack, head: &[Head]) -> Option<Vec<TokenId>> {
        // A completion of fewer tokens may add an item that has come before.
        if self.asked.automaton.has_distinct_items() {
            return None;
        }
        Search::new(self.asked).run(walker, costs, (stack, head), self.left)
    }
}
