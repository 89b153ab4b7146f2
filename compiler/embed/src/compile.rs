//! Compiles a source to an artifact without masks.

use std::collections::BTreeMap;
use std::fmt;
use std::thread;

use ogc_compiler::db::{Compiler, Db, Language, Limits, Options, SourceFile, UnknownLanguage, Workspace};
use ogc_compiler::foreign::links;
use ogc_compiler::pipeline::{self, SelectError};
use ogc_grammar::diagnostic::limited;
use ogc_grammar::{Diagnostic, LineIndex};
use ogc_lint::findings::{Levels, of_stages};
use ogc_runtime::artifact::Artifact;

use crate::finding::Finding;
use crate::source::Source;

/// Stack size of a compilation: sources may nest as deep as the compiler's limits allow, whatever the stack of the
/// caller's thread is.
const STACK: usize = 64 << 20;

/// A compiled source.
#[derive(Debug)]
pub struct Compiled {
    /// The format; its masks are computed when matchers need them.
    pub artifact: Artifact,
    /// Warnings and notes.
    pub findings: Vec<Finding>,
}

/// Reasons why a source is not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The text has errors.
    Findings(Vec<Finding>),
    /// There is not exactly one format to compile: none, several, or none of the requested name.
    Definition {
        /// The name of the source.
        file: String,
        /// The problem, with the list of existing definitions.
        error: SelectError,
    },
    /// The name of an imported text does not tell its language.
    Import {
        /// The name.
        file: String,
        /// The error of the lookup.
        error: UnknownLanguage,
    },
    /// A defect of the compiler: a text without errors produced no artifact that loads.
    Defect {
        /// The name of the source.
        file: String,
        /// The problem, in a sentence.
        message: String,
    },
    /// The system could not start a thread for the compilation.
    Thread(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Findings(found) => {
                let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Self::Definition { file, error } => write!(f, "{file}: {}", error.with_way("as `definition`")),
            Self::Defect { file, message } => write!(f, "{file}: a defect of ogc, please report it: {message}"),
            Self::Import { file, error } => write!(f, "{file}: {error}"),
            Self::Thread(error) => write!(f, "no thread for the compiler: {error}"),
        }
    }
}

impl std::error::Error for Refused {}

/// Compiles a source, on a thread of its own.
///
/// # Errors
///
/// The source cannot be compiled; [`Refused`] has the findings as data.
///
/// ```
/// use ogc_compiler::db::Language;
/// use ogc_embed::{NamedText, Refused, Source, compile};
/// let imports = vec![NamedText { name: "name.ogc", text: "type Name = string<1..9>\n" }];
/// let text = "import Name from \"name.ogc\"\noutput greeting = \"Hello \" name: Name\n";
/// let source = Source { imports, ..Source::new("greeting.ogc", text, Language::Ogc) };
/// assert!(compile(&source).is_ok());
///
/// let imports = vec![NamedText { name: "https://example.com/name", text: "{\"type\": \"string\"}" }];
/// let schema = "{\"$ref\": \"https://example.com/name\"}";
/// let source_of_schema = Source { imports, ..Source::new("a.json", schema, Language::JsonSchema) };
/// assert!(compile(&source_of_schema).is_ok());
///
/// let missing = Source { definition: Some("parting"), ..source };
/// assert!(matches!(compile(&missing), Err(Refused::Definition { .. })));
/// ```
pub fn compile(source: &Source<'_>) -> Result<Compiled, Refused> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("ogc compiler".to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, || compile_here(source));
        let thread = thread.map_err(|error| Refused::Thread(error.to_string()))?;
        // Re-raises a panic in the caller's thread.
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn compile_here(source: &Source<'_>) -> Result<Compiled, Refused> {
    let db = Compiler::default();
    let (file, imports) = open(&db, source)?;
    // Errors in an imported text are reported in that text, not at the import.
    for import in &imports {
        // A schema that others refer to may have errors in parts that they do not use.
        if !imports.iter().any(|other| links(&db, *other).files.contains(import)) {
            errors(&db, *import)?;
        }
    }
    let findings = errors(&db, file)?;
    let format = pipeline::select(&db, file, source.definition)
        .map_err(|error| Refused::Definition { file: source.name.to_owned(), error })?;
    let defect = |message: String| Refused::Defect { file: source.name.to_owned(), message };
    let Some(bytes) = pipeline::bare_artifact(&db, format.clone()) else {
        let found = pipeline::format_diagnostics(&db, &format).to_vec();
        let is_told = found.iter().any(Diagnostic::is_error);
        let told = || Refused::Findings(found_in(&db, file, found));
        return Err(if is_told { told() } else { defect("the format was not compiled".to_owned()) });
    };
    let artifact = Artifact::load(bytes).map_err(|error| defect(error.to_string()))?;
    Ok(Compiled { artifact, findings })
}

/// Opens the source and the texts that it may import.
fn open(db: &Compiler, source: &Source<'_>) -> Result<(SourceFile, Vec<SourceFile>), Refused> {
    let options = Options::builder(source.policy, source.formats, Limits::default()).adjustments(source.adjustments);
    let definition = source.definition.filter(|_| source.language.is_whole()).map(str::to_owned);
    let options = options.resources(source.resources.clone()).definition(definition);
    let options = options.special_tokens(source.special_tokens.clone()).new(db);
    let open =
        |name: &str, text: &str, language| SourceFile::new(db, name.to_owned(), text.to_owned(), language, options);
    let file = open(source.name, source.text, source.language);
    let mut files = BTreeMap::from([(source.name.to_owned(), file)]);
    let mut imports = Vec::new();
    for import in &source.imports {
        if import.is_resource() {
            let uri = import.name.trim_end_matches('#');
            files.insert(uri.to_owned(), open(uri, import.text, Language::JsonSchema));
            continue;
        }
        let language = match Language::of_name(import.name) {
            // Schemas can refer only to schemas.
            Err(_) if source.language == Language::JsonSchema => Language::JsonSchema,
            Err(error) => return Err(Refused::Import { file: import.name.to_owned(), error }),
            Ok(language) => language,
        };
        let opened = open(import.name, import.text, language);
        if source.language == Language::Ogc {
            imports.push(opened);
        }
        files.insert(import.name.to_owned(), opened);
    }
    Workspace::new(db, files);
    Ok((file, imports))
}

/// Returns the findings of a file, if none of them is an error.
fn errors(db: &Compiler, file: SourceFile) -> Result<Vec<Finding>, Refused> {
    let found = of_stages(db, file, &Levels::default());
    if found.iter().any(Diagnostic::is_error) {
        let errors = found.into_iter().filter(Diagnostic::is_error).collect();
        return Err(Refused::Findings(found_in(db, file, errors)));
    }
    Ok(found_in(db, file, found))
}

fn found_in(db: &dyn Db, file: SourceFile, found: Vec<Diagnostic>) -> Vec<Finding> {
    let lines = LineIndex::new(file.text(db));
    limited(found).into_iter().map(|found| Finding::new(file.name(db), &lines, found)).collect()
}
