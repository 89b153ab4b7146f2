//! Compares two automata along random walks: they must allow the same bytes, and the same texts must be complete.

use crate::engine::byte_matcher;
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::vocabulary::TokenId;
use std::sync::Arc;

/// Cap on the bytes of a walk.
const STEPS: usize = 160;

/// The number of 32-bit words of a mask over the 256 bytes and an end.
const WORDS: usize = 9;

/// Walks both automata `walks` times.
///
/// # Errors
/// The first text after which only one of them allows some byte, or an end.
pub fn compare(left: &Arc<Automaton>, right: &Arc<Automaton>, walks: usize, random: &mut Random) -> Result<(), String> {
    for _ in 0..walks {
        let (mut a, mut b) = (byte_matcher(left), byte_matcher(right));
        let mut text = Vec::new();
        for _ in 0..STEPS {
            let (mut here, mut there) = ([0; WORDS], [0; WORDS]);
            a.fill_mask(&mut here).map_err(|error| error.to_string())?;
            b.fill_mask(&mut there).map_err(|error| error.to_string())?;
            if here != there {
                return Err(difference(&text, &here, &there));
            }
            let allowed: Vec<u8> = (0..=u8::MAX).filter(|&byte| holds(&here, usize::from(byte))).collect();
            let Some(&byte) = pick(&allowed, random) else { break };
            text.push(byte);
            let token = TokenId(u32::from(byte));
            a.accept_token(token).and_then(|()| b.accept_token(token)).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// Picks one of the bytes; bytes that structure JSON come up as often as all others together.
fn pick<'b>(allowed: &'b [u8], random: &mut Random) -> Option<&'b u8> {
    let signs: Vec<&u8> = allowed.iter().filter(|byte| b"\"\\{}[]:,u0.".contains(byte)).collect();
    if random.one_in(2) && !signs.is_empty() { random.choose(&signs).copied() } else { random.choose(allowed) }
}

fn holds(words: &[u32; WORDS], at: usize) -> bool {
    words[at / 32] >> (at % 32) & 1 == 1
}

fn difference(text: &[u8], here: &[u32; WORDS], there: &[u32; WORDS]) -> String {
    let only = |mine: &[u32; WORDS], other: &[u32; WORDS]| -> Vec<String> {
        let mine = (0..=256).filter(|&at| holds(mine, at) && !holds(other, at));
        mine.map(|at| u8::try_from(at).map_or_else(|_| "end".to_owned(), |byte| format!("{:?}", char::from(byte))))
            .collect()
    };
    let text = String::from_utf8_lossy(text);
    format!("after {text:?}: only the first allows {:?}, only the second {:?}", only(here, there), only(there, here))
}

#[cfg(test)]
mod tests {
    use super::compare;
    use crate::engine::regex;
    use ogc_kit::Random;

    #[test]
    fn differing_automata_are_told_apart() {
        let compiled = |pattern| regex(pattern).expect("a pattern");
        let random = &mut Random::new(1);
        assert_eq!(compare(&compiled("(ab)*c"), &compiled("c|ab(ab)*c"), 8, random), Ok(()));
        let longer = compare(&compiled("a{0,9}"), &compiled("a{0,10}"), 8, random);
        assert!(longer.is_err_and(|fault| fault.contains("only the second [\"'a'\"]")));
        let ends = compare(&compiled("ab?"), &compiled("ab"), 8, random);
        assert!(ends.is_err_and(|fault| fault.contains("only the first allows [\"end\"]")));
    }
}
