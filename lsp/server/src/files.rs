//! URIs of documents and names of files. The name of a file on the disk is its absolute path with `/`; the name of any
//! other document is its URI.

use std::path::PathBuf;
use std::str::FromStr;

use serde_json::Value;
use tower_lsp_server::ls_types::Uri;

/// The URI scheme of files.
const FILE: &str = "file";

/// The glob of all formats, in every language.
pub(crate) const FORMATS: &str = "**/*.{ogc,json,gbnf,ebnf,abnf,lark,regex}";

/// Parses a URI. Characters that URIs must not contain are encoded, because some clients send them.
pub(crate) fn parse(text: &str) -> Option<Uri> {
    Uri::from_str(text).or_else(|_| Uri::from_str(&mended(text))).ok()
}

/// Encodes invalid characters of URIs in the parameters of a message, so that the protocol's types can parse them.
pub(crate) fn mend(params: &mut Value) {
    match params {
        Value::Array(all) => all.iter_mut().for_each(mend),
        Value::Object(members) => members.iter_mut().for_each(|(key, value)| match value {
            Value::String(text) if is_uri(key) => {
                if Uri::from_str(text).is_err() {
                    *text = mended(text);
                }
            }
            _ => mend(value),
        }),
        _ => {}
    }
}

/// Returns whether the protocol has a URI under a key.
fn is_uri(key: &str) -> bool {
    matches!(key, "uri" | "href") || key.ends_with("Uri")
}

/// Returns the name that the database has for a document: the path of a `file:` URI, else the URI itself.
pub(crate) fn name(uri: &Uri) -> String {
    if !uri.scheme().as_str().eq_ignore_ascii_case(FILE) {
        return uri.as_str().to_owned();
    }
    let host = uri.authority().map(|authority| authority.as_str()).unwrap_or_default();
    // Normalizing resolves `..`.
    let path = decoded(uri.normalize().path().as_str());
    let path = match host {
        "" | "localhost" => path.strip_prefix('/').unwrap_or(&path).to_owned(),
        // Some clients omit the slash before the drive.
        _ if drive(host).is_some() => format!("{host}{path}"),
        _ => return uri.as_str().to_owned(),
    };
    match drive(&path) {
        Some((letter, rest)) => format!("{}:{rest}", letter.to_ascii_lowercase()),
        None => format!("/{path}"),
    }
}

/// Returns the URI for a name; `None` if the name is neither a file's nor a URI.
pub(crate) fn uri(name: &str) -> Option<Uri> {
    if !is_on_disk(name) {
        return parse(name);
    }
    let root = if name.starts_with('/') { "" } else { "/" };
    let encoded: String = format!("{root}{name}").chars().map(encoded).collect();
    parse(&format!("{FILE}://{encoded}"))
}

/// Returns whether a name is that of a file on the disk.
pub(crate) fn is_on_disk(name: &str) -> bool {
    name.starts_with('/') || drive(name).is_some()
}

/// Returns the path of a file on the disk.
pub(crate) fn path(name: &str) -> Option<PathBuf> {
    is_on_disk(name).then(|| PathBuf::from(name))
}

/// Returns the name of a file found below a root: the root's name joined with the path's parts.
pub(crate) fn below(folder: &str, part: &str) -> String {
    format!("{}/{part}", folder.trim_end_matches('/'))
}

/// Returns whether a file lies in a folder, at any depth.
pub(crate) fn is_below(name: &str, folder: &str) -> bool {
    name.strip_prefix(folder.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'))
}

/// Splits `c:/rest`.
fn drive(path: &str) -> Option<(char, &str)> {
    let mut characters = path.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    let rest = characters.as_str().strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with('/')).then_some((letter, rest))
}

/// Replaces `%XX` by bytes; if the result is not UTF-8, the text stays as it was.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.as_bytes());
        let code = after.split_at_checked(2);
        match code.and_then(|(digits, behind)| Some((u8::from_str_radix(digits, 16).ok()?, behind))) {
            Some((byte, behind)) => {
                bytes.push(byte);
                rest = behind;
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend(rest.as_bytes());
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Encodes the characters that URIs must not contain.
fn mended(text: &str) -> String {
    let is_file = text.get(..=FILE.len()).is_some_and(|start| start.eq_ignore_ascii_case("file:"));
    let is_code = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let mut has_fragment = false;
    let characters = text.char_indices().map(|(at, c)| match c {
        '%' if text.get(at + 1..at + 3).is_some_and(is_code) => c.to_string(),
        '#' if !std::mem::replace(&mut has_fragment, true) => c.to_string(),
        '?' => c.to_string(),
        '\\' if is_file => "/".to_owned(),
        _ => encoded(c),
    });
    characters.collect()
}

/// Percent-encodes a character.
fn encoded(c: char) -> String {
    if c.is_ascii_alphanumeric() || "/-._~:@!$&'()*+,;=".contains(c) {
        return c.to_string();
    }
    c.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[cfg(test)]
mod tests {
    use ogc_ide::Language;
    use serde_json::json;

    use super::*;

    fn check(given: &str, expected: &str, back: &str) {
        let found = name(&parse(given).unwrap());
        assert_eq!(found, expected);
        assert_eq!(uri(&found).unwrap().as_str(), back);
    }

    #[test]
    fn the_glob_of_formats_has_every_language() {
        let endings = FORMATS.strip_prefix("**/*.{").and_then(|rest| rest.strip_suffix('}')).unwrap();
        let found: Vec<Language> =
            endings.split(',').map(|ending| Language::of_name(&format!("a.{ending}")).unwrap()).collect();
        assert!(Language::ALL.iter().all(|language| found.contains(language)), "{found:?}");
    }

    #[test]
    fn file_uris_map_to_paths() {
        check("file:///a/b.ogc", "/a/b.ogc", "file:///a/b.ogc");
        check("file:///a%20b/c%C3%A9.ogc", "/a b/cé.ogc", "file:///a%20b/c%C3%A9.ogc");
        check("file:///a/%23%3F%25.ogc", "/a/#?%.ogc", "file:///a/%23%3F%25.ogc");
        check("file:///a/../b.ogc", "/b.ogc", "file:///b.ogc");
        check("file:///c%3A/a.ogc", "c:/a.ogc", "file:///c:/a.ogc");
        check("file:///C:/a.ogc", "c:/a.ogc", "file:///c:/a.ogc");
    }

    #[test]
    fn unusual_spellings_of_file_uris_map_to_paths() {
        check("file:///a b/[c]/é^.ogc", "/a b/[c]/é^.ogc", "file:///a%20b/%5Bc%5D/%C3%A9%5E.ogc");
        check("file:///a%2/b%zz#c#d", "/a%2/b%zz", "file:///a%252/b%25zz");
        check("file:///a/%2E%2e/./b.ogc", "/b.ogc", "file:///b.ogc");
        check("FILE://localhost/a.ogc", "/a.ogc", "file:///a.ogc");
        check("file:/a.ogc", "/a.ogc", "file:///a.ogc");
        check(r"file:///C:\a\b.ogc", "c:/a/b.ogc", "file:///c:/a/b.ogc");
        check("file://C:/a.ogc", "c:/a.ogc", "file:///c:/a.ogc");
    }

    #[test]
    fn malformed_uris_in_messages_are_repaired() {
        let mut message = json!({
            "textDocument": { "uri": "file:///a [b].ogc", "text": "a b" },
            "files": [{ "oldUri": "file:///%", "newUri": "no uri" }], "uri": { "uri": 1 }, "rootUri": null
        });
        mend(&mut message);
        let mended = json!({
            "textDocument": { "uri": "file:///a%20%5Bb%5D.ogc", "text": "a b" },
            "files": [{ "oldUri": "file:///%25", "newUri": "no%20uri" }], "uri": { "uri": 1 }, "rootUri": null
        });
        assert_eq!(message, mended);
        assert_eq!(parse("no uri"), None);
    }

    #[test]
    fn documents_of_other_uri_schemes_keep_their_uri() {
        check("untitled:Untitled-1", "untitled:Untitled-1", "untitled:Untitled-1");
        check("untitled:a%20b", "untitled:a%20b", "untitled:a%20b");
        check("file://host/a.ogc", "file://host/a.ogc", "file://host/a.ogc");
        check("vscode-vfs://github/a/b.ogc", "vscode-vfs://github/a/b.ogc", "vscode-vfs://github/a/b.ogc");
        assert!(!is_on_disk("untitled:Untitled-1") && !is_on_disk("b.ogc") && uri("b.ogc").is_none());
    }

    #[test]
    fn broken_percent_encodings_are_left_unchanged() {
        assert_eq!(decoded("/a%"), "/a%");
        assert_eq!(decoded("/a%4"), "/a%4");
        assert_eq!(decoded("/a%zz"), "/a%zz");
        assert_eq!(decoded("/a%FF"), "/a%FF");
        assert_eq!(decoded("/a%é"), "/a%é");
    }

    #[test]
    fn files_below_a_folder_are_recognised() {
        assert!(is_below("/a/b/c.ogc", "/a") && is_below("/a/b.ogc", "/a/") && is_below("/b.ogc", "/"));
        assert!(!is_below("/ab.ogc", "/a") && !is_below("/a", "/a"));
    }
}
