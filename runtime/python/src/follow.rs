//! Matchers for engines that pass whole rows of tokens at each step.

use ogc_runtime::matcher::{self as engine, FollowError, FollowedState, fill_masks_at};
use ogc_runtime::vocabulary::TokenId;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{exception, value};
use crate::matcher::{Matcher, thread_count};
use crate::rows::mask_rows;

/// Follows rows of tokens, each with its own matcher.
#[pyclass(module = "ogc", name = "RowFollower")]
#[derive(Debug)]
pub(crate) struct RowFollower {
    follower: engine::RowFollower,
    /// The number of tokens of the vocabulary.
    tokens: usize,
    /// The tokens that end a text.
    ends: Vec<TokenId>,
}

#[pymethods]
impl RowFollower {
    #[new]
    fn new(start: &Matcher) -> Self {
        let matcher = start.engine().fork();
        let (tokens, ends) = (matcher.store().vocabulary().len(), matcher.stop_tokens().to_vec());
        Self { follower: engine::RowFollower::new(matcher), tokens, ends }
    }

    /// Moves to other rows of tokens, each given as a whole. Tokens behind the end of a row's text are ignored.
    ///
    /// :raises NotAllowedError: a row has a token that the format does not allow.
    fn follow(&mut self, py: Python<'_>, rows: Vec<Vec<u32>>) -> PyResult<()> {
        let rows: Vec<Vec<TokenId>> = rows.into_iter().map(|row| row.into_iter().map(TokenId).collect()).collect();
        self.move_to(py, &rows).first().map_or(Ok(()), |first| Err(refusal(py, first)))
    }

    /// As `follow`, for 64-bit tokens at an address: `shape` and `stride` give the rows and their distance in tokens, and the first `skip` tokens of
    /// each row are the prompt. Returns the rows with a token that is not allowed, each with the reason.
    fn _follow_at(
        &mut self,
        py: Python<'_>,
        address: usize,
        shape: (usize, usize),
        stride: usize,
        skip: usize,
    ) -> PyResult<Vec<(usize, String)>> {
        let (rows, len) = shape;
        let numbers = rows.checked_sub(1).map_or(Some(0), |others| others.checked_mul(stride)?.checked_add(len));
        let bytes = numbers.and_then(|numbers| numbers.checked_mul(8)).filter(|&bytes| isize::try_from(bytes).is_ok());
        if bytes.is_none() || address == 0 || !address.is_multiple_of(8) {
            return Err(PyValueError::new_err("the rows are not in memory"));
        }
        let first = address as *const i64;
        let read = |row: usize| {
            // SAFETY: the caller passes the address, shape and stride of a tensor that it holds.
            let row = unsafe { std::slice::from_raw_parts(first.add(row * stride), len) };
            row.get(skip..).unwrap_or_default().iter().map(|&token| token_of(token)).collect()
        };
        let rows = (0..rows).map(read).collect::<PyResult<Vec<Vec<TokenId>>>>()?;
        Ok(self.move_to(py, &rows).iter().map(|refused| (refused.row, refused.to_string())).collect())
    }

    /// Writes the mask of each row to a buffer. Rows that have ended allow every token; rows with a token that is not allowed allow only the end
    /// tokens. Returns for each row whether its text goes on.
    #[pyo3(signature = (buffer, *, threads = 1))]
    fn fill_masks(&mut self, py: Python<'_>, buffer: &Bound<'_, PyAny>, threads: usize) -> PyResult<Vec<bool>> {
        let threads = thread_count(threads)?;
        let rows = mask_rows(buffer)?;
        let rows = rows.get();
        rows.check_width(self.tokens)?;
        // SAFETY: by the rules of the package, nobody else uses the buffer during the call.
        let mut view = unsafe { rows.view() }?;
        let (mut indices, mut open, mut ended, mut refused, mut states) = (vec![], vec![], vec![], vec![], vec![]);
        for (row, state) in self.follower.rows().enumerate() {
            states.push(matches!(state, FollowedState::Open(_)));
            match state {
                FollowedState::Open(matcher) => {
                    indices.push(row);
                    open.push(matcher);
                }
                FollowedState::Ended(_) => ended.push(row),
                FollowedState::Refused => refused.push(row),
            }
        }
        let filled = py.detach(|| fill_masks_at(&mut open, &indices, &mut view, threads));
        if let Some(row) = filled.map_err(|error| value(&error))?.first() {
            return Err(exception(py, "LimitError", (row.to_string(),)));
        }
        ended.into_iter().try_for_each(|row| rows.allow_all(row))?;
        refused.into_iter().try_for_each(|row| rows.allow_only(row, &self.ends))?;
        Ok(states)
    }
}

/// Reads a token of a tensor.
fn token_of(token: i64) -> PyResult<TokenId> {
    u32::try_from(token).map(TokenId).map_err(|_| value(&format!("{token} is no token")))
}

fn refusal(py: Python<'_>, refused: &FollowError) -> PyErr {
    crate::error::refused(
        py,
        &refused.error,
        &format!("row {}, token {} ({})", refused.row, refused.at, refused.token.0),
    )
}

impl RowFollower {
    fn move_to(&mut self, py: Python<'_>, rows: &[Vec<TokenId>]) -> Vec<FollowError> {
        let rows: Vec<&[TokenId]> = rows.iter().map(Vec::as_slice).collect();
        py.detach(|| self.follower.follow(&rows))
    }
}
