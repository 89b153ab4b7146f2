//! Encodes origins in the spans of exported rules: a rule tree only has room for spans, and the errors need origins.

use ogc_grammar::Span;
use ogc_schema::source::Origin;

/// Returns the span that encodes an origin.
pub(crate) fn origin_span(Origin(origin): Origin) -> Span {
    Span::new(origin.saturating_sub(1), origin)
}

/// Returns the origin that a span encodes.
#[must_use]
pub fn origin_of(span: Span) -> Origin {
    Origin(span.end)
}
