//! Editor features as functions of a database, a file and an offset. Knows no protocol, no files on a disk and no threads.
//!
//! # Parts
//!
//! 1. [`host`] holds the database. One thread owns it and sets files; every edit is one call.
//! 2. Features read a [`Snapshot`]: a handle on the database as it was when the snapshot was taken. An edit cancels the
//!    features that still run on older snapshots ([`cancellable`]).
//! 3. Every feature is a function `feature(&Snapshot, ...)` in a module of its own. It returns plain data with places
//!    as byte offsets ([`FileSpan`]); a server converts them to lines and columns.
//!
//! Each feature is tested with texts that have a cursor in them (`fixture`).

pub mod actions;
pub mod call_hierarchy;
mod changes;
pub mod code_lens;
pub mod completion;
pub mod costs;
pub mod diagnostics;
mod documentation;
pub mod file_rename;
pub mod folding;
mod foreign_names;
pub mod formatting;
pub mod goto;
mod growth;
pub mod highlight;
pub mod host;
pub mod hover;
pub mod inlay_hints;
mod items;
mod json_place;
pub mod links;
mod lookup;
mod measured;
pub mod place;
pub mod references;
pub mod related;
pub mod rename;
pub mod requests;
mod schema_keywords;
mod schema_place;
mod scratch;
pub mod selection;
pub mod semantic_tokens;
pub mod settings_file;
mod shape;
pub mod signature_help;
pub mod snapshot;
pub mod symbols;
pub mod tests;
pub mod vocabulary;
mod walk;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod property;
#[cfg(test)]
mod same;

pub use documentation::{CodeBlock, Documentation};
pub use host::Host;
pub use ogc_compiler::db::{Language, SourceFile};
pub use ogc_compiler::pipeline::Format;
pub use ogc_grammar::{Code, ColumnUnit, Diagnostic, Fix, LineEnds, LineIndex, Position, Severity, Span};
pub use place::{FileEdits, FilePosition, FileSpan, TextEdit};
pub use snapshot::{Cancelled, Snapshot, cancellable};
