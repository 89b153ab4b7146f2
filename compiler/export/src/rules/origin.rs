//! Origins in the spans of exported rules: a rule tree has spans only, and what it is made of has origins.

use ogc_grammar::Span;
use ogc_schema::source::Origin;

/// The span of an exported rule that says what it is made of.
pub(crate) fn origin_span(Origin(origin): Origin) -> Span {
    Span::new(origin.saturating_sub(1), origin)
}

/// The origin that the span of an exported rule says.
#[must_use]
pub fn origin_of(span: Span) -> Origin {
    Origin(span.end)
}
