//! URIs of documents and names of files. A file on the disk has its absolute path with `/` as its name; any other document
//! has its URI.

use std::path::PathBuf;

use tower_lsp::lsp_types::Url;

/// The glob of all formats, in every language.
pub(crate) const FORMATS: &str = "**/*.{ogc,json,gbnf,ebnf,lark,regex}";

/// Returns the name of a document.
pub(crate) fn name(uri: &Url) -> String {
    if uri.scheme() != "file" || uri.host_str().is_some_and(|host| !host.is_empty()) {
        return uri.as_str().to_owned();
    }
    let path = decoded(uri.path());
    match drive(path.strip_prefix('/').unwrap_or_default()) {
        Some((letter, rest)) => format!("{}:{rest}", letter.to_ascii_lowercase()),
        None => path,
    }
}

/// Returns the URI of a name; `None` if it is the name of no file and no URI.
pub(crate) fn uri(name: &str) -> Option<Url> {
    if !is_on_disk(name) {
        return Url::parse(name).ok();
    }
    let root = if name.starts_with('/') { "" } else { "/" };
    let encoded: String = format!("{root}{name}").chars().map(encoded).collect();
    Url::parse(&format!("file://{encoded}")).ok()
}

/// Returns whether a name is that of a file on the disk.
pub(crate) fn is_on_disk(name: &str) -> bool {
    name.starts_with('/') || drive(name).is_some()
}

/// Returns the path of a file on the disk.
pub(crate) fn path(name: &str) -> Option<PathBuf> {
    is_on_disk(name).then(|| PathBuf::from(name))
}

/// Returns the name of a path that was found below a root: the root's name and the parts of the path.
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

/// Replaces `%XX` by bytes; what is then no UTF-8 stays as it was.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.as_bytes());
        match after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
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

/// Writes a character as URIs have it.
fn encoded(c: char) -> String {
    if c.is_ascii_alphanumeric() || "/-._~:@!$&'()*+,;=".contains(c) {
        return c.to_string();
    }
    c.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[cfg(test)]
mod tests {
    use ogc_ide::Language;

    use super::*;

    fn check(given: &str, expected: &str, back: &str) {
        let found = name(&Url::parse(given).unwrap());
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
    fn files_have_paths_as_names() {
        check("file:///a/b.ogc", "/a/b.ogc", "file:///a/b.ogc");
        check("file:///a%20b/c%C3%A9.ogc", "/a b/cé.ogc", "file:///a%20b/c%C3%A9.ogc");
        check("file:///a/%23%3F%25.ogc", "/a/#?%.ogc", "file:///a/%23%3F%25.ogc");
        check("file:///a/../b.ogc", "/b.ogc", "file:///b.ogc");
        check("file:///c%3A/a.ogc", "c:/a.ogc", "file:///c:/a.ogc");
        check("file:///C:/a.ogc", "c:/a.ogc", "file:///c:/a.ogc");
    }

    #[test]
    fn other_documents_keep_their_uri() {
        check("untitled:Untitled-1", "untitled:Untitled-1", "untitled:Untitled-1");
        check("vscode-vfs://github/a/b.ogc", "vscode-vfs://github/a/b.ogc", "vscode-vfs://github/a/b.ogc");
        assert!(!is_on_disk("untitled:Untitled-1") && !is_on_disk("b.ogc") && uri("b.ogc").is_none());
    }

    #[test]
    fn broken_encodings_stay() {
        assert_eq!(decoded("/a%"), "/a%");
        assert_eq!(decoded("/a%4"), "/a%4");
        assert_eq!(decoded("/a%zz"), "/a%zz");
        assert_eq!(decoded("/a%FF"), "/a%FF");
        assert_eq!(decoded("/a%é"), "/a%é");
    }

    #[test]
    fn folders_contain_files() {
        assert!(is_below("/a/b/c.ogc", "/a") && is_below("/a/b.ogc", "/a/") && is_below("/b.ogc", "/"));
        assert!(!is_below("/ab.ogc", "/a") && !is_below("/a", "/a"));
    }
}
