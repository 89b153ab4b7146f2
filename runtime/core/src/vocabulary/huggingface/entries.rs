//! Reads the entries of a model into one buffer, without an allocation for each. Part of reading a `tokenizer.json`.
//!
//! BPE has an object that maps texts to ids; Unigram a list of pairs of text and score, where the index is the id.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::super::MAX_IDS;

/// The entries in the order of the file. The source has at most 2^28 bytes, so offsets into `text` fit 32 bits.
#[derive(Default)]
pub(super) struct Entries {
    text: String,
    ends: Vec<(u32, u64)>,
}

impl Entries {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the length of all texts together, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Returns the ids and their texts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, id)| {
            let text = &self.text[start..end as usize];
            start = end as usize;
            (id, text)
        })
    }

    fn push<E: Error>(&mut self, id: u64) -> Result<(), E> {
        if self.ends.len() >= MAX_IDS as usize {
            return Err(E::custom(format_args!("the model has more than {MAX_IDS} entries")));
        }
        self.ends.push((self.text.len() as u32, id));
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of texts and ids, or a list of texts and scores")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries = Entries::default();
        while map.next_key_seed(AppendText(&mut entries.text))?.is_some() {
            let id = map.next_value()?;
            entries.push(id)?;
        }
        Ok(entries)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Entries, A::Error> {
        let mut entries = Entries::default();
        while list.next_element_seed(AppendPair(&mut entries.text))?.is_some() {
            entries.push(entries.ends.len() as u64)?;
        }
        Ok(entries)
    }
}

/// Appends a string of the file to a buffer.
struct AppendText<'t>(&'t mut String);

impl<'de> DeserializeSeed<'de> for AppendText<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for AppendText<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of a token")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.push_str(text);
        Ok(())
    }
}

/// Appends the text of a pair of text and score to a buffer.
struct AppendPair<'t>(&'t mut String);

impl<'de> DeserializeSeed<'de> for AppendPair<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for AppendPair<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pair of text and score")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<(), A::Error> {
        pair.next_element_seed(AppendText(self.0))?
            .ok_or_else(|| A::Error::invalid_length(0, &"a text and a score"))?;
        pair.next_element::<f64>()?.ok_or_else(|| A::Error::invalid_length(1, &"a text and a score"))?;
        match pair.next_element::<IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(A::Error::invalid_length(3, &"a text and a score")),
        }
    }
}
