//! `ogc check --watch`: checks again on every change.
//!
//! One database is kept, and only texts that changed are set in it, so that only what depends on them is computed again.
//! A changed `ogc.toml` begins a new one, because it may concern every format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use ogc_compiler::db::SourceFile;
use serde_json::json;

use super::{fix, good, verdict};
use crate::args::Check;
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::session::Session;
use crate::table::millis;
use crate::{files, project};

/// How long nothing may happen before a burst of changes is taken as over.
const QUIET: Duration = Duration::from_millis(60);

/// What is watched, and what is known of it.
struct Watch<'a> {
    args: &'a Check,
    output: &'a Output,
    session: Session,
    known: BTreeMap<PathBuf, SourceFile>,
}

pub(super) fn run(args: &Check, output: &Output) -> Result<Verdict, Problem> {
    let (sender, changes) = channel();
    let watcher = notify::recommended_watcher(move |event| drop(sender.send(event))).map_err(unheard)?;
    let _watcher = listen(watcher, &args.paths)?;
    let session = Session::with_levels(&args.format, &args.levels);
    let mut watch = Watch { args, output, session, known: BTreeMap::new() };
    watch.check()?;
    while let Some(settings) = next_change(&changes) {
        if settings {
            watch.session = Session::with_levels(&args.format, &args.levels);
            watch.known.clear();
        }
        if watch.changed() || settings {
            watch.check()?;
        }
    }
    Ok(Verdict::Good)
}

fn unheard(error: notify::Error) -> Problem {
    Problem::Watch { message: format!("changes of files cannot be heard of: {error}") }
}

/// Listens to directories, and for files to the directory they are in: editors replace files.
fn listen(mut watcher: RecommendedWatcher, paths: &[PathBuf]) -> Result<RecommendedWatcher, Problem> {
    for path in paths {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (path, mode) = match path.is_dir() {
            true => (path.as_path(), RecursiveMode::Recursive),
            false => (folder, RecursiveMode::NonRecursive),
        };
        watcher.watch(path, mode).map_err(unheard)?;
    }
    Ok(watcher)
}

/// Waits for a burst of changes to end; says whether an `ogc.toml` is among them, `None` when nothing more can come.
fn next_change(changes: &Receiver<notify::Result<Event>>) -> Option<bool> {
    let mut settings = None;
    loop {
        let next = match settings {
            None => changes.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => changes.recv_timeout(QUIET),
        };
        match next {
            Ok(Ok(event)) if event.kind.is_access() => {}
            Ok(Ok(event)) => {
                let here = event.paths.iter().any(|path| path.file_name().is_some_and(|name| name == project::NAME));
                settings = Some(here || settings == Some(true));
            }
            Ok(Err(_)) => settings = settings.or(Some(false)),
            Err(RecvTimeoutError::Timeout) => return settings,
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

impl Watch<'_> {
    /// Sets what changed in the database; says whether anything did.
    fn changed(&mut self) -> bool {
        let found = files::formats(&self.args.paths).unwrap_or_default();
        let gone = self.known.len();
        self.known.retain(|path, _| found.iter().any(|format| format.path == *path));
        let mut changed = gone != self.known.len();
        for format in found {
            let text = files::read_text(&format.path, self.args.format.max_input);
            changed |= match (self.known.get(&format.path), text) {
                (Some(&file), Ok(text)) => self.session.set_text(file, text),
                (Some(_), Err(_)) => self.known.remove(&format.path).is_some(),
                (None, _) => true,
            };
        }
        changed
    }

    /// Checks everything and shows what is found.
    fn check(&mut self) -> Result<(), Problem> {
        let begin = Instant::now();
        self.output.clear()?;
        let found = files::formats(&self.args.paths).unwrap_or_else(|problem| {
            self.output.problem(&problem);
            Vec::new()
        });
        let mut verdicts = Vec::new();
        for format in found {
            verdicts.push(self.one(&format.path)?);
        }
        let (all, good, time) = (verdicts.len(), good(&verdicts), begin.elapsed());
        let summary = json!({"type": "summary", "formats": all, "good": good, "ms": time.as_secs_f64() * 1e3});
        let words = || format!("{good} of {all} formats are good, after {}; waiting for changes", millis(time));
        Ok(self.output.either(summary, words)?)
    }

    fn one(&mut self, path: &Path) -> Result<Verdict, Problem> {
        if self.args.fix {
            fix::run(&mut self.session, path, self.args.format.max_input, self.output)?;
        }
        let opened = match self.known.get(path) {
            Some(&file) => Ok(file),
            None => self.session.open(path),
        };
        match opened {
            Ok(file) => {
                self.known.insert(path.to_owned(), file);
                verdict(&self.session, file, self.args, self.output)
            }
            Err(problem) => {
                self.output.problem(&problem);
                Ok(problem.verdict())
            }
        }
    }
}
