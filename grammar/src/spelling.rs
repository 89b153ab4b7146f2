//! Finds the name that a misspelled word probably means.

use crate::looks::latin_like;

/// The most characters of a word that is compared with others: in longer ones nobody knows what a slip is, and the
/// comparison costs the square of the length.
const LONGEST: usize = 80;

/// Returns the name nearest to `written`, if one is near enough to be a slip: in a short word, one letter makes another word.
///
/// ```
/// use ogc_grammar::nearest;
/// assert_eq!(nearest("strnig", ["string", "number"]), Some("string"));
/// assert_eq!(nearest("object", ["string", "number"]), None);
/// ```
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

/// Counts the edits from one word to the other, letter case and scripts that look alike aside, a swap of neighbours as one (optimal string alignment);
/// gives up at `limit + 1`.
///
/// ```
/// use ogc_grammar::spelling::distance;
/// assert_eq!((distance("strnig", "String", 3), distance("abc", "xyz", 1)), (1, 2));
/// ```
#[must_use]
pub fn distance(one: &str, other: &str, limit: usize) -> usize {
    // An edit makes one letter of either word needless at most: most words are told apart by their letters alone.
    let (letters, others) = (letters(one), letters(other));
    let missing = (letters & !others).count_ones().max((others & !letters).count_ones());
    if missing as usize > limit {
        return limit + 1;
    }
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
    row[other.len()]
}

/// Returns the letters of a word as a set of 64 bits, in which some share a bit.
fn letters(word: &str) -> u64 {
    word.chars().map(latin).flat_map(char::to_lowercase).fold(0, |set, letter| set | 1 << (letter as u32 % 64))
}

fn lower(word: &str) -> Vec<char> {
    word.chars().map(latin).flat_map(char::to_lowercase).collect()
}

/// Returns the Latin letter that a letter looks like, or the letter itself.
fn latin(letter: char) -> char {
    latin_like(letter).unwrap_or(letter)
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
        assert_eq!((nearest("Аі", ["Ai", "Bi"]), nearest("Ai", ["Аі", "Bi"])), (Some("Ai"), Some("Аі")));
    }
}
