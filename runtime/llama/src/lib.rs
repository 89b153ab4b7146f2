//! Runs models with an unmodified libllama, the library of llama.cpp: every architecture, every quantisation and every backend that it has.
//! It is loaded at run time, and nothing of it is linked.
//!
//! # Steps
//!
//! 1. [`Library::open`] loads the library, finds its [`functions`] and checks that its structs of [`parameters`] are laid out in a way that is
//!    known ([`layout`]). A library that is none, or of another version, is refused here.
//! 2. [`LlamaModel::load`] loads a model into it. It is an [`Engine`](ogc_generate::Engine) of `ogc-generate`, which has the formats, the sampling and
//!    the drafts: [`LlamaModel`] makes passes, with logits wherever they are asked for, and takes positions back.
//! 3. [`LlamaTokenizer`] makes tokens of prompts whose pre-tokenizer `ogc-generate` does not know.
//!
//! # What is not exact
//!
//! llama.cpp rounds states to 8 bits in its products, and chooses its kernels by the number of rows of a pass, so that the logits of a position
//! depend a little on what is read beside it. Where two tokens are nearly as likely, a text may differ with drafts and without.
//!
//! # Safety
//!
//! Calls of libllama are declared as in its `llama.h`. Whoever opens a file as a library runs its code: it must be a libllama. What a file of a model
//! has in it, libllama itself checks.

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
