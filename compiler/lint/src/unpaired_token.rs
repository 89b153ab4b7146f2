//! `unpaired-token`: a part that a token begins and a text ends, or the other way: `tok"<think>" t: text "</think>"`.

use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_grammar::{Code, Diagnostic, Fix, Span};

/// Finds parts with only one end that is a token, in the body of a definition.
pub(super) fn lint(body: &Expr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    body.walk(&mut |expr| {
        if let ExprKind::Sequence(_) = &expr.kind {
            let mut pieces = Vec::new();
            flatten(expr, &mut pieces);
            found.extend((0..pieces.len()).filter_map(|at| unpaired(&pieces, at)));
        }
    });
    found.sort_by_key(|one| one.span);
    found.dedup();
    found
}

/// A token or a text of a sequence.
enum Piece<'e> {
    Token(&'e str),
    Text(&'e str, Span),
}

/// Lists the tokens and texts that stand one after another, those in groups and captures too.
fn flatten<'e>(expr: &'e Expr, pieces: &mut Vec<Piece<'e>>) {
    match &expr.kind {
        ExprKind::Token(name) => pieces.push(Piece::Token(name)),
        ExprKind::String(text) => pieces.push(Piece::Text(text, expr.span)),
        ExprKind::Sequence(parts) => parts.iter().for_each(|part| flatten(part, pieces)),
        ExprKind::Group(item) | ExprKind::Capture { item, .. } => flatten(item, pieces),
        _ => {}
    }
}

/// Reports the text that pairs with the token at `at`, unless a token does.
fn unpaired(pieces: &[Piece<'_>], at: usize) -> Option<Diagnostic> {
    let Some(Piece::Token(name)) = pieces.get(at) else { return None };
    let (partner, begins) = partner(name)?;
    let paired = pieces.iter().any(|piece| matches!(piece, Piece::Token(other) if **other == *partner));
    let side = if begins { pieces.get(at + 1..)? } else { pieces.get(..at)? };
    let texts = side.iter().filter_map(|piece| match piece {
        Piece::Text(text, span) => Some((*text, *span)),
        Piece::Token(_) => None,
    });
    let (text, span) = texts.into_iter().find(|(text, _)| text.contains(&partner)).filter(|_| !paired)?;
    let (does, said) = if begins { ("begins", "ends") } else { ("ends", "begins") };
    let message = format!("the token `{name}` {does} what this text {said}: `{partner}` is no token here");
    let help = format!("write `tok{partner:?}` if the vocabulary has both as tokens, else `{name:?}` for the other");
    let found = Diagnostic::warning(Code::UnpairedToken, span, message).help(help);
    let whole = text == partner;
    Some(found.guess(whole.then(|| Fix::instead(span, format!("tok{partner:?}")))))
}

/// Returns the name of the token that ends what this one begins, or begins what it ends, and whether this one begins.
fn partner(name: &str) -> Option<(String, bool)> {
    let (open, close) =
        [("<", ">"), ("[", "]")].into_iter().find(|(open, close)| name.starts_with(open) && name.ends_with(close))?;
    let inner = name.strip_prefix(open)?.strip_suffix(close)?;
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "_-:".contains(c));
    match inner.strip_prefix('/') {
        Some(word) => is_word(word).then(|| (format!("{open}{word}{close}"), false)),
        None => is_word(inner).then(|| (format!("{open}/{inner}{close}"), true)),
    }
}
