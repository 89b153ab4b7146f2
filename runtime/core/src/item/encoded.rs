//! A canonical encoding, in which equal values have equal bytes: a tag, the length of the content, and the content. The content of an array
//! is its elements. The content of an object is its members, ordered by key; each is a string and a value.

use std::sync::Arc;

/// The kind of a value; the first byte of its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Tag {
    Null = b'n',
    True = b't',
    False = b'f',
    Number = b'0',
    Text = b'"',
    Array = b'[',
    Object = b'{',
}

/// The number of bytes before a value's content: the tag and the length.
const HEADER: usize = 5;

/// Encodes a value.
pub(super) fn encoded(tag: Tag, content: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(HEADER + content.len());
    value.push(tag as u8);
    value.extend((content.len() as u32).to_le_bytes());
    value.extend(content);
    value
}

/// Encodes an object from its members, in any order.
pub(super) fn object(members: &[Arc<(Vec<u8>, Vec<u8>)>]) -> Vec<u8> {
    let mut sorted: Vec<&(Vec<u8>, Vec<u8>)> = members.iter().map(|member| &**member).collect();
    sorted.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    let mut content = Vec::new();
    for (key, value) in sorted {
        content.extend(encoded(Tag::Text, key));
        content.extend(value);
    }
    encoded(Tag::Object, &content)
}

/// Returns the first of several values, and the rest.
pub(super) fn split_first(values: &[u8]) -> Option<(&[u8], &[u8])> {
    let header = values.get(1..HEADER)?;
    let len = u32::from_le_bytes(header.try_into().ok()?) as usize;
    values.split_at_checked(HEADER + len)
}

/// Returns the content of a value, if the value is of this kind.
pub(super) fn content(value: &[u8], tag: Tag) -> Option<&[u8]> {
    if value.first() == Some(&(tag as u8)) { value.get(HEADER..) } else { None }
}

/// Returns the members of an object, given its content.
pub(super) fn members(mut content: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let (key, rest) = split_first(content)?;
        let (value, rest) = split_first(rest)?;
        content = rest;
        Some((key.get(HEADER..)?, value))
    })
}
