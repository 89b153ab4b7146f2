//! Launches as files: the input of a kernel, and the memory afterwards. `runtime/cuda/judge` reads them.
//!
//! A file consists of numbers of 8 bytes, little-endian, and of byte strings that are preceded by their length: the kernel's name, blocks
//! in two dimensions, threads, then the number of parameters and each parameter, then the number of buffers and for each its name, its
//! address, whether it is not a result, and its bytes before and after.

#![allow(clippy::disallowed_methods, reason = "launches are files; see clippy.toml")]

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ogc_ptx::{Launch, Mirror, MirrorBuffer};

/// The environment variable that names the folder for launches.
const VARIABLE: &str = "OGC_RECORD";

/// Caps on the bytes of a launch's buffers, and on its threads; larger launches are not written.
const MOST_BYTES: usize = 4 << 20;
const MOST_THREADS: u64 = 4096;

/// Returns the folder for launches, if they are written.
pub(super) fn folder() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).map(PathBuf::from)
}

/// Returns whether to write a launch of a kernel: the first, and ever fewer of the later ones.
fn is_next(kernel: &str) -> bool {
    static COUNTS: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
    let mut counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
    let count = counts.entry(kernel.to_owned()).or_default();
    *count += 1;
    count.is_multiple_of(1 << (*count / 32).max(1).ilog2())
}

/// Runs launches in another mirror, and writes them to files.
#[derive(Debug)]
pub(super) struct Recorder<M> {
    mirror: M,
    folder: PathBuf,
}

impl<M: Mirror> Recorder<M> {
    pub(super) fn new(mirror: M, folder: PathBuf) -> Self {
        Self { mirror, folder }
    }
}

impl<M: Mirror> Mirror for Recorder<M> {
    fn window(&self) -> Range<u64> {
        self.mirror.window()
    }

    fn launch(&self, launch: &Launch, parameters: &[Vec<u8>], buffers: &mut [MirrorBuffer]) -> Result<(), String> {
        let before: Vec<Vec<u8>> = buffers.iter().map(|buffer| buffer.bytes.clone()).collect();
        self.mirror.launch(launch, parameters, buffers)?;
        let bytes: usize = before.iter().map(Vec::len).sum();
        if bytes > MOST_BYTES || launch.grid.count() * launch.block.count() > MOST_THREADS || !is_next(&launch.kernel) {
            return Ok(());
        }
        let mut file = File::default();
        file.add_launch(launch, parameters)?;
        file.number(buffers.len() as u64);
        for (buffer, before) in buffers.iter().zip(&before) {
            file.bytes(buffer.name.as_bytes());
            file.number(buffer.address);
            file.number(self.is_unordered(&buffer.name).into());
            file.bytes(before);
            file.bytes(&buffer.bytes);
        }
        file.write(&self.folder, &launch.kernel).map_err(|error| format!("{}: {error}", self.folder.display()))
    }

    fn is_unordered(&self, name: &str) -> bool {
        self.mirror.is_unordered(name)
    }
}

/// A file under construction.
#[derive(Default)]
struct File(Vec<u8>);

impl File {
    fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    fn add_launch(&mut self, launch: &Launch, parameters: &[Vec<u8>]) -> Result<(), String> {
        let ([x, y, 1], [threads, 1, 1], 0) = (launch.grid.0, launch.block.0, launch.shared) else {
            return Err("grids have two dimensions, blocks one, and no shared memory of open length".to_owned());
        };
        self.bytes(launch.kernel.as_bytes());
        [x, y, threads].into_iter().for_each(|size| self.number(size.into()));
        self.number(parameters.len() as u64);
        parameters.iter().for_each(|parameter| self.bytes(parameter));
        Ok(())
    }

    /// Writes the file under a name that is derived from its content.
    fn write(&self, folder: &Path, kernel: &str) -> std::io::Result<()> {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(format!("{kernel}-{:016x}.launch", hasher.finish())), &self.0)
    }
}
