//! The drafts of JSON Schema, and the keywords that each of them knows.

/// A draft of JSON Schema that this front end reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Draft {
    /// Draft 4: `id`, boolean `exclusiveMinimum`, integers without fraction.
    Draft4,
    /// Draft 6: boolean schemas, `const`, `contains`, `propertyNames`.
    Draft6,
    /// Draft 7: `if`, `then`, `else`.
    Draft7,
    /// Draft 2019-09: siblings of `$ref` count; `unevaluated*`, `dependent*`, `$recursiveRef`.
    Draft2019,
    /// Draft 2020-12: `prefixItems`, `$dynamicRef`.
    #[default]
    Draft2020,
}

impl Draft {
    /// Returns the draft that a `$schema` names, with `http` or `https`, with or without an empty fragment.
    #[must_use]
    pub fn of_uri(uri: &str) -> Option<Draft> {
        let plain = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
        Some(match plain.trim_end_matches('#') {
            "json-schema.org/draft-04/schema" => Draft::Draft4,
            "json-schema.org/draft-06/schema" => Draft::Draft6,
            "json-schema.org/draft-07/schema" => Draft::Draft7,
            "json-schema.org/draft/2019-09/schema" => Draft::Draft2019,
            "json-schema.org/draft/2020-12/schema" | "json-schema.org/schema" => Draft::Draft2020,
            _ => return None,
        })
    }

    /// Returns the name that people use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Draft::Draft4 => "draft 4",
            Draft::Draft6 => "draft 6",
            Draft::Draft7 => "draft 7",
            Draft::Draft2019 => "draft 2019-09",
            Draft::Draft2020 => "draft 2020-12",
        }
    }

    /// Returns whether a `$ref` hides the keywords beside it.
    #[must_use]
    pub fn hides_siblings(self) -> bool {
        self <= Draft::Draft7
    }
}

/// Returns the first and the last draft that know a constraining keyword, if that is not all of them.
pub(super) fn life(keyword: &str) -> Option<(Draft, Draft)> {
    let first = match keyword {
        "const" | "contains" | "propertyNames" => Draft::Draft6,
        "if" | "then" | "else" => Draft::Draft7,
        "dependentRequired" | "dependentSchemas" | "minContains" | "maxContains" => Draft::Draft2019,
        "unevaluatedProperties" | "unevaluatedItems" => Draft::Draft2019,
        "$recursiveRef" => return Some((Draft::Draft2019, Draft::Draft2019)),
        "prefixItems" | "$dynamicRef" => Draft::Draft2020,
        _ => return None,
    };
    Some((first, Draft::Draft2020))
}

/// The kind of a keyword's operand, for code that looks for schemas without reading them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// A schema.
    Schema,
    /// A list of schemas.
    List,
    /// A schema or a list of schemas.
    SchemaOrList,
    /// An object of schemas.
    Map,
    /// No schema.
    Other,
}

/// Returns the kind of a keyword's operand.
pub(super) fn position(keyword: &str) -> Position {
    match keyword {
        "additionalItems"
        | "additionalProperties"
        | "contains"
        | "contentSchema"
        | "if"
        | "then"
        | "else"
        | "not"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Position::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Position::List,
        "items" => Position::SchemaOrList,
        "$defs" | "definitions" | "dependencies" | "dependentSchemas" | "patternProperties" | "properties" => {
            Position::Map
        }
        _ => Position::Other,
    }
}
