//! Every input language of ogc *as text*: characters in, trees with spans and diagnostics out.
//!
//! This crate is the first stage of the pipeline. It must not know salsa, editors, automata, tokens of a vocabulary
//! or what a grammar means; it knows notation only.
//!
//! # Steps
//!
//! 1. [`json`] reads JSON, keeping number literals exactly as written: [`json::parse`].
//! 2. [`gbnf`] reads llama.cpp's GBNF, [`ebnf`] W3C and ISO 14977 EBNF, [`abnf`] the ABNF of RFC 5234, [`lark`] Lark's
//!    grammars; all give one tree, [`rules::Grammar`].
//! 3. [`rules::check()`] finds undefined and duplicate rules and a missing start rule in such a tree.
//! 4. [`rules::print()`] writes a tree as GBNF again.
//! 5. [`ogc`] reads, lays out and prints the ogc language itself: [`ogc::parse()`], [`ogc::format()`].
//!
//! Every place is a [`Span`] of bytes; a [`LineIndex`] maps it to a line and a column. [`outline`] shows any of the
//! trees.
//!
//! Broken input is data: every reader returns the part that it understood together with a list of [`Diagnostic`]s, and
//! never panics. The error of every limit states the given and the allowed number.

pub mod abnf;
pub mod code;
pub mod cost;
pub mod diagnostic;
pub mod doubts;
pub mod ebnf;
pub mod fix;
pub mod gbnf;
pub mod json;
pub mod lark;
pub mod level;
pub mod line_ends;
pub mod lines;
pub mod looks;
mod notation;
pub mod ogc;
pub mod outline;
mod pulse;
pub mod rules;
mod severity;
pub mod span;
pub mod spelling;

#[cfg(test)]
mod tests;

pub use abnf::parse_abnf;
pub use code::Code;
pub use cost::{Cost, MaskCost, Times};
pub use diagnostic::Diagnostic;
pub use ebnf::parse_ebnf;
pub use fix::Fix;
pub use gbnf::parse_gbnf;
pub use lark::parse_lark;
pub use level::Level;
pub use line_ends::LineEnds;
pub use lines::{ColumnUnit, LineIndex, Position};
pub use pulse::pulsed;
pub use rules::Grammar;
pub use severity::Severity;
pub use span::{Span, Spanned};
pub use spelling::nearest;
