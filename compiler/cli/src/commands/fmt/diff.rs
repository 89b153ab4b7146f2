//! Shows the changes of a text line by line, with a few unchanged lines around them.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use crate::visible::visible;

/// The number of lines shown before and after a change.
const AROUND: usize = 2;

/// Time limit for finding the smallest difference; after it, a larger but correct one is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// Returns the changed lines and a few lines around them; removed lines begin with `-`, added lines with `+`.
pub(super) fn diff(before: &str, after: &str, colours: bool) -> String {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(before, after);
    let mut shown = String::new();
    for hunk in diff.unified_diff().context_radius(AROUND).iter_hunks() {
        shown.push_str(&line(&hunk.header().to_string(), "36", colours));
        for change in hunk.iter_changes() {
            let (sign, colour) = match change.tag() {
                ChangeTag::Delete => ('-', "31"),
                ChangeTag::Insert => ('+', "32"),
                ChangeTag::Equal => (' ', ""),
            };
            shown.push_str(&line(&format!("{sign}{}", change.value().trim_end_matches(['\n', '\r'])), colour, colours));
        }
    }
    shown
}

/// Returns a line in a colour; control characters and invisible characters are escaped.
fn line(text: &str, colour: &str, colours: bool) -> String {
    let text = visible(text);
    if colours && !colour.is_empty() { format!("\x1b[{colour}m{text}\x1b[0m\n") } else { format!("{text}\n") }
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn a_diff_shows_changed_lines_with_context() {
        let shown = diff("a\nb\nc\nd\ne\n", "a\nb\nC\nd\ne\n", false);
        assert_eq!(shown, "@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n e\n");
        assert!(diff("a\n", "b\n", true).contains("\x1b[31m-a\x1b[0m"));
        assert!(!diff("\x1b[2Ja\n", "b\n", false).contains('\x1b'));
    }
}
