//! Names that are nearly right: what was probably meant.

/// Longer words are compared with none: nobody knows what a slip is there, and the comparison costs the square of the length.
const LONGEST: usize = 80;

/// The name nearest to `written`, if one is near enough to be a slip.
pub(crate) fn nearest<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = written.chars().count();
    if length > LONGEST {
        return None;
    }
    let limit = 1 + length / 4;
    let names = names.into_iter().filter(|name| name.chars().count().abs_diff(length) <= limit);
    let near = names.map(|name| (distance(written, name, limit), name));
    near.filter(|&(far, _)| far <= limit).min().map(|(_, name)| name)
}

/// What other languages' names of types are called here.
pub(super) fn native(name: &str) -> Option<&'static str> {
    Some(match name {
        "str" | "String" | "char" => "`string`",
        "integer" | "Integer" | "long" | "uint" | "i32" | "i64" | "u32" | "u64" => "`int`",
        "float" | "double" | "decimal" | "Number" | "f32" | "f64" => "`number`",
        "boolean" | "Boolean" => "`bool`",
        "unknown" | "Any" | "mixed" => "`any`",
        "bytes" | "Bytes" | "binary" => "`base64`",
        "Tuple" => "`tuple<A, B>`",
        "Union" | "oneOf" | "anyOf" => "`A | B`",
        "nil" | "None" | "undefined" | "void" => "`null`",
        "timestamp" | "DateTime" => "`datetime`",
        "url" | "URL" => "`uri`",
        "guid" | "UUID" => "`uuid`",
        "list" | "List" | "Array" | "set" | "Set" => "`T[0..]`",
        "dict" | "Dict" | "Map" | "Record" => "`map<string, T>`",
        "Optional" | "optional" | "Option" => "`T | null` for a value, `name?: T` for a field",
        "tok" | "token" => "`tok\"...\"`, with the token's name in quotes",
        "enum" | "Enum" | "Literal" => "a union of literals: `\"a\" | \"b\"`",
        _ => return None,
    })
}

/// Edits from one word to the other (Levenshtein; a swap of neighbours counts once); more than `limit` where it is more.
fn distance(one: &str, other: &str, limit: usize) -> usize {
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
    }
}
