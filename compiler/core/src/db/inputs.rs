//! The inputs that queries read. The owner of the database sets them.

#![allow(missing_docs, reason = "the getters, setters and constructors of inputs are generated without documentation")]

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_runtime::mask::MaskStore;

use super::{Adjustments, Db, Formats, JsonPolicy, Language, Limits, Resources, SpecialTokens};

/// Options for compiling formats; normally one value for all files of a build.
#[salsa::input(debug)]
pub struct Options {
    /// White space, key order, escapes and numbers of JSON values.
    #[returns(copy)]
    pub json: JsonPolicy,
    /// The effect of the keyword `format`.
    #[returns(copy)]
    pub formats: Formats,
    /// The budget of a compilation, and the limits of its steps.
    #[returns(copy)]
    pub limits: Limits,
    /// Adjustments to the meaning of schemas; none by default.
    #[default]
    #[returns(copy)]
    pub adjustments: Adjustments,
    /// The definition to compile instead of the whole schema or grammar.
    #[default]
    #[returns(ref)]
    pub definition: Option<String>,
    /// The files that hold the schemas of known URIs.
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
    /// The file's name, for people; the source map of an artifact repeats it.
    #[returns(deref)]
    pub name: String,
    /// The text itself.
    #[returns(deref)]
    pub text: String,
    /// The language that the text is in.
    #[returns(copy)]
    pub language: Language,
    /// The options to compile it with.
    #[returns(copy)]
    pub options: Options,
    /// Files that belong to this one: a name in an import is looked up here before the workspace.
    #[default]
    #[returns(ref)]
    pub own: BTreeMap<String, SourceFile>,
}

/// The files that imports can name.
#[salsa::input(singleton, debug)]
pub struct Workspace {
    /// The files by name: a path relative to one root, with `/`.
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
