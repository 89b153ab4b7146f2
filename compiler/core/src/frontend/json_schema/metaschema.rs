//! The meta-schemas of the drafts, so that schemas of schemas need no files. The texts are by the JSON Schema
//! organisation, under the BSD licence or AFL 3.0.

/// A meta-schema, or one of its vocabularies: the URI without fragment, and the text.
pub(super) struct Metaschema {
    pub(super) uri: &'static str,
    pub(super) text: &'static str,
}

/// All meta-schemas.
pub(super) static ALL: [Metaschema; 19] = [
    Metaschema { uri: "http://json-schema.org/draft-04/schema", text: include_str!("metaschema/draft4.json") },
    Metaschema { uri: "http://json-schema.org/draft-06/schema", text: include_str!("metaschema/draft6.json") },
    Metaschema { uri: "http://json-schema.org/draft-07/schema", text: include_str!("metaschema/draft7.json") },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/schema",
        text: include_str!("metaschema/draft2019-09/schema.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/core",
        text: include_str!("metaschema/draft2019-09/meta/core.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/applicator",
        text: include_str!("metaschema/draft2019-09/meta/applicator.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/validation",
        text: include_str!("metaschema/draft2019-09/meta/validation.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/meta-data",
        text: include_str!("metaschema/draft2019-09/meta/meta-data.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/format",
        text: include_str!("metaschema/draft2019-09/meta/format.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/content",
        text: include_str!("metaschema/draft2019-09/meta/content.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/schema",
        text: include_str!("metaschema/draft2020-12/schema.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/core",
        text: include_str!("metaschema/draft2020-12/meta/core.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/applicator",
        text: include_str!("metaschema/draft2020-12/meta/applicator.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/unevaluated",
        text: include_str!("metaschema/draft2020-12/meta/unevaluated.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/validation",
        text: include_str!("metaschema/draft2020-12/meta/validation.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/meta-data",
        text: include_str!("metaschema/draft2020-12/meta/meta-data.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/format-annotation",
        text: include_str!("metaschema/draft2020-12/meta/format-annotation.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/format-assertion",
        text: include_str!("metaschema/draft2020-12/meta/format-assertion.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/content",
        text: include_str!("metaschema/draft2020-12/meta/content.json"),
    },
];

/// Returns the index of the meta-schema with this URI (without fragment, `http` or `https`); `json-schema.org/schema`
/// is the newest.
pub(super) fn position(uri: &str) -> Option<usize> {
    let wanted = match without_scheme(uri)? {
        "json-schema.org/schema" => "json-schema.org/draft/2020-12/schema",
        wanted => wanted,
    };
    ALL.iter().position(|known| without_scheme(known.uri) == Some(wanted))
}

fn without_scheme(uri: &str) -> Option<&str> {
    uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))
}

/// Returns whether a text refers to a meta-schema with dynamic references, other than by its `$schema`.
pub(super) fn is_referred_to(text: &str) -> bool {
    text.match_indices("json-schema.org/").any(|(at, _)| {
        let is_dynamic =
            ["draft/20", "schema"].iter().any(|rest| text[at + "json-schema.org/".len()..].starts_with(rest));
        let before = text[..at].trim_end_matches("//").trim_end_matches(':');
        let before = before.trim_end_matches("https").trim_end_matches("http").trim_end_matches('"');
        let before = before.trim_end().trim_end_matches(':').trim_end();
        is_dynamic && !before.ends_with("\"$schema\"")
    })
}

#[cfg(test)]
mod tests {
    use super::{ALL, is_referred_to, position};

    #[test]
    fn each_metaschema_is_found_by_its_own_id() {
        for (index, known) in ALL.iter().enumerate() {
            let value: serde_json::Value = serde_json::from_str(known.text).expect("JSON");
            let id = value.get("$id").or(value.get("id")).and_then(|id| id.as_str()).expect("an id");
            assert_eq!(id.trim_end_matches('#'), known.uri);
            assert_eq!(position(known.uri), Some(index));
        }
        assert_eq!(position("https://json-schema.org/draft-07/schema"), Some(2));
        assert_eq!(position("http://json-schema.org/draft-03/schema"), None);
    }

    #[test]
    fn the_schema_keyword_does_not_refer_to_a_metaschema() {
        assert!(!is_referred_to(r#"{"$schema" : "https://json-schema.org/draft/2020-12/schema"}"#));
        assert!(is_referred_to(r#"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"#));
        assert!(!is_referred_to(r#"{"$ref": "http://json-schema.org/draft-07/schema#"}"#));
    }
}
