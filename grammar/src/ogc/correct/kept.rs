//! Checks that a correction changes nothing but the place that its finding is about.

use crate::fix::{self, Fix};
use crate::ogc::lexer::tokens;
use crate::ogc::token::{Token, TokenKind};
use crate::span::Span;

/// Returns the first place whose text the correction of a finding at `place` would delete or turn into another token.
///
/// Signs and brackets that the correction replaces do not count as lost, nor does text that it writes again.
pub(super) fn lost(text: &str, place: Span, fix: &Fix) -> Option<Span> {
    let (after, applied) = fix::apply(text, std::iter::once(fix));
    if applied.is_empty() {
        return Some(place);
    }
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|(span, _)| *span);
    let (before, now) = (tokens(text), tokens(&after));
    let written: String = edits.iter().map(|(_, new)| format!("{new}\n")).collect();
    let comments = comments(&after, &now);
    let is_kept = |token: &Token| {
        let own = token.span.text(text);
        match (token.kind, moved(token.span, &edits)) {
            (TokenKind::Space, _) => true,
            (TokenKind::Comment | TokenKind::Doc, _) => comments.contains(&said(own)),
            (kind, Some(start)) => {
                is_at(&now, kind, start, token.span.len()) || commented_out(text, token.span, &edits)
            }
            (TokenKind::BlockComment, None) => words(own).all(|word| after.contains(word)),
            (kind, None) => {
                let inside = place.start <= token.span.start && token.span.end <= place.end;
                inside
                    || is_sign(kind)
                    || written.contains(own.trim_matches(['"', '\'', '/']))
                    || is_extended(text, token.span, &edits)
            }
        }
    };
    before.iter().find(|token| !is_kept(token)).map(|token| token.span)
}

/// Returns the place of a token after the edits; `None` if one of them touches it.
fn moved(token: Span, edits: &[(Span, String)]) -> Option<u32> {
    let mut start = i64::from(token.start);
    for (span, new) in edits {
        if span.end <= token.start {
            start += new.len() as i64 - i64::from(span.len());
        } else if span.start < token.end {
            return None;
        }
    }
    u32::try_from(start).ok()
}

/// Returns whether all edits inside of a token contain the text that they replace, such as `\/` for `/`.
fn is_extended(text: &str, token: Span, edits: &[(Span, String)]) -> bool {
    let mut touching = edits.iter().filter(|(span, _)| span.start < token.end && token.start < span.end);
    touching.all(|(span, new)| new.contains(span.text(text)))
}

/// Returns whether the edits move the token into a comment: a correction that writes `//` for another language's sign
/// is about the rest of the line.
fn commented_out(text: &str, token: Span, edits: &[(Span, String)]) -> bool {
    let mut before = edits.iter().filter(|(span, new)| new == "//" && !span.is_empty() && span.end <= token.start);
    before.any(|(span, _)| !Span::new(span.end, token.start).text(text).contains('\n'))
}

fn is_at(tokens: &[Token], kind: TokenKind, start: u32, len: u32) -> bool {
    let at = tokens.partition_point(|token| token.span.start < start);
    tokens.get(at).is_some_and(|token| (token.kind, token.span.start, token.span.len()) == (kind, start, len))
}

fn is_sign(kind: TokenKind) -> bool {
    use crate::ogc::token::TokenClass::{Bracket, Operator, Punctuation};
    matches!(kind.class(), Bracket | Operator | Punctuation) || matches!(kind, TokenKind::Foreign | TokenKind::Unknown)
}

/// Returns the texts of the comments among `tokens`.
fn comments<'t>(text: &'t str, tokens: &[Token]) -> Vec<&'t str> {
    let comments = tokens.iter().filter(|token| matches!(token.kind, TokenKind::Comment | TokenKind::Doc));
    comments.map(|token| said(token.span.text(text))).collect()
}

fn said(comment: &str) -> &str {
    comment.trim_start_matches('/').trim()
}

fn words(comment: &str) -> impl Iterator<Item = &str> {
    comment.split(|c: char| c.is_whitespace() || c == '*' || c == '/').filter(|word| !word.is_empty())
}
