//! Options for reading a schema.

use super::by_name::Draft;
use ogc_grammar::{json, nearest};
use ogc_schema::keyword::{Keyword, KeywordSet};

/// Options of [`read`](super::read).
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The draft of a schema with a missing or unknown `$schema`.
    pub default_draft: Draft,
    /// Remote schemas: the URI that references use, and the text. Nothing is ever downloaded.
    pub resources: Vec<(String, String)>,
    /// The URI of the text itself, against which its references are resolved; may be empty.
    pub base_uri: String,
    /// Name of the definition to read instead of the whole, if the text has it.
    pub root: Option<String>,
    /// Whether to report the fate of each keyword. Costs time.
    pub report: bool,
    /// Whether to read every definition of the root, reached or not, and to keep the annotations of every schema.
    /// Importers by name and displays need them. Definitions that nothing reaches have nodes after all others, and
    /// findings of their own.
    pub definitions: bool,
    /// The effect of `format`.
    pub formats: Formats,
    /// Adjustments to the meaning of the schema.
    pub adjustments: Adjustments,
    /// The limits of reading.
    pub limits: Limits,
}

/// The effect of `format` and the content keywords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Formats {
    /// The formats of the schema's draft constrain. A known format that cannot be enforced is an error.
    #[default]
    Assert,
    /// The formats of any draft constrain, whatever the schema's draft is.
    All,
    /// As [`Assert`](Self::Assert), but formats with a [practical form](ogc_regular::format::practical) allow that form
    /// alone.
    Practical,
    /// As [`Formats::Assert`], but a format that cannot be enforced exactly allows a larger language, where one is
    /// known: it contains all strings of the standard, and some more.
    Wide,
    /// Formats are annotations.
    Annotate,
}

impl Formats {
    /// All effects.
    pub const ALL: [Self; 5] = [Self::Assert, Self::All, Self::Practical, Self::Wide, Self::Annotate];

    /// Returns the name in settings.
    ///
    /// ```
    /// assert_eq!(ogc_compiler::frontend::json_schema::Formats::Wide.name(), "wide");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assert => "assert",
            Self::All => "all",
            Self::Practical => "practical",
            Self::Wide => "wide",
            Self::Annotate => "annotate",
        }
    }
}

/// Adjustments to the meaning of a schema, requested by the user.
///
/// ```
/// use ogc_compiler::frontend::json_schema::{Adjustments, ReadOptions, read};
/// use ogc_schema::keyword::{Keyword, KeywordSet};
/// let annotate = KeywordSet::default().with(Keyword::UniqueItems);
/// let adjustments = Adjustments { annotate, ..Adjustments::default() };
/// let imported = read(r#"{"uniqueItems": true}"#, &ReadOptions { adjustments, ..ReadOptions::default() });
/// assert_eq!(imported.diagnostics[0].code.name(), "weakened-keyword");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Adjustments {
    /// Keywords that are read as annotations, so that the format is weaker than the schema. A warning names each use of
    /// them.
    pub annotate: KeywordSet,
    /// The members that objects may have beside those that the schema names.
    pub objects: OtherMembers,
}

/// Reads names of keywords, separated by commas.
///
/// # Errors
/// A name is no keyword, or the keyword cannot be read as an annotation.
///
/// ```
/// use ogc_schema::keyword::Keyword;
/// use ogc_compiler::db::annotated;
/// let set = annotated("uniqueItems, minProperties")?;
/// assert!(set.has(Keyword::UniqueItems) && set.has(Keyword::MinProperties));
/// assert_eq!(annotated("uniqueItem"), Err("`uniqueItem` is no keyword of JSON Schema: did you mean `uniqueItems`?".to_owned()));
/// # Ok::<(), String>(())
/// ```
pub fn annotated(names: &str) -> Result<KeywordSet, String> {
    names.split(',').map(str::trim).try_fold(KeywordSet::default(), |set, name| match Keyword::of_name(name) {
        Some(keyword) if keyword.can_be_annotation() => Ok(set.with(keyword)),
        Some(_) => Err(format!(
            "`{name}` cannot be read as an annotation: it refuses nothing by itself, or neighbours would refuse more without it"
        )),
        None => {
            let near = nearest(name, Keyword::ALL.iter().map(|keyword| keyword.name()));
            let guess = near.map_or(String::new(), |near| format!(": did you mean `{near}`?"));
            Err(format!("`{name}` is no keyword of JSON Schema{guess}"))
        }
    })
}

/// The members that objects may have beside those that the schema names, if the schema does not mention others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OtherMembers {
    /// Any, as the standard has it.
    #[default]
    Open,
    /// None: an object whose schema has `properties` is closed, as by `unevaluatedProperties: false`, unless
    /// `additionalProperties` or `unevaluatedProperties` says otherwise.
    Closed,
}

impl OtherMembers {
    /// All variants.
    pub const ALL: [Self; 2] = [Self::Open, Self::Closed];

    /// Returns the name in settings.
    ///
    /// ```
    /// assert_eq!(ogc_compiler::frontend::json_schema::OtherMembers::Closed.name(), "closed");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

/// Limits of reading a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum nesting depth of the JSON text.
    pub depth: u32,
    /// Maximum length of a text, in bytes.
    pub bytes: usize,
    /// Maximum number of schemas that the root may reach.
    pub schemas: usize,
    /// Maximum number of arms into which one `unevaluated` keyword is rewritten.
    pub unevaluated_arms: usize,
}

impl Default for Limits {
    /// Returns 256 levels, 32 MiB, a million schemas, 64 arms.
    fn default() -> Limits {
        Limits { depth: 256, bytes: 32 << 20, schemas: 1_000_000, unevaluated_arms: 64 }
    }
}

impl Limits {
    pub(crate) fn json(self) -> json::Limits {
        json::Limits { depth: self.depth, bytes: self.bytes, ..json::Limits::default() }
    }
}
