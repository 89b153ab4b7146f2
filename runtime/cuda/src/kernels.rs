//! The kernels as built by `kernels/build`: code for some compute capabilities, and PTX, which the driver compiles for all other devices.
//!
//! A new kernel is a file in `kernels/` and a [`KernelFile`] here.

use std::ffi::CStr;
use std::fmt;
use std::sync::Arc;

use crate::driver::{Context, Module};
use crate::error::{CudaError, CudaVersion};

/// The PTX of the kernels that mask logits, one for each [`LogitFormat`](crate::LogitFormat).
///
/// ```
/// let text = ogc_cuda::APPLY_PTX.to_str()?;
/// assert!(text.contains(ogc_cuda::apply_kernel(ogc_cuda::LogitFormat::Bf16).to_str()?));
/// # Ok::<(), std::str::Utf8Error>(())
/// ```
pub const APPLY_PTX: &CStr = KernelFile::Apply.ptx();

/// The PTX of the kernels that begin texts (`ogc_begin`), move them by tokens (`ogc_advance`) and take tokens back (`ogc_rollback`); each sequence
/// gets one warp.
///
/// ```
/// assert!(ogc_cuda::ADVANCE_PTX.to_str()?.contains("ogc_rollback"));
/// # Ok::<(), std::str::Utf8Error>(())
/// ```
pub const ADVANCE_PTX: &CStr = KernelFile::Advance.ptx();

/// The PTX of the kernel that finds the pool rows of sequences' masks (`ogc_locate`).
///
/// ```
/// assert!(ogc_cuda::LOCATE_PTX.to_str()?.contains("ogc_locate"));
/// # Ok::<(), std::str::Utf8Error>(())
/// ```
pub const LOCATE_PTX: &CStr = KernelFile::Locate.ptx();

/// The PTX of the kernel that writes the rows of masks as bits (`ogc_fill`).
///
/// ```
/// assert!(ogc_cuda::FILL_PTX.to_str()?.contains("ogc_fill"));
/// # Ok::<(), std::str::Utf8Error>(())
/// ```
pub const FILL_PTX: &CStr = KernelFile::Fill.ptx();

/// Returns the PTX of the kernels that choose tokens (`ogc_sample_f32`, `ogc_sample_f16`, `ogc_sample_bf16`). This is a function rather
/// than a constant because the PTX is long: each crate that used the constant would compile noticeably slower, as the compiler searches it
/// for zero bytes.
///
/// ```
/// assert!(ogc_cuda::sample_ptx().to_str()?.contains("ogc_sample_bf16"));
/// # Ok::<(), std::str::Utf8Error>(())
/// ```
#[must_use]
pub fn sample_ptx() -> &'static CStr {
    KernelFile::Sample.ptx()
}

/// Returns the PTX of the kernels that do a whole step of decoding (`ogc_step_f32`, `ogc_step_f16`, `ogc_step_bf16`). This is a function
/// for the same reason as [`sample_ptx`].
///
/// ```
/// assert!(ogc_cuda::fused_ptx().to_str()?.contains("ogc_step_bf16"));
/// # Ok::<(), std::str::Utf8Error>(())
/// ```
#[must_use]
pub fn fused_ptx() -> &'static CStr {
    KernelFile::Fused.ptx()
}

/// Returns PTX as a C string, as the driver takes it.
const fn with_zero(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("PTX has no zero byte"),
    }
}

/// Compiled forms of one file of kernels.
#[derive(Clone, Copy)]
struct Images {
    /// PTX, with the final zero byte that the driver requires.
    ptx: &'static CStr,
    /// Code for each compute capability, as `fatbinary` compresses it.
    code: [((u32, u32), &'static [u8]); 3],
}

macro_rules! images {
    ($name:literal) => {
        Images {
            ptx: with_zero(concat!(include_str!(concat!("../kernels/ptx/", $name, ".ptx")), "\0")),
            code: [
                ((8, 0), include_bytes!(concat!("../kernels/code/", $name, ".sm_80.fatbin"))),
                ((9, 0), include_bytes!(concat!("../kernels/code/", $name, ".sm_90.fatbin"))),
                ((10, 0), include_bytes!(concat!("../kernels/code/", $name, ".sm_100.fatbin"))),
            ],
        }
    };
}

macro_rules! kernel_files {
    ($($(#[$doc:meta])* $file:ident = $name:literal,)*) => {
        /// A file of kernels, `kernels/*.cu`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum KernelFile {
            $($(#[$doc])* $file,)*
        }

        impl KernelFile {
            /// All files.
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$file),*];

            const fn images(self) -> Images {
                match self {
                    $(Self::$file => images!($name),)*
                }
            }
        }
    };
}

kernel_files!(
    /// Masks logits.
    Apply = "apply",
    /// Moves sequences by tokens.
    Advance = "advance",
    /// Finds the pool rows of masks.
    Locate = "locate",
    /// Writes masks as bits.
    Fill = "fill",
    /// Chooses tokens.
    Sample = "sample",
    /// Does a whole step of decoding: chooses tokens, moves sequences by them, and finds the pool rows of their next masks.
    Fused = "fused",
    /// Finds the masks of drafted tokens.
    Draft = "draft",
    /// Verifies drafted tokens.
    Verify = "verify",
    /// Moves sequences by several tokens.
    Run = "run",
    /// Looks up the embeddings of tokens, for the language model.
    ModelEmbed = "model_embed",
    /// Normalises rows.
    ModelNorm = "model_norm",
    /// MatMul of rows with weight matrices, one file for each weight format.
    ModelMatmulF32 = "model_matmul_f32",
    ModelMatmulF16 = "model_matmul_f16",
    ModelMatmulBf16 = "model_matmul_bf16",
    ModelMatmulQ8_0 = "model_matmul_q8_0",
    ModelMatmulQ4_0 = "model_matmul_q4_0",
    ModelMatmulQ4_1 = "model_matmul_q4_1",
    ModelMatmulGroups = "model_matmul_groups",
    /// RoPE: rotates queries and keys by their positions, and appends keys and values to the KV cache.
    ModelRope = "model_rope",
    /// Attention.
    ModelAttend = "model_attend",
    /// SwiGLU: multiplies the activated gate of the feed-forward part with the up projection.
    ModelSwiglu = "model_swiglu",
    /// Copies pages of the KV cache.
    ModelCopy = "model_copy",
);

impl KernelFile {
    /// Files that are loaded when a device is opened. A model's files are loaded at first use.
    const OF_DEVICE: [Self; 1] = [Self::Apply];

    /// Returns the PTX.
    pub(crate) const fn ptx(self) -> &'static CStr {
        self.images().ptx
    }

    /// Loads the code for a target; falls back to PTX if there is no such code, or if the driver refuses it.
    pub(crate) fn load(self, context: &Arc<Context>, target: Target) -> Result<Module, CudaError> {
        let code = self.images().code.into_iter().find(|(code, _)| target.runs(*code));
        match code.map(|(_, code)| Module::load(Arc::clone(context), code)) {
            Some(Ok(module)) => Ok(module),
            Some(Err(_)) | None => Module::compile(Arc::clone(context), self.ptx()),
        }
    }
}

/// Form of the kernels that were loaded on a device.
///
/// ```
/// use ogc_cuda::LoadedKernels;
/// let code = LoadedKernels::Code { capability: (9, 0) };
/// assert_eq!(code.to_string(), "code of compute capability 9.0");
/// assert_eq!(LoadedKernels::Ptx { refused: None }.to_string(), "PTX, compiled by the driver");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadedKernels {
    /// Code that was compiled ahead of time.
    Code {
        /// The compute capability that the code was compiled for.
        capability: (u32, u32),
    },
    /// PTX that the driver compiled.
    Ptx {
        /// The driver's error for the device's code; `None` if there is no code for the device, or if the driver is older than the compiler
        /// of the code.
        refused: Option<CudaError>,
    },
}

impl fmt::Display for LoadedKernels {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code { capability: (major, minor) } => write!(out, "code of compute capability {major}.{minor}"),
            Self::Ptx { refused: None } => out.write_str("PTX, compiled by the driver"),
            Self::Ptx { refused: Some(error) } => {
                write!(out, "PTX, compiled by the driver, as the code was refused: {error}")
            }
        }
    }
}

/// The modules of a device's own kernels, in the order of [`KernelFile::OF_DEVICE`].
#[derive(Debug)]
pub(crate) struct Modules(Vec<Module>);

impl Modules {
    /// Loads the code for a target; falls back to PTX if there is no such code, or if the driver refuses it.
    pub(crate) fn load(context: &Arc<Context>, target: Target) -> Result<(Self, LoadedKernels), CudaError> {
        let capabilities = KernelFile::Apply.images().code.map(|(capability, _)| capability);
        let refused = match capabilities.into_iter().find(|code| target.runs(*code)) {
            None => None,
            Some(capability) => match Self::load_code(context, capability) {
                Ok(modules) => return Ok((modules, LoadedKernels::Code { capability })),
                Err(error) => Some(error),
            },
        };
        let load = |file: KernelFile| Module::compile(Arc::clone(context), file.ptx());
        let modules: Result<_, _> = KernelFile::OF_DEVICE.into_iter().map(load).collect();
        Ok((Self(modules?), LoadedKernels::Ptx { refused }))
    }

    fn load_code(context: &Arc<Context>, capability: (u32, u32)) -> Result<Self, CudaError> {
        let load = |file: KernelFile| {
            let mut code = file.images().code.into_iter().filter(|(of, _)| *of == capability);
            let code = code.next().map_or(&[][..], |(_, code)| code);
            Module::load(Arc::clone(context), code)
        };
        KernelFile::OF_DEVICE.into_iter().map(load).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the module of a file of kernels.
    pub(crate) fn of(&self, file: KernelFile) -> &Module {
        &self.0[file as usize]
    }
}

/// CUDA version that compiled the code. Drivers of an earlier major version may not know its packing format.
const CODE_VERSION: CudaVersion = CudaVersion { major: 13, minor: 0 };

/// Device and driver for which kernels are loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The compute capability of the device.
    pub(crate) capability: (u32, u32),
    /// The version of CUDA that the driver supports.
    pub(crate) driver: CudaVersion,
}

impl Target {
    /// Returns whether code for a compute capability runs on this target: the major version must be equal, and the minor version not
    /// greater.
    fn runs(self, code: (u32, u32)) -> bool {
        self.driver >= CODE_VERSION && code.0 == self.capability.0 && code.1 <= self.capability.1
    }
}

#[cfg(test)]
mod tests {
    use super::{KernelFile, Target};
    use crate::error::CudaVersion;

    #[test]
    fn code_runs_on_its_major_version() {
        let runs = |code, capability| Target { capability, driver: CudaVersion { major: 13, minor: 1 } }.runs(code);
        assert!(runs((8, 0), (8, 0)) && runs((8, 0), (8, 9)) && runs((10, 0), (10, 3)));
        assert!(!runs((8, 0), (9, 0)) && !runs((9, 0), (8, 9)) && !runs((10, 0), (12, 0)));
    }

    #[test]
    fn drivers_older_than_the_code_take_ptx() {
        let older = Target { capability: (9, 0), driver: CudaVersion { major: 12, minor: 9 } };
        let codes = KernelFile::Apply.images().code;
        assert!(codes.into_iter().all(|(code, _)| !older.runs(code)));
        for file in KernelFile::ALL {
            let ptx = file.ptx().to_str().unwrap_or_default();
            assert!(ptx.contains("\n.version 7.0\n.target sm_80\n"), "{file:?}");
        }
    }

    #[test]
    fn kernel_files_hold_code_for_their_architecture() {
        assert!(KernelFile::OF_DEVICE.iter().enumerate().all(|(at, file)| *file as usize == at));
        for file in KernelFile::ALL {
            for ((major, minor), code) in file.images().code {
                // Magic number of a fatbinary, and architecture of its first image.
                let word = |at: usize| u32::from_le_bytes(code[4 * at..4 * at + 4].try_into().unwrap_or_default());
                assert_eq!((word(0), word(11)), (0xba55_ed50, 10 * major + minor), "{file:?}");
                // The header has 16 bytes and gives the number of bytes that follow.
                assert_eq!(code.len(), 16 + word(2) as usize, "{file:?}");
            }
        }
    }
}
