//! The core rules of RFC 5234, appendix B.1.

use crate::rules::{Expr, ExprKind};
use crate::span::Span;

/// Names of the core rules.
pub(super) const NAMES: [&str; 16] = [
    "ALPHA", "BIT", "CHAR", "CR", "CRLF", "CTL", "DIGIT", "DQUOTE", "HEXDIG", "HTAB", "LF", "LWSP", "OCTET", "SP",
    "VCHAR", "WSP",
];

/// Returns the name of a core rule, which may be written in any case, as the standard spells it.
pub(super) fn spelled(name: &str) -> Option<&'static str> {
    NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name))
}

/// Returns the body of a core rule; all its spans are `at`. OCTET is any character, as [`super::octets`] says.
pub(super) fn body(name: &str, at: Span) -> Expr {
    let class = |ranges: &[(char, char)]| ExprKind::Class { negated: false, ranges: ranges.to_vec() };
    let kind = match name {
        "ALPHA" => class(&[('A', 'Z'), ('a', 'z')]),
        "BIT" => class(&[('0', '1')]),
        "CHAR" => class(&[('\u{1}', '\u{7F}')]),
        "CR" => ExprKind::Literal("\r".to_owned()),
        "CRLF" => ExprKind::Literal("\r\n".to_owned()),
        "CTL" => class(&[('\0', '\u{1F}'), ('\u{7F}', '\u{7F}')]),
        "DIGIT" => class(&[('0', '9')]),
        "DQUOTE" => ExprKind::Literal("\"".to_owned()),
        // The standard defines the letters of HEXDIG as strings, which have no case.
        "HEXDIG" => class(&[('0', '9'), ('A', 'F'), ('a', 'f')]),
        "HTAB" => ExprKind::Literal("\t".to_owned()),
        "LF" => ExprKind::Literal("\n".to_owned()),
        "LWSP" => return folded_space(at),
        "OCTET" => class(&[('\0', '\u{10FFFF}')]),
        "SP" => ExprKind::Literal(" ".to_owned()),
        "VCHAR" => class(&[('!', '~')]),
        _ => class(&[(' ', ' '), ('\t', '\t')]),
    };
    Expr::new(kind, at)
}

/// Returns `*(WSP / CRLF WSP)`, with the core rules written out, so that it refers to no other rule.
fn folded_space(at: Span) -> Expr {
    let line = Expr::new(ExprKind::Literal("\r\n".to_owned()), at);
    let folded = Expr::sequence(vec![line, body("WSP", at)], at);
    Expr::alternation(vec![body("WSP", at), folded], at).repeat(0, None, at)
}
