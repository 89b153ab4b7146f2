//! The known layouts of the parameter structs, as tables of their fields and defaults.
//!
//! A struct has a layout if each field has its default at the layout's offset, and nothing was written after the last field. One of these
//! tests fails if a field was added, removed, moved or resized. The tables follow `llama.h` and the functions that return the defaults, as
//! in the named versions of the crate llama-cpp-sys-2.

use crate::parameters::{PATTERN, Parameters};

/// The known versions, in words.
pub(crate) const KNOWN: &str = "June 2025 (b5700) to 0.6";

/// Default of a field, which also determines its type.
#[derive(Clone, Copy, Debug)]
enum Initial {
    /// A pointer that is null.
    Null,
    /// A size that is zero.
    ZeroSize,
    /// A number of 32 bits, integer or enum, with one of these values.
    Int(&'static [i32]),
    Float(f32),
    Flag(bool),
}

/// A field: its name and its default.
type Field = (&'static str, Initial);

/// The layout of a struct in some versions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    fields: &'static [&'static [Field]],
}

use self::Initial::{Flag, Float, Int, Null, ZeroSize};

const ZERO: Initial = Int(&[0]);

/// First fields of `llama_model_params`. Libraries with Metal were the first whose default was 999 layers on a device.
const MODEL_HEAD: &[Field] =
    &[("devices", Null), ("tensor_buft_overrides", Null), (LAYERS, Int(&[0, 999, -1])), ("split_mode", Int(&[1]))];

/// Fields of `llama_model_params` after `main_gpu`.
const MODEL_MIDDLE: &[Field] = &[
    ("main_gpu", ZERO),
    ("tensor_split", Null),
    ("progress_callback", Null),
    ("progress_callback_user_data", Null),
    ("kv_overrides", Null),
    ("vocab_only", Flag(false)),
];

const MMAP: &[Field] = &[("use_mmap", Flag(true))];
const DIRECT: &[Field] = &[("use_direct_io", Flag(true))];
const MLOCK: &[Field] = &[("use_mlock", Flag(false)), CHECK];
const CHECK: Field = ("check_tensors", Flag(false));
const EXTRA: &[Field] = &[("use_extra_bufts", Flag(true))];
const NO_HOST: &[Field] = &[("no_host", Flag(false))];
const NO_ALLOC: &[Field] = &[("no_alloc", Flag(false))];
const LOAD_MODE: &[Field] = &[("load_mode", Int(&[-1]))];
const LAZY_MODE: &[Field] = &[("lazy_mode", Int(&[1]))];
const MODEL_TAIL: &[Field] = &[
    CHECK,
    ("use_extra_bufts", Flag(true)),
    ("no_host", Flag(false)),
    ("no_alloc", Flag(false)),
    ("load_mtp", Flag(false)),
];

/// `llama_model_params`, by versions of llama-cpp-sys-2.
pub(crate) const MODEL: &[Layout] = &[
    // 0.1.112
    Layout { fields: &[MODEL_HEAD, MODEL_MIDDLE, MMAP, MLOCK] },
    // 0.1.117 and 0.1.122
    Layout { fields: &[MODEL_HEAD, MODEL_MIDDLE, MMAP, MLOCK, EXTRA] },
    // 0.1.127
    Layout { fields: &[MODEL_HEAD, MODEL_MIDDLE, MMAP, MLOCK, EXTRA, NO_HOST] },
    // 0.1.135 to 0.1.150
    Layout { fields: &[MODEL_HEAD, MODEL_MIDDLE, MMAP, DIRECT, MLOCK, EXTRA, NO_HOST, NO_ALLOC] },
    // 0.1.155
    Layout { fields: &[MODEL_HEAD, LOAD_MODE, MODEL_MIDDLE, MODEL_TAIL] },
    // 0.1.161, and libllama 0.5.0
    Layout { fields: &[MODEL_HEAD, LOAD_MODE, LAZY_MODE, MODEL_MIDDLE, MODEL_TAIL] },
];

/// First fields of `llama_context_params`.
const CONTEXT_HEAD: &[Field] =
    &[(POSITIONS, Int(&[512])), (BATCH, Int(&[2048])), (MICRO_BATCH, Int(&[512])), (SEQUENCES, Int(&[1]))];

const SNAPSHOTS: &[Field] = &[("n_rs_seq", ZERO), ("n_outputs_max", ZERO)];
const OUTPUTS: &[Field] = &[("n_outputs_max_per_seq", Int(&[1]))];
const THREADS: &[Field] = &[("n_threads", Int(&[4])), ("n_threads_batch", Int(&[4]))];
const KIND: &[Field] = &[("ctx_type", ZERO)];
const TYPES: &[Field] =
    &[("rope_scaling_type", Int(&[-1])), ("pooling_type", Int(&[-1])), ("attention_type", Int(&[-1]))];
const FLASH: &[Field] = &[("flash_attn_type", Int(&[-1]))];
const ROPE: &[Field] =
    &[("rope_freq_base", Float(0.0)), ("rope_freq_scale", Float(0.0)), ("yarn_ext_factor", Float(-1.0))];

/// The parameters of YaRN, while their defaults were concrete values instead of -1.
const YARN_GIVEN: &[Field] =
    &[("yarn_attn_factor", Float(1.0)), ("yarn_beta_fast", Float(32.0)), ("yarn_beta_slow", Float(1.0))];
const YARN: &[Field] =
    &[("yarn_attn_factor", Float(-1.0)), ("yarn_beta_fast", Float(-1.0)), ("yarn_beta_slow", Float(-1.0))];

const CONTEXT_MIDDLE: &[Field] = &[
    ("yarn_orig_ctx", ZERO),
    ("defrag_thold", Float(-1.0)),
    ("cb_eval", Null),
    ("cb_eval_user_data", Null),
    ("type_k", Int(&[1])),
    ("type_v", Int(&[1])),
    ("abort_callback", Null),
    ("abort_callback_data", Null),
    ("embeddings", Flag(false)),
    ("offload_kqv", Flag(true)),
];

const FLASH_FLAG: &[Field] = &[("flash_attn", Flag(false))];
const CONTEXT_FLAGS: &[Field] = &[("no_perf", Flag(true)), ("op_offload", Flag(true)), ("swa_full", Flag(true))];
const UNIFIED: &[Field] = &[("kv_unified", Flag(false))];
const SAMPLERS: &[Field] = &[("samplers", Null), ("n_samplers", ZeroSize)];
const OTHER: &[Field] = &[("ctx_other", Null)];

/// `llama_context_params`, by versions of llama-cpp-sys-2.
pub(crate) const CONTEXT: &[Layout] = &[
    // 0.1.112
    Layout { fields: &[CONTEXT_HEAD, THREADS, TYPES, ROPE, YARN_GIVEN, CONTEXT_MIDDLE, FLASH_FLAG, CONTEXT_FLAGS] },
    // 0.1.117
    Layout {
        fields: &[CONTEXT_HEAD, THREADS, TYPES, ROPE, YARN_GIVEN, CONTEXT_MIDDLE, FLASH_FLAG, CONTEXT_FLAGS, UNIFIED],
    },
    // 0.1.122 and 0.1.127
    Layout { fields: &[CONTEXT_HEAD, THREADS, TYPES, FLASH, ROPE, YARN, CONTEXT_MIDDLE, CONTEXT_FLAGS, UNIFIED] },
    // 0.1.135 to 0.1.145
    Layout {
        fields: &[CONTEXT_HEAD, THREADS, TYPES, FLASH, ROPE, YARN, CONTEXT_MIDDLE, CONTEXT_FLAGS, UNIFIED, SAMPLERS],
    },
    // 0.1.150
    Layout {
        fields: &[
            CONTEXT_HEAD,
            SNAPSHOTS,
            THREADS,
            KIND,
            TYPES,
            FLASH,
            ROPE,
            YARN,
            CONTEXT_MIDDLE,
            CONTEXT_FLAGS,
            UNIFIED,
            SAMPLERS,
            OTHER,
        ],
    },
    // 0.1.155 and 0.1.161, and libllama 0.5.0
    Layout {
        fields: &[
            CONTEXT_HEAD,
            SNAPSHOTS,
            OUTPUTS,
            THREADS,
            KIND,
            TYPES,
            FLASH,
            ROPE,
            YARN,
            CONTEXT_MIDDLE,
            CONTEXT_FLAGS,
            UNIFIED,
            SAMPLERS,
            OTHER,
        ],
    },
];

/// Number of layers on a device.
pub(crate) const LAYERS: &str = "n_gpu_layers";
/// Number of positions of all texts together.
pub(crate) const POSITIONS: &str = "n_ctx";
/// Maximum number of tokens of a pass.
pub(crate) const BATCH: &str = "n_batch";
/// Maximum number of tokens that are computed at once.
pub(crate) const MICRO_BATCH: &str = "n_ubatch";
/// Number of texts.
pub(crate) const SEQUENCES: &str = "n_seq_max";

impl Initial {
    /// Returns the size of the field in bytes, which is also its alignment.
    fn size(self) -> usize {
        match self {
            Self::Null | Self::ZeroSize => 8,
            Self::Int(_) | Self::Float(_) => 4,
            Self::Flag(_) => 1,
        }
    }

    /// Returns whether bytes equal this default.
    fn is(self, bytes: &[u8]) -> bool {
        match self {
            Self::Null | Self::ZeroSize => bytes == [0; 8],
            Self::Int(numbers) => numbers.iter().any(|number| bytes == number.to_le_bytes()),
            Self::Float(number) => bytes == number.to_le_bytes(),
            Self::Flag(holds) => bytes == [u8::from(holds)],
        }
    }
}

impl Layout {
    /// Returns the fields, each with its offset in bytes.
    fn placed(self) -> impl Iterator<Item = (usize, Field)> {
        self.fields.iter().copied().flatten().scan(0, |end: &mut usize, &field| {
            let size = field.1.size();
            let offset = end.next_multiple_of(size);
            *end = offset + size;
            Some((offset, field))
        })
    }

    /// Returns the end of the last field, in bytes; the size of the struct is rounded up to its alignment.
    fn end(self) -> usize {
        self.placed().last().map_or(0, |(offset, (_, default))| offset + default.size())
    }

    /// Returns whether the defaults of a library have this layout.
    fn is_of(self, defaults: &Parameters) -> bool {
        let are_defaults = self.placed().all(|(at, (_, default))| default.is(&defaults.0[at..at + default.size()]));
        // Padding may or may not have been written.
        let (pads, behind) = defaults.0[self.end()..].split_at(self.end().next_multiple_of(8) - self.end());
        are_defaults
            && pads.iter().all(|byte| matches!(*byte, PATTERN | 0))
            && behind.iter().all(|byte| *byte == PATTERN)
    }

    /// Returns the offset of a field, in bytes.
    pub(crate) fn offset(self, name: &str) -> Option<usize> {
        self.placed().find(|(_, field)| field.0 == name).map(|(offset, _)| offset)
    }
}

/// Finds the layout of a library's defaults. Two layouts may fit if they differ only in a flag that is off in one, where the other has
/// padding. Then the longer one is returned; all other fields are at the same offsets in both.
pub(crate) fn find(layouts: &[Layout], defaults: &Parameters) -> Option<Layout> {
    layouts.iter().copied().filter(|layout| layout.is_of(defaults)).max_by_key(|layout| layout.end())
}

#[cfg(test)]
mod tests;
