//! The input languages, and how a file's name tells which one it is in.

use crate::frontend::grammar::Dialect;

/// An input language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// ogc's own: typed formats, text around them, imports of all others.
    Ogc,
    /// JSON Schema, drafts 4 to 2020-12.
    JsonSchema,
    /// GBNF, the grammars of llama.cpp.
    Gbnf,
    /// EBNF as in W3C recommendations or ISO 14977, or GBNF in a file with that extension.
    Ebnf,
    /// ABNF, the notation of the internet's standards (RFC 5234 and 7405).
    Abnf,
    /// Grammars of the Python library Lark, with llguidance's additions.
    Lark,
    /// One regular expression, as ECMA-262 writes it.
    Regex,
}

/// The reason why a file name tells no language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownLanguage {
    /// The extension belongs to no input language.
    #[error("the name does not say which language the file is in")]
    Extension,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 7] = [
        Language::Ogc,
        Language::JsonSchema,
        Language::Gbnf,
        Language::Ebnf,
        Language::Abnf,
        Language::Lark,
        Language::Regex,
    ];

    /// Returns the language of a file, by the extension of its name.
    ///
    /// # Errors
    /// The extension belongs to no input language.
    ///
    /// ```
    /// use ogc_compiler::db::Language;
    /// assert_eq!(Language::of_name("order.schema.json"), Ok(Language::JsonSchema));
    /// assert!(Language::of_name("order.txt").is_err());
    /// ```
    pub fn of_name(name: &str) -> Result<Language, UnknownLanguage> {
        match name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("ogc") => Ok(Language::Ogc),
            Some("json") => Ok(Language::JsonSchema),
            Some("gbnf") => Ok(Language::Gbnf),
            Some("ebnf") => Ok(Language::Ebnf),
            Some("abnf") => Ok(Language::Abnf),
            Some("lark") => Ok(Language::Lark),
            Some("regex") => Ok(Language::Regex),
            _ => Err(UnknownLanguage::Extension),
        }
    }

    /// Returns the usual name of the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Ogc => "ogc",
            Language::JsonSchema => "JSON Schema",
            Language::Gbnf => "GBNF",
            Language::Ebnf => "EBNF",
            Language::Abnf => "ABNF",
            Language::Lark => "Lark",
            Language::Regex => "regex",
        }
    }

    /// Returns whether a file in the language is one format as a whole, from which the options may select a definition.
    ///
    /// ```
    /// use ogc_compiler::db::Language;
    /// assert!(Language::JsonSchema.is_whole() && Language::Abnf.is_whole() && !Language::Ogc.is_whole());
    /// ```
    #[must_use]
    pub fn is_whole(self) -> bool {
        self == Language::JsonSchema || self.dialect().is_some()
    }

    /// Returns the notation, if the language is one of grammars.
    ///
    /// ```
    /// use ogc_compiler::db::Language;
    /// assert!(Language::Lark.dialect().is_some() && Language::Regex.dialect().is_none());
    /// ```
    #[must_use]
    pub fn dialect(self) -> Option<Dialect> {
        match self {
            Language::Gbnf => Some(Dialect::Gbnf),
            Language::Ebnf => Some(Dialect::Ebnf),
            Language::Abnf => Some(Dialect::Abnf),
            Language::Lark => Some(Dialect::Lark),
            Language::Ogc | Language::JsonSchema | Language::Regex => None,
        }
    }
}
