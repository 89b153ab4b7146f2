//! The argument that says where a schema with a URI lies.

use std::path::{Path, PathBuf};

use ogc_compiler::db::Resources;

/// A file or folder of schemas that references may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResourceArg {
    /// The schema of a URI, or the folder of all URIs that begin so.
    Place {
        /// Ends in `/` for a folder.
        uri: String,
        path: PathBuf,
    },
    /// A file that lists URIs, or a folder with such an `index.json`.
    Index(PathBuf),
}

/// The name of the index of a folder.
const INDEX: &str = "index.json";

impl ResourceArg {
    /// Reads `URI=FILE`, `URI/=FOLDER`, or the path of an index.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let Some((uri, path)) = text.split_once('=') else { return Ok(Self::Index(text.into())) };
        Self::place(uri, Path::new(path))
    }

    /// Returns the place of a URI.
    pub(crate) fn place(uri: &str, path: &Path) -> Result<Self, String> {
        if !uri.contains(':') {
            return Err(format!("`{uri}` is no absolute URI, such as https://example.com/a.json"));
        }
        if uri.trim_end_matches('#').contains('#') {
            return Err(format!("`{uri}` has a fragment: name the file, and references lead into it"));
        }
        Ok(Self::Place { uri: uri.to_owned(), path: path.to_owned() })
    }

    /// Adds it to others, files named by `name`.
    pub(crate) fn add_to(&self, resources: &mut Resources, name: impl Fn(&Path) -> String) {
        match self {
            Self::Place { uri, path } => resources.add(uri, &name(path)),
            Self::Index(path) if path.is_dir() => resources.add_index(&name(&path.join(INDEX))),
            Self::Index(path) => resources.add_index(&name(path)),
        }
    }
}
