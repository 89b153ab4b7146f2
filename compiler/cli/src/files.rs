//! Reads files within limits, and finds formats in folders. [`mod@write`] writes files.

mod write;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use ogc_compiler::db::Language;

use crate::problem::Problem;
use crate::source::is_stdin;

pub(crate) use write::{create, rewrite, write_changed};

/// Maximum depth to which directories are searched.
const MAX_DEPTH: usize = 32;

/// Whether standard input has been read; it can be read only once.
static STDIN_READ: AtomicBool = AtomicBool::new(false);

/// Reads a file, or standard input for `-`; a length of more than `limit` bytes is an error.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Problem> {
    let unreadable = |error| Problem::Unreadable { path: path.to_owned(), error };
    let mut bytes = Vec::new();
    if is_stdin(path) {
        if STDIN_READ.swap(true, Ordering::Relaxed) {
            return Err(Problem::StdinTwice);
        }
        io::stdin().lock().take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        let file = File::open(path).map_err(unreadable)?;
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if bytes.len() as u64 <= limit {
        return Ok(bytes);
    }
    let given = fs::metadata(path).ok().map(|metadata| metadata.len()).filter(|&len| len > limit);
    Err(Problem::TooLarge { path: path.to_owned(), given, limit })
}

/// Returns whether a path leads to something that is no regular file (a pipe, a terminal, a directory), so that reading
/// it may never end. Such a path is read only if the command line names it.
pub(crate) fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// Reads the text of a file exactly, including a byte order mark.
pub(crate) fn read_exact_text(path: &Path, limit: u64) -> Result<String, Problem> {
    String::from_utf8(read(path, limit)?)
        .map_err(|error| Problem::NotText { path: path.to_owned(), at: error.utf8_error().valid_up_to() })
}

/// Reads the text of a file without a byte order mark.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<String, Problem> {
    let text = read_exact_text(path, limit)?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// A format to build, and its path relative to the named directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormatFile {
    pub(crate) path: PathBuf,
    pub(crate) relative: PathBuf,
}

/// The result of a search: the files found, and the problems with folders that could not be read.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) found: Vec<FormatFile>,
    pub(crate) problems: Vec<Problem>,
}

/// Returns the formats at the paths: files as they are, and the formats in directories, ordered by name.
pub(crate) fn formats(paths: &[PathBuf]) -> Result<Listing, Problem> {
    let listing = matching(paths, |name| Language::of_name(name).is_ok());
    if listing.found.is_empty() && listing.problems.is_empty() {
        return Err(Problem::NoFormats { paths: paths.to_vec() });
    }
    Ok(listing)
}

/// Returns the files at the paths: files as they are, and files with wanted names in directories, ordered by name. A
/// file that is named twice is listed once.
pub(crate) fn matching(paths: &[PathBuf], wanted: fn(&str) -> bool) -> Listing {
    let mut listing = Listing::default();
    for path in paths {
        if path.is_dir() && !is_stdin(path) {
            let search = Search { wanted, depth: 0 };
            search.directory(path, Path::new(""), &mut listing);
        } else {
            let relative = path.file_name().map_or_else(|| path.clone(), PathBuf::from);
            listing.found.push(FormatFile { path: path.clone(), relative });
        }
    }
    let mut seen = HashSet::new();
    listing.found.retain(|found| seen.insert(plain(&found.path)));
    listing
}

/// Returns the path without `.` components: `./a.ogc` becomes `a.ogc`. But `./-` does not become standard input.
fn plain(path: &Path) -> PathBuf {
    if is_stdin(path) { path.to_owned() } else { Path::new(".").join(path).components().collect() }
}

/// A search: the test for wanted names, and the current depth.
#[derive(Clone, Copy)]
struct Search {
    wanted: fn(&str) -> bool,
    depth: usize,
}

impl Search {
    /// Searches a directory; entries that cannot be read are reported, and the search goes on.
    fn directory(self, directory: &Path, relative: &Path, listing: &mut Listing) {
        if self.depth > MAX_DEPTH {
            listing.problems.push(Problem::TooDeep { path: directory.to_owned(), limit: MAX_DEPTH });
            return;
        }
        let unreadable = |error| Problem::Unreadable { path: directory.to_owned(), error };
        let entries = match fs::read_dir(directory) {
            Ok(entries) => entries,
            Err(error) => return listing.problems.push(unreadable(error)),
        };
        let (mut read, failed): (Vec<_>, Vec<_>) = entries.partition(Result::is_ok);
        listing.problems.extend(failed.into_iter().filter_map(Result::err).map(unreadable));
        read.sort_by_key(|entry| entry.as_ref().map(fs::DirEntry::file_name).ok());
        read.into_iter().flatten().for_each(|entry| self.entry(&entry, relative, listing));
    }

    /// Adds a wanted file, or searches a directory. Hidden directories and links to directories are skipped.
    fn entry(self, entry: &fs::DirEntry, relative: &Path, listing: &mut Listing) {
        let name = entry.file_name();
        let (path, relative) = (entry.path(), relative.join(&name));
        let name = name.to_string_lossy();
        match entry.file_type() {
            Err(error) => listing.problems.push(Problem::Unreadable { path, error }),
            Ok(kind) if kind.is_dir() => {
                if !name.starts_with('.') {
                    Self { depth: self.depth + 1, ..self }.directory(&path, &relative, listing);
                }
            }
            Ok(_) if (self.wanted)(&name) && !is_device(&path) => listing.found.push(FormatFile { path, relative }),
            Ok(_) => {}
        }
    }
}
