//! Links imported names to their diagrams; the diagrams of an imported file follow those of the importing file.

use std::collections::BTreeMap;

use ogc_compiler::db::{Db, Language, SourceFile};
use ogc_compiler::hir::scope::{Binding, import_target, scope};

use super::place;

/// The anchors of imported names.
#[derive(Debug, Default)]
pub(super) struct Links {
    names: BTreeMap<String, String>,
    /// Names of imported files, each with the prefix of the file's anchors.
    files: BTreeMap<String, String>,
}

impl Links {
    /// Returns the anchor of a path of names, if the path is imported.
    pub(super) fn place(&self, path: &[&str]) -> Option<String> {
        match path {
            [name] => self.names.get(*name).cloned(),
            [file, name] => self.files.get(*file).map(|prefix| format!("{prefix}{}", place(name))),
            _ => None,
        }
    }
}

/// Returns the links of a file; files that are not drawn yet are added to `files`.
pub(super) fn links(db: &dyn Db, file: SourceFile, files: &mut Vec<SourceFile>) -> Links {
    let mut links = Links::default();
    if file.language(db) != Language::Ogc {
        return links;
    }
    let mut prefix = |item| {
        let target = import_target(db, item)?;
        let number = files.iter().position(|&known| known == target).unwrap_or_else(|| {
            files.push(target);
            files.len() - 1
        });
        Some(if number == 0 { String::new() } else { format!("f{number}-") })
    };
    for (name, binding) in &scope(db, file).names {
        match binding {
            Binding::Imported(item, there) => {
                let place = prefix(item).map(|prefix| format!("{prefix}{}", place(there)));
                links.names.extend(place.map(|place| (name.clone(), place)));
            }
            Binding::WholeFile(item) => links.files.extend(prefix(item).map(|prefix| (name.clone(), prefix))),
            Binding::Item(_) => {}
        }
    }
    links
}
