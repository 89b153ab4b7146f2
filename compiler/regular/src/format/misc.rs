//! Patterns of UUIDs, JSON pointers and URI templates.

/// Returns the pattern of a UUID (RFC 9562): five groups of hexadecimal digits.
pub(super) fn uuid() -> String {
    "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}".into()
}

/// Returns the pattern of a JSON pointer (RFC 6901): reference tokens with `~0` and `~1`.
pub(super) fn json_pointer() -> String {
    "(?:/(?:[^~/]|~[01])*)*".into()
}

/// Returns the pattern of a relative JSON pointer: a number of levels, optionally an offset among the items of an
/// array, then `#` or a pointer.
pub(super) fn relative_json_pointer() -> String {
    format!("(?:0|[1-9]\\d*)(?:[+-][1-9]\\d*)?(?:#|{})", json_pointer())
}

/// Returns the pattern of a URI template (RFC 6570): literals and expressions of all levels.
pub(super) fn uri_template() -> String {
    let escape = "%[0-9a-fA-F]{2}";
    let literal = format!("[!#$&'()*+,./0-9:;=?@A-Z\\[\\]_a-z~{}-]|{escape}", super::address::beyond_ascii());
    let character = format!("(?:[A-Za-z0-9_]|{escape})");
    let variable = format!("{character}(?:\\.?{character})*(?:\\*|:[1-9]\\d{{0,3}})?");
    format!("(?:{literal}|\\{{[+#./;?&=,!@|]?{variable}(?:,{variable})*\\}})*")
}
