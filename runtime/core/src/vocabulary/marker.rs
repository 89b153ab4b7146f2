//! Markers: the spelling of named tokens inside an automaton and in the token trie.
//!
//! A format may ask for exactly one token of the tokenizer (`tok"<think>"`), never for the characters of its name. Its
//! *marker* is the byte 0xFF, the name, and the byte 0xFE. Neither byte occurs in UTF-8, and names are UTF-8, so no
//! text contains a marker, and no marker is a prefix of another. Text tokens that contain 0xFF can never be part of
//! UTF-8 text. They are left out of the trie, so that a marker can only be read whole.

/// The first byte of a marker. It is reserved: no text that contains it is ever read.
pub(crate) const START: u8 = 0xFF;
/// The last byte of a marker.
pub(crate) const END: u8 = 0xFE;
/// The number of bytes that a marker adds to a name.
pub(crate) const EXTRA: usize = 2;

/// Returns the marker of a name, the bytes that stand for the named token: 0xFF, the name, 0xFE.
///
/// Invariant: no marker is a prefix of another, and none is part of any UTF-8 text.
///
/// ```
/// use ogc_runtime::vocabulary::marker;
/// assert_eq!(marker("<s>"), b"\xFF<s>\xFE");
/// ```
#[must_use]
pub fn marker(name: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(name.len() + EXTRA);
    bytes.push(START);
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(END);
    bytes
}

/// Shows bytes as text, and markers as a format writes them, such as `tok"<think>"`.
///
/// ```
/// use ogc_runtime::vocabulary::{marker, shown};
/// let bytes = [b"so: ".to_vec(), marker("<think>")].concat();
/// assert_eq!(shown(&bytes), "so: tok\"<think>\"");
/// ```
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    let part = |part: MarkerPart<'_>| match part {
        MarkerPart::Text(text) => String::from_utf8_lossy(text).into_owned(),
        MarkerPart::Token(name) => format!("tok\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
    };
    parts(bytes).map(part).collect()
}

/// A part of bytes that may contain markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkerPart<'a> {
    /// Bytes outside of markers; not empty.
    Text(&'a [u8]),
    /// A whole marker; the value is the name.
    Token(&'a str),
}

/// Splits bytes into texts and markers, in order. An unfinished marker counts as text.
pub(crate) fn parts(bytes: &[u8]) -> impl Iterator<Item = MarkerPart<'_>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if let Some((name, after)) = split_marker(rest) {
            rest = after;
            return Some(MarkerPart::Token(name));
        }
        let inner = rest.get(1..)?.iter().position(|&byte| byte == START);
        let (text, after) = rest.split_at(inner.map_or(rest.len(), |at| at + 1));
        rest = after;
        Some(MarkerPart::Text(text))
    })
}

/// Returns the name of the marker with which the bytes begin, and the bytes after it.
fn split_marker(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (&START, inner) = bytes.split_first()? else {
        return None;
    };
    let end = inner.iter().position(|&byte| byte == END)?;
    Some((std::str::from_utf8(&inner[..end]).ok()?, &inner[end + 1..]))
}

/// Returns whether the bytes end inside of a marker.
///
/// ```
/// use ogc_runtime::vocabulary::is_cut;
/// assert!(is_cut(b"so: \xFF<thi") && !is_cut(b"\xFF<think>\xFE"));
/// ```
#[must_use]
pub fn is_cut(bytes: &[u8]) -> bool {
    unfinished(bytes).is_some()
}

/// Finds the offset of an unfinished marker at the end of the bytes.
pub(crate) fn unfinished(bytes: &[u8]) -> Option<usize> {
    let last = bytes.iter().rposition(|&byte| byte == START)?;
    (!bytes[last..].contains(&END)).then_some(last)
}

/// Returns whether the bytes of a text token can be part of a text.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    !bytes.is_empty() && !bytes.contains(&START)
}

#[cfg(test)]
mod tests {
    use super::{MarkerPart, marker, parts, shown, unfinished};

    #[test]
    fn markers_and_texts_are_told_apart() {
        let bytes = [b"a".to_vec(), marker("x"), marker(""), b"b\xFE\xFFc".to_vec()].concat();
        let found: Vec<MarkerPart<'_>> = parts(&bytes).collect();
        let expected = [
            MarkerPart::Text(b"a"),
            MarkerPart::Token("x"),
            MarkerPart::Token(""),
            MarkerPart::Text(b"b\xFE"),
            MarkerPart::Text(b"\xFFc"),
        ];
        assert_eq!(found, expected);
        assert_eq!(parts(b"").count(), 0);
        assert_eq!(unfinished(&bytes), Some(bytes.len() - 2));
        assert_eq!(unfinished(&marker("x")), None);
        assert_eq!(shown(&marker("\"\\")), r#"tok"\"\\""#);
    }
}
