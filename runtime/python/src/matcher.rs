//! Matchers, and functions over many of them.

use std::num::NonZeroUsize;

use ogc_runtime::canonical::TokenPolicy;
use ogc_runtime::matcher::{self as engine, DraftNode, MatchError, fill_masks_at};
use ogc_runtime::vocabulary::TokenId;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::error::{exception, refused, value};
use crate::events::EventReader;
use crate::format::Format;
use crate::rows::mask_rows;
use crate::vocabulary::Vocabulary;

/// Steps one text through a format.
///
/// A matcher pickles with its format, its vocabulary and its whole state: position, budget, stop tokens and rollback window. Copies are forks.
#[pyclass(module = "ogc", name = "Matcher")]
#[derive(Debug)]
pub(crate) struct Matcher {
    matcher: engine::Matcher,
    /// The format of the text.
    #[pyo3(get)]
    format: Py<Format>,
    /// The vocabulary of the tokens.
    #[pyo3(get)]
    vocabulary: Py<Vocabulary>,
}

fn tokens(ids: Vec<u32>) -> Vec<TokenId> {
    ids.into_iter().map(TokenId).collect()
}

/// Reads the name of a policy.
pub(crate) fn policy(name: &str) -> PyResult<TokenPolicy> {
    name.parse().map_err(|error| value(&error))
}

impl Matcher {
    pub(crate) fn new(
        py: Python<'_>,
        format: Py<Format>,
        vocabulary: Py<Vocabulary>,
        max_tokens: Option<u32>,
        stop_tokens: Option<Vec<u32>>,
        rollback_window: Option<usize>,
        policy: TokenPolicy,
    ) -> PyResult<Self> {
        let mut matcher = format.get().engine(vocabulary.get())?;
        if policy == TokenPolicy::Canonical {
            let canonical = vocabulary.get().canonical_tokens()?;
            matcher.set_canonical_tokens(Some(canonical)).map_err(|error| refused(py, &error, ""))?;
        }
        if let Some(stops) = stop_tokens {
            matcher.set_stop_tokens(Some(&tokens(stops)));
        }
        matcher.set_rollback_window(rollback_window);
        let bound = py.detach(|| max_tokens.map_or(Ok(()), |_| matcher.set_budget(max_tokens)));
        bound.map_err(|error| refused(py, &error, ""))?;
        Ok(Self { matcher, format, vocabulary })
    }

    pub(crate) fn engine(&self) -> &engine::Matcher {
        &self.matcher
    }

    /// Makes a matcher of the same format and vocabulary with another state.
    pub(crate) fn at(&self, py: Python<'_>, matcher: engine::Matcher) -> Self {
        Self { matcher, format: self.format.clone_ref(py), vocabulary: self.vocabulary.clone_ref(py) }
    }

    fn policy(&self) -> TokenPolicy {
        if self.matcher.canonical_tokens().is_some() { TokenPolicy::Canonical } else { TokenPolicy::Any }
    }

    /// Explains in a sentence why a token is rejected.
    fn why(&mut self, token: u32, error: MatchError) -> String {
        match error {
            MatchError::NotAllowed { .. } | MatchError::TokenNotAllowed { .. } => {
                format!("token {token} is {}", self.matcher.explain(TokenId(token)))
            }
            _ => String::new(),
        }
    }
}

#[pymethods]
impl Matcher {
    /// Accepts a token.
    ///
    /// :raises NotAllowedError: the format does not allow the token here; the message says why. Nothing has changed.
    fn accept(&mut self, py: Python<'_>, token: u32) -> PyResult<()> {
        let accepted = py.detach(|| self.matcher.accept_token(TokenId(token)));
        accepted.map_err(|error| {
            let why = self.why(token, error);
            refused(py, &error, &why)
        })
    }

    /// Accepts a token if it is allowed; returns whether it was.
    fn try_accept(&mut self, py: Python<'_>, token: u32) -> PyResult<bool> {
        match py.detach(|| self.matcher.accept_token(TokenId(token))) {
            Ok(()) => Ok(true),
            Err(error @ (MatchError::Limit { .. } | MatchError::Rows { .. } | MatchError::Rollback { .. })) => {
                Err(refused(py, &error, ""))
            }
            Err(_) => Ok(false),
        }
    }

    /// Accepts a text, all of it or nothing; it counts as one token.
    fn accept_text(&mut self, py: Python<'_>, text: TextOrBytes) -> PyResult<()> {
        let bytes = text.into_bytes();
        py.detach(|| self.matcher.accept_bytes(&bytes)).map_err(|error| refused(py, &error, ""))
    }

    /// The number of tokens of a draft that could be accepted in a row. The matcher does not move.
    fn validate(&mut self, py: Python<'_>, draft: Vec<u32>) -> usize {
        py.detach(|| self.matcher.validate_tokens(&tokens(draft)))
    }

    /// Whether a token may come next.
    fn allows(&mut self, py: Python<'_>, token: u32) -> PyResult<bool> {
        py.detach(|| self.matcher.allows(TokenId(token))).map_err(|error| refused(py, &error, ""))
    }

    /// The tokens that may come next, ascending.
    fn allowed_tokens(&mut self, py: Python<'_>) -> PyResult<Vec<u32>> {
        let mask = py.detach(|| self.matcher.mask().map(|mask| mask.tokens()));
        let mask = mask.map_err(|error| refused(py, &error, ""))?;
        Ok(mask.into_iter().map(|token| token.0).collect())
    }

    /// Takes back the last tokens.
    #[pyo3(signature = (tokens = 1))]
    fn rollback(&mut self, py: Python<'_>, tokens: usize) -> PyResult<()> {
        self.matcher.rollback(tokens).map_err(|error| refused(py, &error, ""))
    }

    /// Returns to the beginning of the text.
    fn reset(&mut self) {
        self.matcher.reset();
    }

    /// A second matcher at the same position, independent from now on.
    fn fork(&self, py: Python<'_>) -> Self {
        self.at(py, self.matcher.fork())
    }

    /// Writes the mask as bits to a row of a buffer: token ``t`` is allowed if bit ``t % 32`` of word ``t // 32`` is set.
    ///
    /// The buffer is a :class:`MaskRows`, or any object that :func:`mask_rows` reads. Every word of the row is overwritten.
    #[pyo3(signature = (buffer, row = 0))]
    fn fill_mask(&mut self, py: Python<'_>, buffer: &Bound<'_, PyAny>, row: usize) -> PyResult<()> {
        let rows = mask_rows(buffer)?;
        let rows = rows.get();
        rows.check_width(self.matcher.store().vocabulary().len())?;
        // SAFETY: by the rules of the package, nobody else uses the row during the call.
        let words = unsafe { rows.row(row) }?;
        py.detach(|| self.matcher.fill_mask(words)).map_err(|error| refused(py, &error, ""))
    }

    /// Writes the masks along a draft: row 0 is the mask now, row ``i + 1`` the mask behind token ``i``. Returns for
    /// each token whether it is allowed.
    ///
    /// With ``parents`` the draft is a tree: for each token the index of the one before it, which is less than its own, or -1 for none. Rows behind a
    /// token that is not allowed allow nothing. The matcher does not move.
    #[pyo3(signature = (draft, buffer, parents = None))]
    fn fill_draft(
        &mut self,
        py: Python<'_>,
        draft: Vec<u32>,
        buffer: &Bound<'_, PyAny>,
        parents: Option<Vec<i64>>,
    ) -> PyResult<Vec<bool>> {
        let rows = mask_rows(buffer)?;
        let rows = rows.get();
        rows.check_width(self.matcher.store().vocabulary().len())?;
        if parents.as_ref().is_some_and(|parents| parents.len() != draft.len()) {
            return Err(PyValueError::new_err("there are not as many parents as tokens"));
        }
        let parent = |at: usize| match &parents {
            Some(parents) => usize::try_from(parents[at]).ok(),
            None => at.checked_sub(1),
        };
        let node = |(at, token)| DraftNode { token: TokenId(token), parent: parent(at) };
        let nodes: Vec<DraftNode> = draft.into_iter().enumerate().map(node).collect();
        // SAFETY: by the rules of the package, nobody else uses the buffer during the call.
        let mut view = unsafe { rows.view() }?;
        let allowed = py.detach(|| self.matcher.fill_draft_tree(&nodes, &mut view));
        allowed.map_err(|error| refused(py, &error, ""))
    }

    /// Limits the tokens that may still be written, not counting end tokens; ``None`` lifts the limit.
    ///
    /// :raises BudgetError: no completion within the limit is known; nothing has changed.
    #[pyo3(signature = (max_tokens))]
    fn set_budget(&mut self, py: Python<'_>, max_tokens: Option<u32>) -> PyResult<()> {
        py.detach(|| self.matcher.set_budget(max_tokens)).map_err(|error| refused(py, &error, ""))
    }

    /// The least limit that :meth:`set_budget` accepts here: 0 if the text may end, ``None`` if no completion is known.
    fn least_budget(&mut self, py: Python<'_>) -> Option<u32> {
        py.detach(|| self.matcher.least_budget())
    }

    /// Computes the masks of the first steps, for all matchers of the format and the vocabulary.
    fn warm_up(&mut self, py: Python<'_>) {
        py.detach(|| self.matcher.warm_up());
    }

    /// The bytes that are forced next.
    fn forced_bytes<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.matcher.forced_bytes());
        PyBytes::new(py, &bytes)
    }

    /// The tokens that are forced next, as far as they are certain: the model needs no pass for each of them.
    ///
    /// ``encode`` is the tokenizer: a function from text to tokens, without special tokens. By default it is the vocabulary's own.
    #[pyo3(signature = (encode = None))]
    fn forced_tokens(&mut self, py: Python<'_>, encode: Option<Bound<'_, PyAny>>) -> PyResult<Vec<u32>> {
        let vocabulary = self.vocabulary.bind(py).clone();
        let vocabulary = vocabulary.get();
        let mut failed = None;
        let mut ask = |bytes: &[u8]| {
            let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
            let made = match &encode {
                Some(encode) => encode.call1((text,)).and_then(|made| made.extract::<Vec<u32>>()),
                None => vocabulary.tokens_behind(text),
            };
            made.unwrap_or_else(|error| {
                failed.get_or_insert(error);
                Vec::new()
            })
        };
        let forced = self.matcher.forced_tokens(|bytes| tokens(ask(bytes)));
        match failed {
            Some(error) => Err(error),
            None => Ok(forced.into_iter().map(|token| token.0).collect()),
        }
    }

    /// Why a token may come next or not, in a sentence.
    fn explain(&mut self, token: u32) -> String {
        format!("token {token} is {}", self.matcher.explain(TokenId(token)))
    }

    /// Whether the text may end here.
    #[getter]
    fn is_complete(&self) -> bool {
        self.matcher.is_complete()
    }

    /// Whether an end token was accepted.
    #[getter]
    fn is_ended(&self) -> bool {
        self.matcher.is_terminated()
    }

    /// The tokens that end the text.
    #[getter]
    fn stop_tokens(&self) -> Vec<u32> {
        self.matcher.stop_tokens().iter().map(|token| token.0).collect()
    }

    /// The tokens that are allowed where the next bytes are determined: ``"canonical"`` or ``"any"``.
    #[getter]
    fn tokens(&self) -> String {
        self.policy().to_string()
    }

    /// The state of the matcher as bytes, for :meth:`restore` in this or another process.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.matcher.save())
    }

    /// Restores a state that was saved with a matcher of the same format and vocabulary.
    fn restore(&mut self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        py.detach(|| self.matcher.restore(saved)).map_err(|error| value(&error))
    }

    /// A reader of events for the text that this matcher accepts.
    fn events(&self, py: Python<'_>) -> EventReader {
        EventReader::new(self.format.get(), Some(self.vocabulary.clone_ref(py)))
    }

    fn __len__(&self) -> usize {
        self.matcher.len()
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.fork(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.fork(py)
    }

    #[staticmethod]
    fn _restored(
        py: Python<'_>,
        format: Py<Format>,
        vocabulary: Py<Vocabulary>,
        saved: &[u8],
        tokens: &str,
    ) -> PyResult<Self> {
        let mut matcher = Self::new(py, format, vocabulary, None, None, None, policy(tokens)?)?;
        matcher.restore(py, saved)?;
        Ok(matcher)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let arguments = (&self.format, &self.vocabulary, self.save(py), self.tokens()).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("_restored")?, arguments))
    }

    fn __repr__(&self) -> String {
        let state = match (self.matcher.is_terminated(), self.matcher.is_complete()) {
            (true, _) => "ended",
            (false, true) => "may end",
            (false, false) => "goes on",
        };
        format!("<Matcher after {} tokens, {state}>", self.matcher.len())
    }
}

/// A text, or its bytes.
#[derive(FromPyObject)]
enum TextOrBytes {
    Text(String),
    Bytes(Vec<u8>),
}

impl TextOrBytes {
    fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.into_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// Borrows matchers; rejects a matcher that is in the list twice, or that another thread uses.
fn borrowed<'py>(matchers: &[Bound<'py, Matcher>]) -> PyResult<Vec<PyRefMut<'py, Matcher>>> {
    let borrow = |(at, matcher): (usize, &Bound<'py, Matcher>)| {
        let used = || PyRuntimeError::new_err(format!("matcher {at} is used elsewhere, or is in the list twice"));
        matcher.try_borrow_mut().map_err(|_| used())
    };
    matchers.iter().enumerate().map(borrow).collect()
}

/// Reads a number of threads.
pub(crate) fn thread_count(threads: usize) -> PyResult<NonZeroUsize> {
    NonZeroUsize::new(threads).ok_or_else(|| value(&"threads is 0; masks take at least 1"))
}

/// Accepts a token for each matcher; returns for each whether it was accepted.
#[pyfunction]
pub(crate) fn accept_tokens(
    py: Python<'_>,
    matchers: Vec<Bound<'_, Matcher>>,
    tokens: Vec<u32>,
) -> PyResult<Vec<bool>> {
    if matchers.len() != tokens.len() {
        return Err(value(&format!("{} tokens for {} matchers", tokens.len(), matchers.len())));
    }
    let mut held = borrowed(&matchers)?;
    let mut engines: Vec<&mut engine::Matcher> = held.iter_mut().map(|matcher| &mut matcher.matcher).collect();
    let accept = |(matcher, token): (&mut &mut engine::Matcher, u32)| matcher.accept_token(TokenId(token)).is_ok();
    Ok(py.detach(|| engines.iter_mut().zip(tokens).map(accept).collect()))
}

/// Writes the masks of matchers to rows.
#[pyfunction]
#[pyo3(signature = (matchers, buffer, indices = None, *, threads = 1))]
pub(crate) fn fill_masks(
    py: Python<'_>,
    matchers: Vec<Bound<'_, Matcher>>,
    buffer: &Bound<'_, PyAny>,
    indices: Option<Vec<usize>>,
    threads: usize,
) -> PyResult<()> {
    let threads = thread_count(threads)?;
    let rows = mask_rows(buffer)?;
    let rows = rows.get();
    let mut held = borrowed(&matchers)?;
    let mut engines: Vec<&mut engine::Matcher> = held.iter_mut().map(|matcher| &mut matcher.matcher).collect();
    for engine in &engines {
        rows.check_width(engine.store().vocabulary().len())?;
    }
    let indices = indices.unwrap_or_else(|| (0..engines.len()).collect());
    // SAFETY: by the rules of the package, nobody else uses the buffer during the call.
    let mut view = unsafe { rows.view() }?;
    let filled = py.detach(|| fill_masks_at(&mut engines, &indices, &mut view, threads));
    let filled = filled.map_err(|error| value(&error))?;
    match filled.first() {
        None => Ok(()),
        Some(row) => Err(exception(py, "LimitError", (row.to_string(),))),
    }
}
