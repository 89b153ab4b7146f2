//! Calls the compiler and the runtime for the tests: the one place to change when an entry point moves.

use crate::siblings::Siblings;
use ogc_compiler::db::{Compiler, Language, Options, SourceFile};
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::frontend::json_schema::{Draft, Formats, Imported, ReadOptions, read_finding};
use ogc_compiler::frontend::regex::compile_regex;
use ogc_compiler::hir::{Root, elaborate};
use ogc_compiler::lower::json::{self, JsonPolicy};
use ogc_compiler::pass::Limits;
use ogc_compiler::pipeline;
use ogc_export::add_values;
use ogc_export::json_schema::print_module;
use ogc_grammar::{Diagnostic, Grammar};
use ogc_regular::number::Spelling;
use ogc_runtime::automaton::{Automaton, Escapes, KeyOrder};
use ogc_runtime::captures::{Captures, Content};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{Vocabulary, VocabularyError};
use ogc_schema::source::Schemas;
use std::sync::{Arc, OnceLock};

/// The spellings of JSON values that a format allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Whether keys may come in any order, not only as declared.
    pub any_order: bool,
    /// The white space.
    pub space: Space,
    /// Whether each character of a string has only one spelling.
    pub plain_strings: bool,
    /// Whether numbers have no exponents.
    pub plain_numbers: bool,
}

impl Policy {
    fn json(self) -> JsonPolicy {
        let defaults = JsonPolicy::default();
        let space = match self.space {
            Space::Any => defaults.space,
            Space::Run(longest) => json::Space::Any { max_run: Some(longest) },
            Space::Compact => json::Space::Compact,
            Space::Spaced => json::Space::Spaced,
            Space::Pretty(indent) => json::Space::Pretty { indent },
        };
        let order = if self.any_order { KeyOrder::Any } else { KeyOrder::Declared };
        let escapes = if self.plain_strings { Escapes::Canonical } else { defaults.escapes };
        let spelling = if self.plain_numbers { Spelling::Plain } else { defaults.spelling };
        JsonPolicy { space, order, escapes, spelling, ..defaults }
    }
}

/// White space between the parts of a JSON text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// Any JSON white space, each run bounded by the default.
    #[default]
    Any,
    /// Any JSON white space in runs of at most this length.
    Run(u32),
    /// No white space.
    Compact,
    /// `", "` and `": "`.
    Spaced,
    /// A line for each member and item; each level is indented by this many columns.
    Pretty(u32),
}

impl Space {
    /// Returns the white space with a name: `any`, `compact`, `spaced`.
    #[must_use]
    pub fn named(name: &str) -> Option<Space> {
        match name {
            "any" => Some(Space::Any),
            "compact" => Some(Space::Compact),
            "spaced" => Some(Space::Spaced),
            _ => None,
        }
    }
}

/// The options with which a schema is read, in addition to the policy.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The draft of a schema without `$schema`.
    pub draft: Draft,
    /// Whether the keyword `format` constrains.
    pub formats: bool,
    /// Remote schemas by URI.
    pub remotes: Vec<(String, String)>,
    /// The schemas of the same pack, which may refer to each other.
    pub siblings: Option<Arc<Siblings>>,
    /// Cap on the alternatives of objects that are written out; beyond it, conditions on keys are kept. The compiler's
    /// own cap if `None`.
    pub written: Option<usize>,
}

impl Reading {
    /// Returns the options that the labels of the corpora assume: the newest draft, with the formats of all drafts
    /// asserted.
    #[must_use]
    pub fn asserting() -> Reading {
        Reading { formats: true, ..Reading::default() }
    }

    fn read(&self, text: &str) -> Imported {
        match &self.siblings {
            Some(siblings) => read_finding(text, &self.options(), Some(&|asked| siblings.find(asked))),
            None => read_finding(text, &self.options(), None),
        }
    }

    fn options(&self) -> ReadOptions {
        ReadOptions {
            default_draft: self.draft,
            resources: self.remotes.clone(),
            formats: if self.formats { Formats::All } else { Formats::Annotate },
            ..ReadOptions::default()
        }
    }
}

/// The error of a text that does not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The diagnostic's code.
    pub code: String,
    /// Its message.
    pub message: String,
}

/// Compiles a JSON Schema.
///
/// # Errors
/// The first error among the diagnostics.
pub fn schema(text: &str, reading: &Reading, policy: Policy) -> Result<Arc<Automaton>, Failure> {
    let imported = reading.read(text);
    if imported.has_errors() {
        return Err(failure(&imported.diagnostics));
    }
    let policy = policy.json();
    let integers = imported.integers(policy.spelling);
    let limits = ogc_schema::Limits::default();
    let limits = ogc_schema::Limits { written: reading.written.unwrap_or(limits.written), ..limits };
    match json::lower_with(&imported.schemas, &policy, integers, &limits) {
        Ok(lowered) => Ok(Arc::new(lowered.automaton)),
        Err(errors) => Err(errors.first().map_or_else(
            || failure(&[]),
            |error| Failure { code: error.kind.code().name().to_owned(), message: error.to_string() },
        )),
    }
}

/// Reads a JSON Schema with everything that exports need: definitions and annotations.
#[must_use]
pub fn import(text: &str, reading: &Reading) -> Imported {
    let options = ReadOptions { definitions: true, ..reading.options() };
    ogc_compiler::frontend::json_schema::read(text, &options)
}

/// Compiles a schema graph; an integer may be written with a fraction, in every draft.
///
/// # Errors
/// The first error among the diagnostics.
pub fn graph(schemas: &Schemas, policy: Policy) -> Result<Arc<Automaton>, Failure> {
    match json::lower(schemas, &policy.json(), &ogc_schema::Limits::default()) {
        Ok(lowered) => Ok(Arc::new(lowered.automaton)),
        Err(errors) => Err(errors.first().map_or_else(
            || failure(&[]),
            |error| Failure { code: error.kind.code().name().to_owned(), message: error.to_string() },
        )),
    }
}

/// Writes a JSON Schema as rules of characters; the start rule is `root`.
///
/// # Errors
/// The first error among the diagnostics.
pub fn exported(text: &str, reading: &Reading, policy: Policy) -> Result<Grammar, Failure> {
    let imported = ogc_compiler::frontend::json_schema::read(text, &reading.options());
    if imported.has_errors() {
        return Err(failure(&imported.diagnostics));
    }
    let policy = policy.json();
    let integers = imported.integers(policy.spelling);
    let mut grammar = Grammar::default();
    let limits = ogc_schema::Limits::default();
    match add_values(&mut grammar, "root", &imported.schemas, &policy, integers, &limits) {
        Ok(()) => Ok(grammar),
        Err(errors) => Err(errors.first().map_or_else(
            || failure(&[]),
            |error| Failure { code: error.kind.code().name().to_owned(), message: error.to_string() },
        )),
    }
}

/// Compiles the first output of an `.ogc` file.
///
/// # Errors
/// The first error among the diagnostics.
pub fn ogc(text: &str) -> Result<Arc<Automaton>, Failure> {
    let db = Compiler::default();
    let file = ogc_file(&db, text);
    let found = pipeline::diagnostics(&db, file);
    if found.iter().any(Diagnostic::is_error) {
        return Err(failure(found));
    }
    let output = pipeline::formats(&db, file).into_iter().next();
    output.and_then(|output| pipeline::automaton(&db, output)).ok_or_else(|| failure(&[]))
}

/// Compiles a structural tag, for no vocabulary.
///
/// # Errors
/// The first error among the diagnostics.
pub fn structural_tag(text: &str) -> Result<Arc<Automaton>, Failure> {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), ogc_compiler::db::Limits::default());
    let file = SourceFile::new(&db, "tag.json".to_owned(), text.to_owned(), Language::JsonSchema, options);
    let found = pipeline::diagnostics(&db, file);
    pipeline::automaton(&db, file).ok_or_else(|| failure(found))
}

/// Writes the values of the first output of an `.ogc` file as a JSON Schema.
///
/// # Errors
/// The first error among the diagnostics.
pub fn ogc_as_schema(text: &str) -> Result<String, Failure> {
    let db = Compiler::default();
    let file = ogc_file(&db, text);
    let output = pipeline::formats(&db, file).into_iter().next().and_then(|output| output.name);
    let module = output.and_then(|name| elaborate::module(&db, file, name));
    match module.as_ref().map(|module| (module, module.root)) {
        Some((module, Root::Value(value))) => Ok(print_module(module, value.node)),
        _ => Err(failure(pipeline::diagnostics(&db, file))),
    }
}

/// Compiles the captures of the first output of an `.ogc` file; `None` if it has none, or they are rejected.
#[must_use]
pub fn captures(text: &str) -> Option<Arc<Captures>> {
    let db = Compiler::default();
    let output = pipeline::formats(&db, ogc_file(&db, text)).into_iter().next()?;
    pipeline::captures(&db, output).captures
}

/// Compiles the output of the first of some files that import each other; also returns the kind of its texts.
///
/// # Errors
/// The first error among the diagnostics.
pub fn ogc_content(files: &[(&str, &str)]) -> Result<(Arc<Automaton>, Content), Failure> {
    let db = Compiler::default();
    let json = ogc_compiler::lower::json::JsonPolicy::default();
    let options = Options::new(&db, json, Formats::Assert, ogc_compiler::db::Limits::default());
    let known = files.iter().filter_map(|(name, text)| Some((name, text, Language::of_name(name).ok()?)));
    let sources: Vec<(String, SourceFile)> = known
        .map(|(name, text, language)| {
            let name = (*name).to_owned();
            (name.clone(), SourceFile::new(&db, name, (*text).to_owned(), language, options))
        })
        .collect();
    ogc_compiler::db::Workspace::new(&db, sources.iter().cloned().collect());
    let first = sources.first().map(|(_, file)| *file);
    let format = first.and_then(|file| pipeline::formats(&db, file).into_iter().next());
    let automaton = format.clone().and_then(|format| pipeline::automaton(&db, format));
    match (format, automaton) {
        (Some(format), Some(automaton)) => Ok((automaton, pipeline::content(&db, format))),
        _ => Err(failure(first.map(|file| pipeline::diagnostics(&db, file).as_slice()).unwrap_or_default())),
    }
}

fn ogc_file(db: &Compiler, text: &str) -> SourceFile {
    let json = ogc_compiler::lower::json::JsonPolicy::default();
    let options = Options::new(db, json, Formats::Assert, ogc_compiler::db::Limits::default());
    SourceFile::new(db, "test.ogc".to_owned(), text.to_owned(), Language::Ogc, options)
}

/// Compiles all outputs of the `.ogc` files among some that import each other: `file: output`, and the automaton.
/// Outputs with errors are left out.
#[must_use]
pub fn ogc_outputs(files: &[(String, String)]) -> Vec<(String, Arc<Automaton>)> {
    let db = Compiler::default();
    let json = ogc_compiler::lower::json::JsonPolicy::default();
    let options = Options::new(&db, json, Formats::Assert, ogc_compiler::db::Limits::default());
    let known = files.iter().filter_map(|(name, text)| Some((name, text, Language::of_name(name).ok()?)));
    let sources: std::collections::BTreeMap<String, SourceFile> = known
        .map(|(name, text, language)| {
            (name.clone(), SourceFile::new(&db, name.clone(), text.clone(), language, options))
        })
        .collect();
    ogc_compiler::db::Workspace::new(&db, sources.clone());
    let ogc = sources.iter().filter(|(_, file)| file.language(&db) == Language::Ogc);
    let formats = ogc.flat_map(|(name, &file)| pipeline::formats(&db, file).into_iter().map(move |one| (name, one)));
    let compiled = formats.filter_map(|(file, format)| {
        let name = format!("{file}: {}", format.name.as_deref().unwrap_or_default());
        Some((name, pipeline::automaton(&db, format)?))
    });
    compiled.collect()
}

/// Compiles a GBNF grammar.
///
/// # Errors
/// The first error among the diagnostics.
pub fn gbnf(text: &str) -> Result<Arc<Automaton>, Failure> {
    whole(compile_grammar(text, Dialect::Gbnf, &Limits::default()))
}

/// Compiles an EBNF grammar (W3C or ISO 14977).
///
/// # Errors
/// The first error among the diagnostics.
pub fn ebnf(text: &str) -> Result<Arc<Automaton>, Failure> {
    whole(compile_grammar(text, Dialect::Ebnf, &Limits::default()))
}

/// Compiles a Lark grammar.
///
/// # Errors
/// The first error among the diagnostics.
pub fn lark(text: &str) -> Result<Arc<Automaton>, Failure> {
    whole(compile_grammar(text, Dialect::Lark, &Limits::default()))
}

/// Compiles a regular expression that matches whole texts.
///
/// # Errors
/// The first error among the diagnostics.
pub fn regex(text: &str) -> Result<Arc<Automaton>, Failure> {
    whole(compile_regex(text, &Limits::default()))
}

fn whole((automaton, found): (Option<Automaton>, Vec<Diagnostic>)) -> Result<Arc<Automaton>, Failure> {
    automaton.map(Arc::new).ok_or_else(|| failure(&found))
}

fn failure(found: &[Diagnostic]) -> Failure {
    let error = found.iter().find(|diagnostic| diagnostic.is_error());
    let (code, message) = error.map_or(("none", "no error was given"), |error| (error.code.name(), &error.message));
    Failure { code: code.to_owned(), message: message.to_owned() }
}

/// Returns whether a text is in the language, byte by byte, so that the result does not depend on a vocabulary.
///
/// # Panics
/// The vocabulary of single bytes does not build.
#[must_use]
pub fn accepts(automaton: &Arc<Automaton>, text: &[u8]) -> bool {
    let mut matcher = Matcher::new(Arc::clone(automaton), bytes_only());
    matcher.accept_bytes(text).is_ok() && matcher.is_complete()
}

/// Returns the number of bytes of a text that the format accepts.
///
/// # Panics
/// The vocabulary of single bytes does not build.
#[must_use]
pub fn accepted_prefix(automaton: &Arc<Automaton>, text: &[u8]) -> usize {
    let mut matcher = Matcher::new(Arc::clone(automaton), bytes_only());
    text.chunks(1).take_while(|byte| matcher.accept_bytes(byte).is_ok()).count()
}

/// Returns a matcher whose tokens are the 256 bytes and an end.
///
/// # Panics
/// The vocabulary of single bytes does not build.
#[must_use]
pub fn byte_matcher(automaton: &Arc<Automaton>) -> Matcher {
    Matcher::new(Arc::clone(automaton), bytes_only())
}

/// Returns the store over the vocabulary of the 256 bytes and an end.
fn bytes_only() -> Arc<MaskStore> {
    static STORE: OnceLock<Arc<MaskStore>> = OnceLock::new();
    let store = STORE.get_or_init(|| {
        let vocabulary = vocabulary(&[]).expect("256 different tokens");
        MaskStore::new(Arc::new(vocabulary))
    });
    Arc::clone(store)
}

/// Makes a vocabulary of the 256 bytes, more texts, and at the end the token that ends a sequence.
///
/// # Errors
/// The texts are too many or too long.
pub fn vocabulary(more: &[Vec<u8>]) -> Result<Vocabulary, VocabularyError> {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let tokens: Vec<Option<Vec<u8>>> = bytes.chain(more.iter().cloned()).map(Some).collect();
    let end = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
    Vocabulary::from_tokens(&tokens, &[("</s>", end)])
}
