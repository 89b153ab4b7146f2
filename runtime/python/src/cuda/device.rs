//! Devices, and masks of logits there.

use ogc_cuda::{CudaError, Device, Masking, RawStream, RowMap};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::memory::{ListAt, LogitsAt, MasksAt, list};
use crate::error::{exception, value};

/// Makes the exception of a device that is not there or failed.
pub(crate) fn device_error(py: Python<'_>, error: &CudaError) -> PyErr {
    exception(py, "DeviceError", (error.to_string(),))
}

/// An NVIDIA device with the kernels loaded; `ogc.cuda.Device` wraps it.
#[pyclass(frozen, module = "ogc._ogc", name = "CudaDevice")]
#[derive(Debug)]
pub(crate) struct CudaDevice {
    pub(crate) device: Device,
}

#[pymethods]
impl CudaDevice {
    #[new]
    fn new(py: Python<'_>, number: u32) -> PyResult<Self> {
        let device = py.detach(|| Device::open(number)).map_err(|error| device_error(py, &error))?;
        Ok(Self { device })
    }

    #[getter]
    fn name(&self) -> String {
        self.device.info().name.clone()
    }

    #[getter]
    fn capability(&self) -> (u32, u32) {
        self.device.info().capability
    }

    #[getter]
    fn driver(&self) -> (u32, u32) {
        let version = self.device.info().driver;
        (version.major, version.minor)
    }

    #[getter]
    fn kernels(&self) -> String {
        self.device.info().kernels.to_string()
    }

    /// Masks logits in place, on a stream. Row `r` gets the mask row in entry `r` of `row_map`; without `row_map`, mask
    /// row `r`.
    #[pyo3(signature = (stream, logits, masks, tokens, row_map = None))]
    fn mask_logits(
        &self,
        py: Python<'_>,
        stream: usize,
        logits: LogitsAt,
        masks: MasksAt,
        tokens: u32,
        row_map: Option<ListAt>,
    ) -> PyResult<()> {
        let logits = logits.logits()?;
        let rows = match row_map {
            None => RowMap::SameRow,
            Some(given) => RowMap::Listed { address: list("rows", given, logits.rows.into())?, len: given.1 },
        };
        let masking = Masking::new(logits, masks.masks(tokens), rows).map_err(|error| value(&error))?;
        // SAFETY: `ogc.cuda` read the memory of tensors on the device, and holds them while kernels use them. As
        // `ogc.cuda` documents, the caller promises that the row map names existing rows, and that nobody else uses the
        // memory in the meantime.
        unsafe { self.device.apply(RawStream(stream), &masking) }.map_err(|error| match error {
            CudaError::Refused { .. } => device_error(py, &error),
            other => PyRuntimeError::new_err(other.to_string()),
        })
    }
}
