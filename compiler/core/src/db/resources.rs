//! The files that hold schemas of known URIs, as given by `--resource`, `ogc.toml` and indexes.

use super::path::beside;

/// A map from the URIs of schemas to the files that hold them. File names are those of the workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Resources {
    /// Pairs of a URI without fragment and its file, or of a URI prefix that ends in `/` and its folder.
    places: Vec<(String, String)>,
    /// Index files: JSON objects from URI to path, relative to the index.
    indexes: Vec<String>,
}

impl Resources {
    /// Adds the file of a URI; for a URI that ends in `/`, the folder of all URIs with that prefix. For equal URIs the
    /// first entry counts.
    pub fn add(&mut self, uri: &str, name: &str) {
        self.places.push((uri.trim_end_matches('#').to_owned(), name.to_owned()));
    }

    /// Adds an index file: a JSON object from URIs to paths, relative to the index.
    pub fn add_index(&mut self, name: &str) {
        self.indexes.push(name.to_owned());
    }

    /// Appends the places of `others`; its own places come first.
    pub fn extend(&mut self, others: Resources) {
        self.places.extend(others.places);
        self.indexes.extend(others.indexes);
    }

    /// Returns the names of the index files.
    #[must_use]
    pub fn indexes(&self) -> &[String] {
        &self.indexes
    }

    /// Returns the pairs of a URI and its file or folder.
    #[must_use]
    pub fn places(&self) -> &[(String, String)] {
        &self.places
    }

    /// Returns the names of files that may hold the schema of a URI, the likeliest first; `http` and `https` count as
    /// equal.
    ///
    /// ```
    /// use ogc_compiler::db::Resources;
    /// let mut resources = Resources::default();
    /// resources.add("https://example.com/schemas/", "vendor");
    /// assert_eq!(resources.names("http://example.com/schemas/a/b.json"), ["vendor/a/b.json"]);
    /// assert!(resources.names("https://example.com/schemas/../secret.json").is_empty());
    /// ```
    #[must_use]
    pub fn names(&self, uri: &str) -> Vec<String> {
        let uri = without_scheme(uri);
        let exact = self.places.iter().filter(|(known, _)| !known.ends_with('/') && without_scheme(known) == uri);
        let mut names: Vec<String> = exact.map(|(_, name)| name.clone()).collect();
        let mut folders: Vec<(&str, &str)> = self
            .places
            .iter()
            .filter(|(known, _)| known.ends_with('/'))
            .filter_map(|(known, folder)| Some((uri.strip_prefix(without_scheme(known))?, folder.as_str())))
            .collect();
        // The longest prefix is the most specific.
        folders.sort_by_key(|(rest, _)| rest.len());
        names.extend(folders.into_iter().filter_map(|(rest, folder)| inside(folder, rest)).flat_map(spellings));
        names
    }
}

/// Returns a name and the names that it may abbreviate.
pub(crate) fn spellings(name: String) -> Vec<String> {
    if name.ends_with(".json") {
        return vec![name];
    }
    vec![format!("{name}.json"), format!("{name}.schema.json"), name]
}

/// Returns the name of a file in a folder, from the rest of a URI; `None` if the rest leads out of the folder.
fn inside(folder: &str, rest: &str) -> Option<String> {
    let rest = crate::frontend::json_schema::uri::percent_decode(rest)?;
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']);
    rest.split('/').all(is_plain).then(|| beside(&format!("{folder}/_"), &rest))
}

fn without_scheme(uri: &str) -> &str {
    uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://")).unwrap_or(uri)
}
