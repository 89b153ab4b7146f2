//! Matchers for engines that pass whole sequences at each step instead of only the new tokens.
//!
//! Such an engine passes, for each row, all its tokens so far, and rows may come in any order: beam search copies and drops rows, and
//! assisted generation shortens rows. Each row continues the known row with which it shares the most tokens: that row's matcher is moved,
//! or forked if other rows need it too.
//!
//! Say the rows `ab` and `cd` are known, and the rows `abx`, `aby` and `c` come: `abx` forks the matcher of `ab` and accepts `x`, `aby`
//! moves that matcher and accepts `y`, and `c` takes one token back from the matcher of `cd`.

use super::{MatchError, Matcher};
use crate::vocabulary::TokenId;

/// A row contains a token that is not allowed.
///
/// ```
/// use ogc_runtime::matcher::{FollowError, MatchError};
/// use ogc_runtime::vocabulary::TokenId;
/// let error = FollowError { row: 1, at: 4, token: TokenId(7), error: MatchError::Terminated };
/// assert_eq!(error.to_string(), "row 1, token 4 (7): the sequence has ended");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row}, token {at} ({}): {error}", token.0)]
pub struct FollowError {
    /// The row.
    pub row: usize,
    /// The index of the token in the row.
    pub at: usize,
    /// The token.
    pub token: TokenId,
    /// The error for the token.
    pub error: MatchError,
}

#[derive(Debug)]
struct FollowedRow {
    tokens: Vec<TokenId>,
    /// A matcher that has read the tokens up to the end of the text, or up to the first refused token.
    matcher: Matcher,
    is_refused: bool,
}

/// The state of a row.
#[derive(Debug)]
pub enum FollowedState<'a> {
    /// Its text continues.
    Open(&'a mut Matcher),
    /// Its text has ended; engines pad such rows.
    Ended(&'a mut Matcher),
    /// It has a token that is not allowed. Beam search makes such rows, with a score of minus infinity, if fewer tokens are allowed than it
    /// needs.
    Refused,
}

/// Follows rows of tokens, each with a matcher of its own.
///
/// ```
#[doc = include_str!("../example.md")]
/// let mut follower = RowFollower::new(matcher);
/// assert!(follower.follow(&[&[TokenId(0)], &[TokenId(2)]]).is_empty());
/// // The first row was dropped, and the second continues in two ways.
/// assert!(follower.follow(&[&[TokenId(2), TokenId(1)], &[TokenId(2), TokenId(4)]]).is_empty());
/// let states: Vec<FollowedState> = follower.rows().collect();
/// assert!(matches!(states[..], [FollowedState::Open(_), FollowedState::Ended(_)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowFollower {
    /// A matcher at the common beginning of all rows.
    start: Matcher,
    rows: Vec<FollowedRow>,
}

impl RowFollower {
    /// Makes a follower of rows that continue the text of a matcher.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(RowFollower::new(matcher).rows().count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(start: Matcher) -> Self {
        Self { start, rows: Vec::new() }
    }

    /// Replaces the rows; returns the first refused token of each row that has one. Tokens after the end of a row's text are not read.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let mut follower = RowFollower::new(matcher);
    /// let refused = follower.follow(&[&[TokenId(0), TokenId(0)], &[TokenId(0)]]);
    /// assert_eq!(refused.iter().map(|refused| (refused.row, refused.at)).collect::<Vec<_>>(), [(0, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow(&mut self, rows: &[&[TokenId]]) -> Vec<FollowError> {
        let sources: Vec<Source> = rows.iter().map(|row| self.source(row)).collect();
        let known = std::mem::take(&mut self.rows);
        let mut known: Vec<Option<Matcher>> = known.into_iter().map(|row| Some(row.matcher)).collect();
        let mut refused = Vec::new();
        for (row, (&tokens, source)) in rows.iter().zip(&sources).enumerate() {
            let is_last = !sources[row + 1..].iter().any(|other| other.row == source.row);
            let slot = source.row.and_then(|row| known.get_mut(row));
            let matcher = match slot {
                Some(slot) if is_last => slot.take(),
                Some(slot) => slot.as_ref().map(Matcher::fork),
                None => None,
            };
            let mut matcher = matcher.unwrap_or_else(|| self.start.fork());
            let read = self.go_on(&mut matcher, source.shared, tokens);
            let is_refused = read.is_err();
            refused.extend(read.err().map(|(at, error)| FollowError { row, at, token: tokens[at], error }));
            self.rows.push(FollowedRow { tokens: tokens.to_vec(), matcher, is_refused });
        }
        refused
    }

    /// Returns the states of the rows, in their order.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let mut follower = RowFollower::new(matcher);
    /// follower.follow(&[&[]]);
    /// assert!(follower.rows().all(|row| matches!(row, FollowedState::Open(matcher) if matcher.is_empty())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rows(&mut self) -> impl Iterator<Item = FollowedState<'_>> {
        self.rows.iter_mut().map(|row| match (row.is_refused, row.matcher.is_terminated()) {
            (true, _) => FollowedState::Refused,
            (false, true) => FollowedState::Ended(&mut row.matcher),
            (false, false) => FollowedState::Open(&mut row.matcher),
        })
    }

    /// Returns the known row with which a row shares the most tokens.
    fn source(&self, tokens: &[TokenId]) -> Source {
        let shared = |row: &FollowedRow| row.tokens.iter().zip(tokens).take_while(|(one, other)| one == other).count();
        let sources = self.rows.iter().enumerate().map(|(row, known)| Source { row: Some(row), shared: shared(known) });
        sources.max_by_key(|source| source.shared).unwrap_or(Source { row: None, shared: 0 })
    }

    /// Moves a matcher that has read at least the first `shared` tokens to the end of `tokens`. Fails with the index of a refused token.
    fn go_on(&self, matcher: &mut Matcher, shared: usize, tokens: &[TokenId]) -> Result<(), (usize, MatchError)> {
        let read = matcher.len() - self.start.len();
        if matcher.rollback(read.saturating_sub(shared)).is_err() {
            *matcher = self.start.fork();
        }
        let first = matcher.len() - self.start.len();
        for (at, &token) in tokens.iter().enumerate().skip(first) {
            if matcher.is_terminated() {
                break;
            }
            matcher.accept_token(token).map_err(|error| (at, error))?;
        }
        Ok(())
    }
}

/// The known row that a row continues.
#[derive(Clone, Copy, Debug)]
struct Source {
    row: Option<usize>,
    /// The number of tokens that both rows share at the beginning.
    shared: usize,
}
