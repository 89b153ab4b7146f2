//! Arguments of commands that run a model: the engine, and the device.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Where a model runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelDevice {
    /// The processor
    Cpu,
    /// The first NVIDIA GPU
    Cuda,
}

/// The engine that runs the passes of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelEngine {
    /// The engine of ogc itself, for models of the Llama family; needs nothing else
    Embedded,
    /// An installed libllama (June 2025 to 0.6), for any GGUF file and on any device that it supports
    Llama,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct DeviceArgs {
    /// The device that runs the model; `cuda` needs an NVIDIA driver and an `ogc` built with `--features cuda`
    #[arg(long, value_name = "DEVICE", value_enum, default_value = "cpu", help_heading = "Model")]
    pub(crate) device: ModelDevice,
    /// The program that runs the model
    #[arg(long, value_name = "ENGINE", value_enum, default_value = "embedded", help_heading = "Model")]
    pub(crate) engine: ModelEngine,
    /// With --engine llama: the file of libllama, or the folder with it and its backends [default: what the environment
    /// variable OGC_LLAMA names, or the one that the system finds]
    #[arg(long, value_name = "PATH", help_heading = "Model")]
    pub(crate) library: Option<PathBuf>,
    /// With --engine llama: put this many layers of the model on the GPU [default: as libllama does]
    #[arg(long, value_name = "COUNT", help_heading = "Model")]
    pub(crate) gpu_layers: Option<u32>,
    /// Run the model on this many threads [default: as many as the machine has]
    #[arg(long, value_name = "COUNT", help_heading = "Model")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// With --device cuda or --engine llama: reserve memory for this many tokens a text, prompt included; longer texts
    /// are refused
    #[arg(long, value_name = "COUNT", default_value = "4096", help_heading = "Model")]
    pub(crate) positions: NonZeroU32,
}
