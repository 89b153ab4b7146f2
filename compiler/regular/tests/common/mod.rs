//! What the tests share: a small random generator and all short strings.
#![allow(dead_code, reason = "each test binary uses its own part")]

/// A xorshift generator.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number under `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 11) % bound
    }
}

/// All strings of at most `longest` letters.
pub(crate) fn strings(letters: &[&str], longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..longest {
        let end = all.len();
        for at in from..end {
            for letter in letters {
                all.push(format!("{}{letter}", all[at]));
            }
        }
        from = end;
    }
    all
}
