//! Parameters of `kernels/fused.cu`: the parameters of `kernels/sample.cu`, and the tables needed to move the rows' slots by the chosen
//! tokens.

use std::ffi::CStr;

use zerocopy::IntoBytes;

use crate::record::shared;
use crate::sampling::{SampleLaunch, SampleWork};
use ogc_runtime::logits::LogitFormat;

shared! {
    header "fused", after "format", "sampling", "slot";

    /// Arguments of a launch.
    struct StepWork {
        sample: SampleWork,
        /// The slots, the same as those of `sample`. No two rows have the same slot.
        slots: u64 as *mut Slot,
        formats: u64 as *const FormatEntry,
        vocabulary: u64 as *const u32,
        /// The slot of each row, negative for none; without this list, the slot whose mask the row has, if any.
        slot_numbers: u64 as *const i32,
        /// The outcome of each row's token in its slot, encoded as by `ogc_advance`.
        outcomes: u64 as *mut u32,
        /// The sampled tokens; the entry of a row without a sampled token is unchanged.
        next_tokens: u64 as *mut u32,
    }
}

/// Device addresses and sizes of a launch of `ogc_step_f32`, `ogc_step_f16` or `ogc_step_bf16`. One launch is one step of decoding: it
/// chooses the token of each row, moves the row's slot by the token, and locates the slot's next mask. Launching the same parameters again
/// is the next step.
///
/// Before its first step, a slot must be begun and its mask located (`ogc_begin`, `ogc_locate`); after tokens were taken back, its mask
/// must be located again. No two rows have the same slot. The number of blocks and the scratch memory are as for [`sample`](Self::sample).
///
/// ```
/// use ogc_cuda::{SampleLaunch, StepLaunch};
/// let sample = SampleLaunch { vocabulary: 128_256, width: 128_256, row_count: 64, ..SampleLaunch::default() };
/// let launch = StepLaunch { sample, ..StepLaunch::default() };
/// assert_eq!((launch.sample.blocks(), launch.parameters().len()), ((5, 64), StepLaunch::BYTES));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepLaunch {
    /// Parameters for choosing tokens, including the slots. The tokens that end a text are those of the vocabulary.
    pub sample: SampleLaunch,
    /// Address of the table of formats: two addresses for each format, of its automaton ([`DeviceFormat`](crate::DeviceFormat)) and of its masks
    /// ([`DeviceMasks`](crate::DeviceMasks)).
    pub formats: u64,
    /// Address of the vocabulary: [`DeviceVocabulary`](crate::DeviceVocabulary).
    pub vocabulary: u64,
    /// Address of the slot number of each row, a signed number of 32 bits; negative for no slot. If the address is 0, a row has the slot of
    /// its [`AllowedTokens::Slot`](crate::AllowedTokens::Slot), and other rows have no slot.
    pub slot_numbers: u64,
    /// Address of the outcome of each row's token in its slot, 4 bytes: [`Outcome`](crate::Outcome). It is [`Outcome::None`](crate::Outcome::None) if
    /// the row has no slot or no token.
    pub outcomes: u64,
    /// Address of the chosen token of each row, 4 bytes, for later work on the device. A row without a chosen token keeps its old value.
    pub next_tokens: u64,
}

impl StepLaunch {
    /// Size of the kernels' parameter, in bytes.
    pub const BYTES: usize = size_of::<StepWork>();

    /// Returns the kernel for logits of a format.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::StepLaunch::kernel(ogc_cuda::LogitFormat::F16), c"ogc_step_f16");
    /// ```
    #[must_use]
    pub fn kernel(format: LogitFormat) -> &'static CStr {
        match format {
            LogitFormat::F32 => c"ogc_step_f32",
            LogitFormat::F16 => c"ogc_step_f16",
            LogitFormat::Bf16 => c"ogc_step_bf16",
        }
    }

    /// Returns the parameter of the kernels.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::StepLaunch::default().parameters(), [0; ogc_cuda::StepLaunch::BYTES]);
    /// ```
    #[must_use]
    pub fn parameters(&self) -> Vec<u8> {
        let work = StepWork {
            sample: self.sample.work(),
            slots: self.sample.slots,
            formats: self.formats,
            vocabulary: self.vocabulary,
            slot_numbers: self.slot_numbers,
            outcomes: self.outcomes,
            next_tokens: self.next_tokens,
        };
        work.as_bytes().to_vec()
    }
}
