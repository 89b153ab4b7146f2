//! Shared by the tests: a small random generator and all short strings.
#![allow(dead_code, reason = "each test binary uses its own part")]

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
