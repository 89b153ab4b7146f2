//! The incremental database: what compilation reads from outside. First stage of [`crate::pipeline`].
//!
//! Inputs are set by whoever owns the database (the command line, an editor's server); queries read them, and salsa
//! remembers who read what.

mod inputs;
mod language;
mod limits;

use ogc_grammar::LineIndex;

pub use crate::frontend::json_schema::Formats;
pub use crate::lower::json::{JsonPolicy, Space};
pub use inputs::{Options, SourceFile, VocabularyInput, Workspace};
pub use language::{Language, UnknownLanguage};
pub use limits::Limits;
pub use ogc_regular::LimitError;
pub use ogc_regular::budget::{Allowance, Usage, exhaust, watched};
pub use ogc_regular::number::Spelling;

/// What the pipeline's queries ask for.
#[salsa::db]
pub trait Db: salsa::Database {}

/// The lines of a file, for places in it.
#[salsa::tracked]
pub fn lines(db: &dyn Db, file: SourceFile) -> LineIndex {
    LineIndex::new(file.text(db))
}

/// The pipeline's database. A clone is a handle for another thread; setting an input waits until all clones are gone.
#[salsa::db]
#[derive(Clone, Default)]
pub struct Compiler {
    storage: salsa::Storage<Self>,
}

impl Compiler {
    /// A database that reports what it does, for tests of what is *not* done again.
    #[must_use]
    pub fn with_events(report: impl Fn(salsa::Event) + Send + Sync + 'static) -> Self {
        Self { storage: salsa::Storage::new(Some(Box::new(report))) }
    }
}

impl std::fmt::Debug for Compiler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiler").finish_non_exhaustive()
    }
}

#[salsa::db]
impl salsa::Database for Compiler {}

#[salsa::db]
impl Db for Compiler {}
