//! Masks of formats on NVIDIA devices: logits are masked in place in device memory, on a stream of the caller.
//!
//! The crate builds without a CUDA toolkit and runs without a driver: it looks for the driver when a device is opened, and returns an error if there
//! is none. The kernels are code for common devices (`kernels/code`), and PTX (`kernels/ptx`), which the driver compiles for other devices. In tests,
//! `ogc-ptx` runs the same PTX without a device.
//!
//! # Steps
//! 1. [`Device::open`] finds the driver and a device, and loads the kernels.
//! 2. [`Masking::new`] checks the operands as far as a host can: [`Logits`], [`Masks`], [`RowMap`].
//! 3. [`Device::apply`] launches the kernel with the [`Geometry`] of the masking, and returns at once.
//!
//! Masks are bits, as `ogc_runtime::matcher::fill_masks` writes them. A [`DeviceFormat`] has the tables of an automaton in their device
//! layout, and a [`DeviceVocabulary`] has the tokens. The kernels of [`ADVANCE_PTX`] step slots of [`SLOT_BYTES`] through them.
//!
//! [`DeviceMasks`] are the tables of a format's masks in device memory, with rows in a [`DevicePool`]. A [`SlotImage`] is a matcher's place
//! in a text. Kernels find the pool rows of a slot's mask (`kernels/locate.cu`), and write them as bits (`kernels/fill.cu`).
//!
//! A [`SampleLaunch`] chooses the next tokens for rows of logits, each by its [`RowSampling`]; its kernels are those of [`sample_ptx`]. A
//! [`StepLaunch`] also moves the rows' slots by the chosen tokens and finds the next masks ([`fused_ptx`]), so that it can be launched
//! repeatedly.
//!
//! A [`DraftLaunch`] finds the masks of drafted tokens before a pass of the model, and verifies the draft after its rows were sampled. A
//! [`RunLaunch`] moves sequences by known tokens, such as those that formats force.
//!
//! [`DeviceSlots`] are sequences on a machine, with their formats; they offer these kernels as methods. If the device cannot continue a
//! sequence, [`DeviceSequences`] continue it with a matcher on the host, and return to the device later.
//!
//! A [`DeviceModel`] is a language model of the Llama family, and chooses tokens from its logits on the device. A [`Machine`] runs its passes: a
//! device ([`DeviceMachine`]) or, in tests, the interpreter. Several objects on the same device share a machine ([`SharedMachine`]).
//!
//! ```
//! use ogc_cuda::{Device, LogitFormat, Logits, Masking, Masks, RawStream, RowMap};
//! let device = match Device::open(0) {
//!     Ok(device) => device,
//!     Err(error) => {
//!         println!("no device: {error}");
//!         return Ok(());
//!     }
//! };
//! let bytes: Vec<u8> = [1.0f32, 2.0, 3.0].iter().flat_map(|logit| logit.to_le_bytes()).collect();
//! let (logits, masks) = (device.upload(&bytes)?, device.upload(&0b101u32.to_le_bytes())?);
//! let masking = Masking::new(
//!     Logits { format: LogitFormat::F32, address: logits.address(), len: 3, rows: 1, width: 3, stride: 3 },
//!     Masks { address: masks.address(), len: 1, vocabulary: 3, stride: 1 },
//!     RowMap::SameRow,
//! )?;
//! // SAFETY: both buffers live until the download, which waits for the kernel.
//! unsafe { device.apply(RawStream::DEFAULT, &masking) }?;
//! assert_eq!(logits.download()?[4..8], f32::NEG_INFINITY.to_le_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
extern crate self as ogc_cuda;

mod calls;
mod device;
mod draft;
mod driver;
mod error;
mod format;
mod fused;
mod geometry;
mod kernels;
mod machine;
mod masking;
mod masks;
mod model;
mod outcome;
mod pool;
mod record;
mod run;
mod sampling;
mod sequences;
mod slot;
mod slots;
mod stopwatch;
mod stream;
mod token_rows;
mod vocabulary;
mod weight_format;

pub use device::{Buffer, Device, DeviceInfo};
pub use draft::{DraftEnd, DraftError, DraftLaunch, MaskState, VerifiedDraft};
pub use error::{CudaError, CudaVersion, DriverCall};
pub use format::{DeviceFormat, FormatError};
pub use fused::StepLaunch;
pub use geometry::Geometry;
pub use kernels::{ADVANCE_PTX, APPLY_PTX, FILL_PTX, LOCATE_PTX, LoadedKernels, fused_ptx, sample_ptx};
pub use machine::Machine;
pub use machine::device::DeviceMachine;
pub use machine::kernel::{DeviceKernel, ModelKernel};
pub use machine::launch::{KernelLaunch, KernelParameter, Plan};
pub use machine::shared::SharedMachine;
pub use masking::{ApplyParameters, Logits, Masking, MaskingError, Masks, Operand, RowMap, apply_kernel};
pub use masks::{DeviceMasks, MasksError};
pub use model::DeviceModel;
pub use model::choice::{ChoiceMask, RowAnswer, RowAsk, RowChoice};
pub use model::error::ModelError;
pub use model::pages::ModelText;
pub use model::part::{AskingPart, ModelPart};
pub use model::shape::{AttentionWindow, ModelLimits, ModelShape};
pub use model::upload::{LayerWeights, ModelWeights};
pub use model::weights::WeightMatrix;
pub use ogc_runtime::logits::LogitFormat;
pub use outcome::{Handover, Outcome};
pub use pool::{DevicePool, PoolCopy, PoolError, PoolLimits, PoolPart};
pub use run::{MovedTokens, RunLaunch};
pub use sampling::{Adjustments, AllowedTokens, KeptTokens, RowSampling, SampleLaunch, SampleOutcome, TokenChoice};
pub use sequences::DeviceSequences;
pub use sequences::place::{HostReason, PlaceCounts, SequencePlace, SequenceRun, TokenOutcome};
pub use slot::SLOT_BYTES;
pub use slot::{SlotError, SlotImage, SlotStatus};
pub use slots::error::SlotsError;
pub use slots::formats::FormatId;
pub use slots::launches::{SlotDrafts, SlotLists, SlotRuns};
pub use slots::limits::SlotLimits;
pub use slots::sampling::RowOutcome;
pub use slots::{DeviceSlots, SlotAddresses, SlotId};
pub use stopwatch::Stopwatch;
pub use stream::RawStream;
pub use token_rows::{TokenRows, TokenRowsError};
pub use vocabulary::{DeviceVocabulary, UnknownStop};
pub use weight_format::WeightFormat;

#[cfg(test)]
mod headers {
    //! The headers of `kernels/records` equal the declarations in this crate.

    #![allow(clippy::disallowed_methods, reason = "headers are files")]

    use std::path::Path;

    use crate::record::header::Header;
    use crate::{draft, format, fused, masks, model, outcome, pool, run, sampling, slot, vocabulary};

    /// Returns all headers.
    fn all() -> [Header; 11] {
        [
            format::header(),
            slot::header(),
            outcome::header(),
            vocabulary::header(),
            pool::header(),
            masks::header(),
            sampling::header(),
            fused::header(),
            run::header(),
            draft::header(),
            model::records::header(),
        ]
    }

    #[test]
    fn headers_of_records_are_fresh() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/records");
        let mut paths = Vec::new();
        for header in all() {
            let path = folder.join(header.subject).with_extension("cuh");
            paths.push(path.clone());
            let text = header.finish();
            if std::env::var_os("OGC_BLESS").is_some() {
                std::fs::write(&path, &text).expect("a file");
            }
            let kept = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(kept == text, "{} is not fresh: run this test with OGC_BLESS=1", path.display());
        }
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            assert!(paths.contains(&path), "{}: no source declares it", path.display());
        }
    }
}
