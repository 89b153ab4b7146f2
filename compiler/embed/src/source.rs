//! Source texts, how they are read, and what they may import.

use std::sync::Arc;

use ogc_compiler::db::{Adjustments, Formats, JsonPolicy, Language, Resources, SpecialTokens};

/// A text that a source may import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedText<'a> {
    /// The name that imports and references call it: a path, whose extension says its language, or the URI of a JSON Schema.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

impl NamedText<'_> {
    /// Returns whether the name is a URI.
    pub(crate) fn is_resource(&self) -> bool {
        self.name.contains(':')
    }
}

/// A source text, and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// The name that findings call it.
    pub name: &'a str,
    /// The source text.
    pub text: &'a str,
    /// The language of the text.
    pub language: Language,
    /// The definition that is compiled: of an `.ogc` text an output, or a type or rule without parameters; of a schema one of its definitions, of a grammar the start rule.
    /// `None` for the only output, or the whole schema.
    pub definition: Option<&'a str>,
    /// White space, key order, escapes and numbers of JSON values, where the text says nothing of them.
    pub policy: JsonPolicy,
    /// Which values of the keyword `format` of JSON Schema are enforced.
    pub formats: Formats,
    /// Departures from what a JSON Schema says.
    pub adjustments: Adjustments,
    /// The texts that it may import, beside the standard library, and to which its schemas may refer.
    pub imports: Vec<NamedText<'a>>,
    /// Which of these hold the schemas of which URIs.
    pub resources: Resources,
    /// The special tokens that the texts of a structural tag may name; `None` if no vocabulary is known.
    pub special_tokens: Option<Arc<SpecialTokens>>,
}

impl<'a> Source<'a> {
    /// A text that stands alone, read with the default policies.
    ///
    /// ```
    /// use ogc_compiler::db::Language;
    /// let source = ogc_embed::Source::new("digits", "[0-9]+", Language::Regex);
    /// assert!(ogc_embed::compile(&source).is_ok());
    /// ```
    #[must_use]
    pub fn new(name: &'a str, text: &'a str, language: Language) -> Self {
        let (policy, formats, adjustments) = Default::default();
        Self {
            name,
            text,
            language,
            definition: None,
            policy,
            formats,
            adjustments,
            imports: Vec::new(),
            resources: Resources::default(),
            special_tokens: None,
        }
    }
}
