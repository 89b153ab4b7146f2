//! The names of `format` that the standard defines, and how `ogc_regular::format` enforces them.

use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::format::LeftOut;

use super::by_name::Draft;

/// The support for a format's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Enforced.
    Enforced,
    /// Enforced by a smaller language, because the standard's language is not regular or too large
    /// (`ogc_regular::format` says what is left out).
    Narrowed(LeftOut),
    /// Defined by later drafts only; this is the first of them.
    Since(Draft),
    /// Defined by no draft.
    Not,
}

/// Returns the first draft that defines a format; `None` if none does.
///
/// `date`, `time` and `regex` are from draft 3. Drafts 4 and 6 do not repeat them, yet validators of those drafts know
/// them. `ip-address` is in draft 3 alone, which is not supported.
fn since(name: &str) -> Option<Draft> {
    Some(match name {
        "date" | "date-time" | "email" | "hostname" | "ipv4" | "ipv6" | "regex" | "time" | "uri" => Draft::Draft4,
        "json-pointer" | "uri-reference" | "uri-template" => Draft::Draft6,
        "idn-email" | "idn-hostname" | "iri" | "iri-reference" | "relative-json-pointer" => Draft::Draft7,
        "duration" | "uuid" => Draft::Draft2019,
        _ => return None,
    })
}

/// Looks up a format's name in a draft.
pub(super) fn known(name: &str, draft: Draft) -> Known {
    let (Some(first), Some(left_out)) = (since(name), ogc_regular::format::left_out(name)) else { return Known::Not };
    match left_out {
        _ if first > draft => Known::Since(first),
        None => Known::Enforced,
        Some(left_out) => Known::Narrowed(left_out),
    }
}

/// Returns the finding about a format whose enforced language leaves out strings of its standard.
pub fn narrowed(name: &str, left_out: LeftOut, span: Span) -> Diagnostic {
    let message = format!("the format `{name}` is enforced without {}", left_out.what);
    let found = if left_out.rare {
        Diagnostic::note(Code::NarrowedFormat, span, message)
    } else {
        Diagnostic::warning(Code::NarrowedFormat, span, message)
    };
    found.help("write a pattern where these strings are needed")
}

/// Pattern of padded base64 texts (RFC 4648, section 4) whose unused bits are zero.
pub(crate) const BASE64: &str = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";

#[cfg(test)]
mod tests {
    use super::{Draft, Known};

    fn known(name: &str) -> Known {
        super::known(name, Draft::Draft2020)
    }

    #[test]
    fn a_format_is_enforced_only_since_the_draft_that_defines_it() {
        assert_eq!(super::known("uuid", Draft::Draft7), Known::Since(Draft::Draft2019));
        assert_eq!(super::known("uuid", Draft::Draft2019), Known::Enforced);
        assert_eq!(super::known("iri", Draft::Draft6), Known::Since(Draft::Draft7));
        assert_eq!(super::known("json-pointer", Draft::Draft4), Known::Since(Draft::Draft6));
        assert_eq!(super::known("date", Draft::Draft4), Known::Enforced);
        assert_eq!(super::known("phone", Draft::Draft4), Known::Not);
    }

    #[test]
    fn every_enforced_format_has_a_language() {
        let names: Vec<_> = ogc_regular::format::names().collect();
        assert_eq!(known("ip-address"), Known::Not);
        assert!(matches!(known("idn-hostname"), Known::Narrowed(left_out) if !left_out.rare));
        assert_eq!(known("uuid"), Known::Enforced);
        let defined = "date date-time email hostname ipv4 ipv6 time uri json-pointer uri-reference uri-template iri \
            iri-reference relative-json-pointer duration uuid regex idn-email idn-hostname";
        for name in defined.split_whitespace() {
            assert!(matches!(known(name), Known::Enforced | Known::Narrowed(_)), "{name}");
            assert!(names.contains(&name), "{name}");
        }
    }

    #[test]
    fn every_language_has_the_draft_that_defines_it() {
        let undefined = ogc_regular::format::names().filter(|name| super::since(name).is_none());
        assert_eq!(undefined.collect::<Vec<_>>(), ["ip-address"]);
    }
}
