//! The owner of the database: sets files as an editor changes them.
//!
//! A database never forgets names: results for a renamed item or a closed file stay. So the host counts the kept bytes,
//! and starts a new database when they are much more than the files need.

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_compiler::db::{
    Compiler, Db, Formats, JsonPolicy, Language, Limits, Options, SourceFile, VocabularyInput, Workspace,
};
use ogc_compiler::foreign::{Linked, links};
use ogc_compiler::hir::scope;
use ogc_runtime::mask::MaskStore;
use salsa::{Database, Setter};

use crate::growth::Growth;
use crate::measured::Measured;
use crate::settings_file::SettingsFiles;
use crate::snapshot::{FileSettings, SettingsOfFiles, Snapshot};
use crate::vocabulary::BUILT_IN;

/// The database and its files. Files have the names that imports resolve to: absolute paths with `/`, or, for a
/// document that was never saved, any other text.
pub struct Host {
    db: Compiler,
    files: BTreeMap<String, SourceFile>,
    options: Options,
    settings: Arc<SettingsOfFiles>,
    settings_files: SettingsFiles,
    /// The vocabularies that an editor names; `None` without an editor.
    editor_vocabularies: Option<Vec<String>>,
    measured: Arc<Measured>,
    growth: Growth,
}

/// Estimated memory of the queries about a file, per byte of its text.
const FILE_BYTE: u64 = 100;

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
            editor_vocabularies: None,
            measured: Arc::default(),
            growth: Growth::default(),
        }
    }

    /// Starts a new database if the kept results have grown too much. That cancels snapshots and waits until they are
    /// dropped. Callers use this between requests; edits do it themselves.
    pub fn trim(&mut self) {
        if self.growth.is_too_much(self.db.kept()) {
            self.renew();
        }
    }

    /// Records an edit that is about to happen, and replaces the database if needed.
    fn before_edit(&mut self) {
        self.growth.edited(self.db.kept());
        self.trim();
    }

    /// Moves all files and settings to a new database without results.
    fn renew(&mut self) {
        self.db.trigger_cancellation();
        let db = Compiler::default();
        let old = std::mem::replace(&mut self.db, db);
        self.growth = Growth::default();
        self.options = Options::new(&self.db, JsonPolicy::default(), Formats::default(), Limits::default());
        self.settings_files.move_to(&self.db);
        let settings = Arc::make_mut(&mut self.settings);
        for input in settings.vocabularies.values_mut() {
            *input = VocabularyInput::of(&self.db, input.store(&old));
        }
        let mut by_file = std::mem::take(&mut settings.by_file);
        for (name, known) in std::mem::take(&mut self.files) {
            let (text, language) = (known.text(&old).to_owned(), known.language(&old));
            let options = self.settings_files.of(&name).map_or(self.options, |(options, _)| options);
            let file = SourceFile::new(&self.db, name.clone(), text, language, options);
            if let Some(settings) = by_file.remove(&known) {
                self.set_file_settings(file, (*settings).clone());
            }
            self.files.insert(name, file);
        }
        Workspace::new(&self.db, self.files.clone());
    }

    /// Sets the text of a file, and opens it if it is not open. Cancels snapshots, and waits until they are dropped.
    pub fn set_file(&mut self, name: &str, text: String, language: Language) -> SourceFile {
        self.before_edit();
        let before = self.files.len();
        let file = self.set_input(name, text, language);
        if self.files.len() != before {
            self.publish();
        }
        file
    }

    fn set_input(&mut self, name: &str, text: String, language: Language) -> SourceFile {
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
                file
            }
        }
    }

    /// Sets the texts of many files at once, which is faster than one by one.
    pub fn set_files(&mut self, files: impl IntoIterator<Item = (String, String, Language)>) {
        self.before_edit();
        let before = self.files.len();
        for (name, text, language) in files {
            self.set_input(&name, text, language);
        }
        if self.files.len() != before {
            self.publish();
        }
    }

    /// Removes a file: imports no longer find it.
    pub fn remove_file(&mut self, name: &str) {
        self.before_edit();
        if let Some(file) = self.files.remove(name) {
            self.db.count_kept(file.text(&self.db).len() as u64 * FILE_BYTE);
            self.publish();
        }
    }

    /// Returns the file with this name.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<SourceFile> {
        self.files.get(name).copied()
    }

    /// Returns the names of the files that a file imports or refers to, existing or not.
    #[must_use]
    pub fn imports(&self, name: &str) -> Vec<String> {
        let mut names = self.files.get(name).map(|file| self.named_by(*file)).unwrap_or_default();
        names.sort();
        names.dedup();
        names
    }

    /// Returns the names of missing files that some file imports; the caller with access to the disk reads them.
    #[must_use]
    pub fn missing_imports(&self) -> Vec<String> {
        let named = self.files.values().flat_map(|file| self.named_by(*file));
        let mut missing: Vec<String> = named.filter(|name| !self.files.contains_key(name)).collect();
        missing.sort();
        missing.dedup();
        missing
    }

    fn named_by(&self, file: SourceFile) -> Vec<String> {
        match file.language(&self.db) {
            Language::Ogc => scope::imports(&self.db, file).into_iter().map(|(name, _)| name).collect(),
            _ => {
                let Linked { files, wanted } = links(&self.db, file).clone();
                files.into_iter().map(|file| file.name(&self.db).to_owned()).chain(wanted).collect()
            }
        }
    }

    /// Returns a handle for features.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { db: self.db.clone(), settings: Arc::clone(&self.settings), measured: Arc::clone(&self.measured) }
    }

    /// Sets the vocabulary called `name`, for masks.
    pub fn set_vocabulary(&mut self, name: &str, store: Arc<MaskStore>) {
        let input = VocabularyInput::of(&self.db, store);
        let settings = Arc::make_mut(&mut self.settings);
        settings.vocabularies.insert(name.to_owned(), input);
        settings.failed.remove(name);
    }

    /// Records why the vocabulary called `name` cannot be loaded.
    pub fn set_vocabulary_error(&mut self, name: &str, message: String) {
        Arc::make_mut(&mut self.settings).failed.insert(name.to_owned(), message);
    }

    /// Sets the vocabularies that the editor names; they apply to all files, whatever settings files say. If the list
    /// is empty, settings files decide, and files without a vocabulary in their settings get the built-in one.
    pub fn set_editor_vocabularies(&mut self, names: Vec<String>) {
        if self.editor_vocabularies.as_ref() != Some(&names) {
            self.editor_vocabularies = Some(names);
            // Failed vocabularies are retried: the file may exist now.
            Arc::make_mut(&mut self.settings).failed.clear();
            self.settle_all();
        }
    }

    /// Sets the settings of a file.
    pub fn set_file_settings(&mut self, file: SourceFile, settings: FileSettings) {
        Arc::make_mut(&mut self.settings).by_file.insert(file, Arc::new(settings));
    }

    /// Sets the text of an `ogc.toml`, which applies to the files in its folder and below, unless a nearer one does. It
    /// overrides [`Host::set_file_settings`] for these files. Returns whether the settings have changed.
    pub fn set_settings_file(&mut self, name: &str, text: &str) -> bool {
        let is_new = self.settings_files.set(&self.db, name, text);
        if is_new {
            self.settle_all();
        }
        is_new
    }

    /// Removes an `ogc.toml`; returns whether there was one.
    pub fn remove_settings_file(&mut self, name: &str) -> bool {
        let was_there = self.settings_files.remove(name);
        if was_there {
            self.settle_all();
        }
        was_there
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
        if settings.is_some() || self.editor_vocabularies.is_some() {
            let mut settings = settings.unwrap_or_default();
            if let Some(names) = &self.editor_vocabularies {
                if !names.is_empty() {
                    settings.vocabularies.clone_from(names);
                } else if settings.vocabularies.is_empty() {
                    settings.vocabularies = vec![BUILT_IN.to_owned()];
                }
            }
            self.set_file_settings(file, settings);
        }
    }

    /// Publishes the current set of files to queries.
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
