//! Divides the tokens to read into passes of bounded length, so that the memory of a pass stays bounded.

use std::ops::Range;

/// Cap on the positions that are read in one pass.
const MAX_PASS: usize = 256;

/// Some tokens of one text, which are read in one pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The index of the text.
    pub(super) part: usize,
    /// The tokens, as a range of the tokens of the text that are to be read.
    pub(super) tokens: Range<usize>,
}

/// Divides texts of these lengths into passes: in their order, each pass as full as possible.
pub(super) fn passes(lens: &[usize]) -> Vec<Vec<Piece>> {
    let (mut passes, mut current, mut room) = (Vec::new(), Vec::new(), MAX_PASS);
    for (part, &len) in lens.iter().enumerate() {
        let mut start = 0;
        while start < len {
            let end = len.min(start + room);
            current.push(Piece { part, tokens: start..end });
            room -= end - start;
            start = end;
            if room == 0 {
                passes.push(std::mem::take(&mut current));
                room = MAX_PASS;
            }
        }
    }
    passes.extend(Some(current).filter(|pass| !pass.is_empty()));
    passes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_hold_all_tokens_in_order_within_the_limit() {
        for lens in [&[][..], &[0], &[1, 0, 2], &[MAX_PASS, 1], &[100, 600, 3, MAX_PASS]] {
            let passes = passes(lens);
            let mut read = vec![0; lens.len()];
            for pass in &passes {
                assert!((1..=MAX_PASS).contains(&pass.iter().map(|piece| piece.tokens.len()).sum::<usize>()));
                for piece in pass {
                    assert_eq!(piece.tokens.start, read[piece.part]);
                    read[piece.part] = piece.tokens.end;
                }
            }
            assert_eq!(read, lens);
            assert_eq!(passes.len(), lens.iter().sum::<usize>().div_ceil(MAX_PASS));
        }
    }
}
