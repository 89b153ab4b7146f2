//! Type names of other languages, and their equivalents in JSON Schema.

use ogc_grammar::nearest;

/// The names of JSON Schema's types.
pub(in crate::frontend) const TYPE_NAMES: [&str; 7] =
    ["null", "boolean", "integer", "number", "string", "array", "object"];

/// The JSON Schema equivalent of another language's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// A type.
    Type(&'static str),
    /// Strings of a format.
    Format(&'static str),
    /// An array of the type in the brackets.
    ArrayOf,
    /// The type in the brackets, or null.
    OrNull,
    /// Any value.
    Anything,
}

/// The foreign names in lower case, by their equivalent.
const FOREIGN: &[(Meant, &[&str])] = &[
    (
        Meant::Type("string"),
        &[
            "str",
            "text",
            "char",
            "varchar",
            "nvarchar",
            "character",
            "rune",
            "symbol",
            "bytes",
            "byte[]",
            "file",
            "enum",
        ],
    ),
    (
        Meant::Type("integer"),
        &[
            "int", "long", "short", "bigint", "smallint", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16",
            "uint32", "uint64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "isize", "byte",
        ],
    ),
    (
        Meant::Type("number"),
        &["float", "double", "decimal", "numeric", "real", "num", "f32", "f64", "float32", "float64", "bigdecimal"],
    ),
    (Meant::Type("boolean"), &["bool", "bit", "logical"]),
    (Meant::Type("array"), &["list", "arr", "tuple", "set", "vector", "vec", "sequence", "slice"]),
    (
        Meant::Type("object"),
        &["dict", "dictionary", "map", "hashmap", "record", "struct", "json", "mapping", "hash", "obj", "class"],
    ),
    (Meant::Type("null"), &["none", "nil", "nonetype", "undefined", "void", "unit"]),
    (Meant::Format("date-time"), &["datetime", "date-time", "timestamp", "instant"]),
    (Meant::Format("date"), &["date", "localdate"]),
    (Meant::Format("time"), &["time", "localtime"]),
    (Meant::Format("duration"), &["duration", "timedelta", "interval"]),
    (Meant::Format("uuid"), &["uuid", "guid"]),
    (Meant::Format("uri"), &["uri", "url"]),
    (Meant::Format("email"), &["email"]),
    (Meant::Anything, &["any", "mixed", "unknown", "variant", "jsonvalue"]),
];

/// Returns the equivalent of a type name that JSON Schema does not have; `None` if no known name is near.
pub(super) fn meant_type(name: &str) -> Option<Meant> {
    let lower = name.trim().to_ascii_lowercase();
    let head = lower.split_once(['[', '<', '(']).map_or(&*lower, |(head, _)| head).trim_end();
    let is_nullable = |name: &str| name.ends_with('?') || name.contains('|') || matches!(head, "optional" | "nullable");
    let known = |name: &str| FOREIGN.iter().find(|(_, names)| names.contains(&name)).map(|(meant, _)| *meant);
    let plain = |name: &str| TYPE_NAMES.into_iter().find(|known| *known == name).map(Meant::Type);
    if let Some(meant) = plain(&lower).or_else(|| known(&lower)) {
        return Some(meant);
    }
    if is_nullable(&lower) {
        return Some(Meant::OrNull);
    }
    let has_brackets = head.len() < lower.len();
    match plain(head).or_else(|| known(head)).filter(|_| has_brackets) {
        Some(meant) if meant == Meant::Type("array") || lower.ends_with("[]") => Some(Meant::ArrayOf),
        Some(meant) => Some(meant),
        None => nearest(name, TYPE_NAMES).map(Meant::Type),
    }
}

impl Meant {
    /// Returns the help text: how JSON Schema writes the type.
    pub(super) fn help(self) -> String {
        match self {
            Self::Type(name) => format!("write {name:?}"),
            Self::Format(format) => format!("write \"string\", and beside it \"format\": {format:?}"),
            Self::ArrayOf => {
                "write \"array\", and beside it the schema of its items, as in \"items\": {\"type\": \"string\"}"
                    .to_owned()
            }
            Self::OrNull => "list null as a type, as in \"type\": [\"string\", \"null\"]".to_owned(),
            Self::Anything => "remove `type`: without it any value is allowed".to_owned(),
        }
    }

    /// Returns a schema for the type.
    pub(super) fn schema(self) -> String {
        match self {
            Self::Type(name) => format!("{{\"type\": {name:?}}}"),
            Self::Format(format) => format!("{{\"type\": \"string\", \"format\": {format:?}}}"),
            Self::ArrayOf => "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}".to_owned(),
            Self::OrNull => "{\"type\": [\"string\", \"null\"]}".to_owned(),
            Self::Anything => "true".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_names_of_other_languages_are_recognised() {
        for (name, expected) in [
            ("str", Some(Meant::Type("string"))),
            ("String", Some(Meant::Type("string"))),
            ("INTEGER", Some(Meant::Type("integer"))),
            ("dict", Some(Meant::Type("object"))),
            ("None", Some(Meant::Type("null"))),
            ("datetime", Some(Meant::Format("date-time"))),
            ("List[str]", Some(Meant::ArrayOf)),
            ("string[]", Some(Meant::ArrayOf)),
            ("Map<string, int>", Some(Meant::Type("object"))),
            ("dict[]", Some(Meant::ArrayOf)),
            ("varchar(80)", Some(Meant::Type("string"))),
            ("Optional[int]", Some(Meant::OrNull)),
            ("string | null", Some(Meant::OrNull)),
            ("strnig", Some(Meant::Type("string"))),
            ("any", Some(Meant::Anything)),
            ("Person", None),
            ("", None),
        ] {
            assert_eq!(meant_type(name), expected, "{name}");
        }
    }

    #[test]
    fn foreign_type_names_are_unique_and_no_json_schema_types() {
        let mut names: Vec<&str> = FOREIGN.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(names.iter().all(|name| !TYPE_NAMES.contains(name) && *name == name.to_lowercase()));
    }
}
