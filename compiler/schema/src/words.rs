//! The words for `null`, `true` and `false`.

/// The language whose words stand for `null`, `true` and `false`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Words {
    /// `null`, `true` and `false`.
    #[default]
    Json,
    /// `None`, `True` and `False`.
    Python,
}

impl Words {
    /// Returns the word for `null`.
    ///
    /// ```
    /// assert_eq!(ogc_schema::Words::Python.null(), "None");
    /// ```
    #[must_use]
    pub const fn null(self) -> &'static str {
        match self {
            Self::Json => "null",
            Self::Python => "None",
        }
    }

    /// Returns the word for a truth value.
    ///
    /// ```
    /// use ogc_schema::Words;
    /// assert_eq!((Words::Json.truth(true), Words::Python.truth(false)), ("true", "False"));
    /// ```
    #[must_use]
    pub const fn truth(self, value: bool) -> &'static str {
        match (self, value) {
            (Self::Json, true) => "true",
            (Self::Json, false) => "false",
            (Self::Python, true) => "True",
            (Self::Python, false) => "False",
        }
    }
}
