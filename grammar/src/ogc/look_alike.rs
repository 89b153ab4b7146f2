//! Characters that look like a sign of the language, from other keyboards and from word processors.

use super::lexer::first_tokens;
use super::token::TokenKind;

/// Returns the sign that a character looks like.
pub(crate) fn sign_like(c: char) -> Option<&'static str> {
    Some(match c {
        '：' | '﹕' | '∶' | '꞉' => ":",
        '；' | '﹔' | '\u{37e}' => ";",
        '，' | '﹐' | '、' | '､' | '‚' | '،' => ",",
        '．' | '﹒' | '․' => ".",
        '‥' | '︰' => "..",
        '…' | '⋯' => "...",
        '｜' | '∣' | '│' | '┃' | '︱' | '❘' | '¦' => "|",
        '＝' | '﹦' | '꞊' => "=",
        '＆' | '﹠' => "&",
        '＊' | '﹡' | '∗' | '⁎' | '٭' => "*",
        '＋' | '﹢' => "+",
        '？' | '﹖' => "?",
        '％' | '﹪' | '٪' => "%",
        '－' | '﹣' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '⁃' => "-",
        '（' | '﹙' => "(",
        '）' | '﹚' => ")",
        '［' | '【' | '〔' => "[",
        '］' | '】' | '〕' => "]",
        '｛' | '﹛' => "{",
        '｝' | '﹜' => "}",
        '＜' | '﹤' | '‹' | '〈' | '⟨' | '❮' => "<",
        '＞' | '﹥' | '›' | '〉' | '⟩' | '❯' => ">",
        _ => return None,
    })
}

/// Returns the kind of the token that a sign is.
pub(crate) fn kind_of_sign(sign: &str) -> Option<TokenKind> {
    first_tokens(sign, 1).first().map(|token| token.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_of_signs_are_unknown_tokens_and_their_signs_are_not() {
        let mut signs = 0;
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let Some(sign) = sign_like(c) else { continue };
            signs += 1;
            let own = kind_of_sign(c.encode_utf8(&mut [0; 4]));
            // Letters of names are left alone: they are not errors by themselves.
            assert!(own == Some(TokenKind::Unknown), "{c:?} {own:?}");
            assert_eq!(first_tokens(sign, 9).len(), 1, "{sign}");
            assert!(kind_of_sign(sign) != Some(TokenKind::Unknown), "{sign}");
        }
        assert!(signs > 60, "{signs}");
    }
}
