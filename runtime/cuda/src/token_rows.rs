//! Tokens of several sequences in the layout that kernels read: one row for each sequence, all rows of the same length.

use ogc_runtime::vocabulary::TokenId;
use zerocopy::IntoBytes;

/// Fills a row after its last token.
const NO_TOKEN: i32 = -1;

/// Tokens cannot be laid out as rows.
///
/// ```
/// use ogc_cuda::TokenRowsError;
/// let error = TokenRowsError::TooLong { row: 1, given: 9, limit: 8 };
/// assert_eq!(error.to_string(), "row 1 has 9 tokens, the limit is 8: leave the last ones for the next launch");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRowsError {
    /// A row has more tokens than it has room for.
    #[error("row {row} has {given} tokens, the limit is {limit}: leave the last ones for the next launch")]
    TooLong {
        /// Index of the row.
        row: usize,
        /// Number of tokens of the row.
        given: usize,
        /// Room of a row, in tokens.
        limit: u32,
    },
    /// A token's number does not fit in a signed number of 32 bits.
    #[error("row {row} has the token {given}, the limit is {limit}: no vocabulary has so many tokens")]
    Token {
        /// Index of the row.
        row: usize,
        /// The token.
        given: u32,
        /// The greatest possible token.
        limit: u32,
    },
}

/// Tokens of several sequences in their device layout, one row for each sequence.
///
/// ```
/// use ogc_cuda::TokenRows;
/// use ogc_runtime::vocabulary::TokenId;
/// let rows = TokenRows::new(2, &[&[TokenId(7)], &[]])?;
/// let words: Vec<i32> = rows.bytes().chunks_exact(4).map(|word| word[0] as i8 as i32).collect();
/// assert_eq!(words, [7, -1, -1, -1]);
/// # Ok::<(), ogc_cuda::TokenRowsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRows {
    words: Vec<i32>,
}

impl TokenRows {
    /// Makes rows with room for `most` tokens each.
    ///
    /// # Errors
    /// A row has more than `most` tokens, or a token whose number is too great.
    ///
    /// ```
    /// use ogc_cuda::TokenRows;
    /// use ogc_runtime::vocabulary::TokenId;
    /// assert!(TokenRows::new(1, &[&[TokenId(0), TokenId(1)]]).is_err());
    /// ```
    pub fn new(most: u32, rows: &[&[TokenId]]) -> Result<Self, TokenRowsError> {
        let mut words = Vec::with_capacity(rows.len().saturating_mul(most as usize));
        for (row, tokens) in rows.iter().enumerate() {
            let missing = (most as usize).checked_sub(tokens.len());
            let missing = missing.ok_or(TokenRowsError::TooLong { row, given: tokens.len(), limit: most })?;
            for token in *tokens {
                let word = i32::try_from(token.0);
                words.push(word.map_err(|_| TokenRowsError::Token { row, given: token.0, limit: i32::MAX as u32 })?);
            }
            words.extend(std::iter::repeat_n(NO_TOKEN, missing));
        }
        Ok(Self { words })
    }

    /// Returns the bytes of the rows.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::TokenRows::new(3, &[&[]])?.bytes(), [0xff; 12]);
    /// # Ok::<(), ogc_cuda::TokenRowsError>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.words.as_bytes()
    }
}
