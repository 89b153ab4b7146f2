//! Reads tiktoken files: lines of `base64(token) rank`, where the rank is the id. A constructor of [`Vocabulary`].

use super::builder::check_source;
use super::{Vocabulary, VocabularyBuilder, VocabularyError, base64};

/// Reads all lines, then defines the special tokens, which tiktoken files do not have.
pub(super) fn read(ranks: &[u8], specials: &[(&str, u32)]) -> Result<Vocabulary, VocabularyError> {
    check_source(ranks)?;
    let mut builder = VocabularyBuilder::new();
    let mut token = Vec::new();
    for (index, line) in ranks.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii_end();
        if !line.is_empty() {
            let rank =
                read_line(line, &mut token).map_err(|reason| VocabularyError::Line { line: index + 1, reason })?;
            builder.text(rank, &token)?;
        }
    }
    builder.specials(specials)?;
    builder.build()
}

/// Splits a line at its last space into the token, which may be empty, and the rank.
fn read_line(line: &[u8], token: &mut Vec<u8>) -> Result<u64, &'static str> {
    let at = line.iter().rposition(|&byte| byte == b' ').ok_or("no space between token and rank")?;
    let (text, rank) = line.split_at(at);
    token.clear();
    base64::decode_into(text, token).ok_or("the token is not base64")?;
    let rank = std::str::from_utf8(&rank[1..]).ok().filter(|rank| !rank.starts_with('+'));
    rank.and_then(|rank| rank.parse().ok()).ok_or("the rank is not a number")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::TokenId;

    #[test]
    fn empty_tokens_and_windows_line_ends_are_read() {
        let vocabulary = read(b" 1\r\n\r\nYQ== 0\r\n", &[]).unwrap();
        assert_eq!(vocabulary.text(TokenId(0)), Some(&b"a"[..]));
        assert_eq!(vocabulary.text(TokenId(1)), Some(&b""[..]));
    }

    #[track_caller]
    fn check_error(ranks: &[u8], expected: &str) {
        assert_eq!(read(ranks, &[("<s>", 3)]).unwrap_err().to_string(), expected);
    }

    #[test]
    fn broken_lines_are_errors() {
        check_error(b"YQ==", "line 1: no space between token and rank");
        check_error(b"YQ== 0\nYQ= 1", "line 2: the token is not base64");
        check_error(b"YQ== x", "line 1: the rank is not a number");
        check_error(b"YQ== +1", "line 1: the rank is not a number");
        check_error(b"YQ== 3", "token 3 is defined twice");
        check_error(b"YQ== 4194304", "the highest token id makes 4194305 ids; the limit is 4194304");
    }
}
