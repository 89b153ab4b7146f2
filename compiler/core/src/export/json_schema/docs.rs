//! Annotations as keywords.

use super::text::Json;
use crate::frontend::docs::Docs;

/// The members that say what `docs` says.
pub(super) fn members(docs: &Docs) -> Vec<(String, Json)> {
    let mut out = Vec::new();
    let mut add = |key: &str, value: Option<Json>| out.extend(value.map(|value| (key.to_owned(), value)));
    add("title", docs.title.as_deref().map(Json::text));
    add("description", docs.description.as_deref().map(Json::text));
    add("deprecated", docs.deprecated.then_some(Json::Bool(true)));
    add("default", docs.default.as_ref().map(Json::value));
    let examples = Json::Array(docs.examples.iter().map(Json::value).collect());
    add("examples", Some(examples).filter(|_| !docs.examples.is_empty()));
    out
}
