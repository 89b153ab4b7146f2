//! The arrays and objects of an item that are not closed.

use std::sync::Arc;

use super::encoded::{self, Tag, content, encoded, members, split_first};

/// Begins the description of a container.
const WHOLE: u8 = b'=';

/// Begins the description of what a container has gained.
const CHANGED: u8 = b'+';

/// An array or object that is not closed.
#[derive(Clone, Debug)]
pub(super) struct Container {
    /// The number of bytes of the item before the container.
    pub(super) start: usize,
    pub(super) content: Content,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    /// The complete items, encoded.
    Array(Arc<Vec<u8>>),
    Object {
        members: Arc<Members>,
        /// The key of the current member, once the key is complete.
        key: Option<Vec<u8>>,
        /// Whether a comma has been read, so that a member must follow.
        awaits_key: bool,
    },
}

/// The complete members of an object: keys and encoded values. Each member is shared, because readers of longer texts copy the list.
pub(super) type Members = Vec<Arc<(Vec<u8>, Vec<u8>)>>;

/// Whether the complete parts of a text are known to equal those of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Earlier {
    /// This is not known, so that they are compared.
    Compared,
    Equal,
}

/// The part of a value that corresponds to the unfinished part of the text.
pub(super) enum Inside<'v> {
    Value(&'v [u8]),
    /// The answer whether the text can become the value, if it is already known.
    Answer(bool),
}

impl Content {
    /// Appends a description of the container. Omits what the container had `before`, in a shorter prefix of the text.
    pub(super) fn describe(&self, before: Option<&Self>, out: &mut Vec<u8>) {
        out.push(if before.is_some() { CHANGED } else { WHOLE });
        match self {
            Self::Array(items) => {
                let known = if let Some(Self::Array(items)) = before { items.len() } else { 0 };
                out.extend(encoded(Tag::Array, items.get(known..).unwrap_or_default()));
            }
            Self::Object { members, key, awaits_key } => {
                let known = if let Some(Self::Object { members, .. }) = before { members.len() } else { 0 };
                out.extend(encoded::object(members.get(known..).unwrap_or_default()));
                out.push(u8::from(*awaits_key));
                out.extend(key.iter().flat_map(|key| encoded(Tag::Text, key)));
            }
        }
    }

    /// Returns the part of a value that the text inside the container must become. `is_inside` tells whether part of that text has been
    /// read; `key_so_far` is the current key.
    pub(super) fn inside<'v>(
        &self,
        value: &'v [u8],
        is_inside: bool,
        key_so_far: Option<&[u8]>,
        earlier: Earlier,
    ) -> Inside<'v> {
        let found = match (self, earlier) {
            (Self::Array(items), Earlier::Compared) => {
                content(value, Tag::Array).and_then(|known| known.strip_prefix(items.as_slice()))
            }
            (Self::Array(items), Earlier::Equal) => {
                content(value, Tag::Array).and_then(|known| known.get(items.len()..))
            }
            (Self::Object { members: own, .. }, Earlier::Compared) => {
                content(value, Tag::Object).filter(|known| contains(known, own))
            }
            (Self::Object { .. }, Earlier::Equal) => content(value, Tag::Object),
        };
        let Some(known) = found else { return Inside::Answer(false) };
        match self {
            _ if !is_inside && !matches!(self, Self::Object { key: Some(_), .. }) => Inside::Answer(true),
            Self::Array(_) => split_first(known).map_or(Inside::Answer(false), |(next, _)| Inside::Value(next)),
            Self::Object { key: Some(key), .. } => {
                let member = members(known).find(|(known, _)| *known == key.as_slice());
                member.map_or(Inside::Answer(false), |(_, value)| Inside::Value(value))
            }
            Self::Object { members: own, key: None, .. } => {
                let Some(begin) = key_so_far else { return Inside::Answer(true) };
                let is_new = |key: &[u8]| own.iter().all(|member| member.0.as_slice() != key);
                Inside::Answer(members(known).any(|(key, _)| key.starts_with(begin) && is_new(key)))
            }
        }
    }
}

/// Returns whether an object, given by its content, has all these members.
fn contains(known: &[u8], own: &Members) -> bool {
    let has = |member: &Arc<(Vec<u8>, Vec<u8>)>| {
        let (key, value) = &**member;
        members(known).any(|(known, other)| known == key.as_slice() && other == value.as_slice())
    };
    own.iter().all(has)
}
