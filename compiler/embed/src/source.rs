//! Source texts, with the options for reading them and the texts that they may import.

use std::sync::Arc;

use ogc_compiler::db::{Adjustments, Formats, JsonPolicy, Language, Resources, SpecialTokens};

/// A text that a source may import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedText<'a> {
    /// The name used in imports and references: a path whose extension tells the language, or the URI of a JSON Schema.
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

/// A source text, and the options for reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// Name of the source in findings.
    pub name: &'a str,
    /// The source text.
    pub text: &'a str,
    /// The language of the text.
    pub language: Language,
    /// The definition to compile: in an `.ogc` text an output, or a type or rule without parameters; in a schema one of
    /// its definitions; in a grammar the start rule. `None` selects the only output, or the whole schema.
    pub definition: Option<&'a str>,
    /// White space, key order, escapes and numbers of JSON values, unless the text sets them.
    pub policy: JsonPolicy,
    /// The values of the keyword `format` of JSON Schema that are enforced.
    pub formats: Formats,
    /// Adjustments to the meaning of a JSON Schema.
    pub adjustments: Adjustments,
    /// The texts that it may import besides the standard library, and that its schemas may refer to.
    pub imports: Vec<NamedText<'a>>,
    /// Maps URIs of schemas to these texts.
    pub resources: Resources,
    /// The special tokens that the texts of a structural tag may name; `None` if no vocabulary is known.
    pub special_tokens: Option<Arc<SpecialTokens>>,
}

impl<'a> Source<'a> {
    /// Makes a source without imports, read with the default policies.
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
