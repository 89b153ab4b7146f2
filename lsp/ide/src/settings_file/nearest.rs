//! Finds the `ogc.toml` that applies to a file: the one in its folder, or in the nearest folder above.

use std::collections::BTreeMap;

use ogc_compiler::db::{Compiler, Limits, Options};
use ogc_compiler::hir::scope::beside;
use ogc_workbench::settings::{self, NAME, Settings};
use ogc_workbench::vocabulary::BUILT_IN;

use crate::snapshot::FileSettings;

/// The settings files that are known, by name.
#[derive(Default)]
pub(crate) struct SettingsFiles {
    files: BTreeMap<String, (Settings, Options)>,
}

impl SettingsFiles {
    /// Sets a file; returns whether its settings have changed. Errors in a file leave its other settings in force.
    pub(crate) fn set(&mut self, db: &Compiler, name: &str, text: &str) -> bool {
        let (read, _) = settings::read(text);
        if self.files.get(name).is_some_and(|(known, _)| *known == read) {
            return false;
        }
        let options = options_of(db, name, &read);
        self.files.insert(name.to_owned(), (read, options));
        true
    }

    /// Recreates the options of all files in another database.
    pub(crate) fn move_to(&mut self, db: &Compiler) {
        for (name, (read, options)) in &mut self.files {
            *options = options_of(db, name, read);
        }
    }

    /// Removes a file; returns whether it was there.
    pub(crate) fn remove(&mut self, name: &str) -> bool {
        self.files.remove(name).is_some()
    }

    /// Returns the settings of the nearest settings file; `None` if there is none.
    pub(crate) fn of(&self, file: &str) -> Option<(Options, FileSettings)> {
        let mut folder = file;
        while let Some((above, _)) = folder.rsplit_once('/') {
            let name = format!("{above}/{NAME}");
            if let Some((settings, options)) = self.files.get(&name) {
                return Some((*options, of_file(&name, settings)));
            }
            folder = above;
        }
        None
    }
}

fn options_of(db: &Compiler, name: &str, read: &Settings) -> Options {
    read.policy.options(db, Limits::default(), read.places(name))
}

/// Returns the settings for files below a settings file. The vocabulary is named by its path, as files are.
fn of_file(name: &str, settings: &Settings) -> FileSettings {
    let vocabulary = settings.vocab.as_ref().map(|vocab| match vocab.as_str() {
        BUILT_IN => vocab.clone(),
        path => beside(name, path),
    });
    FileSettings { levels: settings.levels.clone(), vocabularies: vocabulary.into_iter().collect() }
}
