//! The compiler as a library: turns a source text into an artifact, or into findings with their places.
//!
//! The C interface and the Python package compile through this crate. It reads no files: a [`Source`] is a named text
//! together with the texts that it may import.
//!
//! ```
//! use ogc_compiler::db::Language;
//! use ogc_embed::{Source, compile};
//!
//! let compiled = compile(&Source::new("answer.ogc", "output answer = \"yes\" | \"no\"\n", Language::Ogc))?;
//! assert!(compiled.findings.is_empty());
//!
//! let error = compile(&Source::new("answer.ogc", "output answer = yes\n", Language::Ogc)).expect_err("no such name");
//! assert!(error.to_string().starts_with("answer.ogc:1:17: "));
//! # Ok::<(), ogc_embed::Refused>(())
//! ```

mod compile;
mod finding;
mod source;

pub use compile::{Compiled, Refused, compile};
pub use finding::{Finding, FindingPlace, Label};
pub use ogc_schema::forget_shared;
pub use source::{NamedText, Source};
