//! Finds the name that a misspelled word probably means.

use crate::looks::latin_like;

/// Greatest length in characters of a word that is compared with others: in longer words a slip cannot be recognised,
/// and the comparison takes quadratic time.
const LONGEST: usize = 80;

/// Returns the name nearest to `written`, if the difference may be a slip. In short words even one edit is too many, as
/// it makes another word.
///
/// ```
/// use ogc_grammar::nearest;
/// assert_eq!(nearest("strnig", ["string", "number"]), Some("string"));
/// assert_eq!(nearest("object", ["string", "number"]), None);
/// ```
#[must_use]
pub fn nearest<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = written.chars().count();
    let letters = Letters::of(written);
    let limit = match length {
        0..=2 => 0,
        3..=4 => 1,
        5..=LONGEST => 1 + length / 4,
        _ => return None,
    };
    let names = names.into_iter().filter(|name| name.chars().count().abs_diff(length) <= limit);
    let names = names.filter(|name| letters.least_distance(Letters::of(name)) <= limit);
    let near = names.map(|name| (distance(written, name, limit), name));
    near.filter(|&(far, _)| far <= limit).min().map(|(_, name)| name)
}

/// Returns the name that begins with `written`, if there is exactly one and `written` has at least three letters.
///
/// ```
/// use ogc_grammar::spelling::only_longer;
/// assert_eq!(only_longer("qwen", ["hermes", "qwen_coder"]), Some("qwen_coder"));
/// assert_eq!(only_longer("qwen", ["qwen_2", "qwen_3"]), None);
/// ```
#[must_use]
pub fn only_longer<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let mut longer = names.into_iter().filter(|name| written.len() > 2 && name.starts_with(written));
    longer.next().filter(|_| longer.next().is_none())
}

/// Counts the edits from one word to the other; a swap of neighbours is one edit (optimal string alignment). Ignores
/// letter case, and differences between scripts that look alike. Gives up at `limit + 1`.
///
/// ```
/// use ogc_grammar::spelling::distance;
/// assert_eq!((distance("strnig", "String", 3), distance("abc", "xyz", 1)), (1, 2));
/// ```
#[must_use]
pub fn distance(one: &str, other: &str, limit: usize) -> usize {
    if Letters::of(one).least_distance(Letters::of(other)) > limit {
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

/// The set of letters of a word, as 64 bits; some letters share a bit. Letter case, and differences between scripts
/// that look alike, are ignored.
///
/// The letters alone rule most words out. To compare one word with many, keep the letters of the many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letters(u64);

impl Letters {
    /// Returns the letters of a word.
    #[must_use]
    pub fn of(word: &str) -> Self {
        let bit = |letter: u32| 1u64 << (letter % 64);
        if word.is_ascii() {
            return Self(word.bytes().fold(0, |set, byte| set | bit(byte.to_ascii_lowercase().into())));
        }
        let letters = word.chars().map(latin).flat_map(char::to_lowercase);
        Self(letters.fold(0, |set, letter| set | bit(letter.into())))
    }

    /// Returns a lower bound of the [`distance`] between two words: the number of letters that one word has and the
    /// other lacks (the larger of the two numbers), as one edit adds or removes at most one letter.
    ///
    /// ```
    /// use ogc_grammar::spelling::Letters;
    /// assert_eq!(Letters::of("abc").least_distance(Letters::of("ACd")), 1);
    /// ```
    #[must_use]
    pub fn least_distance(self, other: Self) -> usize {
        (self.0 & !other.0).count_ones().max((other.0 & !self.0).count_ones()) as usize
    }
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
    use ogc_kit::Random;

    use super::{Letters, distance, nearest};

    #[test]
    fn the_letter_bound_never_exceeds_the_edit_distance() {
        let mut random = Random::new(1);
        let alphabet: Vec<char> = "abcAZ_-0аіß".chars().collect();
        let mut word = || -> String {
            (0..random.next() % 7).map(|_| alphabet[random.next() as usize % alphabet.len()]).collect()
        };
        for _ in 0..20_000 {
            let (one, other) = (word(), word());
            let least = Letters::of(&one).least_distance(Letters::of(&other));
            assert!(least <= plain_distance(&one, &other), "{one} {other}");
            assert_eq!(distance(&one, &other, 9), plain_distance(&one, &other), "{one} {other}");
        }
    }

    /// Computes the distance with a full table and no shortcuts, as the judge of the fast version.
    fn plain_distance(one: &str, other: &str) -> usize {
        let (one, other) = (super::lower(one), super::lower(other));
        let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
        for i in 0..=one.len() {
            for j in 0..=other.len() {
                if i == 0 || j == 0 {
                    table[i][j] = i + j;
                    continue;
                }
                let change = table[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                let mut least = change.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                table[i][j] = least;
            }
        }
        table[one.len()][other.len()]
    }

    #[test]
    fn misspelled_names_are_matched_and_unrelated_ones_are_not() {
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
