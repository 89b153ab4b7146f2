//! The keywords of JSON Schema in one table: a [`Keyword`] for each, with the facts that readers, writers, lints and
//! editors need.
//!
//! A new keyword is a new line of the table. Code that implements its meaning (reading, exports) matches on [`Keyword`]
//! exhaustively, so the Rust compiler lists the places to extend.

mod draft;
mod set;
mod table;

pub use draft::{Draft, Life};
pub use set::KeywordSet;
pub use table::Keyword;

/// The vocabulary of draft 2020-12 that a keyword belongs to (JSON Schema Core 8, 10 and 11; Validation 6 to 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// Identifiers, references and definitions.
    Core,
    /// Schemas that apply to the value or to its parts.
    Applicator,
    /// Schemas that apply to the parts that no other keyword has evaluated.
    Unevaluated,
    /// Assertions about the value.
    Validation,
    /// `format`.
    Format,
    /// Annotations for people and tools: titles, descriptions, defaults.
    MetaData,
    /// Encoding, media type and schema of the content of a string.
    Content,
}

/// The kind of a keyword's operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A schema.
    Schema,
    /// A list of schemas.
    Schemas,
    /// A schema, or in older drafts a list of them.
    Items,
    /// Schemas by name.
    Map,
    /// A name of a type, or several.
    Types,
    /// The name of a format.
    Format,
    /// A reference.
    Reference,
    /// Names of properties.
    Names,
    /// For each of some names, a list of names of properties.
    NamesMap,
    /// Any value.
    Value,
    /// A list of values.
    Values,
    /// A number.
    Number,
    /// A string.
    String,
    /// `true` or `false`.
    Bool,
}

impl Operand {
    /// Returns whether the operand contains schemas.
    ///
    /// ```
    /// # use ogc_schema::keyword::Keyword;
    /// assert!(Keyword::AnyOf.operand().holds_schemas());
    /// assert!(!Keyword::Enum.operand().holds_schemas());
    /// ```
    #[must_use]
    pub fn holds_schemas(self) -> bool {
        matches!(self, Operand::Schema | Operand::Schemas | Operand::Items | Operand::Map)
    }
}

/// The values that a keyword constrains; it ignores all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Values of all types.
    Any,
    /// Strings.
    Strings,
    /// Numbers, integers among them.
    Numbers,
    /// Arrays.
    Arrays,
    /// Objects.
    Objects,
}

/// Support for a keyword in other engines for structured output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// Most engines support it, or it constrains nothing.
    Known,
    /// Hosted APIs and the common grammar engines ignore or reject it.
    Ignored,
}

impl Keyword {
    /// Returns whether the keyword can reject a value. `$ref` itself cannot; the keywords of its target can.
    ///
    /// ```
    /// # use ogc_schema::keyword::Keyword;
    /// assert!(Keyword::MinLength.constrains());
    /// assert!(!Keyword::Title.constrains());
    /// ```
    #[must_use]
    pub fn constrains(self) -> bool {
        match self.vocabulary() {
            Vocabulary::Applicator | Vocabulary::Unevaluated | Vocabulary::Validation | Vocabulary::Format => true,
            Vocabulary::Core => matches!(self, Keyword::DynamicRef | Keyword::RecursiveRef),
            Vocabulary::MetaData | Vocabulary::Content => false,
        }
    }

    /// Returns whether the keyword belongs to the validation vocabulary, which a dialect may lack.
    ///
    /// ```
    /// # use ogc_schema::keyword::Keyword;
    /// assert!(Keyword::Required.is_assertion());
    /// assert!(!Keyword::Properties.is_assertion());
    /// ```
    #[must_use]
    pub fn is_assertion(self) -> bool {
        self.vocabulary() == Vocabulary::Validation
    }

    /// Returns whether the keyword is an annotation: it describes the value, or the schema itself, and constrains
    /// nothing.
    ///
    /// ```
    /// # use ogc_schema::keyword::Keyword;
    /// assert!(Keyword::Comment.is_annotation());
    /// assert!(!Keyword::Id.is_annotation());
    /// ```
    #[must_use]
    pub fn is_annotation(self) -> bool {
        match self.vocabulary() {
            Vocabulary::MetaData | Vocabulary::Content => true,
            Vocabulary::Core => matches!(self, Keyword::Comment | Keyword::Vocabulary | Keyword::RecursiveAnchor),
            Vocabulary::Applicator | Vocabulary::Unevaluated | Vocabulary::Validation | Vocabulary::Format => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Keyword, Life, Subject, Vocabulary};

    #[test]
    fn every_keyword_is_found_by_its_name() {
        for &keyword in Keyword::ALL {
            assert_eq!(Keyword::of_name(keyword.name()), Some(keyword));
            assert!(keyword.doc().ends_with('.'), "{keyword:?}");
        }
        assert_eq!(Keyword::of_name("minlength"), None);
    }

    #[test]
    fn columns_of_the_keyword_table_are_consistent() {
        for &keyword in Keyword::ALL {
            assert!(!(keyword.constrains() && keyword.is_annotation()), "{keyword:?}");
            assert!(!keyword.doc().contains("It constrains nothing") || keyword.is_annotation(), "{keyword:?}");
            if keyword.subject() != Subject::Any && keyword.life() == Life::Always {
                assert_ne!(keyword.vocabulary(), Vocabulary::Core, "{keyword:?}");
            }
        }
    }
}
