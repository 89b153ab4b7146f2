//! The complement of character classes.

/// Returns the characters outside all of `ranges`, as ascending, disjoint ranges.
pub(super) fn complement(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    let mut outside = Vec::new();
    let mut next = Some('\0');
    for (lo, hi) in sorted {
        let Some(from) = next else { break };
        if from < lo
            && let Some(to) = before(lo)
        {
            outside.push((from, to));
        }
        next = after(hi).map(|c| c.max(from));
    }
    outside.extend(next.map(|from| (from, char::MAX)));
    outside
}

fn before(c: char) -> Option<char> {
    ('\0'..c).next_back()
}

fn after(c: char) -> Option<char> {
    (c..=char::MAX).nth(1)
}

#[cfg(test)]
mod tests {
    use super::complement;

    #[test]
    fn complements_skip_surrogates_and_join_overlaps() {
        assert_eq!(complement(&[]), [('\0', char::MAX)]);
        assert_eq!(complement(&[('\0', char::MAX)]), []);
        assert_eq!(complement(&[('b', 'd'), ('c', 'c'), ('a', 'a')]), [('\0', '`'), ('e', char::MAX)]);
        assert_eq!(complement(&[('\0', '\u{D7FF}')]), [('\u{E000}', char::MAX)]);
        assert_eq!(complement(&[('\u{E000}', char::MAX)]), [('\0', '\u{D7FF}')]);
    }
}
