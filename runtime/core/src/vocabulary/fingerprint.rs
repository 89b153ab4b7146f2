//! The fingerprint of a [`Vocabulary`], by which masks are matched with vocabularies.

use super::{TokenId, Vocabulary};

/// The prefix of the hashed bytes; its number must change with the order or the set of hashed fields.
const DOMAIN: &[u8] = b"ogc vocabulary 1";

/// Hashes the content. Each part is preceded by its length, so that different contents give different streams.
pub(super) fn of(vocabulary: &Vocabulary) -> [u8; 32] {
    let mut stream = Vec::with_capacity(vocabulary.bytes.len() + 8 * vocabulary.len());
    stream.extend_from_slice(DOMAIN);
    tokens(vocabulary, &mut stream);
    names(vocabulary, &mut stream);
    number(vocabulary.eos.len(), &mut stream);
    vocabulary.eos.iter().for_each(|id| number(id.index(), &mut stream));
    *blake3::hash(&stream).as_bytes()
}

fn tokens(vocabulary: &Vocabulary, stream: &mut Vec<u8>) {
    number(vocabulary.len(), stream);
    for (id, kind) in (0..).map(TokenId).zip(&vocabulary.kinds) {
        let text = vocabulary.text(id).unwrap_or_default();
        stream.push(*kind as u8);
        number(text.len(), stream);
        stream.extend_from_slice(text);
    }
}

fn names(vocabulary: &Vocabulary, stream: &mut Vec<u8>) {
    number(vocabulary.names.iter().count(), stream);
    for (id, name) in vocabulary.names.iter() {
        number(id.index(), stream);
        number(name.len(), stream);
        stream.extend_from_slice(name.as_bytes());
    }
}

/// Appends a number, which the limits of the builder keep below 2^32.
fn number(value: usize, stream: &mut Vec<u8>) {
    stream.extend_from_slice(&(value as u32).to_le_bytes());
}
