//! Streams as numbers, as other frameworks pass them.

/// A driver stream as a number, as other frameworks pass it (`torch.cuda.current_stream().cuda_stream`).
///
/// ```
/// assert_eq!(ogc_cuda::RawStream::DEFAULT, ogc_cuda::RawStream(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawStream(pub usize);

impl RawStream {
    /// The default stream.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::RawStream::DEFAULT.0, 0);
    /// ```
    pub const DEFAULT: Self = Self(0);
}
