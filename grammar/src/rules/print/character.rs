//! Writes characters of literals and classes.

use std::fmt::Write as _;

/// Writes one character, with a backslash if it is one of `special`, and as an escape if it is invisible.
pub(super) fn push_character(out: &mut String, c: char, special: &str) {
    let code = u32::from(c);
    if c.is_ascii_hexdigit() {
        widen(out);
    }
    // Writing to a string cannot fail.
    let _ = match c {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        _ if special.contains(c) => write!(out, "\\{c}"),
        ' '..='~' => out.write_char(c),
        _ if code <= 0xFF && c.is_control() => write!(out, "\\x{code:02X}"),
        _ if is_visible(c) => out.write_char(c),
        _ if code <= 0xFFFF => write!(out, "\\u{code:04X}"),
        _ => write!(out, "\\U{code:08X}"),
    };
}

/// Extends a `\xNN` at the end to four digits, because engines differ in the number of digits that they read.
fn widen(out: &mut String) {
    let Some((before, digits)) = out.rsplit_once("\\x") else { return };
    let backslashes = before.len() - before.trim_end_matches('\\').len();
    let is_escape = backslashes.is_multiple_of(2);
    if is_escape && digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        let at = before.len();
        out.replace_range(at..at + 2, "\\u00");
    }
}

/// Returns whether a character is visible, by the rules of Rust's debugging output.
pub(super) fn is_visible(c: char) -> bool {
    c.is_alphanumeric() || (!c.is_whitespace() && c.escape_debug().len() == 1)
}

/// Writes the ranges of a class, with a backslash before each of the characters `special`.
pub(super) fn push_ranges(out: &mut String, ranges: &[(char, char)], special: &str) {
    for (first, last) in ranges {
        push_character(out, *first, special);
        if first != last {
            out.push('-');
            push_character(out, *last, special);
        }
    }
}
