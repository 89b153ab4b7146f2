//! Names that are nearly right: what was probably meant.

/// Longer words are compared with none: nobody knows what a slip is there, and the comparison costs the square of the length.
const LONGEST: usize = 80;

/// The name nearest to `written`, if one is near enough to be a slip: in a short word, one letter makes another word.
#[must_use]
pub fn nearest<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = written.chars().count();
    let limit = match length {
        0..=2 => 0,
        3..=4 => 1,
        5..=LONGEST => 1 + length / 4,
        _ => return None,
    };
    let names = names.into_iter().filter(|name| name.chars().count().abs_diff(length) <= limit);
    let near = names.map(|name| (distance(written, name, limit), name));
    near.filter(|&(far, _)| far <= limit).min().map(|(_, name)| name)
}

/// What another language's name of a type is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Native {
    /// This expression and nothing else.
    Same(&'static str),
    /// Something that is written like this, as `a union of literals`.
    Like(&'static str),
    /// A type of one other type, such as arrays of it.
    Of(Generic),
}

/// What other languages write as a type with arguments.
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
}

impl Native {
    /// In words.
    pub(super) fn shown(self) -> String {
        match self {
            Native::Same(written) => format!("`{written}`"),
            Native::Like(words) => words.to_owned(),
            Native::Of(Generic::Nullable) => "`T | null` for a value, `name?: T` for a field".to_owned(),
            Native::Of(generic) => format!("`{}`", generic.shown()),
        }
    }
}

impl Generic {
    /// How it is written here.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Generic::Array => "T[0..]",
            Generic::Nullable => "T | null",
            Generic::Map => "map<string, T>",
            Generic::Union => "A | B",
            Generic::Tuple => "tuple<A, B>",
        }
    }
}

/// What other languages' names of types are called here.
pub(super) fn native(name: &str) -> Option<Native> {
    Some(match name {
        "str" | "String" => Native::Same("string"),
        "integer" | "Integer" | "Int" | "long" | "i8" | "i16" | "i32" | "i64" | "isize" | "int32" | "int64" => {
            Native::Same("int")
        }
        "uint" | "u32" | "u64" | "usize" | "uint32" | "uint64" => Native::Same("int<0..>"),
        "u8" | "uint8" | "byte" => Native::Same("int<0..255>"),
        "u16" | "uint16" => Native::Same("int<0..65535>"),
        "float" | "Float" | "double" | "Double" | "decimal" | "Decimal" | "Number" | "f32" | "f64" => {
            Native::Same("number")
        }
        "boolean" | "Boolean" | "Bool" => Native::Same("bool"),
        "unknown" | "Any" | "mixed" => Native::Same("any"),
        "nil" | "None" | "Null" | "NULL" => Native::Same("null"),
        "undefined" | "void" => Native::Like("no JSON value: a field that may be absent is `name?: T`; null is `null`"),
        "NaN" | "nan" | "Infinity" | "inf" => Native::Like("no JSON value: numbers are finite"),
        "bigint" | "BigInt" => Native::Like("`int`, which has no limit"),
        "conint" | "PositiveInt" | "NonNegativeInt" => Native::Like("`int` with bounds: `int<0..150>`"),
        "confloat" | "condecimal" => Native::Like("`number` with bounds: `number<0..1>`"),
        "constr" => Native::Like("`string` with bounds: `string<1..80>`"),
        "conlist" => Native::Like("an array with bounds: `T[1..10]`"),
        "Annotated" => Native::Like("its first argument, with bounds behind it: `int<0..>`"),
        "Omit" | "Pick" | "Partial" | "Required" | "Readonly" => {
            Native::Like("a record with the fields written out; `{ ...A, more: T }` adds some")
        }
        "ip" | "IP" | "inet" => Native::Like("`ipv4` or `ipv6`"),
        "EOF" | "EOI" | "eof" => Native::Like("nothing to be written: a text ends where its format does"),
        "ε" | "epsilon" | "empty" => Native::Like("the empty text `\"\"`, or `x?` for what may be absent"),
        "set" | "Set" | "HashSet" | "frozenset" | "FrozenSet" => {
            Native::Like("`T[0..] & array<unique = true>`: an array in which nothing is twice")
        }
        "True" | "TRUE" => Native::Same("true"),
        "False" | "FALSE" => Native::Same("false"),
        "DateTime" | "date-time" => Native::Same("datetime"),
        "url" | "URL" | "Url" => Native::Same("uri"),
        "guid" | "UUID" | "Uuid" => Native::Same("uuid"),
        "idn-email" => Native::Same("idn_email"),
        "idn-hostname" => Native::Same("idn_hostname"),
        "uri-reference" => Native::Same("uri_ref"),
        "iri-reference" => Native::Same("iri_ref"),
        "uri-template" => Native::Same("uri_template"),
        "json-pointer" => Native::Same("json_pointer"),
        "relative-json-pointer" => Native::Same("relative_json_pointer"),
        "char" => Native::Like("`string<1..1>`"),
        "bytes" | "Bytes" | "binary" => Native::Like("`base64`"),
        "timestamp" => Native::Like("`datetime`"),
        "never" | "Never" => Native::Like("`any - any`, which nothing is in; a key that is not there is not declared"),
        "const" => Native::Like("the literal alone: `\"a\"`"),
        "allOf" => Native::Like("`A & B`"),
        "oneOf" | "anyOf" => Native::Of(Generic::Union),
        "tok" | "token" => Native::Like("`tok\"...\"`, with the token's name in quotes"),
        "enum" | "Enum" | "Literal" => Native::Like("a union of literals: `\"a\" | \"b\"`"),
        "list" | "List" | "Array" | "ReadonlyArray" | "Vec" | "Sequence" | "repeated" => Native::Of(Generic::Array),
        "dict" | "Dict" | "Map" | "Record" | "HashMap" | "BTreeMap" | "Mapping" => Native::Of(Generic::Map),
        "Optional" | "optional" | "Option" | "Maybe" | "Nullable" => Native::Of(Generic::Nullable),
        "Tuple" => Native::Of(Generic::Tuple),
        "Union" => Native::Of(Generic::Union),
        _ => return None,
    })
}

/// Edits from one word to the other (Levenshtein; a swap of neighbours counts once), letter case aside; more than `limit`
/// where it is more.
pub(crate) fn distance(one: &str, other: &str, limit: usize) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (lower(one), lower(other));
    if one.len().abs_diff(other.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut least = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        if next.iter().all(|far| *far > limit) {
            return limit + 1;
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
}

fn lower(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["string", "number", "Person", "datetime"];
        assert_eq!(nearest("strnig", names), Some("string"));
        assert_eq!(nearest("Persons", names), Some("Person"));
        assert_eq!(nearest("person", names), Some("Person"));
        assert_eq!(nearest("object", names), None);
        assert_eq!(nearest("i", ["a", "I"]), Some("I"));
        assert_eq!(nearest("True", ["time", "tuple"]), None);
    }
}
