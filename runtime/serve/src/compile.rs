//! Formats of the server: their sources, their compiled forms, and the trait that compiles them.

mod policy;

use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::cache::{CacheKey, Cancel};
use ogc_runtime::captures::Content;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use serde::Serialize;

pub use policy::SchemaPolicy;

/// A source text and its file name, whose extension states the language.
///
/// ```
/// use ogc_serve::SourceText;
/// assert_eq!(SourceText::new("a.ogc", "output A = \"a\"").name, "a.ogc");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The name, such as `format.ogc`.
    pub name: String,
    /// The text.
    pub text: String,
    /// The policies that a request sets for its schema, with their values; the compiler checks them.
    pub policies: Vec<(SchemaPolicy, String)>,
    /// The definition to compile: an output, if an `.ogc` text has several; a start rule, if a grammar does not begin
    /// with the default rule of its notation.
    pub definition: Option<String>,
}

impl SourceText {
    /// Makes a source text.
    ///
    /// ```
    /// assert!(ogc_serve::SourceText::new("a.regex", "a+").name.ends_with(".regex"));
    /// ```
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), policies: Vec::new(), definition: None }
    }
}

/// Source of a format.
///
/// ```
/// use ogc_serve::{FormatSource, SourceText};
/// let texts = vec![SourceText::new("format.ogc", "output A = \"a\"")];
/// assert!(matches!(FormatSource::Texts(texts), FormatSource::Texts(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatSource {
    /// The first text, and others that it may import by their names.
    Texts(Vec<SourceText>),
    /// A file that the server knows by its name; and the name of its definition, if it has several outputs.
    Named {
        /// Name of the file, which came from outside.
        name: String,
        /// Name of the definition.
        definition: Option<String>,
    },
}

impl FormatSource {
    /// Makes a source of one text.
    pub(crate) fn text(name: &str, text: impl Into<String>) -> Self {
        Self::Texts(vec![SourceText::new(name, text)])
    }

    /// Makes the cache key of the format by its content and `purpose`; `version` stands for the content of a file.
    pub(crate) fn key(&self, version: &[u8], purpose: &[u8]) -> CacheKey {
        let mut parts = vec![version, purpose];
        match self {
            Self::Texts(texts) => {
                for SourceText { name, text, policies, definition } in texts {
                    parts.extend([b"text", name.as_bytes(), text.as_bytes()]);
                    parts.extend(named_definition(definition));
                    parts.extend(
                        policies.iter().flat_map(|(policy, value)| [policy.name().as_bytes(), value.as_bytes()]),
                    );
                }
            }
            Self::Named { name, definition } => {
                parts.extend([b"file", name.as_bytes()]);
                parts.extend(named_definition(definition));
            }
        }
        CacheKey::of(&parts)
    }
}

/// Returns the parts of a cache key that stand for a definition; their count tells no definition from an empty name.
fn named_definition(definition: &Option<String>) -> impl Iterator<Item = &[u8]> {
    definition.iter().flat_map(|name| [b"definition".as_slice(), name.as_bytes()])
}

/// A compiled format.
///
/// ```
#[doc = include_str!("example.md")]
/// let compiled = CompiledFormat { automaton, bytes: 100, content: Default::default() };
/// assert_eq!(compiled.bytes, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompiledFormat {
    /// The automaton.
    pub automaton: Arc<Automaton>,
    /// Size in memory in bytes ([`Automaton::bytes`]), for the limit of the cache.
    pub bytes: usize,
    /// Kind of the format's texts.
    pub content: Content,
}

impl CompiledFormat {
    /// Makes a matcher at the beginning of a text. It cannot roll back, so that long texts take little memory.
    pub(crate) fn matcher(&self, store: &Arc<MaskStore>) -> Matcher {
        let mut matcher = Matcher::new(Arc::clone(&self.automaton), Arc::clone(store));
        matcher.set_rollback_window(Some(0));
        matcher
    }
}

/// A finding in the source of a format.
///
/// ```
/// use ogc_serve::Finding;
/// let finding = Finding { code: "name".to_owned(), message: "there is no `x`".to_owned(), line: 1, column: 5 };
/// assert_eq!(finding.line, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The finding's code, which `ogc explain` explains.
    pub code: String,
    /// The error or warning, in a sentence.
    pub message: String,
    /// The line in the source, from 1.
    pub line: usize,
    /// The column in the line, in characters from 1.
    pub column: usize,
}

/// Reason why a format was rejected.
///
/// ```
/// let refused = ogc_serve::Refused { message: "there is no such format".to_owned(), findings: Vec::new() };
/// assert!(refused.findings.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Description of the error, for people.
    pub message: String,
    /// Findings in the sources.
    pub findings: Vec<Finding>,
}

/// A notation of formats.
///
/// ```
/// assert_eq!(ogc_serve::Notation::Gbnf.name(), "GBNF");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// JSON Schema.
    JsonSchema,
    /// The grammars of llama.cpp, which XGrammar's EBNF follows.
    Gbnf,
    /// Lark, as llguidance reads it.
    Lark,
}

impl Notation {
    /// Returns its name.
    ///
    /// ```
    /// assert_eq!(ogc_serve::Notation::JsonSchema.name(), "JSON Schema");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonSchema => "JSON Schema",
            Self::Gbnf => "GBNF",
            Self::Lark => "Lark",
        }
    }
}

/// Compiles formats, on threads of the format cache.
///
/// ```
#[doc = include_str!("example.md")]
/// assert!(Fixed(automaton).compile(&source, &Cancel::default()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Compile: Send + Sync + 'static {
    /// Compiles a format. It must call [`Cancel::check`] often, and end soon when the check fails: with an error that
    /// says where the time went, with any other error, or with a panic.
    ///
    /// # Errors
    /// The source is wrong, or there is no format with this name.
    fn compile(&self, source: &FormatSource, cancel: &Cancel) -> Result<CompiledFormat, Refused>;

    /// Returns bytes that change whenever the files of a named format change, such as their hash. May read the files.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(Fixed(automaton).version(&source).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn version(&self, source: &FormatSource) -> Vec<u8> {
        let _ = source;
        Vec::new()
    }

    /// Writes an equivalent format in another notation. It ends like [`compile`](Self::compile).
    ///
    /// # Errors
    /// The notation cannot express the format, or the source is wrong.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(Fixed(automaton).lower(&source, Notation::Gbnf, &Cancel::default()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn lower(&self, source: &FormatSource, notation: Notation, cancel: &Cancel) -> Result<String, Refused> {
        let _ = (source, cancel);
        Err(Refused { message: format!("no {} is written", notation.name()), findings: Vec::new() })
    }
}
