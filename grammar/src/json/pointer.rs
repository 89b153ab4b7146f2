//! JSON Pointers (RFC 6901).

/// Returns a token of a JSON Pointer for a key: `~` and `/` are escaped.
///
/// ```
/// assert_eq!(ogc_grammar::json::pointer_token("a/b~c"), "a~1b~0c");
/// ```
#[must_use]
pub fn pointer_token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
