//! Arguments of commands that run a model: where it runs.

use std::num::NonZeroU32;

use clap::{Args, ValueEnum};

/// Where a model runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelDevice {
    /// On the processor
    Cpu,
    /// On the first NVIDIA device
    Cuda,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct DeviceArgs {
    /// Run the model there; `cuda` takes an `ogc` that was built with this feature, and a driver
    #[arg(long, value_name = "DEVICE", value_enum, default_value = "cpu")]
    pub(crate) device: ModelDevice,
    /// On a device, reserve memory for texts of this many tokens, prompts included; longer ones are refused
    #[arg(long, value_name = "COUNT", default_value = "4096")]
    pub(crate) positions: NonZeroU32,
}
