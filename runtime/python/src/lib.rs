//! The extension module `ogc._ogc`: classes of Python over the runtime and the compiler.
//!
//! | file | classes and functions |
//! |---|---|
//! | `format.rs`, `format_methods.rs` | `Format`, from texts of all languages and artifacts |
//! | `finding.rs` | `Finding`, and the exception `FormatError` that carries them |
//! | `vocabulary.rs` | `Vocabulary`, from tokenizer files or tokens |
//! | `matcher.rs` | `Matcher`, and functions over many of them |
//! | `rows.rs` | `MaskRows` and `LogitRows`: buffers of other libraries, by address |
//! | `follow.rs` | `RowFollower`: matchers for engines that show whole rows of tokens |
//! | `events.rs` | `EventReader` |
//! | `shared.rs` | `forget_shared`, for what compilations share |
//! | `command.rs` | `run_command`, the command line |
//! | `cuda.rs` | with the feature `cuda`: `CudaDevice` and `CudaSlots`, which `ogc.cuda` wraps |
//!
//! Only code that must be Python (type annotations, objects of other libraries) is in `python/ogc`; all else is here.
//!
//! # Rules
//!
//! A buffer of rows is checked once, when `ogc._buffers` makes its rows, which keep the memory alive. While a call writes to rows, nobody else may
//! use them: this is the caller's promise, as for every function that fills an array in place.
//!
//! Methods that take long release the interpreter lock. A matcher that two threads use at once raises `RuntimeError` in one of them.

#![cfg(feature = "module")]
#![allow(unsafe_code, reason = "buffers come from Python as addresses; each use is argued where it stands")]
#![allow(missing_docs, reason = "the documentation of what Python sees is for Python")]

mod command;
#[cfg(feature = "cuda")]
mod cuda;
mod error;
mod events;
mod finding;
mod follow;
mod format;
mod format_methods;
mod matcher;
mod rows;
mod shared;
mod vocabulary;

use pyo3::prelude::*;

#[pymodule]
mod _ogc {
    #[pymodule_export]
    use super::command::run_command;
    #[cfg(feature = "cuda")]
    #[pymodule_export]
    use super::cuda::device::CudaDevice;
    #[cfg(feature = "cuda")]
    #[pymodule_export]
    use super::cuda::slots::CudaSlots;
    #[pymodule_export]
    use super::events::EventReader;
    #[pymodule_export]
    use super::finding::Finding;
    #[pymodule_export]
    use super::follow::RowFollower;
    #[pymodule_export]
    use super::format::Format;
    #[pymodule_export]
    use super::matcher::{Matcher, accept_tokens, fill_masks};
    #[pymodule_export]
    use super::rows::{LogitRows, MaskRows, mask_logits};
    #[pymodule_export]
    use super::shared::forget_shared;
    #[pymodule_export]
    use super::vocabulary::Vocabulary;
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
