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
