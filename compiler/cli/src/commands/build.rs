//! `ogc build`: compiles formats and their masks to artifacts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ogc_compiler::db::{SourceFile, VocabularyInput};
use ogc_compiler::pipeline;
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
    Problem(Problem),
}

pub(crate) fn run(args: &Build, output: &Output) -> Result<Verdict, Problem> {
    let session = Session::with_levels(&args.format, &args.levels);
    let found = files::formats(&args.paths)?;
    let bar = progress(found.len(), output);
    let mut outcomes = Vec::new();
    for format in &found {
        bar.set_message(format.path.display().to_string());
        let outcome = bar.suspend(|| one(&session, args, format, output));
        outcomes.push(outcome.unwrap_or_else(Outcome::Problem));
        bar.inc(1);
    }
    bar.finish_and_clear();
    report(&found, &outcomes, args, output)
}

/// A bar on standard error, if people watch it.
fn progress(formats: usize, output: &Output) -> ProgressBar {
    let target = if output.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(formats as u64), target);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}");
    style.map(|style| bar.clone().with_style(style)).unwrap_or(bar)
}

fn one(session: &Session, args: &Build, format: &Found, output: &Output) -> Result<Outcome, Problem> {
    let file = session.open(&format.path)?;
    let vocabulary = (!args.no_masks).then(|| session.vocabulary(args.vocab.as_deref(), file)).transpose()?;
    let begin = Instant::now();
    let Some(automaton) = session.compile(file, output)? else { return Ok(Outcome::Errors) };
    let Some(artifact) = artifact(session, file, vocabulary, &format.path)? else { return Ok(Outcome::Errors) };
    let time = begin.elapsed();
    let rows = vocabulary.and_then(|vocabulary| rows(session, file, vocabulary));
    let path = target(args, session.project(file).out.as_deref(), format);
    let written = write(&path, &artifact, output)?;
    Ok(Outcome::Built(Built { states: automaton.states.len(), rows, bytes: artifact.len(), time, path, written }))
}

/// The bytes of the artifact, with masks where there is a vocabulary.
fn artifact(
    session: &Session,
    file: SourceFile,
    vocabulary: Option<VocabularyInput>,
    path: &Path,
) -> Result<Option<Arc<[u8]>>, Problem> {
    let Some(vocabulary) = vocabulary else { return Ok(pipeline::bare_artifact(&session.db, file)) };
    pipeline::artifact(&session.db, file, vocabulary)
        .map_err(|error| Problem::Engine { path: path.to_owned(), message: error.to_string() })
}

/// How many distinct rows the masks have.
fn rows(session: &Session, file: SourceFile, vocabulary: VocabularyInput) -> Option<usize> {
    let masks = pipeline::masks(&session.db, file, vocabulary).ok()??;
    Some(masks.report().rows)
}

/// Where a format's artifact goes: `order.json` becomes `order.json.ogca`, so that no two formats share a name.
fn target(args: &Build, settings: Option<&Path>, format: &Found) -> PathBuf {
    let (directory, name) = match args.output.as_deref().or(settings) {
        Some(output) if output == Path::new("-") => return output.to_owned(),
        Some(output) => (output, format.relative.as_path()),
        None => (Path::new(""), format.path.as_path()),
    };
    let mut path = directory.join(if name == Path::new("-") { Path::new("stdin") } else { name }).into_os_string();
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

fn report(found: &[Found], outcomes: &[Outcome], args: &Build, output: &Output) -> Result<Verdict, Problem> {
    let mut table = Table::new(&["format", "states", "rows", "artifact", "time", ""]);
    let mut verdict = Verdict::Good;
    for (format, outcome) in found.iter().zip(outcomes) {
        verdict = verdict.max(line(format, outcome, &mut table, output)?);
    }
    if !output.is_json() && args.output.as_deref() != Some(Path::new("-")) {
        output.line(table.render())?;
    }
    Ok(verdict)
}

fn line(format: &Found, outcome: &Outcome, table: &mut Table, output: &Output) -> Result<Verdict, Problem> {
    let name = format.path.display().to_string();
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
