//! Writes numbers and lists in sentences.

/// Returns a number and a noun that takes an `s` in the plural: `1 error`, `0 errors`, `2 errors`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns how many of all things: `1 of 1 file`, `2 of 3 files`.
#[must_use]
pub fn part_of(part: usize, all: usize, noun: &str) -> String {
    format!("{part} of {}", counted(all, noun))
}

/// Joins words as in `a`, `b` or `c`.
#[must_use]
pub fn either(words: impl IntoIterator<Item = String>) -> String {
    joined(words, "or")
}

/// Joins words as in `a`, `b` and `c`; `last` stands before the last one.
#[must_use]
pub fn joined(words: impl IntoIterator<Item = String>, last: &str) -> String {
    let words: Vec<String> = words.into_iter().collect();
    match words.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_agree_with_their_counts() {
        assert_eq!(
            (counted(0, "file"), counted(1, "file"), counted(2, "file")),
            ("0 files".into(), "1 file".into(), "2 files".into())
        );
        assert_eq!(
            (part_of(0, 1, "format"), part_of(1, 3, "format")),
            ("0 of 1 format".into(), "1 of 3 formats".into())
        );
    }
}
