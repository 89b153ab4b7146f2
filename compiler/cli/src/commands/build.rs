//! `ogc build`: compiles formats and their masks to artifacts. Files that have not changed since the last build are
//! skipped ([`record`]). The artifacts in a folder share a pool of rows ([`pools`]).

mod pools;
mod record;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use always_assert::never;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ogc_compiler::db::{SourceFile, VocabularyInput};
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::{Code, Diagnostic, Severity};
use ogc_runtime::artifact::LoadError;
use ogc_runtime::mask::PackReport;

use crate::args::Build;
use crate::files::{self, FormatFile, Listing};
use crate::message::{self, BuiltArtifact, Counts, Message};
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;
use crate::source::is_stdin;
use crate::table::{Table, bytes, millis};
use crate::verdict::Verdict;
use crate::visible::{file_name, visible_line};
use pools::Pools;
use record::{Entry, Record, Recorder};

/// The artifact of one format, and its figures.
struct Built {
    entry: Entry,
    time: Duration,
    path: PathBuf,
    written: bool,
    up_to_date: bool,
    /// The bytes of an artifact that may be written only after its pool has its rows.
    waiting: Option<Arc<[u8]>>,
}

/// The outcome of building one format.
enum Outcome {
    Built(Built),
    Errors,
    /// The file has no outputs, only types and rules that other files use.
    NoOutputs,
    Problem(Problem),
}

/// A format's file, its output, and the outcome of building it.
struct Named {
    file: String,
    output: Option<String>,
    outcome: Outcome,
}

/// Settings and progress that all formats of a build share.
struct Builder<'a> {
    args: &'a Build,
    output: &'a Output,
    bar: ProgressBar,
    recorder: Recorder,
    pools: Pools,
}

pub(crate) fn run(args: &Build, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::with_levels(&args.format, &args.levels).speaking(args.vocab.as_deref(), &args.ends);
    let Listing { found, problems } = files::formats(&args.paths)?;
    to_standard_output(args, found.len(), output)?;
    let (recorder, pools) = (Recorder::default(), Pools::default());
    let builder = Builder { args, output, bar: progress(found.len(), output), recorder, pools };
    let mut outcomes = Vec::new();
    for format in &found {
        let file = file_name(&format.path);
        builder.bar.set_message(visible_line(&file).into_owned());
        let made = builder.one(&mut session, format);
        outcomes.extend(
            made.unwrap_or_else(|problem| vec![Named { file, output: None, outcome: Outcome::Problem(problem) }]),
        );
        builder.bar.inc(1);
    }
    builder.bar.finish_and_clear();
    builder.pools.write()?;
    outcomes.iter_mut().for_each(|named| write_waiting(named, output));
    let unsearched = output.problems(&problems);
    Ok(report(&outcomes, args, output)?.max(unsearched))
}

/// Returns an error if a build to standard output would mix several artifacts, or an artifact and messages.
fn to_standard_output(args: &Build, formats: usize, output: &Output) -> Result<(), Problem> {
    let message = match args.output.as_deref() {
        Some(path) if !is_stdin(path) => return Ok(()),
        None => return Ok(()),
        Some(_) if output.is_json() => {
            "`--output -` would mix the artifact with the messages of `--message-format json`"
        }
        Some(_) if formats > 1 => "`--output -` writes a single artifact, and there are several formats",
        Some(_) => return Ok(()),
    };
    Err(Problem::Usage { message: format!("{message}; name a folder with --output") })
}

/// Makes the progress bar on standard error, hidden if standard error is no terminal. It moves while a format is built.
fn progress(formats: usize, output: &Output) -> ProgressBar {
    let target = if output.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(formats as u64), target);
    let bar = match ProgressStyle::with_template("{spinner} {bar:30} {pos}/{len} [{elapsed}] {wide_msg}") {
        Ok(style) => bar.with_style(style),
        Err(error) => {
            never!("the template of the bar: {}", error);
            bar
        }
    };
    if output.shows_progress() {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    bar
}

impl Builder<'_> {
    /// Builds the formats of a file, unless they are up to date.
    fn one(&self, session: &mut Session, found: &FormatFile) -> Result<Vec<Named>, Problem> {
        let begin = Instant::now();
        let file = session.open(&found.path)?;
        let settings = session.project(file);
        let inputs = self.recorder.inputs(session, self.args, file);
        let record = inputs.as_deref().and_then(|inputs| {
            let record = record::valid(self.args, settings.out.as_deref(), found, inputs, &self.pools)?;
            (!self.output.is_json() || record.notes == 0).then_some(record)
        });
        if let Some(record) = record {
            let made = record.artifacts.into_iter();
            return Ok(made.map(|entry| self.up_to_date(session, found, file, entry, begin.elapsed())).collect());
        }
        let (made, notes) = self.all(session, found, file)?;
        let record = inputs.zip(notes).and_then(|(inputs, notes)| recorded(inputs, notes, &made));
        record::keep(self.args, settings.out.as_deref(), found, record.as_ref());
        Ok(made)
    }

    fn up_to_date(
        &self,
        session: &Session,
        found: &FormatFile,
        file: SourceFile,
        entry: Entry,
        time: Duration,
    ) -> Named {
        let path = target(self.args, session.project(file).out.as_deref(), found, entry.output.as_deref());
        let output = entry.output.clone();
        let built = Built { entry, time, path, written: false, up_to_date: true, waiting: None };
        Named { file: file_name(&found.path), output, outcome: Outcome::Built(built) }
    }

    /// Builds the formats of a file. If there was no warning and no error, also returns the number of notes.
    fn all(
        &self,
        session: &Session,
        found: &FormatFile,
        file: SourceFile,
    ) -> Result<(Vec<Named>, Option<usize>), Problem> {
        let name = file_name(&found.path);
        let named = |output: Option<String>, outcome| Named { file: name.clone(), output, outcome };
        let flag = self.args.vocab.as_deref();
        let vocabulary = (!self.args.no_masks).then(|| session.ended_vocabulary(flag, file)).transpose()?;
        let begin = Instant::now();
        let mut said = session.all_diagnostics(file, vocabulary);
        let mut notes = said.iter().all(|one| one.severity == Severity::Note).then_some(said.len());
        // `ogc build` shows people no notes; `ogc check --vocab` does.
        said.retain(|one| one.severity != Severity::Note || one.code == Code::UncheckedBudget || self.output.is_json());
        // A note about unchecked budgets must appear again in the next build, so no record is kept.
        notes = notes.filter(|_| said.iter().all(|one| one.code != Code::UncheckedBudget));
        if !self.bar.suspend(|| session.show(file, &said, self.output))? {
            return Ok((vec![named(None, Outcome::Errors)], None));
        }
        let checked = begin.elapsed();
        let mut made = Vec::new();
        for format in session.formats(file)? {
            let output = format.name.as_ref().map(ToString::to_string);
            let what = [Some(name.as_str()), output.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
            self.bar.set_message(visible_line(&what).into_owned());
            let begin = Instant::now();
            let (outcome, said) = self
                .build(session, found, (&format, vocabulary))
                .unwrap_or_else(|problem| (Outcome::Problem(problem), Vec::new()));
            said.iter().try_for_each(|one| self.bar.suspend(|| self.output.diagnostic(session.text(file), one)))?;
            notes = notes.filter(|_| said.is_empty());
            made.push(named(output, timed(outcome, begin.elapsed() + checked)));
        }
        if made.is_empty() {
            made.push(named(None, Outcome::NoOutputs));
        }
        Ok((made, notes))
    }

    /// Builds one format; returns the outcome and further findings.
    fn build(
        &self,
        session: &Session,
        found: &FormatFile,
        (format, vocabulary): (&Format, Option<VocabularyInput>),
    ) -> Result<(Outcome, Vec<Diagnostic>), Problem> {
        let nothing = || Ok((Outcome::Errors, Vec::new()));
        let Some(automaton) = pipeline::automaton(&session.db, format.clone()) else { return nothing() };
        let settings = session.project(format.file);
        let folder = pool_folder(self.args, settings.out.as_deref());
        let pooled = folder.zip(vocabulary);
        let artifact = match pooled {
            Some((folder, vocabulary)) => self.pooled(session, (format, vocabulary), folder, &found.path)?,
            None => artifact(session, format, vocabulary, &found.path)?,
        };
        let Some(artifact) = artifact else {
            never!("{} has an automaton and no artifact", found.path.display());
            return nothing();
        };
        let report = vocabulary.and_then(|vocabulary| report_of(session, format, vocabulary));
        let refused = pipeline::captures(&session.db, format.clone()).refused;
        let path = target(self.args, settings.out.as_deref(), found, format.name.as_deref());
        let written = pooled.is_none() && write(&path, &artifact, self.output)?;
        let rows = report.map(|report| report.rows);
        let entry = Entry::of(format.name.as_deref(), automaton.states.len(), rows, &artifact);
        let waiting = pooled.map(|_| artifact);
        let built = Built { entry, time: Duration::ZERO, path, written, up_to_date: false, waiting };
        Ok((Outcome::Built(built), refused.into_iter().collect()))
    }

    /// Returns the bytes of an artifact whose rows are in the pool of a folder, and registers the rows for that pool.
    fn pooled(
        &self,
        session: &Session,
        (format, vocabulary): (&Format, VocabularyInput),
        folder: &Path,
        path: &Path,
    ) -> Result<Option<Arc<[u8]>>, Problem> {
        let failed = |error: LoadError| Problem::Engine { path: path.to_owned(), message: error.to_string() };
        let masks = pipeline::masks(&session.db, format.clone(), vocabulary).map_err(failed)?;
        let Some(masks) = masks else { return Ok(None) };
        self.pools.add(folder, &vocabulary.store(&session.db), masks);
        pipeline::pooled_artifact(&session.db, format.clone(), vocabulary).map_err(failed)
    }
}

/// Writes an artifact that waited for its pool.
fn write_waiting(named: &mut Named, output: &Output) {
    let Outcome::Built(built) = &mut named.outcome else { return };
    let Some(artifact) = built.waiting.take() else { return };
    match write(&built.path, &artifact, output) {
        Ok(written) => built.written = written,
        Err(problem) => named.outcome = Outcome::Problem(problem),
    }
}

/// Makes the record of a file's build; `None` if one of its formats was not built.
fn recorded(inputs: String, notes: usize, made: &[Named]) -> Option<Record> {
    let entry = |named: &Named| match &named.outcome {
        Outcome::Built(built) => Some(built.entry.clone()),
        Outcome::Errors | Outcome::NoOutputs | Outcome::Problem(_) => None,
    };
    let artifacts = made.iter().map(entry).collect::<Option<Vec<Entry>>>()?;
    Some(Record { inputs, notes, artifacts })
}

fn timed(outcome: Outcome, time: Duration) -> Outcome {
    match outcome {
        Outcome::Built(built) => Outcome::Built(Built { time, ..built }),
        Outcome::Errors | Outcome::NoOutputs | Outcome::Problem(_) => outcome,
    }
}

/// Returns the bytes of the artifact, with masks if there is a vocabulary.
fn artifact(
    session: &Session,
    format: &Format,
    vocabulary: Option<VocabularyInput>,
    path: &Path,
) -> Result<Option<Arc<[u8]>>, Problem> {
    let Some(vocabulary) = vocabulary else { return Ok(pipeline::bare_artifact(&session.db, format.clone())) };
    pipeline::artifact(&session.db, format.clone(), vocabulary)
        .map_err(|error| Problem::Engine { path: path.to_owned(), message: error.to_string() })
}

/// Returns the report on the masks of a format that was built with masks.
fn report_of(session: &Session, format: &Format, vocabulary: VocabularyInput) -> Option<PackReport> {
    let Ok(Some(masks)) = pipeline::masks(&session.db, format.clone(), vocabulary) else {
        never!("{:?} of {} has an artifact with masks, and no masks", format.name, format.file.name(&session.db));
        return None;
    };
    Some(masks.report())
}

/// Returns the folder whose pool holds the rows of the artifacts. `None` if each artifact holds its own rows: beside
/// its format, on standard output, or with `--self-contained`.
fn pool_folder<'a>(args: &'a Build, settings: Option<&'a Path>) -> Option<&'a Path> {
    let folder = args.output.as_deref().or(settings)?;
    (!args.self_contained && !is_stdin(folder)).then_some(folder)
}

/// Returns the path of a format's artifact: `order.json` becomes `order.json.ogca`, and the output `Reply` of
/// `chat.ogc` becomes `chat.ogc.Reply.ogca`. So no two formats share a path.
fn target(args: &Build, settings: Option<&Path>, format: &FormatFile, output: Option<&str>) -> PathBuf {
    let (directory, name) = match args.output.as_deref().or(settings) {
        Some(output) if output == Path::new("-") => return output.to_owned(),
        Some(output) => (output, format.relative.as_path()),
        None => (Path::new(""), format.path.as_path()),
    };
    let mut path = directory.join(if name == Path::new("-") { Path::new("stdin") } else { name }).into_os_string();
    if let Some(name) = output {
        path.push(".");
        path.push(name);
    }
    path.push(".ogca");
    path.into()
}

fn write(path: &Path, artifact: &[u8], output: &Output) -> Result<bool, Problem> {
    if path == Path::new("-") {
        output.raw(artifact)?;
        return Ok(true);
    }
    files::write_changed(path, artifact)
}

fn report(outcomes: &[Named], args: &Build, output: &Output) -> Result<Verdict, Problem> {
    let mut table = Table::new(&["format", "states", "rows", "artifact", "time", ""]);
    let mut verdict = Verdict::Good;
    for named in outcomes {
        verdict = verdict.max(line(named, &mut table, output)?);
    }
    let built = || {
        outcomes.iter().filter_map(|named| if let Outcome::Built(built) = &named.outcome { Some(built) } else { None })
    };
    let counts = Counts {
        formats: Some(built().count()),
        up_to_date: Some(built().filter(|built| built.up_to_date).count()),
        ..Counts::default()
    };
    if args.output.as_deref().is_none_or(|path| !is_stdin(path)) {
        output.summary(counts, || table.render())?;
    }
    Ok(verdict)
}

fn line(named: &Named, table: &mut Table, output: &Output) -> Result<Verdict, Problem> {
    let name = [Some(named.file.as_str()), named.output.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let short = |name: String, last: &str| {
        let mut cells = vec![name];
        cells.resize(5, String::new());
        cells.push(last.to_owned());
        cells
    };
    match &named.outcome {
        Outcome::Built(built) => {
            if output.is_json() {
                output.say(&object(named, built))?;
            }
            table.row(cells(name, built));
            Ok(Verdict::Good)
        }
        Outcome::Errors => {
            table.row(short(name, "errors"));
            Ok(Verdict::Bad)
        }
        Outcome::NoOutputs => {
            table.row(short(name, "no outputs"));
            Ok(Verdict::Good)
        }
        Outcome::Problem(problem) => {
            output.problem(problem);
            table.row(short(name, "failed"));
            Ok(problem.verdict())
        }
    }
}

fn cells(name: String, built: &Built) -> Vec<String> {
    let rows = built.entry.rows.map_or_else(String::new, |rows| rows.to_string());
    let state = match (built.up_to_date, built.written) {
        (true, _) => "up to date",
        (false, true) => "",
        (false, false) => "unchanged",
    };
    let (states, length) = (built.entry.states.to_string(), bytes(built.entry.bytes));
    vec![name, states, rows, length, millis(built.time), state.to_owned()]
}

fn object(named: &Named, built: &Built) -> Message {
    Message::Artifact(BuiltArtifact {
        file: named.file.clone(),
        output: named.output.clone(),
        path: file_name(&built.path),
        states: built.entry.states,
        rows: built.entry.rows,
        bytes: built.entry.bytes,
        ms: message::millis(built.time),
        written: built.written,
        up_to_date: built.up_to_date,
    })
}
