//! The input of the layout: the significant tokens of an item with the comments around them.

use crate::ogc::terminal::lexemes;
use crate::ogc::token::{Token, TokenKind};

/// A significant token, with the comments and empty lines around it.
#[derive(Debug)]
pub(super) struct Word<'t> {
    pub(super) kind: TokenKind,
    pub(super) text: &'t str,
    /// Comments on their own lines before the token.
    pub(super) leading: Vec<&'t str>,
    /// Comment after the token on its line.
    pub(super) trailing: Option<&'t str>,
    /// Whether an empty line stands before the token and its comments.
    pub(super) blank: bool,
}

/// Returns the words of an item whose text is `text`.
pub(super) fn words<'t>(text: &'t str, tokens: &[Token]) -> Vec<Word<'t>> {
    let mut words: Vec<Word<'t>> = Vec::new();
    let mut trivia = tokens.iter().filter(|token| token.kind.is_trivia()).peekable();
    for lexeme in lexemes(text, tokens) {
        let mut word = Word { kind: lexeme.kind, text: lexeme.text, leading: Vec::new(), trailing: None, blank: false };
        let mut same_line = !words.is_empty();
        while let Some(token) = trivia.next_if(|token| token.span.end <= lexeme.start) {
            let written = token.span.text(text);
            match token.kind {
                TokenKind::Space => {
                    let lines = written.matches('\n').count();
                    word.blank |= lines > 1 && word.leading.is_empty();
                    same_line &= lines == 0;
                }
                _ => comment(written.trim_end(), same_line, &mut word, &mut words),
            }
        }
        words.push(word);
    }
    words
}

fn comment<'t>(text: &'t str, same_line: bool, word: &mut Word<'t>, words: &mut [Word<'t>]) {
    match words.last_mut().filter(|last| same_line && last.trailing.is_none()) {
        Some(last) => last.trailing = Some(text),
        None => word.leading.push(text),
    }
}
