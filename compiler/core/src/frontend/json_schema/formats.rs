//! `format`: which names the standard defines, and how `ogc_regular::format` enforces them.

/// What is known of a format's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Enforced.
    Enforced,
    /// Enforced by a smaller language, because the standard's is not regular or too large
    /// (`ogc_regular::format` says by what it is smaller).
    Narrowed,
    /// Defined by no draft.
    Not,
}

/// What is known of `name`.
///
/// The drafts leave the set of formats open, and schemas of older drafts use `uuid` and `duration` as the later ones
/// define them; so every draft gets the formats of all.
pub(super) fn known(name: &str) -> Known {
    match ogc_regular::format::left_out(name) {
        // Of draft 3, which is not read.
        _ if name == "ip-address" => Known::Not,
        Some(None) => Known::Enforced,
        Some(Some(_)) => Known::Narrowed,
        None => Known::Not,
    }
}

/// Texts in base 64 with padding (RFC 4648, section 4), the unused bits zero.
pub(crate) const BASE64: &str = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";

#[cfg(test)]
mod tests {
    use super::{Known, known};

    #[test]
    fn every_enforced_format_has_a_language() {
        let names: Vec<_> = ogc_regular::format::names().collect();
        assert_eq!(known("ip-address"), Known::Not);
        assert_eq!(known("hostname"), Known::Narrowed);
        assert_eq!(known("uuid"), Known::Enforced);
        let defined = "date date-time email hostname ipv4 ipv6 time uri json-pointer uri-reference uri-template iri \
            iri-reference relative-json-pointer duration uuid regex idn-email idn-hostname";
        for name in defined.split_whitespace() {
            assert!(matches!(known(name), Known::Enforced | Known::Narrowed), "{name}");
            assert!(names.contains(&name), "{name}");
        }
    }
}
