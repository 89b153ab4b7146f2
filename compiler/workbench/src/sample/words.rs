//! Supplies common words for the free text of samples, so that samples are readable.

use crate::random::Random;

const WORDS: [&str; 48] = [
    "river", "stone", "the", "a", "green", "light", "morning", "of", "small", "paper", "north", "and", "window",
    "seven", "garden", "to", "cloud", "old", "bridge", "in", "quiet", "lamp", "with", "winter", "open", "letter",
    "for", "silver", "road", "apple", "under", "market", "blue", "station", "from", "fresh", "coffee", "on", "early",
    "train", "new", "harbour", "red", "field", "map", "long", "story", "tea",
];

/// A sequence of words, byte by byte.
#[derive(Debug)]
pub(super) struct Words {
    word: &'static [u8],
    at: usize,
}

impl Words {
    pub(super) fn new(random: &mut Random) -> Self {
        Self { word: pick(random), at: 0 }
    }

    /// Returns the next byte: of the word, or a space after it.
    pub(super) fn next(&self) -> u8 {
        self.word.get(self.at).copied().unwrap_or(b' ')
    }

    /// Returns whether the word is complete.
    pub(super) fn is_whole(&self) -> bool {
        self.at == self.word.len()
    }

    /// Records a written byte; a byte other than the next one starts a new word.
    pub(super) fn wrote(&mut self, byte: u8, random: &mut Random) {
        if byte.to_ascii_lowercase() == self.next() && self.at < self.word.len() {
            self.at += 1;
        } else {
            *self = Self::new(random);
        }
    }
}

fn pick(random: &mut Random) -> &'static [u8] {
    WORDS[random.below(WORDS.len() as u64) as usize].as_bytes()
}
