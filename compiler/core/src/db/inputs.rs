//! The inputs that queries read. Whoever owns the database sets them.

#![allow(missing_docs, reason = "the getters, setters and constructors of inputs are generated without documentation")]

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_runtime::mask::MaskStore;

use super::{Adjustments, Db, Formats, JsonPolicy, Language, Limits, Resources, SpecialTokens};

/// How formats are compiled: one for all files of a build, normally.
#[salsa::input(debug)]
pub struct Options {
    /// White space, key order, escapes and numbers of JSON values.
    #[returns(copy)]
    pub json: JsonPolicy,
    /// What the keyword `format` does.
    #[returns(copy)]
    pub formats: Formats,
    /// What a compilation may cost.
    #[returns(copy)]
    pub limits: Limits,
    /// Departures from what schemas say; none, unless set.
    #[default]
    #[returns(copy)]
    pub adjustments: Adjustments,
    /// The definition of a schema's text that is meant by the whole.
    #[default]
    #[returns(ref)]
    pub definition: Option<String>,
    /// The files of schemas that have URIs.
    #[default]
    #[returns(ref)]
    pub resources: Resources,
    /// The special tokens that the texts of structural tags may name; `None` if no vocabulary is known.
    #[default]
    #[returns(ref)]
    pub special_tokens: Option<Arc<SpecialTokens>>,
}

impl Options {
    /// Makes the same options in another database.
    pub fn copied(self, from: &dyn Db, to: &dyn Db) -> Self {
        Self::builder(self.json(from), self.formats(from), self.limits(from))
            .adjustments(self.adjustments(from))
            .definition(self.definition(from).clone())
            .resources(self.resources(from).clone())
            .special_tokens(self.special_tokens(from).clone())
            .new(to)
    }
}

/// The text of one format.
#[salsa::input(debug)]
pub struct SourceFile {
    /// For people: the source map of an artifact says it.
    #[returns(deref)]
    pub name: String,
    /// What it says.
    #[returns(deref)]
    pub text: String,
    /// How to read it.
    #[returns(copy)]
    pub language: Language,
    /// How to compile it.
    #[returns(copy)]
    pub options: Options,
    /// Files that belong to this one: its imports name them before those of the workspace.
    #[default]
    #[returns(ref)]
    pub own: BTreeMap<String, SourceFile>,
}

/// The files that imports can name.
#[salsa::input(singleton, debug)]
pub struct Workspace {
    /// By name: a path relative to one root, with `/`.
    #[returns(ref)]
    pub files: BTreeMap<String, SourceFile>,
}

/// A vocabulary that masks are built for.
#[salsa::input]
pub struct VocabularyInput {
    /// The vocabulary's content hash.
    #[returns(copy)]
    pub fingerprint: [u8; 32],
    /// The vocabulary, its trie, and the rows known so far.
    #[returns(clone)]
    pub store: Arc<MaskStore>,
}

impl VocabularyInput {
    /// The vocabulary of a store.
    pub fn of(db: &dyn Db, store: Arc<MaskStore>) -> Self {
        Self::new(db, store.vocabulary().fingerprint(), store)
    }
}
