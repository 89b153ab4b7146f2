//! Lists the files to which a schema refers, and those that a Lark grammar imports, so that the caller can load them
//! from disk.

use ogc_grammar::lark;

use super::finder::{Finder, Seen};
use super::rules::lark_beside;
use super::schema::foreign_schema;
use crate::db::{Db, Language, SourceFile, beside};
use crate::frontend::json_schema::refers_outside;

/// The files to which a schema or a grammar refers, directly or through other files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linked {
    /// Files of the workspace, each once.
    pub files: Vec<SourceFile>,
    /// Names of files that the workspace lacks: they may hold a missing schema, or take precedence over a file that was
    /// found.
    pub wanted: Vec<String>,
}

/// Returns the files to which a schema or a list of tools refers, indexes included, or those that a Lark grammar
/// imports. All definitions count, used or not.
#[salsa::tracked]
pub fn links(db: &dyn Db, file: SourceFile) -> Linked {
    if file.language(db) == Language::Lark {
        return lark_links(db, file);
    }
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

/// Returns the files that a Lark grammar imports, directly or through other grammars.
fn lark_links(db: &dyn Db, file: SourceFile) -> Linked {
    let mut links = Linked::default();
    let mut open = vec![file];
    while let Some(from) = open.pop() {
        for (_, path) in lark::imports(from.text(db)) {
            let name = beside(from.name(db), &path);
            match lark_beside(db, &name) {
                Some(found) if found != file && !links.files.contains(&found) => {
                    links.files.push(found);
                    open.push(found);
                }
                Some(_) => {}
                None if !links.wanted.contains(&name) => links.wanted.push(name),
                None => {}
            }
        }
    }
    links
}
