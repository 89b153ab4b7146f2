//! Compiles formats from source text: part of the feature `compiler`.
//!
//! A source reads no files: the texts that it imports, and schemas that it refers to beside the standard library, are passed with it (`resources`).
//! To make masks ahead of time, use `ogc build`, whose artifacts [`ogc_format_load`](crate::ogc_format_load) reads.

mod policy;

use std::sync::Arc;

use ogc_compiler::db::{JsonPolicy, Language, SpecialTokens};
use ogc_embed::{Finding, NamedText, Refused, Source, compile};

use crate::format::ogc_format;
use crate::pointers::{give, shared, slice, unique};
use crate::status::{Failure, call, ogc_status};
use crate::vocabulary::ogc_vocabulary;
use policy::Policies;
pub use policy::{ogc_escapes, ogc_formats, ogc_key_order, ogc_numbers, ogc_objects, ogc_space, ogc_words};

/// Name of a source that has none.
const UNNAMED: &str = "<source>";

/// A language of formats.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_language {
    /// ogc's own.
    OGC = 0,
    /// JSON Schema, drafts 4 to 2020-12.
    JSON_SCHEMA = 1,
    /// The grammars of llama.cpp.
    GBNF = 2,
    /// EBNF of the W3C or of ISO 14977, or GBNF in a file of that name; the content decides.
    EBNF = 3,
    /// The grammars of Lark.
    LARK = 4,
    /// One regular expression of ECMA-262, for the whole text.
    REGEX = 5,
    /// ABNF, the notation of RFC 5234 and 7405.
    ABNF = 6,
}

/// The source text of a format. A field of zero has no effect.
#[repr(C)]
#[derive(Debug)]
pub struct ogc_source {
    /// `sizeof(ogc_source)`.
    pub struct_size: usize,
    /// An `ogc_language`.
    pub language: u32,
    /// The text, in UTF-8.
    pub text: *const u8,
    /// Its length in bytes.
    pub text_len: usize,
    /// The name of the text in messages, in UTF-8; null for none.
    pub name: *const u8,
    /// Its length in bytes.
    pub name_len: usize,
    /// The definition that is compiled: of an `.ogc` text an output, or a type or rule without parameters; of a schema one of its definitions; of a
    /// grammar the start rule. Null for the only output, the whole schema, or the start rule that the notation says.
    pub definition: *const u8,
    /// Its length in bytes.
    pub definition_len: usize,
    /// An `ogc_space`; JSON Schema only.
    pub space: u32,
    /// An `ogc_key_order`; JSON Schema only.
    pub order: u32,
    /// An `ogc_escapes`; JSON Schema only.
    pub escapes: u32,
    /// An `ogc_numbers`; JSON Schema only.
    pub numbers: u32,
    /// An `ogc_formats`; JSON Schema only.
    pub formats: u32,
    /// An `ogc_objects`; JSON Schema only.
    pub objects: u32,
    /// An `ogc_words`; JSON Schema only.
    pub words: u32,
    /// Names of keywords of JSON Schema that are read as annotations, separated by commas; null for none. Values that break them are
    /// of the format, and `ogc_format_warnings` names each that is met.
    pub annotate: *const u8,
    /// Its length in bytes.
    pub annotate_len: usize,
    /// Texts that it imports, and schemas that it references; null for none. Nothing is fetched, and no file is read.
    pub resources: *const ogc_resource,
    /// Their number.
    pub resources_len: usize,
    /// For structural tags only (language `OGC_LANGUAGE_JSON_SCHEMA`): the vocabulary whose special tokens the texts of the tag may name; null to
    /// read such names as characters.
    pub vocabulary: *const ogc_vocabulary,
}

/// A text that a source imports, or a schema that it references.
#[repr(C)]
#[derive(Debug)]
pub struct ogc_resource {
    /// The name that the source uses for it, in UTF-8: a path relative to the source's name, or the URI of a schema.
    pub name: *const u8,
    /// Its length in bytes.
    pub name_len: usize,
    /// The text, in UTF-8.
    pub text: *const u8,
    /// Its length in bytes.
    pub text_len: usize,
}

/// Compiles a format; its masks are computed as matchers need them. `OGC_STATUS_SOURCE` if the text has errors: `ogc_last_error` lists them with
/// lines and columns. `ogc_format_warnings` lists probable mistakes.
///
/// Only in libraries with the feature `compiler`, which they have unless it is left out.
///
/// # Safety
///
/// `source` points to a source with valid pointers, `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_format_compile(source: *const ogc_source, out: *mut *mut ogc_format) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (source, out) = unsafe { (shared(source, "source")?, unique(out, "out")?) };
        // SAFETY: as this function's.
        let source = unsafe { read(source) }?;
        let compiled = compile(&source)?;
        let warnings: Vec<String> = compiled.findings.iter().map(Finding::to_string).collect();
        let format = ogc_format::compiled(compiled.artifact, &warnings.join("\n"));
        give(format, out);
        Ok(())
    })
}

/// Reads and checks the fields of a source.
///
/// # Safety
///
/// The pointers of the source are valid during `'a`.
unsafe fn read<'a>(source: &ogc_source) -> Result<Source<'a>, Failure> {
    if source.struct_size < size_of::<ogc_source>() {
        return Err(Failure::argument("source.struct_size is less than sizeof(ogc_source)"));
    }
    // SAFETY: as this function's.
    let (text, name, definition, annotate) = unsafe {
        (
            text(source.text, source.text_len, "source.text")?,
            text(source.name, source.name_len, "source.name")?,
            text(source.definition, source.definition_len, "source.definition")?,
            text(source.annotate, source.annotate_len, "source.annotate")?,
        )
    };
    let language = language(source.language)?;
    let policies = policy::read(source, annotate)?;
    if policies.is_some() && language != Language::JsonSchema {
        return Err(Failure::argument(&format!(
            "source.space, order, escapes, numbers, words, formats, objects and annotate are for JSON Schema; this is {}",
            language.name()
        )));
    }
    let name = if name.is_empty() { UNNAMED } else { name };
    let definition = (!source.definition.is_null()).then_some(definition);
    let Policies { json, formats, adjustments } = policies.unwrap_or_default();
    // Texts of other languages contain their policies themselves.
    let json = if language == Language::JsonSchema { json } else { JsonPolicy::default() };
    // SAFETY: as this function's.
    let imports = unsafe { resources(source) }?;
    // SAFETY: as this function's.
    let vocabulary = unsafe { source.vocabulary.as_ref() };
    let special_tokens = vocabulary.map(|one| Arc::new(SpecialTokens::of(one.store.vocabulary())));
    let plain = Source::new(name, text, language);
    Ok(Source { definition, policy: json, formats, adjustments, imports, special_tokens, ..plain })
}

/// Reads the other texts of a source.
///
/// # Safety
///
/// As for [`read`].
unsafe fn resources<'a>(source: &ogc_source) -> Result<Vec<NamedText<'a>>, Failure> {
    // SAFETY: as this function's.
    let given = unsafe { slice(source.resources, source.resources_len, "source.resources") }?;
    let read = |resource: &ogc_resource| {
        // SAFETY: as this function's.
        let name = unsafe { text(resource.name, resource.name_len, "resource.name") }?;
        // SAFETY: as this function's.
        let text = unsafe { text(resource.text, resource.text_len, "resource.text") }?;
        Ok(NamedText { name, text })
    };
    given.iter().map(read).collect()
}

/// Returns a text from C.
///
/// # Safety
///
/// As for [`slice()`].
unsafe fn text<'a>(pointer: *const u8, len: usize, name: &str) -> Result<&'a str, Failure> {
    // SAFETY: as this function's.
    let bytes = unsafe { slice(pointer, len, name) }?;
    std::str::from_utf8(bytes).map_err(|error| Failure::argument(&format!("{name} is not UTF-8: {error}")))
}

fn language(number: u32) -> Result<Language, Failure> {
    const LANGUAGES: [(ogc_language, Language); 7] = [
        (ogc_language::OGC, Language::Ogc),
        (ogc_language::JSON_SCHEMA, Language::JsonSchema),
        (ogc_language::GBNF, Language::Gbnf),
        (ogc_language::EBNF, Language::Ebnf),
        (ogc_language::LARK, Language::Lark),
        (ogc_language::REGEX, Language::Regex),
        (ogc_language::ABNF, Language::Abnf),
    ];
    let known = LANGUAGES.iter().find(|(known, _)| *known as u32 == number);
    known.map(|&(_, language)| language).ok_or_else(|| Failure::argument(&format!("source.language is {number}")))
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Defect { .. } => Failure::data(&refused),
            Refused::Thread(_) => Failure::limit(&refused.to_string()),
            Refused::Findings(_) | Refused::Definition { .. } | Refused::Import { .. } => {
                Failure::source(&refused.to_string())
            }
        }
    }
}
