//! Bytes and probabilities as markup.

use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_workbench::markup::escape;

/// Writes the bytes of a token visibly: white space as signs, invalid bytes as numbers.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let mut marked = String::new();
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| marked += &character(c));
        chunk.invalid().iter().for_each(|byte| marked += &sign(&format!("\\x{byte:02x}")));
    }
    marked
}

fn character(c: char) -> String {
    match c {
        ' ' => sign("·"),
        '\n' => format!("{}\n", sign("⏎")),
        '\t' => sign("⇥"),
        '\r' => sign("␍"),
        c if c.is_control() => sign(&c.escape_unicode().to_string()),
        // `escape` spells out characters that change the writing direction or have no width.
        c => escape(c.encode_utf8(&mut [0; 4])),
    }
}

fn sign(text: &str) -> String {
    format!("<i class=\"w\">{text}</i>")
}

/// Writes a token on one line: its text, or its name if it has no text.
pub(super) fn token(token: TokenId, vocabulary: &Vocabulary) -> String {
    let text = vocabulary.text(token).unwrap_or_default();
    match vocabulary.name_of(token).filter(|_| text.is_empty()) {
        Some(name) => escape(name),
        None if text.is_empty() => format!("#{}", token.0),
        None => bytes(text).replace('\n', ""),
    }
}

/// Writes a probability.
pub(super) fn percent(probability: f32) -> String {
    match probability {
        p if p <= 0.0 => "0%".to_owned(),
        p if p < 0.001 => "&lt;0.1%".to_owned(),
        p if p < 1.0 && p > 0.999 => "&gt;99.9%".to_owned(),
        p => format!("{:.1}%", p * 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_shown_and_markup_is_escaped() {
        assert_eq!(bytes(b"a b\n"), "a<i class=\"w\">·</i>b<i class=\"w\">⏎</i>\n");
        assert_eq!(bytes(b"</script><img onerror=x>"), "&lt;/script&gt;&lt;img<i class=\"w\">·</i>onerror=x&gt;");
        assert_eq!(bytes(b"\xc3"), "<i class=\"w\">\\xc3</i>");
        assert_eq!(bytes(b"\x1b"), "<i class=\"w\">\\u{1b}</i>");
        assert!(!bytes("\u{202e}".as_bytes()).contains('\u{202e}'));
    }

    #[test]
    fn probabilities_are_rounded_to_a_tenth_of_a_percent() {
        let shown = [0.0, 0.0004, 0.5, 0.99951, 1.0].map(percent);
        assert_eq!(shown, ["0%", "&lt;0.1%", "50.0%", "&gt;99.9%", "100.0%"]);
    }
}
