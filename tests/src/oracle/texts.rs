//! Represents a finite language as a sorted list of its texts.

/// A language that decides exactly whether a text, or a beginning of a text, is in it.
pub trait Language {
    /// Returns whether a text of the language begins with `prefix`.
    fn extends(&self, prefix: &[u8]) -> bool;

    /// Returns whether `text` is in the language.
    fn contains(&self, text: &[u8]) -> bool;
}

/// A set of texts as a sorted list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts(Vec<Vec<u8>>);

impl Texts {
    /// Makes the set of these texts.
    #[must_use]
    pub fn new(mut texts: Vec<Vec<u8>>) -> Texts {
        texts.sort_unstable();
        texts.dedup();
        Texts(texts)
    }

    /// Returns the texts in order.
    #[must_use]
    pub fn all(&self) -> &[Vec<u8>] {
        &self.0
    }
}

impl Language for Texts {
    fn extends(&self, prefix: &[u8]) -> bool {
        let at = self.0.partition_point(|text| text.as_slice() < prefix);
        self.0.get(at).is_some_and(|text| text.starts_with(prefix))
    }

    fn contains(&self, text: &[u8]) -> bool {
        self.0.binary_search_by(|other| other.as_slice().cmp(text)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, Texts};

    #[test]
    fn a_set_of_texts_knows_its_prefixes() {
        let texts = Texts::new(vec![b"ab".to_vec(), b"b".to_vec(), b"ab".to_vec()]);
        assert!(texts.extends(b"") && texts.extends(b"a") && texts.extends(b"ab") && !texts.extends(b"aa"));
        assert!(texts.contains(b"b") && !texts.contains(b"a") && !Texts::default().extends(b""));
    }
}
