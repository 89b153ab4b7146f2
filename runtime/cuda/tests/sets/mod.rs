//! Pools of rows with known tokens, for masks that no format has.
#![allow(unreachable_pub, reason = "each test takes what it needs")]

use ogc_kit::Random;

/// Number of tokens, and of words with a bit for each.
pub const TOKENS: u32 = 32 * WORDS;
pub const WORDS: u32 = 40;

/// Rows in all forms, each with its known set of tokens.
#[derive(Debug, Default)]
pub struct Sets {
    pub table: Vec<u32>,
    pub contents: Vec<u32>,
    pub sets: Vec<Vec<u32>>,
}

impl Sets {
    fn push(&mut self, [kind, len, removed, dense]: [u32; 4], content: &[u32], set: Vec<u32>) {
        self.table.extend([kind, self.contents.len() as u32 / 16, len, removed, dense, 0, 0, 0]);
        self.contents.extend(content);
        self.contents.resize(self.contents.len().next_multiple_of(16), u32::MAX);
        self.sets.push(set);
    }

    /// Adds a set as a list, as bits, or as a difference from other bits.
    pub fn add(&mut self, set: Vec<u32>, form: usize, random: &mut Random) {
        let bits = |set: &[u32]| {
            let mut words = vec![0; WORDS as usize];
            set.iter().for_each(|token| words[*token as usize / 32] |= 1 << (token % 32));
            words
        };
        match form {
            0 => self.push([0, set.len() as u32, 0, 0], &set.clone(), set),
            1 => self.push([1, WORDS, 0, 0], &bits(&set), set),
            _ => {
                let base: Vec<u32> = (0..TOKENS).filter(|_| random.below(9) == 0).collect();
                let dense = self.sets.len() as u32;
                self.push([1, WORDS, 0, 0], &bits(&base), base.clone());
                let added: Vec<u32> = set.iter().copied().filter(|token| !base.contains(token)).collect();
                let removed: Vec<u32> = base.into_iter().filter(|token| !set.contains(token)).collect();
                let row = [2, added.len() as u32, removed.len() as u32, dense];
                self.push(row, &[added, removed].concat(), set);
            }
        }
    }
}
