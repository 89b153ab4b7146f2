//! Suggests the name that was probably meant: the nearest name by edits of single characters.

/// Returns the candidate with the fewest edits from `name`, if at most a third of the characters, rounded up, change.
///
/// Among equal candidates the first is returned, so that the result depends only on their order.
pub(crate) fn nearest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let name: Vec<char> = name.chars().take(64).collect();
    let limit = name.len().div_ceil(3);
    let near = candidates.filter(|c| c.len().abs_diff(name.len()) <= 4 * limit);
    let scored = near.filter_map(|c| Some((edits(&name, c)?, c)));
    scored.filter(|(edits, _)| *edits <= limit).min_by_key(|(edits, _)| *edits).map(|(_, c)| c)
}

/// Returns the Levenshtein distance without regard to letter case; `None` for texts too long to be names.
fn edits(name: &[char], other: &str) -> Option<usize> {
    let other: Vec<char> = other.chars().take(65).collect();
    if other.len() > 64 {
        return None;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, a) in name.iter().enumerate() {
        let mut left = index + 1;
        let mut next = vec![left];
        for (b, pair) in other.iter().zip(row.windows(2)) {
            let [diagonal, above] = pair else { break };
            let change = usize::from(!a.eq_ignore_ascii_case(b));
            left = (diagonal + change).min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_within_reach() {
        let names = ["value", "string", "number", "Root"];
        let cases = [("valeu", Some("value")), ("strng", Some("string")), ("root", Some("Root")), ("xyz", None)];
        for (name, expected) in cases {
            assert_eq!(nearest(name, names.into_iter()), expected, "{name}");
        }
        assert_eq!(nearest("", names.into_iter()), None);
    }
}
