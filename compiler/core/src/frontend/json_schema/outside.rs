//! Documents that a schema refers to and does not hold: who reads it finds them.

use std::sync::Arc;

/// A document that a reference asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its URI, without fragment.
    pub uri: String,
    /// The URI that the document with the reference gives itself; the one by which it was found if it has none.
    pub base: String,
    /// The URI by which the document with the reference was found; that of the options for the text that is read.
    pub document: String,
}

/// Finds the text of a document; `None` where there can be none.
pub type FindSchema<'a> = Option<&'a dyn Fn(&Asked) -> Option<Arc<str>>>;

/// Returns whether a text may refer to schemas outside of it. Cheap: it looks for the keywords alone.
#[must_use]
pub fn refers_outside(text: &str) -> bool {
    // A keyword that is spelled with an escape is not looked into.
    text.contains("\\u00")
        || ["$ref\"", "$dynamicRef\""].iter().any(|keyword| {
            text.match_indices(keyword).any(|(at, _)| {
                let rest = text[at + keyword.len()..].trim_start();
                let rest = rest.strip_prefix(':').map(str::trim_start).and_then(|rest| rest.strip_prefix('"'));
                rest.is_some_and(|rest| !rest.starts_with('#'))
            })
        })
}

#[cfg(test)]
mod tests {
    use super::refers_outside;

    #[test]
    fn only_references_to_other_files_lead_outside() {
        for text in [r#"{"$ref": "a.json"}"#, r#"{"$dynamicRef":"a#b"}"#, r#"{"\u0024ref": "a"}"#] {
            assert!(refers_outside(text), "{text}");
        }
        for text in [
            r##"{"$ref": "#/a"}"##,
            r#"{"properties": {"$ref": {"type": "string"}}}"#,
            r#"{"$schema": "http://json-schema.org/draft-07/schema#"}"#,
        ] {
            assert!(!refers_outside(text), "{text}");
        }
    }
}
