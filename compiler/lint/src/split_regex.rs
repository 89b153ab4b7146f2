//! `split-regex`: `/https?://[a-z]+/`, which is read as two adjacent regexes, because a regex ends at the first `/`.

use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_grammar::{Code, Diagnostic, Fix, Span};

/// Finds regexes that a `/` inside splits in two, in the body of a definition; places are in `text`, the text of its
/// item.
pub(super) fn lint(text: &str, body: &Expr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    body.walk(&mut |expr| found.extend(split(text, expr)));
    found
}

/// Reports a regex with a `/` directly after it, which begins another regex or a comment.
fn split(text: &str, expr: &Expr) -> Option<Diagnostic> {
    let behind = text.get(expr.span.end as usize..)?.strip_prefix('/')?;
    if !matches!(expr.kind, ExprKind::Regex(_)) {
        return None;
    }
    let place = Span::new(expr.span.end.checked_sub(1)?, expr.span.end + 1);
    let found = Diagnostic::warning(Code::SplitRegex, place, "the regex ends at the first of these `/`");
    let found = found.help("write `\\/` for the character; leave a space between two regexes");
    let comment = behind.starts_with('/');
    let fix = (!comment).then(|| Fix::new("write `\\/\\/`", place, "\\/\\/"));
    Some(found.fix(fix))
}
