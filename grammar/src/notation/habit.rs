//! Habits from regular expressions that mean something else, or nothing, in grammar notations.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Returns the finding for a `?` directly after another repetition sign.
pub(crate) fn lazy(place: Span) -> Diagnostic {
    let message = "`?` makes nothing lazy here: what it stands behind may be absent, even behind `+`";
    let help =
        "remove it, and exclude the end from what is repeated, as in `[^x]*`; where absence is meant, write `(...)?`";
    Diagnostic::warning(Code::DoubtfulPattern, place, message).help(help)
}

/// Returns the finding for a repetition sign with nothing before it; `is_group` says that the sign is the `?` of `(?:`,
/// `(?i)` and the like.
pub(crate) fn nothing_to_repeat(place: Span, is_group: bool) -> Diagnostic {
    let found = Diagnostic::error(Code::NothingToRepeat, place, "nothing stands before this repetition sign");
    if is_group { found.help("a group is `( ... )` in a grammar, without `?:` and flags") } else { found }
}

/// Returns the warning about a repetition sign with white space on both sides, which reads like an operator between two items.
pub(crate) fn spaced(place: Span, sign: char) -> Diagnostic {
    let message = format!("`{sign}` repeats what stands before it; it joins nothing to what follows");
    let help =
        format!("for one after the other remove the `{sign}`; for the repetition write `x{sign}` without the space");
    Diagnostic::warning(Code::SpacedOperator, place, message).help(help)
}

/// Returns the warning about two bars with nothing between them.
pub(crate) fn doubled_bar(place: Span) -> Diagnostic {
    let message = "nothing stands between these two bars, and so nothing may stand here";
    Diagnostic::warning(Code::EmptyAlternative, place, message)
        .help("write `|` once between two alternatives; the empty text is `\"\"`")
}

/// Returns the warning about a bar at the end of a rule.
pub(crate) fn trailing_bar(place: Span) -> Diagnostic {
    let message = "nothing stands after this `|`, and so nothing may stand here";
    Diagnostic::warning(Code::EmptyAlternative, place, message)
        .help("write the last alternative behind it, or remove it; the empty text is `\"\"`")
}
