//! Lists names of types in other languages with their counterparts in `.ogc`.

/// The counterpart of another language's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Native {
    /// Exactly this expression: `int` for `integer`.
    Same(&'static str),
    /// A way to write it, in words: "a union of literals" for `enum`.
    Like(&'static str),
    /// A type with arguments: `T[0..]` for `Array<T>`.
    Of(Generic),
}

/// The counterpart of a generic type of another language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Generic {
    /// `T[0..]`
    Array,
    /// `T | null`
    Nullable,
    /// `map<K, V>`
    Map,
    /// `A | B`
    Union,
    /// `tuple<A, B>`
    Tuple,
    /// The argument alone: `A` for `Box<A>`.
    Alone,
}

impl Native {
    /// Returns the counterpart in words, for a help.
    pub(super) fn shown(self) -> String {
        match self {
            Native::Same(written) => format!("`{written}`"),
            Native::Like(words) => words.to_owned(),
            Native::Of(Generic::Nullable) => "`T | null` for a value, `name?: T` for a field".to_owned(),
            Native::Of(Generic::Alone) => "the type alone: `A`".to_owned(),
            Native::Of(generic) => format!("`{}`", generic.shown()),
        }
    }
}

impl Generic {
    /// Returns the counterpart as it is written in `.ogc`.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Generic::Array => "T[0..]",
            Generic::Nullable => "T | null",
            Generic::Map => "map<string, T>",
            Generic::Union => "A | B",
            Generic::Tuple => "tuple<A, B>",
            Generic::Alone => "A",
        }
    }
}

/// Lists, in words.
const SEPARATED: &str = "`x % \",\"`: one or more `x`, with `,` between";

/// Returns whether a word between two texts means `%` in other notations: `x sep by ","`.
pub(super) fn separates(name: &str) -> bool {
    native(name) == Some(Native::Like(SEPARATED))
}

/// Names of types in other languages, each with its counterpart.
static NATIVES: &[(&[&str], Native)] = &[
    (&["str", "String"], Native::Same("string")),
    (
        &[
            "integer", "Integer", "Int", "long", "i8", "i16", "i32", "i64", "isize", "int32", "int64", "sint32",
            "sint64", "sfixed32", "sfixed64",
        ],
        Native::Same("int"),
    ),
    (&["uint", "u32", "u64", "usize", "uint32", "uint64", "fixed32", "fixed64"], Native::Same("int<0..>")),
    (&["int8"], Native::Same("int<-128..127>")),
    (&["int16"], Native::Same("int<-32768..32767>")),
    (&["u8", "uint8", "byte"], Native::Same("int<0..255>")),
    (&["u16", "uint16"], Native::Same("int<0..65535>")),
    (
        &[
            "float", "Float", "double", "Double", "decimal", "Decimal", "Number", "f32", "f64", "float32", "float64",
            "real", "numeric",
        ],
        Native::Same("number"),
    ),
    (&["boolean", "Boolean", "Bool"], Native::Same("bool")),
    (&["unknown", "Any", "mixed"], Native::Same("any")),
    (&["nil", "None", "Null", "NULL"], Native::Same("null")),
    (&["undefined", "void"], Native::Like("no JSON value: a field that may be absent is `name?: T`; null is `null`")),
    (&["NaN", "nan", "Infinity", "inf"], Native::Like("no JSON value: numbers are finite")),
    (&["bigint", "BigInt"], Native::Like("`int`, which has no limit")),
    (&["conint", "PositiveInt", "NonNegativeInt"], Native::Like("`int` with bounds: `int<0..150>`")),
    (&["confloat", "condecimal"], Native::Like("`number` with bounds: `number<0..1>`")),
    (&["constr"], Native::Like("`string` with bounds: `string<1..80>`")),
    (&["conlist"], Native::Like("an array with bounds: `T[1..10]`")),
    (&["Annotated"], Native::Like("its first argument, with bounds behind it: `int<0..>`")),
    (&["Omit"], Native::Same("omit")),
    (&["Pick"], Native::Like("a record with these fields written out; `omit<A, \"b\">` leaves others out")),
    (
        &["Partial", "DeepPartial"],
        Native::Like("a record with a `?` behind each name, `name?: T`; `{ ...A, name?: T }` replaces one field"),
    ),
    (&["Required"], Native::Like("a record without `?` behind its names; `{ ...A, name: T }` replaces one field")),
    (
        &["Readonly", "Mutable", "Final", "ClassVar", "Promise", "Awaited", "Deferred", "Box", "Rc", "Arc"],
        Native::Of(Generic::Alone),
    ),
    (&["Exclude"], Native::Like("`A - B`")),
    (&["Extract"], Native::Like("`A & B`")),
    (&["NonNullable"], Native::Like("`A - null`")),
    (&["Merge", "Intersection"], Native::Like("`{ ...A, ...B }`, with the fields of both")),
    (&["ip", "IP", "inet"], Native::Like("`ipv4` or `ipv6`")),
    (&["EOF", "EOI", "eof"], Native::Like("nothing to be written: a text ends where its format does")),
    (&["ε", "epsilon", "empty"], Native::Like("the empty text `\"\"`, or `x?` for what may be absent")),
    (
        &["set", "Set", "HashSet", "frozenset", "FrozenSet"],
        Native::Like("`T[0..] & array<unique = true>`: an array in which nothing is twice"),
    ),
    (&["True", "TRUE"], Native::Same("true")),
    (&["False", "FALSE"], Native::Same("false")),
    (&["DateTime", "date-time"], Native::Same("datetime")),
    (&["url", "URL", "Url"], Native::Same("uri")),
    (&["guid", "UUID", "Uuid"], Native::Same("uuid")),
    (&["idn-email"], Native::Same("idn_email")),
    (&["idn-hostname"], Native::Same("idn_hostname")),
    (&["uri-reference"], Native::Same("uri_ref")),
    (&["iri-reference"], Native::Same("iri_ref")),
    (&["uri-template"], Native::Same("uri_template")),
    (&["json-pointer"], Native::Same("json_pointer")),
    (&["relative-json-pointer"], Native::Same("relative_json_pointer")),
    (&["char"], Native::Same("string<1..1>")),
    (&["bytes", "Bytes", "binary"], Native::Like("`base64`")),
    (&["timestamp"], Native::Like("`datetime`")),
    (&["never", "Never"], Native::Like("`any - any`, which nothing is in; a key that is not there is not declared")),
    (&["const"], Native::Like("the literal alone: `\"a\"`")),
    (&["digit", "DIGIT", "digits"], Native::Like("`/[0-9]/`, or `/[0-9]+/` for several")),
    (&["letter", "LETTER", "alpha", "ALPHA"], Native::Like("`/[A-Za-z]/`, or `/[A-Za-z]+/` for several")),
    (&["alnum", "ALNUM", "alphanumeric"], Native::Like("`/[A-Za-z0-9]/`, or `/[A-Za-z0-9]+/` for several")),
    (&["ws", "WS", "whitespace", "WHITESPACE", "spaces"], Native::Like("`/[ \\t\\n]*/`")),
    (&["NEWLINE", "newline", "EOL", "eol", "NL", "CRLF"], Native::Like("`\"\\n\"`")),
    (
        &["sepBy", "sep_by", "separated", "separated_by", "sep", "delimited", "delimited_by", "interspersed", "joined"],
        Native::Like(SEPARATED),
    ),
    (&["many", "zeroOrMore", "zero_or_more"], Native::Like("`x*`")),
    (&["many1", "oneOrMore", "one_or_more"], Native::Like("`x+`")),
    (&["choice", "alt"], Native::Like("`a | b`")),
    (&["sequence", "seq"], Native::Like("`a b`: texts follow one another without a sign")),
    (&["allOf", "intersection", "merge"], Native::Like("`A & B`")),
    (&["oneOf", "anyOf"], Native::Of(Generic::Union)),
    (&["tok", "token"], Native::Like("`tok\"...\"`, with the token's name in quotes")),
    (&["enum", "Enum", "Literal"], Native::Like("a union of literals: `\"a\" | \"b\"`")),
    (&["list", "List", "Array", "ReadonlyArray", "Vec", "Sequence", "repeated"], Native::Of(Generic::Array)),
    (
        &["dict", "Dict", "Map", "Record", "record", "dictionary", "HashMap", "BTreeMap", "Mapping"],
        Native::Of(Generic::Map),
    ),
    (
        &["Optional", "optional", "Option", "Maybe", "Nullable", "nullable", "maybe", "nullish"],
        Native::Of(Generic::Nullable),
    ),
    (&["Tuple"], Native::Of(Generic::Tuple)),
    (&["Union", "union", "either", "Either", "literal"], Native::Of(Generic::Union)),
];

/// Returns the counterpart of another language's name of a type.
pub(super) fn native(name: &str) -> Option<Native> {
    NATIVES.iter().find(|(names, _)| names.contains(&name)).map(|(_, native)| *native)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn each_name_has_one_counterpart() {
        let names: Vec<&str> = super::NATIVES.iter().flat_map(|(names, _)| names.iter().copied()).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
