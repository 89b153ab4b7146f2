//! UUIDs, pointers, URI templates, and patterns themselves.

/// RFC 9562: five groups of hexadecimal digits.
pub(super) fn uuid() -> String {
    "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}".into()
}

/// RFC 6901: reference tokens with `~0` and `~1`.
pub(super) fn json_pointer() -> String {
    "(?:/(?:[^~/]|~[01])*)*".into()
}

/// A count of levels, then `#` or a pointer.
pub(super) fn relative_json_pointer() -> String {
    format!("(?:0|[1-9]\\d*)(?:#|{})", json_pointer())
}

/// RFC 6570: literals and expressions of all levels.
pub(super) fn uri_template() -> String {
    let escape = "%[0-9a-fA-F]{2}";
    let literal = format!("[!#$&'()*+,./0-9:;=?@A-Z\\[\\]_a-z~{}-]|{escape}", super::address::beyond_ascii());
    let character = format!("(?:[A-Za-z0-9_]|{escape})");
    let variable = format!("{character}(?:\\.?{character})*(?:\\*|:[1-9]\\d{{0,3}})?");
    format!("(?:{literal}|\\{{[+#./;?&=,!@|]?{variable}(?:,{variable})*\\}})*")
}

/// Patterns of ECMA-262 whose groups are nested at most twice: a regular part of a language that is not regular.
pub(super) fn regex() -> String {
    let escape =
        "\\\\(?:[dDwWsStnvfr^$\\\\.*+?()\\[\\]{}|/]|x[0-9a-fA-F]{2}|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|p\\{L[ul]?\\})";
    let single = format!("[^\\n\\r\\u2028\\u2029\\\\^$*+?()\\[\\]{{}}|]|{escape}");
    let member = format!("(?:a-z|A-Z|0-9|[^\\n\\r\\u2028\\u2029\\\\\\]\\[\\^&~:-]|{escape})");
    let atom = format!("(?:{single}|\\[\\^?-?{member}+-?\\])");
    let times = "(?:(?:[*+?]|\\{(?:0|[1-9]\\d{0,2}),?\\})\\??)?";
    let mut body = format!("(?:{atom}{times}|[\\^$|]|\\\\[bB])*");
    for _ in 0..2 {
        body = format!("(?:{atom}{times}|\\((?:\\?:)?{body}\\){times}|\\(\\?[=!]{body}\\)|[\\^$|]|\\\\[bB])*");
    }
    body
}
