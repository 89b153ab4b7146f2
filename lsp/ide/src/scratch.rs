//! A copy of the files in a separate database, in which edits are tried before they are offered.

use std::collections::BTreeMap;
use std::sync::Arc;

use always_assert::never;
use ogc_compiler::db::{Compiler, Language, Options, SourceFile, Workspace};
use rustc_hash::FxHashMap;
use salsa::{Database, Setter};

use crate::place::{FileEdits, applied};
use crate::snapshot::{SettingsOfFiles, Snapshot};

/// The copy. It costs only the memory of the texts until it is queried.
pub(crate) struct Scratch<'s> {
    db: Compiler,
    files: BTreeMap<String, SourceFile>,
    settings: Arc<SettingsOfFiles>,
    /// The copied snapshot: an edit of it also cancels computations here.
    origin: &'s Snapshot,
}

impl<'s> Scratch<'s> {
    /// Copies all files with their options and settings.
    pub(crate) fn of(origin: &'s Snapshot) -> Self {
        let db = Compiler::default();
        let mut options: FxHashMap<Options, Options> = FxHashMap::default();
        let (mut files, mut settings) = (BTreeMap::new(), SettingsOfFiles::default());
        for file in origin.files() {
            let own = file.options(&origin.db);
            let own = *options.entry(own).or_insert_with(|| own.copied(&origin.db, &db));
            let (name, text) = (origin.name(file).to_owned(), origin.text(file).to_owned());
            let copy = SourceFile::new(&db, name.clone(), text, origin.language(file), own);
            settings.by_file.insert(copy, origin.settings(file));
            files.insert(name, copy);
        }
        Workspace::new(&db, files.clone());
        Scratch { db, files, settings: Arc::new(settings), origin }
    }

    /// Applies edits of files of the origin.
    pub(crate) fn edit(&mut self, edits: &[FileEdits]) {
        for FileEdits { file, edits } in edits {
            let Some(copy) = self.copy(*file) else {
                never!("{} was not copied", self.origin.name(*file));
                continue;
            };
            let text = applied(copy.text(&self.db), edits);
            copy.set_text(&mut self.db).to(text);
        }
    }

    /// Sets the text of a file of the origin.
    pub(crate) fn set(&mut self, file: SourceFile, text: &str) {
        let Some(copy) = self.copy(file) else {
            never!("{} was not copied", self.origin.name(file));
            return;
        };
        copy.set_text(&mut self.db).to(text.to_owned());
    }

    /// Adds a file with the options of an existing one.
    pub(crate) fn add(&mut self, name: &str, text: &str, language: Language, like: SourceFile) {
        let Some(like) = self.copy(like) else {
            never!("{} was not copied", self.origin.name(like));
            return;
        };
        let options = like.options(&self.db);
        let file = SourceFile::new(&self.db, name.to_owned(), text.to_owned(), language, options);
        self.files.insert(name.to_owned(), file);
        let Some(workspace) = Workspace::try_get(&self.db) else {
            never!("the copy has no list of files");
            return;
        };
        workspace.set_files(&mut self.db).to(self.files.clone());
    }

    /// Returns the copy of a file of the origin.
    pub(crate) fn copy(&self, file: SourceFile) -> Option<SourceFile> {
        self.files.get(self.origin.name(file)).copied()
    }

    /// Reads the copy. The snapshot must not outlive the call, because edits wait for it.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Snapshot) -> T) -> T {
        self.origin.db.unwind_if_revision_cancelled();
        read(&Snapshot { db: self.db.clone(), settings: Arc::clone(&self.settings), measured: Arc::default() })
    }
}
