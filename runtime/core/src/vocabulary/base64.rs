//! Decodes base64 with padding, which the readers of tiktoken and tekken files use for the bytes of tokens.

/// The value of each character of the alphabet; 64 for other bytes.
const VALUES: [u8; 256] = {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [64; 256];
    let mut value = 0;
    while value < 64 {
        values[alphabet[value] as usize] = value as u8;
        value += 1;
    }
    values
};

/// Appends the bytes that `text` spells; `None` if it is not base64. Padding is optional, but must be right if present.
/// Unused bits of the last character must be zero, so that only padding may vary.
pub(super) fn decode_into(text: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let body = unpadded(text)?;
    out.reserve(body.len() / 4 * 3 + 2);
    body.chunks(4).try_for_each(|group| decode_group(group, out))
}

/// Returns the text without its padding, which must fill the last group of four.
fn unpadded(text: &[u8]) -> Option<&[u8]> {
    let body = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let padded = body.len() != text.len();
    (!padded || text.len().is_multiple_of(4)).then_some(body)
}

fn decode_group(group: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let mut bits = 0_u32;
    for &character in group {
        let value = VALUES[usize::from(character)];
        if value == 64 {
            return None;
        }
        bits = bits << 6 | u32::from(value);
    }
    let count = match group.len() {
        4 => 3,
        3 if bits & 0b11 == 0 => 2,
        2 if bits & 0b1111 == 0 => 1,
        _ => return None,
    };
    bits <<= 6 * (4 - group.len());
    out.extend_from_slice(&bits.to_be_bytes()[1..=count]);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&[u8]>) {
        let mut out = Vec::new();
        let found = decode_into(text.as_bytes(), &mut out).map(|()| out);
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn decodes_base64_of_every_length() {
        check("", Some(b""));
        check("TQ==", Some(b"M"));
        check("TWE=", Some(b"Ma"));
        check("TWFu", Some(b"Man"));
        check("TWFuTQ", Some(b"ManM"));
        check("//79", Some(&[0xff, 0xfe, 0xfd]));
    }

    #[test]
    fn refuses_invalid_base64() {
        for text in ["T", "T===", "=", "TQ=", "TQ==TQ==", "T Q=", "TR==", "TWF=", "T-_u"] {
            check(text, None);
        }
    }
}
