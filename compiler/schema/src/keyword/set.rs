//! Sets of keywords.

use super::{Keyword, Vocabulary};

/// A set of keywords.
///
/// ```
/// use ogc_schema::keyword::{Keyword, KeywordSet};
/// let set = KeywordSet::default().with(Keyword::UniqueItems);
/// assert!(set.has(Keyword::UniqueItems) && !set.has(Keyword::MinItems));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeywordSet(u128);

// A bit for each keyword.
const _: () = assert!(Keyword::ALL.len() <= u128::BITS as usize);

impl KeywordSet {
    /// No keyword.
    pub const EMPTY: Self = Self(0);

    /// Returns the set with a keyword.
    #[must_use]
    pub fn with(self, keyword: Keyword) -> Self {
        Self(self.0 | 1 << keyword as u32)
    }

    /// Returns whether the keyword is in the set.
    #[must_use]
    pub fn has(self, keyword: Keyword) -> bool {
        self.0 & 1 << keyword as u32 != 0
    }
}

impl Keyword {
    /// Returns whether users may choose to read the keyword as an annotation. Ignoring such a keyword makes its schema
    /// accept more values (inside of `not`, fewer). That is not so for `properties`, `items` and similar keywords:
    /// other keywords constrain everything that these do not name, and would then reject more.
    ///
    /// ```
    /// # use ogc_schema::keyword::Keyword;
    /// assert!(Keyword::UniqueItems.can_be_annotation());
    /// assert!(!Keyword::Properties.can_be_annotation() && !Keyword::Ref.can_be_annotation());
    /// ```
    #[must_use]
    pub fn can_be_annotation(self) -> bool {
        let names_parts =
            matches!(self, Keyword::Properties | Keyword::PatternProperties | Keyword::Items | Keyword::PrefixItems);
        self.constrains() && !names_parts && self.vocabulary() != Vocabulary::Core
    }
}
