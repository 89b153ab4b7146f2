//! The printable spelling of bytes that GPT-2 introduced. Part of [`super::spelling`] and of GGUF vocabularies.
//!
//! The 188 bytes that Latin-1 prints visibly stand for themselves; the other 68, in ascending order, are the characters
//! from U+0100 on. `Ġ` (U+0120) is a space and `Ċ` (U+010A) a line feed.

/// The code point after the last character of the alphabet.
const END: usize = 0x100 + 68;

/// The byte of each character of the alphabet; 0x100 for a character that is not in it.
const BYTES: [u16; END] = {
    let mut bytes = [0x100; END];
    let (mut byte, mut next) = (0, 0x100);
    while byte < 0x100 {
        if matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff) {
            bytes[byte] = byte as u16;
        } else {
            bytes[next] = byte as u16;
            next += 1;
        }
        byte += 1;
    }
    bytes
};

/// Appends the bytes that a token spells. A token with a character outside of the alphabet stands for its own UTF-8, as
/// detokenisers write it.
pub(in crate::vocabulary) fn write(token: &str, out: &mut Vec<u8>) {
    let start = out.len();
    for character in token.chars() {
        let byte = BYTES.get(character as usize).and_then(|&byte| u8::try_from(byte).ok());
        let Some(byte) = byte else {
            out.truncate(start);
            return out.extend_from_slice(token.as_bytes());
        };
        out.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alphabet_is_a_bijection() {
        let mut bytes: Vec<u16> = BYTES.into_iter().filter(|&byte| byte < 0x100).collect();
        bytes.sort_unstable();
        assert!(bytes.into_iter().eq(0..0x100));
    }

    #[track_caller]
    fn check(token: &str, expected: &[u8]) {
        let mut out = Vec::new();
        write(token, &mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn known_byte_level_texts_are_decoded() {
        check("ĠaĊ", b" a\n");
        check("Ã©", "é".as_bytes());
        check("Ń", &[0xad]);
        check("a b", b"a b");
        check("<｜end｜>", "<｜end｜>".as_bytes());
    }
}
