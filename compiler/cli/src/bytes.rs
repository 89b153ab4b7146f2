//! Sets of bytes in words: what a format expects next.

/// Says which bytes a set holds: `"`, `0`-`9`, a line break.
pub(crate) fn describe(bytes: &[u8]) -> String {
    let mut words: Vec<String> = Vec::new();
    let ascii: Vec<u8> = bytes.iter().copied().filter(u8::is_ascii).collect();
    if ascii.len() > 64 {
        let missing: Vec<u8> = (0x20..0x7f).filter(|byte| !ascii.contains(byte)).collect();
        words.push(if missing.is_empty() {
            "any character".to_owned()
        } else {
            format!("any character but {}", ranges(&missing).join(", "))
        });
        return words.join(", ");
    }
    words.extend(ranges(&ascii));
    if bytes.iter().any(|&byte| byte >= 0xc0) {
        words.push("a character beyond ASCII".to_owned());
    } else if bytes.iter().any(|byte| !byte.is_ascii()) {
        words.push("the rest of a character".to_owned());
    }
    words.join(", ")
}

fn ranges(bytes: &[u8]) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = bytes;
    while let Some((&first, _)) = rest.split_first() {
        let len = rest.iter().zip(first..).take_while(|&(&byte, wanted)| byte == wanted && kin(first, byte)).count();
        let last = first.saturating_add((len.max(1) - 1) as u8);
        match len {
            0..=2 => words.extend((first..=last).map(name)),
            _ => words.push(format!("{}-{}", name(first), name(last))),
        }
        rest = rest.get(len.max(1)..).unwrap_or_default();
    }
    words
}

/// Both are digits, both small letters, or both capitals.
fn kin(one: u8, two: u8) -> bool {
    let class = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_lowercase(), byte.is_ascii_uppercase());
    one == two || (class(one) == class(two) && one.is_ascii_alphanumeric())
}

fn name(byte: u8) -> String {
    match byte {
        b' ' => "a space".to_owned(),
        b'\n' => "a line feed".to_owned(),
        b'\r' => "a carriage return".to_owned(),
        b'\t' => "a tab".to_owned(),
        0x21..0x7f => format!("`{}`", char::from(byte)),
        _ => format!("byte 0x{byte:02x}"),
    }
}

/// Bytes as text on one line.
pub(crate) fn show(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_named() {
        assert_eq!(describe(b"\n \"0123456789"), "a line feed, a space, `\"`, `0`-`9`");
        assert_eq!(describe(b"ab"), "`a`, `b`");
        assert_eq!(describe(&(0x20..=0xff).filter(|&b| b != b'"').collect::<Vec<_>>()), "any character but `\"`");
        assert_eq!(describe(&[0x80, 0x81]), "the rest of a character");
        assert_eq!(describe(&[]), "");
    }
}
