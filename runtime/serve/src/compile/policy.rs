//! The policies that requests set for their schemas.

/// A policy of a schema: it decides how values are written, or how the schema is read.
///
/// ```
/// use ogc_serve::SchemaPolicy;
/// assert_eq!(SchemaPolicy::ALL.map(SchemaPolicy::name)[0], "space");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaPolicy {
    /// The white space between the tokens of JSON.
    Space,
    /// The order of keys.
    Order,
    /// The escapes in strings.
    Escapes,
    /// The spellings of numbers.
    Numbers,
    /// The words for `null`, `true` and `false`.
    Words,
    /// The effect of the keyword `format`.
    Formats,
    /// Keywords that are read as annotations.
    Annotate,
    /// Whether objects have members that their schemas do not name.
    Objects,
}

impl SchemaPolicy {
    /// All policies.
    pub const ALL: [Self; 8] = [
        Self::Space,
        Self::Order,
        Self::Escapes,
        Self::Numbers,
        Self::Words,
        Self::Formats,
        Self::Annotate,
        Self::Objects,
    ];

    /// Returns the policy's name, as in requests and in `ogc.toml`.
    ///
    /// ```
    /// assert_eq!(ogc_serve::SchemaPolicy::Annotate.name(), "annotate");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::Order => "order",
            Self::Escapes => "escapes",
            Self::Numbers => "numbers",
            Self::Words => "words",
            Self::Formats => "formats",
            Self::Annotate => "annotate",
            Self::Objects => "objects",
        }
    }

    /// Returns whether the policy decides how values are written; then it is an argument of `json<T, ...>` in the ogc
    /// language.
    pub(crate) fn is_spelling(self) -> bool {
        match self {
            Self::Space | Self::Order | Self::Escapes | Self::Numbers | Self::Words => true,
            Self::Formats | Self::Annotate | Self::Objects => false,
        }
    }
}
