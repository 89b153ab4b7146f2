//! Detects whether a JSON text declares itself a schema, by a member `$schema` of the outermost object that names
//! json-schema.org, or a structural tag, by its `type`. The text may be unfinished, so it is scanned instead of parsed.

/// Maximum number of bytes scanned; schemas declare themselves near the start.
const LOOKED_AT: usize = 256 << 10;

/// Returns whether a text declares itself a JSON Schema or a structural tag.
pub(crate) fn says_schema(text: &str) -> bool {
    let bytes = text.as_bytes().get(..LOOKED_AT).unwrap_or(text.as_bytes());
    let (mut at, mut depth) = (0, 0_usize);
    let mut key: Option<&[u8]> = None;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => key = None,
            b'"' => {
                let end = string_end(bytes, at + 1);
                let content = bytes.get(at + 1..end).unwrap_or_default();
                match key {
                    Some(b"$schema") if depth == 1 => return is_draft(content),
                    Some(b"type") if depth == 1 && content == b"structural_tag" => return true,
                    None if depth == 1 => key = Some(content),
                    _ => {}
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// Returns the offset of the quote that ends a string, or the end of the text.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_draft(uri: &[u8]) -> bool {
    let uri = String::from_utf8_lossy(uri);
    let host = uri.strip_prefix("https://").or(uri.strip_prefix("http://")).unwrap_or_default();
    host.starts_with("json-schema.org/")
}

#[cfg(test)]
mod tests {
    use super::says_schema;

    #[test]
    fn texts_with_schema_marks_are_schemas() {
        for text in [
            r#"{"$schema": "https://json-schema.org/draft/2020-12/schema"}"#,
            r#"{"a": [{"b": 1}, "c"], "$schema": "http://json-schema.org/draft-07/schema#", "#,
            r#"{"type": "structural_tag", "format": {}}"#,
            "{\n  \"$id\": \"\\\"x\", \"$schema\"\n: \"https://json-schema.org/schema\"",
        ] {
            assert!(says_schema(text), "{text}");
        }
    }

    #[test]
    fn texts_without_schema_marks_are_no_schemas() {
        for text in [
            "",
            "{",
            "[\"$schema\", \"https://json-schema.org/schema\"]",
            r#"{"a": {"$schema": "https://json-schema.org/schema"}}"#,
            r#"{"$schema": "https://example.org/json-schema.org/"}"#,
            r#"{"$schema": 1}"#,
            r#"{"type": "object", "x": {"type": "structural_tag"}}"#,
            r#"{"x": "$schema", "y": "https://json-schema.org/schema"}"#,
            "{\"$schema\": \"https://json-schema.org",
        ] {
            assert!(!says_schema(text), "{text}");
        }
    }
}
