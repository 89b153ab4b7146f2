//! Streams, which other frameworks give as numbers.

/// A stream of the driver, as other frameworks give it as a number (`torch.cuda.current_stream().cuda_stream`).
///
/// ```
/// assert_eq!(ogc_cuda::RawStream::DEFAULT, ogc_cuda::RawStream(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawStream(pub usize);

impl RawStream {
    /// The stream on which work is done that names no other.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::RawStream::DEFAULT.0, 0);
    /// ```
    pub const DEFAULT: Self = Self(0);
}
