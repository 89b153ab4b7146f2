//! Keeps the pools of a build: files of mask rows that all artifacts in a folder share, one for each vocabulary.
//!
//! Artifacts wait until all formats are built. Then each pool is read, gets the rows that it lacks, and replaces the
//! old file atomically; only then are the artifacts written. So a reader finds the rows of every artifact that it sees,
//! and artifacts of earlier builds keep working.
//!
//! Two builds into one folder take turns at the pool: each holds a lock on a file beside the pool while it reads and
//! writes the pool. The lock ends with the process that holds it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use always_assert::never;
use ogc_runtime::artifact::{Artifact, LoadError};
use ogc_runtime::mask::{MaskPack, MaskStore, RowPool, RowPoolBuilder};
use ogc_runtime::vocabulary::Vocabulary;

use crate::files;
use crate::problem::Problem;

/// Maximum length of a pool file, in bytes.
const MAX_POOL: u64 = 1 << 36;

/// The pools of a build, by path.
#[derive(Default)]
pub(super) struct Pools {
    new: RefCell<BTreeMap<PathBuf, New>>,
    /// The existing pools; `None` for a pool that cannot be read.
    old: RefCell<BTreeMap<PathBuf, Option<Arc<RowPool>>>>,
}

/// The packs whose rows must be added to a pool, and the vocabulary of the packs.
struct New {
    vocabulary: Arc<Vocabulary>,
    packs: Vec<Arc<MaskPack>>,
}

impl Pools {
    /// Registers the rows of a pack for the pool in a folder.
    pub(super) fn add(&self, folder: &Path, store: &MaskStore, masks: Arc<MaskPack>) {
        let vocabulary = store.vocabulary();
        let path = folder.join(RowPool::file_name(vocabulary.fingerprint()));
        let mut new = self.new.borrow_mut();
        let own = new.entry(path).or_insert_with(|| New { vocabulary: Arc::clone(vocabulary), packs: Vec::new() });
        own.packs.push(masks);
    }

    /// Returns whether an artifact can be loaded. If its rows are in a pool, the pool in the folder must have them.
    pub(super) fn is_whole(&self, folder: &Path, artifact: Vec<u8>) -> bool {
        match Artifact::load(artifact.clone()) {
            Err(LoadError::NoPool { file }) => {
                self.old(folder.join(file)).is_some_and(|pool| Artifact::load_with(artifact, &pool).is_ok())
            }
            loaded => loaded.is_ok(),
        }
    }

    fn old(&self, path: PathBuf) -> Option<Arc<RowPool>> {
        let mut old = self.old.borrow_mut();
        let read = |path: &PathBuf| read(path).ok()?.map(Arc::new);
        old.entry(path).or_insert_with_key(read).clone()
    }

    /// Adds all rows to their pools, and writes the pools that grow.
    pub(super) fn write(&self) -> Result<(), Problem> {
        self.new.borrow().iter().try_for_each(|(path, new)| write(path, new))
    }
}

fn write(path: &Path, new: &New) -> Result<(), Problem> {
    let _lock = lock(path).map_err(|error| Problem::Unwritable { path: path.to_owned(), error })?;
    let unusable = |error: LoadError| Problem::Engine { path: path.to_owned(), message: error.to_string() };
    let mut builder = match read(path)? {
        Some(pool) => RowPoolBuilder::of(&pool).map_err(unusable)?,
        None => RowPoolBuilder::new(&new.vocabulary),
    };
    new.packs.iter().try_for_each(|pack| builder.add(pack)).map_err(unusable)?;
    if builder.has_grown() || !path.exists() {
        files::write_changed(path, &builder.finish())?;
    }
    Ok(())
}

/// Opens a pool file; `None` if it does not exist, or if it has another version. (Artifacts of that version cannot be
/// read either.)
fn read(path: &Path) -> Result<Option<RowPool>, Problem> {
    if !path.is_file() {
        return Ok(None);
    }
    match RowPool::open(files::read(path, MAX_POOL)?) {
        Ok(pool) => Ok(Some(pool)),
        Err(LoadError::Version { .. }) => Ok(None),
        Err(error) => {
            let message = format!("the pool of rows cannot be used: {error}; remove it and build its formats again");
            Err(Problem::Engine { path: path.to_owned(), message })
        }
    }
}

/// Waits until no other build writes the pool, and locks it until the returned file is dropped.
fn lock(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let Some(file) = path.file_name() else {
        never!("the pool {} has no name", path.display());
        return Err(std::io::ErrorKind::InvalidInput.into());
    };
    let mut name = std::ffi::OsString::from(".");
    name.push(file);
    name.push(".lock");
    let file = File::options().create(true).truncate(false).write(true).open(path.with_file_name(name))?;
    file.lock()?;
    Ok(file)
}
