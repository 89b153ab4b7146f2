//! Keeps the database in sync: an open document takes precedence over the disk. Other files are kept as long as they
//! are in a root or an import names them.

use std::collections::BTreeSet;

use ogc_ide::{Language, settings_file};

use super::Owner;
use crate::disk;
use crate::documents::{Role, is_settings, role};
use crate::files;

impl Owner {
    /// Updates the database for all dirty files, and for the files that are imported as a result.
    pub(super) fn flush(&mut self) {
        while !self.dirty.is_empty() {
            let names = std::mem::take(&mut self.dirty);
            let mut set = Vec::new();
            for name in &names {
                if is_settings(name) {
                    self.sync_settings(name);
                    continue;
                }
                match self.text(name) {
                    Some((text, language)) => set.push((name.clone(), text, language)),
                    None => self.host.remove_file(name),
                }
            }
            self.host.set_files(set);
            names.iter().for_each(|name| self.imports_changed(name));
            // A schema that exists now may refer to others, on behalf of the schemas that refer to it.
            let importers: BTreeSet<String> = names.iter().flat_map(|name| self.imports.importers(name)).collect();
            importers.iter().for_each(|name| self.imports_changed(name));
        }
    }

    /// Updates the settings of a folder from its `ogc.toml`.
    fn sync_settings(&mut self, name: &str) {
        let open = self.documents.get(name).map(|document| document.text.clone());
        let has_changed = match open.or_else(|| files::is_on_disk(name).then(|| disk::read(name)).flatten()) {
            Some(text) => self.host.set_settings_file(name, &text),
            None => self.host.remove_settings_file(name),
        };
        if has_changed {
            // The places of schemas may have changed.
            let files: Vec<String> = self.names();
            files.iter().for_each(|name| self.imports_changed(name));
        }
        self.changes.any |= has_changed;
        self.changes.outside |= has_changed;
    }

    /// Reads the `ogc.toml` files in the folders above a document, each once. The scan of the roots may miss them:
    /// these folders can lie above the roots or elsewhere.
    pub(super) fn look_for_settings(&mut self, name: &str) {
        let mut folder = name;
        while let Some((above, _)) = folder.rsplit_once('/').filter(|_| files::is_on_disk(name)) {
            let settings = files::below(above, settings_file::NAME);
            if self.looked_for.insert(settings.clone()) {
                self.dirty.insert(settings);
            }
            folder = above;
        }
    }

    /// Returns the text that a file has in the database; `None` if it has none.
    fn text(&self, name: &str) -> Option<(String, Language)> {
        if let Some(document) = self.documents.get(name) {
            return match role(name, document, self.imports.has(name)) {
                Role::Format(language) => Some((document.text.clone(), language)),
                Role::Settings | Role::Other => None,
            };
        }
        let language = Language::of_name(name).ok()?;
        self.is_wanted(name).then(|| disk::read(name)).flatten().map(|text| (text, language))
    }

    /// Returns whether a file that is not open belongs in the database, if it exists.
    fn is_wanted(&self, name: &str) -> bool {
        files::is_on_disk(name)
            && (self.imports.has(name) || self.roots.iter().any(|root| disk::is_scanned(name, root)))
    }

    /// Updates the imports of a file. Newly imported files are read, and files that are no longer imported are dropped.
    pub(super) fn imports_changed(&mut self, name: &str) {
        let names = self.host.imports(name);
        for changed in self.imports.set(name, names) {
            let is_there = self.host.file(&changed).is_some();
            if self.documents.contains_key(&changed) || is_there != self.is_wanted(&changed) {
                self.dirty.insert(changed);
            }
        }
    }
}
