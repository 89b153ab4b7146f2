//! The codes whose level can be set: those of warnings and notes, of every stage. A test holds this against the sources.

use crate::hir::nearest;

/// All of them, in order.
pub const CODES: [&str; 62] = [
    "array-items",
    "boolean-bound",
    "broken-tool",
    "captures-limit",
    "deprecated",
    "ebnf-backslash",
    "empty-branch",
    "empty-pattern",
    "exclusive-without-bound",
    "expensive-part",
    "export-captures",
    "export-integers",
    "foreign-keyword",
    "fractional-bound",
    "half-anchored",
    "hidden-sibling",
    "idle-keyword",
    "idle-operation",
    "ignored-elsewhere",
    "large-pattern",
    "large-repetition",
    "lark-capture",
    "lark-lazy-repetition",
    "lark-priority",
    "lint-limit",
    "loose-space",
    "lost-capture",
    "misspelled-keyword",
    "more-diagnostics",
    "more-findings",
    "narrowed-format",
    "no-keywords",
    "no-output",
    "nondeterministic-rule",
    "numeric-bound",
    "open-record",
    "overlapping-union",
    "quoted-text",
    "quoted-type",
    "reference-scope",
    "repeated-literal",
    "spaced-operator",
    "split-regex",
    "stacked-repetition",
    "stray-doc",
    "strict-tool",
    "swallowed-alternative",
    "swallowed-part",
    "text-spells-token",
    "text-without-stop",
    "tool-arguments",
    "tool-list",
    "unbounded-recursion",
    "unbuilt-masks",
    "unchecked-budget",
    "unknown-draft",
    "unknown-format",
    "unknown-lint",
    "unproductive-rule",
    "unspelled-text",
    "unused-item",
    "wide-record",
];

/// A finding of this code can be a warning or a note.
#[must_use]
pub fn is_known(code: &str) -> bool {
    CODES.binary_search(&code).is_ok()
}

/// The code that is probably meant.
#[must_use]
pub fn near(written: &str) -> Option<&'static str> {
    nearest(written, CODES)
}
