//! The incremental database: what compilation reads from outside. First stage of [`crate::pipeline`].
//!
//! The owner of the database (the command line, an editor's server) sets the inputs. Queries read them, and salsa
//! records which query read which input.

mod inputs;
mod language;
mod limits;
mod path;
pub(crate) mod resources;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ogc_grammar::{LineIndex, pulsed};

pub use crate::frontend::json_schema::{Adjustments, Formats, OtherMembers, annotated};
pub use crate::frontend::structural_tag::SpecialTokens;
pub use crate::lower::json::{JsonPolicy, Space};
pub use inputs::{Options, SourceFile, VocabularyInput, Workspace};
pub use language::{Language, UnknownLanguage};
pub use limits::Limits;
pub use ogc_regular::LimitError;
pub use ogc_regular::budget::{Allowance, Usage, exhaust};
pub use ogc_regular::number::Spelling;
pub use ogc_schema::Words;
pub use ogc_schema::keyword::KeywordSet;
pub use path::beside;
pub use resources::Resources;

/// Runs `compilations` under a watch: reading texts, compiling, and writing artifacts and exports call `watch` at their
/// beginning and every few thousand steps or lexemes. `watch` can stop them: by a panic when nobody needs the result
/// any more, or by [`exhaust`].
///
/// ```
/// use ogc_compiler::db::{Compiler, Language, Limits, Options, SourceFile, watched};
/// let db = Compiler::default();
/// let options = Options::new(&db, Default::default(), Default::default(), Limits::default());
/// let text = "root ::= [a-z]+".to_owned();
/// let file = SourceFile::new(&db, "a.gbnf".to_owned(), text, Language::Gbnf, options);
/// let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
///     watched(|| std::panic::resume_unwind(Box::new("nobody waits")), || ogc_compiler::pipeline::automaton(&db, file))
/// }));
/// assert!(stopped.is_err() && ogc_compiler::pipeline::automaton(&db, file).is_some());
/// ```
pub fn watched<T>(watch: impl Fn() + 'static, compilations: impl FnOnce() -> T) -> T {
    let watch = Rc::new(watch);
    let while_reading = Rc::clone(&watch);
    let read = || pulsed(move || while_reading(), compilations);
    ogc_regular::budget::watched(move || watch(), read)
}

/// Functions of the database that the pipeline's queries need.
#[salsa::db]
pub trait Db: salsa::Database {
    /// Counts the bytes of a kept result. Queries call it for large results.
    fn count_kept(&self, bytes: u64);
}

/// The line index of a file, which turns offsets into lines and columns.
#[salsa::tracked]
pub fn lines(db: &dyn Db, file: SourceFile) -> LineIndex {
    LineIndex::new(file.text(db))
}

/// The pipeline's database. A clone is a handle for another thread; setting an input waits until all clones are gone.
#[salsa::db]
#[derive(Clone, Default)]
pub struct Compiler {
    storage: salsa::Storage<Self>,
    /// Bytes of all results kept since the database was made. Results that were replaced, or whose arguments are gone,
    /// still count.
    kept: Arc<AtomicU64>,
}

impl Compiler {
    /// A database that reports its events, for tests of which queries do *not* run again.
    #[must_use]
    pub fn with_events(report: impl Fn(salsa::Event) + Send + Sync + 'static) -> Self {
        Self { storage: salsa::Storage::new(Some(Box::new(report))), kept: Arc::default() }
    }

    /// Returns the approximate bytes of results kept since the database was made. Results for names that a text no
    /// longer has stay as long as the database, so a long-lived editor makes a new database when this number has grown
    /// much.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.kept.load(Ordering::Relaxed)
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
impl Db for Compiler {
    fn count_kept(&self, bytes: u64) {
        self.kept.fetch_add(bytes, Ordering::Relaxed);
    }
}
