//! The drafts of JSON Schema.

/// A supported draft of JSON Schema.
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
    /// All drafts, newest first.
    pub const ALL: [Draft; 5] = [Draft::Draft2020, Draft::Draft2019, Draft::Draft7, Draft::Draft6, Draft::Draft4];

    /// Returns the draft that a `$schema` names, with `http` or `https`, with or without an empty fragment.
    ///
    /// ```
    /// # use ogc_schema::keyword::Draft;
    /// assert_eq!(Draft::of_uri("http://json-schema.org/draft-07/schema#"), Some(Draft::Draft7));
    /// ```
    #[must_use]
    pub fn of_uri(uri: &str) -> Option<Draft> {
        let plain = |uri: &str| {
            let rest = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
            Some(rest.trim_end_matches('#').to_owned())
        };
        let wanted = plain(uri)?;
        if wanted == "json-schema.org/schema" {
            return Some(Draft::Draft2020);
        }
        Draft::ALL.into_iter().find(|draft| plain(draft.uri()).as_deref() == Some(&wanted))
    }

    /// Returns the URI of the draft, for `$schema`.
    #[must_use]
    pub fn uri(self) -> &'static str {
        match self {
            Draft::Draft4 => "http://json-schema.org/draft-04/schema#",
            Draft::Draft6 => "http://json-schema.org/draft-06/schema#",
            Draft::Draft7 => "http://json-schema.org/draft-07/schema#",
            Draft::Draft2019 => "https://json-schema.org/draft/2019-09/schema",
            Draft::Draft2020 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// Returns the usual name of the draft.
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

    /// Returns whether a `$ref` hides the keywords next to it.
    #[must_use]
    pub fn hides_siblings(self) -> bool {
        self <= Draft::Draft7
    }
}

/// The drafts in which a keyword is read. Many replaced keywords are read in all drafts, as they are still widely used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// All drafts.
    Always,
    /// This draft and later ones.
    Since(Draft),
    /// Only this draft.
    Only(Draft),
}

impl Life {
    /// Returns whether the keyword is read in a draft.
    #[must_use]
    pub fn has(self, draft: Draft) -> bool {
        match self {
            Life::Always => true,
            Life::Since(first) => first <= draft,
            Life::Only(only) => only == draft,
        }
    }

    /// Returns the first draft in which the keyword is read; `None` if it is read in all.
    #[must_use]
    pub fn first(self) -> Option<Draft> {
        match self {
            Life::Always => None,
            Life::Since(first) | Life::Only(first) => Some(first),
        }
    }
}
