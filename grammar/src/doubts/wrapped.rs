//! Pattern files in which the pattern still has the delimiters of a programming language.

use super::Doubt;

/// Flags after the closing slash of a regex literal.
const FLAGS: &str = "dgimsuvyx";

/// Returns the doubt about a pattern file with slashes or quotes around its pattern, or with several lines: they are
/// part of the pattern there.
///
/// ```
/// use ogc_grammar::doubts::wrapped;
/// assert!(wrapped("/[a-z]+/i").is_some_and(|doubt| doubt.help == "write the pattern alone: `(?i)[a-z]+`"));
/// assert_eq!(wrapped("r\"[a-z]+\"").map(|doubt| doubt.help), Some("write the pattern alone: `[a-z]+`".to_owned()));
/// assert_eq!(wrapped("\"[a-z]+\" [a-z]"), None);
/// assert_eq!(wrapped("/v1/[a-z]+"), None);
/// ```
#[must_use]
pub fn wrapped(pattern: &str) -> Option<Doubt> {
    let whole = |message: &str, inner: &str| {
        let help = format!("write the pattern alone: `{inner}`");
        Some(Doubt { place: 0..pattern.len(), message: message.to_owned(), help })
    };
    if let Some(inner) = between_slashes(pattern) {
        return whole("the slashes around the pattern are characters of the text here", &inner);
    }
    if let Some(inner) = between_quotes(pattern) {
        return whole("the quotes around the pattern are characters of the text here", inner);
    }
    if let Some(inner) = pattern.strip_prefix('/').filter(|inner| reads_like_pattern(inner) && !inner.contains('/'))
        && inner.starts_with(['[', '(', '\\', '^'])
    {
        let help = format!("write the pattern alone: `{inner}`; a slash that is meant is `\\/`");
        let message = "the slash before the pattern is a character of the text here".to_owned();
        return Some(Doubt { place: 0..1, message, help });
    }
    several_lines(pattern)
}

/// Returns the pattern between slashes, with `(?i)` if the flag `i` follows them.
fn between_slashes(pattern: &str) -> Option<String> {
    let (inner, flags) = pattern.strip_prefix('/')?.rsplit_once('/')?;
    let is_alone = reads_like_pattern(inner) && !inner.replace("\\/", "").contains('/');
    let are_flags = flags.chars().all(|flag| FLAGS.contains(flag));
    let kept: String = flags.chars().filter(|flag| "ims".contains(*flag)).collect();
    let head = if kept.is_empty() { String::new() } else { format!("(?{kept})") };
    (is_alone && are_flags).then(|| format!("{head}{inner}"))
}

/// Returns the pattern between quotes; a letter may precede the quotes, as in Python: `r"..."`.
fn between_quotes(pattern: &str) -> Option<&str> {
    let quoted = pattern.strip_prefix(['r', 'R']).unwrap_or(pattern);
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let inner = quoted.strip_prefix(quote)?.strip_suffix(quote)?;
    (reads_like_pattern(inner) && !inner.contains(quote)).then_some(inner)
}

/// Returns the doubt about a line break in a pattern whose lines could each be a pattern.
fn several_lines(pattern: &str) -> Option<Doubt> {
    let at = pattern.find('\n')?;
    let lines = || pattern.lines().filter(|line| !line.is_empty());
    if lines().count() < 2 || !lines().all(reads_like_pattern) {
        return None;
    }
    let start = if pattern.get(..at)?.ends_with('\r') { at - 1 } else { at };
    let message = "the line break is a character of the text here: the file is one pattern".to_owned();
    let help = "write one pattern: `(?:a|b)` for either of two; a line break that is meant is `\\n`".to_owned();
    Some(Doubt { place: start..at + 1, message, help })
}

/// Returns whether a text has characters that are typical of patterns.
fn reads_like_pattern(text: &str) -> bool {
    text.contains(['[', '(', '\\', '*', '+', '|'])
}
