//! Escapes control characters and invisible characters in texts for people, so that no file can control the terminal.

use std::borrow::Cow;
use std::path::Path;

use always_assert::never;

/// Escapes every control character and invisible character, such as `\u{1b}`, except line breaks and tabs.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |c| hides(c) && !matches!(c, '\n' | '\t'))
}

/// Escapes every control character and invisible character, so that the text is a single line.
pub(crate) fn visible_line(text: &str) -> Cow<'_, str> {
    escaped(text, hides)
}

fn escaped(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Replaces every control character and invisible character by one visible character, so that columns stay the same.
pub(crate) fn stood_in(text: &str) -> Cow<'_, str> {
    let mut chars = text.chars().peekable();
    let mut shown = String::new();
    if !text.chars().any(|c| hides(c) && !matches!(c, '\n' | '\t')) {
        return Cow::Borrowed(text);
    }
    while let Some(c) = chars.next() {
        let break_follows = c == '\r' && chars.peek() == Some(&'\n');
        shown.push(match c {
            '\n' | '\t' => c,
            '\r' if break_follows => c,
            '\0'..='\x1f' => picture(c),
            '\x7f' => '\u{2421}',
            c if hides(c) => char::REPLACEMENT_CHARACTER,
            c => c,
        });
    }
    Cow::Owned(shown)
}

/// Returns the Unicode picture of an ASCII control character.
fn picture(control: char) -> char {
    let Some(picture) = char::from_u32(0x2400 + u32::from(control)) else {
        never!("{:?} has no picture", control);
        return char::REPLACEMENT_CHARACTER;
    };
    picture
}

/// Returns a file name with invalid UTF-8 bytes written as `\xff`, so that different names stay different.
pub(crate) fn file_name(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        name.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    name
}

/// Returns whether a character controls a terminal, changes the writing direction, or is invisible. Joiners, which
/// scripts and emoji need, and variation selectors do not count.
fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_invisible_characters_are_escaped() {
        assert_eq!(visible("a\x1b[2J\u{202e}b\n\tc"), "a\\u{1b}[2J\\u{202e}b\n\tc");
        assert_eq!(visible_line("a\nb"), "a\\u{a}b");
        assert!(matches!(visible("größe 👩\u{200d}🚒"), Cow::Borrowed(_)));
        assert_eq!(visible("\u{9b}31m"), "\\u{9b}31m");
    }

    #[test]
    fn substitutes_for_control_characters_keep_columns() {
        assert_eq!(stood_in("a\x1b\x7f\u{202e}b\r\nc\rd"), "a␛␡\u{fffd}b\r\nc␍d");
        assert!(matches!(stood_in("a\tb\n"), Cow::Borrowed(_)));
    }

    #[cfg(unix)]
    #[test]
    fn file_names_that_are_not_utf_8_stay_distinct() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let name = |bytes: &'static [u8]| file_name(Path::new(OsStr::from_bytes(bytes)));
        assert_eq!((name(b"a\xfe.ogc"), name("é".as_bytes())), ("a\\xfe.ogc".to_owned(), "é".to_owned()));
        assert_ne!(name(b"a\xfe.ogc"), name(b"a\xff.ogc"));
    }
}
