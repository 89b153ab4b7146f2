//! Resolves URI references (RFC 3986): splitting, resolution against a base, percent-decoding. Nothing is an error
//! here: a text that is no URI simply names nothing.

/// Cap on the levels that file names may climb above the folder where they start.
const LEVELS: usize = 16;

/// A path segment that stands for one level at or above the folder where file names start.
const LEVEL: &str = "~~";

/// The five components of a URI reference (RFC 3986, appendix B).
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

/// Splits a reference from its fragment.
pub(super) fn split_fragment(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

/// Resolves `reference`, without its fragment, against `base` (section 5.2).
pub(super) fn resolve(base: &str, reference: &str) -> String {
    let (reference, _) = split_fragment(reference);
    let (base, reference) = (split(split_fragment(base).0), split(reference));
    if reference.scheme.is_some() {
        return join(reference.scheme, reference.authority, &remove_dots(reference.path), reference.query);
    }
    if reference.authority.is_some() {
        return join(base.scheme, reference.authority, &remove_dots(reference.path), reference.query);
    }
    if reference.path.is_empty() {
        return join(base.scheme, base.authority, base.path, reference.query.or(base.query));
    }
    let path = remove_dots(&merge(&base, reference.path));
    join(base.scheme, base.authority, &path, reference.query)
}

/// Decodes percent escapes; `None` if the result is not UTF-8 or an escape is broken.
pub(crate) fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' { hex(rest.next()?)? * 16 + hex(rest.next()?)? } else { byte });
    }
    String::from_utf8(bytes).ok()
}

/// Returns the URI of a file from its name in the workspace. The name has `/` between folders, and `..` only in front.
pub(crate) fn of_file(name: &str) -> String {
    let name = name.replace('%', "%25").replace('#', "%23").replace('?', "%3F");
    if name.starts_with('/') {
        return format!("file://{name}");
    }
    let mut rest = name.as_str();
    let mut levels = LEVELS;
    while let Some(below) = rest.strip_prefix("../") {
        (rest, levels) = (below, levels.saturating_sub(1));
    }
    format!("file:///{}{rest}", format!("{LEVEL}/").repeat(levels))
}

/// Returns the name of a URI's file; the inverse of [`of_file`].
pub(crate) fn file_of(uri: &str) -> Option<String> {
    let path = percent_decode(uri.strip_prefix("file://").filter(|path| path.starts_with('/'))?)?;
    let mut levels = 0;
    let mut rest = path.strip_prefix('/')?;
    while let Some(below) = rest.strip_prefix(LEVEL).and_then(|rest| rest.strip_prefix('/')).filter(|_| levels < LEVELS)
    {
        (rest, levels) = (below, levels + 1);
    }
    Some(if levels == 0 { path } else { format!("{}{rest}", "../".repeat(LEVELS - levels)) })
}

/// Returns a URI as messages show it: for a file, the file's name.
pub(crate) fn shown(uri: &str) -> String {
    file_of(uri).unwrap_or_else(|| uri.to_owned())
}

/// Returns the relative path from the folder of one URI to another URI on the same host, percent escapes decoded.
pub(crate) fn path_between(from: &str, to: &str) -> Option<String> {
    let (from, to) = (split(from), split(to));
    let is_web = |parts: &Parts<'_>| matches!(parts.scheme, Some("http" | "https"));
    if !is_web(&from) || !is_web(&to) || from.authority != to.authority || to.query.is_some() {
        return None;
    }
    let (from, to): (Vec<&str>, Vec<&str>) = (segments(from.path), segments(to.path));
    let common = from.iter().zip(&to).take(from.len().min(to.len()) - 1).take_while(|(one, two)| one == two).count();
    let up = "../".repeat(from.len() - 1 - common);
    let path = percent_decode(&format!("{up}{}", to.get(common..)?.join("/")))?;
    (!path.is_empty() && !path.ends_with('/')).then_some(path)
}

/// Splits a path; the empty path of a host is its root.
fn segments(path: &str) -> Vec<&str> {
    if path.is_empty() { vec!["", ""] } else { path.split('/').collect() }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

fn split(text: &str) -> Parts<'_> {
    let (rest, query) = match text.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (text, None),
    };
    let (scheme, rest) = split_scheme(rest);
    let Some(after) = rest.strip_prefix("//") else {
        return Parts { scheme, authority: None, path: rest, query };
    };
    let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
    Parts { scheme, authority: Some(authority), path, query }
}

fn split_scheme(text: &str) -> (Option<&str>, &str) {
    let Some((scheme, rest)) = text.split_once(':') else {
        return (None, text);
    };
    let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(letter);
    if is_scheme { (Some(scheme), rest) } else { (None, text) }
}

fn merge(base: &Parts<'_>, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    if base.authority.is_some() && base.path.is_empty() {
        return format!("/{path}");
    }
    let folder = base.path.rfind('/').map_or("", |slash| &base.path[..=slash]);
    format!("{folder}{path}")
}

fn remove_dots(path: &str) -> String {
    if !path.contains('.') {
        return path.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    let rooted = path.starts_with('/');
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." => {}
            ".." => drop(if kept.len() > usize::from(rooted) { kept.pop() } else { None }),
            _ => kept.push(segment),
        }
        if last && matches!(segment, "." | "..") {
            kept.push("");
        }
    }
    kept.join("/")
}

fn join(scheme: Option<&str>, authority: Option<&str>, path: &str, query: Option<&str>) -> String {
    let mut uri = String::new();
    if let Some(scheme) = scheme {
        uri.push_str(scheme);
        uri.push(':');
    }
    if let Some(authority) = authority {
        uri.push_str("//");
        uri.push_str(authority);
    }
    uri.push_str(path);
    if let Some(query) = query {
        uri.push('?');
        uri.push_str(query);
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{file_of, of_file, path_between, percent_decode, resolve};

    #[test]
    fn references_resolve_against_the_uri_of_their_file() {
        for name in ["a.json", "s/a b%#?.json", "../s/a.json", "../../a.json", "/r/s/a.json", "~/x.json"] {
            assert_eq!(file_of(&of_file(name)).as_deref(), Some(name));
        }
        let beside = |name: &str, reference: &str| file_of(&resolve(&of_file(name), reference));
        assert_eq!(beside("s/a.json", "../b.json").as_deref(), Some("b.json"));
        assert_eq!(beside("s/a.json", "../../b.json").as_deref(), Some("../b.json"));
        assert_eq!(beside("../s/a.json", "../../t/b%20c.json").as_deref(), Some("../../t/b c.json"));
        assert_eq!(beside("/r/s/a.json", "../../../../b.json").as_deref(), Some("/b.json"));
        assert_eq!(file_of("https://x.org/a"), None);
        assert_eq!(file_of("file://host/a"), None);
    }

    #[test]
    fn relative_paths_connect_uris_of_one_host() {
        let between = |to: &str| path_between("https://x.org/v1/a.json", to);
        assert_eq!(between("https://x.org/v1/b.json").as_deref(), Some("b.json"));
        assert_eq!(between("http://x.org/common/b%20c.json").as_deref(), Some("../common/b c.json"));
        assert_eq!(between("https://x.org/b").as_deref(), Some("../b"));
        assert_eq!(between("https://y.org/v1/b.json"), None);
        assert_eq!(between("https://x.org/v1/"), None);
        assert_eq!(between("urn:a:b"), None);
        assert_eq!(path_between("https://x.org", "https://x.org/b").as_deref(), Some("b"));
    }

    /// The examples of RFC 3986, section 5.4, without fragments.
    #[test]
    fn resolution_follows_the_examples_of_rfc_3986() {
        let base = "http://a/b/c/d;p?q";
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"),
        ] {
            assert_eq!(resolve(base, reference), expected, "{reference}");
        }
        assert_eq!(resolve("urn:uuid:1", "urn:uuid:2#x"), "urn:uuid:2");
        assert_eq!(resolve("urn:uuid:1", ""), "urn:uuid:1");
        assert_eq!(resolve("", "foo.json"), "foo.json");
    }

    #[test]
    fn invalid_percent_escapes_do_not_decode() {
        assert_eq!(percent_decode("a%25b%22").as_deref(), Some("a%b\""));
        assert_eq!(percent_decode("%"), None);
        assert_eq!(percent_decode("%fF"), None);
    }
}
