//! Settings by which an `.ogc` file reads the schemas that it imports.

use ogc_schema::keyword::KeywordSet;

use crate::db::{Adjustments, Formats, OtherMembers};

/// The policies for reading an imported schema; for an unset policy, the options of the schema's file count.
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
    /// Returns these policies, completed by those of `below` where they are unset.
    pub(crate) fn over(self, below: Self) -> Self {
        Self {
            formats: self.formats.or(below.formats),
            annotate: self.annotate.or(below.annotate),
            objects: self.objects.or(below.objects),
        }
    }

    /// Returns the adjustments of the schema: these policies, and those of `below` where they are unset.
    pub(super) fn adjustments(self, below: Adjustments) -> Adjustments {
        Adjustments {
            annotate: self.annotate.unwrap_or(below.annotate),
            objects: self.objects.unwrap_or(below.objects),
        }
    }
}
