//! Formats from source text, by the compiler: part of the feature `compiler`.
//!
//! A source stands alone: an `.ogc` file can import the standard library and nothing else. What needs more (files that import each other,
//! masks that are made ahead of time) is for `ogc build`, whose artifacts [`ogc_format_load`](crate::ogc_format_load) reads.

mod policy;

use std::collections::BTreeMap;
use std::thread;

use ogc_compiler::db::{Compiler, Formats, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::foreign::is_tool_list;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::diagnostic::limited;
use ogc_grammar::{Diagnostic, LineIndex, Severity};
use ogc_lint::findings::{Levels, of_stages};
use ogc_runtime::artifact::Artifact;

use crate::format::ogc_format;
use crate::pointers::{give, shared, slice, unique};
use crate::status::{Failure, call, ogc_status};
pub use policy::{ogc_escapes, ogc_key_order, ogc_space};

/// The name of a source without one.
const UNNAMED: &str = "<source>";

/// The stack of a compilation: sources may nest as deep as the compiler's limits allow, whatever the stack of the caller's thread.
const STACK: usize = 64 << 20;

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
    /// EBNF of the W3C or of ISO 14977.
    EBNF = 3,
    /// The grammars of Lark.
    LARK = 4,
    /// One regular expression of ECMA-262, for the whole text.
    REGEX = 5,
}

/// The source text of a format. Fields that are zero have no effect.
#[repr(C)]
#[derive(Debug)]
pub struct ogc_source {
    /// `sizeof(ogc_source)`.
    pub struct_size: usize,
    /// An `ogc_language`.
    pub language: u32,
    /// The text, in UTF-8.
    pub text: *const u8,
    /// Its bytes.
    pub text_len: usize,
    /// The name that messages call it, in UTF-8; null for none.
    pub name: *const u8,
    /// Its bytes.
    pub name_len: usize,
    /// The definition of an `.ogc` text that is compiled, an output or a type or rule without parameters; null for the only output.
    pub definition: *const u8,
    /// Its bytes.
    pub definition_len: usize,
    /// An `ogc_space`, for JSON Schema alone.
    pub space: u32,
    /// An `ogc_key_order`, for JSON Schema alone.
    pub order: u32,
    /// An `ogc_escapes`, for JSON Schema alone.
    pub escapes: u32,
}

/// Compiles a format; its masks are made as matchers need them. `OGC_STATUS_SOURCE` if the text has errors: `ogc_last_error` lists them with
/// their lines and columns. `ogc_format_warnings` says what is probably not meant so.
///
/// Only in libraries with the feature `compiler`, which they have unless it is left out.
///
/// # Safety
///
/// `source` points to a source with good pointers, `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_format_compile(source: *const ogc_source, out: *mut *mut ogc_format) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (source, out) = unsafe { (shared(source, "source")?, unique(out, "out")?) };
        // SAFETY: as this function's.
        let source = unsafe { read(source) }?;
        let format = thread::scope(|scope| {
            let thread = thread::Builder::new().name("ogc compiler".to_owned()).stack_size(STACK);
            let thread = thread.spawn_scoped(scope, || compile(&source));
            let thread = thread.map_err(|error| Failure::limit(&format!("no thread for the compiler: {error}")))?;
            // A panic goes on here, where it becomes a status.
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        give(format, out);
        Ok(())
    })
}

/// A source as it was read.
struct Source<'a> {
    name: &'a str,
    text: &'a str,
    language: Language,
    definition: Option<&'a str>,
    policy: ogc_compiler::db::JsonPolicy,
}

/// Reads and checks the fields of a source.
///
/// # Safety
///
/// Its pointers are good during `'a`.
unsafe fn read<'a>(source: &ogc_source) -> Result<Source<'a>, Failure> {
    if source.struct_size < size_of::<ogc_source>() {
        return Err(Failure::argument("source.struct_size is less than sizeof(ogc_source)"));
    }
    // SAFETY: as this function's.
    let (text, name, definition) = unsafe {
        (
            text(source.text, source.text_len, "source.text")?,
            text(source.name, source.name_len, "source.name")?,
            text(source.definition, source.definition_len, "source.definition")?,
        )
    };
    let language = language(source.language)?;
    let policy = policy::read(source)?;
    if policy.is_some() && language != Language::JsonSchema {
        let name = language.name();
        return Err(Failure::argument(&format!("source.space, order and escapes are for JSON Schema; this is {name}")));
    }
    Ok(Source {
        name: if name.is_empty() { UNNAMED } else { name },
        text,
        language,
        definition: (!source.definition.is_null()).then_some(definition),
        policy: policy.unwrap_or_default(),
    })
}

/// Returns text from C.
///
/// # Safety
///
/// As [`slice()`].
unsafe fn text<'a>(pointer: *const u8, len: usize, name: &str) -> Result<&'a str, Failure> {
    // SAFETY: as this function's.
    let bytes = unsafe { slice(pointer, len, name) }?;
    std::str::from_utf8(bytes).map_err(|error| Failure::argument(&format!("{name} is not UTF-8: {error}")))
}

fn language(number: u32) -> Result<Language, Failure> {
    const LANGUAGES: [(ogc_language, Language); 6] = [
        (ogc_language::OGC, Language::Ogc),
        (ogc_language::JSON_SCHEMA, Language::JsonSchema),
        (ogc_language::GBNF, Language::Gbnf),
        (ogc_language::EBNF, Language::Ebnf),
        (ogc_language::LARK, Language::Lark),
        (ogc_language::REGEX, Language::Regex),
    ];
    let known = LANGUAGES.iter().find(|(known, _)| *known as u32 == number);
    known.map(|&(_, language)| language).ok_or_else(|| Failure::argument(&format!("source.language is {number}")))
}

/// Compiles a source: its text, then the findings, then the one format, then an artifact without masks.
fn compile(source: &Source<'_>) -> Result<ogc_format, Failure> {
    let db = Compiler::default();
    let options = Options::new(&db, source.policy, Formats::default(), Limits::default());
    let (name, text) = (source.name.to_owned(), source.text.to_owned());
    let file = SourceFile::new(&db, name.clone(), text, source.language, options);
    Workspace::new(&db, BTreeMap::from([(name, file)]));
    let found = of_stages(&db, file, &Levels::default());
    if found.iter().any(Diagnostic::is_error) {
        let errors = found.into_iter().filter(Diagnostic::is_error).collect();
        return Err(Failure::source(&lines(source, errors)));
    }
    let format = only(&db, file, source)?;
    let bytes = pipeline::bare_artifact(&db, format);
    let bytes = bytes.ok_or_else(|| Failure::source(&format!("{}: the format was not compiled", source.name)))?;
    let artifact = Artifact::load(bytes).map_err(|error| Failure::data(&error))?;
    Ok(ogc_format::compiled(artifact, &lines(source, found)))
}

/// Returns the format that is compiled: the definition that is asked for, or the only output.
fn only(db: &Compiler, file: SourceFile, source: &Source<'_>) -> Result<Format, Failure> {
    let known = pipeline::definitions(db, file);
    let refuse = |what: &str, known: &[Format]| {
        let names: Vec<&str> = known.iter().filter_map(|format| format.name.as_deref()).collect();
        let rest = if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) };
        Err(Failure::source(&format!("{}: {what}{rest}", source.name)))
    };
    if let Some(name) = source.definition {
        let found = known.iter().find(|format| format.name.as_deref() == Some(name));
        return match found {
            Some(format) => Ok(format.clone()),
            None => refuse(&format!("no definition without parameters is named `{name}`"), &known),
        };
    }
    let outputs = pipeline::formats(db, file);
    match &outputs[..] {
        [only] => Ok(only.clone()),
        [] if is_tool_list(db, file) => refuse("a list of tools has no output; an `.ogc` file imports it", &[]),
        [] => refuse("no output: name a definition in source.definition", &known),
        several => refuse("several outputs: name one in source.definition", several),
    }
}

/// Writes findings as lines with their places.
fn lines(source: &Source<'_>, found: Vec<Diagnostic>) -> String {
    let lines = LineIndex::new(source.text);
    let line = |found: Diagnostic| {
        let found = found.readable();
        let help = found.help.as_deref().map(|help| format!("\n  help: {help}")).unwrap_or_default();
        let see = found.labels.iter().map(|(span, text)| format!("\n  see {}: {text}", lines.place(span.start)));
        let see: String = see.collect();
        let place = lines.place(found.span.start);
        let gravity = match found.severity {
            Severity::Error => "",
            Severity::Warning => "warning: ",
            Severity::Note => "note: ",
        };
        format!("{}:{place}: {gravity}{} [{}]{see}{help}", source.name, found.message, found.code)
    };
    let shown: Vec<String> = limited(found).into_iter().map(line).collect();
    shown.join("\n")
}
