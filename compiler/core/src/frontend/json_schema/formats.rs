//! `format`: which names each draft defines, and which of them are regular languages.

use super::draft::Draft;

/// What a draft says of a format's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// A regular language: enforced.
    Regular,
    /// Defined, but not a regular language.
    Irregular,
    /// Defined by a later draft only.
    Later(Draft),
    /// Defined by no draft.
    Not,
}

/// What `draft` says of `name`.
pub(super) fn known(draft: Draft, name: &str) -> Known {
    let first = match name {
        "date" | "date-time" | "email" | "hostname" | "ipv4" | "ipv6" | "time" | "uri" => Draft::Draft4,
        "json-pointer" | "uri-reference" | "uri-template" => Draft::Draft6,
        "iri" | "iri-reference" | "relative-json-pointer" => Draft::Draft7,
        "duration" | "uuid" => Draft::Draft2019,
        "regex" => return Known::Irregular,
        "idn-email" | "idn-hostname" if draft >= Draft::Draft7 => return Known::Irregular,
        "idn-email" | "idn-hostname" => return Known::Later(Draft::Draft7),
        _ => return Known::Not,
    };
    if draft >= first { Known::Regular } else { Known::Later(first) }
}

/// Texts in base 64 with padding (RFC 4648, section 4), the unused bits zero.
pub(super) const BASE64: &str =
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";
