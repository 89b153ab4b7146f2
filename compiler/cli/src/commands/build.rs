//! `ogc build`: compiles formats and their masks to artifacts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ogc_compiler::db::VocabularyInput;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::Severity;
use ogc_runtime::mask::PackReport;
use serde_json::json;

use crate::args::Build;
use crate::files::{self, Found};
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::session::Session;
use crate::table::{Table, bytes, millis};

/// What was built of one format.
struct Built {
    states: usize,
    rows: Option<usize>,
    bytes: usize,
    time: Duration,
    path: PathBuf,
    written: bool,
}

/// What happened to one format.
enum Outcome {
    Built(Built),
    Errors,
    /// A file of types and rules that others use.
    NoOutputs,
    Problem(Problem),
}

pub(crate) fn run(args: &Build, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::with_levels(&args.format, &args.levels);
    let found = files::formats(&args.paths)?;
    let bar = progress(found.len(), output);
    let mut outcomes = Vec::new();
    for format in &found {
        bar.set_message(format.path.display().to_string());
        let made = bar.suspend(|| one(&mut session, args, format, output));
        outcomes.extend(
            made.unwrap_or_else(|problem| vec![(format.path.display().to_string(), Outcome::Problem(problem))]),
        );
        bar.inc(1);
    }
    bar.finish_and_clear();
    report(&outcomes, args, output)
}

/// A bar on standard error, if people watch it.
fn progress(formats: usize, output: &Output) -> ProgressBar {
    let target = if output.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(formats as u64), target);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}");
    style.map(|style| bar.clone().with_style(style)).unwrap_or(bar)
}

/// Builds the formats of a file: each with its name and what happened.
fn one(session: &mut Session, args: &Build, found: &Found, output: &Output) -> Result<Vec<Named>, Problem> {
    let file = session.open(&found.path)?;
    let vocabulary = (!args.no_masks).then(|| session.vocabulary(args.vocab.as_deref(), file)).transpose()?;
    let name = found.path.display().to_string();
    let begin = Instant::now();
    let mut said = session.all_diagnostics(file, vocabulary);
    // People who build want what is wrong; `ogc check --vocab` has the advice.
    said.retain(|one| one.severity != Severity::Note || output.is_json());
    if !session.show(file, &said, output)? {
        return Ok(vec![(name, Outcome::Errors)]);
    }
    let checked = begin.elapsed();
    let mut made = Vec::new();
    for format in session.formats(file)? {
        let shown = format.name.as_ref().map_or_else(|| name.clone(), |output| format!("{name} {output}"));
        let begin = Instant::now();
        let outcome = build(session, args, found, (&format, vocabulary), output).unwrap_or_else(Outcome::Problem);
        made.push((shown, timed(outcome, begin.elapsed() + checked)));
    }
    if made.is_empty() {
        made.push((name, Outcome::NoOutputs));
    }
    Ok(made)
}

/// A format's name and what happened to it.
type Named = (String, Outcome);

fn timed(outcome: Outcome, time: Duration) -> Outcome {
    match outcome {
        Outcome::Built(built) => Outcome::Built(Built { time, ..built }),
        Outcome::Errors | Outcome::NoOutputs | Outcome::Problem(_) => outcome,
    }
}

fn build(
    session: &Session,
    args: &Build,
    found: &Found,
    (format, vocabulary): (&Format, Option<VocabularyInput>),
    output: &Output,
) -> Result<Outcome, Problem> {
    let begin = Instant::now();
    let Some(automaton) = pipeline::automaton(&session.db, format.clone()) else { return Ok(Outcome::Errors) };
    let Some(artifact) = artifact(session, format, vocabulary, &found.path)? else { return Ok(Outcome::Errors) };
    let report = vocabulary.and_then(|vocabulary| report_of(session, format, vocabulary));
    let elapsed = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
    let over = pipeline::build_findings(
        &session.db,
        format,
        report.map(|report| report.row_bytes + report.exit_bytes),
        elapsed,
    );
    if !over.is_empty() {
        over.iter().try_for_each(|one| output.diagnostic(session.text(format.file), one))?;
        return Ok(Outcome::Errors);
    }
    if let Some(refused) = pipeline::captures(&session.db, format.clone()).refused {
        output.diagnostic(session.text(format.file), &refused)?;
    }
    let rows = report.map(|report| report.rows);
    let path = target(args, session.project(format.file).out.as_deref(), found, format.name.as_deref());
    let written = write(&path, &artifact, output)?;
    let (states, bytes, time) = (automaton.states.len(), artifact.len(), Duration::ZERO);
    Ok(Outcome::Built(Built { states, rows, bytes, time, path, written }))
}

/// The bytes of the artifact, with masks where there is a vocabulary.
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

/// What the masks cost.
fn report_of(session: &Session, format: &Format, vocabulary: VocabularyInput) -> Option<PackReport> {
    let masks = pipeline::masks(&session.db, format.clone(), vocabulary).ok()??;
    Some(masks.report())
}

/// Where a format's artifact goes: `order.json` becomes `order.json.ogca`, the output `Reply` of `chat.ogc` becomes
/// `chat.ogc.Reply.ogca`, so that no two formats share a name.
fn target(args: &Build, settings: Option<&Path>, format: &Found, output: Option<&str>) -> PathBuf {
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
    for (name, outcome) in outcomes {
        verdict = verdict.max(line(name.clone(), outcome, &mut table, output)?);
    }
    if !output.is_json() && args.output.as_deref() != Some(Path::new("-")) {
        output.line(table.render())?;
    }
    Ok(verdict)
}

fn line(name: String, outcome: &Outcome, table: &mut Table, output: &Output) -> Result<Verdict, Problem> {
    let short = |name: String, last: &str| {
        let mut cells = vec![name];
        cells.resize(5, String::new());
        cells.push(last.to_owned());
        cells
    };
    match outcome {
        Outcome::Built(built) => {
            if output.is_json() && built.path != Path::new("-") {
                output.line(object(&name, built))?;
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
    let rows = built.rows.map_or_else(String::new, |rows| rows.to_string());
    let state = if built.written { "" } else { "unchanged" };
    vec![name, built.states.to_string(), rows, bytes(built.bytes), millis(built.time), state.to_owned()]
}

fn object(name: &str, built: &Built) -> serde_json::Value {
    json!({
        "type": "artifact", "file": name, "path": built.path.display().to_string(), "states": built.states,
        "rows": built.rows, "bytes": built.bytes, "ms": built.time.as_secs_f64() * 1e3, "written": built.written,
    })
}
