//! The schemas of a pack as the files of one folder; other schemas refer to them.

use crate::corpus::Case;
use ogc_compiler::db::Resources;
use ogc_compiler::frontend::json_schema::Asked;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The addresses of the folder, where SchemaStore serves its schemas.
const ADDRESSES: [&str; 2] = ["https://json.schemastore.org/", "https://www.schemastore.org/"];

/// The folder.
const FOLDER: &str = "schemas";

/// The schemas of a pack by file name.
#[derive(Debug)]
pub struct Siblings {
    places: Resources,
    texts: BTreeMap<String, Arc<str>>,
}

impl Siblings {
    /// Makes the folder of the cases; the id of a case is its file's name, behind the name of a part.
    #[must_use]
    pub fn of(cases: &[Case]) -> Siblings {
        let mut places = Resources::default();
        ADDRESSES.iter().for_each(|address| places.add(address, FOLDER));
        let name = |id: &str| format!("{FOLDER}/{}.json", id.split_once(':').map_or(id, |(_, name)| name));
        let texts = cases.iter().map(|case| (name(&case.id), case.schema.as_str().into())).collect();
        Siblings { places, texts }
    }

    /// Returns the text of the schema that is asked for.
    #[must_use]
    pub fn find(&self, asked: &Asked) -> Option<Arc<str>> {
        self.places.names(&asked.uri).iter().find_map(|name| self.texts.get(name)).cloned()
    }
}
