//! Rewrites a JSON text in the spelling of Python's `json.dumps`: models are mostly trained on it.
//!
//! Separators are `", "` and `": "`, everything outside ASCII is escaped, and number literals stay unchanged. The text
//! is rewritten in one pass, without a tree: keys keep their order, and half a surrogate pair stays half.

use std::fmt::Write;

/// Rewrites a valid JSON text; the result for other texts is arbitrary.
///
/// ```
/// use ogc_tests::python_text::respell;
/// assert_eq!(respell(r#" {"é":[1.50,"\/",{ }]}"#), r#"{"\u00e9": [1.50, "/", {}]}"#);
/// ```
#[must_use]
pub fn respell(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 8);
    let mut chars = json.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' | '\r' => {}
            ',' => out.push_str(", "),
            ':' => out.push_str(": "),
            '"' => string(&mut chars, &mut out),
            _ => out.push(c),
        }
    }
    out
}

/// Rewrites a string whose opening quote was read.
fn string(chars: &mut std::str::Chars<'_>, out: &mut String) {
    out.push('"');
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => escaped(chars, out),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|&unit| push_unit(unit, out)),
        }
    }
    out.push('"');
}

fn escaped(chars: &mut std::str::Chars<'_>, out: &mut String) {
    match chars.next() {
        Some('u') => {
            let digits: String = chars.by_ref().take(4).collect();
            push_unit(u16::from_str_radix(&digits, 16).unwrap_or(0xfffd), out);
        }
        Some('/') => out.push('/'),
        Some(letter) => out.extend(['\\', letter]),
        None => {}
    }
}

/// Writes one UTF-16 unit inside a string.
fn push_unit(unit: u16, out: &mut String) {
    match u8::try_from(unit).map(char::from) {
        Ok(c @ ('"' | '\\')) => out.extend(['\\', c]),
        Ok(c @ ' '..='~') => out.push(c),
        Ok('\n') => out.push_str("\\n"),
        Ok('\r') => out.push_str("\\r"),
        Ok('\t') => out.push_str("\\t"),
        Ok('\u{8}') => out.push_str("\\b"),
        Ok('\u{c}') => out.push_str("\\f"),
        _ => write!(out, "\\u{unit:04x}").unwrap_or(()),
    }
}

#[cfg(test)]
mod tests {
    use super::respell;

    #[test]
    fn spells_as_python_does() {
        let cases = [
            ("[]", "[]"),
            ("[1,-2.0e+5 , 1E400]", "[1, -2.0e+5, 1E400]"),
            (r#"{"a":{"b":null}}"#, r#"{"a": {"b": null}}"#),
            (r#""a,b:c d""#, r#""a,b:c d""#),
            (r#""\u0041\u007f\u000a\u001f\"\\\/""#, r#""A\u007f\n\u001f\"\\/""#),
            ("\"\u{1f600}\u{e9}\"", r#""\ud83d\ude00\u00e9""#),
            (r#""\uD83D\uDE00\uD800""#, r#""\ud83d\ude00\ud800""#),
            (r#""\b\f\r\t""#, r#""\b\f\r\t""#),
        ];
        for (text, expected) in cases {
            assert_eq!(respell(text), expected, "{text}");
        }
    }
}
