//! Finds the files that hold the schemas to which a schema refers.
//!
//! # Steps
//!
//! 1. Places that the options or their indexes name by the URI ([`Resources`]).
//! 2. A file at the path that the reference spells, relative to the file that holds the reference.
//! 3. A file that the workspace knows by the URI itself.
//! 4. A file whose path relative to the referring file equals the path of the URI relative to the referring schema's
//!    own URI.
//!
//! The first of these files that the workspace has is taken. The caller that has access to the disk loads the others
//! (`links`), if they exist.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::db::resources::spellings;
use crate::db::{Db, Resources, SourceFile, Workspace, beside};
use crate::frontend::json_schema::{Asked, uri};
use ogc_grammar::json::{self, JsonValue};

/// Finds the documents that one schema refers to, and remembers their places.
pub(super) struct Finder<'db> {
    db: &'db dyn Db,
    file: SourceFile,
    pub(super) seen: RefCell<Seen>,
}

/// Cache of the files that were found, and of the names of files that were not.
#[derive(Default)]
pub(super) struct Seen {
    /// The file of each document, by the URI by which it was found.
    places: FxHashMap<String, SourceFile>,
    pub(super) files: Vec<SourceFile>,
    pub(super) wanted: Vec<String>,
}

impl<'db> Finder<'db> {
    pub(super) fn new(db: &'db dyn Db, file: SourceFile) -> Self {
        Self { db, file, seen: RefCell::default() }
    }

    /// Returns the base URI of the schema's file.
    pub(super) fn base_uri(&self) -> String {
        uri::of_file(&beside("", self.file.name(self.db)))
    }

    pub(super) fn text(&self, asked: &Asked) -> Option<Arc<str>> {
        self.find(asked).map(|file| file.text(self.db).into())
    }

    /// Returns the file that holds the requested document, if the workspace has it.
    pub(super) fn find(&self, asked: &Asked) -> Option<SourceFile> {
        let files = Workspace::try_get(self.db).map(|all| all.files(self.db));
        let known = |name: &str| files.and_then(|files| files.get(name)).copied();
        let candidates = self.candidates(asked);
        let mut seen = self.seen.borrow_mut();
        for name in candidates {
            match known(&name) {
                Some(found) => {
                    seen.places.insert(asked.uri.clone(), found);
                    if found != self.file && !seen.files.contains(&found) {
                        seen.files.push(found);
                    }
                    return Some(found);
                }
                None if !seen.wanted.contains(&name) => seen.wanted.push(name),
                None => {}
            }
        }
        None
    }

    /// Returns the names of the files that may hold the requested document, the likeliest first.
    fn candidates(&self, asked: &Asked) -> Vec<String> {
        let resources = self.file.options(self.db).resources(self.db);
        let mut names = resources.names(&asked.uri);
        for index in resources.indexes() {
            names.extend(self.indexed(index, &asked.uri));
        }
        if let Some(file) = uri::file_of(&asked.uri) {
            names.extend(spellings(file));
            return names;
        }
        names.push(asked.uri.clone());
        let from = self.seen.borrow().places.get(&asked.document).copied().unwrap_or(self.file);
        if let Some(path) = uri::path_between(&asked.base, &asked.uri) {
            names.extend(spellings(beside(from.name(self.db), &path)));
        }
        names
    }

    /// Returns the names under which an index lists a URI; the name of the index itself if it is not loaded yet.
    fn indexed(&self, index: &str, uri: &str) -> Vec<String> {
        let files = Workspace::try_get(self.db).map(|all| all.files(self.db));
        match files.and_then(|files| files.get(index)).copied() {
            Some(file) => {
                let mut seen = self.seen.borrow_mut();
                if !seen.files.contains(&file) {
                    seen.files.push(file);
                }
                places_of(self.db, file).names(uri)
            }
            None => vec![index.to_owned()],
        }
    }
}

/// Returns the places that an index lists; entries that are not strings are skipped.
#[salsa::tracked(returns(ref))]
pub fn places_of(db: &dyn Db, index: SourceFile) -> Resources {
    let mut places = Resources::default();
    let limits = index.options(db).limits(db).read.json();
    let value = json::parse_with(index.text(db), limits).0;
    for member in value.as_ref().and_then(JsonValue::as_object).unwrap_or_default() {
        if let Some(path) = member.value.as_str() {
            places.add(&member.key.value, &beside(index.name(db), path));
        }
    }
    places
}
