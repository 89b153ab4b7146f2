//! A snapshot of the database for features: its state at one moment, with the settings of that moment.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use always_assert::never;
use ogc_compiler::db::{Compiler, Language, SourceFile, VocabularyInput, Workspace, lines, watched};
use ogc_grammar::{LineIndex, Span};
use ogc_lint::findings::Levels;
use rustc_hash::FxHashMap;
use salsa::Database;

use crate::measured::Measured;
use crate::place::FilePosition;

/// A handle on the database. Setting a file cancels the computations of all snapshots, and waits until the snapshots
/// are dropped.
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) db: Compiler,
    pub(crate) settings: Arc<SettingsOfFiles>,
    pub(crate) measured: Arc<Measured>,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").finish_non_exhaustive()
    }
}

/// Settings that are no inputs of queries: they affect what is shown, not what is compiled.
#[derive(Clone, Default)]
pub(crate) struct SettingsOfFiles {
    /// The settings of each file; files without an entry have the defaults.
    pub(crate) by_file: FxHashMap<SourceFile, Arc<FileSettings>>,
    /// The loaded vocabularies, by name.
    pub(crate) vocabularies: BTreeMap<String, VocabularyInput>,
    /// The reasons why vocabularies cannot be loaded, by name.
    pub(crate) failed: BTreeMap<String, String>,
}

/// Settings of a file from `ogc.toml` and the editor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileSettings {
    /// The levels of findings.
    pub levels: Levels,
    /// The vocabularies for which costs are shown, by name; the first one is used for masks.
    pub vocabularies: Vec<String>,
}

/// An error: an edit came while a feature was running, so its result would be about the old text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the text was edited in the meantime")
    }
}

impl std::error::Error for Cancelled {}

/// Runs a feature on a snapshot. An edit cancels the feature, between queries or during long ones.
///
/// # Errors
/// An edit came in the meantime.
pub fn cancellable<T>(snapshot: &Snapshot, feature: impl FnOnce(&Snapshot) -> T) -> Result<T, Cancelled> {
    let db = snapshot.db.clone();
    let watch = move || db.unwind_if_revision_cancelled();
    // A feature owns its results, so nothing half-made is visible after it unwinds.
    let run = AssertUnwindSafe(|| watched(watch, || feature(snapshot)));
    salsa::Cancelled::catch(run).map_err(|_| Cancelled)
}

impl Snapshot {
    /// Returns the file with this name, if the editor or an import has it.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<SourceFile> {
        Workspace::try_get(&self.db)?.files(&self.db).get(name).copied()
    }

    /// Returns all files, in order of name.
    #[must_use]
    pub fn files(&self) -> Vec<SourceFile> {
        Workspace::try_get(&self.db).map(|all| all.files(&self.db).values().copied().collect()).unwrap_or_default()
    }

    /// Returns the name of a file, as it was set.
    #[must_use]
    pub fn name(&self, file: SourceFile) -> &str {
        file.name(&self.db)
    }

    /// Returns the text of a file.
    #[must_use]
    pub fn text(&self, file: SourceFile) -> &str {
        file.text(&self.db)
    }

    /// Returns the language of a file.
    #[must_use]
    pub fn language(&self, file: SourceFile) -> Language {
        file.language(&self.db)
    }

    /// Returns the lines of a file.
    #[must_use]
    pub fn lines(&self, file: SourceFile) -> &LineIndex {
        lines(&self.db, file)
    }

    /// Returns a part of a file's text.
    #[must_use]
    pub fn slice(&self, file: SourceFile, span: Span) -> &str {
        self.text(file).get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Returns a position in a file, moved back to the nearest character boundary.
    #[must_use]
    pub fn position(&self, file: SourceFile, offset: u32) -> FilePosition {
        let text = self.text(file);
        let most = (offset as usize).min(text.len());
        let at = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_else(|| {
            never!("no character of {} begins at 0", self.name(file));
            0
        });
        FilePosition { file, offset: at as u32 }
    }

    /// Returns the names of all vocabularies in the settings of files that are neither loaded nor failed.
    #[must_use]
    pub fn missing_vocabularies(&self) -> Vec<String> {
        let named: BTreeSet<&String> = self.settings.by_file.values().flat_map(|one| &one.vocabularies).collect();
        named.into_iter().filter(|name| self.lacks_vocabulary(name)).cloned().collect()
    }

    /// Returns whether a vocabulary is neither loaded nor failed.
    #[must_use]
    pub fn lacks_vocabulary(&self, name: &str) -> bool {
        !self.settings.vocabularies.contains_key(name) && !self.settings.failed.contains_key(name)
    }

    /// Returns the settings of a file.
    #[must_use]
    pub fn settings(&self, file: SourceFile) -> Arc<FileSettings> {
        self.settings.by_file.get(&file).cloned().unwrap_or_default()
    }
}
