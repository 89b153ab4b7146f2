//! Finds the end of a regex in which a `/` should have been escaped: `/(a/b)+/`, `/https?://x/`, `/\d+/\d+/`.
//!
//! A regex ends at its first `/` that is neither escaped nor in a class. If that leaves a group open, or if the sign
//! directly after it cannot follow a regex, a later `/` of the line is meant, and the slashes before it need a
//! backslash.

use crate::span::part;

/// Maximum number of slashes of a line that are examined, so that time is linear in the length of a line.
const LOOKED_AT: usize = 16;

/// Returns whether a regex may be meant to continue after its first `/`, which ends before `first`. This is a cheap
/// test before [`meant_end`] reads the line.
pub(super) fn may_go_on(rest: &str, first: usize) -> bool {
    let (body, behind) = (part(rest, ..first), part(rest, first..));
    body.contains('(') || behind.starts_with(|c: char| !c.is_whitespace() && !"\"',;<>|&-%=:)]}?*+".contains(c))
}

/// Returns the end of the regex that `rest` begins with, including its last slash, if the first slash does not end it.
pub(super) fn meant_end(rest: &str) -> Option<usize> {
    let ends: Vec<usize> = slashes(rest).iter().map(|at| at + 1).take(LOOKED_AT).collect();
    let (first, later) = ends.split_first()?;
    if !is_doubtful(rest, *first, later) {
        return None;
    }
    let mut from = *first;
    for (at, end) in later.iter().enumerate() {
        let (before, piece) = rest.get(..end - 1)?.split_at_checked(from)?;
        let apart = piece.starts_with(char::is_whitespace) && !leaves_group_open(before);
        if apart {
            return None;
        }
        from = *end;
        if !piece.is_empty() && !is_doubtful(rest, *end, &later[at + 1..]) {
            return Some(*end);
        }
    }
    None
}

/// Returns the places of the slashes in a regex literal that need a backslash.
pub(crate) fn inner(literal: &str) -> Vec<usize> {
    let body = part(literal, 1..literal.len() - 1);
    slashes(body).into_iter().map(|at| at + 1).collect()
}

/// Returns the places of the slashes of a line that are neither escaped nor in a class.
pub(super) fn slashes(line: &str) -> Vec<usize> {
    let (mut escaped, mut in_class, mut found) = (false, false, Vec::new());
    for (at, c) in line.char_indices() {
        if !escaped && c == '/' && !in_class {
            found.push(at);
        }
        in_class = if escaped { in_class } else { c == '[' || in_class && c != ']' };
        escaped = c == '\\' && !escaped;
    }
    found
}

/// Returns whether it is unlikely that a regex ends at `end`.
fn is_doubtful(rest: &str, end: usize, later: &[usize]) -> bool {
    let (body, behind) = (part(rest, ..end - 1), part(rest, end..));
    leaves_group_open(body) || behind.starts_with(['/', '\\', '^', '$', '.']) || goes_on(behind, end, later)
}

fn leaves_group_open(body: &str) -> bool {
    let (mut escaped, mut in_class, mut open) = (false, false, 0_i32);
    for c in body.chars() {
        let counts = !escaped && !in_class;
        open += i32::from(counts && c == '(') - i32::from(counts && c == ')');
        in_class = if escaped { in_class } else { c == '[' || in_class && c != ']' };
        escaped = c == '\\' && !escaped;
    }
    open > 0
}

/// Returns whether the text after the end continues to another `/` without a space: after a word always, after a sign
/// if the slashes of the line would not pair up.
fn goes_on(behind: &str, end: usize, later: &[usize]) -> bool {
    let next = later.first().map(|next| next - 1 - end);
    let Some(between) = next.and_then(|next| behind.get(..next)) else { return false };
    let signs = outside_brackets(between).any(|c| c.is_whitespace() || "\"',;<>|&-%=:".contains(c));
    let touches = !between.is_empty() && !signs;
    let word = between.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let balanced = !between.starts_with([')', ']', '}', '?', '*', '+']);
    touches && (word || balanced && run(behind, end, later) % 2 == 1)
}

/// Returns the characters outside of brackets.
fn outside_brackets(text: &str) -> impl Iterator<Item = char> {
    let outside = text.chars().scan(0_i32, |depth, c| {
        *depth += i32::from("[({".contains(c)) - i32::from("])}".contains(c));
        Some((*depth == 0).then_some(c))
    });
    outside.flatten()
}

/// Counts the slashes after the end, up to white space or a sign between expressions.
fn run(behind: &str, end: usize, later: &[usize]) -> usize {
    let stop = behind.find(|c: char| c.is_whitespace() || "\"',;".contains(c)).unwrap_or(behind.len());
    later.iter().filter(|slash| **slash - 1 < end + stop).count()
}

#[cfg(test)]
mod tests {
    use super::{inner, may_go_on, meant_end, slashes};

    /// Returns the text at the beginning of a line that is read as one regex.
    fn read(line: &str) -> &str {
        let rest = &line[1..];
        let first = slashes(rest)[0] + 1;
        let end = meant_end(rest).filter(|_| may_go_on(rest, first)).unwrap_or(first);
        &line[..=end]
    }

    #[test]
    fn unescaped_slashes_inside_a_regex_do_not_end_it() {
        for whole in [
            "/(a/b)+/",
            "/https?://x/",
            "/https?://[a-z]+/",
            r"/\d{1,2}/\d{1,2}/",
            r"/\d{4}/\d{2}/\d{2}/",
            "/a/b/",
            "/a/b/c/",
            "/^https://x$/",
            "/file:///x/",
            "/a/[a-z]+/",
            "/(?:a/b|c/d)*e/",
            "/a/.b/",
            "/a/(b|c)/",
            "/((a/b)/c)/",
        ] {
            for behind in ["", " ", ", b: int }", ">", ")*", " \"x\" /b/", " // so / so"] {
                assert_eq!(read(&format!("{whole}{behind}")), whole, "{behind}");
            }
        }
        assert_eq!((inner("/a/b[/]\\/c/"), inner("/x/")), (vec![2], vec![]));
    }

    #[test]
    fn other_regexes_end_at_their_first_slash() {
        for behind in [
            "",
            " /b/",
            "|/b/",
            "-/b/",
            " - /b/",
            "+ /b/",
            "[1..3] % /,/",
            ", b: /x/ }",
            "> | /b/",
            ")?",
            "\"x\"/b/",
            "&/b/",
            "i",
            "i /b/",
            " b /c/",
            "?/b/",
            "*/b/",
            "/// note",
            " // a / b",
            "// note",
            "% /x/",
            "(/b/)/c/",
            "](/b/)",
            "[2]/b/",
        ] {
            assert_eq!(read(&format!("/a/{behind}")), "/a/", "{behind}");
        }
    }
}
