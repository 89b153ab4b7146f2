//! Errors of opening a device and of driver calls.

use std::fmt;

pub use crate::calls::DriverCall;

/// The version of CUDA that a driver supports, or that the kernels need.
///
/// ```
/// use ogc_cuda::CudaVersion;
/// assert!(CudaVersion { major: 12, minor: 9 } < CudaVersion { major: 13, minor: 0 });
/// assert_eq!(CudaVersion { major: 13, minor: 0 }.to_string(), "13.0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CudaVersion {
    /// Major version, before the point.
    pub major: u32,
    /// Minor version, after the point.
    pub minor: u32,
}

impl fmt::Display for CudaVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.major, self.minor)
    }
}

/// No device can be opened, or the driver refused a call.
///
/// ```
/// use ogc_cuda::{CudaError, CudaVersion};
/// let error = CudaError::DriverTooOld {
///     given: CudaVersion { major: 12, minor: 4 },
///     limit: CudaVersion { major: 13, minor: 0 },
/// };
/// assert_eq!(error.to_string(), "the driver supports CUDA 12.4, the kernels need 13.0: update the driver");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CudaError {
    /// There is no driver.
    #[error("no CUDA driver was found: libcuda is not where the system looks for libraries")]
    NoDriver,
    /// A library has the driver's name, but lacks a function of the driver.
    #[error("the CUDA driver that was found has no function {symbol}: it is too old, or a stub")]
    IncompleteDriver {
        /// The missing function.
        symbol: DriverCall,
    },
    /// The driver cannot read the kernels.
    #[error("the driver supports CUDA {given}, the kernels need {limit}: update the driver")]
    DriverTooOld {
        /// Version of CUDA that the driver supports.
        given: CudaVersion,
        /// Minimum version of CUDA that the kernels need.
        limit: CudaVersion,
    },
    /// The driver finds no device.
    #[error("the CUDA driver finds no device")]
    NoDevice,
    /// There is no device with the requested number.
    #[error("there is no device {given}: devices are numbered from 0, and there are {limit}")]
    NoSuchDevice {
        /// The requested number, counted from 0.
        given: u32,
        /// Number of devices.
        limit: u32,
    },
    /// The device cannot run the kernels.
    #[error("the device has compute capability {}.{}, the kernels need {}.{}", given.0, given.1, limit.0, limit.1)]
    DeviceTooOld {
        /// Compute capability of the device (major, minor).
        given: (u32, u32),
        /// Minimum compute capability that the kernels need.
        limit: (u32, u32),
    },
    /// The driver refused a call, or reports that earlier work failed.
    #[error("{call} failed: {name}: {meaning}")]
    Refused {
        /// The driver function that failed.
        call: DriverCall,
        /// Name of the error, such as `CUDA_ERROR_OUT_OF_MEMORY`.
        name: String,
        /// The driver's description of the error.
        meaning: String,
    },
}
