//! The kernels that a machine launches: their names, and the files that contain them.
//!
//! A new kernel is a line in [`DeviceKernel`], and one in its `place`.

use std::borrow::Cow;
use std::ffi::{CStr, CString};

use always_assert::never;

use crate::kernels::KernelFile;
use crate::weight_format::WeightFormat;
use ogc_runtime::logits::LogitFormat;

/// Number of rows of states that a MatMul kernel multiplies with each weight that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Together {
    One,
    Four,
    Eight,
}

impl Together {
    /// Returns the kernel that reads each weight the fewest times for this number of rows.
    pub(crate) fn for_rows(rows: u32) -> Self {
        match rows {
            0..=1 => Self::One,
            2..=4 => Self::Four,
            5.. => Self::Eight,
        }
    }

    /// Returns the number of rows.
    pub(crate) fn rows(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// Returns the number of outputs that a block computes.
    pub(crate) fn outputs(self) -> u32 {
        match self {
            Self::One => 8 * 2,
            Self::Four | Self::Eight => 8 * 4,
        }
    }
}

/// A kernel of the language model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Work {
    Embed(WeightFormat),
    Norm,
    Matmul(WeightFormat, Together),
    Rope,
    Attend,
    Join,
    Swiglu,
    Copy,
}

impl Work {
    /// Returns all kernels of the model.
    fn all() -> impl Iterator<Item = Self> {
        let of_weights = WeightFormat::ALL.into_iter().flat_map(|format| {
            let matmul = |together| Self::Matmul(format, together);
            [Self::Embed(format), matmul(Together::One), matmul(Together::Four), matmul(Together::Eight)]
        });
        of_weights.chain([Self::Norm, Self::Rope, Self::Attend, Self::Join, Self::Swiglu, Self::Copy])
    }
}

/// A kernel of the language model.
///
/// ```
/// # use ogc_cuda::{DeviceKernel, KernelLaunch};
/// fn is_of_model(launch: &KernelLaunch) -> bool {
///     matches!(launch.kernel, DeviceKernel::Model(_))
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelKernel(pub(crate) Work);

impl ModelKernel {
    /// Returns the kernel's file, and its name there.
    fn place(self) -> (KernelFile, Cow<'static, str>) {
        let file = match self.0 {
            Work::Embed(_) => KernelFile::ModelEmbed,
            Work::Norm => KernelFile::ModelNorm,
            Work::Matmul(WeightFormat::F32, _) => KernelFile::ModelMatmulF32,
            Work::Matmul(WeightFormat::F16, _) => KernelFile::ModelMatmulF16,
            Work::Matmul(WeightFormat::Bf16, _) => KernelFile::ModelMatmulBf16,
            Work::Matmul(WeightFormat::Q8_0, _) => KernelFile::ModelMatmulQ8_0,
            Work::Matmul(WeightFormat::Q4_0, _) => KernelFile::ModelMatmulQ4_0,
            Work::Matmul(WeightFormat::Q4_1, _) => KernelFile::ModelMatmulQ4_1,
            Work::Matmul(WeightFormat::Groups, _) => KernelFile::ModelMatmulGroups,
            Work::Rope => KernelFile::ModelRope,
            Work::Attend | Work::Join => KernelFile::ModelAttend,
            Work::Swiglu => KernelFile::ModelSwiglu,
            Work::Copy => KernelFile::ModelCopy,
        };
        (file, self.name())
    }

    fn name(self) -> Cow<'static, str> {
        match self.0 {
            Work::Embed(format) => format!("ogc_model_embed_{}", format.name()).into(),
            Work::Norm => "ogc_model_norm".into(),
            Work::Matmul(format, together) => format!("ogc_model_matmul_{}_{}", format.name(), together.rows()).into(),
            Work::Rope => "ogc_model_rope".into(),
            Work::Attend => "ogc_model_attend".into(),
            Work::Join => "ogc_model_join".into(),
            Work::Swiglu => "ogc_model_swiglu".into(),
            Work::Copy => "ogc_model_copy".into(),
        }
    }
}

/// A kernel that a [`Machine`](crate::Machine) can launch.
///
/// ```
/// use ogc_cuda::{DeviceKernel, LogitFormat};
/// assert_eq!(DeviceKernel::Sample(LogitFormat::Bf16).name(), "ogc_sample_bf16");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceKernel {
    /// Masks logits of a format.
    Apply(LogitFormat),
    /// Puts slots at the beginning of formats.
    Begin,
    /// Moves slots by tokens.
    Advance,
    /// Takes tokens of slots back.
    RollBack,
    /// Finds the pool rows of slots' masks.
    Locate,
    /// Writes masks as bits.
    Fill,
    /// Chooses tokens by logits of a format.
    Sample(LogitFormat),
    /// Chooses tokens by logits of a format, moves slots by them, and finds the pool rows of their next masks.
    Step(LogitFormat),
    /// Moves slots by several tokens each, and finds the pool rows of their next masks.
    Run,
    /// Moves slots by drafted tokens, and finds the pool rows of the masks before and after each token.
    Draft,
    /// Verifies drafts: moves slots by the sampled tokens, and finds the pool rows of their next masks.
    Verify,
    /// A kernel of the language model.
    Model(ModelKernel),
}

impl DeviceKernel {
    /// Returns the kernel's file, and its name there.
    fn place(self) -> (KernelFile, Cow<'static, str>) {
        match self {
            Self::Apply(format) => (KernelFile::Apply, format!("ogc_apply_{}", format.name()).into()),
            Self::Begin => (KernelFile::Advance, "ogc_begin".into()),
            Self::Advance => (KernelFile::Advance, "ogc_advance".into()),
            Self::RollBack => (KernelFile::Advance, "ogc_rollback".into()),
            Self::Locate => (KernelFile::Locate, "ogc_locate".into()),
            Self::Fill => (KernelFile::Fill, "ogc_fill".into()),
            Self::Sample(format) => (KernelFile::Sample, format!("ogc_sample_{}", format.name()).into()),
            Self::Step(format) => (KernelFile::Fused, format!("ogc_step_{}", format.name()).into()),
            Self::Run => (KernelFile::Run, "ogc_run".into()),
            Self::Draft => (KernelFile::Draft, "ogc_draft".into()),
            Self::Verify => (KernelFile::Verify, "ogc_verify".into()),
            Self::Model(kernel) => kernel.place(),
        }
    }

    /// Returns all kernels.
    ///
    /// ```
    /// assert!(ogc_cuda::DeviceKernel::all().any(|kernel| kernel.name() == "ogc_step_bf16"));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        let single = [
            Self::Begin,
            Self::Advance,
            Self::RollBack,
            Self::Locate,
            Self::Fill,
            Self::Run,
            Self::Draft,
            Self::Verify,
        ];
        let of_logits = LogitFormat::ALL
            .into_iter()
            .flat_map(|format| [Self::Apply(format), Self::Sample(format), Self::Step(format)]);
        let of_model = Work::all().map(|work| Self::Model(ModelKernel(work)));
        single.into_iter().chain(of_logits).chain(of_model)
    }

    /// Returns the kernel's name in its PTX.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::DeviceKernel::Begin.name(), "ogc_begin");
    /// ```
    #[must_use]
    pub fn name(self) -> Cow<'static, str> {
        self.place().1
    }

    /// Returns the PTX that contains the kernel. Some kernels share one PTX.
    ///
    /// ```
    /// use ogc_cuda::DeviceKernel;
    /// assert_eq!(DeviceKernel::Begin.ptx(), DeviceKernel::Advance.ptx());
    /// ```
    #[must_use]
    pub fn ptx(self) -> &'static CStr {
        self.file().ptx()
    }

    /// Returns the file that contains the kernel.
    pub(crate) fn file(self) -> KernelFile {
        self.place().0
    }

    /// Returns the kernel's name as a C string, as the driver takes it.
    pub(crate) fn symbol(self) -> CString {
        CString::new(self.name().into_owned()).unwrap_or_else(|error| {
            never!("a kernel's name has a zero byte: {}", error);
            CString::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::DeviceKernel;
    use crate::kernels::KernelFile;
    use std::collections::BTreeSet;

    #[test]
    fn every_kernel_of_the_files_has_a_device_kernel() {
        let lines = KernelFile::ALL.iter().flat_map(|file| file.ptx().to_str().into_iter().flat_map(str::lines));
        let entries = lines.filter_map(|line| line.strip_prefix(".visible .entry ")?.strip_suffix('('));
        let named: BTreeSet<String> = DeviceKernel::all().map(|kernel| kernel.name().into_owned()).collect();
        assert_eq!(named, entries.map(str::to_owned).collect());
    }
}
