//! Lists the files to which a schema refers, for whoever knows the disk.

use super::finder::{Finder, Seen};
use super::schema::foreign_schema;
use crate::db::{Db, Language, SourceFile};
use crate::frontend::json_schema::refers_outside;

/// The files to which a schema and those that it refers to refer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linked {
    /// Files of the workspace, each once.
    pub files: Vec<SourceFile>,
    /// The names of files that it does not have and that may hold what is missing, or come before what is found.
    pub wanted: Vec<String>,
}

/// Returns the files to which a schema or a list of tools refers, indexes included. Of all definitions, used or not.
#[salsa::tracked]
pub fn links(db: &dyn Db, file: SourceFile) -> Linked {
    let mut links = Linked::default();
    if file.language(db) != Language::JsonSchema || !refers_outside(file.text(db)) {
        return links;
    }
    let finder = Finder::new(db, file);
    for asked in &foreign_schema(db, file).0.asked {
        finder.find(asked);
    }
    let Seen { files, wanted, .. } = finder.seen.into_inner();
    links.files = files;
    links.wanted = wanted;
    links
}
