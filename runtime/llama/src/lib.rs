//! Runs models with an unmodified libllama, the library of llama.cpp, with all its architectures, quantisations and backends. The library
//! is loaded at run time; this crate links none of it.
//!
//! # Steps
//!
//! 1. [`Library::open`] loads the library, finds its [`functions`] and checks that its structs of [`parameters`] have a known [`layout`].
//!    It refuses a file that is not libllama, and an unknown version.
//! 2. [`LlamaModel::load`] loads a model. It is an [`Engine`](ogc_generate::Engine) of `ogc-generate`, which adds formats, sampling and
//!    drafts: [`LlamaModel`] makes passes, with logits where they are requested, and truncates texts.
//! 3. [`LlamaTokenizer`] tokenises prompts if `ogc-generate` does not know the model's pre-tokenizer.
//!
//! # Inexact results
//!
//! llama.cpp rounds states to 8 bits in its MatMuls, and chooses its kernels by the number of rows of a pass. So the logits of a position
//! depend slightly on the other rows of its pass. If two tokens are nearly equally likely, a text may differ with and without drafts.
//!
//! # Safety
//!
//! libllama is called as its `llama.h` declares. Opening a file as a library runs its code, so that the file must be a libllama. libllama
//! itself checks the contents of model files.

mod error;
mod functions;
mod layout;
mod library;
mod log;
mod model;
mod parameters;
mod tokenizer;

pub use error::LlamaError;
pub use library::Library;
pub use model::{LlamaModel, LlamaOptions};
pub use tokenizer::LlamaTokenizer;
