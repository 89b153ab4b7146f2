//! The built-in names.

/// Scalars and containers, formats, and what builds text.
pub(crate) const NAMES: &[&str] = &[
    "any",
    "any_tool",
    "array",
    "base64",
    "bool",
    "date",
    "datetime",
    "duration",
    "email",
    "hostname",
    "idn_email",
    "idn_hostname",
    "int",
    "ipv4",
    "ipv6",
    "iri",
    "iri_ref",
    "json",
    "json_pointer",
    "lazy",
    "map",
    "mix",
    "null",
    "number",
    "object",
    "raw",
    "regex",
    "relative_json_pointer",
    "string",
    "substring",
    "text",
    "time",
    "tuple",
    "uri",
    "uri_ref",
    "uri_template",
    "uuid",
];

/// The name is built in, so that nothing else can be called so.
pub(crate) fn is_builtin(name: &str) -> bool {
    builtin_name(name).is_some()
}

/// A built-in name by its text.
pub(crate) fn builtin_name(name: &str) -> Option<&'static str> {
    NAMES.binary_search(&name).ok().map(|at| NAMES[at])
}

/// The name builds text; the others are sets of values.
pub(super) fn is_text(name: &str) -> bool {
    matches!(name, "json" | "lazy" | "mix" | "raw" | "substring" | "text")
}

/// The name is a set of strings.
pub(crate) fn is_string_type(name: &str) -> bool {
    matches!(name, "string" | "base64") || format(name).is_some()
}

/// What JSON Schema calls a format.
pub(crate) fn format(name: &str) -> Option<&'static str> {
    let formats = [
        ("date", "date"),
        ("datetime", "date-time"),
        ("duration", "duration"),
        ("email", "email"),
        ("hostname", "hostname"),
        ("idn_email", "idn-email"),
        ("idn_hostname", "idn-hostname"),
        ("ipv4", "ipv4"),
        ("ipv6", "ipv6"),
        ("iri", "iri"),
        ("iri_ref", "iri-reference"),
        ("json_pointer", "json-pointer"),
        ("regex", "regex"),
        ("relative_json_pointer", "relative-json-pointer"),
        ("time", "time"),
        ("uri", "uri"),
        ("uri_ref", "uri-reference"),
        ("uri_template", "uri-template"),
        ("uuid", "uuid"),
    ];
    formats.iter().find(|(ogc, _)| *ogc == name).map(|(_, format)| *format)
}

#[cfg(test)]
mod tests {
    use super::{NAMES, format};

    #[test]
    fn names_are_sorted_and_formats_are_known() {
        assert!(NAMES.is_sorted());
        for name in NAMES.iter().filter_map(|name| format(name)) {
            assert!(ogc_regular::format(name).is_some(), "{name}");
        }
    }
}
