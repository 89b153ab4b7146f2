//! `stacked-repetition`: `"a"*?`, a lazy repetition in other languages, and here a repetition of a repetition; and
//! `/a*?/`, where laziness makes no difference to the set of texts.

use ogc_grammar::ogc::ast::{Expr, ExprKind, Repetition};
use ogc_grammar::{Code, Diagnostic, Fix, Span};

/// Finds repetitions of repetitions in the body of a definition; places are in `text`, the text of its item.
pub(super) fn lint(text: &str, body: &Expr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    body.walk(&mut |expr| {
        found.extend(stacked(text, expr));
        if matches!(expr.kind, ExprKind::Regex(_)) {
            found.extend(lazy_inside(text, expr.span));
        }
    });
    found
}

/// Finds lazy repetitions in a regex.
fn lazy_inside(text: &str, regex: Span) -> Vec<Diagnostic> {
    let mut reader = Reader::default();
    let bytes = regex.text(text).bytes().enumerate();
    let lazy = bytes.filter(|&(_, byte)| reader.ends_lazy(byte)).map(|(at, _)| regex.start as usize + at);
    lazy.map(|at| lazy_sign(text, Span::of(at.saturating_sub(1), at + 1))).collect()
}

/// The state of reading a regex.
#[derive(Clone, Copy, Debug, Default)]
struct Reader {
    /// Whether a repetition ends here.
    repeated: bool,
    /// Whether the next byte is escaped.
    escape: bool,
    /// Whether an escape ends here; a `{` then begins its name, as in `\p{L}`.
    escaped: bool,
    /// Whether the reader is in the braces of such a name.
    named: bool,
    /// Whether the reader is in a class.
    class: bool,
}

impl Reader {
    /// Returns whether this byte is the `?` after a repetition.
    fn ends_lazy(&mut self, byte: u8) -> bool {
        let before = std::mem::take(self);
        let reader = Reader { class: before.class, ..Reader::default() };
        *self = match byte {
            _ if before.escape => Reader { escaped: true, ..reader },
            b'\\' => Reader { escape: true, ..reader },
            _ if before.class => Reader { class: byte != b']', ..reader },
            _ if before.named => Reader { named: byte != b'}', ..reader },
            b'[' => Reader { class: true, ..reader },
            b'{' if before.escaped => Reader { named: true, ..reader },
            b'?' if before.repeated => reader,
            b'*' | b'+' | b'?' | b'}' => Reader { repeated: true, ..reader },
            _ => reader,
        };
        byte == b'?' && before.repeated
    }
}

fn lazy_sign(text: &str, place: Span) -> Diagnostic {
    let sign = place.text(text);
    let message = format!("`{sign}` is the same as `{}`: a set of texts has no lazy ways", &sign[..1]);
    let help = "what ends at the first `x` is `lazy</.*x/>`, with the end in it; free text, `text`, stops by itself";
    let fix = Fix::new("remove the `?`", Span::new(place.end.saturating_sub(1), place.end), "");
    Diagnostic::warning(Code::StackedRepetition, place, message).help(help).fix(fix)
}

/// Reports one repetition sign directly after another.
fn stacked(text: &str, expr: &Expr) -> Option<Diagnostic> {
    let ExprKind::Repeat { item, times: outer } = &expr.kind else { return None };
    let ExprKind::Repeat { times: inner, .. } = &item.kind else { return None };
    let (inner, outer) = (sign(inner)?, sign(outer)?);
    let gap = Span::new(item.span.end, expr.span.end);
    // With white space between the signs, the author did not mean the sign of another language.
    if gap.text(text) != outer {
        return None;
    }
    let same = if inner == outer { inner } else { "*" };
    let signs = Span::new(gap.start.saturating_sub(1), gap.end);
    let message = format!("`{inner}{outer}` is a repetition of a repetition, the same as `{same}`");
    let help = match outer {
        "?" => format!(
            "write `{inner}`: a set of texts has no greedy and lazy ways; what ends at the first `x` is `lazy<a{inner} x>`, \
             with the end in it"
        ),
        _ => format!("write `{same}`"),
    };
    let found = Diagnostic::warning(Code::StackedRepetition, signs, message).help(help);
    // `+?` means `+` elsewhere and `*` here; only the author knows which one is meant.
    let doubtful = outer == "?" && inner != same;
    Some(if doubtful { found } else { found.fix(Fix::new(format!("write `{same}`"), signs, same)) })
}

/// Returns the sign (`*`, `+` or `?`) of a repetition, if it has one.
pub(super) fn sign(times: &Repetition) -> Option<&'static str> {
    match times {
        Repetition::Optional => Some("?"),
        Repetition::Star => Some("*"),
        Repetition::Plus => Some("+"),
        Repetition::Exactly(_) | Repetition::Between(_) => None,
    }
}
