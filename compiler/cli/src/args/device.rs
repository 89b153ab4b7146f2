//! Arguments of commands that run a model: the engine, and the device.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Where a model runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelDevice {
    /// On the processor
    Cpu,
    /// On the first NVIDIA device
    Cuda,
}

/// The engine that runs the passes of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelEngine {
    /// The engine in this program, for models of the Llama family
    Embedded,
    /// The library of llama.cpp, for any model in GGUF that it runs
    Llama,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct DeviceArgs {
    /// Run the model there; `cuda` takes an `ogc` that was built with this feature, and a driver
    #[arg(long, value_name = "DEVICE", value_enum, default_value = "cpu", help_heading = "Model")]
    pub(crate) device: ModelDevice,
    /// Have this make the passes of the model: `embedded` needs nothing else; `llama` loads an unmodified libllama (June 2025 to 0.6), and runs
    /// any GGUF file that it does, on the devices that it has backends for
    #[arg(long, value_name = "ENGINE", value_enum, default_value = "embedded", help_heading = "Model")]
    pub(crate) engine: ModelEngine,
    /// With --engine llama: the file of libllama, or the folder with it and its backends [default: what `OGC_LLAMA` of the environment names, or
    /// the one that the system finds]
    #[arg(long, value_name = "PATH", help_heading = "Model")]
    pub(crate) library: Option<PathBuf>,
    /// With --engine llama: put this many layers of the model on a device [default: as libllama does]
    #[arg(long, value_name = "COUNT", help_heading = "Model")]
    pub(crate) gpu_layers: Option<u32>,
    /// Run the passes of the model on this many threads [default: as many as the machine has]
    #[arg(long, value_name = "COUNT", help_heading = "Model")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// On a device or with --engine llama: reserve memory for texts of this many tokens, prompts included; longer ones are refused
    #[arg(long, value_name = "COUNT", default_value = "4096", help_heading = "Model")]
    pub(crate) positions: NonZeroU32,
}
