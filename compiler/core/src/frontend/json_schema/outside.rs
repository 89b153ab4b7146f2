//! Documents that a schema refers to and does not contain: the caller finds them.

use std::sync::Arc;

/// A request for a document that a reference leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// URI of the requested document, without fragment.
    pub uri: String,
    /// URI that the referring document gives itself; if it gives none, the URI by which it was found.
    pub base: String,
    /// URI by which the referring document was found; for the text that is read, the base URI of the options.
    pub document: String,
}

/// Finds the text of a document; `None` where there can be none.
pub type FindSchema<'a> = Option<&'a dyn Fn(&Asked) -> Option<Arc<str>>>;

/// Returns whether a text may refer to schemas outside it. Cheap: it only searches for the keywords.
#[must_use]
pub fn refers_outside(text: &str) -> bool {
    // An escape may spell a keyword, so a text with escapes counts as referring.
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
