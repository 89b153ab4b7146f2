//! Finds regexes without slashes: `[^,]+`, `[ \t]*`, `[a-z"]`, `\d{4}-\d{2}`.
//!
//! A bracket can also open keys of a record, an array of a test or a repetition. It opens a class if only a class can
//! have its content: `^` first, an escape outside of strings, half of a pair of quotes, a range such as `a-z`. If an
//! expression must begin at the bracket, signs alone are enough, as in `[+-]`.

use crate::span::part;

/// The context before a bracket.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    /// Whether an expression must begin at the bracket, and no member of a record can.
    pub(crate) wants_expression: bool,
    /// Whether a text comes before the bracket with a space between; without the space, the bracket would repeat the
    /// text.
    pub(crate) follows_text: bool,
}

impl Before {
    /// A place of a grammar at which an expression may begin.
    pub(crate) const EXPRESSION: Before = Before { wants_expression: true, follows_text: true };
}

/// Maximum length of a bare regex, in characters, so that time is linear in the length of a line.
const LONGEST: usize = 200;

/// Returns the length of the bare regex that `rest` begins with: classes, escapes, and the characters that touch them,
/// on one line.
pub(crate) fn bare_regex(rest: &str, before: Before) -> Option<usize> {
    let inside = |(_, c): &(usize, char)| *c != '\n' && *c != '\r';
    let len = rest.char_indices().take(LONGEST).take_while(inside).last().map_or(0, |(at, c)| at + c.len_utf8());
    let line = part(rest, ..len);
    let first = match line.chars().next()? {
        '[' => class(line).filter(|end| is_class(part(line, 1..end - 1), before))?,
        _ => set_escape(line).filter(|_| before.wants_expression || before.follows_text)?,
    };
    let mut end = first + count(part(line, first..));
    while let Some(more) = piece(part(line, end..)) {
        end += more + count(part(line, end + more..));
    }
    Some(end)
}

/// Returns the length of the next class or escape, including a sign before it that joins it to the previous one.
fn piece(rest: &str) -> Option<usize> {
    let sign = usize::from(rest.starts_with(['-', '.', ':', '@', '_']));
    let behind = part(rest, sign..);
    let joined = class(behind).filter(|end| is_certain(part(behind, 1..end - 1))).or_else(|| set_escape(behind))?;
    Some(sign + joined)
}

/// Returns the length of an escape that stands for a set of characters, or for an invisible character.
fn set_escape(rest: &str) -> Option<usize> {
    let letter = rest.strip_prefix('\\')?.chars().next()?;
    let word = rest.chars().nth(2).is_some_and(|c| c.is_alphanumeric());
    ("dDwWsS".contains(letter) || "nrt".contains(letter) && !word).then_some(2)
}

/// Returns the length of the class that `rest` begins with: up to the first unescaped `]` on the same line.
fn class(rest: &str) -> Option<usize> {
    if !rest.starts_with('[') {
        return None;
    }
    let (mut escaped, mut named) = (false, false);
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return None,
            ']' if named => named = false,
            ']' if !escaped && at > 1 => return Some(at + 1),
            ']' if !escaped => return None,
            '[' if part(rest, at..).starts_with("[:") => named = true,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// Returns the length of the repetition that `rest` begins with.
fn count(rest: &str) -> usize {
    let sign = usize::from(rest.starts_with(['+', '*', '?']));
    let braces = rest.strip_prefix('{').and_then(|body| body.find('}')).filter(|end| {
        let body = part(rest, 1..end + 1);
        !body.is_empty() && body.chars().all(|c| c.is_ascii_digit() || c == ',')
    });
    braces.map_or(sign, |end| end + 2)
}

fn is_class(content: &str, before: Before) -> bool {
    let is_sign = |c: char| c.is_ascii_punctuation() && !"\"'(){}[]<>".contains(c);
    let signs = || !content.starts_with('/') && content.chars().all(is_sign);
    let bounds = || matches!(content, "*" | "+" | ".." | "...");
    is_certain(content)
        || (before.wants_expression || before.follows_text) && content == "/"
        || before.wants_expression && (has_range(content) || signs() && !bounds())
        || before.follows_text && has_range(content) && !is_count(content)
}

/// Returns whether only a class of characters can have this content.
fn is_certain(content: &str) -> bool {
    content.starts_with('^') || content.starts_with("[:") || has_escape(content) || has_half_quotes(content)
}

/// Returns whether an escape that may begin a regex stands outside of strings.
fn has_escape(content: &str) -> bool {
    let mut rest = content;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '\\' => return true,
            '/' => return false,
            '"' | '\'' => match quotes(part(rest, 1..), c).next() {
                Some(end) => end + 2,
                None => return false,
            },
            c => c.len_utf8(),
        };
        rest = part(rest, skipped..);
    }
    false
}

/// Returns the offsets of quotes without a backslash before them.
fn quotes(content: &str, quote: char) -> impl Iterator<Item = usize> {
    let mut escaped = false;
    content.char_indices().filter_map(move |(at, c)| {
        let plain = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        plain.then_some(at)
    })
}

/// Returns whether a quote stands directly after another character of a class, or alone, and so opens no string.
fn has_half_quotes(content: &str) -> bool {
    let quotes_alone = matches!(content, "\"" | "'" | "\"'" | "'\"");
    let is_in_string = |at: usize, other: char| {
        let before = quotes(content, other).take_while(|quote| *quote < at).count();
        before % 2 == 1 && quotes(content, other).count().is_multiple_of(2)
    };
    let behind = |quote: char| {
        let other = if quote == '"' { '\'' } else { '"' };
        let at = quotes(content, quote).next().filter(|_| quotes(content, quote).count() % 2 == 1);
        let at = at.filter(|at| !is_in_string(*at, other));
        let before = at.and_then(|at| part(content, ..at).chars().next_back());
        before.is_some_and(|c| !c.is_whitespace() && !"[(,:|&<'\"".contains(c))
    };
    let opens = content.starts_with(['"', '\'']);
    quotes_alone || !opens && !content.contains(char::is_whitespace) && (behind('"') || behind('\''))
}

/// Returns whether the content is characters without spaces, including a range such as `a-z`.
fn has_range(content: &str) -> bool {
    let chars: Vec<char> = content.chars().collect();
    let touching = !chars.iter().any(|c| c.is_whitespace() || "/<>()\"'".contains(*c));
    let is_range = |at: usize| {
        let [from, '-', to] = chars[at..at + 3] else { return false };
        let same = [char::is_ascii_digit, char::is_ascii_lowercase, char::is_ascii_uppercase];
        let ends = same.iter().any(|of| of(&from) && of(&to));
        // `first-name` is a name with a hyphen.
        let wordy = |c: Option<&char>| c.is_some_and(|c| c.is_alphabetic());
        let begins = at < 2 || chars[at - 2] == '-' || !wordy(chars.get(at - 1));
        ends && begins && (at + 4 >= chars.len() || chars.get(at + 4) == Some(&'-') || !wordy(chars.get(at + 3)))
    };
    touching && (0..chars.len().saturating_sub(2)).any(is_range)
}

/// Returns whether the content reads like bounds, `1-5`.
fn is_count(content: &str) -> bool {
    content != "0-9" && content.chars().all(|c| c.is_ascii_digit() || c == '-')
}

/// Returns a bare regex between slashes, with POSIX classes written out. A `/` in a class needs no backslash.
pub(crate) fn slashed(bare: &str) -> String {
    const NAMED: [(&str, &str); 8] = [
        ("[:alpha:]", "A-Za-z"),
        ("[:digit:]", "0-9"),
        ("[:alnum:]", "A-Za-z0-9"),
        ("[:upper:]", "A-Z"),
        ("[:lower:]", "a-z"),
        ("[:space:]", "\\s"),
        ("[:blank:]", " \\t"),
        ("[:xdigit:]", "0-9A-Fa-f"),
    ];
    let pattern = NAMED.iter().fold(bare.to_owned(), |pattern, (name, meant)| pattern.replace(name, meant));
    format!("/{pattern}/")
}
