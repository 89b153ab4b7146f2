//! The names of rows: hashes of sets of tokens.

use std::borrow::Cow;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::mask::row::{RowView, SPARSE, ones};

/// The hash of a set of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::mask::pack) struct RowName(pub(super) [u8; 16]);

/// The first half of a name, by which rows are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(in crate::mask::pack) struct ShortName([u8; 8]);

impl RowName {
    /// Returns the hash.
    pub(in crate::mask::pack) fn bytes(&self) -> [u8; 16] {
        self.0
    }

    /// Returns the first half.
    pub(in crate::mask::pack) fn short(&self) -> ShortName {
        let mut short = [0; 8];
        short.copy_from_slice(&self.0[..8]);
        ShortName(short)
    }
}

/// A set of tokens in a form that depends on its size alone, not on the form of the row.
#[derive(Debug)]
pub(super) enum Content<'r> {
    /// At most as many tokens as a sparse row may have, ascending.
    List(Cow<'r, [u32]>),
    /// One bit a token.
    Bits(Cow<'r, [u32]>),
}

impl<'r> Content<'r> {
    /// Returns the set of a row; `tokens` is the size of the vocabulary.
    pub(super) fn of(row: RowView<'r>, tokens: u32) -> Self {
        match row {
            RowView::Sparse(list) if list.len() <= SPARSE => Self::List(Cow::Borrowed(list)),
            RowView::Dense(words) if row.count() > SPARSE => Self::Bits(Cow::Borrowed(words)),
            RowView::Dense(words) => Self::List(ones(words).collect()),
            RowView::Sparse(_) | RowView::Delta { .. } => {
                let mut words = vec![0; tokens.div_ceil(32) as usize];
                row.copy_to(&mut words);
                let few = RowView::Dense(&words).count() <= SPARSE;
                if few { Self::List(ones(&words).collect()) } else { Self::Bits(Cow::Owned(words)) }
            }
        }
    }

    /// Returns the name of the set.
    pub(super) fn name(&self) -> RowName {
        let (form, words) = match self {
            Self::List(list) => (b"ogc row, tokens", list),
            Self::Bits(words) => (b"ogc row, bits  ", words),
        };
        RowName(hash(&[form, words.as_bytes()]))
    }
}

/// Returns the name of a row; `tokens` is the size of the vocabulary.
pub(in crate::mask::pack) fn name(row: RowView<'_>, tokens: u32) -> RowName {
    Content::of(row, tokens).name()
}

/// Returns a hash of a sequence of names.
pub(in crate::mask::pack) fn digest(names: impl Iterator<Item = RowName>) -> [u8; 16] {
    let all: Vec<u8> = names.flat_map(|name| name.0).collect();
    hash(&[b"ogc names of rows", &all])
}

fn hash(parts: &[&[u8]]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    parts.iter().for_each(|part| {
        hasher.update(part);
    });
    let mut short = [0; 16];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    short
}
