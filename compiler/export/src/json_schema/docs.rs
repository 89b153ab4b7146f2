//! Writes annotations as keywords.

use ogc_compiler::frontend::docs::Docs;
use ogc_schema::source::Value;

use super::text::Json;

type Members = Vec<(String, Json)>;

/// The keyword that names a whole schema; in a subschema it would change the meaning of references.
const ID: &str = "$id";

/// Writes the annotations that go before the constraining keywords: title and description, and for the root its id.
pub(super) fn head(docs: &Docs, is_root: bool) -> Members {
    let id = docs.others.iter().filter(|(key, _)| is_root && key == ID);
    let id = id.map(|(key, value)| (key.clone(), Json::value(value)));
    let said = [("title", docs.title.as_deref()), ("description", docs.description.as_deref())];
    let said = said.into_iter().filter_map(|(key, text)| Some((key.to_owned(), Json::text(text?))));
    id.chain(said).collect()
}

/// Writes the annotations that go after the constraining keywords.
pub(super) fn tail(docs: &Docs) -> Members {
    let mut out = Members::new();
    let mut add = |key: &str, value: Option<Json>| out.extend(value.map(|value| (key.to_owned(), value)));
    add("default", docs.default.as_ref().map(Json::value));
    let examples = Json::Array(docs.examples.iter().map(Json::value).collect());
    add("examples", Some(examples).filter(|_| !docs.examples.is_empty()));
    add("deprecated", docs.deprecated.then_some(Json::Bool(true)));
    let other = |(key, value): &(String, Value)| (key.clone(), Json::value(value));
    out.extend(docs.others.iter().filter(|(key, _)| key != ID).map(other));
    out
}
