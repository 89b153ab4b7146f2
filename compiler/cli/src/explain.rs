//! The explanation of every diagnostic code: what it means, an example, the way out. One Markdown file a code.

macro_rules! explanations {
    ($($code:literal),* $(,)?) => {
        /// Every code and its explanation, in order.
        pub(crate) const ALL: &[(&str, &str)] = &[$(($code, include_str!(concat!("explain/", $code, ".md")))),*];
    };
}

explanations![
    "array-items",
    "automaton",
    "boolean-bound",
    "contains",
    "duplicate-rule",
    "ebnf-backslash",
    "ebnf-character",
    "ebnf-constraint",
    "ebnf-mixed-styles",
    "ebnf-repetition",
    "ebnf-special-sequence",
    "ebnf-terminator",
    "ebnf-unclosed",
    "empty-class",
    "empty-format",
    "empty-grammar",
    "empty-text-only",
    "engine",
    "exception-not-regular",
    "exclusive-without-bound",
    "expected-expression",
    "expected-rule",
    "file-too-large",
    "file-unreadable",
    "file-unwritable",
    "foreign-keyword",
    "format",
    "gbnf-escape",
    "gbnf-line",
    "gbnf-lookahead",
    "gbnf-macro",
    "gbnf-repetition",
    "gbnf-rule-attribute",
    "gbnf-single-quotes",
    "gbnf-token",
    "gbnf-unclosed",
    "grammar-automaton",
    "grammar-limit",
    "hidden-sibling",
    "idle-keyword",
    "irregular-content",
    "irregular-format",
    "json-control",
    "json-escape",
    "json-lone-surrogate",
    "json-number",
    "json-repeated-key",
    "json-syntax",
    "json-too-deep",
    "json-unclosed",
    "keyword-value",
    "limit",
    "min-properties-open",
    "missing-root",
    "more-diagnostics",
    "more-findings",
    "narrowed-format",
    "nesting-too-deep",
    "no-formats",
    "no-rules",
    "no-stage",
    "nondeterministic-rule",
    "not-a-schema",
    "not-utf8",
    "nothing-to-repeat",
    "number",
    "number-limit",
    "numeric-bound",
    "ogc-not-supported",
    "output",
    "pattern",
    "recursive-names",
    "reference-cycle",
    "reference-scope",
    "reference-target",
    "regex",
    "remote-reference",
    "remote-syntax",
    "repetition-limit",
    "reversed-range",
    "text-too-long",
    "token-terminal",
    "too-many-schemas",
    "unclosed-comment",
    "unclosed-group",
    "undefined-rule",
    "unevaluated",
    "unexpected-character",
    "unique-items",
    "unknown-code",
    "unknown-draft",
    "unknown-format",
    "unknown-language",
    "unknown-type",
    "unmatched-parenthesis",
    "unproductive-rule",
    "unresolved-reference",
    "unsupported-complement",
    "vocabulary",
];

/// The explanation of a code.
pub(crate) fn text(code: &str) -> Option<&'static str> {
    let at = ALL.binary_search_by_key(&code, |(code, _)| code).ok()?;
    ALL.get(at).map(|(_, text)| *text)
}

/// What the first line of an explanation says behind the code.
pub(crate) fn title(text: &str) -> &str {
    let first = text.lines().next().unwrap_or_default();
    first.split_once(": ").map_or(first, |(_, title)| title)
}

#[cfg(test)]
mod tests;
