//! Buffers of other libraries, by address: rows of masks, and rows of logits.
//!
//! `ogc._buffers` reads and checks the address, the shape and the strides of an array or a tensor once; each step then passes a row number.

use ogc_runtime::logits::{LogitFormat, mask_logits as mask_row};
use ogc_runtime::matcher as engine;
use ogc_runtime::vocabulary::TokenId;
use pyo3::PyClass;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::error::value;

/// Rows of masks in a buffer that another object owns.
#[pyclass(frozen, module = "ogc", name = "MaskRows")]
#[derive(Debug)]
pub(crate) struct MaskRows {
    /// The object that owns the memory.
    #[pyo3(get)]
    buffer: Py<PyAny>,
    address: usize,
    rows: usize,
    /// Words of a row.
    width: usize,
    /// Distance between the beginnings of two rows, in words.
    stride: usize,
}

/// Returns the rows of a buffer: a `MaskRows`, or any object that `ogc._buffers` can read.
pub(crate) fn mask_rows<'py>(buffer: &Bound<'py, PyAny>) -> PyResult<Bound<'py, MaskRows>> {
    rows_of(buffer, "mask_rows")
}

fn rows_of<'py, T: PyClass>(buffer: &Bound<'py, PyAny>, reader: &str) -> PyResult<Bound<'py, T>> {
    match buffer.cast::<T>() {
        Ok(rows) => Ok(rows.clone()),
        Err(_) => Ok(buffer.py().import("ogc._buffers")?.call_method1(reader, (buffer,))?.cast_into::<T>()?),
    }
}

impl MaskRows {
    /// Returns the address of a row.
    fn first(&self, row: usize) -> PyResult<*mut u32> {
        if row >= self.rows {
            return Err(PyIndexError::new_err(format!("row {row} of {}", self.rows)));
        }
        Ok((self.address + row * self.stride * size_of::<u32>()) as *mut u32)
    }

    /// Returns the words of a row, to read them.
    ///
    /// # Safety
    ///
    /// Nobody writes to the row during `'a`.
    pub(crate) unsafe fn read<'a>(&self, row: usize) -> PyResult<&'a [u32]> {
        let first = self.first(row)?;
        // SAFETY: `ogc._buffers` checked the memory, which `buffer` keeps alive, and the row is in it; the rest as this function's.
        Ok(unsafe { std::slice::from_raw_parts(first, self.width) })
    }

    /// Returns the words of a row, to write them.
    ///
    /// # Safety
    ///
    /// Nobody else uses the row during `'a`.
    pub(crate) unsafe fn row<'a>(&self, row: usize) -> PyResult<&'a mut [u32]> {
        let first = self.first(row)?;
        // SAFETY: `ogc._buffers` checked the memory, which `buffer` keeps alive, and the row is in it; the rest as this function's.
        Ok(unsafe { std::slice::from_raw_parts_mut(first, self.width) })
    }

    /// Returns all rows.
    ///
    /// # Safety
    ///
    /// Nobody else uses the buffer during `'a`.
    pub(crate) unsafe fn view<'a>(&self) -> PyResult<engine::MaskRows<'a>> {
        let len = self.rows.checked_sub(1).map_or(0, |others| others * self.stride + self.width);
        let words: &'a mut [u32] = match len {
            // A buffer without rows may have no address.
            0 => &mut [],
            // SAFETY: `ogc._buffers` checked the memory, which `buffer` keeps alive; the rest as this function's.
            _ => unsafe { std::slice::from_raw_parts_mut(self.address as *mut u32, len) },
        };
        let stride = self.stride.max(self.width);
        engine::MaskRows::apart(words, self.width, stride).ok_or_else(|| value(&"rows have no words"))
    }

    /// Allows only `tokens` in a row.
    pub(crate) fn allow_only(&self, row: usize, tokens: &[TokenId]) -> PyResult<()> {
        // SAFETY: the interpreter lock is held, and by the rules of the package nobody else writes to the row.
        let words = unsafe { self.row(row) }?;
        words.fill(0);
        for token in tokens {
            if let Some(word) = words.get_mut(token.0 as usize / 32) {
                *word |= 1 << (token.0 % 32);
            }
        }
        Ok(())
    }

    /// Rejects rows that are too narrow for a vocabulary.
    pub(crate) fn check_width(&self, tokens: usize) -> PyResult<()> {
        if self.width * 32 < tokens {
            let (given, limit) = (self.width, tokens.div_ceil(32));
            return Err(value(&format!("rows of {given} words are too short for {tokens} tokens: they need {limit}")));
        }
        Ok(())
    }
}

/// Checks the values that `ogc._buffers` has read, so that a mistake there cannot cause access to foreign memory: sizes fit, and rows do not overlap.
fn check(address: usize, size: usize, rows: usize, width: usize, stride: usize) -> PyResult<()> {
    let len = rows.checked_sub(1).map_or(Some(0), |others| others.checked_mul(stride)?.checked_add(width));
    let bytes = len.and_then(|len| len.checked_mul(size)).filter(|&bytes| isize::try_from(bytes).is_ok());
    match bytes {
        _ if !address.is_multiple_of(size) => Err(value(&"the buffer is not aligned")),
        _ if address == 0 && rows > 0 => Err(value(&"the buffer has no memory")),
        _ if width > stride && rows > 1 => Err(value(&"rows overlap")),
        None => Err(value(&"the buffer is larger than memory")),
        Some(_) => Ok(()),
    }
}

#[pymethods]
impl MaskRows {
    #[new]
    fn new(buffer: Py<PyAny>, address: usize, rows: usize, width: usize, stride: usize) -> PyResult<Self> {
        check(address, 4, rows, width, stride)?;
        Ok(Self { buffer, address, rows, width, stride })
    }

    /// Allows every token in a row.
    pub(crate) fn allow_all(&self, row: usize) -> PyResult<()> {
        // SAFETY: the interpreter lock is held, and by the rules of the package nobody else writes to the row.
        unsafe { self.row(row) }?.fill(u32::MAX);
        Ok(())
    }

    /// The number of words of a row.
    #[getter]
    fn width(&self) -> usize {
        self.width
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    fn __repr__(&self) -> String {
        format!("<MaskRows: {} rows of {} words>", self.rows, self.width)
    }
}

/// Rows of logits in a buffer that another object owns.
#[pyclass(frozen, module = "ogc", name = "LogitRows")]
#[derive(Debug)]
pub(crate) struct LogitRows {
    /// The object that owns the memory.
    #[pyo3(get)]
    buffer: Py<PyAny>,
    address: usize,
    rows: usize,
    width: usize,
    stride: usize,
    format: LogitFormat,
}

#[pymethods]
impl LogitRows {
    #[new]
    fn new(
        buffer: Py<PyAny>,
        address: usize,
        rows: usize,
        width: usize,
        stride: usize,
        format: &str,
    ) -> PyResult<Self> {
        let known = LogitFormat::ALL.into_iter().find(|known| known.name() == format);
        let format = known.ok_or_else(|| value(&format!("logits are {format:?}; they can be f32, f16 or bf16")))?;
        check(address, format.bytes() as usize, rows, width, stride)?;
        Ok(Self { buffer, address, rows, width, stride, format })
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    fn __repr__(&self) -> String {
        format!("<LogitRows: {} rows of {} {}>", self.rows, self.width, self.format.name())
    }
}

impl LogitRows {
    /// Masks the rows, whose numbers have the type `T`.
    ///
    /// # Safety
    ///
    /// The numbers are of that type, and nobody else uses them.
    unsafe fn mask<T: Copy>(&self, masks: &[&[u32]], fill: T) {
        for (row, mask) in masks.iter().enumerate() {
            let first = self.address as *mut T;
            // SAFETY: the row is in the memory that `ogc._buffers` checked; the rest as this function's.
            let logits = unsafe { std::slice::from_raw_parts_mut(first.add(row * self.stride), self.width) };
            mask_row(mask, logits, fill);
        }
    }
}

/// Overwrites the logits of tokens that masks do not allow.
#[pyfunction]
#[pyo3(signature = (masks, logits, indices = None, *, fill = f32::NEG_INFINITY))]
pub(crate) fn mask_logits(
    py: Python<'_>,
    masks: &Bound<'_, PyAny>,
    logits: &Bound<'_, PyAny>,
    indices: Option<Vec<usize>>,
    fill: f32,
) -> PyResult<()> {
    let (masks, logits) = (mask_rows(masks)?, rows_of::<LogitRows>(logits, "logit_rows")?);
    let (masks, logits) = (masks.get(), logits.get());
    let rows = indices.unwrap_or_else(|| (0..logits.rows).collect());
    if rows.len() != logits.rows {
        return Err(PyValueError::new_err(format!("{} rows of masks for {} rows of logits", rows.len(), logits.rows)));
    }
    // SAFETY: the rows are only read here, and by the rules of the package nobody writes to them during the call.
    let masks = rows.into_iter().map(|row| unsafe { masks.read(row) });
    let masks = masks.collect::<PyResult<Vec<&[u32]>>>()?;
    let fill = logits.format.bits(fill);
    py.detach(|| match logits.format {
        // SAFETY: the numbers have that format; by the rules of the package nobody else uses them during the call.
        LogitFormat::F32 => unsafe { logits.mask(&masks, f32::from_bits(fill)) },
        // SAFETY: as above.
        LogitFormat::F16 | LogitFormat::Bf16 => unsafe { logits.mask(&masks, fill as u16) },
    });
    Ok(())
}
