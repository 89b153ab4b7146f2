//! Finds the schema that a reference without a target was probably meant to lead to.

use ogc_grammar::json::JsonValue;
use ogc_grammar::nearest;

/// Maximum number of members of an object that are compared with a name.
const COMPARED: usize = 2_000;

/// Returns the JSON pointer that a reference without a target probably means. It may have a misspelled path, another
/// keyword for definitions, or a name or path without `#`.
pub(super) fn pointer(root: &JsonValue, text: &str) -> Option<String> {
    let path = text.trim_start_matches("./").trim_start_matches(['#', '/']);
    if path.is_empty() || path.contains(':') {
        return None;
    }
    let tokens: Vec<&str> = path.split('/').collect();
    let behind_definitions = tokens.split_first().filter(|(first, rest)| names_definitions(first) && !rest.is_empty());
    let own = behind_definitions.map_or(&tokens[..], |(_, rest)| rest);
    follow(root, &tokens).or_else(|| {
        ["$defs", "definitions"].into_iter().find_map(|definitions| {
            let path: Vec<&str> = std::iter::once(definitions).chain(own.iter().copied()).collect();
            root.get(definitions).and_then(|_| follow(root, &path))
        })
    })
}

/// Returns the key that the document has and the keyword that the reference has in its place, such as `$def` and
/// `$defs`; `None` if the pointers differ otherwise, or the key is a keyword.
pub(super) fn renamed<'t>(meant: &'t str, written: &'t str) -> Option<(&'t str, &'t str)> {
    let (key, meant) = meant.strip_prefix("#/")?.split_once('/')?;
    let (keyword, written) = written.strip_prefix('/')?.split_once('/')?;
    let is_keyword = |key: &str| matches!(key, "$defs" | "definitions" | "properties" | "components");
    (meant == written && is_keyword(keyword) && !is_keyword(key)).then_some((key, keyword))
}

/// Returns whether a key is a word for definitions, or a misspelling of it.
fn names_definitions(key: &str) -> bool {
    nearest(key, ["$defs", "definitions", "components"]).is_some()
}

/// Follows keys into a document; a key that is missing is replaced by the nearest name.
fn follow(root: &JsonValue, tokens: &[&str]) -> Option<String> {
    let (mut value, mut pointer) = (root, String::new());
    for token in tokens {
        let members = value.as_object()?;
        let plain = token.replace("~1", "/").replace("~0", "~");
        let keys = members.iter().take(COMPARED).map(|member| member.key.value.as_str());
        let key = match value.get(&plain) {
            Some(_) => plain.as_str(),
            None => nearest(&plain, keys)?,
        };
        value = value.get(key)?;
        pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
    }
    (value.as_object().is_some() || value.as_bool().is_some()).then_some(pointer)
}

#[cfg(test)]
mod tests {
    use super::pointer;

    #[test]
    fn misspelled_references_are_matched_to_existing_targets() {
        let read = |text: &str| ogc_grammar::json::parse(text).0.expect("JSON");
        let new = read(r#"{"$defs": {"Address": {}, "a/b": true}, "properties": {"x": {}}}"#);
        for (written, meant) in [
            ("#/$defs/Adres", Some("/$defs/Address")),
            ("#/$defs/address", Some("/$defs/Address")),
            ("#/$def/Address", Some("/$defs/Address")),
            ("#/definitions/Address", Some("/$defs/Address")),
            ("#/definition/Adress", Some("/$defs/Address")),
            ("#/defs/Address", Some("/$defs/Address")),
            ("$defs/Address", Some("/$defs/Address")),
            ("/$defs/Address", Some("/$defs/Address")),
            ("Address", Some("/$defs/Address")),
            ("#Address", Some("/$defs/Address")),
            ("#/Address", Some("/$defs/Address")),
            ("#/$defs/a~1c", Some("/$defs/a~1b")),
            ("#/property/x", Some("/properties/x")),
            ("#/propertys/x", Some("/properties/x")),
            ("#/$defs/Person", None),
            ("https://example.org/Address", None),
            ("#", None),
        ] {
            assert_eq!(pointer(&new, written).as_deref(), meant, "{written}");
        }
        let old = read(r#"{"definitions": {"Address": {}}}"#);
        assert_eq!(pointer(&old, "#/$defs/Address").as_deref(), Some("/definitions/Address"));
        let slip = read(r#"{"$def": {"A": {}}}"#);
        assert_eq!(pointer(&slip, "#/$defs/A").as_deref(), Some("/$def/A"));
    }
}
