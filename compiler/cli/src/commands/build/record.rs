//! Keeps records of builds: hashes of inputs and artifacts, by which the next build skips a file that has not changed.
//!
//! A record is a small hidden file beside the artifacts. It holds a hash of everything that the artifacts depend on
//! (the program itself, the format and all that it imports, options, levels and the vocabulary), and a hash of each
//! artifact. If any hash differs, or the record is missing or damaged, the format is built again. A build with warnings
//! leaves no record, so that every build shows them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use always_assert::never;
use blake3::{Hash, Hasher};
use ogc_compiler::db::SourceFile;
use serde::{Deserialize, Serialize};

use super::pools::Pools;
use super::{pool_folder, target};
use crate::args::Build;
use crate::files::{self, FormatFile};
use crate::session::Session;
use crate::source::is_stdin;
use crate::vocabulary;

/// Maximum length of a record, in bytes.
const MAX_RECORD: u64 = 1 << 20;

/// The record of one file's build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The hash of everything that the artifacts depend on.
    pub(super) inputs: String,
    /// The number of notes, which only machines are shown.
    pub(super) notes: usize,
    pub(super) artifacts: Vec<Entry>,
}

/// One artifact of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Name of the output, for an `.ogc` file.
    pub(super) output: Option<String>,
    pub(super) states: usize,
    pub(super) rows: Option<usize>,
    pub(super) bytes: usize,
    /// The hash of the artifact.
    pub(super) hash: String,
}

impl Entry {
    /// Makes the entry of an artifact with these bytes.
    pub(super) fn of(output: Option<&str>, states: usize, rows: Option<usize>, artifact: &[u8]) -> Self {
        let hash = blake3::hash(artifact).to_string();
        Self { output: output.map(str::to_owned), states, rows, bytes: artifact.len(), hash }
    }
}

/// Hashes that all formats of a build share, each computed once.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    /// Hashes of files that do not change during a build: the program itself, and vocabularies.
    files: RefCell<BTreeMap<PathBuf, Option<Hash>>>,
}

impl Recorder {
    /// Returns the hash of everything that the artifacts of a file depend on; `None` if any part cannot be read.
    pub(super) fn inputs(&self, session: &Session, args: &Build, file: SourceFile) -> Option<String> {
        let mut hasher = Hasher::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        part(self.of_file(&std::env::current_exe().ok()?)?.as_bytes());
        part(session.settings_in_words(file).as_bytes());
        part(&[u8::from(pool_folder(args, session.project(file).out.as_deref()).is_some())]);
        for (name, text) in session.reached(file)? {
            part(name.as_bytes());
            part(text.as_bytes());
        }
        if !args.no_masks {
            let vocabulary = session.vocabulary_path(args.vocab.as_deref(), file);
            part(vocabulary.as_os_str().as_encoded_bytes());
            session.ends(args.vocab.as_deref(), file).iter().for_each(|end| part(end.as_bytes()));
            match vocabulary::sources(&vocabulary) {
                Some(files) => {
                    for file in files {
                        part(self.of_file(&file)?.as_bytes());
                    }
                }
                None => part(&session.vocabulary(args.vocab.as_deref(), file).ok()?.fingerprint(&session.db)),
            }
        }
        Some(hasher.finalize().to_string())
    }

    fn of_file(&self, path: &Path) -> Option<Hash> {
        if let Some(known) = self.files.borrow().get(path) {
            return *known;
        }
        let hash = if files::is_device(path) { None } else { fs::read(path).ok().map(|bytes| blake3::hash(&bytes)) };
        self.files.borrow_mut().insert(path.to_owned(), hash);
        hash
    }
}

/// Returns the record of a file's last build, if it is for the same inputs, the artifacts still have the recorded
/// hashes, and the pools have their rows.
pub(super) fn valid(
    args: &Build,
    settings: Option<&Path>,
    found: &FormatFile,
    inputs: &str,
    pools: &Pools,
) -> Option<Record> {
    let read = |path: &Path, limit: u64| if files::is_device(path) { None } else { files::read(path, limit).ok() };
    let folder = pool_folder(args, settings);
    let record: Record = serde_json::from_slice(&read(&place(args, settings, found)?, MAX_RECORD)?).ok()?;
    let intact = |entry: &Entry| {
        let artifact = read(&target(args, settings, found, entry.output.as_deref()), entry.bytes as u64);
        let artifact = artifact.filter(|artifact| blake3::hash(artifact).to_string() == entry.hash);
        // The pool may have been removed or replaced since, and then lacks rows of an unchanged artifact.
        artifact.is_some_and(|artifact| folder.is_none_or(|folder| pools.is_whole(folder, artifact)))
    };
    (record.inputs == inputs && !record.artifacts.is_empty() && record.artifacts.iter().all(intact)).then_some(record)
}

/// Writes a record, or removes an outdated one. Failures are ignored: without a record the next build only does
/// everything again.
pub(super) fn keep(args: &Build, settings: Option<&Path>, found: &FormatFile, record: Option<&Record>) {
    let Some(place) = place(args, settings, found) else { return };
    let text = record.map(serde_json::to_vec).and_then(|text| {
        text.inspect_err(|error| never!("the record {} is not written as JSON: {}", place.display(), error)).ok()
    });
    match text {
        Some(text) => drop(files::write_changed(&place, &text)),
        None => drop(fs::remove_file(place)),
    }
}

/// Returns the path of a file's record; `None` for standard input and output.
fn place(args: &Build, settings: Option<&Path>, found: &FormatFile) -> Option<PathBuf> {
    let artifact = target(args, settings, found, None);
    if is_stdin(&found.path) || is_stdin(&artifact) {
        return None;
    }
    let mut name = std::ffi::OsString::from(".");
    name.push(artifact.file_name()?);
    name.push(".built");
    Some(artifact.with_file_name(name))
}
