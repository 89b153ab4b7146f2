//! Token budgets: a matcher's bound on the tokens that may still be written.

use super::{MatchError, Matcher, budget, distinct};

impl Matcher {
    /// Returns the least budget that [`Matcher::set_budget`] accepts here, in tokens: 0 if the text may end, `None` if no completion is
    /// known.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(matcher.least_budget(), Some(1));
    /// matcher.accept_token(TokenId(0))?;
    /// assert_eq!(matcher.least_budget(), Some(1));
    /// matcher.accept_token(TokenId(1))?;
    /// assert_eq!(matcher.least_budget(), Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn least_budget(&mut self) -> Option<u32> {
        if self.is_complete() { Some(0) } else { self.shortest().map(|shortest| shortest.budget as u32) }
    }

    /// Returns the shortest known completion.
    pub(super) fn shortest(&mut self) -> Option<budget::Shortest> {
        if self.stack.keeps_text() { distinct::shortest(self) } else { budget::shortest(self) }
    }

    /// Bounds the number of tokens that may still be written, not counting the end of sequence; `None` lifts the bound.
    ///
    /// From then on, masks and [`Matcher::accept_token`] withhold a token if no completion within the bound was found after it: the text is
    /// never cut off. Text accepted as bytes counts as one token. Rolling back gives tokens back.
    ///
    /// While the budget is *far* (a completion fits whichever token comes next), masks equal those without a budget, and cost the same. Near
    /// its end, a token is withheld exactly if no completion fits, as long as the search visits at most 24 places, and each of them has a
    /// known completion of at most about twice the tokens that are left. Otherwise a token may be withheld a little early; so it may with
    /// more than 12 tokens left, in rules that count tokens, and in formats with arrays without duplicate items, where
    /// [`Matcher::accept_token`] may then take a token that the mask withholds.
    ///
    /// The first budget of a format computes the costs of completions: some milliseconds for a large schema, kept for all matchers of the
    /// format that share the store.
    ///
    /// # Errors
    ///
    /// [`MatchError::Budget`] if no fitting completion was found from here; nothing has changed.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
    /// use ogc_runtime::mask::MaskStore;
    /// use ogc_runtime::matcher::{MatchError, Matcher};
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// // The format `a+b`.
    /// let mut builder = AutomatonBuilder::new();
    /// let rule = builder.rule("a+b", 0);
    /// let states: Vec<_> = (0..3).map(|_| builder.state(rule, StateKind::Bytes)).collect();
    /// builder.start(rule, states[0]);
    /// builder.edge(states[0], b'a', b'a', OpId::NONE, states[1]);
    /// builder.edge(states[1], b'a', b'a', OpId::NONE, states[1]);
    /// builder.edge(states[1], b'b', b'b', OpId::NONE, states[2]);
    /// builder.accept(states[2]);
    /// let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any)?);
    /// let vocabulary = Arc::new(Vocabulary::from_tokens(&[Some("a"), Some("b")], &[])?);
    /// let mut matcher = Matcher::new(format, MaskStore::new(vocabulary));
    /// assert_eq!(matcher.set_budget(Some(1)), Err(MatchError::Budget { given: 1, limit: 2 }));
    /// matcher.set_budget(Some(3))?;
    /// matcher.accept_token(TokenId(0))?;
    /// assert_eq!(matcher.mask()?.tokens(), [TokenId(0), TokenId(1)]);
    /// matcher.accept_token(TokenId(0))?;
    /// assert_eq!(matcher.mask()?.tokens(), [TokenId(1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_budget(&mut self, max_tokens: Option<u32>) -> Result<(), MatchError> {
        if self.stack.keeps_text() { distinct::set_budget(self, max_tokens) } else { budget::set(self, max_tokens) }
    }

    /// Returns whether the budget changes no mask here: there is none, or it is so far that a completion fits whichever token comes next. A
    /// near budget may leave the mask unchanged as well. If some byte has no token of its own, no budget counts as far.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(matcher.is_budget_far());
    /// matcher.set_budget(Some(2))?;
    /// assert!(!matcher.is_budget_far());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_budget_far(&mut self) -> bool {
        distinct::is_budget_far(self)
    }
}
