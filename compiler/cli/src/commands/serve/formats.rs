//! Compiles the formats of requests: texts inside a request, or files of a folder.

pub(super) mod resources;
mod stoppable;

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use ogc_compiler::db::{Compiler, Db, Language, Limits, Options, SourceFile, SpecialTokens};
use ogc_compiler::pipeline::{self, Format};
use ogc_export::notation::{self, Refusal, exported};
use ogc_grammar::{ColumnUnit, Diagnostic, LineIndex};
use ogc_runtime::automaton::KeyOrder;
use ogc_serve::{Cancel, Compile, CompiledFormat, Finding, FormatSource, Notation, Refused, SchemaPolicy, SourceText};
use ogc_workbench::settings::Policy;
use ogc_workbench::settings::table::PolicyKey;
use ogc_workbench::words::counted;

use crate::args::FormatArgs;
use crate::commands::generate::escapes::{WRITTEN, open, with_escapes};
use crate::session::Session;
use resources::ResourceTexts;
use stoppable::stoppable;

/// Maximum number of findings in a response.
const MAX_FINDINGS: usize = 20;

/// Compiles the formats of requests.
#[derive(Debug)]
pub(super) struct RequestFormats {
    /// The folder of formats that requests may name.
    pub(super) folder: Option<PathBuf>,
    /// The arguments for reading and compiling formats.
    pub(super) args: FormatArgs,
    pub(super) written_by: WrittenBy,
    /// The limits of a compilation.
    pub(super) limits: Limits,
    /// The schemas to which schemas in requests may refer.
    pub(super) resources: ResourceTexts,
    /// The special tokens that structural tags may name; `None` if another server generates the texts.
    pub(super) special_tokens: Option<Arc<SpecialTokens>>,
}

/// The generator of the texts; it decides the defaults of unset policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenBy {
    /// The model, which may spell each character in one way only.
    Model,
    /// Another server, which may know nothing about spellings and the order of keys.
    OtherServer,
}

impl Compile for RequestFormats {
    fn compile(&self, source: &FormatSource, cancel: &Cancel) -> Result<CompiledFormat, Refused> {
        stoppable(cancel, || {
            self.with(source, |db, format| match source {
                FormatSource::Texts { .. } => compiled(db, format),
                FormatSource::Named { name, .. } => compiled(db, format).map_err(|_| broken(name)),
            })
        })
    }

    fn lower(&self, source: &FormatSource, notation: Notation, cancel: &Cancel) -> Result<String, Refused> {
        let to = match notation {
            Notation::JsonSchema => notation::Notation::JsonSchema,
            Notation::Gbnf => notation::Notation::Gbnf,
            Notation::Lark => notation::Notation::Lark,
        };
        let export = |db: &dyn Db, format: Format| match exported(db, &format, to) {
            Ok((text, _)) => Ok(text),
            // The reason would describe a file that the client must not see.
            Err(_) if matches!(source, FormatSource::Named { .. }) => {
                Err(refused("it cannot say the format".to_owned()))
            }
            Err(Refusal::NoStage(message)) => Err(refused(message)),
            Err(Refusal::Findings(found)) => {
                let first = found.into_iter().find(Diagnostic::is_error);
                Err(refused(first.map_or_else(|| "it cannot say the format".to_owned(), |found| found.message)))
            }
        };
        stoppable(cancel, || self.with(source, export))
    }

    /// Hashes a file of the folder with its imports and the settings beside it; empty for a file that cannot be read,
    /// which [`Compile::compile`] reports.
    fn version(&self, source: &FormatSource) -> Vec<u8> {
        let FormatSource::Named { name, definition } = source else { return Vec::new() };
        let Ok((session, file)) = self.file(name, definition.as_deref()) else { return Vec::new() };
        let mut hasher = blake3::Hasher::new();
        hasher.update(session.settings_in_words(file).as_bytes());
        for (name, text) in session.reached(file).unwrap_or_default() {
            for part in [name, text] {
                hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
            }
        }
        hasher.finalize().as_bytes().to_vec()
    }
}

impl RequestFormats {
    /// Calls a function with the format of a source, if the source has no errors.
    fn with<T>(
        &self,
        source: &FormatSource,
        then: impl FnOnce(&dyn Db, Format) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        match source {
            FormatSource::Texts(texts) => {
                let (db, format) = self.texts(texts)?;
                then(&db, format)
            }
            FormatSource::Named { name, definition } => {
                let (session, file) = self.file(name, definition.as_deref())?;
                check(&session.db, file).map_err(|_| broken(name))?;
                let format = select(&session.db, file, definition.as_deref())?;
                then(&session.db, format)
            }
        }
    }

    /// Returns the default policies of formats in languages other than `.ogc`.
    fn defaults(&self) -> Policy {
        match self.written_by {
            WrittenBy::Model => WRITTEN,
            WrittenBy::OtherServer => Policy { order: Some(KeyOrder::Any), ..Policy::default() },
        }
    }

    /// Reads the texts of a request into a database; the first text is the format.
    fn texts(&self, texts: &[SourceText]) -> Result<(Compiler, Format), Refused> {
        let mut db = Compiler::default();
        let policy = self.args.policy().over(self.defaults());
        let mut files = Vec::new();
        for SourceText { name, text, policies, definition } in texts {
            let policy = named(policies)?.over(policy);
            let options =
                Options::builder(policy.json(), policy.formats(), self.limits).adjustments(policy.adjustments());
            let language = Language::of_name(name).map_err(|error| refused(error.to_string()))?;
            let wanted = definition.clone().filter(|_| language.is_whole());
            let options = options.resources(self.resources.places.clone()).definition(wanted);
            let options = options.special_tokens(self.special_tokens.clone()).new(&db);
            let is_model = self.written_by == WrittenBy::Model;
            let text = if language == Language::Ogc && is_model { with_escapes(text) } else { text.into() };
            files.push(SourceFile::new(&db, name.clone(), text.into_owned(), language, options));
        }
        let named: BTreeMap<String, SourceFile> =
            texts.iter().map(|text| text.name.clone()).zip(files.iter().copied()).collect();
        let Some(&main) = files.first() else { return Err(refused("there is no format".to_owned())) };
        let options = main.options(&db);
        self.resources.publish(&mut db, named, options);
        // An error in an imported text is reported for that text, not at its import.
        for file in files.iter().rev() {
            check(&db, *file)?;
        }
        for (text, file) in texts.iter().zip(&files).skip(1).filter(|(text, _)| text.definition.is_some()) {
            let unknown = |error: Refused| refused(format!("`{}`: {}", text.name, error.message));
            select(&db, *file, text.definition.as_deref()).map_err(unknown)?;
        }
        let format = select(&db, main, texts.first().and_then(|text| text.definition.as_deref()))?;
        Ok((db, format))
    }

    /// Opens a file of the folder; `definition` selects one of its definitions.
    fn file(&self, name: &str, definition: Option<&str>) -> Result<(Session, SourceFile), Refused> {
        let Some(folder) = &self.folder else {
            return Err(refused("this server has no folder of formats: send the `text` of the format".to_owned()));
        };
        let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || name.is_empty() || name.contains(['\\', '\0']) {
            return Err(refused(format!("{name:?} is no path inside of the folder of formats")));
        }
        let mut path = folder.join(name);
        if Language::of_name(name).is_err() {
            path.as_mut_os_string().push(".ogc");
        }
        if !path.is_file() {
            return Err(refused(format!("there is no format {name:?}")));
        }
        let is_ogc = path.extension().is_some_and(|ending| ending == "ogc");
        // An `.ogc` file sets its own policies.
        let plain = self.args.without_policy();
        let args =
            FormatArgs { definition: definition.map(str::to_owned), ..if is_ogc { plain } else { self.args.clone() } };
        let opened = match self.written_by {
            WrittenBy::Model => open(&args, &path, self.limits),
            WrittenBy::OtherServer => {
                let defaults = if is_ogc { Policy::default() } else { self.defaults() };
                let mut session = Session::with_defaults(&args, defaults).within(self.limits);
                session.open(&path).map(|file| (session, file))
            }
        };
        let (mut session, file) = opened.map_err(|_| broken(name))?;
        if let Some(special) = &self.special_tokens {
            session.set_special_tokens(special);
        }
        Ok((session, file))
    }
}

/// Reads the policies of a request.
fn named(policies: &[(SchemaPolicy, String)]) -> Result<Policy, Refused> {
    let mut policy = Policy::default();
    for (asked, value) in policies {
        let set = policy.set(key_of(*asked), value);
        set.map_err(|message| refused(format!("`{}` is {value:?}: {message}", asked.name())))?;
    }
    Ok(policy)
}

fn key_of(policy: SchemaPolicy) -> PolicyKey {
    match policy {
        SchemaPolicy::Space => PolicyKey::Space,
        SchemaPolicy::Order => PolicyKey::Order,
        SchemaPolicy::Escapes => PolicyKey::Escapes,
        SchemaPolicy::Numbers => PolicyKey::Numbers,
        SchemaPolicy::Words => PolicyKey::Words,
        SchemaPolicy::Formats => PolicyKey::Formats,
        SchemaPolicy::Annotate => PolicyKey::Annotate,
        SchemaPolicy::Objects => PolicyKey::Objects,
    }
}

/// Makes the error for a file of the folder that cannot be read or compiled. Details and the folder's path are for the
/// operator only.
fn broken(name: &str) -> Refused {
    refused(format!("the format {name:?} of this server has errors: its operator sees them with `ogc check`"))
}

fn refused(message: String) -> Refused {
    Refused { message, findings: Vec::new() }
}

/// Returns an error if a file has errors.
fn check(db: &dyn Db, file: SourceFile) -> Result<(), Refused> {
    let found = pipeline::diagnostics(db, file);
    let errors: Vec<&Diagnostic> = found.iter().filter(|found| found.is_error()).collect();
    let Some(first) = errors.first() else { return Ok(()) };
    let lines = LineIndex::new(file.text(db));
    let finding = |found: &&Diagnostic| {
        let position = lines.position(found.span.start, ColumnUnit::Characters);
        Finding {
            code: found.code.to_string(),
            message: found.message.clone(),
            line: position.line as usize + 1,
            column: position.column as usize + 1,
        }
    };
    let findings: Vec<Finding> = errors.iter().take(MAX_FINDINGS).map(finding).collect();
    let place = lines.place(first.span.start);
    let count = counted(errors.len(), "error");
    let help = first.help.as_ref().map(|help| format!(": {help}")).unwrap_or_default();
    let message = format!("`{}` has {count}; {place}: {}{help}", file.name(db), first.message);
    Err(Refused { message, findings })
}

/// Returns the format that a request selects in a file.
fn select(db: &dyn Db, file: SourceFile, definition: Option<&str>) -> Result<Format, Refused> {
    pipeline::select(db, file, definition).map_err(|error| refused(error.with_way("as `definition` in `ogc`")))
}

fn compiled(db: &dyn Db, format: Format) -> Result<CompiledFormat, Refused> {
    let findings = pipeline::format_diagnostics(db, &format);
    let content = pipeline::content(db, format.clone());
    let made = pipeline::automaton(db, format).map(|automaton| {
        let bytes = automaton.bytes() + content.bytes();
        CompiledFormat { automaton, bytes, content }
    });
    made.ok_or_else(|| {
        let first = findings.iter().find(|found| found.is_error());
        refused(first.map_or("the format cannot be compiled".to_owned(), |found| found.message.clone()))
    })
}
