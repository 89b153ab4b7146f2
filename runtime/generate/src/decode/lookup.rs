//! Drafts by look-up: the tokens that followed an earlier occurrence of the last few tokens are a guess of the next ones.
//!
//! Answers repeat their prompts: names, quotations, code. A look-up costs no model, and a wrong guess only the positions that were
//! read in vain (prompt look-up decoding; Saxena, 2023).

use ogc_runtime::vocabulary::TokenId;

/// The numbers of last tokens that are searched for, longest first: longer matches are more reliable.
const LENGTHS: [usize; 3] = [4, 3, 2];

/// Cap on the past tokens that are searched.
const MAX_PAST: usize = 8_192;

/// Returns up to `most` tokens that followed the last occurrence of the last few tokens.
pub(super) fn followers(past: &[TokenId], most: usize) -> &[TokenId] {
    let past = &past[past.len().saturating_sub(MAX_PAST)..];
    let found = LENGTHS.into_iter().filter(|len| past.len() > *len).find_map(|len| {
        let (before, last) = (&past[..past.len() - 1], &past[past.len() - len..]);
        let at = before.windows(len).rposition(|window| window == last)?;
        Some(at + len)
    });
    found.map_or(&[], |start| &past[start..past.len().min(start + most)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(past: &[u32], most: usize, expected: &[u32]) {
        let past: Vec<TokenId> = past.iter().copied().map(TokenId).collect();
        let found: Vec<u32> = followers(&past, most).iter().map(|token| token.0).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn tokens_that_followed_an_earlier_match_are_drafted() {
        check(&[], 4, &[]);
        check(&[1, 2, 3], 4, &[]);
        check(&[1, 2, 3, 9, 1, 2], 4, &[3, 9, 1, 2]);
        check(&[1, 2, 3, 9, 1, 2], 2, &[3, 9]);
        // One token alone is no match.
        check(&[1, 5, 9, 1], 4, &[]);
        // The last occurrence counts, and of several lengths the longest.
        check(&[1, 2, 3, 7, 1, 2, 4, 8, 1, 2], 1, &[4]);
        check(&[0, 1, 2, 3, 5, 1, 2, 4, 0, 1, 2], 1, &[3]);
        // An occurrence may overlap the end.
        check(&[6, 6, 6], 2, &[6]);
    }
}
