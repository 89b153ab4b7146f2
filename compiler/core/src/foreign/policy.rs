//! How an `.ogc` file reads the schemas that it imports.

use ogc_schema::keyword::KeywordSet;

use crate::db::{Adjustments, Formats, OtherMembers};

/// The policies for reading an imported schema; what is not set is as the options of its file have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SchemaPolicy {
    /// The effect of the keyword `format`.
    pub formats: Option<Formats>,
    /// The keywords that are read as annotations.
    pub annotate: Option<KeywordSet>,
    /// Whether objects may have members that their schema does not name.
    pub objects: Option<OtherMembers>,
}

impl SchemaPolicy {
    /// Returns these policies, and those of `below` for what is not set.
    pub(crate) fn over(self, below: Self) -> Self {
        Self {
            formats: self.formats.or(below.formats),
            annotate: self.annotate.or(below.annotate),
            objects: self.objects.or(below.objects),
        }
    }

    /// Returns the departures from what the schema says, over those of its options.
    pub(super) fn adjustments(self, below: Adjustments) -> Adjustments {
        Adjustments {
            annotate: self.annotate.unwrap_or(below.annotate),
            objects: self.objects.unwrap_or(below.objects),
        }
    }
}
