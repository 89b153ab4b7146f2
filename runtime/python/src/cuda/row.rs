//! Sampling of a row of logits, as `ogc.cuda.Row` describes it.

use ogc_cuda::{Adjustments, AllowedTokens, RowSampling, TokenChoice};
use ogc_runtime::sampling::{GivenSampling, Sampling, SamplingNumber};
use pyo3::prelude::*;

use super::memory::{ListAt, list};
use crate::error::value;

/// Entries of 32 bits of a pair in a list of biases or written tokens.
const PAIR: u64 = 2;

/// A row of logits: the values of an `ogc.cuda.Row`.
#[derive(Debug, FromPyObject)]
pub(crate) struct GivenRow {
    /// Whether a token is chosen.
    is_sampled: bool,
    seed: u64,
    request: u64,
    position: u64,
    /// Kind of the mask, and its number there.
    allowed: Option<(String, u32)>,
    pub(crate) slot: Option<u32>,
    tells_probability: bool,
    /// Numbers of sampling by their names.
    numbers: Vec<(String, f64)>,
    written: Option<ListAt>,
    biases: Option<ListAt>,
}

impl GivenRow {
    /// Returns the row as the kernels read it.
    pub(crate) fn sampling(&self) -> PyResult<RowSampling> {
        let is_known = |name: &str| SamplingNumber::ALL.iter().any(|number| number.name == name);
        if let Some((name, _)) = self.numbers.iter().find(|(name, _)| !is_known(name)) {
            return Err(value(&format!("{name} is no number of sampling")));
        }
        let given = GivenSampling::of(|name| self.numbers.iter().find(|(of, _)| of == name).map(|(_, given)| *given));
        let mut sampling = Sampling { seed: self.seed, ..Sampling::default() };
        given.apply(&mut sampling).map_err(|error| value(&error))?;
        let row = RowSampling::of(&sampling);
        let adjustments = Adjustments {
            written: pairs("written", self.written)?,
            biases: pairs("biases", self.biases)?,
            ..row.adjustments
        };
        Ok(RowSampling {
            request: self.request,
            position: self.position,
            choice: if self.is_sampled { row.choice } else { TokenChoice::Nothing },
            adjustments,
            allowed: self.allowed()?,
            tells_probability: self.tells_probability,
            ..row
        })
    }

    fn allowed(&self) -> PyResult<AllowedTokens> {
        match self.allowed.as_ref().map(|(kind, number)| (kind.as_str(), *number)) {
            None => Ok(AllowedTokens::All),
            Some(("slot", number)) => Ok(AllowedTokens::Slot(number)),
            Some(("bits", number)) => Ok(AllowedTokens::Bits(number)),
            Some(("draft", number)) => Ok(AllowedTokens::Located(number)),
            Some((other, _)) => Err(value(&format!("allowed is {other:?}; it can be slot, bits or draft"))),
        }
    }
}

/// Returns the address and the number of pairs of a list.
fn pairs(name: &str, given: Option<ListAt>) -> PyResult<(u64, u32)> {
    let Some((address, len)) = given else { return Ok((0, 0)) };
    let count = u32::try_from(len / PAIR).map_err(|_| value(&format!("{name} has too many entries")))?;
    list(name, (address, len), len)?;
    if !address.is_multiple_of(8) {
        return Err(value(&format!("{name} is at address {address:#x}, which is no multiple of 8")));
    }
    Ok((address, count))
}
