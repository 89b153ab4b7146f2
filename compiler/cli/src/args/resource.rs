//! The argument that tells where schemas with URIs are stored.

use std::path::{Path, PathBuf};

use ogc_compiler::db::Resources;

/// A file or folder of schemas that references may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResourceArg {
    /// The file of a URI's schema, or the folder for all URIs with that prefix.
    Place {
        /// Ends in `/` for a folder.
        uri: String,
        path: PathBuf,
    },
    /// A file that lists URIs and their files, or a folder with such a file named `index.json`.
    Index(PathBuf),
}

/// Name of the index file in a folder.
const INDEX: &str = "index.json";

impl ResourceArg {
    /// Reads `URI=FILE`, `URI/=FOLDER`, or the path of an index.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let Some((uri, path)) = text.split_once('=') else { return Ok(Self::Index(text.into())) };
        Self::place(uri, Path::new(path))
    }

    /// Makes the place of a URI; the URI must be absolute.
    pub(crate) fn place(uri: &str, path: &Path) -> Result<Self, String> {
        if !uri.contains(':') {
            return Err(format!("`{uri}` is no absolute URI, such as https://example.com/a.json"));
        }
        if uri.trim_end_matches('#').contains('#') {
            return Err(format!("`{uri}` has a fragment: name the file, and references lead into it"));
        }
        Ok(Self::Place { uri: uri.to_owned(), path: path.to_owned() })
    }

    /// Adds the place to `resources`; `name` converts paths to file names.
    pub(crate) fn add_to(&self, resources: &mut Resources, name: impl Fn(&Path) -> String) {
        match self {
            Self::Place { uri, path } => resources.add(uri, &name(path)),
            Self::Index(path) if path.is_dir() => resources.add_index(&name(&path.join(INDEX))),
            Self::Index(path) => resources.add_index(&name(path)),
        }
    }
}
