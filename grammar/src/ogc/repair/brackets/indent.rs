//! Finds the brackets that are not closed by the indentation of lines: a line that is not indented more than the line
//! of an open bracket is outside of the bracket.
//!
//! Indentation has no meaning in the language, so it is used only where a closing bracket is certainly missing.

use crate::ogc::repair::ItemLexemes;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::part;

/// An open bracket, with the line that it stands in.
struct Open {
    closer: TokenKind,
    line: usize,
    indent: usize,
}

/// Returns where the indentation closes brackets: for each closed bracket, the index of the first token after it, which
/// begins a line. The indices ascend; each closes the innermost open bracket. The result is empty unless it accounts
/// for a missing bracket.
pub(super) fn ended(item: &ItemLexemes<'_>) -> Vec<usize> {
    let Some(mut missing) = missing(item).filter(|missing| *missing > 0) else { return Vec::new() };
    let (mut open, mut ended): (Vec<Open>, Vec<usize>) = (Vec::new(), Vec::new());
    let (mut line, mut indent, mut end) = (0, column(item.source, item.lexemes.first()), 0);
    for (at, lexeme) in item.lexemes.iter().enumerate() {
        let between = part(item.source, end..lexeme.start as usize);
        end = lexeme.end as usize;
        if between.contains('\n') {
            line += 1;
            indent = column(item.source, Some(lexeme));
            while missing > 0 && open.last().is_some_and(|open| open.is_left(line, indent, lexeme.kind)) {
                open.pop();
                ended.push(at);
                missing -= 1;
            }
        }
        if let Some(closer) = lexeme.kind.closer() {
            open.push(Open { closer, line, indent });
        } else if lexeme.kind.is_closer() && open.pop().is_none_or(|open| open.closer != lexeme.kind) {
            return Vec::new();
        }
    }
    ended
}

impl Open {
    /// Returns whether a later line with this indentation and first token is outside of the bracket.
    fn is_left(&self, line: usize, indent: usize, first: TokenKind) -> bool {
        self.line < line && (indent < self.indent || indent == self.indent && first != self.closer)
    }
}

/// Returns the number of brackets without a partner, if all of them are opening and none is meant as a comparison.
fn missing(item: &ItemLexemes<'_>) -> Option<usize> {
    let mut open = Vec::new();
    for (at, lexeme) in item.lexemes.iter().enumerate() {
        if let Some(closer) = lexeme.kind.closer() {
            open.push((closer, at));
        } else if lexeme.kind.is_closer() && open.pop().is_none_or(|(closer, _)| closer != lexeme.kind) {
            return None;
        }
    }
    let compares = |at: usize| !item.touches(at) && !item.touches(at + 1);
    let brackets = open.iter().all(|(closer, at)| *closer != TokenKind::Greater || !compares(*at));
    brackets.then_some(open.len())
}

/// Returns the number of bytes before a token on its line.
fn column(source: &str, lexeme: Option<&Lexeme<'_>>) -> usize {
    let before = part(source, ..lexeme.map_or(0, |lexeme| lexeme.start as usize));
    before.rsplit_once('\n').map_or(before, |(_, line)| line).len()
}
