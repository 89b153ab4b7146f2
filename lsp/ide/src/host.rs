//! The owner of the database: sets files as an editor changes them.

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_compiler::db::{
    Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, VocabularyInput, Workspace,
};
use ogc_compiler::hir::scope;
use ogc_runtime::mask::MaskStore;
use salsa::Setter;

use crate::costs::Measured;
use crate::settings_file::SettingsFiles;
use crate::snapshot::{FileSettings, SettingsOfFiles, Snapshot};

/// The database and its files. Files have names as imports resolve them: absolute paths with `/`, or, for a document that
/// was never saved, any other text.
pub struct Host {
    db: Compiler,
    files: BTreeMap<String, SourceFile>,
    options: Options,
    settings: Arc<SettingsOfFiles>,
    settings_files: SettingsFiles,
    measured: Arc<Measured>,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").field("files", &self.files.keys()).finish_non_exhaustive()
    }
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// Makes a host without files.
    #[must_use]
    pub fn new() -> Self {
        let db = Compiler::default();
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        Workspace::new(&db, BTreeMap::new());
        Self {
            db,
            files: BTreeMap::new(),
            options,
            settings: Arc::default(),
            settings_files: SettingsFiles::default(),
            measured: Arc::default(),
        }
    }

    /// Sets the text of a file, which is opened if it was not. Waits for snapshots to be dropped, and cancels them.
    pub fn set_file(&mut self, name: &str, text: String, language: Language) -> SourceFile {
        match self.files.get(name) {
            Some(&file) => {
                if file.language(&self.db) != language {
                    file.set_language(&mut self.db).to(language);
                }
                if file.text(&self.db) != text {
                    file.set_text(&mut self.db).to(text);
                }
                file
            }
            None => {
                let file = SourceFile::new(&self.db, name.to_owned(), text, language, self.options);
                self.files.insert(name.to_owned(), file);
                self.settle(name, file);
                self.publish();
                file
            }
        }
    }

    /// Removes a file: imports do not find it any more.
    pub fn remove_file(&mut self, name: &str) {
        if self.files.remove(name).is_some() {
            self.publish();
        }
    }

    /// Returns the file of a name.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<SourceFile> {
        self.files.get(name).copied()
    }

    /// Returns the names of files that some file imports and that are not there: whoever knows the disk reads them.
    #[must_use]
    pub fn missing_imports(&self) -> Vec<String> {
        let ogc = self.files.values().filter(|file| file.language(&self.db) == Language::Ogc);
        let named = ogc.flat_map(|file| scope::imports(&self.db, *file)).map(|(name, _)| name);
        let mut missing: Vec<String> = named.filter(|name| !self.files.contains_key(name)).collect();
        missing.sort();
        missing.dedup();
        missing
    }

    /// Returns a handle for features.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { db: self.db.clone(), settings: Arc::clone(&self.settings), measured: Arc::clone(&self.measured) }
    }

    /// Sets the vocabulary of a name, for masks.
    pub fn set_vocabulary(&mut self, name: &str, store: Arc<MaskStore>) {
        let input = VocabularyInput::of(&self.db, store);
        Arc::make_mut(&mut self.settings).vocabularies.insert(name.to_owned(), input);
    }

    /// Sets the settings of a file.
    pub fn set_file_settings(&mut self, file: SourceFile, settings: FileSettings) {
        Arc::make_mut(&mut self.settings).by_file.insert(file, Arc::new(settings));
    }

    /// Sets the text of an `ogc.toml`, which decides about the files in its folder and below, where no nearer one does. It
    /// replaces what [`Host::set_file_settings`] said of them.
    pub fn set_settings_file(&mut self, name: &str, text: &str) {
        if self.settings_files.set(&self.db, name, text) {
            self.settle_all();
        }
    }

    /// Removes an `ogc.toml`.
    pub fn remove_settings_file(&mut self, name: &str) {
        if self.settings_files.remove(name) {
            self.settle_all();
        }
    }

    /// Gives all files the settings of their nearest settings file.
    fn settle_all(&mut self) {
        Arc::make_mut(&mut self.settings).by_file.clear();
        for (name, file) in self.files.clone() {
            self.settle(&name, file);
        }
    }

    /// Gives a file the settings of its nearest settings file.
    fn settle(&mut self, name: &str, file: SourceFile) {
        let (options, settings) = match self.settings_files.of(name) {
            Some((options, settings)) => (options, Some(settings)),
            None => (self.options, None),
        };
        if file.options(&self.db) != options {
            file.set_options(&mut self.db).to(options);
        }
        if let Some(settings) = settings {
            self.set_file_settings(file, settings);
        }
    }

    /// Tells queries which files there are.
    fn publish(&mut self) {
        let files = self.files.clone();
        match Workspace::try_get(&self.db) {
            Some(workspace) => {
                workspace.set_files(&mut self.db).to(files);
            }
            None => {
                Workspace::new(&self.db, files);
            }
        }
    }
}
