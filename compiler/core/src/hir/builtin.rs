//! The table of built-in names, used to resolve, elaborate, suggest, print and explain them.
//!
//! To add one, add a line here, its meaning in `elaborate` (the Rust compiler reports the missing case) and its
//! description in `docs/reference`.

/// A name that every file knows.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Builtin {
    /// The name.
    pub name: &'static str,
    /// Whether it is a set of values or a text.
    pub kind: BuiltinKind,
    /// Its parameters, in their order.
    pub parameters: &'static [BuiltinParameter],
    /// One sentence of documentation for authors.
    pub doc: &'static str,
}

/// The kind of a built-in name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinKind {
    /// A set of JSON values.
    Value(ValueKind),
    /// A text operator.
    Text(TextKind),
    /// Calls of a list of tools; text or values, depending on the call syntax.
    Calls,
}

/// The sets of JSON values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// Every value.
    Any,
    /// `null` alone.
    Null,
    /// `true` and `false`.
    Bool,
    /// Integers.
    Int,
    /// Numbers.
    Number,
    /// Strings.
    String,
    /// Strings of a format.
    Format(FormatInfo),
    /// Arrays.
    Array,
    /// Arrays whose first items have types of their own.
    Tuple,
    /// Objects.
    Object,
    /// Objects with one type of keys and one type of values.
    Map,
    /// A record without some of its members.
    Omit,
}

/// A named set of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FormatInfo {
    /// Its name in the keyword `format` of JSON Schema; `None` for `base64`, which is a pattern there.
    pub json_schema: Option<&'static str>,
    /// An example, where the name alone does not tell.
    pub example: Option<&'static str>,
    /// Whether it is a date or a time; these have no ranges, as their texts are not ordered.
    pub is_dated: bool,
    /// Whether its strings are only those of the format's [practical form](ogc_regular::format::practical).
    pub is_practical: bool,
}

/// The text operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextKind {
    /// The fields of an object type, each written by a template.
    Each,
    /// The JSON text of a value.
    Json,
    /// A lazy text: ends at the first match.
    Lazy,
    /// Free text with regions in it.
    Mix,
    /// A JSON string whose characters are a text.
    Quoted,
    /// The characters of a set of strings, without quotes and escapes.
    Raw,
    /// Any contiguous part of a text.
    Substring,
    /// Free text.
    Text,
}

/// A parameter of a built-in name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BuiltinParameter {
    /// The name before `=`; `None` for a positional parameter.
    pub name: Option<&'static str>,
    /// The kind of its argument.
    pub value: ParameterKind,
    /// The default argument; `None` if the argument is required, or if leaving it out means no restriction.
    pub default: Option<&'static str>,
    /// One sentence of documentation for authors.
    pub doc: &'static str,
}

/// The kind of an argument of a built-in name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterKind {
    /// `a..b`, a range of numbers.
    Range,
    /// `3` or `m..n`, a count.
    Count,
    /// A number.
    Number,
    /// `/.../`
    Regex,
    /// `true` or `false`.
    Bool,
    /// A string in quotes.
    String,
    /// A type.
    Type,
    /// Any number of types.
    Types,
    /// A text.
    Text,
    /// A list of tools.
    Tools,
    /// A type or rule that writes a call.
    CallStyle,
    /// A rule that writes a field.
    FieldStyle,
    /// Policies by name: `space = "pretty"`.
    Policies,
}

/// Makes a positional parameter.
const fn plain(value: ParameterKind, doc: &'static str) -> BuiltinParameter {
    BuiltinParameter { name: None, value, default: None, doc }
}

const fn named(name: &'static str, value: ParameterKind, doc: &'static str) -> BuiltinParameter {
    BuiltinParameter { name: Some(name), value, default: None, doc }
}

const fn with_default(
    name: &'static str,
    value: ParameterKind,
    default: &'static str,
    doc: &'static str,
) -> BuiltinParameter {
    BuiltinParameter { name: Some(name), value, default: Some(default), doc }
}

const NONE: &[BuiltinParameter] = &[];

const STRING: &[BuiltinParameter] = &[
    plain(ParameterKind::Range, "The number of characters."),
    plain(ParameterKind::Regex, "A pattern that matches the string as a whole."),
    named("search", ParameterKind::Regex, "A pattern that matches somewhere in the string."),
];

const BOUNDS: BuiltinParameter = plain(ParameterKind::Range, "The least and the greatest, both included.");
const ABOVE: BuiltinParameter = named("above", ParameterKind::Number, "The numbers are greater than this.");
const BELOW: BuiltinParameter = named("below", ParameterKind::Number, "The numbers are less than this.");
const MULTIPLE_OF: BuiltinParameter =
    named("multiple_of", ParameterKind::Number, "The numbers are whole multiples of this.");

const INT: &[BuiltinParameter] = &[BOUNDS, ABOVE, BELOW, MULTIPLE_OF];

const NUMBER: &[BuiltinParameter] = &[
    BOUNDS,
    ABOVE,
    BELOW,
    named("digits", ParameterKind::Count, "The number of digits after the point: at most `n`, or always `m..n`."),
    MULTIPLE_OF,
];

const ARRAY: &[BuiltinParameter] = &[
    plain(ParameterKind::Range, "The number of items."),
    named("contains", ParameterKind::Type, "A type that some of the items are in."),
    with_default("times", ParameterKind::Count, "1..", "The number of items that are in `contains`."),
    with_default("unique", ParameterKind::Bool, "false", "Whether no two items are equal."),
];

const OBJECT: &[BuiltinParameter] = &[
    plain(ParameterKind::Range, "The number of members."),
    named("keys", ParameterKind::Type, "The set of strings that every key is in."),
];

const TUPLE: &[BuiltinParameter] = &[
    plain(ParameterKind::Types, "The types of the first items, in order."),
    named("rest", ParameterKind::Type, "The type of all further items."),
    named("items", ParameterKind::Count, "The number of all items."),
];

const TEXT: &[BuiltinParameter] = &[
    named("max_tokens", ParameterKind::Count, "The most tokens."),
    named("max_chars", ParameterKind::Count, "The most characters."),
    named("without", ParameterKind::Text, "A text that does not occur in it."),
];

const MIX: &[BuiltinParameter] = &[
    plain(ParameterKind::Text, "The free text between the regions."),
    plain(ParameterKind::Text, "The regions; each begins with a literal or a vocabulary token."),
    with_default("calls", ParameterKind::Count, "0..", "The number of regions."),
];

const RAW: &[BuiltinParameter] = &[
    plain(ParameterKind::Type, "A set of scalars; of any values, if `without` says where strings end."),
    named("without", ParameterKind::Text, "A text that does not occur in strings, such as the one that ends them."),
    plain(ParameterKind::Policies, "Policies by their names, such as `space = \"spaced\"`."),
];

const EACH: &[BuiltinParameter] = &[
    plain(ParameterKind::Type, "A type of objects."),
    plain(ParameterKind::FieldStyle, "A rule with the parameters `name` and `Value`: how a field is written."),
    named("separator", ParameterKind::Text, "The text between two fields."),
    named("optional", ParameterKind::FieldStyle, "How a field that may be left out is written, where that differs."),
    named(
        "absent",
        ParameterKind::Text,
        "What stands in place of a field that is left out: a text, or a rule with the parameter `name`.",
    ),
    named(
        "others",
        ParameterKind::FieldStyle,
        "How a field is written that is not declared; without it there are none.",
    ),
    plain(ParameterKind::Policies, "Policies by their names, such as `order = \"any\"`."),
];

const fn value(
    name: &'static str,
    kind: ValueKind,
    parameters: &'static [BuiltinParameter],
    doc: &'static str,
) -> Builtin {
    Builtin { name, kind: BuiltinKind::Value(kind), parameters, doc }
}

const fn text(
    name: &'static str,
    kind: TextKind,
    parameters: &'static [BuiltinParameter],
    doc: &'static str,
) -> Builtin {
    Builtin { name, kind: BuiltinKind::Text(kind), parameters, doc }
}

const fn format(
    name: &'static str,
    json_schema: &'static str,
    example: Option<&'static str>,
    doc: &'static str,
) -> Builtin {
    let format = FormatInfo { json_schema: Some(json_schema), example, is_dated: false, is_practical: false };
    value(name, ValueKind::Format(format), STRING, doc)
}

const fn practical(name: &'static str, json_schema: &'static str, example: &'static str, doc: &'static str) -> Builtin {
    let example = Some(example);
    let format = FormatInfo { json_schema: Some(json_schema), example, is_dated: false, is_practical: true };
    value(name, ValueKind::Format(format), STRING, doc)
}

const fn dated(builtin: Builtin) -> Builtin {
    match builtin.kind {
        BuiltinKind::Value(ValueKind::Format(format)) => {
            let kind = BuiltinKind::Value(ValueKind::Format(FormatInfo { is_dated: true, ..format }));
            Builtin { kind, ..builtin }
        }
        _ => builtin,
    }
}

const BASE64: FormatInfo =
    FormatInfo { json_schema: None, example: Some("Zm9v"), is_dated: false, is_practical: false };

/// All built-in names, ordered by name.
pub static BUILTINS: &[Builtin] = &[
    value("any", ValueKind::Any, NONE, "Every JSON value."),
    Builtin {
        name: "any_tool",
        kind: BuiltinKind::Calls,
        parameters: &[
            plain(ParameterKind::Tools, "A list of tools, imported from a file."),
            plain(
                ParameterKind::CallStyle,
                "A type or rule with the parameters `name` and `Args`: how a call is written.",
            ),
        ],
        doc: "A call of any tool of a list.",
    },
    value("array", ValueKind::Array, ARRAY, "An array of any items; of one type it is `T[m..n]`."),
    value("base64", ValueKind::Format(BASE64), STRING, "Base64 with padding, as in RFC 4648."),
    value("bool", ValueKind::Bool, NONE, "`true` or `false`."),
    dated(practical(
        "date",
        "date",
        "2024-05-01",
        "A date of the years 0001 to 9999; `rfc_date` has the year 0000 too.",
    )),
    dated(practical(
        "datetime",
        "date-time",
        "2024-05-01T12:30:00Z",
        "A date and a time with an offset, `T` and `Z` in upper case, at most six digits of a second and no leap seconds; all of RFC 3339 \
         is `rfc_datetime`.",
    )),
    practical(
        "duration",
        "duration",
        "P1DT12H",
        "A duration whose numbers have at most six digits; all of RFC 3339, appendix A, is `rfc_duration`.",
    ),
    text("each", TextKind::Each, EACH, "The fields of a record, each written by a rule."),
    practical(
        "email",
        "email",
        "ada@example.org",
        "An email address of letters, digits and `_%+'&=-.` at a name with a dot; all of RFC 5321 is `rfc_email`.",
    ),
    practical(
        "hostname",
        "hostname",
        "www.example.org",
        "A host name with a dot, whose last label is letters; all of RFC 1123 is `rfc_hostname`.",
    ),
    format("idn_email", "idn-email", Some("ada@example.org"), "An email address with any letters, as in RFC 6531."),
    format("idn_hostname", "idn-hostname", Some("www.example.org"), "A host name with any letters, as in RFC 5890."),
    value("int", ValueKind::Int, INT, "An integer."),
    format("ipv4", "ipv4", Some("192.0.2.1"), "An IPv4 address."),
    format("ipv6", "ipv6", Some("2001:db8::1"), "An IPv6 address without a zone, as in RFC 4291."),
    format("iri", "iri", Some("https://example.org/a"), "An absolute IRI, as in RFC 3987."),
    format("iri_ref", "iri-reference", Some("/a?b=c"), "An IRI or a relative reference, as in RFC 3987."),
    text(
        "json",
        TextKind::Json,
        &[
            plain(ParameterKind::Type, "The value."),
            plain(ParameterKind::Policies, "Policies by their names, such as `space = \"pretty\"`."),
        ],
        "The JSON text of a value, spelled as the policies say.",
    ),
    format("json_pointer", "json-pointer", Some("/a/0"), "A JSON Pointer, as in RFC 6901."),
    text(
        "lazy",
        TextKind::Lazy,
        &[plain(ParameterKind::Text, "A regular text.")],
        "A text that ends as soon as it can.",
    ),
    value(
        "map",
        ValueKind::Map,
        &[
            plain(ParameterKind::Type, "The set of strings that every key is in."),
            plain(ParameterKind::Type, "The type of the values."),
        ],
        "An object whose keys are in one set of strings and whose values are in one type.",
    ),
    text("mix", TextKind::Mix, MIX, "Text with regions in it, each of which keeps to its format."),
    value("null", ValueKind::Null, NONE, "The value `null`."),
    value("number", ValueKind::Number, NUMBER, "A number."),
    value("object", ValueKind::Object, OBJECT, "An object with any members."),
    value(
        "omit",
        ValueKind::Omit,
        &[
            plain(ParameterKind::Type, "The record."),
            plain(ParameterKind::Type, "The keys of the members that are left out: `\"a\" | \"b\"`."),
        ],
        "A record without some of its members.",
    ),
    text(
        "quoted",
        TextKind::Quoted,
        &[plain(ParameterKind::Text, "The text that its characters are.")],
        "A JSON string whose characters are a text, each in its shortest spelling.",
    ),
    text("raw", TextKind::Raw, RAW, "The characters of strings, without quotes and escapes."),
    format("regex", "regex", None, "A regular expression, as in ECMA-262."),
    format("relative_json_pointer", "relative-json-pointer", Some("1/a"), "A relative JSON Pointer, as in its draft."),
    dated(format("rfc_date", "date", Some("2024-05-01"), "A date, as in RFC 3339.")),
    dated(format(
        "rfc_datetime",
        "date-time",
        Some("2024-05-01T12:30:00Z"),
        "A date and a time with an offset, as in RFC 3339.",
    )),
    format("rfc_duration", "duration", Some("P1DT12H"), "A duration, as in RFC 3339, appendix A."),
    format("rfc_email", "email", Some("ada@example.org"), "An email address, as in RFC 5321."),
    format("rfc_hostname", "hostname", Some("www.example.org"), "A host name, as in RFC 1123."),
    dated(format("rfc_time", "time", Some("12:30:00Z"), "A time with an offset, as in RFC 3339.")),
    value("string", ValueKind::String, STRING, "A string; the range bounds its characters."),
    text(
        "substring",
        TextKind::Substring,
        &[plain(ParameterKind::String, "The whole text.")],
        "Any contiguous part of a text.",
    ),
    text("text", TextKind::Text, TEXT, "Any text."),
    dated(practical(
        "time",
        "time",
        "12:30:00Z",
        "A time with an offset, `Z` in upper case, at most six digits of a second and no leap seconds; all of RFC 3339 is `rfc_time`.",
    )),
    value("tuple", ValueKind::Tuple, TUPLE, "An array whose first items have types of their own."),
    format("uri", "uri", Some("https://example.org/a"), "An absolute URI, as in RFC 3986."),
    format("uri_ref", "uri-reference", Some("/a?b=c"), "A URI or a relative reference, as in RFC 3986."),
    format("uri_template", "uri-template", Some("/users/{id}"), "A URI template, as in RFC 6570."),
    format("uuid", "uuid", None, "A UUID, as in RFC 9562."),
];

impl Builtin {
    /// Returns the built-in with this name.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Builtin> {
        BUILTINS.binary_search_by_key(&name, |one| one.name).ok().map(|at| &BUILTINS[at])
    }

    /// Returns the built-in type for a `format` of JSON Schema; with `is_practical`, the type for its practical form.
    #[must_use]
    pub fn of_format(json_schema: &str, is_practical: bool) -> Option<&'static Builtin> {
        let is_wanted =
            |format: FormatInfo| format.json_schema == Some(json_schema) && format.is_practical == is_practical;
        BUILTINS.iter().find(|one| one.format().is_some_and(is_wanted))
    }

    /// Returns whether it builds only text.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self.kind, BuiltinKind::Text(_))
    }

    /// Returns whether it takes policies as named arguments.
    #[must_use]
    pub fn takes_policies(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.value == ParameterKind::Policies)
    }

    /// Returns whether it is a set of strings.
    #[must_use]
    pub fn is_string(&self) -> bool {
        matches!(self.kind, BuiltinKind::Value(ValueKind::String | ValueKind::Format(_)))
    }

    /// Returns whether it is a set of values without strings.
    pub(crate) fn has_no_string(&self) -> bool {
        match self.kind {
            BuiltinKind::Value(ValueKind::Any | ValueKind::String | ValueKind::Format(_)) => false,
            BuiltinKind::Value(_) => true,
            BuiltinKind::Text(_) | BuiltinKind::Calls => false,
        }
    }

    /// Returns its format, if it is a set of strings of a format.
    #[must_use]
    pub fn format(&self) -> Option<FormatInfo> {
        match self.kind {
            BuiltinKind::Value(ValueKind::Format(format)) => Some(format),
            BuiltinKind::Value(_) | BuiltinKind::Text(_) | BuiltinKind::Calls => None,
        }
    }

    /// Returns the names of its named parameters.
    pub(crate) fn named_parameters(&self) -> impl Iterator<Item = &'static str> {
        self.parameters.iter().filter_map(|parameter| parameter.name)
    }
}

#[cfg(test)]
mod tests {
    use super::BUILTINS;

    #[test]
    fn built_in_names_are_sorted_and_documented() {
        assert!(BUILTINS.is_sorted_by_key(|one| one.name));
        let reference = ogc_kit::documents::reference_text();
        for one in BUILTINS {
            let word = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == one.name);
            assert!(
                reference.lines().any(|line| line.contains('`') && word(line)),
                "docs/reference lacks `{}`",
                one.name
            );
            for parameter in one.named_parameters() {
                let written = format!("{parameter} = ");
                assert!(reference.contains(&written), "docs/reference lacks `{parameter}` of `{}`", one.name);
            }
        }
    }

    #[test]
    fn examples_of_formats_are_valid() {
        for format in BUILTINS.iter().filter_map(|one| one.format()) {
            let Some(name) = format.json_schema else { continue };
            let known = ogc_regular::format(name);
            assert!(known.is_some(), "{name}");
            let example = format.example;
            assert!(example.is_none_or(|text| known.is_some_and(|known| known.contains(text))), "{name}");
            let form = ogc_regular::format::practical(name).filter(|_| format.is_practical);
            assert_eq!(form.is_some(), format.is_practical, "{name}");
            let dfa = form.and_then(ogc_regular::format::PracticalForm::dfa);
            assert!(dfa.is_none_or(|dfa| example.is_some_and(|text| dfa.contains(text.as_bytes()))), "{name}");
        }
    }
}
