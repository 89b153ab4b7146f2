//! Describes sets of characters and bytes in words, for the texts that a format expects.

use always_assert::never;
use ogc_runtime::vocabulary::shown;

/// Maximum number of character ranges that are listed; further ranges are only counted.
const MOST_RANGES: usize = 12;

/// Describes a set of characters exactly; the ranges must be ascending.
#[must_use]
pub fn characters(ranges: &[(char, char)]) -> String {
    let missing = complement(ranges);
    let held = |c: char| ranges.iter().any(|&(lo, hi)| lo <= c && c <= hi);
    if missing.is_empty() {
        return "any character".to_owned();
    }
    if missing.len() < ranges.len().max(6) && held('\u{a0}') && held('\u{10FFFF}') {
        return format!("any character but {}", listed(&missing));
    }
    listed(ranges)
}

/// Returns the characters that are in none of the ranges.
fn complement(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let (mut missing, mut next) = (Vec::new(), Some('\0'));
    for &(lo, hi) in ranges {
        if let Some(from) = next.filter(|&from| from < lo) {
            missing.extend((from..lo).next_back().map(|last| (from, last)));
        }
        next = (hi..=char::MAX).nth(1); // steps over the surrogates, which are no characters
    }
    missing.extend(next.map(|from| (from, char::MAX)));
    missing
}

fn listed(ranges: &[(char, char)]) -> String {
    let mut words: Vec<String> = ranges.iter().take(MOST_RANGES).flat_map(|&range| range_words(range)).collect();
    if ranges.len() > MOST_RANGES {
        let (first, last) = (ranges[MOST_RANGES].0, ranges[ranges.len() - 1].1);
        let more = ranges.len() - MOST_RANGES;
        words.push(format!("{more} more ranges of characters from {} to {}", name(first), name(last)));
    }
    words.join(", ")
}

fn range_words((lo, hi): (char, char)) -> Vec<String> {
    match u32::from(hi) - u32::from(lo) {
        0 => vec![name(lo)],
        1 => vec![name(lo), name(hi)],
        _ if (lo, hi) == ('\0', '\u{1f}') => vec!["control characters".to_owned()],
        _ if (lo, hi) == ('\u{80}', char::MAX) => vec!["all characters beyond ASCII".to_owned()],
        _ => vec![format!("{}-{}", name(lo), name(hi))],
    }
}

fn name(c: char) -> String {
    match c {
        ' ' => "a space".to_owned(),
        '\n' => "a line feed".to_owned(),
        '\r' => "a carriage return".to_owned(),
        '\t' => "a tab".to_owned(),
        '`' => "a backtick".to_owned(),
        '!'..='~' => format!("`{c}`"),
        _ if c.is_alphanumeric() => format!("`{c}`"),
        _ => format!("U+{:04X}", u32::from(c)),
    }
}

/// Returns a word in backticks; a single special character is named instead.
#[must_use]
pub fn quoted(word: &str) -> String {
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => name(only),
        _ => format!("`{}`", show(word.as_bytes())),
    }
}

/// Returns a key of an object in backticks.
#[must_use]
pub fn quoted_key(key: &str) -> String {
    format!("`{}`", show(key.as_bytes()))
}

/// Describes a set of bytes that may be parts of characters.
#[must_use]
pub fn describe(bytes: &[u8]) -> String {
    if bytes.iter().all(u8::is_ascii) {
        let ranges: Vec<(char, char)> = bytes.iter().map(|&byte| (char::from(byte), char::from(byte))).collect();
        return listed(&ranges);
    }
    let words: Vec<String> = bytes.iter().take(MOST_RANGES).map(|byte| format!("0x{byte:02X}")).collect();
    let more = if bytes.len() > MOST_RANGES { ", ..." } else { "" };
    format!("the rest of a character (one of the bytes {}{more})", words.join(", "))
}

/// Returns bytes as text on one line, without changing quotes.
#[must_use]
pub fn show(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let part = |c: char| match c {
        '"' | '\'' => c.to_string(),
        _ => c.escape_debug().to_string(),
    };
    text.chars().map(part).collect()
}

/// Returns the text of a token on one line in quotes, with invalid UTF-8 as numbers; a special token is named instead.
#[must_use]
pub fn token(bytes: &[u8]) -> String {
    let text = shown(bytes);
    if bytes.first() == Some(&0xff) && !text.contains(char::REPLACEMENT_CHARACTER) {
        return text;
    }
    let part = |chunk: std::str::Utf8Chunk<'_>| {
        let invalid = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        format!("{}{}", show(chunk.valid().as_bytes()), invalid.collect::<String>())
    };
    format!("\"{}\"", bytes.utf8_chunks().map(part).collect::<String>())
}

/// Returns the JSON spelling of a character in a string: itself or an escape.
pub(crate) fn json_spelling(c: char) -> String {
    let quoted = serde_json::Value::from(c.to_string()).to_string();
    let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.map(str::to_owned).unwrap_or_else(|| {
        never!("{:?} is written as {}", c, quoted);
        String::new()
    })
}

#[cfg(test)]
mod tests {
    use ogc_runtime::vocabulary::marker;

    use super::*;

    #[test]
    fn character_sets_are_described_exactly() {
        assert_eq!(
            characters(&[('\n', '\n'), (' ', ' '), ('"', '"'), ('0', '9')]),
            "a line feed, a space, `\"`, `0`-`9`"
        );
        assert_eq!(characters(&[('A', 'Z'), ('a', 'z')]), "`A`-`Z`, `a`-`z`");
        assert_eq!(characters(&[('\0', '\u{d7ff}'), ('\u{e000}', char::MAX)]), "any character");
        let string = [(' ', '!'), ('#', '['), (']', '\u{d7ff}'), ('\u{e000}', char::MAX)];
        assert_eq!(characters(&string), "any character but control characters, `\"`, `\\`");
        let ascii = [(' ', '!'), ('#', '~')];
        assert_eq!(characters(&ascii), "a space, `!`, `#`-`~`");
        assert!(!characters(&[('\0', 'z'), ('\u{80}', '\u{ff}')]).contains("any"));
    }

    #[test]
    fn tokens_are_shown_on_one_line_and_unambiguously() {
        assert_eq!(token(b" a\"\n"), "\" a\"\\n\"");
        assert_eq!(token(b"a\xc3"), "\"a\\xc3\"");
        assert_eq!(token(&marker("<s>")), "tok\"<s>\"");
        assert_eq!(token(b"\xff"), "\"\\xff\"");
    }

    #[test]
    fn incomplete_characters_are_described_by_bytes() {
        assert_eq!(describe(&[0x80, 0x81]), "the rest of a character (one of the bytes 0x80, 0x81)");
        assert_eq!(quoted("a\n"), "`a\\n`");
    }
}
