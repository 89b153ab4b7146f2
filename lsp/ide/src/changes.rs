//! The edits between two texts, line by line, so that cursors and folds outside changed lines stay in place.

use always_assert::never;
use ogc_grammar::Span;
use ogc_grammar::span::part;

use crate::place::TextEdit;

/// Maximum product of the line counts for which all pairs of lines are compared; larger differences become one edit.
const CELLS: usize = 4_000_000;

/// Returns edits that turn one text into another. Each edit replaces a run of lines, without equal text at its ends.
pub(crate) fn between(old: &str, new: &str) -> Vec<TextEdit> {
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let front = old_lines.iter().zip(&new_lines).take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (&old_lines[front..], &new_lines[front..]);
    let both = old_rest.iter().rev().zip(new_rest.iter().rev());
    let back = both.take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (&old_rest[..old_rest.len() - back], &new_rest[..new_rest.len() - back]);
    let start: usize = old_lines.iter().take(front).map(|line| line.len()).sum();
    let runs = match old_rest.len().saturating_mul(new_rest.len()) <= CELLS {
        true => runs(old_rest, new_rest),
        false => vec![(old_rest.concat(), new_rest.concat(), 0)],
    };
    runs.into_iter().filter_map(|(one, other, at)| least(&one, &other, start + at)).collect()
}

/// Returns the runs of lines that differ: the old lines, the new lines, and the offset of the old ones.
fn runs(old: &[&str], new: &[&str]) -> Vec<(String, String, usize)> {
    // `common[i][j]` is the length of the longest common subsequence of the lines from `i` and from `j` on.
    let width = new.len() + 1;
    let mut common = vec![0_u32; (old.len() + 1) * width];
    let cell = |common: &[u32], i: usize, j: usize| common[i * width + j];
    for (i, one) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            let best = match one == other {
                true => cell(&common, i + 1, j + 1) + 1,
                false => cell(&common, i + 1, j).max(cell(&common, i, j + 1)),
            };
            common[i * width + j] = best;
        }
    }
    let (mut i, mut j, mut at) = (0, 0, 0);
    let mut found: Vec<(String, String, usize)> = Vec::new();
    let mut is_open = false;
    while i < old.len() || j < new.len() {
        let (one, other) = (old.get(i), new.get(j));
        if one.is_some() && one == other {
            (i, j, at, is_open) = (i + 1, j + 1, at + one.map_or(0, |line| line.len()), false);
            continue;
        }
        if !is_open {
            found.push((String::new(), String::new(), at));
            is_open = true;
        }
        let takes_old = other.is_none() || one.is_some() && cell(&common, i + 1, j) >= cell(&common, i, j + 1);
        let Some((removed, added, _)) = found.last_mut() else {
            never!("no run is open at line {}", i);
            break;
        };
        match (one, other) {
            (Some(line), _) if takes_old => {
                removed.push_str(line);
                (i, at) = (i + 1, at + line.len());
            }
            (_, Some(line)) => {
                added.push_str(line);
                j += 1;
            }
            (_, None) => {
                never!("line {} is neither taken away nor kept", i);
                break;
            }
        }
    }
    found
}

/// Returns the smallest edit between two texts that start at offset `base`; `None` if they are equal.
pub(crate) fn least(old: &str, new: &str, base: usize) -> Option<TextEdit> {
    if old == new {
        return None;
    }
    let same = |(one, other): &(char, char)| one == other;
    let front: usize = old.chars().zip(new.chars()).take_while(same).map(|(one, _)| one.len_utf8()).sum();
    let (old_rest, new_rest) = (part(old, front..), part(new, front..));
    let both = old_rest.chars().rev().zip(new_rest.chars().rev());
    let back: usize = both.take_while(same).map(|(one, _)| one.len_utf8()).sum();
    let text = part(new_rest, ..new_rest.len() - back);
    Some(TextEdit::replace(Span::of(base + front, base + old.len() - back), text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::applied;

    #[track_caller]
    fn check(old: &str, new: &str, edits: usize) {
        let found = between(old, new);
        assert_eq!(applied(old, &found), new, "{found:?}");
        assert_eq!(found.len(), edits, "{found:?}");
    }

    #[test]
    fn line_edits_replace_runs_of_lines() {
        check("a\nb\nc\n", "a\nb\nc\n", 0);
        check("a\nb\nc\n", "a\nx\nc\n", 1);
        check("a\nb\nc\nd\n", "x\nb\nc\ny\n", 2);
        check("a\nb\nc", "b\n", 2);
        check("", "a\n", 1);
        check("é\nb\n", "éé\nb\nc\n", 2);
    }

    #[test]
    fn the_smallest_edit_replaces_only_changed_characters() {
        assert_eq!(least("aéb", "aéxb", 10), Some(TextEdit::insert(13, "x")));
        assert_eq!(least("aa", "a", 0), Some(TextEdit::replace(Span::new(1, 2), "")));
        assert_eq!(least("a", "a", 0), None);
    }
}
