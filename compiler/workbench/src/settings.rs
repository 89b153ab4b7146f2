//! Reads `ogc.toml`, the settings of a folder for the formats in it and below it.
//!
//! ```toml
//! [lints]
//! stray-doc = "deny"          # "allow", "warn" or "deny"
//!
//! [build]
//! vocab = "tokenizer.json"    # relative to this file; or "o200k"
//! out = "artifacts"
//!
//! [policy]                    # defaults of the flags of these names
//! space = "compact"
//! order = "any"
//!
//! [resources]                 # files of schemas that references name by URI
//! "https://example.com/a.json" = "vendor/a.json"
//! "https://example.com/" = "vendor"
//! index = "vendor/index.json"
//! ```
//!
//! [`table`] lists all valid tables, keys and values; the reader, completion and help all use that list. Paths stay as
//! they are written, because only the caller knows the file's folder.

mod read;
pub mod table;

use ogc_compiler::db::{
    Adjustments, Db, Formats, JsonPolicy, Limits, Options, OtherMembers, Resources, Space, Spelling, Words, beside,
};
use ogc_lint::findings::Levels;
use ogc_runtime::automaton::{Escapes, KeyOrder};
use ogc_schema::keyword::KeywordSet;

pub use read::read;
use table::{ESCAPES, FORMATS, NUMBERS, OBJECTS, ORDERS, PolicyKey, SPACES, WORDS, annotated, one_of};

/// The name of the settings file.
pub const NAME: &str = "ogc.toml";

/// The settings of one `ogc.toml`, or the defaults if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The levels of findings.
    pub levels: Levels,
    /// The vocabulary to build for: a path, or the name of the built-in one.
    pub vocab: Option<String>,
    /// The tokens that end a text, by name or as `#123`; empty for those that the vocabulary itself names.
    pub end: Vec<String>,
    /// The folder for artifacts, as a path.
    pub out: Option<String>,
    /// The default policies.
    pub policy: Policy,
    /// The files of schemas, in the order of the file.
    pub resources: Vec<ResourcePlace>,
}

/// The place of schemas with URIs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourcePlace {
    /// The URI of a schema and the path of its file; for a URI that ends in `/`, the folder of all URIs with that
    /// prefix.
    Uri(String, String),
    /// The path of an index: a JSON object from URI to path.
    Index(String),
}

impl Settings {
    /// Returns the places of schemas, with paths relative to the settings file `name`.
    #[must_use]
    pub fn places(&self, name: &str) -> Resources {
        let mut places = Resources::default();
        for place in &self.resources {
            match place {
                ResourcePlace::Uri(uri, path) => places.add(uri, &beside(name, path)),
                ResourcePlace::Index(path) => places.add_index(&beside(name, path)),
            }
        }
        places
    }
}

/// The default policies for JSON values; an unset policy is as for imports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// The white space between the tokens of JSON.
    pub space: Option<Space>,
    /// The order of keys.
    pub order: Option<KeyOrder>,
    /// The escapes in strings.
    pub escapes: Option<Escapes>,
    /// The spellings of numbers.
    pub numbers: Option<Spelling>,
    /// The words for `null`, `true` and `false`.
    pub words: Option<Words>,
    /// The effect of the keyword `format`.
    pub formats: Option<Formats>,
    /// The keywords that are read as annotations.
    pub annotate: Option<KeywordSet>,
    /// Whether objects may have members that their schema does not name.
    pub objects: Option<OtherMembers>,
}

impl Policy {
    /// Returns these policies, completed by those of `below` where they are unset.
    #[must_use]
    pub fn over(self, below: Policy) -> Policy {
        Policy {
            space: self.space.or(below.space),
            order: self.order.or(below.order),
            escapes: self.escapes.or(below.escapes),
            numbers: self.numbers.or(below.numbers),
            words: self.words.or(below.words),
            formats: self.formats.or(below.formats),
            annotate: self.annotate.or(below.annotate),
            objects: self.objects.or(below.objects),
        }
    }

    /// Sets a policy to the value called `value`, or [`annotate`](PolicyKey::Annotate) to a list of keywords.
    ///
    /// # Errors
    /// The policy has no such value; the message lists the valid ones.
    ///
    /// ```
    /// use ogc_workbench::settings::{Policy, table::PolicyKey};
    /// let mut policy = Policy::default();
    /// policy.set(PolicyKey::Order, "any")?;
    /// assert!(policy.order.is_some());
    /// assert_eq!(policy.set(PolicyKey::Objects, "shut"), Err("expected one of \"open\", \"closed\"".to_owned()));
    /// # Ok::<(), String>(())
    /// ```
    pub fn set(&mut self, key: PolicyKey, value: &str) -> Result<(), String> {
        match key {
            PolicyKey::Space => self.space = Some(one_of(&SPACES, value)?),
            PolicyKey::Order => self.order = Some(one_of(&ORDERS, value)?),
            PolicyKey::Escapes => self.escapes = Some(one_of(&ESCAPES, value)?),
            PolicyKey::Numbers => self.numbers = Some(one_of(&NUMBERS, value)?),
            PolicyKey::Words => self.words = Some(one_of(&WORDS, value)?),
            PolicyKey::Formats => self.formats = Some(one_of(&FORMATS, value)?),
            PolicyKey::Annotate => self.annotate = Some(annotated(value)?),
            PolicyKey::Objects => self.objects = Some(one_of(&OBJECTS, value)?),
        }
        Ok(())
    }

    /// Returns whether no policy is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the policy for writing values. Unless they are set, escapes are canonical beside Python's words: Python
    /// reads others in another way.
    ///
    /// ```
    /// use ogc_workbench::settings::{Policy, table::PolicyKey};
    /// let mut policy = Policy::default();
    /// policy.set(PolicyKey::Words, "python")?;
    /// assert!(policy.json().to_string().contains("escapes canonical"));
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn json(&self) -> JsonPolicy {
        let mut usual = JsonPolicy::default();
        if self.words == Some(Words::Python) {
            usual.escapes = Escapes::Canonical;
        }
        JsonPolicy {
            space: self.space.unwrap_or(usual.space),
            order: self.order.unwrap_or(usual.order),
            escapes: self.escapes.unwrap_or(usual.escapes),
            spelling: self.numbers.unwrap_or(usual.spelling),
            words: self.words.unwrap_or(usual.words),
        }
    }

    /// Returns the adjustments to the meaning of schemas.
    #[must_use]
    pub fn adjustments(&self) -> Adjustments {
        Adjustments { annotate: self.annotate.unwrap_or_default(), objects: self.objects.unwrap_or_default() }
    }

    /// Makes the options of a database.
    pub fn options(&self, db: &dyn Db, limits: Limits, resources: Resources) -> Options {
        let options = Options::builder(self.json(), self.formats(), limits).adjustments(self.adjustments());
        options.resources(resources).new(db)
    }

    /// Returns the effect of the keyword `format`.
    #[must_use]
    pub fn formats(&self) -> Formats {
        self.formats.unwrap_or_default()
    }
}
