//! `ogc check --watch`: checks again on every change.
//!
//! One database is kept, and only changed texts are set in it, so that only results that depend on them are computed
//! again. A changed `ogc.toml` starts a new database, because it may affect every format.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use ogc_workbench::settings::NAME;

use super::{fix, good, verdict, words};
use crate::args::Check;
use crate::files::{self, Listing};
use crate::message::{self, Counts};
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;
use crate::table::millis;
use crate::verdict::Verdict;

/// Time without changes after which a burst of changes counts as over.
const QUIET: Duration = Duration::from_millis(60);

/// Maximum time to wait for the end of a burst.
const PATIENCE: Duration = Duration::from_millis(500);

/// The state of `--watch`.
struct Watch<'a> {
    args: &'a Check,
    output: &'a Output,
    session: Session,
    /// The formats that existed at the last check.
    known: BTreeSet<PathBuf>,
    listener: Listener,
}

pub(super) fn run(args: &Check, output: &Output) -> Result<Verdict, Problem> {
    let (sender, changes) = channel();
    let watcher = notify::recommended_watcher(move |event| drop(sender.send(event))).map_err(unheard)?;
    let mut listener = Listener { watcher, folders: BTreeSet::new() };
    listener.listen(&args.paths)?;
    let session = Session::with_levels(&args.format, &args.levels);
    let mut watch = Watch { args, output, session, known: BTreeSet::new(), listener };
    watch.check()?;
    while let Some(settings) = next_change(&changes) {
        // A directory that was deleted and created again must be watched anew.
        drop(watch.listener.listen(&args.paths));
        if settings {
            watch.session = Session::with_levels(&args.format, &args.levels);
        }
        if watch.changed() || settings {
            watch.check()?;
        }
        if output.is_unread() {
            break;
        }
    }
    Ok(Verdict::Good)
}

fn unheard(error: notify::Error) -> Problem {
    Problem::Watch { message: format!("files cannot be watched: {error}") }
}

/// The watcher of the file system.
struct Listener {
    watcher: RecommendedWatcher,
    /// The watched folders of imported files that lie outside the named paths.
    folders: BTreeSet<PathBuf>,
}

impl Listener {
    /// Watches directories, and the directory of each file: editors replace files, and directories may be created
    /// again.
    fn listen(&mut self, paths: &[PathBuf]) -> Result<(), Problem> {
        for path in paths {
            self.watcher.watch(folder(path), RecursiveMode::NonRecursive).map_err(unheard)?;
            if path.is_dir() {
                self.watcher.watch(path, RecursiveMode::Recursive).map_err(unheard)?;
            }
        }
        Ok(())
    }

    /// Watches the directories of files that are imported from elsewhere; failures are ignored.
    fn listen_beside<'p>(&mut self, files: impl Iterator<Item = &'p Path>, named: &[PathBuf]) {
        for folder in files.map(folder) {
            let heard = named.iter().any(|path| folder.starts_with(path) || self::folder(path) == folder);
            if !heard && self.folders.insert(folder.to_owned()) {
                drop(self.watcher.watch(folder, RecursiveMode::NonRecursive));
            }
        }
    }
}

/// Returns the directory of a path.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Waits for a burst of changes to end; returns whether it changed an `ogc.toml`, or `None` if no more changes can
/// come.
fn next_change(changes: &Receiver<notify::Result<Event>>) -> Option<bool> {
    let mut settings = None;
    let mut begin = Instant::now();
    loop {
        let next = match settings {
            None => changes.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => changes.recv_timeout(QUIET.min(PATIENCE.saturating_sub(begin.elapsed()))),
        };
        if settings.is_none() {
            begin = Instant::now();
        }
        if settings.is_some() && begin.elapsed() >= PATIENCE {
            return settings.map(|known| known || next.is_ok_and(|event| event.is_ok_and(|event| is_settings(&event))));
        }
        match next {
            Ok(Ok(event)) if event.kind.is_access() => {}
            Ok(Ok(event)) => {
                settings = Some(is_settings(&event) || settings == Some(true));
            }
            Ok(Err(_)) => settings = settings.or(Some(false)),
            Err(RecvTimeoutError::Timeout) => return settings,
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Returns whether an `ogc.toml` changed.
fn is_settings(event: &Event) -> bool {
    event.paths.iter().any(|path| path.file_name().is_some_and(|name| name == NAME))
}

impl Watch<'_> {
    /// Sets changed texts in the database; returns whether there were any. Files that could not be read are retried.
    fn changed(&mut self) -> bool {
        let listing = files::formats(&self.args.paths).unwrap_or_default();
        let paths: BTreeSet<PathBuf> = listing.found.into_iter().map(|format| format.path).collect();
        let unread: Vec<&PathBuf> = paths.iter().filter(|path| !self.session.has(path)).collect();
        let read = unread.into_iter().filter(|path| self.session.open(path).is_ok()).count() > 0;
        self.session.refresh() || read || paths != self.known
    }

    /// Checks all formats and shows the findings.
    fn check(&mut self) -> Result<(), Problem> {
        let begin = Instant::now();
        self.output.clear()?;
        let Listing { found, problems } = files::formats(&self.args.paths)
            .unwrap_or_else(|problem| Listing { found: Vec::new(), problems: vec![problem] });
        let unsearched = self.output.problems(&problems);
        self.known = found.iter().map(|format| format.path.clone()).collect();
        // All files are opened first, so that each file knows its importers.
        found.iter().for_each(|format| drop(self.session.open(&format.path)));
        let mut verdicts = Vec::new();
        for format in found {
            verdicts.push(self.one(&format.path)?);
        }
        self.listener.listen_beside(self.session.paths(), &self.args.paths);
        let (all, good, time) = (verdicts.len(), good(&verdicts), begin.elapsed());
        let ms = Some(message::millis(time));
        let counts = Counts { formats: Some(all), good: Some(good), ms, ..Counts::default() };
        let words = || format!("{}, in {}; waiting for changes", words(all, good), millis(time));
        self.output.summary(counts, words)?;
        self.output.finish(Some("check"), verdicts.into_iter().max().unwrap_or(Verdict::Good).max(unsearched));
        Ok(())
    }

    fn one(&mut self, path: &Path) -> Result<Verdict, Problem> {
        let fixed =
            if self.args.fix { fix::run(&mut self.session, path, self.args, self.output)? } else { Verdict::Good };
        match self.session.open(path) {
            Ok(file) => {
                let checked =
                    verdict(&mut self.session, file, self.args, self.output).or_else(|problem| match problem {
                        Problem::Definition { .. } => Ok(self.output.problems(&[problem])),
                        _ => Err(problem),
                    })?;
                Ok(checked.max(fixed))
            }
            Err(problem) => {
                self.output.problem(&problem);
                Ok(problem.verdict())
            }
        }
    }
}
